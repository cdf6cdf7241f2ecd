"""The card turned up at the start, and who moves first (C13, D6, P4)."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.cards import DRAW, NO_COLOR, REVERSE, WILD_DIP, WILD_DRAW, color_of, is_wild, symbol_of
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import note_event
from uno_sim.rule_set import DUMPS, STARTER_NAMES
from uno_sim.rules.effects import complete_effect, draw_and_lose_turn
from uno_sim.rules.laying import dip
from uno_sim.rules.piles import discard, take_up
from uno_sim.rules.turn_order import ask, begin_turn, next_player
from uno_sim.state import Phase

CHOOSE_COLOR = int(Phase.CHOOSE_COLOR)


@compiled
def turn_up_start_card(state: Any, rules: Any) -> None:
    """Turn up the top card; it acts as though the one before the starter had laid it (C13)."""
    kind = take_up(state)
    discard(state, kind)
    state.top_card = kind
    state.active_color = NO_COLOR if is_wild(kind) else color_of(kind)
    state.actor = state.first
    starter = next_player(state, state.first)
    if is_wild(kind):
        namer = starter if rules.start_wild_named_by == STARTER_NAMES else state.first
        ask(state, namer, CHOOSE_COLOR)
    elif symbol_of(kind) == REVERSE and rules.reverse == DUMPS:
        state.open_reverse = True
        begin_turn(state, rules, starter)
    elif symbol_of(kind) == DRAW:
        state.pending = rules.draw_penalty
        draw_and_lose_turn(state, rules, starter)
    else:
        complete_effect(state, rules)


@compiled(apart=True)
def answer_start_color(state: Any, rules: Any, action: Any) -> None:
    """Name the color of the start wild, which then acts without any reply (C13, P4)."""
    state.active_color = action - actions.NAME_COLOR
    note_event(state, state.current_player, action, 0, 0)
    if state.top_card == WILD_DIP:
        dip(state, rules)
    elif state.top_card == WILD_DRAW:
        state.pending = rules.wild_draw_penalty
        draw_and_lose_turn(state, rules, next_player(state, state.first))
    else:
        begin_turn(state, rules, next_player(state, state.first))
