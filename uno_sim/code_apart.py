"""Compiled functions that stand apart: compiled once, and called where they are.

Numba takes the code of all that a function calls over into it and optimizes the whole, so what lies
deep down is optimized again on each level above. That is worth it for what is small, or passed
through at every decision. A function apart is known to its callers by a symbol alone, which the
linker of machine code looks up. The call itself takes no longer than one of any large function.

Kept machine code names the symbols that it needs, and what provides them is loaded before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import import_module
from typing import Any

from llvmlite import binding
from numba.core import sigutils
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import RuntimeLinker
from numba.core.funcdesc import ExternalFunctionDescriptor

_PREFIX = "apart:"

_providers: dict[str, tuple[Any, Any]] = {}
"""The function and the types of its arguments that stand behind each symbol."""

_circular: set[str] = set()
"""The symbols of functions that call each other in a circle, and of those that call them."""


class UnmetError(Exception):
    """Kept machine code needs a symbol that nothing provides any more."""


def stand_apart(dispatcher: Any, digest: Callable[[], str]) -> None:
    """Let a compiled function be called by its symbol; `digest()` is what its code is known by."""
    keys: dict[Any, Any] = {}

    def get_overload(signature: Any) -> Any:
        arguments = tuple(sigutils.normalize_signature(signature)[0])
        if arguments not in keys:
            keys[arguments] = _provide(dispatcher, arguments, digest())
        return keys[arguments]

    # Numba asks for what a call by compiled code is to become.
    dispatcher.get_overload = get_overload
    dispatcher.digest_apart = digest


def is_apart(function: Any) -> bool:
    """Return whether something is a compiled function that stands apart."""
    return hasattr(function, "digest_apart")


def functions_apart() -> list[Any]:
    """Return the compiled functions whose symbols are known by now."""
    return [dispatcher for dispatcher, _ in _providers.values()]


def _provide(dispatcher: Any, arguments: Any, digest: str) -> Any:
    """Make the symbol of a compiled function known, and return by what its callers find it."""
    overload = dispatcher.overloads[arguments]
    symbol = _symbol_of(dispatcher, arguments, digest)
    described = overload.fndesc
    address = overload.library.get_pointer_to_function(described.llvm_func_name)
    binding.add_symbol(symbol, address)
    _providers[symbol] = dispatcher, arguments
    if _reaches_circle(overload.library):
        _circular.add(symbol)
    key = object()
    outside = ExternalFunctionDescriptor(symbol, described.restype, described.argtypes)
    dispatcher.targetctx.insert_user_function(key, outside)
    return key


def _symbol_of(dispatcher: Any, arguments: Any, digest: str) -> str:
    """Return the symbol of a compiled function for some types of its arguments."""
    function = dispatcher.py_func
    types = hashlib.sha256(repr(arguments).encode()).hexdigest()
    return f"{_PREFIX}{function.__module__}.{function.__qualname__}:{digest}:{types}"


def _reaches_circle(library: Any) -> bool:
    """Return whether the code of a library calls functions that call each other in a circle.

    Such code holds places for addresses that are filled in later. Numba does not find them again
    in code that was kept, which ends the process.
    """
    code = library._final_module
    open_places = (place.name.startswith(RuntimeLinker.PREFIX) for place in code.global_variables)
    return any(open_places) or any(called.name in _circular for called in code.functions)


class CacheImpl(CompileResultCacheImpl):
    """Keeps with machine code the symbols that it needs."""

    def check_cachable(self, result: Any) -> bool:
        """Return whether a compiled function can be kept: not where functions call in a circle."""
        return not _reaches_circle(result.library) and bool(super().check_cachable(result))

    def reduce(self, result: Any) -> Any:
        """Return what is kept of a compiled function."""
        return _needs(result.library), super().reduce(result)

    def rebuild(self, target_context: Any, kept: Any) -> Any:
        """Return the compiled function of what was kept; `UnmetError` where that is impossible."""
        needs, result = kept
        for symbol, module, name, arguments in needs:
            try:
                function = getattr(import_module(module), name)
            except (ImportError, AttributeError) as error:
                raise UnmetError(symbol) from error
            if not is_apart(function):
                raise UnmetError(symbol)
            if _symbol_of(function, arguments, function.digest_apart()) != symbol:
                raise UnmetError(symbol)
            function.compile(arguments)
            function.get_overload(arguments)
        return super().rebuild(target_context, result)


def _needs(library: Any) -> list[tuple[str, str, str, Any]]:
    """Return the symbols that the code of a library calls, and what provides them."""
    needs = []
    for called in library._final_module.functions:
        if called.is_declaration and called.name in _providers:
            dispatcher, arguments = _providers[called.name]
            function = dispatcher.py_func
            needs.append((called.name, function.__module__, function.__qualname__, arguments))
    return needs
