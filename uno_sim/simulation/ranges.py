"""How often values lie in a range, by deal, for the ranges that charts are made of.

Which bins suit a chart is known only when all values are. So hits are counted in the bins of every
width of `WIDTHS` at once, and in those that grow, and in what lies beyond any of them.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from uno_sim.compilation import compiled
from uno_sim.statistics import Array

MOST_BINS = 32
"""How many bins of one width there are."""

WIDTHS = (1, 2, 5, *(int(digit * 10**power) for power in range(1, 10) for digit in (1, 2, 2.5, 5)))
"""The widths of even bins, round numbers."""

GROWING = np.unique(np.rint(2 ** (np.arange(65) / 2)).astype(np.int64))
"""Where bins begin that grow in proportion: by the square root of two, from 1 to 2**32."""

DEALS, HITS, SQUARES, PRODUCTS = range(4)
"""What is summed of a range: how many deals have a hit; the hits of each deal, their squares, and
their products with the trials of the deal. Trials are the values from the first bin's start on."""


@cache
def edges_from(start: int) -> tuple[Array, ...]:
    """Return where the bins of each kind begin, and one past the end of the last."""
    even = (start + width * np.arange(MOST_BINS + 1) for width in WIDTHS)
    return (*even, GROWING) if start == GROWING[0] else tuple(even)


@cache
def range_places(start: int) -> dict[tuple[int, int | None], int]:
    """Return the place of each range in the sums: by its first and last value, None for no end."""
    places: dict[tuple[int, int | None], int] = {}
    first = 0
    for edges in edges_from(start):
        bins = len(edges) - 1
        for place, (lower, upper) in enumerate(pairwise(edges)):
            places[int(lower), int(upper) - 1] = first + place
        for place, lower in enumerate(edges):
            places[int(lower), None] = first + bins + place
        first += 2 * bins + 1
    return places


def range_sums(deals: Array, values: Array, start: int) -> Array:
    """Return the sums of all ranges from `start` on, int64 `[ranges, 4]`.

    `deals` `[N]` of the values `[N]` are in ascending order.
    """
    parts = []
    whole = np.zeros((3, 4), np.int64)
    add_places(deals, np.where(values < start, -1, 0), 1, whole)
    largest = int(values.max(initial=start))
    for edges in edges_from(start):
        bins = len(edges) - 1
        sums = np.zeros((2 * bins + 1, 4), np.int64)
        if largest < edges[1]:
            sums[0] = sums[bins] = whole[0]
        else:
            places = np.searchsorted(edges, values, side="right") - 1
            add_places(deals, places, bins, sums)
        parts.append(sums)
    return np.concatenate(parts)


@compiled
def add_places(deals: Any, places: Any, bins: Any, sums: Any) -> None:
    """Add up the values of each deal by their bins; -1 is none, `bins` is beyond them all.

    The first `bins` rows of `sums` are of bins, the others of all from a bin on.
    """
    counts = np.zeros(bins + 1, np.int64)
    end = 0
    while end < len(deals):
        deal = deals[end]
        trials, highest = 0, -1
        while end < len(deals) and deals[end] == deal:
            if places[end] >= 0:
                counts[places[end]] += 1
                trials += 1
                highest = max(highest, places[end])
            end += 1
        from_here = 0
        for place in range(highest, -1, -1):
            hits = counts[place]
            from_here += hits
            if place < bins and hits > 0:
                _add_hits(hits, trials, sums[place])
            _add_hits(from_here, trials, sums[bins + place])
            counts[place] = 0


@compiled
def _add_hits(hits: Any, trials: Any, sums: Any) -> None:
    sums[DEALS] += 1
    sums[HITS] += hits
    sums[SQUARES] += hits * hits
    sums[PRODUCTS] += hits * trials
