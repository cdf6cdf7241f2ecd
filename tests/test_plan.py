"""How a batch is cut into units."""

import pytest

from uno_sim import UNO_DUO, UNO_POCKET
from uno_sim.simulation.plan import LEAST_IN_LOCKSTEP, ROWS_AT_ONCE, UNITS, make_plan


class Slow:
    """An agent in plain Python."""

    name = "slow"

    def act(self, observations, seeds):
        raise AssertionError("nothing is played")


def sizes(plan):
    return [plan.rows_of(unit) for unit in range(plan.num_units)]


@pytest.mark.parametrize("rows", [2, 64, 800, 2_000, 30_000, 200_000, 10_000_000])
def test_units_are_many_of_whole_deals_and_none_is_large(rows):
    plan = make_plan(UNO_DUO, ["search", "greedy"], rounds=rows)
    assert sum(sizes(plan)) == rows and all(size % 2 == 0 for size in sizes(plan))
    assert max(sizes(plan)) <= 8192
    assert plan.num_units >= min(rows // 2, UNITS // 2)


def test_a_large_unit_is_made_of_whole_batches():
    plan = make_plan(UNO_DUO, ["greedy", "random"], rounds=100_000)
    assert plan.unit_rows % plan.rows_at_once == 0 and plan.rows_at_once == ROWS_AT_ONCE
    assert {len(deals) for deals, _ in plan.batches_of(0)} == {ROWS_AT_ONCE}


@pytest.mark.parametrize("rows", [120, 12_000])
def test_deals_stay_whole_with_all_orders_of_five(rows):
    plan = make_plan(UNO_POCKET, ["greedy"] * 5, rounds=rows, paired="permutations")
    assert all(size % 120 == 0 for size in sizes(plan))


def test_an_agent_that_is_asked_in_batches_gets_enough_games_at_once():
    plan = make_plan(UNO_DUO, [Slow(), "greedy"], rounds=8_000)
    assert sizes(plan)[:-1] == [LEAST_IN_LOCKSTEP] * 7
    assert make_plan(UNO_DUO, [Slow(), "greedy"], rounds=100).num_units == 1
