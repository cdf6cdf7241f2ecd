"""What is legal: the answers to each question (C2, C3, C7, C13, D4, D8, D9, P6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, ONE, bit
from uno_sim.cards import DRAW, NUM_COLORED_KINDS, NUM_COLORS, WILDS, kinds_of_symbol
from uno_sim.compilation import compiled
from uno_sim.rule_set import DUMPS, GIVE_DRAWN, GIVE_OTHER
from uno_sim.rules.dump import open_dumps, owed_dumps
from uno_sim.rules.playability import playable_kinds
from uno_sim.state import Phase

CATCH = int(Phase.CATCH)
CHALLENGE = int(Phase.CHALLENGE)
CHOOSE_COLOR = int(Phase.CHOOSE_COLOR)
DRAFT = int(Phase.DRAFT)
DRAWN = int(Phase.DRAWN)
GIVE = int(Phase.GIVE)
TURN = int(Phase.TURN)
UNO = int(Phase.UNO)
VOLLEY = int(Phase.VOLLEY)

# Where a range of actions begins inside the words of a legal set.
_DUMP_SHIFT = np.uint64(actions.DUMP)
_DUMP_CUT = np.uint64(64 - actions.DUMP)
_WILD_SHIFT = actions.LAY_WILD - 64
_GIVE_SHIFT = np.uint64(actions.GIVE - 128)
_ALL_COLORS = np.uint64((1 << NUM_COLORS) - 1)


@compiled
def write_legal(state: Any, rules: Any) -> None:
    """Write the set of legal actions of the player who is asked; empty when nobody is.

    Every question has at least one answer.
    """
    for word in range(len(state.legal)):
        state.legal[word] = EMPTY
    phase = state.phase
    player = state.current_player
    if phase == TURN:
        playable = playable_kinds(state.top_card, state.active_color)
        allow_laying(state, rules, player, state.held[player] & playable)
        allow(state, actions.DRAW)
    elif phase == DRAWN:
        allow_laying(state, rules, player, bit(state.drawn_card))
        allow(state, actions.PASS)
    elif phase == VOLLEY:
        state.legal[0] = state.held[player] & kinds_of_symbol(DRAW)
        allow(state, actions.TAKE)
    elif phase == CHALLENGE:
        allow(state, actions.TAKE)
        allow(state, actions.CHALLENGE)
    elif phase == UNO:
        allow(state, actions.UNO)
        allow(state, actions.SILENT)
    elif phase == CATCH:
        allow(state, actions.CATCH)
        allow(state, actions.IGNORE)
    elif phase == DRAFT:
        allow(state, actions.KEEP)
        allow(state, actions.REJECT)
    elif phase == CHOOSE_COLOR:
        for color in range(NUM_COLORS):
            allow(state, actions.NAME_COLOR + color)
    elif phase == GIVE:
        state.legal[2] = possible_gifts(state, rules, player) << _GIVE_SHIFT


@compiled
def allow(state: Any, action: Any) -> None:
    """Add one action to the legal set."""
    state.legal[action // 64] |= bit(action % 64)


@compiled
def allow_laying(state: Any, rules: Any, player: Any, playable: Any) -> None:
    """Add laying any of the `playable` kinds, which are held, and the dumps they start (D9)."""
    state.legal[0] |= playable & ~WILDS
    if rules.reverse == DUMPS:
        dumps = open_dumps(state, player) | owed_dumps(state, player, playable)
        state.legal[0] |= dumps << _DUMP_SHIFT
        state.legal[1] |= dumps >> _DUMP_CUT
    wilds = playable >> np.uint64(NUM_COLORED_KINDS)
    shift = _WILD_SHIFT
    while wilds != EMPTY:
        if wilds & ONE != EMPTY:
            state.legal[1] |= _ALL_COLORS << np.uint64(shift)
        wilds >>= ONE
        shift += NUM_COLORS


@compiled
def possible_gifts(state: Any, rules: Any, player: Any) -> Any:
    """Return the kinds that a dip may give, as a set (P6)."""
    drawn = bit(state.drawn_card)
    if rules.dip_gives == GIVE_DRAWN:
        return drawn
    if rules.dip_gives == GIVE_OTHER and state.hands[player, state.drawn_card] == 1:
        return state.held[player] & ~drawn
    return state.held[player]


@compiled
def is_legal(state: Any, action: Any) -> Any:
    """Return whether `action` is in the legal set; any integer may be asked."""
    if action < 0 or action >= actions.NUM_ACTIONS:
        return False
    return (state.legal[action // 64] >> np.uint64(action % 64)) & ONE != EMPTY
