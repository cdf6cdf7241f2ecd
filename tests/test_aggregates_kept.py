"""Sums are the same whoever plays, go on in a folder, and take no more memory for more rounds."""

import json
import tracemalloc

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.test_aggregates import same
from uno_sim import UNO_DUO, UNO_POCKET, simulate
from uno_sim.simulation import plan
from uno_sim.simulation.plan import make_plan

CAST = ["greedy", "random"]


@pytest.fixture
def small_units(monkeypatch):
    monkeypatch.setattr(plan, "UNITS", 1)
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 10)
    monkeypatch.setattr(plan, "BATCHES_IN_A_UNIT", 2)


def aggregates(rules=UNO_DUO, agents=CAST, **options):
    return simulate(rules, agents, seed=1, keep="aggregates", **options)


@pytest.mark.parametrize("paired", [True, "permutations", False])
def test_a_unit_holds_all_rows_of_its_deals(paired, small_units):
    made = make_plan(UNO_POCKET, ["greedy", "random", "greedy"], rounds=180, paired=paired)
    of_units = [
        {int(deal) for deals, _ in made.batches_of(unit) for deal in deals}
        for unit in range(made.num_units)
    ]
    assert len(of_units) > 5
    assert sum(map(len, of_units)) == len(set().union(*of_units))


@pytest.mark.parametrize("amount", [{"rounds": 400}, {"games": 80}])
def test_sums_do_not_depend_on_workers_nor_on_how_units_are_cut(amount, monkeypatch):
    alone = aggregates(**amount)
    monkeypatch.setattr(plan, "UNITS", 1)
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(plan, "BATCHES_IN_A_UNIT", 2)
    for workers in (1, 2, 3):
        assert same(aggregates(workers=workers, **amount), alone)


@pytest.mark.slow
def test_sums_of_agents_in_plain_python_come_from_processes(small_units):
    cast = [BySeed(), "greedy"]
    assert same(aggregates(agents=cast, rounds=40, workers=2), aggregates(agents=cast, rounds=40))


@pytest.mark.parametrize("amount", [{"rounds": 110}, {"games": 44}])
def test_a_folder_holds_the_sums_and_changes_none(tmp_path, amount, small_units):
    alone = aggregates(**amount)
    for _ in range(2):  # the second time all units are there already
        assert same(aggregates(out=tmp_path, **amount), alone)
    units = -(-sum(amount.values()) // 20)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["manifest.json", *(f"unit-{unit:07d}.sums" for unit in range(units))]
    assert json.loads((tmp_path / "manifest.json").read_text())["keep"] == "aggregates"


@pytest.mark.parametrize("damage", ["gone", "cut", "changed", "foreign"])
def test_a_damaged_unit_is_played_again(tmp_path, damage, small_units):
    alone = aggregates(rounds=100, out=tmp_path)
    victim = tmp_path / "unit-0000002.sums"
    content = victim.read_bytes()
    other = (tmp_path / "unit-0000003.sums").read_bytes()
    if damage == "gone":
        victim.unlink()
    else:
        victim.write_bytes(
            {
                "cut": content[:-40],
                "changed": content[:200] + bytes([content[200] ^ 1]) + content[201:],
                "foreign": other[:64] + content[64:],
            }[damage]
        )
    assert same(aggregates(rounds=100, out=tmp_path, workers=2), alone)
    assert victim.read_bytes() == content


@pytest.mark.parametrize("keep", ["rows", "aggregates"])
def test_a_folder_of_the_other_kind_is_refused_naming_it(tmp_path, keep):
    simulate(UNO_DUO, CAST, rounds=20, keep=keep, out=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    other = {"rows": "aggregates", "aggregates": "rows"}[keep]
    with pytest.raises(ValueError, match=f"another run: keep: '{keep}' there, '{other}' now"):
        simulate(UNO_DUO, CAST, rounds=20, keep=other, out=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("workers", [1, 2])
def test_memory_does_not_grow_with_the_run(workers, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 50)
    monkeypatch.setattr(plan, "BATCHES_IN_A_UNIT", 2)

    def peak(rounds, keep):
        tracemalloc.start()
        try:
            simulate(UNO_DUO, ["greedy"] * 2, rounds=rounds, keep=keep, workers=workers)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1000, "aggregates")  # what is made once is there from now on
    assert peak(12_000, "aggregates") < 1.5 * peak(1500, "aggregates")
    # So it would be seen if it grew:
    assert peak(12_000, "rows") > 2.5 * peak(1500, "rows")


def test_a_large_run_takes_no_room_before_it_is_played():
    made = make_plan(UNO_DUO, CAST, rounds=10**9, keep="aggregates")
    (deals, rotations), *_ = made.batches_of(made.num_units - 1)
    assert len(deals) == len(rotations) <= made.rows_at_once
    assert np.all(deals < 10**9 // 2)
