"""Stable-Baselines3: the vector environment as its `VecEnv`, and trained networks as numbers.

Needs the extra `train`. sb3-contrib's MaskablePPO asks for the masks by itself; plain PPO cannot
play, since it knows of no masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.torch_layers import FlattenExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from uno_sim.actions import ACTIONS_VERSION
from uno_sim.envs.opponents import OpponentsLike
from uno_sim.envs.single import features_space
from uno_sim.envs.vector import UnoVectorEnv
from uno_sim.features import FEATURES_VERSION
from uno_sim.networks import Vector, flatten


class UnoVecEnv(VecEnv):
    """N games as Stable-Baselines3 wants them, in one compiled call a step.

    Takes the keywords of `UnoVectorEnv` but for the autoreset mode. The observation is the
    features alone, float32 `[N, NUM_FEATURES]`; the masks come from `action_masks`, which
    MaskablePPO calls through `env_method`. An episode's last observation is in its info as
    `terminal_observation`; `TimeLimit.truncated` tells whether it was cut short.
    """

    def __init__(self, num_envs: int, **keywords: Any) -> None:
        """Set up N games; raises `ValueError` where a keyword does not fit."""
        if "autoreset_mode" in keywords:
            raise ValueError(
                "autoreset_mode: is always SameStep here, as Stable-Baselines3 wants it"
            )
        self.games = UnoVectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **keywords)
        self.render_mode = self.games.render_mode
        super().__init__(num_envs, features_space(), self.games.single_action_space)
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> Any:
        """Begin an episode in each game; with the seeds of `seed`, where that was called."""
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observations, _ = self.games.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observations["observation"]

    def step_async(self, actions: Any) -> None:
        """Take note of the actions, integers `[N]`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> Any:
        """Apply the actions; return features, rewards float32 `[N]`, ends bool `[N]`, infos."""
        observations, rewards, terminated, truncated, infos = self.games.step(self._actions)
        over = terminated | truncated
        records: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(over):
            last = infos["final_obs"][game]
            records[game] = {
                "terminal_observation": last["observation"],
                "TimeLimit.truncated": bool(truncated[game]),
            }
        return observations["observation"], rewards.astype(np.float32), over, records

    def set_opponents(self, opponents: OpponentsLike, games: Sequence[int] | None = None) -> None:
        """Play against others from the next episode on; see `UnoVectorEnv.set_opponents`."""
        self.games.set_opponents(opponents, games)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the games, the same for each."""
        value = getattr(self.games, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: games have no attributes of their own."""
        raise AttributeError(f"{attr_name}: cannot be set; make another environment")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return what `action_masks` gives for each game; there is no other method a game."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: only action_masks is a method of a single game")
        masks = self.games.action_masks()
        return [masks[game] for game in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the games have an attribute; MaskablePPO looks for `action_masks`."""
        return hasattr(self.games, attr_name)

    def get_images(self) -> Sequence[Any]:
        """Return the pictures of the games, with `render_mode="rgb_array"`."""
        return self.games.render()


def mark_versions(model: Any) -> None:
    """Write into a model which features and actions it is trained on; it is saved with it."""
    model.features_version = FEATURES_VERSION
    model.actions_version = ACTIONS_VERSION


def check_versions(model: Any) -> None:
    """Raise `ValueError` where a model was trained on other features or actions."""
    for name, version in (
        ("features_version", FEATURES_VERSION),
        ("actions_version", ACTIONS_VERSION),
    ):
        trained = getattr(model, name, None)
        if trained != version:
            raise ValueError(f"model of {name} {trained}: this version of uno_sim has {version}")


def export_network(model: Any) -> Vector:
    """Return a trained model's policy network as the vector that the agent `network` plays.

    Raises `ValueError` where it is no chain of linear layers with one kind of activation, or was
    trained on other features or actions.
    """
    check_versions(model)
    policy = model.policy
    if not isinstance(policy.pi_features_extractor, FlattenExtractor):
        raise ValueError("model: it has layers before its policy network, which cannot be exported")
    chain = [*policy.mlp_extractor.policy_net, policy.action_net]
    activations = {type(layer) for layer in chain if not isinstance(layer, nn.Linear)}
    names = {nn.Tanh: "tanh", nn.ReLU: "relu"}
    if len(activations) > 1 or not activations <= set(names):
        found = ", ".join(sorted(kind.__name__ for kind in activations))
        raise ValueError(f"model: activations {found}; must be Tanh or ReLU throughout")
    layers = [
        (layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy())
        for layer in chain
        if isinstance(layer, nn.Linear)
    ]
    return flatten(layers, names[activations.pop()] if activations else "tanh")
