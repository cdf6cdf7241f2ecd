"""Means of rollouts with their uncertainty, plain or weighted by how likely the worlds are.

Weights `w` make the mean a ratio, `sum(w x) / sum(w)`; its variance is that of a ratio,
`sum(w^2 (x - mean)^2) / sum(w)^2`. Shapes: `[W]` worlds, `[A]` actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FEWEST_EFFECTIVE = 30
"""With fewer effective worlds no error is told: too narrow an interval would come out."""


def weights_of(log_weights: Any) -> Any:
    """Return weights `[W]` of logarithms of any size; the sum is 1.

    Raises `ValueError` where one is not a number, or no world is possible.
    """
    logs = np.asarray(log_weights, float)
    if np.isnan(logs).any() or np.isposinf(logs).any():
        raise ValueError("belief: a log weight must be a number below infinity, or -inf")
    if np.isneginf(logs).all():
        raise ValueError("belief: it holds none of the worlds possible")
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def effective_number(weights: Any) -> float:
    """Return how many equally weighted worlds tell as much, `sum(w)^2 / sum(w^2)`."""
    return float(weights.sum() ** 2 / np.square(weights).sum())


def tell_enough(weights: Any) -> bool:
    """Return whether the weights leave enough worlds to tell an error; equal ones always do."""
    # A little fewer: weights are tempered to just so many, up to rounding.
    return effective_number(weights) >= 0.999 * min(FEWEST_EFFECTIVE, len(weights))


def means_and_errors(values: Any, weights: Any) -> tuple[Any, Any]:
    """Return the means `[A]` of values `[W, A]` and their standard errors.

    The errors are NaN where the weights leave too few worlds (`tell_enough`).
    """
    worlds = len(values)
    total = weights.sum()
    means = weights @ values / total
    if not tell_enough(weights):
        return means, np.full_like(means, np.nan)
    squares = np.square(weights) @ np.square(values - means)
    return means, np.sqrt(squares * worlds / (worlds - 1)) / total
