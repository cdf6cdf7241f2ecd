"""The one decorator for compiled functions, and a disk cache that cannot serve stale code.

Numba's own `cache=True` looks only at the file that holds a function: a change in a *called*
function or in an imported constant leaves the caller's old machine code in use. Here the stamp of
a cached function is a digest of everything that the function reaches: its byte code, constants,
the compiled functions and plain values it names, and theirs in turn.

With `NUMBA_DISABLE_JIT=1` all functions run as plain Python. `NUMBA_CACHE_DIR` is honored; where
no folder can be written, functions are compiled anew in each process.
"""

from __future__ import annotations

import enum
import hashlib
import sys
import types
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba.core import config, ir
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.dispatcher import Dispatcher
from numba.core.types import Type
from numba.core.typing.templates import Signature

from uno_sim import code_apart
from uno_sim.code_apart import CacheImpl, UnmetError, is_apart, stand_apart

JIT_DISABLED: bool = bool(config.DISABLE_JIT)

if JIT_DISABLED:
    # 64-bit words wrap around silently when compiled; let them do so in plain Python too.
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)

Function = TypeVar("Function", bound=Callable[..., Any])

_announced: set[str] = set()

_OWN_SOURCE = hashlib.sha256(
    b"".join(Path(file).read_bytes() for file in (__file__, code_apart.__file__))
).hexdigest()
"""A digest of the files that decide how functions are compiled."""

_VERSIONED_PACKAGES = ("numba", "llvmlite", "numpy")
"""Packages whose code changes with their version only, which Numba's cache looks at itself."""

_PLAIN_VALUES = (
    *(int, float, complex, str, bytes, bool, type(None), np.generic, np.dtype),
    *(Type, Signature),
)


@overload
def compiled(function: Function) -> Function: ...


@overload
def compiled(
    *,
    announce: str | None = None,
    checked: bool = False,
    inlined: bool = False,
    apart: bool = False,
) -> Callable[[Function], Function]: ...


def compiled(
    function: Any = None,
    *,
    announce: str | None = None,
    checked: bool = False,
    inlined: bool = False,
    apart: bool = False,
) -> Any:
    """Compile `function` with Numba at its first call, and keep the machine code on disk.

    `announce` is a sentence printed to stderr, once a process, when the function is not found in
    the cache; entry points whose compilation takes seconds use it. In a `checked` function an
    array index out of range raises `IndexError`, which is silent else. An `inlined` function
    becomes part of the machine code of each that calls it: for what every decision passes through.
    A function `apart` is not taken over by its callers, so that what is large is compiled once
    (`code_apart`); it must be found in its module by its name.
    """
    if function is None:
        return lambda decorated: compiled_with(decorated, announce, checked, inlined, apart)
    return compiled_with(function, announce, checked, inlined, apart)


def compiled_with(
    function: Function, announce: str | None, checked: bool, inlined: bool, apart: bool
) -> Function:
    """Compile one function; see `compiled`."""
    if JIT_DISABLED:
        return function
    # Numba hands a caller's options on to what it calls, so that each must say its own.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": inlined}
    if checked:
        options["boundscheck"] = True
    dispatcher = numba.njit(**options)(function)
    compile_for_call = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: compile_for_call(tuple(map(_widen, args)), kws)
    if apart:
        stand_apart(dispatcher, lambda: reachable_digest(dispatcher))
    try:
        dispatcher._cache = _ReachableCodeCache(function, announce, repr(options))
    except (RuntimeError, OSError):
        # no writable folder, or no source file (typed at a prompt): compile in memory
        dispatcher._cache = _NoCache(announce)
    if config.BOUNDSCHECK is not None:
        # A debugging run: checked code is neither kept, nor is unchecked code taken for it.
        dispatcher._cache = _NoCache(announce)
    return dispatcher


class ReturnTypeError(TypeError):
    """A function that must return an integer returns something else, which would be cut down."""


def _check_return(compiled_result: Any) -> None:
    """Raise `ReturnTypeError` where code just compiled casts what is no integer to one.

    It does so where a signature says integer; where none says what is returned, nothing is cast.
    """
    annotation = compiled_result.type_annotation
    for block in annotation.blocks.values():
        made = {line.target.name: line.value for line in block.find_insts(ir.Assign)}
        for line in block.find_insts(ir.Return):
            cast = made.get(line.value.name)
            if isinstance(cast, ir.Expr) and cast.op == "cast":
                given = annotation.typemap[cast.value.name]
                wanted = annotation.typemap[line.value.name]
                integer = numba.types.Integer
                if isinstance(wanted, integer) and not isinstance(given, integer):
                    raise ReturnTypeError(f"it returns {given}, must return an integer")


def _say_once(sentence: str | None) -> None:
    if sentence and sentence not in _announced:
        _announced.add(sentence)
        print(sentence, file=sys.stderr, flush=True)


class _NoCache(NullCache):
    """Keeps nothing, and announces each compilation."""

    def __init__(self, announce: str | None) -> None:
        self._announce = announce

    def load_overload(self, sig: Any, target_context: Any) -> None:
        _say_once(self._announce)

    def save_overload(self, sig: Any, data: Any) -> None:
        _check_return(data)


def _widen(argument: Any) -> Any:
    """Return the type that a compiled function takes for one that it is called with.

    All integers are passed as int64, except uint64, so that calls with cards from a record, loop
    counters and constants share one compilation.
    """
    argument = numba.types.unliteral(argument)
    if isinstance(argument, numba.types.Integer) and argument != numba.types.uint64:
        return numba.types.int64
    return argument


class _KeptFiles(IndexDataCacheFile):
    """Files of kept code that are taken for absent where they are damaged, or of something else.

    The index is written before the code that it names. A process that is killed in between, or two
    that write at once, leave an index that leads to other code. So the code says what it is of.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (self._source_stamp, key, data))

    def load(self, key: Any) -> Any:
        if key not in self._load_index():
            return None
        try:
            stamp, kept_key, data = super().load(key)
        except Exception:
            # Numba reads pickles, which fail in many ways where they are damaged.
            stamp = kept_key = None
        if (stamp, kept_key) == (self._source_stamp, key):
            return data
        # It gets a file of its own when it is saved again.
        others = self._load_index()
        others.pop(key, None)
        self._save_index(others)
        return None

    def _load_index(self) -> dict[Any, str]:
        try:
            return dict(super()._load_index())
        except Exception:
            return {}


class _ReachableCodeCache(FunctionCache):
    """Numba's function cache, stamped with a digest of all code and constants a function reaches.

    One index file a function, named without its line number: a new version replaces the old one.
    """

    _impl_class = CacheImpl

    def __init__(self, function: Callable[..., Any], announce: str | None, options: str) -> None:
        super().__init__(function)
        self._announce = announce
        self._options = options
        self._stamped = False

    def _stamp(self) -> None:
        # At decoration time the functions below may not exist yet; at the first call they do.
        if not self._stamped:
            name = f"{self._py_func.__module__}.{self._py_func.__qualname__}"
            safe_name = "".join(c if c.isalnum() or c in "._" else "_" for c in name)
            version = "".join(map(str, sys.version_info[:2]))
            self._cache_file = _KeptFiles(
                cache_path=self._cache_path,
                filename_base=f"{safe_name}.py{version}{sys.abiflags}",
                source_stamp=reachable_digest(self._py_func) + _OWN_SOURCE + self._options,
            )
            self._stamped = True

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        self._stamp()
        try:
            loaded = super()._load_overload(sig, target_context)
        except (UnmetError, OSError):
            loaded = None
        if loaded is None:
            _say_once(self._announce)
        return loaded

    def _save_overload(self, sig: Any, data: Any) -> None:
        _check_return(data)
        self._stamp()
        with suppress(OSError):  # no room left, or the folder was taken away
            super()._save_overload(sig, data)


def reachable_digest(function: Callable[..., Any]) -> str:
    """Return a digest of the code and constants that `function` reaches through names."""
    parts: list[str] = []
    _describe(function, parts, set())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _describe(value: Any, parts: list[str], seen: set[int]) -> None:
    """Append to `parts` what compiled code depends on in `value`."""
    if isinstance(value, Dispatcher):
        parts.append(f"options {sorted(value.targetoptions.items())} {is_apart(value)}")
        value = value.py_func
    elif hasattr(value, "_defn"):  # a Numba intrinsic
        value = value._defn
    if isinstance(value, types.FunctionType):
        if (value.__module__ or "").partition(".")[0] in _VERSIONED_PACKAGES:
            parts.append(f"library {value.__module__}.{value.__qualname__}")
            return
        if id(value) in seen:
            return
        seen.add(id(value))
        parts.append(f"function {value.__module__}.{value.__qualname__} {value.__defaults__!r}")
        _describe_code(value.__code__, value, parts, seen)
        for cell in value.__closure__ or ():
            _describe(cell.cell_contents, parts, seen)
    elif isinstance(value, np.ndarray):
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        kind = value.dtype.descr if value.dtype.names else value.dtype
        parts.append(f"array {kind} {value.shape} {value.flags.c_contiguous} {digest}")
    elif isinstance(value, tuple | list):
        parts.append(f"sequence {len(value)}")
        for item in value:
            _describe(item, parts, seen)
    elif isinstance(value, dict):
        _describe(tuple(value.items()), parts, seen)
    elif isinstance(value, enum.EnumMeta):
        parts.append(f"enum {[(name, value[name].value) for name in value.__members__]}")
    elif isinstance(value, _PLAIN_VALUES):
        parts.append(f"value {type(value).__name__} {value!r}")
    else:
        name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
        parts.append(f"object {type(value).__qualname__} {getattr(value, '__module__', '')}.{name}")


def _describe_code(
    code: types.CodeType, function: types.FunctionType, parts: list[str], seen: set[int]
) -> None:
    parts.append(code.co_code.hex())
    constants = code.co_consts
    if constants and isinstance(constants[0], str) and constants[0] == function.__doc__:
        constants = constants[1:]  # what a docstring says changes no machine code
    for constant in constants:
        if isinstance(constant, types.CodeType):
            _describe_code(constant, function, parts, seen)
        else:
            parts.append(f"constant {constant!r}")
    # Plain names, and the attributes of modules that are named, at any depth: `package.module.NAME`
    scopes: list[Any] = [function.__globals__]
    for scope in scopes:
        for name in code.co_names:
            if name in scope:
                parts.append(f"name {name}")
                value = scope[name]
                if isinstance(value, types.ModuleType):
                    if not any(value.__dict__ is known for known in scopes):
                        scopes.append(value.__dict__)
                else:
                    _describe(value, parts, seen)
    parts.append(f"names {code.co_names}")
