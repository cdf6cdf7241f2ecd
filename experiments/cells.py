"""Means of many situations, sorted into cells, with the deal as the unit of each interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from uno_sim.statistics import Array, mean_by_deal, normal_quantile, share_by_deal

CONFIDENCE = 0.95
FEWEST = 30
"""Of fewer cases nothing is said."""


def by_deal(frame: pd.DataFrame, values: Array) -> tuple[Array, Array]:
    """Return the sum of values, one a row, in each deal, and how many rows it has."""
    _, places = np.unique(frame["deal"].to_numpy(), return_inverse=True)
    return np.bincount(places, weights=np.asarray(values, float)), np.bincount(places).astype(float)


def mean(frame: pd.DataFrame, values: Array) -> tuple[float, ...]:
    """Return the mean of values, one a row of a frame with the column `deal`, and its interval."""
    if not len(frame):
        return math.nan, math.nan, math.nan
    return mean_by_deal(*by_deal(frame, values), CONFIDENCE)


def ratio(frame: pd.DataFrame, above: Array, below: Array) -> tuple[float, ...]:
    """Return the ratio of the means of two values, one of each a row, and its interval.

    NaN where the mean below is not positive.
    """
    if not below.sum() > 0:
        return math.nan, math.nan, math.nan
    return mean_by_deal(by_deal(frame, above)[0], by_deal(frame, below)[0], CONFIDENCE)


def mean_cells(frame: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Return the mean of a column in each cell: `by`, `n` rows, the mean, `low`, `high`."""
    rows = [
        (*key, len(cell), *mean(cell, cell[value].to_numpy()))
        for key, cell in frame.groupby(list(by), sort=True)
    ]
    return pd.DataFrame(rows, columns=[*by, "n", value, "low", "high"])


def share_cells(frame: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Return the share of a column that is true in each cell; columns as of `mean_cells`."""
    rows = [
        (*key, len(cell), *share_by_deal(*by_deal(cell, cell[value].to_numpy()), CONFIDENCE))
        for key, cell in frame.groupby(list(by), sort=True)
    ]
    return pd.DataFrame(rows, columns=[*by, "n", value, "low", "high"])


def share_of(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[float, ...]:
    """Return a / (a + b) of two means a and b, and its interval by the delta method.

    Each is given as its terms, one an independent unit, and their weights: sum(terms) over
    sum(weights). The units of the two are the same, in the same order.
    """
    means, influences = [], []
    for terms, weights in (first, second):
        total = weights.sum()
        if not total:
            return math.nan, math.nan, math.nan
        means.append(terms.sum() / total)
        influences.append((terms - means[-1] * weights) / total)
    a, b = means
    whole = a + b
    influence = (b * influences[0] - a * influences[1]) / whole**2
    half = normal_quantile(CONFIDENCE) * math.sqrt(float(np.square(influence).sum()))
    return a / whole, a / whole - half, a / whole + half
