"""The tables of a tournament: who sits at each, and playing them all by the same workers."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uno_sim.policies import Agent
from uno_sim.registry import AgentLike, make_agent
from uno_sim.rule_set import RuleSet, check_rule_set
from uno_sim.simulation.aggregates import Aggregates
from uno_sim.simulation.batches import add_up_with, play_with
from uno_sim.simulation.deal_totals import DealTotals, from_arrays, joined, totals_of_deals
from uno_sim.simulation.failures import FOLDER
from uno_sim.simulation.plan import DEALS, Plan, make_plan
from uno_sim.simulation.progress import Progress
from uno_sim.simulation.results import Results, columns_of
from uno_sim.simulation.row_values import RowValues
from uno_sim.simulation.run_folder import claim, describe_agent, key_of, manifest_of
from uno_sim.simulation.units import Columns
from uno_sim.simulation.workers import Workers

Table = tuple[Results | Aggregates, DealTotals]
"""What a table played, and what came of each deal."""


@dataclass(frozen=True)
class TablesPlan:
    """What a tournament plays."""

    rules: RuleSet
    agents: tuple[Agent, ...]
    lineups: tuple[tuple[int, ...], ...]
    """The agents of each table, as positions in `agents`."""
    tables: tuple[Plan, ...]
    """What each table plays."""

    def manifest(self) -> dict[str, Any]:
        """Return what the rows of all tables depend on, as values that JSON can hold."""
        return {
            **manifest_of(self.tables[0]),
            "agents": [describe_agent(agent) for agent in self.agents],
            "players": len(self.lineups[0]),
        }

    def key(self) -> str:
        """Return a short name of the tournament, the same for the same rows and no other."""
        return key_of(self.manifest())


def plan_tables(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    num_players: int | None = None,
    games: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    paired: bool | str = True,
    keep: str = "rows",
    sent_as: Sequence[AgentLike] = (),
) -> TablesPlan:
    """Return the plan of `round_robin`'s arguments; `ValueError` where one does not fit.

    `sent_as` may name agents that are given made, as for `make_plan`.
    """
    if isinstance(agents, str):
        raise ValueError(f"agents={agents!r}: must be a list of agents")
    check_rule_set(rules)
    players = rules.min_players if num_players is None else num_players
    rules.check_players(players)
    given = tuple(agents)
    made = tuple(make_agent(agent) for agent in given)
    if len(made) < players:
        raise ValueError(f"agents: {len(made)}, too few for a table of {players}")
    sent = tuple(sent_as) or given
    lineups = tuple(itertools.combinations(range(len(made)), players))
    tables = tuple(
        make_plan(
            rules,
            [made[agent] for agent in lineup],
            games=games,
            rounds=rounds,
            seed=seed,
            paired=paired,
            keep=keep,
            sent_as=[sent[agent] for agent in lineup],
        )
        for lineup in lineups
    )
    if keep != "rows":
        tables = tuple(replace(table, keep=DEALS) for table in tables)
    return TablesPlan(rules, made, lineups, tables)


def play_tables(
    plan: TablesPlan,
    workers: int = 1,
    executor: str = "local",
    progress: bool = False,
    out: str | os.PathLike[str] | None = None,
    failures: str | os.PathLike[str] | None = None,
) -> list[Table]:
    """Play all tables, or go on with those in the folder `out`; see `round_robin`.

    The games in which agents fail may go to another folder than that in `out`.
    """
    unit = "games" if plan.tables[0].whole_games else "rounds"
    rows = sum(table.rows for table in plan.tables)
    played_by = Workers(workers, executor)
    with Progress(rows, unit, progress) as bar, played_by:
        folders: list[Path | None] = [None] * len(plan.tables)
        if out is not None:
            claim(Path(out), plan.manifest())
            names = ("-".join(map(str, lineup)) for lineup in plan.lineups)
            folders = [Path(out) / f"table-{name}" for name in names]
            failures = Path(out) / FOLDER if failures is None else failures
        return [
            _play_table(played_by, table, bar, folder, failures)
            for table, folder in zip(plan.tables, folders, strict=True)
        ]


def _play_table(
    workers: Workers,
    plan: Plan,
    bar: Progress,
    out: Path | None,
    failures: str | os.PathLike[str] | None,
) -> Table:
    if plan.keep == "rows":
        results = play_with(workers, plan, bar, out, failures)
        frame = results.games if plan.whole_games else results.rounds
        values = RowValues(columns_of(frame), results.seats)
        return results, totals_of_deals(values, "score" if plan.whole_games else "points")
    parts: list[Any] = [None] * plan.num_units

    def take(unit: int, sums: Columns) -> None:
        parts[unit] = from_arrays(sums)

    return add_up_with(workers, plan, bar, out, failures, take), joined(parts)
