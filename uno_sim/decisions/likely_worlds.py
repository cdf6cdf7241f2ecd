"""Worlds in the order of their numbers, and how likely each is, given what the others chose.

The others are thought to play one policy, with slips (`uno_sim.belief`). All arrays that this takes
are made once a decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.agent_table import AGENT_DTYPE, OBSERVES_OWN
from uno_sim.belief.likelihood import log_likelihood
from uno_sim.belief.past import MAX_RECORDS, PAST_DTYPE, STEP_DTYPE, plan_past
from uno_sim.belief.walk_back import WALK_DTYPE
from uno_sim.compilation import compiled
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import NUM_EVENTS, STATE_DTYPE


@compiled(apart=True)
def look_back(
    observation: Any, player: Any, rules: Any, function: Any, params: Any, slip: Any
) -> Any:
    """Return what the likelihood of worlds is worked out from, a tuple of arrays.

    All others are thought to play the policy `function`, which must observe no more than its own,
    and to take any legal action with the chance `slip`; with 1 there are no steps to look at.
    """
    pasts, steps = np.zeros(1, PAST_DTYPE), np.zeros(NUM_EVENTS, STEP_DTYPE)
    tables, walks = np.empty(MAX_RECORDS + 1, STATE_DTYPE), np.zeros(1, WALK_DTYPE)
    agents, functions = np.zeros(1, AGENT_DTYPE), np.empty(1, np.uint64)
    agents[0].call = OBSERVES_OWN
    agents[0].params_size = len(params)
    functions[0] = function
    shares, memory = np.ones((MAX_PLAYERS, 1)), np.zeros(1, np.float32)
    fault = np.zeros(2, np.int64)
    if slip < 1.0:
        plan_past(observation, player, rules, MAX_RECORDS, pasts[0], steps, tables)
    return pasts, steps, tables, walks, (shares, slip, agents, functions, params, memory, fault)


@compiled(apart=True)
def log_weight(world: Any, rules: Any, past: Any, trust: Any, stream: Any) -> Any:
    """Return the logarithm of a world's weight; `past` is from `look_back`.

    `trust` is the power that the likelihood is taken to: with less than 1 the weights are flatter.
    """
    pasts, steps, tables, walks, model = past
    logs = np.empty((MAX_PLAYERS, 1))
    return trust * log_likelihood(
        world, rules, pasts[0], steps, tables, walks[0], model, logs, stream
    )
