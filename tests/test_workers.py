"""Several workers give the rows of one."""

import threading
import time

import pytest
from loky.backend.queues import Queue

from tests.envs.batched_agents import BySeed
from tests.failing_agents import FailingLate
from uno_sim import UNO_DUO, UNO_POCKET, IllegalActionError, WorkerDiedError, simulate
from uno_sim.simulation import plan, workers

CASES = {
    "threads, rounds": (UNO_DUO, ["greedy", "random"], {"rounds": 3000}),
    "threads, games": (UNO_POCKET, ["greedy", "random", "greedy"], {"games": 90}),
}


@pytest.mark.parametrize("case", CASES)
def test_rows_do_not_depend_on_the_number_of_workers(case, monkeypatch):
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 20)
    rules, agents, amount = CASES[case]
    alone = simulate(rules, agents, seed=5, **amount)
    for count in (2, 3, -1):
        several = simulate(rules, agents, seed=5, workers=count, **amount)
        assert several.rounds.equals(alone.rounds) and several.games.equals(alone.games)


@pytest.mark.slow
def test_agents_in_plain_python_play_in_processes(monkeypatch):
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 4)
    arguments = {"rounds": 24, "seed": 6}
    alone = simulate(UNO_DUO, [BySeed(), "greedy"], **arguments)
    several = simulate(UNO_DUO, [BySeed(), "greedy"], workers=2, **arguments)
    assert several.rounds.equals(alone.rounds)


@pytest.mark.slow
def test_the_thread_that_sends_units_to_processes_has_ended_with_the_run(monkeypatch):
    feed, ended = Queue._feed, threading.Event()

    def slow_to_end(*arguments):
        feed(*arguments)
        time.sleep(1)
        ended.set()

    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 4)
    monkeypatch.setattr(Queue, "_feed", staticmethod(slow_to_end))
    simulate(UNO_DUO, [BySeed(), "greedy"], rounds=8, workers=2)
    assert ended.is_set()


def test_a_workers_error_comes_through():
    agents = ["tests/policies.py::lowest_illegal_from_turn_three", "greedy"]
    with pytest.raises((IllegalActionError, ValueError), match="agent"):
        simulate(UNO_DUO, agents, rounds=20_000, workers=2)


@pytest.mark.parametrize("count", [0, -2, 1.5, True, "2", None])
def test_a_wrong_number_of_workers_is_refused(count):
    with pytest.raises(ValueError, match="workers="):
        simulate(UNO_DUO, ["greedy", "random"], rounds=2, workers=count)


@pytest.mark.slow
def test_a_worker_that_dies_is_told_of_and_the_same_call_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 10)
    arguments = {"rounds": 200, "seed": 7}
    agents = [FailingLate("dies", late=10**6), "greedy"]
    alone = simulate(UNO_DUO, agents, **arguments).rounds
    # The eight units that come first are not so long that anyone dies.
    agents[0].late = int(alone["turns"][:80].max()) + 1
    assert alone["turns"][80:].max() > agents[0].late + 2
    with pytest.raises(WorkerDiedError) as death:
        simulate(UNO_DUO, agents, workers=2, out=tmp_path / "run", **arguments)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").glob("unit-*.rows")}
    assert f"; {len(kept)} of 20 units of rows are finished and kept in " in str(death.value)
    assert str(tmp_path / "run") in str(death.value) and 0 < len(kept) < 20
    agents[0].late = 10**6
    again = simulate(UNO_DUO, agents, workers=2, out=tmp_path / "run", **arguments)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert again.rounds.equals(alone)


def test_without_a_folder_nothing_is_kept_of_a_run_whose_worker_dies(monkeypatch):
    def play(*_):
        yield from ()
        raise WorkerDiedError

    monkeypatch.setattr(workers.Workers, "play", play)
    with pytest.raises(WorkerDiedError, match=r"; nothing is kept; with out=FOLDER "):
        simulate(UNO_DUO, ["greedy", "random"], rounds=100)


@pytest.mark.slow
def test_agents_that_other_processes_cannot_make_are_refused(monkeypatch):
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 10)
    agent = BySeed()
    agent.lock = threading.Lock()
    with pytest.raises(ValueError, match=r"^agents: other processes cannot make them \(.*lock"):
        simulate(UNO_DUO, [agent, "greedy"], rounds=100, workers=2)
