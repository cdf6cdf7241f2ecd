"""Many worlds of one observation, each with its weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.belief.likelihood import log_likelihood
from uno_sim.compilation import compiled
from uno_sim.determinization import fill_world
from uno_sim.random_stream import split
from uno_sim.rules.challenge import is_guilty
from uno_sim.rules.effects import CHALLENGE

SLIP = 0.03
"""How often a player is thought to do something else than the model says."""
FLOOR = 0.05
"""What share of one batch of worlds the weights must be worth."""
BATCHES = 10
"""How many batches of worlds are drawn at most until they are."""


@compiled(announce="uno_sim: compiling the belief, once: about 10 s")
def weigh_worlds(
    observation: Any,
    player: Any,
    rules: Any,
    plan: Any,
    past: Any,
    steps: Any,
    records: Any,
    walk: Any,
    model: Any,
    world: Any,
    key: Any,
    first: Any,
    hands: Any,
    guilty: Any,
    log_weights: Any,
    logs: Any,
) -> None:
    """Draw worlds and write of each its hands `[W, P, K]`, guilt, log weight, logs `[W, P, M]`.

    They are the worlds from number `first` of a key on, each drawn by a stream of its own.
    `guilty` `[W]` is that of `walk_back`.
    """
    stream = np.empty(1, np.uint64)
    for number in range(len(log_weights)):
        stream[0] = split(key, first + number)
        fill_world(observation, player, rules, plan, world, stream)
        log_weights[number] = log_likelihood(
            world, rules, past, steps, records, walk, model, logs[number], stream
        )
        for seat in range(observation.num_players):
            hands[number, seat] = world.hands[seat]
        guilty[number] = walk.guilty
        if observation.phase == CHALLENGE and observation.actor != player:
            guilty[number] = 1 if is_guilty(world, rules, observation.actor) else 0


def tempered(log_weights: Any, floor: float) -> tuple[Any, float]:
    """Return weights that sum to 1, and the power t <= 1 that they were taken to.

    The greatest power is taken with which the weights are worth at least `floor` worlds, all of
    one weight (`effective_worlds`).
    """
    log_weights = log_weights - log_weights.max()
    weights = _normalized(log_weights)
    if effective_worlds(weights) >= floor:
        return weights, 1.0
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if effective_worlds(_normalized(log_weights * middle)) >= floor:
            low = middle
        else:
            high = middle
    return _normalized(log_weights * low), low


def effective_worlds(weights: Any) -> float:
    """Return how many worlds of one weight tell as much as these, whose weights sum to 1."""
    return float(1.0 / np.square(weights).sum())


def _normalized(log_weights: Any) -> Any:
    weights = np.exp(log_weights)
    return weights / weights.sum()
