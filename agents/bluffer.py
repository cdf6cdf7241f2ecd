"""`bluffer`: plays as `greedy`, but bluffs with wild draws (C7).

Where it may lay a wild draw and `greedy` would lay another card, it lays the wild draw at a given
rate instead, and names the color it holds most of. `greedy` itself never bluffs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.greedy import choose_greedily, most_held_color
from uno_sim import actions
from uno_sim.cards import WILD_DRAW
from uno_sim.policies import CompiledAgent, is_legal, policy, random_unit
from uno_sim.state import Phase

TURN = int(Phase.TURN)

greedily = choose_greedily.function


@policy(name="bluffer", observes="own")
def choose_to_bluff(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the action of `greedy`, or a wild draw in its place at the rate `params[0]`."""
    action = greedily(observation, rules, params, memory, random)
    if observation.phase != TURN or action >= actions.DRAW:
        return action
    bluff = actions.wild_action(WILD_DRAW, most_held_color(observation))
    if is_legal(observation, bluff) and random_unit(random) < params[0]:
        return bluff
    return action


def bluffer(rate: float = 0.3) -> CompiledAgent:
    """Return the agent that bluffs at this rate, from 0 to 1.

    Raises `ValueError` where the rate is no such number.
    """
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise ValueError(f"rate={rate!r}: must be a number from 0 to 1")
    return CompiledAgent(f"bluffer {rate:g}", choose_to_bluff, np.array([rate], np.float32))
