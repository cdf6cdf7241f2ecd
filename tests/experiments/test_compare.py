"""`python -m experiments.compare`: a plan from a pilot, and what is then played."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from experiments import compare, comparison_plan
from tests.experiments.conftest import Refuses
from uno_sim import UNO_DUO, UNO_POCKET, simulate
from uno_sim.statistics import difference_by_deal

LOWEST = "tests/policies.py::lowest_legal"
SMALL = ["greedy", "random", "--precision", "0.05", "--pilot", "200", "--seed", "3"]


def pilot(*, agents: list[str], **options: Any) -> Any:
    """Return the rows that a plan is made from."""
    return simulate(UNO_DUO, agents, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    assert compare.main([*SMALL, "--out", str(folder)]) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_exactly_the_planned_deals_are_played_on_other_deals_than_the_pilot(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    plan = run["plan"]
    assert plan["pilot_deals"] == 200
    assert plan["pilot_seed"] == 3 + 2**63
    row = pd.read_csv(folder / "comparison.csv").iloc[0]
    assert row["deals"] == plan["deals"]
    assert row["rounds"] == 2 * plan["deals"]
    again = simulate(UNO_DUO, ["greedy", "random"], rounds=int(row["rounds"]), seed=3)
    won = again.rounds.assign(won=again.rounds["winner_index"] == 0)
    assert row["win_rate"] == pytest.approx(won["won"].mean())
    totals = won.groupby("deal")["won"].sum().to_numpy()
    found = difference_by_deal(totals, 2 - totals, np.full(len(totals), 2), limit=1)
    columns = ["difference", "low", "high", "p_value"]
    assert row[columns].tolist() == pytest.approx(list(found))
    assert row["half_width"] == pytest.approx((found.high - found.low) / 2)
    assert row["resolved"]


def test_the_plan_follows_from_the_variance_of_the_pilot() -> None:
    results = pilot(agents=["greedy", LOWEST], rounds=2000, seed=1)
    plan = comparison_plan.make_plan(results, 0.02)
    won = (results.rounds["winner_index"] == 0).to_numpy().reshape(-1, 2)
    rows = 2 * won - 1.0
    assert plan.variance == pytest.approx(rows.mean(axis=1).var(ddof=1))
    assert plan.row_variance == pytest.approx((rows[:, 0].var(ddof=1) + rows[:, 1].var(ddof=1)) / 2)
    assert plan.gain == pytest.approx(plan.row_variance / 2 / plan.variance)
    assert plan.deals == math.ceil((1.959964 / 0.02) ** 2 * plan.variance_limit)
    assert plan.variance < plan.variance_limit < 1.3 * plan.variance


def test_half_the_width_takes_about_four_times_the_deals() -> None:
    results = pilot(agents=["greedy", LOWEST], rounds=2000)
    wide, narrow = (comparison_plan.make_plan(results, width).deals for width in (0.02, 0.01))
    assert 3.6 < narrow / wide <= 4


def test_pairing_pays_for_agents_that_play_alike() -> None:
    careful = "tests/policies.py::lowest_legal_burning_numbers"
    alike = pilot(agents=[LOWEST, careful], rounds=400)
    assert comparison_plan.make_plan(alike, 0.01).gain is None
    far = pilot(agents=["greedy", "random"], rounds=2000)
    assert comparison_plan.make_plan(far, 0.01).gain == pytest.approx(1, abs=0.1)


def test_the_variants_of_the_documentation_gain_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    file = tmp_path / "variants.py"
    file.write_text(block, encoding="utf-8")
    for name, low, high in (("careless", 4, 6), ("challenger", 3, 4.5), ("untrained", 0.9, 1.1)):
        assert compare.main(["greedy", f"{file}::{name}", "--pilot", "2000", "--dry-run"]) == 0
        gain = re.search(r"as much as (\S+) unpaired", capsys.readouterr().out)
        assert gain is not None
        assert low < float(gain[1]) < high


def test_the_gain_is_what_unpaired_rounds_show() -> None:
    paired = pilot(agents=["greedy", LOWEST], rounds=20_000)
    unpaired = pilot(agents=["greedy", LOWEST], rounds=20_000, paired=False, seed=1)
    plan = comparison_plan.make_plan(paired, 0.01)
    won = (unpaired.rounds["winner_index"] == 0).to_numpy()
    assert plan.row_variance == pytest.approx((2 * won - 1.0).var(), rel=0.03)


@pytest.mark.parametrize("agents", [["greedy", LOWEST], ["greedy", "random"], ["greedy"] * 2])
def test_the_planned_precision_is_reached(
    agents: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*agents, "--precision", "0.02", "--out", str(tmp_path)]
    assert compare.main(arguments) == 0
    row = pd.read_csv(tmp_path / "comparison.csv").iloc[0]
    assert 0.012 < row["half_width"] <= 0.02
    assert f"+-{100 * row['half_width']:.2f}" in capsys.readouterr().out


def rows_of_deals(winners: np.ndarray) -> Any:
    """Return rows with these winners, `[D, 2]`, as far as a plan reads them."""
    deals, rotations = np.indices(winners.shape)
    columns = {"deal": deals, "rotation": rotations, "winner_index": winners}
    frame = pd.DataFrame({name: column.ravel() for name, column in columns.items()})
    seats = np.array([[0, 1], [1, 0]])
    return SimpleNamespace(unit="rounds", rounds=frame, seats=seats, num_players=2, seed=0)


@pytest.mark.parametrize("rare", [True, False])
def test_nine_runs_of_ten_reach_the_precision_and_hold_the_truth(rare: bool) -> None:
    generator = np.random.default_rng(1)
    outcomes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    shares = (0.966, 0.017, 0.017, 0) if rare else (0.074, 0.431, 0.431, 0.064)
    truth = shares[0] - shares[3]
    reached = held = 0
    for _ in range(200):
        pilot_rows = outcomes[generator.choice(4, 1000, p=shares)]
        plan = comparison_plan.make_plan(rows_of_deals(pilot_rows), 0.01)
        played = rows_of_deals(outcomes[generator.choice(4, plan.deals, p=shares)])
        leads = comparison_plan.differences(played).sum(axis=1)
        found = difference_by_deal(leads, 0 * leads, np.full(len(leads), 2), limit=1)
        reached += found.high - found.low <= 0.02
        held += found.low <= truth <= found.high
    assert reached >= 175
    assert 182 <= held <= 198


def test_the_opponent_takes_all_other_seats(tmp_path: Path) -> None:
    arguments = ["greedy", "random", "--game", "pocket", "--players", "4", "--precision", "0.1"]
    arguments += ["--pilot", "100", "--unit", "games", "--out", str(tmp_path)]
    assert compare.main(arguments) == 0
    row = pd.read_csv(tmp_path / "comparison.csv").iloc[0]
    assert row["games"] == 4 * row["deals"]
    played = simulate(UNO_POCKET, ["greedy", *["random"] * 3], games=int(row["games"]))
    rates = played.summary()["win_rate"]
    assert row["win_rate"] == pytest.approx(rates[0])
    assert row["win_rate_opponent"] == pytest.approx(rates[1:].mean())
    assert row["difference"] == pytest.approx(rates[0] - rates[1:].mean())


def test_a_dry_run_plans_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare.main([*SMALL, "--dry-run", "--out", str(tmp_path / "new")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("plan: UNO Duo, greedy against random, rounds\n")
    assert "variance of the difference of a deal" in out
    assert "result" not in out
    assert err == "pilot: 200 deals\n"
    assert list(tmp_path.iterdir()) == []


def test_the_plan_stands_before_the_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare.main([*SMALL, "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.index("plan:") < out.index("result: greedy wins")
    assert "resolved: greedy is ahead (p < 0.0001)" in out


def test_equal_agents_are_not_resolved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["greedy", "greedy", "--precision", "0.05", "--pilot", "100"]
    assert compare.main([*arguments, "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "greedy (1) wins 50.0%, greedy (2) 50.0%" in out
    assert "not resolved who is ahead (p = 1.0000)" in out


def test_the_same_seed_gives_the_same_bytes_by_any_number_of_workers(
    folder: Path, tmp_path: Path
) -> None:
    assert compare.main([*SMALL, "--workers", "2", "--out", str(tmp_path)]) == 0
    assert files(tmp_path) == files(folder)


def test_sums_alone_give_the_same_result(folder: Path, tmp_path: Path) -> None:
    assert compare.main([*SMALL, "--out", str(tmp_path), "--keep", "aggregates"]) == 0
    assert files(tmp_path) == files(folder)
    plan = json.loads((tmp_path / "run.json").read_text())["plan"]
    (pilot,) = (tmp_path / "rows").iterdir()
    (run,) = (tmp_path / "aggregates").iterdir()
    manifests = [json.loads((kept / "manifest.json").read_text()) for kept in (pilot, run)]
    assert [manifest["rows"] for manifest in manifests] == [400, 2 * plan["deals"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["greedy"], "B"),
        (["greedy", "nobody"], "agent 'nobody': unknown"),
        (["greedy,random", "random"], "agent 'greedy,random': is more than one"),
        (["greedy", ""], "a name is missing"),
        (["greedy", "random", "--precision", "0"], "'0' must be a number between 0 and 1"),
        (["greedy", "random", "--precision", "1%"], "'1%' must be a number between 0 and 1"),
        (["greedy", "random", "--pilot", "99"], "--pilot 99: must be at least 100"),
        (["greedy", "random", "--players", "3"], "UNO Duo is for 2 players"),
        (["greedy", "random", "--players", "1"], "players=1"),
        (["greedy", "random", "--unit", "turns"], "'turns'"),
        (["greedy", "random", "--game", "both"], "'both'"),
        (["greedy", "random", "--workers", "0"], "workers=0"),
        (["greedy", "random", "--keep", "nothing"], "'nothing'"),
        (["greedy", "random", "--seed", str(2**64)], "seed="),
        (["greedy", "random", "--rule", "target=many"], "target must be an integer"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(compare, "play_plan", arguments, said)


def test_a_precision_that_takes_too_many_rows_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["greedy", LOWEST, "--precision", "0.00001", "--pilot", "100"]
    assert compare.main([*arguments, "--out", str(tmp_path / "new")]) == 2
    assert "takes more than 1000000000 rows" in capsys.readouterr().err
    assert files(tmp_path / "new") == {}


def test_it_runs_as_a_module_and_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "experiments.compare", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for word in ("--precision", "--dry-run", "pilot", "run.json", "examples:"):
        assert word in run.stdout
