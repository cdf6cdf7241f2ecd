"""Who sits where: every deal is played once in each rotation, so that seats favor nobody."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

PAIRINGS = (True, False, "permutations")


def seat_tables(num_players: int, paired: bool | str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the agent at each seat for each rotation, int64 array `[R, P]`.

    By rotations agent i sits in seat (i + rotation) mod P; `"permutations"` gives every order.
    Raises `ValueError` where `paired` is not one of `PAIRINGS`.
    """
    if paired not in PAIRINGS:
        raise ValueError(f"paired={paired!r}: must be True, False or 'permutations'")
    if paired == "permutations":
        return np.array(list(itertools.permutations(range(num_players))), np.int64)
    seats = np.arange(num_players)
    return np.array([(seats - rotation) % num_players for rotation in seats], np.int64)


def row_plan(start: int, end: int, rotations: int, paired: bool) -> tuple[Any, Any]:
    """Return the deal and the rotation of the rows from `start` to `end`, two int64 arrays.

    Paired, each deal is played in all rotations, one row after another; unpaired, each row has a
    deal of its own, and the rotations take turns.
    """
    number = np.arange(start, end, dtype=np.int64)
    if paired:
        return number // rotations, number % rotations
    return number, number % rotations
