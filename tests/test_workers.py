"""Several workers give the rows of one."""

import pytest

from tests.envs.batched_agents import BySeed
from uno_sim import UNO_DUO, UNO_POCKET, IllegalActionError, simulate
from uno_sim.simulation import plan

CASES = {
    "threads, rounds": (UNO_DUO, ["greedy", "random"], {"rounds": 3000}),
    "threads, games": (UNO_POCKET, ["greedy", "random", "greedy"], {"games": 90}),
}


@pytest.mark.parametrize("case", CASES)
def test_rows_do_not_depend_on_the_number_of_workers(case, monkeypatch):
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 20)
    rules, agents, amount = CASES[case]
    alone = simulate(rules, agents, seed=5, **amount)
    for workers in (2, 3, -1):
        several = simulate(rules, agents, seed=5, workers=workers, **amount)
        assert several.rounds.equals(alone.rounds) and several.games.equals(alone.games)


@pytest.mark.slow
def test_agents_in_plain_python_play_in_processes(monkeypatch):
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 4)
    arguments = {"rounds": 24, "seed": 6}
    alone = simulate(UNO_DUO, [BySeed(), "greedy"], **arguments)
    several = simulate(UNO_DUO, [BySeed(), "greedy"], workers=2, **arguments)
    assert several.rounds.equals(alone.rounds)


def test_a_workers_error_comes_through():
    agents = ["tests/policies.py::lowest_illegal_from_turn_three", "greedy"]
    with pytest.raises((IllegalActionError, ValueError), match="agent"):
        simulate(UNO_DUO, agents, rounds=20_000, workers=2)


@pytest.mark.parametrize("workers", [0, -2, 1.5, True, "2", None])
def test_a_wrong_number_of_workers_is_refused(workers):
    with pytest.raises(ValueError, match="workers="):
        simulate(UNO_DUO, ["greedy", "random"], rounds=2, workers=workers)
