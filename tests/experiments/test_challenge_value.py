"""`python -m experiments.challenge_value`: what a challenge is worth, and the rule that follows."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agents.challenger import HISTORIES, RULE_SHAPE
from experiments import cells, challenge_charts, challenge_measures, challenge_value
from experiments.challenge_measures import FORMULA, KNOWN_CASES, SAME_WORLDS, break_even_formula
from experiments.challenges import settle, wild_draws
from experiments.situations import Tables
from tests.experiments.conftest import Refuses
from uno_sim import UNO_DUO, UNO_POCKET, Game, make_agent, simulate
from uno_sim.actions import CHALLENGE, TAKE
from uno_sim.rules.legal import CHALLENGE as ASKED

SMALL = ["--rounds", "2000", "--seed", "3", "--agents", "bluffer:rate=0.5"]
GREEDY, BLUFFER = make_agent("greedy"), make_agent("bluffer:rate=0.5")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    assert challenge_value.main([*SMALL, "--out", str(folder)]) == 0
    return folder


@pytest.mark.parametrize(
    ("rules", "card", "turn", "expected"),
    [
        # Two cards are lost, or four saved and four given.
        (UNO_DUO, 1, 0, 2 / (2 + 4 + 4)),
        (UNO_POCKET, 1, 0, 2 / (2 + 2 + 2)),
        # The turn, worth five cards, is won besides.
        (UNO_DUO, 3, 15, 6 / (6 + 12 + 12 + 15)),
        (UNO_POCKET, 2, 10, 4 / (4 + 4 + 4 + 10)),
        (replace(UNO_POCKET, failed_challenge_extra=6), 1, 0, 6 / (6 + 2 + 2)),
    ],
)
def test_the_formula_gives_the_values_worked_by_hand(
    rules: Any, card: float, turn: float, expected: float
) -> None:
    assert break_even_formula(rules, card, card, turn) == pytest.approx(expected)


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=lambda rules: rules.name)
def test_settling_is_what_taking_and_challenging_do(rules: Any) -> None:
    agents = [GREEDY, BLUFFER]
    ((played, frame),) = wild_draws(rules, agents, 2000, 1)
    assert played == 2000
    frame = challenge_measures.with_worths(frame)
    tables = Tables.deal(rules, agents, 1, np.arange(1000))
    waiting = tables.play_to(ASKED)
    games = np.arange(len(waiting))
    tables = tables.take(waiting)
    seats = tables.states.current_player.astype(int)
    worth = {}
    for action in (TAKE, CHALLENGE):
        copies = tables.take(games)
        copies.answer(np.full(len(games), action))
        worth[action] = copies.finish()[games, seats]
    first = frame.iloc[: len(games)]
    assert first["take"].tolist() == worth[TAKE].tolist()
    assert first["worth"].tolist() == (worth[CHALLENGE] - worth[TAKE]).tolist()
    assert 0 < first["guilty"].mean() < 1


def test_a_round_that_is_taken_up_to_the_end_is_that_of_a_batch() -> None:
    tables = Tables.deal(UNO_POCKET, [GREEDY, BLUFFER, GREEDY], 5, np.arange(20))
    worths = tables.finish()
    rounds = simulate(UNO_POCKET, [GREEDY, BLUFFER, GREEDY], rounds=60, seed=5).rounds
    points = rounds[["points_0", "points_1", "points_2"]].to_numpy(float)
    assert worths[:, 0].tolist() == (points[:, 0] - points[:, 1:].mean(axis=1)).tolist()


def test_a_won_challenge_that_wins_the_round_is_worth_the_hand_it_leaves() -> None:
    """The victim goes out at once; the offender holds R1 and the four cards it drew."""
    game = Game.from_position(UNO_DUO, "hands: R1 WD | B3\ndiscard: R5\ndraw: Y1 Y2 Y3 Y4 G9 G8")
    game.step("WD:B")
    game.step("uno")
    tables = Tables(UNO_DUO, [GREEDY], np.zeros((1, 2), int))
    tables.states[0] = game.state
    settle(UNO_DUO.record, tables.states, 0, 4, True)
    assert tables.finish()[0].tolist() == [-11, 11]


def test_guilt_is_what_the_rounds_of_a_batch_count() -> None:
    frames = [frame for _, frame in wild_draws(UNO_DUO, [GREEDY, BLUFFER], 2000, 4)]
    rounds = simulate(UNO_DUO, [GREEDY, BLUFFER], rounds=2000, seed=4).rounds
    faced = [row[f"wild_draws_faced_{row['rotation']}"] for _, row in rounds.iterrows()]
    assert sum(map(len, frames)) == sum(faced)


def test_shares_of_two_means_have_the_interval_of_the_delta_method() -> None:
    source = np.random.default_rng(1)
    hits = 0
    for _ in range(300):
        first, second = source.normal(2, 3, 400), source.normal(6, 3, 400)
        ones = np.ones(400)
        _, low, high = cells.share_of((first, ones), (second, ones))
        hits += low <= 0.25 <= high
    assert 270 <= hits <= 298


def test_a_ratio_to_nothing_is_none() -> None:
    frame = pd.DataFrame({"deal": [0, 1, 2]})
    assert np.isnan(cells.ratio(frame, np.ones(3), np.array([1.0, -2.0, 1.0]))).all()
    assert np.isnan(cells.ratio(frame[:0], np.ones(0), np.ones(0))).all()
    share, low, high = cells.ratio(frame, np.array([1.0, 2.0, 3.0]), np.full(3, 4.0))
    assert share == 0.5
    assert low < 0.5 < high


def even_table(simulated: tuple[float, ...], formula: tuple[float, ...]) -> pd.DataFrame:
    """Return the rows of a break-even guilt by simulation and by formula."""
    rows = [(SAME_WORLDS, *simulated), (FORMULA, *formula)]
    table = pd.DataFrame(rows, columns=["method", "break_even", "low", "high"])
    return table.assign(n=1000, game="Duo", opponent="x")


@pytest.mark.parametrize(
    ("simulated", "formula", "said"),
    [
        ((0.3, 0.28, 0.32), (0.24, 0.23, 0.25), "from 30.0% guilt on; the formula says less: 24"),
        ((0.3, 0.28, 0.32), (0.4, 0.33, 0.5), "from 30.0% guilt on; the formula says more: 40"),
        ((0.3, 0.28, 0.32), (0.29, 0.27, 0.31), "no difference from the formula resolved: 29"),
        ((-0.1, -0.2, -0.05), (0.2, 0.1, 0.3), "at any guilt"),
        ((0.05, -0.1, 0.2), (0.2, 0.1, 0.3), "Not resolved .*: -10.0% to 20.0%"),
        ((0.3, 0.28, 0.32), (1.1, -5.0, 7.2), "on; by the formula it is not resolved$"),
        ((0.5, -0.2, 1.2), (0.2, 0.1, 0.3), "^Not resolved from which guilt a challenge pays$"),
        ((np.nan,) * 3, (np.nan,) * 3, "^Not resolved from which guilt a challenge pays$"),
    ],
)
def test_the_title_says_where_a_challenge_pays(simulated: Any, formula: Any, said: str) -> None:
    assert pd.Series(challenge_charts.where_it_pays(even_table(simulated, formula))).str.contains(
        said
    )[0]


def test_of_few_wild_draws_nothing_is_said() -> None:
    table = even_table((0.3, 0.28, 0.32), (0.3, 0.28, 0.32)).assign(n=29)
    said = challenge_charts.where_it_pays(table)
    assert said == "Only 29 wild draws: nothing to say"


def test_an_axis_holds_all_estimates_and_arrows_show_cut_intervals() -> None:
    table = even_table((-0.1, -0.8, 0.1), (-0.3, -0.5, -0.1))
    axes = challenge_charts.break_even_chart(table, "").figure.axes[0]
    low, high = axes.get_xlim()
    assert -0.6 < low < -0.5
    assert 0.4 <= high < 0.5
    arrows = [line for line in axes.lines if line.get_marker() == "<"]
    assert [line.get_ydata()[0] for line in arrows] == [0]
    assert low < arrows[0].get_xdata()[0] < -0.5


def test_no_text_of_a_small_run_without_guilt_is_nan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agents", "greedy", "--rounds", "60", "--out", str(tmp_path)]
    assert challenge_value.main(arguments) == 0
    assert "nan" not in capsys.readouterr().out
    for chart in ("guilt", "worth", "break_even", "matches"):
        assert "nan" not in (tmp_path / f"{chart}.svg").read_text(), chart
    even = pd.read_csv(tmp_path / "break_even.csv").set_index("method")
    assert even.loc[KNOWN_CASES, "break_even"].isna().all()
    assert "too few cases" in (tmp_path / "break_even.svg").read_text()
    assert "Too few cases: no cell has 30." in (tmp_path / "worth.svg").read_text()


def test_the_titles_say_gain_cost_or_not_resolved() -> None:
    worth = challenge_charts.what_it_is_worth
    assert worth(14.1, 13.4, 14.9) == "Challenging each gains 14.1 (13.4 to 14.9) points"
    assert worth(-2.5, -3.5, -1.5) == "Challenging each costs 2.50 (1.50 to 3.50) points"
    assert worth(0.5, -0.5, 1.5).startswith("Not resolved whether challenging each gains or costs")
    for gain, low, high, said in (
        (1.0, 0.5, 1.5, "The rule gains 1.00 (0.50 to 1.50) points a round against x"),
        (-1.0, -1.5, -0.5, "The rule costs 1.00 (0.50 to 1.50) points a round against x"),
        (0.1, -0.5, 0.7, "No difference of the rule from greedy resolved against x"),
        (0.0, 0.0, 0.0, "The rule plays as greedy against x: nothing was worth a challenge"),
    ):
        row = {"agent": "rule", "opponent": "x", "gain": gain, "low": low, "high": high}
        assert challenge_charts.which_rule_pays(pd.DataFrame([row])).startswith(said)


def test_the_title_says_whether_guilt_grows_with_the_hand() -> None:
    columns = ["history", "offender", "n", "guilty", "low", "high"]
    few, many = (HISTORIES[-1], 1, 100, 0.2, 0.1, 0.3), (HISTORIES[-1], 6, 100, 0.8, 0.7, 0.9)
    unsure = (HISTORIES[-1], 6, 100, 0.3, 0.2, 0.4)
    drawn = (HISTORIES[0], 3, 200, 0.0, 0.0, 0.01)
    none = (HISTORIES[-1], 6, 100, 0.0, 0.0, 0.01)
    for rows, said in (
        ([drawn, few, many], "25.0% are bluffs: 0% of those just drawn, 20.0% with 1 card left to "
         '80.0% with 6 in the row "neither"'),
        ([few, unsure], "25.0% are bluffs: no change resolved from 1 to 6 cards left in the row "
         '"neither"'),
        ([drawn, none], "None of 300 is a bluff"),
    ):  # fmt: skip
        assert challenge_charts.who_bluffs(pd.DataFrame(rows, columns=columns)) == said


def test_the_rule_challenges_where_the_guilt_exceeds_the_break_even(folder: Path) -> None:
    rule = pd.read_csv(folder / "rule_1.csv")
    assert len(rule) == np.prod(RULE_SHAPE)
    assert rule["challenge"].eq(rule["guilt"] > rule["break_even"]).all()
    assert set(rule["challenge"]) == {0, 1}
    just_drawn = rule[rule["history"] == HISTORIES[0]]
    assert not just_drawn["challenge"].any()
    agent = make_agent(f"challenger:rule={folder / 'rule_1.csv'}")
    assert agent.params.tolist() == rule["challenge"].tolist()  # type: ignore[union-attr]


def test_a_run_writes_charts_tables_and_settings(folder: Path) -> None:
    names = {file.name for file in folder.iterdir()}
    for chart in ("guilt", "worth", "break_even", "matches"):
        assert {f"{chart}.png", f"{chart}.svg", f"{chart}.csv"} <= names
    assert {"parts.csv", "overall.csv", "rule_1.csv", "rule_2.csv", "run.json"} <= names
    run = json.loads((folder / "run.json").read_text())
    assert (run["seed"], run["rounds"]) == (3, 2000)
    matches = pd.read_csv(folder / "matches.csv")
    assert set(matches["agent"]) == {"greedy", "always", "rule"}
    assert (matches.loc[matches["agent"] == "greedy", "gain"] == 0).all()


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert challenge_value.main([*SMALL, "--out", str(tmp_path / "again")]) == 0
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rounds", "3"], "--rounds 3: every deal is played 2 times"),
        (["--rounds", "3"], "try 2 or 4"),
        (["--rounds", "1"], "--rounds 1: every deal is played 2 times, once from each seat; try 2"),
        (["--rounds", "0"], "--rounds 0: every deal is played 2 times, once from each seat; try 2"),
        (["--agents", "nobody"], "agent 'nobody': unknown"),
        (["--agents", "random,greedy", "--game", "pocket"], "must be one opponent"),
        (["--agents", "network_numpy"], "weights"),
        (["--rule", "failed_challenge_extra=0"], "must both be at least 1"),
        (["--players", "3", "--game", "duo"], "UNO Duo is for 2 players"),
        (["--seed", "-1"], "whole number"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(challenge_value, None, arguments, said)


def test_rounds_without_a_wild_draw_tell_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agents", "greedy", "--rounds", "2", "--out", str(tmp_path / "new")]
    assert challenge_value.main(arguments) == 2
    assert "laid no wild draw" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "new").exists()
