"""The environment of Stable-Baselines3 is its own loop over single ones, and networks export."""

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, EVERY_ID, POCKET, any_action, make
from tests.networks import observations_of, plain_logits
from uno_sim import UNO_DUO
from uno_sim.envs.stable_baselines import (
    UnoVecEnv,
    check_versions,
    export_network,
    mark_versions,
)
from uno_sim.features import NUM_FEATURES, encode
from uno_sim.networks import activation_of, layer_sizes

NUM_ENVS = 5
SHORT = replace(UNO_DUO, max_turns=12)
CASES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "duo": (DUO, "duo", {"opponents": {"greedy": 1, "random": 1}}),
    "duo, cut short": (DUO, "duo", {"rules": SHORT, "opponents": "greedy", "skip_forced": True}),
    "pocket": (
        *(POCKET, "pocket"),
        {"num_players": 3, "opponents": ["greedy", BySeed()], "reward": "points"},
    ),
}


def both(case: str) -> tuple[UnoVecEnv, DummyVecEnv]:
    """Return the native environment of a case, and Stable-Baselines3's loop over single ones."""
    name, rules, keywords = CASES[case]
    loop = DummyVecEnv([lambda: gymnasium.make(name, **keywords) for _ in range(NUM_ENVS)])
    return UnoVecEnv(NUM_ENVS, **{"rules": rules, **keywords}), loop


@pytest.mark.parametrize("case", CASES)
def test_it_gives_what_a_loop_over_single_environments_gives(case: str) -> None:
    native, loop = both(case)
    for env in (native, loop):
        env.seed(17)
    observations, expected = native.reset(), loop.reset()
    source = np.random.default_rng(2)
    ended = cut_short = 0
    for _ in range(300):
        assert np.array_equal(observations, expected["observation"])
        assert observations.dtype == np.float32
        assert is_masking_supported(native) and is_masking_supported(loop)
        masks = get_action_masks(native)
        assert np.array_equal(masks, get_action_masks(loop))
        actions = any_action(source, masks)
        observations, rewards, dones, infos = native.step(actions)
        expected, loop_rewards, loop_dones, loop_infos = loop.step(actions)
        assert rewards.dtype == loop_rewards.dtype == np.float32
        assert np.array_equal(rewards, loop_rewards)
        assert np.array_equal(dones, loop_dones)
        for game in np.flatnonzero(dones):
            info, loop_info = infos[game], loop_infos[game]
            last = loop_info["terminal_observation"]["observation"]
            assert np.array_equal(info["terminal_observation"], last)
            assert not np.array_equal(last, observations[game])
            assert info["TimeLimit.truncated"] == loop_info["TimeLimit.truncated"]
            cut_short += info["TimeLimit.truncated"]
        assert not any(info for info, done in zip(infos, dones, strict=True) if not done)
        ended += dones.sum()
    assert ended > 20
    assert (cut_short > 0) == (case == "duo, cut short")


def test_without_a_seed_the_next_reset_goes_on() -> None:
    env = UnoVecEnv(2, opponents="greedy")
    env.seed(3)
    first, second = env.reset(), env.reset()
    assert not np.array_equal(first, second)
    env.seed(3)
    assert np.array_equal(env.reset(), first)
    assert np.array_equal(env.reset(), second)


def test_opponents_change_from_the_next_episode_on() -> None:
    env, newcomer = UnoVecEnv(2, opponents="random"), BySeed()
    env.seed(5)
    env.reset()
    env.set_opponents(newcomer, games=[1])
    source = np.random.default_rng(0)
    called = 0
    over = np.zeros(2, bool)
    for _ in range(400):
        over |= env.step(any_action(source, get_action_masks(env)))[2]
        assert newcomer.calls == called or over[1]
        called = newcomer.calls
    assert over.all() and called > 20
    with pytest.raises(ValueError, match="opponents"):
        env.set_opponents(["random", "greedy"])


def test_what_stable_baselines_may_ask_of_it() -> None:
    env = UnoVecEnv(3, render_mode="rgb_array")
    env.reset()
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    assert env.env_is_wrapped(object) == [False] * 3
    assert env.get_attr("render_mode", indices=1) == ["rgb_array"]
    assert [image.ndim for image in env.get_images()] == [3, 3, 3]
    assert not env.has_attr("no_such_thing")
    with pytest.raises(AttributeError, match="only action_masks"):
        env.env_method("close")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", 1)
    with pytest.raises(ValueError, match="reward"):
        UnoVecEnv(3, reward="glory")


@EVERY_ID
def test_stable_baselines_finds_nothing_wrong_with_the_single_environment(name: str) -> None:
    check_env(make(name, illegal_action="random"))


def make_model(
    hidden: list[int], activation: type[nn.Module] = nn.ReLU, seed: int = 0, **keywords: Any
) -> Any:
    """Return a model with random weights whose logits are some units apart."""
    policy = {"net_arch": hidden, "activation_fn": activation, **keywords}
    env = UnoVecEnv(2)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, policy_kwargs=policy, seed=seed, device="cpu")
    with torch.no_grad():
        model.policy.action_net.weight *= 300
        for layer in model.policy.modules():
            if isinstance(layer, nn.Linear):
                layer.bias.uniform_(-0.5, 0.5)
    mark_versions(model)
    return model


@pytest.mark.parametrize("activation", [nn.ReLU, nn.Tanh])
@pytest.mark.parametrize("hidden", [[], [24], [48, 16, 32]])
def test_an_exported_network_has_the_logits_of_the_model(
    hidden: list[int], activation: type[nn.Module]
) -> None:
    model = make_model(hidden, activation)
    params = export_network(model)
    assert layer_sizes(params)[1:-1] == hidden
    if hidden:
        assert activation_of(params) == activation.__name__.lower()
    features = np.stack([encode(each) for each in observations_of("duo", 200)])
    with torch.no_grad():
        latent = model.policy.mlp_extractor.forward_actor(torch.from_numpy(features))
        expected = model.policy.action_net(latent).numpy()
    assert expected.std() > 0.3
    assert np.abs(plain_logits(params, features) - expected).max() < 1e-4


def test_an_exported_network_stays_as_it_is_when_the_model_learns_on() -> None:
    model = make_model([8])
    params = export_network(model)
    before = params.copy()
    model.learn(64)
    assert np.array_equal(params, before)
    assert not np.array_equal(export_network(model), before)


@pytest.mark.parametrize("name", ["features_version", "actions_version"])
@pytest.mark.parametrize("check", [check_versions, export_network])
def test_a_model_of_another_version_is_refused(name: str, check: Any) -> None:
    model = make_model([8])
    setattr(model, name, 10**6)
    with pytest.raises(ValueError, match=f"model of {name} 1000000: this version of uno_sim has"):
        check(model)
    delattr(model, name)
    with pytest.raises(ValueError, match=f"model of {name} None"):
        check(model)


class OneMoreLayer(BaseFeaturesExtractor):
    """A features extractor that computes something."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, NUM_FEATURES)
        self.layer = nn.Linear(NUM_FEATURES, NUM_FEATURES)

    def forward(self, observations: Any) -> Any:
        return self.layer(observations)


def test_a_network_that_cannot_be_exported_is_refused() -> None:
    with pytest.raises(ValueError, match="activations ELU; must be Tanh or ReLU"):
        export_network(make_model([8], nn.ELU))
    with pytest.raises(ValueError, match="layers before its policy network"):
        export_network(make_model([8], features_extractor_class=OneMoreLayer))
