"""Intervals for the numbers that simulations estimate.

Rows that come in deals are not independent: paired rows play the same deal from every seat, and the
rounds of one game share their players' totals. For them the deal is the unit: each estimate is a
ratio of sums over deals, `sum(hits) / sum(trials)`, and its variance is that of a ratio of cluster
totals (linearized). Two agents are compared by the difference of their totals in each deal, so what
a deal gives to both cancels out. Shapes: `[N]` rows, `[D]` deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_NO_VARIANCE = 1e-12
"""A variance between deals that is smaller, as a share of independent rows', is only rounding."""


class Difference(NamedTuple):
    """A difference with the ends of its interval, and the p-value of there being none."""

    value: float
    low: float
    high: float
    p_value: float


class Ratio(NamedTuple):
    """`sum(sums) / sum(trials)` over independent deals, with all that its interval depends on."""

    value: float
    """NaN for no trials."""
    trials: float
    """Those of all deals together."""
    deals: int
    """How many deals have a trial."""
    variance: float
    """That of the value, between deals."""


class Moments(NamedTuple):
    """What is left of the totals of each deal, where they are not kept: whole numbers."""

    deals: int
    """How many deals have a trial."""
    sums: int
    trials: int
    squares: int
    """Of the sums: each deal's squared, and added up."""
    products: int
    """Each deal's sum times its trials, added up."""
    trial_squares: int


def normal_quantile(confidence: float) -> float:
    """Return how many standard errors a two-sided interval of this confidence spans each way.

    >>> round(normal_quantile(0.95), 4)
    1.96

    Raises `ValueError` where `confidence` is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence}: must be between 0 and 1")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson_interval(wins: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a share (Wilson, JASA 22, 1927).

    >>> low, high = wilson_interval(19, 20)
    >>> round(low, 4), round(high, 4)
    (0.7639, 0.9911)

    Returns `(nan, nan)` for no trials. Raises `ValueError` where `wins` is not in 0 to `trials`.
    """
    if not 0 <= wins <= trials:
        raise ValueError(f"wins={wins}: must be from 0 to trials={trials}")
    z = normal_quantile(confidence)
    if trials == 0:
        return math.nan, math.nan
    share = wins / trials
    center = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    half = z * spread / (1 + z * z / trials)
    # At the ends rounding must not put the observed share outside.
    return max(0.0, min(share, center - half)), min(1.0, max(share, center + half))


def mean_interval(values: Sequence[float] | Any, confidence: float = 0.95) -> tuple[float, float]:
    """Return the normal interval of the mean of independent values.

    >>> mean_interval([1.0, 1.0, 1.0])
    (1.0, 1.0)

    Returns `(nan, nan)` for fewer than two values.
    """
    array = np.asarray(values, float)
    z = normal_quantile(confidence)
    if len(array) < 2:
        return math.nan, math.nan
    mean = float(array.mean())
    half = z * float(array.std(ddof=1)) / math.sqrt(len(array))
    return mean - half, mean + half


def totals_by_deal(deals: Array, values: Array) -> Array:
    """Return the sum of `values` `[N]` in each deal, float64 `[D]`; `deals` are numbers from 0."""
    return np.bincount(deals, weights=np.asarray(values, float))


def ratio_by_deal(sums: Array, trials: Array) -> Ratio:
    """Return the ratio of totals of each deal, both `[D]`."""
    deals, total = int(np.count_nonzero(trials)), float(trials.sum())
    if not deals:
        return Ratio(math.nan, 0.0, 0, math.nan)
    value = float(sums.sum()) / total
    residuals = sums - value * trials
    return Ratio(value, total, deals, float(np.square(residuals).sum()) / total**2)


def ratio_of_moments(moments: Moments) -> Ratio:
    """Return the ratio of totals of which only the moments are kept; nothing is rounded before.

    >>> ratio_of_moments(Moments(deals=2, sums=3, trials=4, squares=5, products=6, trial_squares=8))
    Ratio(value=0.75, trials=4.0, deals=2, variance=0.03125)
    >>> ratio_by_deal(np.array([2, 1]), np.array([2, 2]))
    Ratio(value=0.75, trials=4.0, deals=2, variance=0.03125)
    """
    deals, sums, trials, squares, products, trial_squares = moments
    if not deals:
        return Ratio(math.nan, 0.0, 0, math.nan)
    # The squares of sums - value * trials, times trials squared; whole, so that nothing cancels.
    residuals = trials**2 * squares - 2 * trials * sums * products + sums**2 * trial_squares
    return Ratio(sums / trials, float(trials), deals, residuals / trials**4)


def mean_of_ratio(ratio: Ratio, confidence: float = 0.95) -> tuple[float, ...]:
    """Return a mean and the ends of its normal interval.

    NaN for no trials; the ends are NaN where fewer than two deals have one.
    """
    if ratio.deals < 2:
        return ratio.value, math.nan, math.nan
    # One degree of freedom went into the mean.
    deviation = math.sqrt(ratio.variance * ratio.deals / (ratio.deals - 1))
    half = normal_quantile(confidence) * deviation
    return ratio.value, ratio.value - half, ratio.value + half


def mean_by_deal(sums: Array, trials: Array, confidence: float = 0.95) -> tuple[float, ...]:
    """Return `mean_of_ratio` of the totals of each deal `[D]`."""
    return mean_of_ratio(ratio_by_deal(sums, trials), confidence)


def share_of_ratio(
    ratio: Ratio, confidence: float = 0.95, capped: bool = True
) -> tuple[float, ...]:
    """Return a share and the ends of its interval.

    It is Wilson's interval at the effective number of trials, which is p(1-p) over the variance
    between deals. `capped`, there are never more than trials: where pairing makes rows of a deal
    opposed, the interval stays that of independent rows, which is then too wide rather than too
    narrow. Where there is no variance to go by (one deal, or all or no hits) there are as many as
    deals. Not `capped`, the ends are at least as far as if all deals had been alike and others gone
    unmet by chance: Clopper and Pearson's interval where all or none are hits. NaN for no trials.
    """
    share, deals = ratio.value, ratio.deals
    if not deals:
        return math.nan, math.nan, math.nan
    effective = _effective_trials(ratio, capped)
    z = normal_quantile(confidence)
    if capped:
        return share, *_score_interval(share, deals if effective is None else effective, z)
    unmet = 1 - ((1 - confidence) / 2) ** (1 / deals)
    low, high = share * (1 - unmet), share + unmet * (1 - share)
    if effective is not None:
        wilson_low, wilson_high = _score_interval(share, effective, z)
        low, high = min(low, wilson_low), max(high, wilson_high)
    return share, low, high


def share_by_deal(
    hits: Array, trials: Array, confidence: float = 0.95, capped: bool = True
) -> tuple[float, ...]:
    """Return `share_of_ratio` of the hits and trials of each deal `[D]`."""
    return share_of_ratio(ratio_by_deal(hits, trials), confidence, capped)


def difference_by_deal(
    first: Array,
    second: Array,
    trials: Array,
    confidence: float = 0.95,
    limit: float | None = None,
) -> Difference:
    """Return by how much one mean is above another, from the totals of both in each deal `[D]`.

    `trials` are the rows of each deal. The interval and the two-sided p-value are normal, of the
    deals' differences. Where a row's difference is at most `limit`, as 1 is for wins, they are
    those of the share `(1 + difference / limit) / 2` instead (`share_by_deal`, not capped), and
    hold near the limit too.

    >>> found = difference_by_deal(np.array([2, 2, 0, 2]), np.array([0, 0, 2, 0]), np.full(4, 2))
    >>> [round(float(number), 3) for number in found]
    [0.5, -0.48, 1.48, 0.317]

    NaN for no trials. Without a limit one deal has no interval: NaN. Where all deals differ by the
    same, the p-value is that of as many fair coins that all fall alike; with a limit it is never
    smaller, and larger for differences below the limit.
    """
    differences = np.asarray(first, float) - np.asarray(second, float)
    if limit is None:
        return difference_of_mean(ratio_by_deal(differences, trials), confidence)
    share = ratio_by_deal((trials + differences / limit) / 2, trials)
    return difference_of_share(share, confidence, limit)


def difference_of_share(share: Ratio, confidence: float = 0.95, limit: float = 1) -> Difference:
    """Return the difference whose share, `(1 + difference / limit) / 2`, is that of some deals.

    Interval and p-value are those of `difference_by_deal` with a limit. NaN for no trials.
    """
    if not share.deals:
        return Difference(math.nan, math.nan, math.nan, math.nan)
    value, *ends = share_of_ratio(share, confidence, capped=False)
    effective = _effective_trials(share, capped=False)
    excess = abs(2 * value - 1)
    p_value = min(1.0, 2 * math.exp(-share.deals * math.log1p(excess)))
    if effective is not None:
        p_value = max(p_value, _p_value(excess * math.sqrt(effective)))
    difference, low, high = (limit * (2 * end - 1) for end in (value, *ends))
    return Difference(difference, low, high, p_value)


def difference_of_mean(mean: Ratio, confidence: float = 0.95) -> Difference:
    """Return the difference that is the mean of the deals' differences, which have no limit.

    Interval and p-value are those of `difference_by_deal` without a limit. NaN for no trials.
    """
    if not mean.deals:
        return Difference(math.nan, math.nan, math.nan, math.nan)
    value, low, high = mean_of_ratio(mean, confidence)
    deviation = (high - low) / (2 * normal_quantile(confidence))
    if deviation == 0:
        return Difference(value, low, high, 2.0 ** (1 - mean.deals) if value else 1.0)
    return Difference(value, low, high, _p_value(value / deviation))


def holm(p_values: Sequence[float] | Any) -> Array:
    """Return p-values corrected for their number (Holm, Scand. J. Statist. 6, 1979).

    They stay in their order. If those up to a level are called resolved, the probability that any
    of these is a false alarm is at most that level, however the comparisons depend on each other.

    >>> [round(float(p), 4) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]

    NaN stays NaN, and counts as a comparison.
    """
    values = np.asarray(p_values, float)
    ordered = np.argsort(values, kind="stable")  # NaN comes last
    factors = np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[ordered] = np.minimum(np.maximum.accumulate(values[ordered] * factors), 1)
    return corrected


def _effective_trials(ratio: Ratio, capped: bool) -> float | None:
    """Return how many independent trials would vary as much as the deals of a share do.

    That is None where there is no variance to go by.
    """
    share, total, deals, variance = ratio
    spread = share * (1 - share)
    if spread == 0 or deals < 2:
        return None
    if capped and variance * total <= spread:
        return total
    if variance * total <= _NO_VARIANCE * spread:
        return None
    return spread / variance


def _score_interval(share: float, trials: float, z: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of a number of trials that need not be whole."""
    scale = 1 + z * z / trials
    center = (share + z * z / (2 * trials)) / scale
    half = z * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2) / scale
    # At the ends rounding must not put the observed share outside.
    return max(0.0, min(share, center - half)), min(1.0, max(share, center + half))


def _p_value(z: float) -> float:
    """Return how likely a standard normal number is as far from 0 as `z`, to either side."""
    return math.erfc(abs(z) / math.sqrt(2))
