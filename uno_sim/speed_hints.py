"""Hints to the machine, for compiled loops over many games: they change the speed and nothing else.

* `borrowed(array)`: a view whose owner is not counted. Numba counts references to an array wherever
  it is passed on or sliced, each time with an atomic instruction, which in a loop over games can
  take as long as the rules. A borrowed array may be used only while somebody else keeps the array,
  as the caller of a compiled function keeps its arguments.
* `fetch_ahead(record, size)`: asks the processor to bring the first bytes of a record into its
  cache, without waiting.
* `for_call(records)`: the same array as one without a record's extras, which costs a compiled call
  less to take.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.compilation import JIT_DISABLED, compiled

_CACHE_LINE = 64

if JIT_DISABLED:

    def borrowed(array: Any) -> Any:
        """Return a view of an array that counts no references."""
        return array

    def fetch_ahead(record: Any, size: Any) -> None:
        """Ask for the first `size` bytes of a record to be brought into the cache."""

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def borrowed(typing_context, array):  # type: ignore[no-untyped-def]
        """Return a view of an array that counts no references."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            kind = context.make_array(signature.args[0])
            owned = kind(context, builder, arguments[0])
            view = kind(context, builder)
            for field in ("nitems", "itemsize", "data", "shape", "strides"):
                setattr(view, field, getattr(owned, field))
            return view._getvalue()

        return array(array), generate

    @intrinsic
    def fetch_line(typing_context, record, place):  # type: ignore[no-untyped-def]
        """Ask for the line of the cache in which byte `place` of a record lies."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            integer, byte = ir.IntType(32), ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [byte, integer, integer, integer])
            prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            line = builder.gep(builder.bitcast(arguments[0], byte), [arguments[1]])
            flags = [ir.Constant(integer, flag) for flag in (1, 3, 1)]  # to write, keep, data
            builder.call(prefetch, [line, *flags])
            return context.get_dummy_value()

        return types.void(record, types.intp), generate

    @compiled
    def fetch_ahead(record: Any, size: Any) -> None:
        """Ask for the first `size` bytes of a record to be brought into the cache."""
        for place in range(0, size, _CACHE_LINE):
            fetch_line(record, place)


def for_call(records: Any) -> Any:
    """Return an array of records in the form that a compiled call takes fastest."""
    return records if JIT_DISABLED else np.asarray(records)
