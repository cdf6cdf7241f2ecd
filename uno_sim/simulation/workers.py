"""Playing the units of a plan: here alone, by several workers, or on a cluster.

Compiled agents play in threads: compiled code runs without the interpreter lock. Agents in plain
Python play in processes. Units have fixed numbers and boundaries, so the rows are the same
whoever plays them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pickle import PicklingError
from typing import Any

from uno_sim.simulation.clusters import CLUSTERS, DEATHS, cluster_executor, uninterrupted
from uno_sim.simulation.failures import AgentError
from uno_sim.simulation.plan import Plan
from uno_sim.simulation.units import Columns, UnitPlayer

UnitRows = tuple[Columns, Columns]
"""The columns of a unit's rounds and of its games."""

Tell = Callable[[int], None]
"""What is called with a number of rows that are finished."""

IN_HAND = 2
"""How many units a worker has at a time: one to play, and one to go on with."""

LONGEST_JOIN = 5.0
"""Seconds to wait for a thread that has nothing left to do."""

_own = threading.local()


class WorkerDiedError(RuntimeError):
    """A worker's process has ended before it had played its unit."""


class StoppedError(Exception):
    """Nobody waits for the rows any more."""


class Workers(AbstractContextManager["Workers"]):
    """Those who play: this thread alone, or others, which start when they are first needed.

    At the end of the context they are gone; after an exception they stop at once.
    """

    def __init__(self, workers: int, executor: str) -> None:
        """Take the arguments of `simulate`; `ValueError` where one does not fit."""
        check_workers(workers)
        check_executor(executor)
        self._count = _cores() if workers == -1 else workers
        self._where = executor
        self._stop = threading.Event()
        self._pools: dict[str, Executor] = {}
        self._closing = ExitStack()

    def play(self, plan: Plan, units: Sequence[int], tell: Tell) -> Iterator[tuple[int, UnitRows]]:
        """Return an iterator over the units with their rows, each as soon as it is finished.

        `tell` is called with the number of rows that are played since the last time, from any
        thread; of rows that other processes play when their unit is finished.

        Raises `WorkerDiedError` where a worker's process ends.
        """
        if not units:
            return iter(())
        if self._where == "local":
            player = UnitPlayer(plan, tell=tell)
            # Before all else: several workers that compile at once would do so each for itself.
            player.prepare()
            if self._count == 1:
                return ((unit, player.play(unit)) for unit in units)
            return self._by("threads" if plan.is_compiled else "processes", plan, units, tell)
        return self._by("cluster", plan, units, tell)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Let the workers go; after an exception without waiting for what they play."""
        if kind is not None:
            self._stop.set()
            for name, pool in self._pools.items():
                if name == "threads":
                    pool.shutdown(wait=True, cancel_futures=True)
                elif name == "processes":
                    pool.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]
        self._closing.__exit__(kind, error, trace)

    def _pool(self, kind: str) -> Executor:
        if kind not in self._pools:
            self._pools[kind] = self._closing.enter_context(self._started(kind))
        return self._pools[kind]

    def _started(self, kind: str) -> AbstractContextManager[Executor]:
        if kind == "threads":
            return ThreadPoolExecutor(self._count)
        if os.name == "posix":
            from multiprocessing import resource_tracker

            # Where it starts among the workers it lets Ctrl-C in again.
            resource_tracker.ensure_running()
        if kind == "cluster":
            return cluster_executor(self._where, self._count)
        return _processes(self._count)

    def _by(
        self, kind: str, plan: Plan, units: Iterable[int], tell: Tell
    ) -> Iterator[tuple[int, UnitRows]]:
        """Yield each unit with its rows as a pool finishes it, a few in hand at a time."""
        left = iter(units)
        playing: dict[Future[UnitRows], int] = {}
        here = (self._stop, tell) if kind == "threads" else ()
        pool = self._pool(kind)
        try:
            while True:
                while len(playing) < IN_HAND * self._count:
                    unit = next(left, None)
                    if unit is None:
                        break
                    # loky starts its processes only now.
                    with uninterrupted():
                        playing[pool.submit(play_unit, plan, unit, *here)] = unit
                if not playing:
                    return
                finished, _ = wait(playing, return_when=FIRST_COMPLETED)
                # What failed comes last, so that nothing that is finished is lost.
                for future in sorted(finished, key=lambda each: each.exception() is not None):
                    unit = playing.pop(future)
                    rows = _rows_of(future)
                    if not here:
                        tell(plan.rows_of(unit))
                    yield unit, rows
        except BrokenExecutor as error:
            if type(error).__name__ in DEATHS:
                raise WorkerDiedError("a worker's process has ended") from error
            raise _not_sent(error) from error
        except PicklingError as error:
            raise _not_sent(error) from error
        finally:
            for future in playing:
                future.cancel()


@contextmanager
def _processes(count: int) -> Iterator[Executor]:
    """Give processes, and wait at the end for the thread that sends them their units.

    loky does not wait for it. Where it is the last that holds a semaphore while the interpreter
    ends, loky's resource tracker warns of a leak.
    """
    from loky import ProcessPoolExecutor

    pool = ProcessPoolExecutor(count)
    queue = pool._call_queue
    try:
        with pool:
            yield pool
    finally:
        if queue._thread is not None:
            queue._thread.join(LONGEST_JOIN)


def _not_sent(error: BaseException) -> ValueError:
    # The cause is a traceback as text, in quotation marks; its last line says what was wrong.
    lines = str(error.__cause__ or error).replace('"""', "").split("\n")
    reason = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return ValueError(
        f"agents: other processes cannot make them ({reason}); give them by name, as "
        "file.py::NAME, or of a module that can be imported; or take workers=1"
    )


def _rows_of(future: Future[UnitRows]) -> UnitRows:
    """Return the rows of a finished unit, or raise what kept a worker from playing it."""
    try:
        return future.result()
    except Exception as error:
        # Ray wraps what a task raised.
        failure = getattr(error, "cause", error)
        if isinstance(failure, AgentError):
            raise failure from failure.original
        if type(error).__name__ in DEATHS:
            raise WorkerDiedError("a worker's process has ended") from error
        raise


def play_unit(
    plan: Plan, unit: int, stop: threading.Event | None = None, tell: Tell | None = None
) -> UnitRows:
    """Play a unit with the player that this thread or process keeps for the plan.

    Raises `StoppedError` soon after `stop` is set. `tell` is that of the player.
    """

    def check() -> None:
        if stop is not None and stop.is_set():
            raise StoppedError

    if getattr(_own, "token", None) != plan.token:
        _own.player = UnitPlayer(plan, check, *() if tell is None else (tell,))
        _own.token = plan.token
    rows: UnitRows = _own.player.play(unit)
    return rows


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
