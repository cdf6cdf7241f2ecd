"""Tables by agent, the same from rows and from sums.

How often each won, what each did, and whether one is better than another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
import pandas as pd

from uno_sim.policies import Agent
from uno_sim.simulation.row_values import ROWS, Number, RowValues
from uno_sim.simulation.seating import unique_names
from uno_sim.statistics import (
    Array,
    Difference,
    Ratio,
    difference_of_mean,
    difference_of_share,
    holm,
    mean_of_ratio,
    ratio_by_deal,
    share_of_ratio,
    totals_by_deal,
)

NOT_RESOLVED = "not resolved"
"""The verdict on two agents that the rows do not separate."""

EACH_ROUND = "each round"
"""An occasion that every round is, for every agent."""

MEANS = (
    ("drawn", "drawn", EACH_ROUND),
    ("dumps", "dumps", EACH_ROUND),
    ("cards_a_dump", "dumped", "dumps"),
)
"""Means of `behavior`: the name, what is added up, and over how many occasions."""

SHARES = (
    ("bluff_rate", "bluffs", "wild_draws"),
    ("challenge_rate", "challenges", "wild_draws_faced"),
    ("challenge_success", "challenges_won", "challenges"),
    ("silence_rate", "uno_missed", "uno_asked"),
    ("caught_rate", "uno_caught", "uno_missed"),
)
"""Shares of `behavior`: the name, what is counted, and out of what."""


class Totals(Protocol):
    """What tables are made of; numbers are those of `RowValues`."""

    def total(self, number: Number) -> int:
        """Return a number, added up over all rows."""

    def ratio(self, numbers: Number, occasions: Number) -> Ratio:
        """Return the ratio of two numbers with the deal as the unit."""

    def weighted_ratio(self, weights: Mapping[Number, int], occasions: Number) -> Ratio:
        """Return the ratio of a weighted sum of numbers to another number."""


class RowTotals:
    """Totals of rows that are all there."""

    def __init__(self, values: RowValues) -> None:
        self._values = values

    def total(self, number: Number) -> int:
        """Return a number, added up over all rows."""
        name, place = number
        return int(self._values[name][:, place].sum())

    def ratio(self, numbers: Number, occasions: Number) -> Ratio:
        """Return the ratio of two numbers with the deal as the unit."""
        return self.weighted_ratio({numbers: 1}, occasions)

    def weighted_ratio(self, weights: Mapping[Number, int], occasions: Number) -> Ratio:
        """Return the ratio of a weighted sum of numbers to another number."""
        sums = sum(weight * self._by_deal(number) for number, weight in weights.items())
        return ratio_by_deal(np.asarray(sums), self._by_deal(occasions))

    def _by_deal(self, number: Number) -> Array:
        name, place = number
        return totals_by_deal(self._values.deals, self._values[name][:, place])


def summary_table(
    agents: Sequence[Agent], totals: Totals, unit: str, confidence: float
) -> pd.DataFrame:
    """Return the table of `Results.summary`; `unit` is `rounds` or `games`."""
    name = "score" if unit == "games" else "points"
    rows = []
    for index, agent in enumerate(agents):
        wins = "wins", index
        share, low, high = share_of_ratio(totals.ratio(wins, ROWS), confidence)
        mean, mean_low, mean_high = mean_of_ratio(totals.ratio((name, index), ROWS), confidence)
        rows.append(
            {
                "agent": agent.name,
                unit: totals.total(ROWS),
                "wins": totals.total(wins),
                "win_rate": share,
                "win_rate_low": low,
                "win_rate_high": high,
                name: mean,
                f"{name}_low": mean_low,
                f"{name}_high": mean_high,
            }
        )
    return pd.DataFrame(rows)


def behavior_table(agents: Sequence[Agent], totals: Totals, confidence: float) -> pd.DataFrame:
    """Return the table of `Results.behavior`, from the totals of rounds."""
    rows = []
    for index, agent in enumerate(agents):
        row = {"agent": agent.name, "rounds": totals.total(ROWS)}
        for measures, estimate in ((MEANS, mean_of_ratio), (SHARES, share_of_ratio)):
            for name, numbers, occasions in measures:
                times = ROWS if occasions == EACH_ROUND else (occasions, index)
                found = estimate(totals.ratio((numbers, index), times), confidence)
                row |= zip((name, f"{name}_low", f"{name}_high"), found, strict=True)
        rows.append(row)
    return pd.DataFrame(rows)


def comparison_table(
    agents: Sequence[Agent], totals: Totals, unit: str, confidence: float
) -> pd.DataFrame:
    """Return the table of `Results.comparisons`; `unit` is `rounds` or `games`."""
    name = "score" if unit == "games" else "points"
    names = unique_names([agent.name for agent in agents])
    rows = []
    for one, other in combinations(range(len(agents)), 2):
        lead = totals.weighted_ratio({(name, one): 1, (name, other): -1}, ROWS)
        in_wins = lead_in_wins(totals, one, [other], confidence)
        value, low, high, _ = difference_of_mean(lead, confidence)
        rows.append(
            {
                "agent": names[one],
                "opponent": names[other],
                unit: totals.total(ROWS),
                "deals": lead.deals,
                **dict(zip(("difference", "low", "high", "p_value"), in_wins, strict=True)),
                name: value,
                f"{name}_low": low,
                f"{name}_high": high,
            }
        )
    return with_verdicts(pd.DataFrame(rows), confidence)


def lead_in_wins(
    totals: Totals, one: int, others: Sequence[int], confidence: float = 0.95
) -> Difference:
    """Return by how much an agent's win rate is above the mean of those of some others."""
    count = len(others)
    weights = {ROWS: count, ("wins", one): count} | {("wins", other): -1 for other in others}
    value, trials, deals, variance = totals.weighted_ratio(weights, ROWS)
    whole = 2 * count
    return difference_of_share(Ratio(value / whole, trials, deals, variance / whole**2), confidence)


def with_verdicts(comparisons: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Return comparisons with what can be said of all of them together.

    Of the columns `agent`, `opponent`, `difference` and `p_value` come, behind the last one,
    `p_corrected` for the number of comparisons (`statistics.holm`), `resolved` (whether that is
    below one minus the confidence) and `verdict`: the name of who is ahead, or `not resolved`.
    """
    corrected = holm(comparisons["p_value"])
    resolved = corrected < 1 - confidence
    ahead = comparisons["agent"].where(comparisons["difference"] > 0, comparisons["opponent"])
    table = comparisons.copy()
    for name, column in (
        ("verdict", ahead.where(resolved, NOT_RESOLVED)),
        ("resolved", resolved),
        ("p_corrected", corrected),
    ):
        table.insert(list(comparisons).index("p_value") + 1, name, column)
    return table
