"""A cluster's workers give the rows of one process, bit for bit."""

import time

import pytest

from tests.envs.batched_agents import BySeed
from tests.failing_agents import FailingLate
from uno_sim import UNO_DUO, UNO_POCKET, AgentError, Game, WorkerDiedError, make_agent, simulate
from uno_sim.simulation import plan
from uno_sim.simulation.clusters import cluster_executor

NEEDS = {"ray": "ray", "dask": "distributed"}

GENEROUS = 60
"""Seconds that nothing here should ever take."""

pytestmark = [
    pytest.mark.slow,
    # What the cluster's own code warns of is not for us to mend.
    pytest.mark.filterwarnings("default"),
]


def divmod_later(number, divisor, seconds):
    """Return quotient and rest after some seconds."""
    time.sleep(seconds)
    return divmod(number, divisor)


@pytest.mark.parametrize("executor", NEEDS)
def test_rows_are_those_of_one_process(executor, monkeypatch):
    pytest.importorskip(NEEDS[executor])
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 50)
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 50)
    # Whatever runs there, "ray" is a cluster of our own.
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    cases = [
        (UNO_DUO, ["greedy", make_agent("random")], {"rounds": 4000}),
        (UNO_POCKET, ["greedy", BySeed(), "random"], {"rounds": 300}),
        (UNO_POCKET, ["greedy", "random"], {"games": 60}),
    ]
    for rules, agents, amount in cases:
        alone = simulate(rules, agents, seed=9, **amount)
        there = simulate(rules, agents, seed=9, workers=2, executor=executor, **amount)
        assert there.rounds.equals(alone.rounds) and there.games.equals(alone.games)


def test_a_cluster_is_found_by_its_address_and_left_running():
    distributed = pytest.importorskip("distributed")
    alone = simulate(UNO_DUO, ["greedy", "random"], rounds=400, seed=9)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        for _ in range(2):
            address = cluster.scheduler_address
            there = simulate(UNO_DUO, ["greedy", "random"], rounds=400, seed=9, executor=address)
            assert there.rounds.equals(alone.rounds)


@pytest.mark.parametrize("executor", ["cloud", "", 3, None])
def test_an_unknown_executor_is_refused(executor):
    with pytest.raises(ValueError, match="executor="):
        simulate(UNO_DUO, ["greedy", "random"], rounds=2, executor=executor)


@pytest.mark.parametrize("executor", NEEDS)
def test_an_agent_that_fails_is_told_of_with_its_game(executor, tmp_path):
    pytest.importorskip(NEEDS[executor])
    agents = ["greedy", FailingLate("raises")]
    with pytest.raises(AgentError, match=r"^agent 'batched, raises' raised ValueError") as failure:
        simulate(UNO_DUO, agents, rounds=100, workers=2, executor=executor, out=tmp_path)
    game = Game.load(failure.value.path)
    seen = bytes.fromhex(str(failure.value.__cause__))
    assert game.observation(failure.value.seat).record.tobytes() == seen


@pytest.mark.parametrize("executor", NEEDS)
def test_a_worker_that_dies_is_told_of(executor, tmp_path):
    pytest.importorskip(NEEDS[executor])
    agents = ["greedy", FailingLate("dies")]
    with pytest.raises(WorkerDiedError, match=r"; 0 of 1 units of rows are finished"):
        simulate(UNO_DUO, agents, rounds=100, workers=1, executor=executor, out=tmp_path)


def test_on_ray_of_the_caller_our_calls_end_and_nothing_else():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        with pytest.raises(KeyboardInterrupt), cluster_executor("ray", 1) as executor:
            assert executor.submit(divmod_later, 7, 2, 0).result(GENEROUS) == (3, 1)
            calls = [executor.submit(divmod_later, 7, 2, 1000) for _ in range(2)]
            time.sleep(0.5)
            # Ray's client cannot bear that a call which it plays is canceled behind its back.
            assert not any(call.cancel() for call in calls)
            raise KeyboardInterrupt
        assert all(call.exception(GENEROUS) is not None for call in calls)
        # The only core is free again.
        assert ray.get(ray.remote(divmod_later).remote(9, 2, 0), timeout=GENEROUS) == (4, 1)
    finally:
        ray.shutdown()
