"""A tournament that keeps sums and what came of each deal tells the same as one that keeps rows."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Aggregates, Tournament, round_robin, simulate
from uno_sim.simulation import plan as plans
from uno_sim.simulation.deal_totals import DealTotals, joined

AGENTS = ["random", "greedy", "tests/policies.py::lowest_legal"]
CASES: dict[str, tuple[Any, list[str], dict[str, Any]]] = {
    "pairs": (UNO_DUO, AGENTS, {"rounds": 400}),
    "whole games": (UNO_POCKET, AGENTS, {"games": 12}),
    "tables of three": (UNO_POCKET, [*AGENTS, "bluffer"], {"rounds": 60, "num_players": 3}),
    "permutations": (
        UNO_POCKET,
        AGENTS,
        {"rounds": 36, "num_players": 3, "paired": "permutations"},
    ),
    "unpaired": (UNO_DUO, AGENTS, {"rounds": 41, "paired": False}),
}


@cache
def played(case: str) -> tuple[Tournament, Tournament]:
    """Return a tournament twice: with its rows, and without them."""
    rules, agents, options = CASES[case]
    rows = round_robin(rules, agents, seed=3, **options)
    return rows, round_robin(rules, agents, seed=3, keep="aggregates", **options)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("table", ["wins", "comparisons", "ratings", "points"])
def test_all_tables_are_those_of_the_rows(case: str, table: str) -> None:
    rows, sums = played(case)
    pd.testing.assert_frame_equal(getattr(sums, table)(), getattr(rows, table)(), check_exact=True)


@pytest.mark.parametrize("case", CASES)
def test_deals_are_what_the_rows_say(case: str) -> None:
    rows, sums = played(case)
    for results, own, kept in zip(rows.tables, rows.deals, sums.deals, strict=True):
        frame = results.games if results.unit == "games" else results.rounds
        scored = results.by_agent(frame, "score_" if results.unit == "games" else "points_")
        for deal, lines in frame.groupby("deal"):
            winners = lines["winner_index"]
            won = [(winners == agent).sum() for agent in [*range(results.num_players), -1]]
            assert own.outcomes[deal].tolist() == kept.outcomes[deal].tolist() == won
            points = scored[lines.index].sum(axis=0)
            assert own.scored[deal].tolist() == kept.scored[deal].tolist() == points.tolist()


def test_the_tables_are_aggregates() -> None:
    _, sums = played("pairs")
    assert repr(sums).endswith(": 1,200 rounds of UNO Duo>")
    for lineup, table in zip(sums.lineups, sums.tables, strict=True):
        assert isinstance(table, Aggregates)
        cast = [AGENTS[agent] for agent in lineup]
        alone = simulate(UNO_DUO, cast, rounds=400, seed=3, keep="aggregates")
        assert table.round_sums == alone.round_sums


def test_a_deal_takes_a_few_bytes() -> None:
    _, sums = played("pairs")
    for outcomes, scored in sums.deals:
        assert outcomes.dtype == np.uint8 and scored.dtype.itemsize <= 2


def test_units_of_different_types_are_joined_in_order() -> None:
    small = DealTotals(np.array([[1, 1, 0]], np.uint8), np.array([[0, 200]], np.uint8))
    large = DealTotals(np.array([[0, 2, 0]], np.uint8), np.array([[70_000, 0]], np.uint32))
    both = joined([small, large])
    assert both.outcomes.tolist() == [[1, 1, 0], [0, 2, 0]]
    assert both.scored.tolist() == [[0, 200], [70_000, 0]]


def test_it_goes_on_in_its_folder_with_any_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "ROWS_AT_ONCE", 16)
    whole, _ = played("pairs")
    options: dict[str, Any] = {"rounds": 400, "seed": 3, "keep": "aggregates", "out": tmp_path}
    round_robin(UNO_DUO, AGENTS, **options)
    units = sorted(tmp_path.glob("*/unit-*.sums"))
    assert len(units) > 30
    for unit in units[::3]:
        unit.unlink()
    again = round_robin(UNO_DUO, AGENTS, workers=3, **options)
    for table in ("wins", "points"):
        pd.testing.assert_frame_equal(getattr(again, table)(), getattr(whole, table)())
    with pytest.raises(ValueError, match=r"keep.*'aggregates with deals'.*'rows'"):
        round_robin(UNO_DUO, AGENTS, **{**options, "keep": "rows"})


def test_another_word_than_rows_and_aggregates_is_refused() -> None:
    for keep in ("deals", "row", None):
        with pytest.raises(ValueError, match="must be 'rows' or 'aggregates'"):
            round_robin(UNO_DUO, AGENTS, rounds=2, keep=keep)
        with pytest.raises(ValueError, match="must be 'rows' or 'aggregates'"):
            simulate(UNO_DUO, AGENTS[:2], rounds=2, keep=keep)
