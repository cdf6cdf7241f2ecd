"""`python -m experiments.belief_calibration`: how often beliefs are true."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments import belief_calibration, belief_charts, belief_measures
from experiments.beliefs import CARDS_ALONE, GUILT, STATEMENTS, statements
from tests.experiments.conftest import Refuses
from uno_sim import UNO_POCKET, make_agent

SMALL = ["--deals", "4", "--worlds", "60", "--agents", "random", "--seed", "3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    assert belief_calibration.main([*SMALL, "--out", str(folder)]) == 0
    return folder


def believed(values: list[float], true: list[bool], model: str) -> pd.DataFrame:
    """Return statements about guilt, a deal each."""
    frame = pd.DataFrame({"believed": values, "true": true, "deal": range(len(values))})
    return frame.assign(game="Duo", opponent="x", about=GUILT, model=model, worth=100.0)


def test_a_small_run_writes_its_files(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert {"brier.png", "guilt.png", "color.svg", "kind.png", "run.json"} <= names
    assert {"reliability.csv", "brier.csv"} <= names
    scores = pd.read_csv(folder / "brier.csv")
    assert set(scores["model"]) == {CARDS_ALONE, "right", "wrong", "mixture"}
    assert set(scores["about"]) <= set(STATEMENTS)
    assert scores["brier"].between(0, 1).all()
    settings = json.loads((folder / "run.json").read_text())
    assert (settings["deals"], settings["seed"]) == (4, 3)


def test_the_same_arguments_write_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert belief_calibration.main([*SMALL, "--out", str(tmp_path)]) == 0
    for path in folder.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name


def test_a_calibrated_belief_lies_on_the_line() -> None:
    random = np.random.default_rng(1)
    values = random.random(20_000)
    true = random.random(20_000) < values
    table = belief_measures.reliability(believed(list(values), list(true), CARDS_ALONE))
    assert len(table) == belief_measures.BINS
    assert table["n"].sum() == 20_000
    assert (abs(table["true"] - table["believed"]) < 0.04).all()
    assert ((table["low"] < table["true"]) & (table["true"] < table["high"])).all()


def test_brier_scores_are_those_worked_by_hand() -> None:
    true = [True, False, True, False]
    frame = pd.concat(
        [
            believed([0.5] * 4, true, CARDS_ALONE),
            believed([0.9, 0.1, 0.8, 0.2], true, "right"),
        ]
    )
    scores = belief_measures.brier_scores(frame).set_index("model")
    assert scores.loc[CARDS_ALONE, "brier"] == pytest.approx(0.25)
    assert scores.loc["right", "brier"] == pytest.approx((2 * 0.01 + 2 * 0.04) / 4)
    assert scores.loc["right", "better"] == pytest.approx(0.25 - 0.025)
    assert scores.loc["right", "better_low"] > 0
    assert scores.loc[CARDS_ALONE, "better"] == 0


def test_titles_say_what_is_better_and_what_is_not_resolved() -> None:
    good = believed([0.9, 0.1] * 20, [True, False] * 20, "right")
    base = believed([0.5] * 40, [True, False] * 20, CARDS_ALONE)
    scores = belief_measures.brier_scores(pd.concat([base, good]))
    assert belief_charts.how_reliable(scores).startswith("Brier score 0.010 with the right model")
    others = scores[scores["model"] != CARDS_ALONE]
    assert belief_charts.which_helps(others) == "The right model is better than cards alone"
    even = scores.assign(better=0.0, better_low=-1.0, better_high=1.0)
    assert belief_charts.how_reliable(even).startswith("No difference resolved")
    assert belief_charts.which_helps(even) == "No difference from cards alone resolved"


def test_models_that_are_better_worse_and_not_resolved_are_told_apart() -> None:
    columns = ["model", "n", "better_low", "better_high"]
    rows = [("right", 50, 0.1, 0.2), ("mixture", 50, 0.1, 0.3), ("wrong", 50, -0.2, -0.1)]
    said = belief_charts.which_helps(pd.DataFrame(rows, columns=columns))
    assert said == (
        "The right and the mixture model are better than cards alone; the wrong model is worse"
    )
    rows[1] = ("mixture", 50, -0.1, 0.3)
    said = belief_charts.which_helps(pd.DataFrame(rows, columns=columns))
    assert said == (
        "The right model is better than cards alone; the wrong model is worse; of the mixture "
        "model no difference is resolved"
    )


def test_of_few_statements_no_output_says_anything() -> None:
    few = [believed([0.9, 0.1] * 2, [True, False] * 2, "right")]
    few.append(believed([0.5] * 4, [True, False] * 2, CARDS_ALONE))
    frame = pd.concat(few)
    scores, table = belief_measures.brier_scores(frame), belief_measures.reliability(frame)
    said = "Only 4 statements: nothing to say"
    texts = [
        belief_charts.reliability_chart(table, scores, GUILT, "").svg().decode(),
        belief_charts.brier_chart(scores, "").svg().decode(),
    ]
    texts.append(belief_calibration.summary(scores).replace("only", "Only"))
    for text in texts:
        assert said in text
        assert "nan" not in text
        assert "better" not in text
        assert "Brier 0." not in text


def test_intervals_of_scores_hold_no_impossible_score() -> None:
    frame = pd.concat(
        [
            believed([1.0, 0.0, 0.5], [False, False, True], CARDS_ALONE),
            believed([1.0, 0.0, 0.5], [True, False, False], "right"),
        ]
    )
    scores = belief_measures.brier_scores(frame)
    assert scores[["low", "high"]].to_numpy().tolist()[0] == [0, 1]
    assert scores[["better_low", "better_high"]].abs().max(axis=None) <= 1


def test_situations_are_those_of_the_first_agent() -> None:
    agents = [make_agent("greedy"), make_agent("random")]
    frames = list(statements(UNO_POCKET, agents, {"cards": None}, np.arange(6), 1, 20, 1.0))
    frame = pd.concat(frames)
    assert set(frame["about"]) == set(STATEMENTS)
    assert frame["believed"].between(0, 1).all()
    per_deal = frame[frame["about"] == GUILT].groupby("deal").size()
    assert per_deal.max() <= 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--deals", "0"], "--deals 0: must be at least 1"),
        (["--agents", "nobody"], "nobody"),
        (["--agents", "greedy,random", "--players", "3"], "must be one opponent"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(belief_calibration, None, arguments, said)
