"""`network`: plays a trained policy network, compiled, one decision at a time.

It needs no other framework than the simulator. The network is a file that
`uno_sim.networks.save_network` wrote, or such a vector itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from uno_sim.actions import NUM_ACTIONS
from uno_sim.compilation import compiled
from uno_sim.features import NUM_FEATURES, write_features
from uno_sim.network_pass import best_action, room_size, sampled_action, write_logits
from uno_sim.networks import Vector, check_network, load_network
from uno_sim.policies import CompiledAgent, nth_legal, num_legal, policy


@policy(name="network")
def choose_best(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the legal action of the highest logit (ties: the lowest action)."""
    if num_legal(observation) == 1:
        return nth_legal(observation, 0)
    return best_action(legal_logits(observation, rules, params), observation.legal)


@policy(name="network, sampled")
def choose_sampled(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return a legal action drawn by the softmax of the legal logits."""
    if num_legal(observation) == 1:
        return nth_legal(observation, 0)
    return sampled_action(legal_logits(observation, rules, params), observation.legal, random)


@compiled(announce="uno_sim: compiling networks, once: about 5 s")
def legal_logits(observation: Any, rules: Any, params: Any) -> Any:
    """Return the logits of the legal actions, float32 `[NUM_ACTIONS]`; the others are undefined."""
    room = np.empty(room_size(params) + NUM_FEATURES + NUM_ACTIONS, np.float32)
    logits = room[:NUM_ACTIONS]
    features = room[NUM_ACTIONS : NUM_ACTIONS + NUM_FEATURES]
    write_features(observation, observation.current_player, rules, features)
    rest = room[NUM_ACTIONS + NUM_FEATURES :]
    write_logits(params, features, observation.legal, rest, logits)
    return logits


def network(weights: str | os.PathLike[str] | Vector, sample: bool = False) -> CompiledAgent:
    """Return an agent that plays the network `weights`: a file, or the vector itself.

    It takes the legal action of the highest logit; with `sample` it draws one by their softmax.
    As text: `network:weights=path.npy,sample=true`. There the path may hold spaces, `:` and `=`,
    but no comma and no `::`; a path that reads as a number needs its folder (`./12`).

    Raises `ValueError` where the weights do not fit this version or cannot be read.
    """
    name, params = named_network("network", weights, sample)
    return CompiledAgent(name, choose_sampled if sample else choose_best, params)


def named_network(kind: str, weights: Any, sample: Any) -> tuple[str, Vector]:
    """Return the name of an agent of this kind, and its checked network."""
    if not isinstance(sample, bool):
        raise ValueError(f"sample={sample!r}: must be true or false")
    words = [kind]
    if isinstance(weights, np.ndarray):
        check_network(weights)
        params: Vector = weights
    elif isinstance(weights, str | os.PathLike):
        try:
            params = load_network(weights)
        except OSError as error:
            raise ValueError(f"weights={os.fspath(weights)!r}: {error.strerror}") from None
        words.append(Path(weights).stem)
    else:
        raise ValueError(f"weights={weights!r}: must be a file or a vector")
    if sample:
        words.append("sampled")
    return " ".join(words), params
