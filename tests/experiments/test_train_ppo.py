"""`python -m experiments.train_ppo`, from its arguments to its files, and the training itself."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")

from agents.network import network
from experiments import train_ppo, training
from uno_sim import UNO_DUO, UNO_POCKET, evaluate, make_agent, simulate
from uno_sim.networks import layer_sizes, load_network

SMALL = ["--steps", "700", "--envs", "4", "--hidden", "12", "--seed", "3"]
QUICK: dict[str, Any] = {
    "steps": 700,
    "num_envs": 4,
    "hidden": (12,),
    "against": ["random"],
    "rounds": 12,
    "checkpoints": 2,
}
FILES = {"model.zip", "network.npy", "evaluation.csv", "run.json"} | {
    f"learning.{ending}" for ending in ("csv", "png", "svg")
}


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let evaluations be short."""
    monkeypatch.setattr(train_ppo, "CHECKPOINT_ROUNDS", 12)
    monkeypatch.setattr(train_ppo, "FINAL_ROUNDS", 60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small run."""
    folder = tmp_path_factory.mktemp("results") / "small"
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(train_ppo, "CHECKPOINT_ROUNDS", 12)
        monkeypatch.setattr(train_ppo, "FINAL_ROUNDS", 60)
        assert train_ppo.main([*SMALL, "--out", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_it_learns_to_beat_the_random_agent_in_duo() -> None:
    trained = training.train(
        opponents={"random": 2, "greedy": 1},
        steps=50_000,
        num_envs=64,
        hidden=(64, 64),
        against=["random"],
        rounds=400,
        checkpoints=1,
    )
    before, after = trained.learning.itertuples()
    assert before.win_rate_high < 0.5
    assert after.win_rate_low > 0.6


@pytest.mark.slow
def test_it_learns_to_win_more_than_its_share_in_pocket_with_three() -> None:
    trained = training.train(
        UNO_POCKET,
        3,
        "random",
        steps=40_000,
        num_envs=64,
        hidden=(32, 32),
        against=["random"],
        rounds=600,
        checkpoints=1,
    )
    assert trained.learning["win_rate_low"].iloc[-1] > 1 / 3


@pytest.mark.parametrize("reward", ["win", "points"])
def test_the_same_seed_gives_the_same_network(reward: str) -> None:
    first, again = (training.train(seed=5, reward=reward, **QUICK) for _ in range(2))
    assert np.array_equal(first.network, again.network)
    assert first.learning.equals(again.learning)
    other = training.train(seed=6, reward=reward, **QUICK)
    assert not np.array_equal(first.network, other.network)


def test_the_games_of_other_seeds_share_no_deals() -> None:
    seeds = []
    for seed in range(3):
        model = new_model(seed)
        model.learn(1)
        seeds += model.env.games._batch.episodes.seed.tolist()
    assert len(set(seeds)) == len(seeds)


def test_evaluations_do_not_change_the_training() -> None:
    often = training.train(**{**QUICK, "checkpoints": 5, "rounds": 24, "against": ["greedy"]})
    assert np.array_equal(often.network, training.train(**QUICK).network)


def test_checkpoints_are_evenly_spaced_and_reported() -> None:
    reports: list[training.Progress] = []
    trained = training.train(**QUICK, report=reports.append)
    # A rollout is 4 games of 32 steps; 700 steps are 6 of them.
    assert trained.learning["steps"].tolist() == [0, 384, 768]
    assert [progress.steps for progress in reports] == [0, 384, 768]
    assert trained.model.num_timesteps == 768
    assert reports[0].steps_a_second == 0 < reports[1].steps_a_second
    tables = pd.concat([progress.table for progress in reports], ignore_index=True)
    assert tables.equals(trained.learning)
    found = evaluate(network(trained.network), ["random"], rounds=12)
    assert found["wins"].iloc[0] == trained.learning["wins"].iloc[-1]


def test_more_checkpoints_than_rollouts_are_as_many_as_there_can_be() -> None:
    trained = training.train(**{**QUICK, "steps": 130, "checkpoints": 7})
    assert trained.learning["steps"].tolist() == [0, 128, 256]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"steps": 0}, "steps=0: must be at least 1"),
        ({"checkpoints": 0}, "checkpoints=0: must be at least 1"),
        ({"num_envs": 0}, "num_envs=0"),
        ({"num_players": 3}, "UNO Duo is for 2 players"),
        ({"opponents": "nobody"}, "agent 'nobody': unknown"),
        ({"reward": "glory"}, "reward="),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        training.train(**{**QUICK, **wrong})


def new_model(seed: int) -> Any:
    """Return a small model that has learned nothing."""
    return training.new_model(
        UNO_DUO, 2, "random", seed, 3, [8], "win", {**training.PPO, "n_steps": 8}
    )


def test_every_file_is_whole(folder: Path) -> None:
    found = {path.name for path in folder.iterdir() if path.suffix != ".parquet"}
    assert found == FILES
    assert (folder / "learning.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "learning.svg").read_text().rstrip().endswith("</svg>")
    learning = pd.read_csv(folder / "learning.csv")
    assert learning.groupby("steps")["opponent"].agg(list).tolist() == [["random", "greedy"]] * 7
    assert set(learning["rounds"]) == {12}
    assert layer_sizes(load_network(folder / "network.npy"))[1:-1] == [12]


def test_the_evaluation_is_of_the_network_that_was_written(folder: Path) -> None:
    written = pd.read_csv(folder / "evaluation.csv")
    agent = make_agent(f"network:weights={folder / 'network.npy'}")
    found = evaluate(agent, ["random", "greedy"], rounds=60, seed=3)
    assert written["wins"].tolist() == found["wins"].tolist()
    assert written["opponent"].tolist() == ["random", "greedy"]


def test_the_model_and_the_network_play_the_same_rounds(folder: Path) -> None:
    frames = []
    for spec in (f"network:weights={folder / 'network.npy'}", f"ppo:model={folder / 'model.zip'}"):
        rows = simulate(UNO_DUO, [spec, "greedy"], rounds=40, seed=1).rounds
        frames.append(rows.drop(columns="winner_agent"))
    assert frames[0].equals(frames[1])


def test_a_model_can_be_trained_on(folder: Path) -> None:
    from sb3_contrib import MaskablePPO

    from uno_sim.envs.stable_baselines import UnoVecEnv, export_network

    model = MaskablePPO.load(folder / "model.zip", env=UnoVecEnv(6, opponents="greedy"))
    assert model.num_timesteps == 768
    before = export_network(model)
    assert np.array_equal(before, load_network(folder / "network.npy"))
    model.learn(100, reset_num_timesteps=False)
    assert not np.array_equal(export_network(model), before)


def test_the_run_can_be_read_back(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    assert run["experiment"] == "train_ppo"
    assert (run["seed"], run["steps"], run["hidden"]) == (3, 700, [12])
    assert run["ppo"] == training.PPO
    assert {"torch", "stable_baselines3", "sb3_contrib", "torch_threads"} <= set(run["libraries"])
    assert "commit" in run
    assert str(folder) not in json.dumps(run)


def test_the_same_arguments_give_the_same_files(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train_ppo.main([*SMALL, "--out", str(tmp_path)]) == 0
    for name in FILES - {"model.zip"}:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name
    out, err = capsys.readouterr()
    assert "UNO Duo, 2 players, after 768 steps it wins" in out
    assert "against greedy" in out and "of 60 rounds" in out
    assert f"--agents network:weights={tmp_path / 'network.npy'},greedy" in out
    assert f"--agents ppo:model={tmp_path / 'model.zip'},greedy" in out
    assert err.splitlines()[0] == "UNO Duo, 2 players: training against greedy"
    assert "768 steps (" in err and " a second): wins " in err


def test_pocket_with_a_mixture_and_other_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--game", "pocket", "--players", "3", "--opponents", "greedy,random,greedy"]
    arguments += ["--against", "greedy", "--rule", "hand_size=4", "--reward", "points"]
    assert train_ppo.main([*SMALL, *arguments, "--out", str(tmp_path / "a b")]) == 0
    table = pd.read_csv(tmp_path / "a b" / "evaluation.csv")
    assert table[["opponent", "players", "rounds"]].values.tolist() == [["greedy", 3, 60]]
    out = capsys.readouterr().out
    assert "--game pocket --players 3 --rule hand_size=4" in out
    assert f"'network:weights={tmp_path / 'a b' / 'network.npy'},greedy'" in out


@pytest.mark.parametrize("moment", ["in the training", "in the last evaluation"])
def test_an_interrupt_leaves_nothing_half_written(
    moment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **options: Any) -> Any:
        raise KeyboardInterrupt

    if moment == "in the training":
        from sb3_contrib import MaskablePPO

        monkeypatch.setattr(MaskablePPO, "train", interrupted)
    else:
        monkeypatch.setattr(train_ppo, "evaluate", interrupted)
    assert train_ppo.main([*SMALL, "--out", str(tmp_path / "new")]) == 130
    assert "train_ppo: interrupted; no file is left half written" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_network_that_diverges_is_an_error_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(training.PPO, "learning_rate", 1e30)
    assert train_ppo.main([*SMALL, "--out", str(tmp_path / "new")]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("train_ppo: error: ")
    assert not (tmp_path / "new").exists()
