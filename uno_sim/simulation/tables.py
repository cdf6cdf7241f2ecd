"""Tables by agent, the same from rows and from sums: how often each won, and what each did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pandas as pd

from uno_sim.policies import Agent
from uno_sim.simulation.row_values import ROWS, Number, RowValues
from uno_sim.statistics import (
    Array,
    Ratio,
    mean_of_ratio,
    ratio_by_deal,
    share_of_ratio,
    totals_by_deal,
)

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
        return ratio_by_deal(self._by_deal(numbers), self._by_deal(occasions))

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
