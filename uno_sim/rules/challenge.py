"""Answers to draw cards: the volley, and the challenge of a wild draw (D8, C8 to C10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, as_index, bit
from uno_sim.cards import (
    NO_CARD,
    NUM_COLORED_KINDS,
    WILD_DRAW,
    color_of,
    is_wild,
    kinds_of_color,
)
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import annotate_next, note_event, saw_hand
from uno_sim.rule_set import COLOR_ONLY, OFFENDER_MOVES
from uno_sim.rules.effects import draw_and_lose_turn
from uno_sim.rules.piles import draw_cards
from uno_sim.rules.playability import playable_kinds
from uno_sim.rules.turn_order import begin_turn

_COLOR_ALONE = NUM_COLORED_KINDS + 4
_NO_WILD_DRAW = 64


@compiled
def take_draws(state: Any, rules: Any) -> None:
    """Lay no other draw card, but draw all pending cards and lose the turn (D8)."""
    victim = as_index(state.current_player)
    note_event(state, victim, actions.TAKE, 0, 0)
    draw_and_lose_turn(state, rules, victim)


@compiled
def answer_wild_draw(state: Any, rules: Any, action: Any) -> None:
    """Take the cards, or challenge whoever laid the wild draw (C9)."""
    victim = as_index(state.current_player)
    offender = as_index(state.actor)
    guilty = action == actions.CHALLENGE and is_guilty(state, rules, offender)
    if action == actions.CHALLENGE:
        annotate_next(state, proof_code(state, rules))
    note_event(state, victim, action, 1 if guilty else 0, 0)
    if action == actions.CHALLENGE:
        saw_hand(state, victim, offender)
    state.judged_card[offender] = NO_CARD
    state.judged_apart = False
    state.judged_shown = NO_CARD
    if guilty:
        draw_cards(state, rules, offender, state.pending)
        state.pending = 0
        mover = offender if rules.after_won_challenge == OFFENDER_MOVES else victim
        begin_turn(state, rules, mover)
    else:
        if action == actions.CHALLENGE:
            state.pending += rules.failed_challenge_extra
        draw_and_lose_turn(state, rules, victim)


@compiled
def is_guilty(state: Any, rules: Any, offender: Any) -> Any:
    """Return whether the offender could have laid another card than the wild draw (C8).

    Judged are the cards held when it was laid, against the top card and the color before it.
    """
    held = state.held[offender]
    if state.judged_card[offender] != NO_CARD:
        held = bit(state.judged_card[offender])
    return held & proof_kinds(proof_code(state, rules)) != EMPTY


@compiled
def proof_code(state: Any, rules: Any) -> Any:
    """Return as one number what a challenge is judged by: top card, color, options (C8)."""
    if rules.challenge_judges == COLOR_ONLY:
        return np.int64(_COLOR_ALONE + state.color_before)
    code = np.int64(state.top_before)
    if is_wild(code):
        code = np.int64(NUM_COLORED_KINDS + state.color_before)
    return code if rules.same_wild_draw_counts else code + _NO_WILD_DRAW


@compiled
def proof_kinds(code: Any) -> Any:
    """Return the kinds of which one proves guilt, as a set; `code` is a `proof_code` (C8)."""
    number = np.int64(code) % _NO_WILD_DRAW
    if number >= _COLOR_ALONE:
        return kinds_of_color(number - _COLOR_ALONE)
    if number >= NUM_COLORED_KINDS:
        kinds = playable_kinds(WILD_DRAW, number - NUM_COLORED_KINDS)
    else:
        kinds = playable_kinds(number, color_of(number))
    return kinds & ~bit(WILD_DRAW) if code >= _NO_WILD_DRAW else kinds
