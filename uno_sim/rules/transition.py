"""The transition function: a new round, and one decision after another."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.compilation import compiled
from uno_sim.rules.challenge import answer_wild_draw, take_draws
from uno_sim.rules.dealing import answer_draft, clear_round, deal, shuffle_deck
from uno_sim.rules.laying import give
from uno_sim.rules.legal import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAFT,
    DRAWN,
    GIVE,
    TURN,
    UNO,
    VOLLEY,
    write_legal,
)
from uno_sim.rules.start_card import answer_start_color
from uno_sim.rules.turn import draw_on_turn, keep_drawn, lay
from uno_sim.rules.uno_call import answer_catch, answer_uno


@compiled(apart=True)
def start_round(state: Any, rules: Any) -> None:
    """Begin the next round with the rule set's deck, shuffled."""
    clear_round(state)
    shuffle_deck(state, rules)
    begin_round(state, rules)


@compiled
def begin_round(state: Any, rules: Any) -> None:
    """Deal from the draw pile that lies ready, and ask the first question."""
    deal(state, rules)
    write_legal(state, rules)


@compiled(inlined=True)
def step(state: Any, rules: Any, action: Any) -> None:
    """Apply a legal action to the state, in place; then `state.legal` holds the next answers.

    The caller makes sure that the action is legal.
    """
    if action < actions.DRAW:
        lay(state, rules, action)
    elif state.phase == TURN:
        draw_on_turn(state, rules)
    elif state.phase == DRAWN:
        keep_drawn(state, rules)
    else:
        answer(state, rules, action)
    write_legal(state, rules)


@compiled
def answer(state: Any, rules: Any, action: Any) -> None:
    """Apply what neither lays a card nor draws one on a turn."""
    phase = state.phase
    if phase == UNO:
        answer_uno(state, rules, action)
    elif phase == CATCH:
        answer_catch(state, rules, action)
    elif phase == VOLLEY:
        take_draws(state, rules)
    elif phase == CHALLENGE:
        answer_wild_draw(state, rules, action)
    elif phase == DRAFT:
        answer_draft(state, rules, action)
    elif phase == CHOOSE_COLOR:
        answer_start_color(state, rules, action)
    elif phase == GIVE:
        give(state, rules, action - actions.GIVE)
