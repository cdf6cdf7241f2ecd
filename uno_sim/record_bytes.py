"""Copying a range of bytes between records, in compiled code."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def copy_bytes(typing_context, target, source, start, size):  # type: ignore[no-untyped-def]
    """Copy bytes `start` to `start + size` of one record into the same place of another."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        target, source, start, size = arguments
        copy_block(builder, target, source, start, size)
        return context.get_dummy_value()

    return types.void(target, source, types.intp, types.intp), generate


@intrinsic
def copy_from_array(typing_context, target, source, start, size):  # type: ignore[no-untyped-def]
    """Copy bytes `start` to `start + size` of a byte array into the same place of a record."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        target, source, start, size = arguments
        array = context.make_array(signature.args[1])(context, builder, source)
        copy_block(builder, target, array.data, start, size)
        return context.get_dummy_value()

    return types.void(target, source, types.intp, types.intp), generate


def copy_block(builder: Any, target: Any, source: Any, start: Any, size: Any) -> None:
    """Emit the copy of one block of bytes."""
    to = cgutils.pointer_add(builder, target, start)
    source_start = cgutils.pointer_add(builder, source, start)
    cgutils.raw_memcpy(builder, to, source_start, size, 1)
