"""Arrays that are new to whoever gets them, without new memory each time."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

MAX_BUFFERS = 3
"""How much memory is kept: the caller still holds the last array when it asks for the next."""
SMALL = 1 << 20
"""Arrays of fewer bytes are made anew, which is faster than to keep account of them."""

Array = np.ndarray[Any, Any]


class Buffers:
    """Hands out arrays of one shape; the memory of one that all have let go of is used again.

    A view of an array, or a tensor that shares its memory, holds it like the array itself. Large
    arrays are costly to ask the system for: a step of 16,384 games is 90 MB of features.
    """

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self._shape = shape
        self._dtype = np.dtype(dtype)
        self._size = int(np.prod(shape)) * self._dtype.itemsize
        self._memory: list[tuple[bytearray, weakref.ref[Array]]] = []

    def take(self) -> Array:
        """Return an array whose memory nobody else holds; what is in it is left over."""
        if self._size < SMALL:
            return np.empty(self._shape, self._dtype)
        # Where the array that was made of some memory is gone, so is every view of it.
        free = [memory for memory, last in self._memory if last() is None]
        memory = free[0] if free else bytearray(self._size)
        others = [kept for kept in self._memory if kept[0] is not memory][1 - MAX_BUFFERS :]
        # The owner of the memory is no array, so that a view of the array holds the array itself.
        array: Array = np.ndarray(self._shape, self._dtype, buffer=memory)
        self._memory = [*others, (memory, weakref.ref(array))]
        return array
