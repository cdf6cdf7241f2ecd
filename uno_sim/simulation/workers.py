"""Playing the units of a plan: here alone, by several workers, or on a cluster.

Compiled agents play in threads: compiled code runs without the interpreter lock. Agents in plain
Python play in processes. Units have fixed numbers and boundaries, so the rows are the same
whoever plays them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from typing import Any

from uno_sim.simulation.clusters import CLUSTERS, cluster_executor
from uno_sim.simulation.plan import Plan
from uno_sim.simulation.units import Columns, UnitPlayer

UnitRows = tuple[Columns, Columns]
"""The columns of a unit's rounds and of its games."""

IN_HAND = 2
"""How many units a worker has at a time: one to play, and one to go on with."""

_own = threading.local()


def play_units(
    plan: Plan, units: Sequence[int], workers: int, executor: str
) -> Iterator[tuple[int, UnitRows]]:
    """Return an iterator over the units with their rows, each as soon as it is finished."""
    count = _cores() if workers == -1 else workers
    if not units:
        return iter(())
    if executor != "local":
        return _by(cluster_executor(executor, count), plan, units, count)
    player = UnitPlayer(plan)
    # Before all else: several workers that compile at once would do so each for itself.
    player.prepare()
    if count == 1:
        return ((unit, player.play(unit)) for unit in units)
    return _by(_local_executor(plan, count), plan, units, count)


def _local_executor(plan: Plan, workers: int) -> AbstractContextManager[Executor]:
    if plan.is_compiled:
        return ThreadPoolExecutor(workers)
    from loky import ProcessPoolExecutor

    executor: AbstractContextManager[Executor] = ProcessPoolExecutor(workers)
    return executor


def play_unit(plan: Plan, unit: int) -> UnitRows:
    """Play a unit with the player that this thread or process keeps for the plan."""
    if getattr(_own, "token", None) != plan.token:
        _own.player = UnitPlayer(plan)
        _own.token = plan.token
    rows: UnitRows = _own.player.play(unit)
    return rows


def _by(
    context: AbstractContextManager[Executor], plan: Plan, units: Iterable[int], workers: int
) -> Iterator[tuple[int, UnitRows]]:
    """Yield each unit with its rows as an executor finishes it, a few in hand at a time."""
    left = iter(units)
    playing: dict[Future[UnitRows], int] = {}
    with context as executor:
        try:
            while True:
                while len(playing) < IN_HAND * workers:
                    unit = next(left, None)
                    if unit is None:
                        break
                    playing[executor.submit(play_unit, plan, unit)] = unit
                if not playing:
                    return
                finished, _ = wait(playing, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield playing.pop(future), future.result()
        finally:
            for future in playing:
                future.cancel()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(workers: Any) -> None:
    """Raise `ValueError` where `workers` is no number of workers; -1 stands for all cores."""
    is_integer = isinstance(workers, int) and not isinstance(workers, bool)
    if not is_integer or (workers < 1 and workers != -1):
        raise ValueError(f"workers={workers!r}: must be an integer of at least 1, or -1 for all")


def check_executor(executor: Any) -> None:
    """Raise `ValueError` where there is no such executor, or what it needs is not installed."""
    names = ["local", *CLUSTERS]
    known = isinstance(executor, str) and (executor in names or "://" in executor)
    if not known:
        raise ValueError(
            f"executor={executor!r}: must be {' or '.join(map(repr, names))}, or an address of "
            "a cluster (ray://..., tcp://...)"
        )
