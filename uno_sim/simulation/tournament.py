"""`round_robin`: all agents against each other, and what can be said of them.

Shapes: `[A]` agents, `[T]` tables, `[P]` players of a table, `[D]` deals.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from uno_sim.policies import Agent
from uno_sim.ratings import POINTS, Strengths, fit_strengths
from uno_sim.registry import AgentLike
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.aggregates import Aggregates
from uno_sim.simulation.deal_totals import DealTotals
from uno_sim.simulation.results import Results
from uno_sim.simulation.row_values import ROWS
from uno_sim.simulation.seating import unique_names
from uno_sim.simulation.tables import with_verdicts
from uno_sim.simulation.tournament_tables import Table, TablesPlan, plan_tables, play_tables
from uno_sim.statistics import (
    Array,
    difference_by_deal,
    mean_by_deal,
    normal_quantile,
    share_by_deal,
)


@dataclass(frozen=True, repr=False)
class Tournament:
    """The tables of a tournament, all with the same deals.

    What is estimated has the deal as the unit: the rows of a deal, at all tables, count as one.
    """

    rules: RuleSet
    agents: tuple[Agent, ...]
    names: tuple[str, ...]
    """A name an agent, no two the same."""
    lineups: tuple[tuple[int, ...], ...]
    """The agents of each table, as positions in `agents`; its `Results` have them in this order."""
    tables: tuple[Results | Aggregates, ...]
    """What each table played."""
    deals: tuple[DealTotals, ...]
    """What came of each deal at each table."""
    confidence: float = 0.95
    """The confidence of all intervals, and of the verdicts on all comparisons together."""

    def __repr__(self) -> str:
        """Return who played, and how often."""
        played = sum(table.totals.total(ROWS) for table in self.tables)
        return (
            f"<Tournament of {', '.join(self.names)}: {played:,} {self.unit} of {self.rules.name}>"
        )

    @property
    def num_players(self) -> int:
        """How many players a table has."""
        return len(self.lineups[0])

    @property
    def unit(self) -> str:
        """What was played: `games`, or single `rounds`."""
        return self.tables[0].unit

    def wins(self) -> pd.DataFrame:
        """Return how often each agent won against each other one, a row for each of the two.

        Columns: `agent`, `opponent`, `rounds` or `games` (those that both played), `deals`,
        `wins` of the agent, `losses` (won by the opponent), `without_winner`, and `win_rate` with
        its ends `low` and `high`: of the rows that no third agent won, the share that the agent
        won, one without a winner counting half. The interval is Wilson's with the deal as the unit
        (`statistics.share_by_deal`, not capped).
        """
        rows = []
        for one, other in itertools.permutations(range(len(self.agents)), 2):
            won, lost, nobody, played = self._meetings(one, other)
            rate, low, high = share_by_deal(
                won + nobody / 2, won + lost + nobody, self.confidence, capped=False
            )
            rows.append(
                {
                    **self._two(one, other, played),
                    "wins": int(won.sum()),
                    "losses": int(lost.sum()),
                    "without_winner": int(nobody.sum()),
                    "win_rate": rate,
                    "low": low,
                    "high": high,
                }
            )
        return pd.DataFrame(rows)

    def comparisons(self) -> pd.DataFrame:
        """Return for every two agents whether one wins more often than the other.

        Columns: `agent`, `opponent`, `rounds` or `games` (those that both played), `deals`,
        `difference` (of the shares of these that the two won) with its ends `low` and `high`
        (`statistics.difference_by_deal`), `p_value` (of no difference), and `p_corrected`,
        `resolved` and `verdict` for all comparisons together (`tables.with_verdicts`).
        """
        rows = []
        for one, other in itertools.combinations(range(len(self.agents)), 2):
            won, lost, _, played = self._meetings(one, other)
            found = difference_by_deal(won, lost, played, self.confidence, limit=1)
            rows.append(
                {
                    **self._two(one, other, played),
                    "difference": found.value,
                    "low": found.low,
                    "high": found.high,
                    "p_value": found.p_value,
                }
            )
        return with_verdicts(pd.DataFrame(rows), self.confidence)

    def ratings(self) -> pd.DataFrame:
        """Return how strong each agent is, the strongest first.

        Columns: `agent`, `rounds` or `games` (that it played), `wins`, `rating` (natural logarithm
        of the strength, mean 0) with its ends `rating_low` and `rating_high`, the same as Elo-like
        `points` (400 for odds of ten to one), `points_low`, `points_high`, and `extreme`: `never
        won` or `never lost` where not even a row without a winner says otherwise, so that only the
        prior keeps the rating finite.

        The model and the intervals are those of `ratings.fit_strengths`; a row without a winner is
        shared by all at its table.
        """
        rates = self.strengths
        half = normal_quantile(self.confidence) * rates.deviations
        rows = []
        for agent, name in enumerate(self.names):
            wins, nobody, played = self._record(agent)
            rating = float(rates.ratings[agent])
            low, high = rating - float(half[agent]), rating + float(half[agent])
            extremes = {0: "never won", played + nobody: "never lost"}
            rows.append(
                {
                    "agent": name,
                    self.unit: played,
                    "wins": wins,
                    "rating": rating,
                    "rating_low": low,
                    "rating_high": high,
                    "points": POINTS * rating,
                    "points_low": POINTS * low,
                    "points_high": POINTS * high,
                    "extreme": extremes.get(wins + nobody, ""),
                }
            )
        table = pd.DataFrame(rows).sort_values("rating", ascending=False, kind="stable")
        return table.reset_index(drop=True)

    def points(self) -> pd.DataFrame:
        """Return what each agent scored, over all its tables, in the order of `agents`.

        Columns: `agent`, `rounds` or `games` (that it played), and the mean of the points of a
        round (`points`) or of the final scores (`score`) with its ends `.._low` and `.._high`
        (`statistics.mean_by_deal`). Who scores, the winner or the loser, is an option of the rules.
        """
        name = "score" if self.unit == "games" else "points"
        rows = []
        for agent, agent_name in enumerate(self.names):
            sums, trials = np.zeros((2, self._num_deals))
            for lineup, deals in self._tables_of(agent):
                sums += deals.scored[:, lineup.index(agent)]
                trials += deals.outcomes.sum(axis=1)
            mean, low, high = mean_by_deal(sums, trials, self.confidence)
            rows.append(
                {
                    "agent": agent_name,
                    self.unit: int(trials.sum()),
                    name: mean,
                    f"{name}_low": low,
                    f"{name}_high": high,
                }
            )
        return pd.DataFrame(rows)

    @cached_property
    def strengths(self) -> Strengths:
        """The fitted ratings and their covariance, in the order of `agents`."""
        outcomes = [deals.outcomes for deals in self.deals]
        won, nobody = ([each[:, part] for each in outcomes] for part in (slice(-1), -1))
        return fit_strengths(self.lineups, won, nobody=nobody)

    @property
    def _num_deals(self) -> int:
        return len(self.deals[0].outcomes)

    def _meetings(self, one: int, other: int) -> tuple[Array, Array, Array, Array]:
        """Return what came of the rows that two agents both played, by deal, four arrays `[D]`.

        How many the one won, the other won, nobody won, and how many there were.
        """
        totals = np.zeros((4, self._num_deals))
        for lineup, (outcomes, _) in self._tables_of(one, other):
            totals[0] += outcomes[:, lineup.index(one)]
            totals[1] += outcomes[:, lineup.index(other)]
            totals[2] += outcomes[:, -1]
            totals[3] += outcomes.sum(axis=1)
        won, lost, nobody, played = totals
        return won, lost, nobody, played

    def _record(self, agent: int) -> tuple[int, int, int]:
        """Return of the rows that an agent played how many it won, nobody won, and there were."""
        totals = np.zeros(3)
        for lineup, (outcomes, _) in self._tables_of(agent):
            totals += [
                outcomes[:, lineup.index(agent)].sum(),
                outcomes[:, -1].sum(),
                outcomes.sum(),
            ]
        won, nobody, played = map(int, totals)
        return won, nobody, played

    def _tables_of(self, *agents: int) -> Iterator[tuple[tuple[int, ...], DealTotals]]:
        """Yield lineup and deals of the tables at which some agents all sit."""
        for lineup, deals in zip(self.lineups, self.deals, strict=True):
            if set(agents) <= set(lineup):
                yield lineup, deals

    def _two(self, one: int, other: int, played: Array) -> dict[str, Any]:
        return {
            "agent": self.names[one],
            "opponent": self.names[other],
            self.unit: int(played.sum()),
            "deals": int(np.count_nonzero(played)),
        }


def round_robin(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    num_players: int | None = None,
    games: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    paired: bool | str = True,
    workers: int = 1,
    executor: str = "local",
    progress: bool = False,
    out: str | os.PathLike[str] | None = None,
    keep: str = "rows",
    confidence: float = 0.95,
) -> Tournament:
    """Let every `num_players` of the agents play a table, and return all tables.

    `num_players` is the fewest of the rules if it is not given. `games` or `rounds` counts the rows
    of a table; each is a `simulate` with the same seed, so all tables have the same deals.
    `paired`, `workers`, `executor` and `progress` are those of `simulate`.

    There are as many tables as ways to choose the players: 45 of 2 out of 10 agents, 252 of 5. All
    rows are kept, or with `keep="aggregates"` sums, and of each deal no more than who won and what
    was scored: some ten bytes a deal and table. Agents of one name are numbered.

    With a folder `out` each finished unit of a table's rows is written there, and the same call
    goes on where an earlier one was stopped.

    Raises `ValueError` where an argument does not fit, and what else `simulate` raises.
    """
    normal_quantile(confidence)  # refuses what is no confidence before anything is played
    plan = plan_tables(
        rules,
        agents,
        num_players=num_players,
        games=games,
        rounds=rounds,
        seed=seed,
        paired=paired,
        keep=keep,
    )
    tables = play_tables(plan, workers, executor, progress, out)
    return tournament_of(plan, tables, confidence)


def tournament_of(
    plan: TablesPlan, tables: Sequence[Table], confidence: float = 0.95
) -> Tournament:
    """Return the tournament of tables that were played."""
    names = unique_names([agent.name for agent in plan.agents])
    played, deals = zip(*tables, strict=True)
    return Tournament(plan.rules, plan.agents, names, plan.lineups, played, deals, confidence)
