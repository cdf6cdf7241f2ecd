"""Training a policy network with MaskablePPO, and how well it plays while it learns.

Needs the extra `train`; PyTorch and Stable-Baselines3 are loaded when a training begins.
`train_ppo.py` is the command line; from Python, `train(UNO_DUO, steps=200_000)`.

The same arguments give the same network on the same machine with the same versions and the same
number of threads of PyTorch. Another machine or number of threads adds floating-point numbers in
another order, and small differences grow with each update.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from agents.network import network
from uno_sim import UNO_DUO, RuleSet, evaluate
from uno_sim.envs.opponents import OpponentsLike
from uno_sim.networks import Vector
from uno_sim.random_stream import check_seed, split
from uno_sim.registry import AgentLike

PPO: dict[str, Any] = {
    "n_steps": 32,  # steps of each game between two updates; a round of Duo takes about 20
    "batch_size": 512,
    "n_epochs": 3,
    "learning_rate": 1e-3,
    "gamma": 0.99,
    "gae_lambda": 0.95,
    "ent_coef": 0.01,
}
"""What MaskablePPO is told, in its own words; `train` takes others."""

LAST_RATE = 0.1
"""To what part of itself a learning rate that is a number falls, evenly, until the last update."""

HIDDEN = (256, 256)
CRITIC = (64, 64)
"""The hidden layers of the critic, which is not kept; a small one saves a third of the time."""
STEPS = 1_000_000
NUM_ENVS = 256
CHECKPOINTS = 10

_DEALS, _FRAMEWORK = range(2)
"""The branches of the seed: for the games to train on, and for PyTorch."""


@dataclass(frozen=True)
class Progress:
    """Where a training is, at one of its checkpoints."""

    steps: int
    steps_a_second: float
    """Of training alone, without the evaluations; 0 before the first step."""
    table: pd.DataFrame
    """What `uno_sim.evaluate` says of the network, a row an opponent."""


@dataclass(frozen=True)
class Trained:
    """A trained model, and how it got there."""

    model: Any
    """The MaskablePPO, marked with the versions of features and actions."""
    network: Vector
    """Its policy, as the agent `network` plays it."""
    learning: pd.DataFrame
    """How the network did: the columns of `uno_sim.evaluate` after `steps`; a row a checkpoint
    and opponent, the first before any training."""


def missing_packages() -> str | None:
    """Say in one line how to install what a training needs, or return None where it is there."""
    try:
        import sb3_contrib  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        return (
            "needs the extra `train`: `pip install torch==2.13.0`, then "
            f'`pip install -e ".[train]"` ({error})'
        )
    return None


def train(
    rules: RuleSet = UNO_DUO,
    num_players: int | None = None,
    opponents: OpponentsLike = "greedy",
    *,
    steps: int = STEPS,
    seed: int = 0,
    num_envs: int = NUM_ENVS,
    hidden: Sequence[int] = HIDDEN,
    reward: str = "win",
    ppo: Mapping[str, Any] | None = None,
    against: Sequence[AgentLike] = ("random", "greedy"),
    rounds: int | None = None,
    checkpoints: int = CHECKPOINTS,
    report: Callable[[Progress], None] | None = None,
) -> Trained:
    """Train a policy network from nothing, and return it.

    Parameters
    ----------
    num_players
        None for as few as the game allows.
    opponents
        Whom it plays against, as in `uno_sim.envs.single.UnoEnv`.
    steps
        The decisions of the learner; rounded up to whole rollouts.
    seed
        What all follows from. Python's, NumPy's and PyTorch's global generators are seeded, too.
    hidden
        The units of each hidden layer of the policy. The critic is a network of its own, of the
        size `CRITIC`.
    reward
        `"win"`, or `"points"`, which are scaled while it learns.
    ppo
        Arguments of MaskablePPO that differ from `PPO`.
    against, rounds, checkpoints
        Whom it is evaluated against, in how many rounds, and how often; not part of the training.
    report
        Is called at each checkpoint.

    Raises
    ------
    ValueError
        Where an argument does not fit, or the network diverges.
    """
    from uno_sim.envs.stable_baselines import export_network

    check_seed(seed)
    for name, count in (("steps", steps), ("checkpoints", checkpoints)):
        if count < 1:
            raise ValueError(f"{name}={count!r}: must be at least 1")
    players = rules.min_players if num_players is None else num_players
    told = {**PPO, **(ppo or {})}
    model = new_model(rules, players, opponents, seed, num_envs, hidden, reward, told)
    rollout = num_envs * told["n_steps"]
    num_rollouts = -(-steps // rollout)
    goals = [rollout * (num_rollouts * part // checkpoints) for part in range(checkpoints + 1)]
    tables = []
    began, aside = perf_counter(), 0.0

    def check() -> None:
        """Evaluate the network as it is now."""
        nonlocal aside
        now, done = perf_counter(), model.num_timesteps
        agent = network(export_network(model))
        table = evaluate(agent, against, rules=rules, num_players=players, rounds=rounds, seed=seed)
        table.insert(0, "steps", done)
        tables.append(table)
        if report:
            report(Progress(done, done / (now - began - aside), table))
        aside += perf_counter() - now

    model.learn(goals[-1], callback=before_rollouts(check, goals[:-1]))
    check()
    return Trained(model, export_network(model), pd.concat(tables, ignore_index=True))


def before_rollouts(check: Callable[[], None], steps: Sequence[int]) -> Any:
    """Return the callback that calls `check` before the rollouts that begin at these steps."""
    from stable_baselines3.common.callbacks import BaseCallback

    class Checkpoints(BaseCallback):
        """Stands between an update and the next rollout."""

        def _on_step(self) -> bool:
            return True

        def _on_rollout_start(self) -> None:
            if self.model.num_timesteps in steps:
                check()

    return Checkpoints()


def new_model(
    rules: RuleSet,
    num_players: int,
    opponents: OpponentsLike,
    seed: int,
    num_envs: int,
    hidden: Sequence[int],
    reward: str,
    ppo: Mapping[str, Any],
) -> Any:
    """Return a MaskablePPO that has learned nothing yet, with the games it is going to play.

    Raises `ValueError` where an argument does not fit.
    """
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.utils import LinearSchedule
    from stable_baselines3.common.vec_env import VecNormalize
    from torch import nn

    from uno_sim.envs.stable_baselines import UnoVecEnv, mark_versions

    env: Any = UnoVecEnv(
        num_envs,
        rules=rules,
        num_players=num_players,
        opponents=opponents,
        reward=reward,
        skip_forced=True,
    )
    if reward == "points":
        env = VecNormalize(env, norm_obs=False, norm_reward=True, gamma=ppo["gamma"])
    rate = ppo["learning_rate"]
    if not callable(rate):
        rate = LinearSchedule(rate, LAST_RATE * rate, 1.0)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        policy_kwargs={
            "net_arch": {"pi": list(hidden), "vf": list(CRITIC)},
            "activation_fn": nn.ReLU,
        },
        seed=int(split(np.uint64(seed), _FRAMEWORK))
        % 2**32,  # NumPy's global generator takes no more
        device="cpu",
        **{
            **ppo,
            "learning_rate": rate,
            "batch_size": min(ppo["batch_size"], num_envs * ppo["n_steps"]),
        },
    )
    # Game i has this seed + i. It is split off, since with seeds side by side another training
    # would meet the same deals; and halved, so that all i fit.
    env.seed(int(split(np.uint64(seed), _DEALS)) >> 1)
    mark_versions(model)
    return model


def saved(model: Any) -> bytes:
    """Return a model as the bytes of a `.zip`, without the games it was playing.

    The archive holds the times of its files, so the same model gives other bytes the next time.
    """
    file = io.BytesIO()
    model.save(file, exclude=["_last_obs", "_last_episode_starts"])
    return file.getvalue()
