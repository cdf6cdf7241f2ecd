"""Intervals for the numbers that simulations estimate.

Rows that come in deals are not independent: paired rows play the same deal from every seat, and the
rounds of one game share their players' totals. For them the deal is the unit: each estimate is a
ratio of sums over deals, `sum(hits) / sum(trials)`, and its variance is that of a ratio of cluster
totals (linearized). Shapes: `[N]` rows, `[D]` deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


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


def ratio_variance(sums: Array, trials: Array) -> float:
    """Return the variance of `sum(sums) / sum(trials)` over independent deals `[D]`."""
    ratio = sums.sum() / trials.sum()
    residuals = sums - ratio * trials
    return float(np.square(residuals).sum()) / float(trials.sum()) ** 2


def mean_by_deal(sums: Array, trials: Array, confidence: float = 0.95) -> tuple[float, ...]:
    """Return a mean and the ends of its normal interval, from the totals of each deal `[D]`.

    NaN for no trials; the ends are NaN where fewer than two deals have one.
    """
    deals = int(np.count_nonzero(trials))
    if not deals:
        return math.nan, math.nan, math.nan
    mean = float(sums.sum() / trials.sum())
    if deals < 2:
        return mean, math.nan, math.nan
    # One degree of freedom went into the mean.
    deviation = math.sqrt(ratio_variance(sums, trials) * deals / (deals - 1))
    half = normal_quantile(confidence) * deviation
    return mean, mean - half, mean + half


def share_by_deal(hits: Array, trials: Array, confidence: float = 0.95) -> tuple[float, ...]:
    """Return a share and the ends of its interval, from the hits and trials of each deal `[D]`.

    It is Wilson's interval at the effective number of trials, which is p(1-p) over the variance
    between deals. There are never more than trials: where pairing makes rows of a deal opposed,
    the interval stays that of independent rows, which is then too wide rather than too narrow.
    Where there is no variance to go by (one deal, or all or no hits) there are as many as deals.
    NaN for no trials.
    """
    deals, total = int(np.count_nonzero(trials)), float(trials.sum())
    if not deals:
        return math.nan, math.nan, math.nan
    share = float(hits.sum()) / total
    spread = share * (1 - share)
    variance = ratio_variance(hits, trials)
    if spread == 0 or deals < 2:
        effective = float(deals)
    else:
        effective = total if variance * total <= spread else spread / variance
    z = normal_quantile(confidence)
    scale = 1 + z * z / effective
    center = (share + z * z / (2 * effective)) / scale
    half = z * math.sqrt(spread / effective + (z / (2 * effective)) ** 2) / scale
    # At the ends rounding must not put the observed share outside.
    return share, max(0.0, min(share, center - half)), min(1.0, max(share, center + half))
