"""`python -m experiments.draft_value`: what keeping a card is worth, and the rule that follows."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agents.drafter import TABLE_SHAPE, dump_table, greedy_table, of_table
from experiments import draft_charts, draft_measures, draft_value
from experiments.drafts import picks
from experiments.situations import ANYONE, Tables
from tests.experiments.conftest import Refuses
from uno_sim import UNO_DUO, make_agent, simulate
from uno_sim.actions import KEEP, REJECT
from uno_sim.rules.legal import DRAFT

SMALL = ["--deals", "100", "--tables", "2", "--seed", "3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    assert draft_value.main([*SMALL, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Return the picks of some drafts by greedy's rule."""
    parts = [part for _, part in picks(UNO_DUO, greedy_table(), range(2000), 1)]
    return pd.concat(parts, ignore_index=True)


def test_every_pick_of_both_players_is_a_row(frame: pd.DataFrame) -> None:
    assert len(frame) == 2000 * 14
    assert (frame.groupby(["deal", "pick"]).size() == 2).all()
    place = np.ravel_multi_index(
        [frame["pick"] - 1, frame["face"], frame["of_color"], frame["reverse"]], TABLE_SHAPE
    )
    assert (place == frame["place"]).all()


def test_the_worth_is_what_keeping_and_rejecting_lead_to() -> None:
    ((_, frame),) = picks(UNO_DUO, dump_table(), range(50), 7)
    agent = of_table("same", dump_table())
    tables = Tables.deal(UNO_DUO, [agent] * 2, 7, np.arange(50), paired=False)
    tables.play_to(DRAFT, ANYONE)
    games = np.arange(50)
    seats = tables.states.current_player.astype(int)
    worth = {}
    for action in (KEEP, REJECT):
        copies = tables.take(games)
        copies.answer(np.full(50, action))
        worth[action] = copies.finish()[games, seats]
    assert (frame["worth"][:50] == worth[KEEP] - worth[REJECT]).all()


def test_one_of_both_ways_is_the_round_as_the_players_play_it() -> None:
    agent = of_table("same", greedy_table())
    tables = Tables.deal(UNO_DUO, [agent] * 2, 2, np.arange(40), paired=False)
    worths = tables.finish()
    rounds = simulate(UNO_DUO, ["greedy"] * 2, rounds=40, seed=2, paired=False).rounds
    assert worths[:, 0].tolist() == (rounds["points_1"] - rounds["points_0"]).tolist()


def test_a_wild_draw_is_certainly_worth_keeping(frame: pd.DataFrame) -> None:
    overall = draft_measures.overall(frame).set_index("face")
    assert overall.loc["WD", "low"] > 10
    assert overall.loc["7", "high"] < 0
    assert overall.loc["D", "low"] > overall.loc["S", "high"]


def test_the_means_are_those_of_the_picks(frame: pd.DataFrame) -> None:
    by_pick = draft_measures.by_pick(frame).set_index(["face", "pick"])
    cell = frame[(frame["face"] == 12) & (frame["pick"] == 3)]
    assert by_pick.loc[("D", 3), "n"] == len(cell)
    assert by_pick.loc[("D", 3), "worth"] == pytest.approx(cell["worth"].mean())
    by_color = draft_measures.by_color(frame).set_index(["face", "held"])
    cell = frame[(frame["face"] == 4) & (frame["of_color"] == 2) & (frame["reverse"] == 1)]
    assert by_color.loc[("4", 6), "worth"] == pytest.approx(cell["worth"].mean())
    assert by_color["n"].sum() == (frame["face"] < 13).sum()


def test_a_table_is_the_mean_where_there_are_many_picks_and_the_wider_mean_where_few() -> None:
    place = np.ravel_multi_index((2, 12, 0, 0), TABLE_SHAPE)
    many = pd.DataFrame({"place": np.full(10**6, place), "worth": 5.0})
    table = draft_measures.worth_table(many)
    assert table[2, 12, 0, 0] == pytest.approx(5, rel=1e-3)
    assert table[5, 12, 0, 0] == pytest.approx(5, rel=1e-2)  # another pick of the same face
    assert table[2, 11, 0, 0] == 0
    few = draft_measures.worth_table(many[:2000])
    assert 0 < few[5, 12, 0, 0] < few[2, 12, 0, 0] < 5


def overall_of(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    """Return rows of `draft_measures.overall`."""
    return pd.DataFrame(rows, columns=["face", "reverse", "worth", "low", "high"])


def test_the_titles_say_what_the_data_say_and_what_they_leave_open() -> None:
    table = overall_of(
        [
            ("1", -1, -3.0, -4.0, -2.0),
            ("2", -1, -3.0, -4.0, -2.0),
            ("4", -1, -3.0, -4.0, -2.0),
            ("S", -1, 3.0, 2.0, 4.0),
            ("W", -1, 0.5, -0.5, 1.5),
        ]
    )
    assert draft_charts.what_to_keep(table) == (
        "On average worth keeping: S; worth rejecting: 1-2 4; not resolved: W"
    )
    assert draft_charts.what_to_keep(table[:3]).startswith("On average worth keeping: nothing")
    apart = overall_of([("number", 0, -3.0, -4.0, -2.0), ("number", 1, 3.0, 2.0, 4.0)])
    assert draft_charts.what_a_reverse_does(apart).startswith("A number is worth 3.00 (2.00 to 4.0")
    near = overall_of([("number", 0, 1.0, 0.0, 2.0), ("number", 1, 1.5, 0.5, 2.5)])
    assert draft_charts.what_a_reverse_does(near).startswith("No difference for a number resolved")
    assert draft_charts.what_a_reverse_does(apart[:1]).startswith("No number was offered")


@pytest.mark.parametrize(
    ("high", "said"),
    [
        (13.0, "No change with the actions and wilds in hand resolved for any card"),
        (
            4.0,
            "D changes most with the actions and wilds in hand: +3.0 with 0, +8.0 with 5 or more",
        ),
    ],
)
def test_the_title_says_whether_other_specials_matter(high: float, said: str) -> None:
    rows = [("D", 0, 99, 3.0, 2.0, high), ("D", 5, 99, 8.0, 6.0, 10.0), ("1", 0, 9, -9.0, -9, -9)]
    table = pd.DataFrame(rows, columns=["face", "specials", "n", "worth", "low", "high"])
    assert draft_charts.what_specials_do(table) == said


def test_of_many_cards_one_has_to_change_by_more() -> None:
    columns = ["face", "specials", "n", "worth", "low", "high"]
    rows = [("1", 0, 99, 0.0, -3.0, 3.0), ("1", 5, 99, 5.0, 2.0, 8.0)]
    resolved = "The number 1 changes most with the actions and wilds in hand"
    assert draft_charts.what_specials_do(pd.DataFrame(rows, columns=columns)).startswith(resolved)
    for number in range(2, 10):
        rows += [(str(number), held, 99, 0.0, -3.0, 3.0) for held in (0, 5)]
    unresolved = "No change with the actions and wilds in hand resolved for any card"
    assert draft_charts.what_specials_do(pd.DataFrame(rows, columns=columns)) == unresolved


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.01, 0.03, "Table 1 wins 51.00% of rounds against greedy"),
        (-0.01, 0.05, "No difference resolved: table 1 wins 51.00% of rounds against greedy"),
        (-0.03, -0.01, "Table 1 is behind: it wins 51.00% of rounds against greedy"),
    ],
)
def test_the_title_says_who_is_ahead(low: float, high: float, said: str) -> None:
    names = {"agent": "table 1", "opponent": "greedy", "unit": "rounds", "win_rate": 0.51}
    row = pd.Series({**names, "difference": (low + high) / 2, "low": low, "high": high})
    assert draft_charts.who_drafts_better(row) == said
    ends = f"({100 * low:+.2f} to {100 * high:+.2f})"
    assert draft_charts.difference_text(row) == f"{50 * (low + high):+.2f} {ends}"


def test_a_match_compares_win_rates_and_points() -> None:
    results = simulate(UNO_DUO, ["greedy", "random"], rounds=400, seed=5)
    row = draft_value.compared(results)
    summary = results.summary()
    assert row["win_rate"] == summary["win_rate"][0]
    assert row["difference"] == pytest.approx(summary["win_rate"][0] - summary["win_rate"][1])
    assert row["gain"] == pytest.approx(summary["points"][1] - summary["points"][0])


def test_a_run_writes_charts_tables_and_settings(folder: Path) -> None:
    names = {file.name for file in folder.iterdir()}
    for number in (1, 2):
        data = ("by_pick", "by_color", "by_specials", "overall", "table")
        assert {f"{name}_{number}.csv" for name in data} <= names
        assert {f"worth_{number}.png", f"worth_{number}.svg"} <= names
    assert {"matches.png", "matches.svg", "matches.csv", "run.json"} <= names
    run = json.loads((folder / "run.json").read_text())
    assert (run["seed"], run["deals"], run["tables"]) == (3, 100, 2)
    agent = make_agent(f"drafter:table={folder / 'table_1.csv'}")
    worths = pd.read_csv(folder / "table_1.csv")["worth"]
    assert agent.params.tolist() == worths.astype(np.float32).tolist()  # type: ignore[union-attr]


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert draft_value.main([*SMALL, "--out", str(tmp_path / "again")]) == 0
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--deals", "5"], "--deals 5: must be at least 100"),
        (["--tables", "0"], "--tables 0: must be at least 1"),
        (["--game", "pocket"], "--game pocket: has no draft"),
        (["--rule", "deal=deal"], "has no draft"),
        (["--seed", "x"], "whole number"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(draft_value, None, arguments, said)
