"""`python -m experiments.win_rates`, from its arguments to its files."""

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from experiments import win_rates
from tests.experiments.conftest import Refuses
from uno_sim import UNO_DUO, UNO_POCKET, simulate
from uno_sim.simulation.batches import play_plan

SMALL = ["--rounds", "40", "--games", "4", "--seed", "3"]
NAMES = ("win_rates", "round_points", "final_scores", "round_lengths")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    assert win_rates.main([*SMALL, "--out", str(folder)]) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_every_chart_comes_as_picture_and_table(folder: Path) -> None:
    expected = {f"{name}.{ending}" for name in NAMES for ending in ("png", "svg", "csv")}
    found = {name for name in files(folder) if not name.endswith(".parquet")}
    assert found == {*expected, "run.json"}


def test_pictures_have_200_dots_an_inch(folder: Path) -> None:
    for name in NAMES:
        data = (folder / f"{name}.png").read_bytes()
        place = data.index(b"pHYs") + 4
        across, down, unit = struct.unpack(">IIB", data[place : place + 9])
        assert (across, down, unit) == (7874, 7874, 1)


@pytest.mark.parametrize(("rules", "seed"), [(UNO_DUO, 3), (UNO_POCKET, 3)])
def test_the_table_counts_what_simulate_plays(folder: Path, rules: Any, seed: int) -> None:
    table = pd.read_csv(folder / "win_rates.csv")
    table = table[(table["game"] == rules.name) & (table["by"] == "agent")]
    for unit, rows in (("rounds", 40), ("games", 4)):
        results = simulate(rules, ["greedy", "random"], seed=seed, **{unit: rows})
        expected = results.summary().set_index("agent")["wins"]
        found = table[table["unit"] == unit].set_index("name")["wins"]
        assert found.to_dict() == expected.to_dict()


def test_equal_agents_are_compared_by_seat(folder: Path) -> None:
    table = pd.read_csv(folder / "win_rates.csv")
    equal = table[table["match"] == "greedy against greedy"]
    assert set(equal["by"]) == {"seat"}
    assert set(equal["name"]) == {"starter", "first drafter", "dealer"}
    assert (equal["deals"] == equal["played"]).all()


def test_the_run_can_be_read_back(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    assert run["experiment"] == "win_rates"
    assert (run["seed"], run["rounds"], run["games"]) == (3, 40, 4)
    assert {match["game"] for match in run["matches"]} == {UNO_DUO.name, UNO_POCKET.name}
    assert str(folder) not in json.dumps(run)


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert win_rates.main([*SMALL, "--out", str(tmp_path)]) == 0
    assert files(tmp_path) == files(folder)


def test_sums_instead_of_rows_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert win_rates.main([*SMALL, "--keep", "aggregates", "--out", str(tmp_path)]) == 0
    assert files(tmp_path) == files(folder)
    units = [file.suffix for file in (tmp_path / "aggregates").rglob("unit-*")]
    assert units == [".sums"] * 88
    assert not (tmp_path / "rows").exists()


def test_another_seed_gives_other_results(folder: Path, tmp_path: Path) -> None:
    assert win_rates.main([*SMALL[:-1], "4", "--out", str(tmp_path)]) == 0
    changed = {name for name, data in files(tmp_path).items() if data != files(folder)[name]}
    assert {f"{name}.csv" for name in NAMES} <= changed


def test_the_end_of_the_run_tells_rates_and_paths(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "--game",
        "pocket",
        "--players",
        "3",
        "--agents",
        "greedy,random",
        "--rounds",
        "30",
    ]
    assert win_rates.main([*arguments, "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "random (1)" in out
    assert "random (2)" in out
    assert " to " in out
    for name in files(tmp_path):
        assert str(tmp_path / name.partition(".")[0]) in out
    assert err.splitlines()[0] == "UNO Pocket Pizza Pizza, greedy,random,random: 30 rounds"
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        ([], {"rounds": 120_000, "games": 12_000}),
        (["--rounds", "10"], {"rounds": 10, "games": 2}),
        (["--rounds", "5000"], {"rounds": 5000, "games": 500}),
        (["--games", "50"], {"rounds": 500, "games": 50}),
        (["--games", "0"], {"rounds": 120_000, "games": 0}),
        (["--rounds", "0"], {"rounds": 0, "games": 12_000}),
        (["--rounds", "20", "--games", "0"], {"rounds": 20, "games": 0}),
    ],
)
def test_the_number_that_is_not_given_follows(arguments: list[str], counts: dict[str, int]) -> None:
    settings = win_rates.read_settings(arguments)
    casts = win_rates.make_casts([], settings.agents, None, [], 0)
    assert all(win_rates.row_counts(settings, cast) == counts for cast in casts)


def test_defaults_are_whole_deals_for_every_number_of_players() -> None:
    for players in (2, 3, 4, 5):
        assert win_rates.DEFAULT_ROUNDS % players == 0
        assert win_rates.DEFAULT_GAMES % players == 0


def test_equal_agents_may_play_any_number(tmp_path: Path) -> None:
    arguments = ["--game", "duo", "--agents", "greedy", "--rounds", "7", "--games", "0"]
    assert win_rates.main([*arguments, "--out", str(tmp_path)]) == 0
    assert pd.read_csv(tmp_path / "win_rates.csv")["played"].tolist() == [7, 7]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agents", "nobody,greedy"], "agent 'nobody': unknown; known are"),
        (["--agents", "greedy:depth=3"], "depth"),
        (["--agents", "missing.py::x"], "there is no file"),
        (["--agents", "greedy,,random"], "a name is missing"),
        (["--game", "chess"], "'chess'"),
        (["--game", "duo", "--players", "3"], "UNO Duo is for 2 players"),
        (["--players", "9"], "no game is for more than 5"),
        (["--players", "1"], "players=1"),
        (["--rounds", "ten"], "'ten' must be a whole number"),
        (["--rounds", "-2"], "'-2' must be a whole number"),
        (["--rounds", "1e3"], "'1e3' must be a whole number"),
        (["--rounds", "99999999999"], "at most"),
        (["--rounds", "7"], "plays every deal 2 times, once from each seat; try 6 or 8"),
        (["--rounds", "1"], "try 2"),
        (["--rounds", "10", "--players", "3"], "try 9 or 12"),
        (["--rounds", "10", "--games", "3"], "--games 3"),
        (["--rounds", "0", "--games", "0"], "nothing to play"),
        (["--seed", "-1"], "'-1' must be a whole number"),
        (["--seed", str(2**64)], "seed="),
        (["--rule", "colour=red"], "must be FIELD=VALUE"),
        (["--rule", "target=many"], "target must be an integer"),
        (["--rule", "hand_size=60"], "hand_size=60"),
        (["--rule", "name=One"], "name"),
        (["--keep", "everything"], "'everything'"),
        (["--round", "10"], "--round"),
        (["more"], "more"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(win_rates, "play_plan", arguments, said)


def test_the_folder_is_checked_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(win_rates, "play_plan")
    (tmp_path / "file").touch()
    assert win_rates.main(["--out", str(tmp_path / "file" / "below")]) == 2
    err = capsys.readouterr().err
    assert "cannot write there" in err
    assert err.count("\n") == 1


def test_an_agent_that_breaks_the_rules_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cheat.py"
    file.write_text(
        "import uno_sim\n"
        "from uno_sim import actions\n"
        "@uno_sim.policy\n"
        "def cheat(observation, rules, params, memory, random):\n"
        "    return actions.PASS\n"
    )
    arguments = ["--game", "duo", "--agents", f"{file}::cheat,greedy", "--rounds", "2"]
    assert win_rates.main([*arguments, "--out", str(tmp_path / "new")]) == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("win_rates: error: agent 'cheat' returned")
    (saved,) = (tmp_path / "new" / "failures").iterdir()
    assert last.endswith(f"uno_sim.Game.load({str(saved)!r})")
    assert files(tmp_path / "new") == {}


def test_after_an_interrupt_the_same_command_goes_on(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = []

    def interrupted(*arguments: Any, **options: Any) -> Any:
        played.append(options["out"])
        if len(played) == 3:
            raise KeyboardInterrupt
        return play_plan(*arguments, **options)

    monkeypatch.setattr(win_rates, "play_plan", interrupted)
    command = [*SMALL, "--out", str(tmp_path / "new")]
    assert win_rates.main(command) == 130
    assert "win_rates: interrupted" in capsys.readouterr().err
    assert files(tmp_path / "new") == {}
    kept = {path: path.stat().st_mtime_ns for out in played[:2] for path in out.iterdir()}
    assert len(kept) >= 4
    assert win_rates.main(command) == 0
    assert files(tmp_path / "new") == files(folder)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_workers_and_where_they_play_change_no_byte(folder: Path, tmp_path: Path) -> None:
    assert win_rates.main([*SMALL, "--workers", "2", "--out", str(tmp_path / "new")]) == 0
    assert files(tmp_path / "new") == files(folder)


@pytest.mark.parametrize("option", [("--workers", "0"), ("--executor", "cloud")])
def test_wrong_workers_are_named(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert win_rates.main([*SMALL, *option, "--out", str(tmp_path / "new")]) == 2
    assert f"error: {option[0][2:]}=" in capsys.readouterr().err


def test_it_runs_as_a_module_and_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "experiments.win_rates", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for word in ("--agents", "--rule", "run.json", "Wilson", "examples:"):
        assert word in run.stdout
