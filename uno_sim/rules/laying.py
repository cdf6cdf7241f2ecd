"""Laying cards: one card, a wild with its color, a dump, a dip and its gift (C4, D9, P6)."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.bit_sets import as_index
from uno_sim.cards import NO_CARD, WILD_DIP
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import (
    FORCED_DRAW,
    JUST_DRAWN,
    drawn_card_left,
    gave_card,
    left_hand,
    note_event,
)
from uno_sim.rules.going_out import go_out
from uno_sim.rules.hands import add_card, remove_card
from uno_sim.rules.piles import discard, draw_card
from uno_sim.rules.turn_order import ask, begin_turn, next_player
from uno_sim.rules.uno_call import settle_uno
from uno_sim.state import Phase

DRAWN = int(Phase.DRAWN)
GIVE = int(Phase.GIVE)


@compiled(inlined=True)
def lay_card(state: Any, rules: Any, action: Any, kind: Any, color: Any) -> None:
    """Lay one card of the hand, with `color` in force (C4); `action` is what says so.

    A dip that is not the last card draws and gives first (P6).
    """
    actor = as_index(state.current_player)
    just_drawn = open_laying(state, actor)
    known = put_down(state, actor, kind, color, just_drawn)
    note_event(state, actor, action, 1, known | (JUST_DRAWN if just_drawn else 0))
    if kind == WILD_DIP and state.hand_sizes[actor] > 0:
        dip(state, rules)
    else:
        complete_laying(state, rules)


@compiled
def open_laying(state: Any, actor: Any) -> Any:
    """Note who lays on what (C8), and end what laying a card ends (C12, D9).

    Returns whether the card to be laid first was just drawn (C3).
    """
    state.actor = actor
    state.top_before = state.top_card
    state.color_before = state.active_color
    state.judged_card[actor] = NO_CARD
    state.judged_apart = False
    state.judged_shown = NO_CARD
    state.drawn_card = NO_CARD
    state.open_reverse = False
    state.dumped = False
    state.passes = 0
    return state.phase == DRAWN


@compiled(inlined=True)
def put_down(state: Any, actor: Any, kind: Any, color: Any, just_drawn: Any) -> Any:
    """Move one card from the actor's hand to the top of the discard pile (C4, first step).

    Returns 1 where everybody knew it, else 0.
    """
    remove_card(state, actor, kind)
    if just_drawn:
        known = drawn_card_left(state, actor, kind)
    else:
        known = left_hand(state, actor, kind)
    discard(state, kind)
    state.top_card = kind
    state.active_color = color
    return 1 if known else 0


@compiled(inlined=True)
def complete_laying(state: Any, rules: Any) -> None:
    """Go out, or settle UNO and let the last card act (C4, C5)."""
    if state.hand_sizes[as_index(state.actor)] == 0:
        go_out(state, rules)
    else:
        settle_uno(state, rules)


@compiled
def dip(state: Any, rules: Any) -> None:
    """Draw one card and ask for the gift; where no card can be drawn none is given (P6)."""
    state.drawn_card = draw_card(state, rules, state.actor)
    drawn = 0 if state.drawn_card == NO_CARD else 1
    known = 0 if state.drawn_shown == NO_CARD else 1
    note_event(state, state.actor, FORCED_DRAW, drawn, known)
    if state.drawn_card == NO_CARD:
        complete_dip(state, rules)
    else:
        ask(state, state.actor, GIVE)


@compiled
def give(state: Any, rules: Any, kind: Any) -> None:
    """Give a card of the hand to the next player, unseen by the others (P6)."""
    receiver = next_player(state, state.actor)
    remove_card(state, state.actor, kind)
    add_card(state, receiver, kind)
    gave_card(state, state.actor, receiver, kind, rules.dip_gives)
    note_event(state, state.actor, actions.GIVE, 1, 0)
    state.drawn_card = NO_CARD
    complete_dip(state, rules)


@compiled
def complete_dip(state: Any, rules: Any) -> None:
    """Go on after a dip; the start card's makes no UNO call due (C4, P4, P6)."""
    if state.turns == 0:
        begin_turn(state, rules, next_player(state, state.actor))
    else:
        complete_laying(state, rules)
