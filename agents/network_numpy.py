"""`network_numpy`: plays a policy network for many games at once, the layers in NumPy.

The same networks and the same choices as `network`, and the pattern for a network in any other
framework. But BLAS, which multiplies NumPy's matrices, gives other last bits for another number of
rows: logits then depend on which games are asked together. Where the two best logits are all but
equal, or a random number falls between two actions, that may change a choice. `network` has no
such exception, and is faster up to some hundreds of hidden units a layer.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from agents.network import named_network
from uno_sim import RuleSet
from uno_sim.compilation import compiled
from uno_sim.features import NUM_FEATURES, write_many_features
from uno_sim.network_pass import best_action, sampled_action
from uno_sim.networks import Vector, activation_of, layers_of


class NumpyNetwork:
    """A batched agent: a network whose layers are matrix products in float32."""

    def __init__(self, name: str, params: Vector, sample: bool = False) -> None:
        self.name = name
        self.sample = sample
        self._layers = layers_of(params.copy())
        self._activation = activation_of(params)
        self._rules: Any = None
        self._features = np.empty((0, NUM_FEATURES), np.float32)

    def use_rules(self, rules: RuleSet) -> None:
        """Set the rules of the games to come, which the features tell of; call it before `act`."""
        self._rules = rules.record

    def act(self, observations: Any, seeds: Any) -> Any:
        """Return the actions for observation records `[N]` with seeds uint64 `[N]`, int64 `[N]`.

        Raises `ValueError` before `use_rules` was called.
        """
        actions = np.empty(len(observations), np.int64)
        logits = self.logits(observations)
        pick_many(logits, observations, seeds, self.sample, actions)
        return actions

    def logits(self, observations: Any) -> Any:
        """Return the logits of all actions, legal or not, float32 `[N, NUM_ACTIONS]`.

        Raises `ValueError` before `use_rules` was called.
        """
        if self._rules is None:
            raise ValueError(f"agent {self.name!r}: use_rules must be called first")
        if len(self._features) < len(observations):
            self._features = np.empty((len(observations), NUM_FEATURES), np.float32)
        values = self._features[: len(observations)]
        write_many_features(observations, self._rules, values)
        for number, (weights, biases) in enumerate(self._layers):
            values = values @ weights.T
            values += biases
            if number < len(self._layers) - 1:
                if self._activation == "tanh":
                    np.tanh(values, out=values)
                else:
                    np.maximum(values, 0, out=values)
        return values


@compiled
def pick_many(logits: Any, observations: Any, seeds: Any, sample: Any, actions: Any) -> None:
    """Write the action of each row of logits; a sampled one is drawn from a stream of its seed."""
    stream = np.empty(1, np.uint64)
    for number in range(len(observations)):
        legal = observations[number].legal
        if sample:
            stream[0] = seeds[number]
            actions[number] = sampled_action(logits[number], legal, stream)
        else:
            actions[number] = best_action(logits[number], legal)


def network_numpy(weights: str | os.PathLike[str] | Vector, sample: bool = False) -> NumpyNetwork:
    """Return a batched agent that plays the network `weights`; the parameters are `network`'s.

    Raises `ValueError` where the weights do not fit this version or cannot be read.
    """
    name, params = named_network("network_numpy", weights, sample)
    return NumpyNetwork(name, params, sample)
