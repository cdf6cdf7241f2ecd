"""How many deals a comparison of two agents takes for an interval of a wanted width."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from uno_sim import Results
from uno_sim.statistics import Array, normal_quantile

CONFIDENCE = 0.95
FEWEST_DEALS = 100
"""How many deals are played at least: with fewer the intervals do not hold."""


@dataclass(frozen=True)
class Plan:
    """What the pilot found, and how many deals follow from it."""

    pilot_seed: int
    pilot_deals: int
    variance: float
    """Of the difference of a deal."""
    variance_limit: float
    """How large it may turn out in the run itself, with a probability of about 5% to be larger."""
    row_variance: float
    """Of the difference of a row, where each has a deal of its own."""
    gain: float | None
    """How many unpaired rows tell as much as a paired one; None where no deal differed."""
    deals: int


def differences(results: Results) -> Array:
    """Return 1 where the first agent won a row and the others' share of -1 where not, `[D, R]`."""
    frame = results.games if results.unit == "games" else results.rounds
    frame = frame.sort_values(["deal", "rotation"], kind="stable")
    winners = frame["winner_index"].to_numpy().reshape(-1, len(results.seats))
    return (winners == 0) - (winners > 0) / (results.num_players - 1)


def make_plan(results: Results, precision: float) -> Plan:
    """Return how many deals a precision takes, from the rows of a pilot."""
    rows = differences(results)
    count, rotations = rows.shape
    of_deals = rows.mean(axis=1)
    variance = float(of_deals.var(ddof=1))
    fourth = float(np.mean((of_deals - of_deals.mean()) ** 4))
    spread = max(fourth - variance**2, 0.0)
    scale = (normal_quantile(CONFIDENCE) / precision) ** 2
    # Where hardly a deal differs, up to 3 in the count may do so that were not met (95%).
    deals = scale * max(variance, 3 / count)
    for _ in range(50):
        error = math.sqrt(spread * (1 / count + 1 / deals))
        deals = scale * max(variance + normal_quantile(0.9) * error, 3 / count)
    if_all_alike = math.log((1 - CONFIDENCE) / 2) / math.log1p(-precision)
    row_variance = float(rows.var(axis=0, ddof=1).mean())
    return Plan(
        pilot_seed=results.seed,
        pilot_deals=count,
        variance=variance,
        variance_limit=deals / scale,
        row_variance=row_variance,
        gain=row_variance / rotations / variance if variance > 1e-12 else None,
        deals=math.ceil(max(deals, if_all_alike, FEWEST_DEALS)),
    )
