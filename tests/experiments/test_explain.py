"""`python -m experiments.explain`: what each decision of a saved game cost."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from experiments import explain, explain_charts
from tests.experiments.conftest import Refuses
from uno_sim import UNO_DUO, UNO_POCKET, Game, evaluate_actions, simulate

FEW = ["--worlds", "40"]
BATCHED = "tests/envs/batched_agents.py::BySeed"


def saved(game: Game, path: Path) -> Path:
    """Save a game and return the file."""
    game.save(path)
    return path


def run(folder: Path, *arguments: str | Path) -> int:
    """Run the experiment with results in a folder."""
    return explain.main([*map(str, arguments), "--out", str(folder)])


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a game of several rounds."""
    results = simulate(UNO_DUO, ["greedy", "bluffer"], games=2, seed=6)
    game = results.replay(int(results.rounds["round"].argmax()))
    assert len(game.record.rounds) > 1
    return saved(game, tmp_path_factory.mktemp("records") / "game.txt")


@pytest.fixture(scope="module")
def folder(whole_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run over that record."""
    folder = tmp_path_factory.mktemp("results") / "game"
    assert run(folder, whole_game, *FEW) == 0
    return folder


def test_every_decision_with_a_choice_is_a_row(whole_game: Path, folder: Path) -> None:
    table = pd.read_csv(folder / "explain.csv")
    expected = []
    record = explain.load_record(whole_game)
    actions = [(n, a) for n, one in enumerate(record.rounds, 1) for a in one.actions]
    replay = zip(Game.replay(record), actions, strict=False)
    for number, (game, (round_number, action)) in enumerate(replay, 1):
        legal = game.legal_actions()
        if len(legal) > 1:
            seat = game.current_player
            name = explain.action_name(action)
            expected.append((number, round_number, seat, name, len(legal)))
    columns = ["decision", "round", "seat", "chosen", "actions"]
    assert [tuple(row) for row in table[columns].to_numpy()] == expected
    assert table["round"].nunique() == len(record.rounds)


def test_the_cost_is_the_difference_to_the_best(whole_game: Path, folder: Path) -> None:
    table = pd.read_csv(folder / "explain.csv", keep_default_na=False)
    same = table["chosen"] == table["best"]
    assert (table.loc[same, ["cost", "low", "high"]] == 0).all(axis=None)
    assert (table["cost"] >= 0).all()
    assert (table["mistake"] == (table["low"] > 0)).all()
    row = table[~same & (table["actions"] > 2)].iloc[0]
    for number, game in enumerate(Game.replay(explain.load_record(whole_game)), 1):
        if number == row["decision"]:
            values = evaluate_actions(
                game, worlds=40, confidence=1 - 0.05 / (row["actions"] - 1), games=False
            )
            chosen = values[values["action"] == row["chosen"]].iloc[0]
            assert row["cost"] == pytest.approx(-chosen["difference"])
            assert row["low"] == pytest.approx(-chosen["difference_high"])
            assert row["best"] == values["action"][0]
            return
    pytest.fail("the decision is not in the record")


def test_not_going_out_is_certainly_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = "hands: R1 | B9 B8 G7 W W\ndiscard: R5\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8"
    game = Game.from_position(UNO_DUO, position)
    game.step("draw")
    file = saved(game, tmp_path / "position.txt")
    assert run(tmp_path / "out", file, *FEW) == 0
    said = capsys.readouterr().out
    assert "1 mistake resolved in 1 decision; the worst: seat 0 gave away" in said
    assert "by drawing instead of R1 (decision 1)" in said
    row = pd.read_csv(tmp_path / "out" / "explain.csv").iloc[0]
    assert row["low"] > 0
    assert row["best"] == "R1"


def test_going_out_is_no_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = "hands: R1 | B9 B8 G7 W W\ndiscard: R5\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8"
    game = Game.from_position(UNO_DUO, position)
    game.step("R1")
    assert run(tmp_path / "out", saved(game, tmp_path / "won.txt"), *FEW) == 0
    assert "No mistake resolved in 1 decision" in capsys.readouterr().out


def test_a_round_that_goes_on_and_three_players(tmp_path: Path) -> None:
    game = Game(UNO_POCKET, num_players=3, seed=2)
    for _ in range(12):
        game.step(game.legal_actions()[0])
    file = saved(game, tmp_path / "running.txt")
    assert run(tmp_path / "all", file, *FEW) == 0
    assert run(tmp_path / "one", file, *FEW, "--seat", "1") == 0
    everybody, one = (
        pd.read_csv(tmp_path / name / "explain.csv", keep_default_na=False)
        for name in ("all", "one")
    )
    of_one = everybody[everybody["seat"] == 1].reset_index(drop=True)
    assert 0 < len(one) < len(everybody)
    assert one.equals(of_one)


def test_one_decision_tells_of_all_actions(
    whole_game: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pd.read_csv(folder / "explain.csv")
    row = table[table["actions"] > 2].iloc[0]
    number = str(row["decision"])
    assert run(tmp_path, whole_game, *FEW, "--decision", number) == 0
    said = capsys.readouterr().out
    actions = pd.read_csv(tmp_path / f"decision_{number}.csv")
    assert len(actions) == row["actions"]
    assert actions["game"].between(0, 1).all()
    assert all(action in said for action in actions["action"])
    assert f"{row['chosen']} (chosen)" in said
    assert (tmp_path / f"decision_{number}.png").exists()


def test_the_same_seed_gives_the_same_bytes(whole_game: Path, folder: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "again", whole_game, *FEW) == 0
    assert {file.name for file in folder.iterdir()} >= {"explain.png", "explain.svg", "run.json"}
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name
    assert json.loads((folder / "run.json").read_text())["worlds"] == 40


def test_whoever_never_bluffs_need_not_be_challenged(tmp_path: Path) -> None:
    position = "hands: WD R1 B2 B3 G4 G6 | G1 G2 Y3\ndiscard: R5\ndraw: " + " ".join(
        f"{color}{number}" for color in "RYGB" for number in range(1, 10)
    )
    game = Game.from_position(UNO_DUO, position)
    game.step("WD:B")
    game.step("take")
    file = saved(game, tmp_path / "taken.txt")
    rows = []
    for name, more in (("told nothing", []), ("told", ["--model", "greedy"])):
        options = ["--worlds", "2000", "--seat", "1", *more]
        assert run(tmp_path / name, file, *options) == 0
        rows.append(pd.read_csv(tmp_path / name / "explain.csv").iloc[0])
    assert rows[0]["best"] == "challenge"
    assert rows[0]["mistake"]
    assert rows[0]["effective_worlds"] == pytest.approx(2000)
    assert rows[1]["best"] == "take"
    assert rows[1]["effective_worlds"] < 1000


def test_a_model_of_several_agents_is_a_mixture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.from_position(
        UNO_DUO, "hands: WD R1 B2 B3 | G1 G2 Y3\ndiscard: R5\ndraw: R2 R3 Y1 Y2 Y4 G3 G4 B4 B5"
    )
    game.step("WD:B")
    asked = game.clone()
    game.step("take")
    file = saved(game, tmp_path / "taken.txt")
    model = "greedy,bluffer:rate=0.5"
    options = ["--worlds", "200", "--decision", "2", "--model", model]
    assert run(tmp_path / "mixed", file, *options) == 0
    mixture = {"greedy": 0.5, "bluffer:rate=0.5": 0.5}
    expected = evaluate_actions(asked, "greedy", 200, belief=mixture)
    table = pd.read_csv(tmp_path / "mixed" / "decision_2.csv")
    for column in ("points", "win", "game", "effective_worlds"):
        assert table[column].to_numpy() == pytest.approx(expected[column].to_numpy())
    assert json.loads((tmp_path / "mixed" / "run.json").read_text())["model"] == model
    assert b"as of greedy or bluffer 0.5" in (tmp_path / "mixed" / "decision_2.svg").read_bytes()


def test_the_documentation_shows_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(block, {})
    assert run(tmp_path / "out", "game.txt") == 0
    told, _, _ = capsys.readouterr().out.partition("\n\nseat 0:")
    shown = "\n".join(f"    {line}".rstrip() for line in told.splitlines())
    assert "worst mistakes:" in told
    assert shown in page


def choice(**changes: Any) -> dict[str, Any]:
    """Return a row of `explain.csv`."""
    return {
        "decision": 7, "round": 1, "seat": 0, "phase": "TURN", "card": "", "chosen": "take",
        "best": "challenge", "cost": 3.1, "low": 2.7, "high": 3.5, "mistake": True, **changes,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "gave away 3.1 +- 0.4 points by not challenging"),
        ({"chosen": "challenge", "best": "take"}, "gave away 3.1 +- 0.4 points by challenging"),
        ({"best": "BD"}, "gave away 3.1 +- 0.4 points by taking instead of BD"),
        ({"chosen": "draw", "best": "R1"}, "gave away 3.1 +- 0.4 points by drawing instead of R1"),
        ({"chosen": "R1", "best": "draw"}, "gave away 3.1 +- 0.4 points by R1 instead of drawing"),
        ({"chosen": "silent", "best": "uno"}, "gave away 3.1 +- 0.4 points by not saying UNO"),
        (
            {"chosen": "reject", "best": "keep", "card": "RS"},
            "gave away 3.1 +- 0.4 points by rejecting RS",
        ),
        (
            {"low": -0.4, "cost": 0.1, "high": 0.6, "mistake": False},
            "no mistake resolved: 0.1 +- 0.5 points by not challenging",
        ),
        ({"best": "take"}, "the best that was found"),
    ],
)
def test_a_cost_is_told_in_words(changes: dict[str, Any], said: str) -> None:
    assert explain_charts.cost_text(choice(**changes)) == said


def test_the_worst_mistakes_come_first_and_unresolved_ones_are_none() -> None:
    rows = [choice(decision=number, cost=number, low=0.1) for number in range(1, 9)]
    rows.append(choice(decision=9, cost=99.0, low=-1.0, mistake=False))
    table = pd.DataFrame(rows)
    assert explain_charts.worst_mistakes(table)["decision"].tolist() == [8, 7, 6, 5, 4]
    assert explain_charts.what_was_found(table).startswith("8 mistakes resolved in 9 decisions")
    assert "(decision 8)" in explain_charts.what_was_found(table)
    assert explain_charts.what_was_found(table[8:]) == "No mistake resolved in 1 decision"


def test_without_an_interval_no_text_shows_one() -> None:
    row = choice(low=np.nan, high=np.nan, mistake=False, effective_worlds=12.4)
    assert explain_charts.cost_text(row) == "no mistake resolved: 3.1 points by not challenging"
    report = explain_charts.report(pd.DataFrame([row]), weighed=True)
    assert "No mistake resolved in 1 decision" in report
    assert "(worlds worth 12)" in report
    values = {"points": 2.0, "points_se": np.nan, "win": 0.5, "win_se": np.nan, "game": 0.5}
    actions = pd.DataFrame(
        [
            {"action": action, **values, "game_se": np.nan, "difference": difference}
            for action, difference in (("challenge", 0.0), ("take", -3.1))
        ]
    ).assign(difference_low=np.nan, difference_high=np.nan)
    text = explain_charts.action_text(row, actions, weighed=True)
    assert "take (chosen)" in text
    svg = explain_charts.action_chart(row, actions, "", weighed=True).svg()
    assert b"worth 12 equal ones" in svg
    for written in (report, text, svg.decode()):
        assert "nan" not in written


def test_the_axis_of_one_decision_holds_all_intervals() -> None:
    actions = pd.DataFrame(
        [
            {"action": "challenge", "difference": 0.0, "difference_low": 0.0},
            {"action": "take", "difference": -1.0, "difference_low": -3.0},
        ]
    ).assign(points=2.0, difference_high=[0.0, 9.0])
    axes = explain_charts.action_chart(choice(), actions, "").figure.axes[0]
    low, high = axes.get_xlim()
    assert low < -3.0
    assert high > 9.0
    assert [label.get_fontweight() for label in axes.get_yticklabels()] == ["normal", "bold"]
    assert len({line.get_color() for line in axes.lines[:-1]}) == 1


@pytest.mark.parametrize("weights", [29.9, 30.0 - 1e-9])
def test_a_mistake_takes_thirty_effective_worlds(weights: float) -> None:
    enough = explain.effective_enough({"effective_worlds": weights, "worlds": 30})
    assert enough == (weights > 29.95)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "2"], "--seat 2: must be from 0 to 1; the game has 2 players"),
        (["--decision", "0"], "--decision 0: must be from 1 to "),
        (["--decision", "100000"], "--decision 100000: must be from 1 to "),
        (["--worlds", "29"], "--worlds 29: must be at least 30; intervals of fewer do not hold"),
        (["--policy", "nobody"], "agent 'nobody': unknown"),
        (["--policy", "network_numpy"], "weights"),
        (["--model", "nobody"], "agent 'nobody': unknown"),
        (["--model", "greedy,"], "agents 'greedy,': a name is missing"),
        (["--model", f"greedy,{BATCHED}"], f"--model {BATCHED}: must be a compiled agent"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    whole_game: Path, arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(explain, None, [str(whole_game), *arguments], said)


def test_a_file_that_is_no_record_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "none", tmp_path / "missing.txt") == 2
    assert "missing.txt" in capsys.readouterr().err
    (tmp_path / "text.txt").write_text("hello\n")
    assert run(tmp_path / "none", tmp_path / "text.txt") == 2
    assert "not a game record" in capsys.readouterr().err


def test_a_forced_decision_has_no_cost(
    whole_game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, game in enumerate(Game.replay(explain.load_record(whole_game)), 1):
        if len(game.legal_actions()) == 1:
            assert run(tmp_path / "none", whole_game, "--decision", str(number)) == 2
            assert "was legal, so there was no choice" in capsys.readouterr().err
            return
    pytest.fail("no forced decision in the record")
