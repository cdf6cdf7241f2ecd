"""`simulate`: many rounds or games between agents, from one seed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
import pandas as pd

from uno_sim.registry import AgentLike
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.aggregates import Aggregates
from uno_sim.simulation.failures import FOLDER, AgentError
from uno_sim.simulation.plan import Plan, make_plan
from uno_sim.simulation.progress import Progress
from uno_sim.simulation.results import Results
from uno_sim.simulation.run_folder import RunFolder
from uno_sim.simulation.sums import add_up
from uno_sim.simulation.units import Columns, join_columns
from uno_sim.simulation.workers import UnitRows, WorkerDiedError, Workers


@overload
def simulate(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    games: int | None = ...,
    rounds: int | None = ...,
    seed: int = ...,
    num_players: int | None = ...,
    paired: bool | str = ...,
    workers: int = ...,
    executor: str = ...,
    progress: bool = ...,
    out: str | os.PathLike[str] | None = ...,
    keep: Literal["rows"] = ...,
) -> Results: ...


@overload
def simulate(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    games: int | None = ...,
    rounds: int | None = ...,
    seed: int = ...,
    num_players: int | None = ...,
    paired: bool | str = ...,
    workers: int = ...,
    executor: str = ...,
    progress: bool = ...,
    out: str | os.PathLike[str] | None = ...,
    keep: Literal["aggregates"],
) -> Aggregates: ...


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
    keep: str = "rows",
) -> Results | Aggregates:
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

    `progress` shows how far it is: a bar on a terminal, elsewhere a line now and then.

    With `keep="aggregates"` no rows are kept: each unit is reduced to sums at once, and what is
    returned is an `Aggregates`, with the same tables. Its memory does not grow with the run.

    Raises `ValueError` where an argument does not fit or a game would never end, `AgentError` where
    an agent fails (the game up to there is saved in the folder `failures` of `out`, or in a
    temporary one), `WorkerDiedError` where a worker's process ends, and `OSError` where `out`
    cannot be written.
    """
    plan = make_plan(
        rules,
        agents,
        games=games,
        rounds=rounds,
        seed=seed,
        num_players=num_players,
        paired=paired,
        keep=keep,
    )
    return play_plan(plan, workers=workers, executor=executor, progress=progress, out=out)


def play_plan(
    plan: Plan,
    *,
    workers: int = 1,
    executor: str = "local",
    progress: bool = False,
    out: str | os.PathLike[str] | None = None,
    failures: str | os.PathLike[str] | None = None,
) -> Results | Aggregates:
    """Play what a plan says; see `simulate`. Failures may go to another folder."""
    with _playing(plan, workers, executor, progress) as (played_by, bar):
        if plan.keep == "rows":
            return play_with(played_by, plan, bar, out, failures)
        return add_up_with(played_by, plan, bar, out, failures)


@contextmanager
def _playing(
    plan: Plan, workers: int, executor: str, progress: bool
) -> Iterator[tuple[Workers, Progress]]:
    """Return workers for a plan, and what tells how far they are."""
    unit = "games" if plan.whole_games else "rounds"
    workers_of_run = Workers(workers, executor)
    with Progress(plan.rows, unit, progress) as bar, workers_of_run:
        yield workers_of_run, bar


def play_with(
    workers: Workers,
    plan: Plan,
    bar: Progress,
    out: str | os.PathLike[str] | None = None,
    failures: str | os.PathLike[str] | None = None,
) -> Results:
    """Play what a plan says that keeps rows, by workers that may have played others."""
    parts: list[Any] = [None] * plan.num_units
    for unit, rows in _units(workers, plan, bar, out, failures):
        parts[unit] = rows
    names = [agent.name for agent in plan.cast]
    round_frame = _frame(join_columns(rows for rows, _ in parts), names)
    game_frame = _frame(join_columns(rows for _, rows in parts), names)
    return Results(plan.rules, plan.cast, plan.seed, plan.seats, round_frame, game_frame)


def add_up_with(
    workers: Workers,
    plan: Plan,
    bar: Progress,
    out: str | os.PathLike[str] | None = None,
    failures: str | os.PathLike[str] | None = None,
    look: Callable[[int, Columns], None] = lambda unit, sums: None,
) -> Aggregates:
    """Play what a plan says that keeps no rows, by workers that may have played others.

    `look` is shown the number of each unit and its sums of rounds, as it is finished.
    """

    def parts() -> Iterator[UnitRows]:
        for unit, part in _units(workers, plan, bar, out, failures):
            look(unit, part[0])
            yield part

    return Aggregates(plan.rules, plan.cast, plan.seed, plan.seats, *add_up(parts()))


def _units(
    workers: Workers,
    plan: Plan,
    bar: Progress,
    out: str | os.PathLike[str] | None,
    failures: str | os.PathLike[str] | None,
) -> Iterator[tuple[int, UnitRows]]:
    """Yield the number and the part of each unit: those of the folder first, others as they end."""
    folder = None if out is None else RunFolder(out, plan)
    left = []
    for unit in range(plan.num_units):
        part = None if folder is None else folder.read(unit)
        if part is None:
            left.append(unit)
        else:
            bar.found(plan.rows_of(unit))
            yield unit, part
    finished = plan.num_units - len(left)
    try:
        for unit, part in workers.play(plan, left, bar.add):
            if folder is not None:
                folder.write(unit, part)
            finished += 1
            yield unit, part
    except AgentError as error:
        error.save(Path(out) / FOLDER if failures is None and out is not None else failures)
        raise
    except WorkerDiedError as error:
        raise WorkerDiedError(_after_a_death(plan, finished, out)) from error.__cause__


def _after_a_death(plan: Plan, finished: int, out: str | os.PathLike[str] | None) -> str:
    """Return what is to be said when a worker's process has ended."""
    text = (
        "a worker's process has ended while it played: it was killed, ran out of memory, or an "
        "agent ended it"
    )
    if out is None:
        return f"{text}; nothing is kept; with out=FOLDER finished units of rows would be"
    return (
        f"{text}; {finished} of {plan.num_units} units of rows are finished and kept in "
        f"{os.fspath(out)!r}; the same call goes on from there"
    )


def _frame(columns: Columns, names: list[str]) -> pd.DataFrame:
    """Return columns as a frame, with the winner's name beside its index."""
    named = {}
    for name, column in columns.items():
        named[name] = column
        if name == "winner_index":
            named["winner_agent"] = np.array([*names, None], object)[column]
    # The columns are new arrays; putting them together would copy all of them once more.
    return pd.DataFrame(named, copy=False)
