"""`challenger`: plays as `greedy`, but challenges wild draws by a rule (C8, C9).

The rule is a table: for what the table has seen of the offender, and for the sizes of both hands,
whether to challenge. `python -m experiments.challenge_value` makes one. Without a table it
challenges every wild draw but those that had just been drawn, since a player who had to draw
probably held nothing to lay.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.greedy import choose_greedily
from agents.number_files import read_last_column
from uno_sim import actions
from uno_sim.cards import NO_COLOR, NUM_COLORED_KINDS, color_of
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import JUST_DRAWN
from uno_sim.policies import CompiledAgent, policy
from uno_sim.state import NUM_EVENTS, Phase
from uno_sim.statistics import Array

CHALLENGE = int(Phase.CHALLENGE)

HISTORIES = ("just drew it", "drew on the color", "laid the color last", "neither")
"""What the table has seen of the offender; the first that fits."""
JUST_DREW_IT, DREW_ON_COLOR, LAID_COLOR_LAST, NEITHER = range(4)
"""It laid the wild draw just after drawing it; it drew earlier in the round while the color to
match was the active one; its last card before was laid in that color; none of these."""
MOST_CARDS = 12
"""Larger hands count as hands of so many cards."""
RULE_SHAPE = (len(HISTORIES), MOST_CARDS, MOST_CARDS)
"""A rule's shape: the offender's history, the sizes of its hand and of the own hand, from 1."""

greedily = choose_greedily.function


@policy(name="challenger", observes="own")
def choose_to_challenge(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the action of `greedy`, or a challenge where the rule `params` has a 1."""
    if observation.phase == CHALLENGE and params[rule_place(observation)] > 0:
        return actions.CHALLENGE
    return greedily(observation, rules, params, memory, random)


@compiled
def rule_place(observation: Any) -> Any:
    """Return where a rule has its answer to a wild draw that may be challenged."""
    offender = bounded_size(observation, observation.actor)
    own = bounded_size(observation, observation.current_player)
    return (offender_history(observation) * MOST_CARDS + offender - 1) * MOST_CARDS + own - 1


@compiled
def bounded_size(observation: Any, seat: Any) -> Any:
    """Return how many cards a seat holds, at most `MOST_CARDS`."""
    return min(np.int64(observation.hand_sizes[seat]), MOST_CARDS)


@compiled
def offender_history(observation: Any) -> Any:
    """Return what all have seen of who laid the wild draw: a place in `HISTORIES`."""
    offender = observation.actor
    color = observation.color_before
    layings = 0
    laid_last = NO_COLOR
    oldest = max(0, observation.num_events - NUM_EVENTS)
    for number in range(observation.num_events - 1, oldest - 1, -1):
        event = observation.events[number % NUM_EVENTS]
        if event[0] == offender and event[1] < actions.DRAW:
            layings += 1
            if layings == 1 and event[3] >= JUST_DRAWN:
                return JUST_DREW_IT
            if layings == 2:
                laid_last = color_laid(np.int64(event[1]))
                break
    if color != NO_COLOR and observation.drew_on[offender, color] > 0:
        return DREW_ON_COLOR
    if color != NO_COLOR and laid_last == color:
        return LAID_COLOR_LAST
    return NEITHER


@compiled
def color_laid(action: Any) -> Any:
    """Return the color that is active after a laying."""
    if action >= actions.LAY_WILD:
        return actions.color_named(action)
    return color_of(action % NUM_COLORED_KINDS)


def unless_just_drawn() -> Array:
    """Return the rule that challenges every wild draw that was not just drawn."""
    rule = np.ones(RULE_SHAPE, np.float32)
    rule[JUST_DREW_IT] = 0
    return rule


def challenger(rule: str = "") -> CompiledAgent:
    """Return the agent with the rule of a file, or without one with `unless_just_drawn`.

    The file is what `experiments.challenge_value` writes: a CSV file with a header, whose last
    column is 1 to challenge and 0 to take, in the order of `RULE_SHAPE`.

    Raises `ValueError` where the file holds no such table.
    """
    if not rule:
        return of_rule("challenger", unless_just_drawn())
    answers = read_last_column("rule", rule)
    size = int(np.prod(RULE_SHAPE))
    if answers.size != size or not np.isin(answers, (0, 1)).all():
        raise ValueError(f"rule={rule!r}: must have {size} rows that end in 0 or 1")
    return of_rule("challenger", answers)


def of_rule(name: str, rule: Array) -> CompiledAgent:
    """Return the agent with a rule of `RULE_SHAPE`, 1 to challenge."""
    return CompiledAgent(name, choose_to_challenge, np.ravel(rule))
