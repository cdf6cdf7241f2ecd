"""What is kept of a unit whose rows are not: sums of a fixed size, all of them whole numbers.

Of every number the total of each deal is taken, and of these totals the sums, and the sums of all
their products with each other: all that a ratio of any two needs, its interval too
(`statistics.Moments`). Since whole numbers are added exactly, it does not matter in what order.

Shapes: `[C]` numbers, `[K]` players, groups or whatever has one of a series each, `[V]` values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from uno_sim.compilation import compiled
from uno_sim.simulation.ranges import DEALS as RANGE_DEALS
from uno_sim.simulation.ranges import HITS, PRODUCTS, SQUARES, range_places, range_sums
from uno_sim.simulation.row_values import Number, RowValues
from uno_sim.simulation.tallies import BY_SEAT
from uno_sim.statistics import Array, Moments, Ratio, ratio_of_moments

Arrays = dict[str, Any]
"""The sums of one unit by name, as they are written to a file."""


@dataclass(frozen=True)
class Series:
    """A number whose values are counted; with `start`, in ranges by deal too."""

    name: str
    start: int | None = None
    """The first value that is a trial."""


@dataclass(frozen=True)
class Kind:
    """What is kept of rounds, or of games; names are those of `RowValues`."""

    totals: tuple[str, ...]
    series: tuple[Series, ...]


ROUNDS = Kind(
    totals=(
        *("rows", "wins", "places", "points", "scored"),
        *("group_plays", "group_points", "group_scored"),
        *(column.name for column in BY_SEAT),
        *("turns", "decisions", "blocked", "capped", "volleys", "dips", "recyclings"),
    ),
    series=(
        Series("points"),
        Series("group_points", start=1),
        Series("turns", start=1),
        Series("decisions"),
    ),
)

GAMES = Kind(
    totals=(
        *("rows", "wins", "places", "score", "group_plays", "group_score"),
        *("outcome_rows", "outcome_score", "rounds", "decisions"),
    ),
    series=(
        Series("score"),
        Series("group_score", start=0),
        Series("outcome_score", start=0),
        Series("rounds"),
    ),
)


class Histogram(NamedTuple):
    """How often each value was met: values ascending, `[V]`."""

    values: Array
    counts: Array

    @property
    def size(self) -> int:
        """How many were counted."""
        return int(self.counts.sum())

    def quantile(self, share: float) -> float:
        """Return the value below which a share of all lies, between two in proportion."""
        place = (self.size - 1) * share
        below = int(place)
        lower, upper = self._at(below), self._at(min(below + 1, self.size - 1))
        return lower + (upper - lower) * (place - below)

    def between(self, lower: int, upper: int) -> int:
        """Return how many values there were from `lower` to `upper`."""
        return int(self.counts[(self.values >= lower) & (self.values <= upper)].sum())

    def above(self, least: int) -> Histogram:
        """Return what is counted of the values from `least` on."""
        kept = self.values >= least
        return Histogram(self.values[kept], self.counts[kept])

    def _at(self, place: int) -> int:
        return int(self.values[np.searchsorted(np.cumsum(self.counts), place, side="right")])


def unit_sums(
    rounds: Mapping[str, Any],
    games: Mapping[str, Any],
    seats: Array,
    groups: Sequence[Sequence[int]],
) -> tuple[Arrays, Arrays]:
    """Return the sums of rounds and of their games, given as columns: all rows of some deals."""
    round_sums = sums_of(RowValues(rounds, seats, groups), ROUNDS)
    if not games:
        return round_sums, {}
    first = np.asarray(rounds["first"])[np.asarray(rounds["round"]) == 1]
    return round_sums, sums_of(RowValues(games, seats, groups, first), GAMES)


def sums_of(values: RowValues, kind: Kind) -> Arrays:
    """Return the sums of some rows, which hold all rows of their deals, in ascending order.

    Raises `ValueError` where a deal's total is too large, as with cards of a million points.
    """
    numbers = np.concatenate([values[name] for name in kind.totals], axis=1, dtype=np.int64)
    begins = np.flatnonzero(np.diff(values.deals, prepend=-1))
    totals = np.add.reduceat(numbers, begins, axis=0)
    sums: Arrays = {
        "widths": np.array([values[name].shape[1] for name in kind.totals]),
        "sums": totals.sum(axis=0),
        "deals": np.count_nonzero(totals, axis=0),
        "products": _products(totals),
    }
    for series in kind.series:
        parts = values.series(series.name)
        met = np.unique(np.concatenate([part for _, part in parts]))
        counts = np.zeros((len(parts), len(met)), np.int64)
        for place, (_, part) in enumerate(parts):
            counts[place] = np.bincount(np.searchsorted(met, part), minlength=len(met))
        sums |= {f"{series.name}.values": met, f"{series.name}.counts": counts}
        if series.start is not None:
            of_ranges = np.stack([range_sums(*part, series.start) for part in parts])
            filled = np.flatnonzero(of_ranges.any(axis=(0, 2)))
            sums[f"{series.name}.ranges"] = filled
            sums[f"{series.name}.range_sums"] = of_ranges[:, filled]
    return sums


def _products(totals: Array) -> Array:
    """Return the sums of all products of two totals `[D, C]`, int64 `[C, C]`.

    Raises `ValueError` where they do not fit.
    """
    largest = int(totals.max(initial=0))
    if len(totals) * largest**2 >= 2**63:
        raise ValueError(
            f"keep='aggregates': a deal's total of {largest:,} is too large for sums of squares; "
            "keep='rows' has no such limit"
        )
    products = np.zeros((totals.shape[1],) * 2, np.int64)
    add_products(totals, products)
    return products


@compiled
def add_products(totals: Any, products: Any) -> None:
    """Add the products of every two totals `[D, C]` of a deal, int64 `[C, C]`.

    Many totals are 0, and are skipped.
    """
    for deal in range(len(totals)):
        own = totals[deal]
        for one in range(len(own)):
            if own[one] != 0:
                for other in range(len(own)):
                    products[one, other] += own[one] * own[other]


class Sums:
    """The sums of any number of units, added up."""

    def __init__(self, kind: Kind, parts: Iterable[Arrays] = ()) -> None:
        self._kind = kind
        self._starts = {one.name: one.start for one in kind.series if one.start is not None}
        self._first: dict[str, int] = {}
        self._widths: dict[str, int] = {}
        self._sums: Any = 0
        self._deals: Any = 0
        self._products: Any = 0
        self._histograms: dict[str, tuple[Array, Array]] = {}
        self._ranges: dict[str, Array] = {}
        for part in parts:
            self.add(part)

    def add(self, part: Arrays) -> None:
        """Add the sums of a unit."""
        widths = part["widths"].tolist()
        begins = np.cumsum([0, *widths[:-1]]).tolist()
        self._first = dict(zip(self._kind.totals, begins, strict=True))
        self._widths = dict(zip(self._kind.totals, widths, strict=True))
        # Python's integers have no largest one.
        self._sums = self._sums + part["sums"].astype(object)
        self._deals = self._deals + part["deals"].astype(object)
        self._products = self._products + part["products"].astype(object)
        for series in self._kind.series:
            self._add_series(series, part)

    def _add_series(self, series: Series, part: Arrays) -> None:
        name = series.name
        values, counts = part[f"{name}.values"], part[f"{name}.counts"]
        if name in self._histograms:
            before = self._histograms[name]
            met = np.union1d(before[0], values)
            both = np.zeros((len(counts), len(met)), np.int64)
            both[:, np.searchsorted(met, before[0])] = before[1]
            both[:, np.searchsorted(met, values)] += counts
            values, counts = met, both
        self._histograms[name] = values, counts
        if series.start is not None:
            if name not in self._ranges:
                size = 1 + max(range_places(series.start).values())
                self._ranges[name] = np.zeros((len(counts), size, 4), np.int64)
            self._ranges[name][:, part[f"{name}.ranges"]] += part[f"{name}.range_sums"]

    def __eq__(self, other: object) -> bool:
        """Return whether two sums hold the same, to the last digit."""
        return isinstance(other, Sums) and _same(vars(self), vars(other))

    def total(self, number: Number) -> int:
        """Return a number, added up over all rows."""
        return int(self._sums[self._place(number)])

    def deals(self, number: Number) -> int:
        """Return in how many deals a number is not 0."""
        return int(self._deals[self._place(number)])

    def ratio(self, numbers: Number, occasions: Number) -> Ratio:
        """Return the ratio of two numbers with the deal as the unit."""
        return self.weighted_ratio({numbers: 1}, occasions)

    def weighted_ratio(self, weights: Mapping[Number, int], occasions: Number) -> Ratio:
        """Return the ratio of a weighted sum of numbers to another number."""
        weighted = [(self._place(number), weight) for number, weight in weights.items()]
        other = self._place(occasions)
        return ratio_of_moments(
            Moments(
                deals=self._deals[other],
                sums=sum(weight * self._sums[one] for one, weight in weighted),
                trials=self._sums[other],
                squares=sum(
                    weight * weight_two * self._products[one, two]
                    for one, weight in weighted
                    for two, weight_two in weighted
                ),
                products=sum(weight * self._products[one, other] for one, weight in weighted),
                trial_squares=self._products[other, other],
            )
        )

    def histogram(self, number: Number) -> Histogram:
        """Return how often each value of a series was met; `KeyError` where there is no such."""
        name, place = number
        values, counts = self._histograms[name]
        met = counts[place] > 0
        return Histogram(values[met], counts[place][met])

    def num_in(self, name: str) -> int:
        """Return how many have a series of a name."""
        return len(self._histograms[name][1])

    def share_in(self, number: Number, lower: int, upper: int | None) -> Ratio:
        """Return the share of the values of a series from `lower` to `upper`, None for no end.

        It is of the values from the start of the series on, with the deal as the unit. Raises
        `KeyError` where the range is none of those of `ranges.edges_from`.
        """
        name, place = number
        start = self._starts[name]
        places = range_places(start)
        hits, trials = (
            [int(number) for number in self._ranges[name][place, places[values]]]
            for values in ((lower, upper), (start, None))
        )
        return ratio_of_moments(
            Moments(
                deals=trials[RANGE_DEALS],
                sums=hits[HITS],
                trials=trials[HITS],
                squares=hits[SQUARES],
                products=hits[PRODUCTS],
                trial_squares=trials[SQUARES],
            )
        )

    def _place(self, number: Number) -> int:
        name, place = number
        if name not in self._first:
            raise ValueError(f"{name!r}: not summed; summed are {', '.join(self._first)}")
        if not 0 <= place < self._widths[name]:
            last = self._widths[name] - 1
            raise ValueError(f"{name!r}: there is no place {place!r}; must be from 0 to {last}")
        return self._first[name] + place


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(np.array_equal(one, other)) if isinstance(one, np.ndarray) else bool(one == other)


def add_up(parts: Iterable[tuple[Arrays, Arrays]]) -> tuple[Sums, Sums | None]:
    """Return the sums of all parts, of rounds and of games; None where no games were played."""
    rounds, games, any_games = Sums(ROUNDS), Sums(GAMES), False
    for of_rounds, of_games in parts:
        rounds.add(of_rounds)
        if of_games:
            games.add(of_games)
            any_games = True
    return rounds, games if any_games else None
