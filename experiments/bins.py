"""Bins for distributions of whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from uno_sim.simulation.ranges import GROWING, MOST_BINS, WIDTHS
from uno_sim.statistics import Array


@dataclass(frozen=True)
class Bins:
    """Ranges of whole numbers, one after another; the last may gather what is beyond a chart."""

    edges: Array
    """Where each bin begins, and one past the end of the last; ascending integers."""
    has_beyond: bool

    def ranges(self) -> list[tuple[int, int]]:
        """Return the first and the last number of each bin."""
        return [(int(a), int(b) - 1) for a, b in zip(self.edges, self.edges[1:], strict=False)]

    def is_beyond(self, place: int) -> bool:
        """Return whether a bin only gathers what is beyond the chart."""
        return self.has_beyond and place == len(self.edges) - 2


def even_bins(start: int, top: int, largest: int, most: float, edge: int | None = None) -> Bins:
    """Return bins of one round width from `start` to about `top`; one more holds up to `largest`.

    There are at most `most` and `MOST_BINS` to the top. The width is, if there is such a one, one
    by which a bin begins at `edge`.
    """
    span = top - start + 1
    narrowest = next(width for width in WIDTHS if span <= width * min(most, MOST_BINS))
    widths = [width for width in WIDTHS if narrowest <= width <= 5 * narrowest]
    fitting = [width for width in widths if edge is not None and (edge - start) % width == 0]
    width = (fitting or widths)[0]
    edges = start + width * np.arange(math.ceil(span / width) + 1)
    beyond = largest >= edges[-1]
    if beyond:
        edges = np.append(edges, largest + 1)
    return Bins(edges, bool(beyond))


def growing_bins(largest: int) -> Bins:
    """Return bins from 1 to `largest` whose width grows in proportion, for a logarithmic axis.

    Each begins at about the square root of two times where the one before began.
    """
    return Bins(GROWING[: math.ceil(2 * math.log2(largest + 1))], False)
