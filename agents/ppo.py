"""`ppo`: plays a model of sb3-contrib's MaskablePPO, asked for many games at once.

Needs the extra `train`. `uno_sim.envs.stable_baselines.export_network` makes of the model a
network that the agent `network` plays without PyTorch, and faster.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np

from agents.network_numpy import pick_many
from uno_sim import RuleSet
from uno_sim.features import NUM_FEATURES, write_many_features


class PPOAgent:
    """A batched agent: the policy of a trained model."""

    def __init__(self, name: str, model: Any, sample: bool = False) -> None:
        self.name = name
        self.version = digest_of(model)
        """Tells folders of runs whether it is the same agent."""
        self.model = model
        self.sample = sample
        self._rules: Any = None

    def use_rules(self, rules: RuleSet) -> None:
        """Set the rules of the games to come, which the features tell of; call it before `act`."""
        self._rules = rules.record

    def act(self, observations: Any, seeds: Any) -> Any:
        """Return the actions for observation records `[N]` with seeds uint64 `[N]`, int64 `[N]`."""
        import torch

        if self._rules is None:
            raise ValueError(f"agent {self.name!r}: use_rules must be called before act")
        features = np.empty((len(observations), NUM_FEATURES), np.float32)
        write_many_features(observations, self._rules, features)
        with torch.no_grad():
            tensor = torch.as_tensor(features, device=self.model.device)
            distribution = self.model.policy.get_distribution(tensor)
            logits = distribution.distribution.logits.cpu().numpy()
        actions = np.empty(len(observations), np.int64)
        pick_many(logits, observations, seeds, self.sample, actions)
        return actions


def digest_of(model: Any) -> str:
    """Return a digest of the weights of a model's policy."""
    weights = model.policy.state_dict()
    arrays = (weights[name].cpu().numpy().tobytes() for name in sorted(weights))
    return hashlib.sha256(b"".join(arrays)).hexdigest()


def ppo(model: str | os.PathLike[str] | Any, sample: bool = False) -> PPOAgent:
    """Return an agent that plays a model: a file, or the model itself.

    It takes the legal action of the highest probability; with `sample` it draws one by them. As
    text: `ppo:model=path.zip,sample=true`. A model's file can hold code that runs when it is
    loaded, so load only what you trust.

    Raises `ValueError` where the file cannot be read, the model is of another version, or the
    extra is not installed.
    """
    try:
        from sb3_contrib import MaskablePPO

        from uno_sim.envs.stable_baselines import check_versions
    except ImportError as error:
        raise ValueError(
            "ppo: needs the extra `train`: `pip install torch==2.13.0`, then "
            f'`pip install -e ".[train]"` ({error})'
        ) from None
    if not isinstance(sample, bool):
        raise ValueError(f"sample={sample!r}: must be true or false")
    words = ["ppo"]
    if isinstance(model, str | os.PathLike):
        path = Path(model)
        if not path.is_file():
            raise ValueError(f"model={os.fspath(path)!r}: there is no such file")
        words.append(path.stem)
        try:
            model = MaskablePPO.load(path, device="cpu")
            check_versions(model)
        except Exception as error:  # whatever a damaged archive makes the loader raise
            said = " ".join(str(error).split())
            raise ValueError(f"model={os.fspath(path)!r}: cannot be loaded ({said})") from None
    else:
        check_versions(model)
    if sample:
        words.append("sampled")
    return PPOAgent(" ".join(words), model, sample)
