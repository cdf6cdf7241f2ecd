"""The options of `experiments.train_ppo`, which are read and checked without PyTorch."""

import subprocess
import sys
from pathlib import Path

import pytest

from experiments import train_ppo
from tests.experiments.conftest import Refuses


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--opponents", "nobody"], "agent 'nobody': unknown; known are"),
        (["--opponents", "greedy,,random"], "a name is missing"),
        (["--against", "greedy:depth=3"], "depth"),
        (["--against", "network:weights=missing.npy"], "missing.npy"),
        (["--game", "both"], "'both'"),
        (["--players", "3"], "UNO Duo is for 2 players"),
        (["--steps", "0"], "at least 1"),
        (["--steps", "1e6"], "'1e6' must be a whole number"),
        (["--envs", "0"], "at least 1"),
        (["--hidden", "64,"], "'' must be a whole number"),
        (["--hidden", "64,0"], "numbers from 1 to"),
        (["--hidden", "8,8,8,8,8,8,8,8,8,8"], "at most 8 numbers"),
        (["--reward", "glory"], "'glory'"),
        (["--seed", "-1"], "'-1' must be a whole number"),
        (["--seed", str(2**64)], "seed="),
        (["--rule", "colour=red"], "must be FIELD=VALUE"),
        (["--rule", "hand_size=70"], "hand_size=70"),
        (["--step", "10"], "--step"),
        (["more"], "more"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, refuses: Refuses
) -> None:
    refuses(train_ppo, "train", arguments, said)


def test_the_folder_is_checked_before_the_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(train_ppo, "train")
    (tmp_path / "file").touch()
    assert train_ppo.main(["--out", str(tmp_path / "file" / "below")]) == 2
    assert "cannot write there" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)  # importing it now fails
    assert train_ppo.main(["--out", str(tmp_path / "new")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert '`pip install torch==2.13.0`, then `pip install -e ".[train]"`' in err


def test_experiments_need_no_torch_before_a_training_begins() -> None:
    code = (
        "import sys, experiments.train_ppo, experiments.training, agents.ppo;"
        "print({'torch', 'stable_baselines3', 'sb3_contrib'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_it_runs_as_a_module_and_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "experiments.train_ppo", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for word in ("--opponents", "model.zip", "network:weights=", "ppo:model=", "pip install"):
        assert word in run.stdout
