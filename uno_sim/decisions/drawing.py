"""Numbers of worlds to try, in which the likelier ones stand more often.

Candidates are drawn uniformly and weighed by how likely the others' choices are in them
(`uno_sim.belief`); then numbers are drawn by weight (systematic resampling), so that the worlds of
the numbers are worth the same and means over them are plain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.belief.likelihood import log_likelihood
from uno_sim.belief.past import MAX_RECORDS, PAST_DTYPE, STEP_DTYPE, plan_past
from uno_sim.belief.walk_back import WALK_DTYPE
from uno_sim.compilation import compiled
from uno_sim.decisions.rollouts import fill_numbered_world
from uno_sim.random_stream import random_unit, shuffle
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.simulation.driver import AGENT_DTYPE
from uno_sim.state import NUM_EVENTS, STATE_DTYPE


@compiled
def weigh_candidates(
    observation: Any,
    player: Any,
    rules: Any,
    plans: Any,
    key: Any,
    first: Any,
    slip: Any,
    function: Any,
    params: Any,
    worlds: Any,
    log_weights: Any,
) -> None:
    """Write the log weights `[W]` of the worlds from number `first` of a key on.

    All others are thought to play the policy `function`, with the chance `slip` of doing something
    else. `plans[0]` is the plan of the worlds, `worlds[0]` room for one.
    """
    pasts, steps = np.zeros(1, PAST_DTYPE), np.zeros(NUM_EVENTS, STEP_DTYPE)
    records, walks = np.empty(MAX_RECORDS + 1, STATE_DTYPE), np.zeros(1, WALK_DTYPE)
    agents = np.zeros(1, AGENT_DTYPE)
    agents[0].params_size = len(params)
    functions = np.empty(1, np.uint64)
    functions[0] = function
    model = np.ones((MAX_PLAYERS, 1)), slip, agents, functions, params, np.zeros(1, np.float32)
    logs = np.zeros((MAX_PLAYERS, 1))
    stream = np.empty(1, np.uint64)
    plan_past(observation, player, rules, MAX_RECORDS, pasts[0], steps, records)
    for place in range(len(log_weights)):
        number = first + place
        fill_numbered_world(observation, player, rules, plans[0], key, number, worlds[0], stream)
        log_weights[place] = log_likelihood(
            worlds[0], rules, pasts[0], steps, records, walks[0], model, logs, stream
        )


@compiled
def effective_number(log_weights: Any, power: Any) -> Any:
    """Return how many equally likely worlds tell as much, the weights taken to a power."""
    highest = np.max(log_weights)
    total = 0.0
    squares = 0.0
    for weight in log_weights:
        chance = np.exp((weight - highest) * power)
        total += chance
        squares += chance * chance
    return total * total / squares


@compiled
def temper(log_weights: Any, floor: Any) -> None:
    """Flatten weights until they are worth `floor` equally likely worlds, or half their number."""
    floor = min(floor, len(log_weights) / 2)
    if effective_number(log_weights, 1.0) >= floor:
        return
    low, high = 0.0, 1.0
    for _ in range(6):
        middle = (low + high) / 2
        if effective_number(log_weights, middle) >= floor:
            low = middle
        else:
            high = middle
    for place in range(len(log_weights)):
        log_weights[place] *= low


@compiled
def resample(log_weights: Any, random: Any, numbers: Any) -> None:
    """Draw places of `log_weights` by weight into `numbers` (int64), in random order."""
    total = 0.0
    highest = np.max(log_weights)
    for weight in log_weights:
        total += np.exp(weight - highest)
    step = total / len(numbers)
    aim = random_unit(random) * step
    place = 0
    reached = np.exp(log_weights[0] - highest)
    for index in range(len(numbers)):
        while reached <= aim and place < len(log_weights) - 1:
            place += 1
            reached += np.exp(log_weights[place] - highest)
        numbers[index] = place
        aim += step
    shuffle(random, numbers, len(numbers))
