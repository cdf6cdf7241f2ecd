"""The agent `ppo` plays a trained model as the exported network does, and refuses what is none."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.network import network
from agents.network_numpy import network_numpy
from agents.ppo import ppo
from tests.networks import observations_of, plain_logits
from tests.random_play import VARIANTS
from uno_sim import UNO_DUO, make_agent, simulate
from uno_sim.features import encode
from uno_sim.state import allocate

COUNT = 300


def records_of(variant: str) -> Any:
    """Return the records of some observations as one array."""
    records = allocate(COUNT)
    for number, observation in enumerate(observations_of(variant, COUNT)):
        records[number] = observation.record
    return records


@pytest.fixture
def model() -> Any:
    """Return a model with random weights whose logits are some units apart."""
    sb3 = pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    import torch

    from uno_sim.envs.stable_baselines import UnoVecEnv, mark_versions

    made = sb3.MaskablePPO(
        "MlpPolicy", UnoVecEnv(2), policy_kwargs={"net_arch": [24, 16]}, seed=1, device="cpu"
    )
    with torch.no_grad():
        made.policy.action_net.weight *= 300
    mark_versions(made)
    return made


@pytest.fixture
def file(model: Any, tmp_path: Path) -> Path:
    """Return the file of the model."""
    path = tmp_path / "trained.zip"
    model.save(path)
    return path


def exported(model: Any) -> Any:
    """Return the model's policy as a network."""
    from uno_sim.envs.stable_baselines import export_network

    return export_network(model)


@pytest.mark.parametrize("variant", ["duo", "pocket, two players", "pocket, three players"])
def test_it_chooses_what_the_exported_network_does(model: Any, variant: str) -> None:
    params = exported(model)
    agent, single = ppo(model), network(params)
    agent.use_rules(VARIANTS[variant][0])
    actions = agent.act(records_of(variant), np.zeros(COUNT, np.uint64))
    assert actions.dtype == np.int64 and actions.shape == (COUNT,)
    checked = 0
    for observation, action in zip(observations_of(variant, COUNT), actions, strict=True):
        legal = observation.legal_actions()
        assert action in legal
        best = np.sort(plain_logits(params, encode(observation))[legal])[-2:]
        if len(legal) == 1 or best[1] - best[0] > 1e-5:
            assert action == single.choose(observation, np.zeros(1, np.uint64))
            checked += 1
    assert checked > 0.9 * COUNT


def test_samples_are_drawn_as_those_of_the_exported_network(model: Any) -> None:
    agent, other = ppo(model, sample=True), network_numpy(exported(model), sample=True)
    seeds = np.random.default_rng(8).integers(0, 2**64, COUNT, np.uint64)
    for one in (agent, other):
        one.use_rules(UNO_DUO)
    actions = agent.act(records_of("duo"), seeds)
    # A random number may fall between two actions to within rounding.
    assert (actions == other.act(records_of("duo"), seeds)).mean() > 0.99
    assert (actions != agent.act(records_of("duo"), seeds + np.uint64(1))).any()


def test_it_plays_rounds_from_its_file(file: Path) -> None:
    agent = make_agent(f"ppo:model={file}")
    assert agent.name == "ppo trained"
    assert make_agent(f"ppo:model={file},sample=true").name == "ppo trained sampled"
    for variant in ("duo", "pocket, three players"):
        rules, num_players = VARIANTS[variant]
        cast = [agent, *["greedy"] * (num_players - 1)]
        first, again = (simulate(rules, cast, rounds=12, seed=3).rounds for _ in range(2))
        assert first.equals(again)
        assert set(first["winner_index"]) <= {-1, *range(num_players)}


def test_it_needs_to_know_the_rules(model: Any) -> None:
    with pytest.raises(ValueError, match="agent 'ppo': use_rules must be called before act"):
        ppo(model).act(records_of("duo"), np.zeros(COUNT, np.uint64))


def test_what_is_no_model_is_refused_in_one_line(model: Any, file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(file.read_bytes()[:5000])
    text = tmp_path / "text.zip"
    text.write_text("no model")
    for path in (damaged, text, tmp_path / "missing.zip", tmp_path):
        with pytest.raises(ValueError, match=r"cannot be loaded|there is no such file") as raised:
            make_agent(f"ppo:model={path}")
        assert str(path) in str(raised.value)
        assert "\n" not in str(raised.value)
    with pytest.raises(ValueError, match=r"sample=3: must be true or false"):
        make_agent(f"ppo:model={file},sample=3")
    with pytest.raises(ValueError, match="model"):
        make_agent("ppo")


def test_a_model_of_another_version_is_refused(model: Any, tmp_path: Path) -> None:
    model.features_version = 0
    model.save(tmp_path / "old.zip")
    with pytest.raises(ValueError, match="model of features_version 0: this version of uno_sim"):
        ppo(model)
    with pytest.raises(ValueError, match=r"old\.zip.*model of features_version 0"):
        make_agent(f"ppo:model={tmp_path / 'old.zip'}")


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)  # importing it now fails
    with pytest.raises(ValueError, match="needs the extra `train`: `pip install") as raised:
        make_agent(f"ppo:model={tmp_path / 'model.zip'}")
    assert "\n" not in str(raised.value)
