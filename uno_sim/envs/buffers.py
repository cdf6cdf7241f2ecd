"""Arrays that are new to whoever gets them, without new memory each time."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

MAX_BUFFERS = 3
"""How many arrays are kept: the caller still holds the last one when it asks for the next."""


def _free(arrays: list[np.ndarray[Any, Any]], own_references: int) -> np.ndarray[Any, Any] | None:
    """Return an array of a list that nobody else holds."""
    for array in arrays:
        if sys.getrefcount(array) <= own_references:
            return array
    return None


def _own_references() -> int:
    """Return how many references `_free` counts to an array that nobody else holds."""
    count = 1
    while _free([np.empty(0)], count) is None:
        count += 1
    return count


_OWN_REFERENCES = _own_references()


class Buffers:
    """Hands out arrays of one shape; one that the caller has let go of is handed out again.

    A view of an array, or a tensor that shares its memory, holds it like the array itself.
    Large arrays are costly to ask the system for: a step of 16,384 games is 90 MB of features.
    """

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self._shape = shape
        self._dtype = dtype
        self._arrays: list[np.ndarray[Any, Any]] = []

    def take(self) -> np.ndarray[Any, Any]:
        """Return an array that nobody holds; what is in it is left over from before."""
        array = _free(self._arrays, _OWN_REFERENCES)
        if array is None:
            array = np.empty(self._shape, self._dtype)
            self._arrays = [*self._arrays, array][-MAX_BUFFERS:]
        return array
