"""`python -m experiments.round_robin`, from its arguments to its files."""

import itertools
import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.transforms import Bbox

from experiments import round_robin
from experiments.round_robin_charts import (
    Standing,
    by_how_much,
    ratings_chart,
    who_is_ahead,
    wins_chart,
)
from tests.experiments.conftest import Refuses
from tests.experiments.test_charts import LONG, texts_and_boxes
from uno_sim import UNO_DUO, UNO_POCKET
from uno_sim import round_robin as play_round_robin

LOWEST = "tests/policies.py::lowest_legal"
AGENTS = f"greedy,random,{LOWEST}"
SMALL = ["--agents", AGENTS, "--rounds", "40", "--seed", "3"]
TABLES = ("wins", "ratings", "comparisons", "points")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    assert round_robin.main([*SMALL, "--out", str(folder)]) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def standing(verdicts: dict[tuple[str, str], str], points: dict[str, float]) -> Standing:
    """Return tables with some verdicts and ratings, as far as titles read them."""
    comparisons = pd.DataFrame(
        [{"agent": a, "opponent": b, "verdict": said} for (a, b), said in verdicts.items()]
    )
    ratings = pd.DataFrame([{"agent": name, "points": value} for name, value in points.items()])
    nothing = pd.DataFrame()
    lead = 39.8, -0.2, 80.4
    return Standing("UNO Duo", "rounds", "", nothing, comparisons, ratings, nothing, lead)


def test_every_table_is_written_and_two_are_drawn(folder: Path) -> None:
    expected = {f"{name}.csv" for name in TABLES} | {"run.json"}
    expected |= {f"{name}.{kind}" for name in TABLES[:2] for kind in ("png", "svg")}
    assert {name for name in files(folder) if not name.endswith(".parquet")} == expected


def test_the_tables_are_those_of_the_tournament(folder: Path) -> None:
    for rules in (UNO_DUO, UNO_POCKET):
        played = play_round_robin(rules, AGENTS.split(","), rounds=40, seed=3)
        for name in TABLES:
            table = pd.read_csv(folder / f"{name}.csv", keep_default_na=False)
            table = table[table["game"] == rules.name].drop(columns="game").reset_index(drop=True)
            expected = getattr(played, name)().replace("lowest_legal", "policies.py::lowest_legal")
            pd.testing.assert_frame_equal(table, expected, check_dtype=False)


def test_the_same_seed_gives_the_same_bytes_by_any_number_of_workers(
    folder: Path, tmp_path: Path
) -> None:
    assert round_robin.main([*SMALL, "--workers", "2", "--out", str(tmp_path)]) == 0
    assert files(tmp_path) == files(folder)


def test_sums_alone_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert round_robin.main([*SMALL, "--keep", "aggregates", "--out", str(tmp_path)]) == 0
    assert files(tmp_path) == files(folder)
    assert not (tmp_path / "rows").exists()


def test_another_seed_gives_other_results(folder: Path, tmp_path: Path) -> None:
    assert round_robin.main([*SMALL[:-1], "4", "--out", str(tmp_path)]) == 0
    changed = {name for name, data in files(tmp_path).items() if data != files(folder)[name]}
    assert {f"{name}.csv" for name in TABLES} <= changed


def test_the_run_can_be_read_back(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    assert (run["experiment"], run["agents"], run["rounds"], run["games"]) == (
        *("round_robin", AGENTS),
        *(40, None),
    )
    assert run["played"] == [UNO_DUO.name, UNO_POCKET.name]
    assert str(folder) not in json.dumps(run)


def test_whole_games_of_three_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--agents", AGENTS, "--players", "3", "--games", "6", "--out", str(tmp_path)]
    assert round_robin.main(arguments) == 0
    out, err = capsys.readouterr()
    assert "UNO Pocket Pizza Pizza: 1 table of 3; each 6 games in 2 deals" in out
    assert "UNO Duo" not in out
    numbers = re.search(r"wins against 1 +wins against 2 +wins against 3\n  1 (\S+) .*\n  2 ", out)
    assert numbers is not None
    assert numbers[1] in {"greedy", "random", "policies.py::lowest_legal"}
    assert err == "UNO Pocket Pizza Pizza: 6 games a table\n"
    assert set(pd.read_csv(tmp_path / "points.csv")["games"]) == {6}
    for name in ("wins", "ratings", "run.json"):
        assert str(tmp_path / name) in out


def test_what_is_not_resolved_is_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    burning = "tests/policies.py::lowest_legal_burning_numbers"
    arguments = ["--game", "duo", "--agents", f"{LOWEST},{burning}", "--rounds", "20"]
    assert round_robin.main([*arguments, "--out", str(tmp_path)]) == 0
    assert "(-30.8 to +30.8); not resolved" in capsys.readouterr().out
    pictures = [(tmp_path / f"{name}.svg").read_text() for name in ("wins", "ratings")]
    assert all("resolved" in picture for picture in pictures)


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["A", "A", "B"], "A is ahead of all others"),
        (["A", "not resolved", "B"], "A is rated highest, but its lead over C is not resolved"),
        (
            ["not resolved", "not resolved", "B"],
            "A is rated highest, but its lead over B and C is not resolved",
        ),
        (
            ["not resolved", "C", "B"],
            "A is rated highest, but it loses to C and its lead over B is not resolved",
        ),
    ],
)
def test_titles_follow_the_data(verdicts: list[str], said: str) -> None:
    pairs = [("A", "B"), ("A", "C"), ("B", "C")]
    found = standing(dict(zip(pairs, verdicts, strict=True)), {"A": 50, "B": 10.2, "C": -60})
    assert who_is_ahead(found) == said


def test_a_lead_in_rating_is_one_where_its_interval_is_above_0() -> None:
    found = standing({("A", "B"): "A"}, {"A": 50, "B": 10.2})
    assert by_how_much(found) == "No lead resolved: A is rated 40 (0 to 80) points above B"
    clear = replace(found, lead=(39.8, 0.6, 79.0))
    assert by_how_much(clear) == "A is rated 40 (1 to 79) points above B"


def test_of_two_agents_the_lead_is_known_by_hand() -> None:
    found = Standing.of(play_round_robin(UNO_DUO, ["greedy", "random"], rounds=200))
    value, low, high = found.lead
    top = found.ratings.iloc[0]
    assert value == pytest.approx(2 * top["points"])
    assert (low, high) == pytest.approx((2 * top["points_low"], 2 * top["points_high"]))


def test_two_agents_are_named_in_the_title() -> None:
    found = standing({("B", "A"): "A"}, {"A": 1, "B": -1})
    assert who_is_ahead(found) == "A is ahead of B"


CASES: dict[str, dict[str, Any]] = {
    "two agents": {"agents": ["greedy", "random"], "rounds": 20},
    "long names": {"agents": [LOWEST, "random", "greedy"], "rounds": 20, "name": LONG},
    "twelve agents": {"agents": ["greedy", "random", LOWEST] * 4, "rounds": 4},
    "never lost": {"agents": ["greedy", "random"], "games": 10},
}


@pytest.mark.parametrize("draw", [wins_chart, ratings_chart])
@pytest.mark.parametrize("case", CASES)
def test_no_text_meets_another(case: str, draw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    options = dict(CASES[case])
    agents, name = options.pop("agents"), options.pop("name", None)
    played = [play_round_robin(rules, agents, **options) for rules in (UNO_DUO, UNO_POCKET)]
    standings = [Standing.of(one) for one in played]
    if name:
        for one in standings:
            for table in (one.wins, one.comparisons, one.ratings):
                table.replace("lowest_legal", name, inplace=True)
    chart = draw(standings, "Seed 0. Rules: target=500, stack_draws=false.")
    found = texts_and_boxes(chart, monkeypatch)
    page = Bbox.from_extents(0, 0, *(200 * chart.figure.get_size_inches()))
    for text, box in found:
        assert page.x0 - 2 <= box.x0 and box.x1 <= page.x1 + 2, text
        assert page.y0 - 2 <= box.y0 and box.y1 <= page.y1 + 2, text
    for (one, box), (other, other_box) in itertools.combinations(found, 2):
        shared = Bbox.intersection(box, other_box)
        assert shared is None or min(shared.width, shared.height) < 3, f"{one!r} meets {other!r}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agents", "nobody,greedy"], "agent 'nobody': unknown; known are"),
        (["--agents", "greedy"], "--players 2: must be from 2 to the agents, 1"),
        (["--agents", "greedy,random,greedy"], "greedy is there twice"),
        (["--agents", "greedy,,random"], "a name is missing"),
        (["--game", "chess"], "'chess'"),
        (["--players", "3"], "--players 3: must be from 2 to the agents, 2"),
        (["--players", "1"], "--players 1: must be from 2"),
        (["--agents", AGENTS, "--players", "3", "--game", "duo"], "UNO Duo is for 2 players"),
        (["--rounds", "7"], "plays every deal 2 times, once from each seat; try 6 or 8"),
        (["--games", "1"], "--games 1: a table plays every deal 2 times"),
        (["--rounds", "10", "--games", "10"], "not allowed with"),
        (["--rounds", "0"], "there is nothing to play"),
        (["--rounds", "ten"], "'ten' must be a whole number"),
        (["--workers", "0"], "workers=0"),
        (["--seed", str(2**64)], "seed="),
        (["--rule", "target=many"], "target must be an integer"),
        (["--round", "10"], "--round"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(round_robin, "play_tables", arguments, said)


def test_the_default_is_whole_deals_for_every_number_of_players() -> None:
    assert all(round_robin.DEFAULT_ROUNDS % players == 0 for players in (2, 3, 4, 5))


def test_it_runs_as_a_module_and_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "experiments.round_robin", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for word in ("--agents", "--rule", "run.json", "Holm", "examples:"):
        assert word in run.stdout


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    rows = ["--game", "duo", "--agents", AGENTS, "--rounds", "50000", "--workers", "2"]
    command = [sys.executable, "-m", "experiments.round_robin", *rows, "--out"]

    def units(folder: str) -> list[Path]:
        return sorted((tmp_path / folder).glob("rows/*/table-*/unit-*.rows"))

    for finished in (1, 6, 11):
        process = subprocess.Popen([*command, str(tmp_path / "killed")])
        while len(units("killed")) < finished and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert len(units("killed")) < 75
    for folder in ("killed", "undisturbed"):
        subprocess.run([*command, str(tmp_path / folder)], check=True)
    assert files(tmp_path / "killed") == files(tmp_path / "undisturbed")
    assert len(units("killed")) == 75
    for one, other in zip(units("killed"), units("undisturbed"), strict=True):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("option", [("--workers", "0"), ("--executor", "cloud")])
def test_wrong_workers_are_named(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert round_robin.main([*SMALL, *option, "--out", str(tmp_path / "new")]) == 2
    assert f"error: {option[0][2:]}=" in capsys.readouterr().err


def test_quiet_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert round_robin.main([*SMALL, "--quiet", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().err == ""
