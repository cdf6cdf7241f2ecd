"""What is legal: the answers to each question (C2, C3, C7, C13, D4, D8, D9, P6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, ONE, as_index, bit
from uno_sim.cards import (
    DRAW,
    NUM_COLORED_KINDS,
    NUM_COLORS,
    NUM_KINDS,
    WILDS,
    kinds_of_symbol,
)
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

_NUM_WILDS = NUM_KINDS - NUM_COLORED_KINDS


def _always_legal() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return what may be answered in each phase whatever is held, `[phases, words]`."""
    table = np.zeros((len(Phase), actions.NUM_LEGAL_WORDS), np.uint64)
    for phase, answers in (
        (DRAFT, (actions.KEEP, actions.REJECT)),
        (CHOOSE_COLOR, range(actions.NAME_COLOR, actions.NAME_COLOR + NUM_COLORS)),
        (TURN, (actions.DRAW,)),
        (DRAWN, (actions.PASS,)),
        (VOLLEY, (actions.TAKE,)),
        (CHALLENGE, (actions.TAKE, actions.CHALLENGE)),
        (UNO, (actions.UNO, actions.SILENT)),
        (CATCH, (actions.CATCH, actions.IGNORE)),
    ):
        for action in answers:
            table[phase, action // 64] |= np.uint64(1 << action % 64)
    return table


def _wild_layings() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return for each set of wilds the actions that lay one of them, in the second word."""
    table = np.zeros(1 << _NUM_WILDS, np.uint64)
    for wilds in range(1 << _NUM_WILDS):
        for action in range(NUM_COLORS * _NUM_WILDS):
            if wilds >> action // NUM_COLORS & 1:
                table[wilds] |= np.uint64(1 << (_WILD_SHIFT + action))
    return table


_ALWAYS_LEGAL = _always_legal()
_WILD_LAYINGS = _wild_layings()


@compiled(inlined=True)
def write_legal(state: Any, rules: Any) -> None:
    """Write the set of legal actions of the player who is asked; empty when nobody is.

    Every question has at least one answer. Each word is written once, when it is complete: to read
    again what was just written in parts would make the processor wait.
    """
    phase = as_index(state.phase)
    player = as_index(state.current_player)
    kinds = kinds_to_lay(state, phase, player)
    cards = _ALWAYS_LEGAL[phase, 0] | kinds & ~WILDS
    others = _ALWAYS_LEGAL[phase, 1] | _WILD_LAYINGS[kinds >> np.uint64(NUM_COLORED_KINDS)]
    gifts = _ALWAYS_LEGAL[phase, 2]
    if rules.reverse == DUMPS:
        dumps = open_dumps(state, kinds) | owed_dumps(state, player, kinds)
        cards |= dumps << _DUMP_SHIFT
        others |= dumps >> _DUMP_CUT
    if phase == GIVE:
        gifts |= possible_gifts(state, rules, player) << _GIVE_SHIFT
    state.legal[0] = cards
    state.legal[1] = others
    state.legal[2] = gifts


@compiled(inlined=True)
def kinds_to_lay(state: Any, phase: Any, player: Any) -> Any:
    """Return the kinds of which one card may be laid in answer to a question, as a set.

    On a turn all playable ones (C2), then the drawn card (C3), draw cards in a volley (D8).
    """
    if phase == TURN:
        return state.held[player] & playable_kinds(state.top_card, state.active_color)
    if phase == DRAWN:
        return bit(as_index(state.drawn_card))
    if phase == VOLLEY:
        return state.held[player] & kinds_of_symbol(DRAW)
    return EMPTY


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
