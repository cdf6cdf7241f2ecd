"""Intervals for the numbers that simulations estimate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np


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
