"""Calling a policy from compiled code: by its address, with views that cost nothing.

A first-class function value in a typed list costs about 20 ns a call, and slicing an array in
compiled code counts references; a table of addresses and views without an owner do neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numba import types

from uno_sim.compilation import JIT_DISABLED, ReturnTypeError
from uno_sim.rule_set import RULES_DTYPE
from uno_sim.state import FIELDS, STATE_DTYPE, Visibility


def _part_of_a_record(names: Sequence[str]) -> np.dtype[Any]:
    """Return the dtype of records of which only some fields can be named."""
    fields = STATE_DTYPE.fields
    assert fields is not None
    part = {
        "names": list(names),
        "formats": [fields[name][0] for name in names],
        "offsets": [fields[name][1] for name in names],
        "itemsize": STATE_DTYPE.itemsize,
    }
    return np.dtype((np.record, np.dtype(part, align=True)))  # type: ignore[call-overload]


LEGAL_ONLY_DTYPE = _part_of_a_record(["legal"])
"""An observation of which nothing but the legal set can be named."""
OWN_DTYPE = _part_of_a_record(
    [
        field.name
        for field in FIELDS
        if field.visibility not in (Visibility.HIDDEN, Visibility.BOTTOM) and not field.rare
    ]
)
"""An observation of which neither the draw pile nor a hidden or a rare field can be named."""


def legal_only(observation: Any) -> Any:
    """Return a copy of an observation's record that holds the legal set alone."""
    record = np.zeros(1, LEGAL_ONLY_DTYPE).view(np.recarray)[0]
    record.legal[:] = observation.legal
    return record


def checked_action(action: Any) -> int:
    """Return what a policy returned; `TypeError` where it is no integer."""
    if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
        kind = type(action).__name__
        raise TypeError(f"it returned {kind}, must return an integer, the action")
    return int(action)


def _signature(observation: np.dtype[Any]) -> Any:
    return types.int64(
        numba.from_dtype(observation),
        numba.from_dtype(RULES_DTYPE),
        types.Array(types.float32, 1, "C", readonly=True),
        types.float32[::1],
        types.uint64[::1],
    )


POLICY_SIGNATURE = _signature(STATE_DTYPE)
"""The one type of all policies, so that none compiles the simulator anew."""
LEGAL_ONLY_SIGNATURE = _signature(LEGAL_ONLY_DTYPE)
"""The type of policies that observe the legal set alone; they are called in the same way."""
OWN_SIGNATURE = _signature(OWN_DTYPE)
"""The type of policies that observe common public fields and their own rows; called so too."""
SIGNATURES = {
    "everything": POLICY_SIGNATURE,
    "own": OWN_SIGNATURE,
    "legal": LEGAL_ONLY_SIGNATURE,
}
"""The type of a policy by what it observes."""

if JIT_DISABLED:

    def function_table(policies: Sequence[Any]) -> Any:
        """Return what `call_policy` takes its functions from."""
        return [
            _handed_legal_only(policy.function) if policy.observes == "legal" else policy.function
            for policy in policies
        ]

    def address_of(policy: Any) -> Any:
        """Return a function without arguments that returns what `call_policy` calls a policy by."""
        return lambda: policy.function

    def _handed_legal_only(function: Any) -> Any:
        def call(observation: Any, *others: Any) -> Any:
            return function(legal_only(observation), *others)

        return call

    def call_policy(
        function: Any,
        observation: Any,
        rules: Any,
        params: Any,
        params_start: Any,
        params_size: Any,
        memories: Any,
        memory_start: Any,
        memory_size: Any,
        streams: Any,
        stream: Any,
    ) -> Any:
        """Return the action that one policy chooses."""
        return checked_action(
            function(
                observation,
                rules,
                params[params_start : params_start + params_size],
                memories[memory_start : memory_start + memory_size],
                streams[stream : stream + 1],
            )
        )

else:
    from numba.core import cgutils
    from numba.core.errors import NumbaError
    from numba.extending import intrinsic

    def function_table(policies: Sequence[Any]) -> Any:
        """Return the addresses of compiled policies, uint64 array [A].

        The policies must stay alive as long as the table is used. Raises `ValueError` where one
        does not compile: it writes into its params, or reads a field that it is not handed, or
        returns no integer.
        """
        addresses = []
        for policy in policies:
            signature = SIGNATURES[policy.observes]
            try:
                policy.function.compile(signature)
                compiled = policy.function.get_compile_result(signature)
            except KeyError as error:
                raise ValueError(
                    f"policy {policy.name!r}: there is no field {error} in what it is handed "
                    f"(observes={policy.observes!r})"
                ) from error
            except ReturnTypeError as error:
                del policy.function.overloads[signature.args]
                raise ValueError(
                    f"policy {policy.name!r}: {error}, the action; int(...) makes one"
                ) from None
            except NumbaError as error:
                raise ValueError(
                    f"policy {policy.name!r} does not compile: {_reason(str(error))}"
                ) from error
            name = compiled.fndesc.llvm_func_name
            addresses.append(compiled.library.get_pointer_to_function(name))
        return np.array(addresses, np.uint64)

    def address_of(policy: Any) -> Any:
        """Return a function for compiled code, without arguments, that returns a policy's address.

        So one policy can call another by its address, and a cached one finds it anew.
        """
        function, type_of_policy = policy.function, SIGNATURES[policy.observes]

        @intrinsic
        def address(typing_context):  # type: ignore[no-untyped-def]
            def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                function.compile(type_of_policy)
                compiled = function.get_compile_result(type_of_policy)
                context.add_linking_libs([compiled.library])
                declared = context.declare_function(builder.module, compiled.fndesc)
                return builder.ptrtoint(declared, context.get_value_type(types.uint64))

            return types.uint64(), generate

        return address

    def _reason(error: str) -> str:
        """Return in one line why a policy does not compile."""
        if "readonly=True" in error or "readonly array" in error:
            return "it writes into its params, which are read-only"
        said = [line.strip() for line in error.splitlines() if line.strip()]
        return next((line for line in said if not line.startswith("Failed in")), "")

    @intrinsic
    def call_policy(  # type: ignore[no-untyped-def]
        typing_context,
        function,
        observation,
        rules,
        params,
        params_start,
        params_size,
        memories,
        memory_start,
        memory_size,
        streams,
        stream,
    ):
        """Return the action that the policy at an address chooses; its exceptions pass through."""
        argument_types = POLICY_SIGNATURE.args

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            def view(array: Any, array_type: Any, start: Any, size: Any) -> Any:
                whole = context.make_array(array_type)(context, builder, array)
                part = context.make_array(array_type)(context, builder)
                itemsize = context.get_constant(types.intp, array_type.dtype.bitwidth // 8)
                context.populate_array(
                    part,
                    data=builder.gep(whole.data, [start]),
                    shape=cgutils.pack_array(builder, [size]),
                    strides=cgutils.pack_array(builder, [itemsize]),
                    itemsize=itemsize,
                    meminfo=None,
                )
                return part._getvalue()

            one = context.get_constant(types.intp, 1)
            values = [
                arguments[1],
                arguments[2],
                view(arguments[3], argument_types[2], arguments[4], arguments[5]),
                view(arguments[6], argument_types[3], arguments[7], arguments[8]),
                view(arguments[9], argument_types[4], arguments[10], one),
            ]
            convention = context.call_conv
            kind = convention.get_function_type(types.int64, argument_types)
            pointer = builder.inttoptr(arguments[0], kind.as_pointer())
            status, action = convention.call_function(
                builder, pointer, types.int64, argument_types, values
            )
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return action

        signature = types.int64(
            types.uint64,
            argument_types[0],
            argument_types[1],
            argument_types[2],
            types.intp,
            types.intp,
            argument_types[3],
            types.intp,
            types.intp,
            argument_types[4],
            types.intp,
        )
        return signature, generate
