"""What came of each deal at a table of a tournament: all that its tables of results need.

Shapes: `[D]` deals, `[P]` players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from uno_sim.simulation.row_values import RowValues
from uno_sim.statistics import Array


class DealTotals(NamedTuple):
    """Whole numbers a deal, each array of the smallest type that holds them."""

    outcomes: Array
    """How many rows each agent won, and last how many nobody won, `[D, P + 1]`."""
    scored: Array
    """What each agent scored in them: points of rounds, or final scores of games, `[D, P]`."""


def totals_of_deals(values: RowValues, scored: str) -> DealTotals:
    """Return the totals of rows, which hold all rows of their deals, in ascending order.

    `scored` is the number that is added up, `points` or `score`.
    """
    begins = np.flatnonzero(np.diff(values.deals, prepend=-1))
    names = "wins", "rows", scored
    won, rows, points = (
        np.add.reduceat(values[name], begins, axis=0, dtype=np.int64) for name in names
    )
    nobody = rows - won.sum(axis=1, keepdims=True)
    return DealTotals(_small(np.hstack([won, nobody])), _small(points))


def as_arrays(totals: DealTotals) -> dict[str, Any]:
    """Return totals as arrays by name, for a unit's file."""
    return {f"deals.{name}": array for name, array in totals._asdict().items()}


def from_arrays(arrays: Mapping[str, Any]) -> DealTotals:
    """Return the totals of a unit from its arrays."""
    return DealTotals(*(arrays[f"deals.{name}"] for name in DealTotals._fields))


def joined(parts: Sequence[DealTotals]) -> DealTotals:
    """Return the totals of all deals from those of some deals each, in their order."""
    return DealTotals(*map(np.concatenate, zip(*parts, strict=True)))


def _small(array: Array) -> Array:
    return array.astype(np.min_scalar_type(int(array.max(initial=0))))
