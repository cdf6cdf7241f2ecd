"""A turn: laying a card or drawing one (C2, C3, C12)."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.bit_sets import as_index
from uno_sim.cards import NO_CARD, NO_COLOR, color_of
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import note_event
from uno_sim.rules.dump import lay_dump
from uno_sim.rules.laying import lay_card
from uno_sim.rules.piles import draw_card
from uno_sim.rules.playability import is_playable
from uno_sim.rules.scoring import end_blocked_round
from uno_sim.rules.turn_order import ask, begin_turn, next_player
from uno_sim.state import Phase

DRAWN = int(Phase.DRAWN)


@compiled(inlined=True)
def lay(state: Any, rules: Any, action: Any) -> None:
    """Lay what the action names, on a turn or as an answer: a card, a dump, a wild with a color."""
    action = as_index(action)
    if action < actions.DUMP:
        kind, color = action, color_of(action)
    elif action < actions.LAY_WILD:
        lay_dump(state, rules, action - actions.DUMP)
        return
    else:
        kind, color = actions.wild_of(action), actions.color_named(action)
    lay_card(state, rules, action, kind, color)


@compiled(inlined=True)
def draw_on_turn(state: Any, rules: Any) -> None:
    """Draw one card; if it is playable, ask whether to lay it, else the turn ends (C3)."""
    player = as_index(state.current_player)
    state.open_reverse = False
    kind = draw_card(state, rules, player)
    if state.active_color != NO_COLOR:
        state.drew_on[player, as_index(state.active_color)] = state.turns
    if kind == NO_CARD:
        note_event(state, player, actions.DRAW, 0, 0)
        pass_turn(state, rules)
        return
    note_event(state, player, actions.DRAW, 1, 0 if state.drawn_shown == NO_CARD else 1)
    state.passes = 0
    if is_playable(state, kind):
        state.drawn_card = kind
        ask(state, player, DRAWN)
    else:
        begin_turn(state, rules, next_player(state, player))


@compiled(apart=True)
def pass_turn(state: Any, rules: Any) -> None:
    """End a turn that brought no card; the round is blocked when all have passed (C12)."""
    state.passes += 1
    if state.passes >= state.num_players:
        end_blocked_round(state, rules)
    else:
        begin_turn(state, rules, next_player(state, state.current_player))


@compiled
def keep_drawn(state: Any, rules: Any) -> None:
    """Keep the card just drawn, and end the turn (C3)."""
    state.drawn_card = NO_CARD
    begin_turn(state, rules, next_player(state, state.current_player))
