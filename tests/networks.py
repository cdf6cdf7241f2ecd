"""Networks with random weights, their logits in plain NumPy, and observations to try them on."""

import random
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from tests.random_play import VARIANTS, play_round
from uno_sim import Game, Observation
from uno_sim.actions import NUM_ACTIONS
from uno_sim.features import NUM_FEATURES
from uno_sim.networks import activation_of, flatten, layers_of


def random_layers(hidden: list[int], seed: int = 0) -> list[tuple[Any, Any]]:
    """Return the layers of a network whose logits are some units apart."""
    source = np.random.default_rng(seed)
    sizes = [NUM_FEATURES, *hidden, NUM_ACTIONS]
    return [
        (
            source.normal(0, 2 / np.sqrt(min(inputs, 100)), (outputs, inputs)).astype(np.float32),
            source.normal(0, 0.5, outputs).astype(np.float32),
        )
        for inputs, outputs in pairwise(sizes)
    ]


def random_network(hidden: list[int], seed: int = 0, activation: str = "tanh") -> Any:
    """Return a network with random weights as a vector."""
    return flatten(random_layers(hidden, seed), activation)


def plain_logits(params: Any, features: Any) -> Any:
    """Return the logits of some features, both a row each, in float64."""
    values = np.asarray(features, np.float64)
    *hidden, last = layers_of(params)
    for weights, biases in hidden:
        values = values @ weights.T.astype(np.float64) + biases
        values = np.tanh(values) if activation_of(params) == "tanh" else np.maximum(values, 0)
    return values @ last[0].T.astype(np.float64) + last[1]


@cache
def observations_of(variant: str, count: int) -> list[Observation]:
    """Return the observations of the asked players in some random rounds of a variant."""
    rules, num_players = VARIANTS[variant]
    source = random.Random(variant)
    found: list[Observation] = []
    while len(found) < count:
        for game in play_round(Game(rules, num_players, seed=source.getrandbits(64)), source):
            assert game.current_player is not None
            found.append(game.observation(game.current_player))
    return source.sample(found, count)
