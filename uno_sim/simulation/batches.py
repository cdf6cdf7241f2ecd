"""`simulate`: many rounds or games between agents, from one seed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from uno_sim.registry import AgentLike
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.plan import Plan, make_plan
from uno_sim.simulation.results import Results
from uno_sim.simulation.run_folder import RunFolder
from uno_sim.simulation.units import Columns, join_columns
from uno_sim.simulation.workers import check_executor, check_workers, play_units


def simulate(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    games: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    num_players: int | None = None,
    paired: bool | str = True,
    workers: int = 1,
    executor: str = "local",
    progress: bool = False,
    out: str | os.PathLike[str] | None = None,
) -> Results:
    """Play many games to the target, or many rounds alone, and return their rows.

    `agents` is one agent a player: names, agents (compiled or batched) or policies. `games` or
    `rounds` counts rows. With `paired` every deal is played once in each rotation of the seats
    (agent i in seat (i + rotation) mod P), so the rows must divide by the number of rotations;
    `"permutations"` takes every order of the seats; False gives each row a deal of its own.

    `workers` play at once, -1 for as many as there are cores: threads where all agents are
    compiled, else processes. With `executor` "ray" or "dask", or the address of a cluster
    ("ray://host:10001", "tcp://host:8786"), they are workers there. The same arguments give the
    same rows, whoever plays them; a row depends on nothing but the seed, its deal and its rotation,
    and on what else a batched agent is asked at the time where that sways it.

    With a folder `out` each finished unit of rows is written there, and the same call goes on
    where an earlier one was stopped.

    Raises `ValueError` where an argument does not fit or a game would never end,
    `IllegalActionError` where an agent returns an action that is not legal, and `OSError` where
    `out` cannot be written.
    """
    plan = make_plan(
        rules,
        agents,
        games=games,
        rounds=rounds,
        seed=seed,
        num_players=num_players,
        paired=paired,
    )
    return play_plan(plan, workers=workers, executor=executor, progress=progress, out=out)


def play_plan(
    plan: Plan,
    *,
    workers: int = 1,
    executor: str = "local",
    progress: bool = False,
    out: str | os.PathLike[str] | None = None,
) -> Results:
    """Play what a plan says; see `simulate`."""
    check_workers(workers)
    check_executor(executor)
    folder = None if out is None else RunFolder(out, plan)
    parts: list[Any] = [None] * plan.num_units
    if folder is not None:
        parts = [folder.read(unit) for unit in range(plan.num_units)]
    left = [unit for unit, rows in enumerate(parts) if rows is None]
    unit_name = " games" if plan.whole_games else " rounds"
    finished = play_units(plan, left, workers, executor)
    with tqdm(total=plan.rows, unit=unit_name, disable=not progress) as bar:
        bar.update(plan.rows - sum(map(plan.rows_of, left)))
        for unit, rows in finished:
            parts[unit] = rows
            if folder is not None:
                folder.write(unit, rows)
            bar.update(plan.rows_of(unit))
    names = [agent.name for agent in plan.cast]
    round_frame = _frame(join_columns(rows for rows, _ in parts), names)
    game_frame = _frame(join_columns(rows for _, rows in parts), names)
    return Results(plan.rules, plan.cast, plan.seed, plan.seats, round_frame, game_frame)


def _frame(columns: Columns, names: list[str]) -> pd.DataFrame:
    """Return columns as a frame, with the winner's name beside its index."""
    named = {}
    for name, column in columns.items():
        named[name] = column
        if name == "winner_index":
            named["winner_agent"] = np.array([*names, None], object)[column]
    return pd.DataFrame(named)
