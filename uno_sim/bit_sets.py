"""Small numbers (card kinds, action ids), and sets of them as bits of an unsigned 64-bit word."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from uno_sim.compilation import JIT_DISABLED, compiled

EMPTY = np.uint64(0)
ONE = np.uint64(1)

NUM_INDICES = 256
"""How many numbers `as_index` may return: a table of that length has a place for each."""


@compiled(inlined=True)
def as_index(number: Any) -> Any:
    """Return a number of 0 to 255, which is then known not to be negative; -1 becomes 255.

    Else each place where it is an index looks first whether it counts from the end.
    """
    return np.int64(number) & (NUM_INDICES - 1)


@compiled
def bit(index: Any) -> Any:
    """Return the set that holds `index` (0 to 63) alone."""
    return ONE << np.uint64(index)


@compiled
def contains(bits: Any, index: Any) -> Any:
    """Return whether `index` (0 to 63) is in the set."""
    return (bits >> np.uint64(index)) & ONE != EMPTY


if JIT_DISABLED:

    def size(bits: Any) -> Any:
        """Return how many numbers are in the set."""
        return int(bits).bit_count()

    def lowest(bits: Any) -> Any:
        """Return the least number of a set that is not empty."""
        return (int(bits) & -int(bits)).bit_length() - 1

else:

    @intrinsic
    def _count_ones(typing_context, bits):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate

    @intrinsic
    def _count_trailing_zeros(typing_context, bits):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

        return types.uint64(types.uint64), generate

    @compiled
    def size(bits: Any) -> Any:
        """Return how many numbers are in the set."""
        return np.int64(_count_ones(np.uint64(bits)))

    @compiled
    def lowest(bits: Any) -> Any:
        """Return the least number of a set that is not empty."""
        return np.int64(_count_trailing_zeros(np.uint64(bits)))


@compiled
def highest(bits: Any) -> Any:
    """Return the greatest number of a set that is not empty."""
    found = lowest(bits)
    rest = without_lowest(bits)
    while rest != EMPTY:
        found = lowest(rest)
        rest = without_lowest(rest)
    return found


@compiled
def without_lowest(bits: Any) -> Any:
    """Return the set without its least number."""
    return bits & (bits - ONE)


@compiled
def nth_by_steps(bits: Any, index: Any) -> Any:
    """Return the number that has `index` lower ones in the set; there must be one."""
    for _ in range(index):
        bits = without_lowest(bits)
    return lowest(bits)


def _deposits_fast() -> bool:
    """Return whether compiled code can use the instruction PDEP, and gains by it."""
    _, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and processor not in _SLOW_DEPOSIT


_SLOW_DEPOSIT = ("bdver4", "znver1", "znver2")
"""Processors, by LLVM's names, that have PDEP and take longer for it than for the steps."""

if JIT_DISABLED or not _deposits_fast():
    nth = nth_by_steps

else:

    @intrinsic
    def _deposit(typing_context, bits, mask):  # type: ignore[no-untyped-def]
        """Put the bits of a word, from the lowest on, where `mask` has its ones."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            name = "llvm.x86.bmi.pdep.64"
            deposit = cgutils.get_or_insert_function(builder.module, kind, name)
            return builder.call(deposit, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    @compiled(inlined=True)
    def nth(bits: Any, index: Any) -> Any:
        """Return the number that has `index` lower ones in the set; there must be one."""
        return lowest(_deposit(bit(index), np.uint64(bits)))
