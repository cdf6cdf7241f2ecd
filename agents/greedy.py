"""`greedy`: sheds the most points at once. The fixed baseline; its choices never change.

* Draft: keeps actions and wilds, rejects numbers.
* Turn: the dump that sheds most cards, if one is legal (ties: the last card a Skip, then a Draw,
  then the highest number, then a Reverse; then the lowest kind); else the colored card of most
  points (ties: the color it holds most of, then the lowest kind); else Wild, Dip, Wild Draw, in
  this order; else it draws. It lays a drawn card whenever it can.
* Names the color it holds most of (ties: the lowest).
* Answers a volley with its lowest Draw card. Takes, and never challenges. Says UNO. Catches.
* Gives by a dip its colored card of most points (ties: the lowest kind), a wild only if it has
  nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.cards import (
    DRAW,
    NO_CARD,
    NUM_COLORED_KINDS,
    NUM_COLORS,
    NUM_SYMBOLS,
    REVERSE,
    SKIP,
    WILD,
    WILD_DIP,
    WILD_DRAW,
    WILDS,
    color_of,
    is_wild,
    symbol_of,
)
from uno_sim.compilation import compiled
from uno_sim.policies import CompiledAgent, policy
from uno_sim.state import Phase

CATCH = int(Phase.CATCH)
CHALLENGE = int(Phase.CHALLENGE)
CHOOSE_COLOR = int(Phase.CHOOSE_COLOR)
DRAFT = int(Phase.DRAFT)
GIVE = int(Phase.GIVE)
UNO = int(Phase.UNO)
VOLLEY = int(Phase.VOLLEY)

_COLORED = np.uint64((1 << NUM_COLORED_KINDS) - 1)
_DUMP_SHIFT = np.uint64(actions.DUMP)
_DUMP_CUT = np.uint64(64 - actions.DUMP)
_GIVE_SHIFT = np.uint64(actions.GIVE - 128)
_WILD_ACTIONS = np.uint64(((1 << 3 * NUM_COLORS) - 1) << (actions.LAY_WILD - 64))


@policy(name="greedy", observes="own")
def choose_greedily(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the action of the fixed baseline; see the module."""
    phase = observation.phase
    if phase == DRAFT:
        offered = observation.offered_card
        is_action = is_wild(offered) or symbol_of(offered) >= SKIP
        return actions.KEEP if is_action else actions.REJECT
    if phase == UNO:
        return actions.UNO
    if phase == CATCH:
        return actions.CATCH
    if phase == CHALLENGE:
        return actions.TAKE
    if phase == VOLLEY:
        answers = observation.legal[0] & _COLORED
        return lowest(answers) if answers != EMPTY else actions.TAKE
    if phase == CHOOSE_COLOR:
        return actions.NAME_COLOR + most_held_color(observation)
    if phase == GIVE:
        return actions.GIVE + best_gift(observation, rules)
    return best_laying(observation, rules)


@compiled
def best_laying(observation: Any, rules: Any) -> Any:
    """Return what to lay, or to draw, or to keep the drawn card."""
    legal = observation.legal
    dumps = (legal[0] >> _DUMP_SHIFT) | (legal[1] << _DUMP_CUT & _COLORED)
    if dumps != EMPTY:
        return actions.DUMP + best_dump(observation, dumps)
    colored = legal[0] & _COLORED
    if colored != EMPTY:
        return most_points(observation, rules, colored)
    if legal[1] & _WILD_ACTIONS != EMPTY:
        color = most_held_color(observation)
        for wild in (WILD, WILD_DIP, WILD_DRAW):
            action = actions.wild_action(wild, color)
            if (legal[1] >> np.uint64(action - 64)) & np.uint64(1) != EMPTY:
                return action
    if (legal[1] >> np.uint64(actions.DRAW - 64)) & np.uint64(1) != EMPTY:
        return actions.DRAW
    return actions.PASS


@compiled
def best_dump(observation: Any, dumps: Any) -> Any:
    """Return the last card of the best dump, of a set that is not empty."""
    best = NO_CARD
    best_worth = -1
    while dumps != EMPTY:
        kind = lowest(dumps)
        shed = color_count(observation, color_of(kind))
        worth = shed * NUM_SYMBOLS + last_card_worth(symbol_of(kind))
        if worth > best_worth:
            best = kind
            best_worth = worth
        dumps = without_lowest(dumps)
    return best


@compiled
def last_card_worth(symbol: Any) -> Any:
    """Return how much a symbol is liked as the last of a dump, from 0 to 12."""
    if symbol == SKIP:
        return 12
    if symbol == DRAW:
        return 11
    if symbol == REVERSE:
        return 0
    return symbol + 1


@compiled
def most_points(observation: Any, rules: Any, kinds: Any) -> Any:
    """Return the colored kind of most points (ties: the color held most, the lowest kind)."""
    best = lowest(kinds)
    kinds = without_lowest(kinds)
    while kinds != EMPTY:
        kind = lowest(kinds)
        gain = rules.card_values[kind] - rules.card_values[best]
        if gain > 0 or (
            gain == 0
            and color_of(kind) != color_of(best)
            and color_count(observation, color_of(kind)) > color_count(observation, color_of(best))
        ):
            best = kind
        kinds = without_lowest(kinds)
    return best


@compiled
def best_gift(observation: Any, rules: Any) -> Any:
    """Return the colored kind of most points (ties: the lowest), a wild only if nothing else."""
    gifts = observation.legal[2] >> _GIVE_SHIFT
    best = lowest(gifts)
    rest = without_lowest(gifts) & ~WILDS
    while rest != EMPTY:
        kind = lowest(rest)
        if rules.card_values[kind] > rules.card_values[best]:
            best = kind
        rest = without_lowest(rest)
    return best


@compiled
def most_held_color(observation: Any) -> Any:
    """Return the color of which the hand holds most cards (ties: the lowest)."""
    best = 0
    best_count = -1
    for color in range(NUM_COLORS):
        count = color_count(observation, color)
        if count > best_count:
            best = color
            best_count = count
    return best


@compiled
def color_count(observation: Any, color: Any) -> Any:
    """Return how many cards of a color the player holds who is asked."""
    hand = observation.hands[observation.current_player]
    count = 0
    for kind in range(color * NUM_SYMBOLS, (color + 1) * NUM_SYMBOLS):
        count += hand[kind]
    return count


def greedy() -> CompiledAgent:
    """Return the agent `greedy`."""
    return CompiledAgent("greedy", choose_greedily)
