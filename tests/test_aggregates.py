"""A batch that keeps sums tells the same as one that keeps its rows."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Aggregates, Results, simulate
from uno_sim.simulation.aggregates import aggregates_of
from uno_sim.simulation.row_values import ROWS

CAPPED = replace(UNO_DUO, max_turns=60)
CASES: dict[str, tuple[Any, list[str], dict[str, Any]]] = {
    "rounds": (CAPPED, ["greedy", "random"], {"rounds": 600}),
    "games": (UNO_DUO, ["greedy", "random"], {"games": 40}),
    "unpaired rounds": (CAPPED, ["greedy", "greedy"], {"rounds": 601, "paired": False}),
    "unpaired games": (UNO_POCKET, ["greedy", "random"], {"games": 31, "paired": False}),
    "three, rounds": (UNO_POCKET, ["greedy", "random", "greedy"], {"rounds": 300}),
    "three, games": (UNO_POCKET, ["random", "greedy", "greedy"], {"games": 30}),
    "three, permutations": (
        UNO_POCKET,
        ["greedy", "random", "greedy"],
        {"rounds": 300, "paired": "permutations"},
    ),
    "few deals": (UNO_DUO, ["greedy", "random"], {"rounds": 2}),
}
EVERY_CASE = pytest.mark.parametrize("case", CASES)


@cache
def played(case: str) -> tuple[Results, Aggregates]:
    """Return a batch twice: with its rows, and with sums alone."""
    rules, agents, amount = CASES[case]
    rows = simulate(rules, agents, seed=5, **amount)
    return rows, simulate(rules, agents, seed=5, keep="aggregates", **amount)


def same(one: Aggregates, other: Aggregates) -> bool:
    """Return whether two aggregates hold the same, to the last digit."""
    return one.round_sums == other.round_sums and one.game_sums == other.game_sums


@EVERY_CASE
@pytest.mark.parametrize("confidence", [0.95, 0.5])
def test_the_summary_is_that_of_the_rows(case, confidence):
    rows, sums = played(case)
    expected = rows.summary(confidence)
    pd.testing.assert_frame_equal(sums.summary(confidence), expected, rtol=1e-9, atol=1e-12)
    assert sums.unit == rows.unit and sums.num_players == rows.num_players


@EVERY_CASE
def test_the_behavior_is_that_of_the_rows(case):
    rows, sums = played(case)
    pd.testing.assert_frame_equal(sums.behavior(), rows.behavior(), rtol=1e-9, atol=1e-12)


@EVERY_CASE
@pytest.mark.parametrize("confidence", [0.95, 0.5])
def test_the_comparisons_are_those_of_the_rows(case, confidence):
    rows, sums = played(case)
    expected = rows.comparisons(confidence)
    pd.testing.assert_frame_equal(sums.comparisons(confidence), expected, rtol=1e-9, atol=1e-12)


@EVERY_CASE
def test_rows_are_reduced_to_the_same_sums(case):
    rows, sums = played(case)
    assert same(aggregates_of(rows), sums)


def test_rows_are_reduced_a_part_at_a_time(monkeypatch):
    from uno_sim.simulation import aggregates

    monkeypatch.setattr(aggregates, "DEALS_AT_ONCE", 7)
    for case in ("rounds", "three, games"):
        rows, sums = played(case)
        assert same(aggregates_of(rows), sums)


@EVERY_CASE
def test_distributions_count_the_values_of_the_rows(case):
    rows, sums = played(case)
    frames = {"points": rows.rounds, "turns": rows.rounds, "decisions": rows.rounds}
    if rows.unit == "games":
        frames |= {"score": rows.games, "rounds": rows.games}
    for name, frame in frames.items():
        table = sums.distribution(name)
        if name not in ("points", "score"):
            expected = frame[name].value_counts().sort_index()
            assert table["value"].tolist() == expected.index.tolist()
            assert table["count"].tolist() == expected.tolist()
            continue
        by_agent = rows.by_agent(frame, f"{name}_")
        for index, agent in enumerate(rows.agents):
            own = table[table["index"] == index]
            values, counts = np.unique(by_agent[:, index], return_counts=True)
            assert set(own["agent"]) == {agent.name}
            assert own["value"].tolist() == values.tolist()
            assert own["count"].tolist() == counts.tolist()


def test_a_distribution_that_is_none_is_refused_naming_those_that_are():
    _, rounds = played("rounds")
    _, games = played("games")
    with pytest.raises(ValueError, match=r"'scores': must be one of points, .* score, rounds"):
        games.distribution("scores")
    with pytest.raises(ValueError, match=r"'score': must be one of points, turns, decisions$"):
        rounds.distribution("score")


def test_blocked_and_capped_rounds_are_counted():
    rows, sums = played("rounds")
    for name in ("blocked", "capped"):
        assert sums.round_sums.total((name, 0)) == rows.rounds[name].sum()
    assert sums.round_sums.total(("capped", 0)) > 0


def test_there_are_no_rows_to_ask_for():
    _, sums = played("rounds")
    for name in ("rounds", "games"):
        with pytest.raises(AttributeError, match="keep='rows' keeps the rows"):
            getattr(sums, name)


@pytest.mark.parametrize("keep", ["row", "", None, True, "Aggregates"])
def test_another_word_than_rows_and_aggregates_is_refused(keep):
    with pytest.raises(ValueError, match=r"keep=.*: must be 'rows' or 'aggregates'"):
        simulate(UNO_DUO, ["greedy", "random"], rounds=2, keep=keep)


def test_a_round_is_played_again_by_its_numbers():
    rows, sums = played("three, games")
    frame = rows.rounds
    for row in (0, 7, len(frame) - 1):
        numbers = {name: int(frame[name][row]) for name in ("deal", "rotation", "round")}
        game = sums.replay(**numbers)
        assert game.record == rows.replay(row).record
        assert game.record == rows.replay(**numbers).record
        assert game.turns == frame["turns"][row]


@pytest.mark.parametrize(
    ("case", "numbers", "said"),
    [
        ("rounds", (300, 0, 1), "deal=300: must be from 0 to 299"),
        ("rounds", (-1, 0, 1), "deal=-1"),
        ("rounds", (0, 2, 1), "rotation=2: must be from 0 to 1"),
        ("rounds", (0, 0, 2), "round=2"),
        ("games", (0, 0, 0), "round=0"),
        ("games", (0, 0, 900), "round=900: the game was over after"),
        ("unpaired rounds", (4, 1, 1), "deal 4 was played in rotation 0 only"),
    ],
)
def test_a_round_that_is_none_is_refused(case, numbers, said):
    named = dict(zip(("deal", "rotation", "round"), numbers, strict=True))
    rows, sums = played(case)
    with pytest.raises(ValueError, match=said):
        sums.replay(**named)
    with pytest.raises(ValueError, match=r"deal=.*: there is no such row"):
        rows.replay(**named)


def test_a_row_is_given_by_its_place_or_by_its_numbers():
    rows, sums = played("rounds")
    with pytest.raises(ValueError, match="row, deal: one of them must be given"):
        rows.replay()
    with pytest.raises(ValueError, match="row, deal: only one of them can be given"):
        rows.replay(1, deal=1)
    with pytest.raises(TypeError):
        sums.replay(1)  # the place of a row, where there are no rows


def test_a_batch_says_in_a_line_what_it_is():
    rows, sums = played("rounds")
    names = "greedy, random"
    assert repr(rows) == f"<Results of 600 rounds of UNO Duo: {names}>"
    assert repr(sums) == f"<Aggregates of 600 rounds of UNO Duo: {names}>"


def test_all_rows_are_counted():
    for case, (_, _, amount) in CASES.items():
        sums = played(case)[1]
        kept = sums.round_sums if sums.game_sums is None else sums.game_sums
        assert kept.total(ROWS) == amount.get("rounds", amount.get("games"))


def test_other_rounds_have_other_sums():
    _, sums = played("rounds")
    other = simulate(CAPPED, ["greedy", "random"], rounds=600, seed=6, keep="aggregates")
    assert not same(sums, other) and same(sums, sums)
