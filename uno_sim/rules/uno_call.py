"""Saying UNO, staying silent, being caught (C4, second step)."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.bit_sets import as_index, lowest
from uno_sim.cards import NO_CARD, WILD_DRAW
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import note_event
from uno_sim.rule_set import EXPLICIT_CALLS
from uno_sim.rules.effects import complete_effect
from uno_sim.rules.piles import draw_cards
from uno_sim.rules.turn_order import ask, next_player
from uno_sim.state import Phase

CATCH = int(Phase.CATCH)
UNO = int(Phase.UNO)


@compiled(inlined=True)
def settle_uno(state: Any, rules: Any) -> None:
    """Ask for the UNO call where one is due, then let the card act (C4)."""
    if state.hand_sizes[as_index(state.actor)] == 1 and rules.uno_calls == EXPLICIT_CALLS:
        ask(state, state.actor, UNO)
    else:
        complete_effect(state, rules)


@compiled
def answer_uno(state: Any, rules: Any, action: Any) -> None:
    """Say UNO, or stay silent: then the opponents are asked in turn (C4)."""
    note_event(state, state.actor, action, 0, 0)
    if action == actions.UNO:
        complete_effect(state, rules)
    else:
        ask(state, next_player(state, state.actor), CATCH)


@compiled
def answer_catch(state: Any, rules: Any, action: Any) -> None:
    """Catch the silent player, who draws, or leave it to the next opponent (C4).

    The direction is the one before the card acts. The card that was left in hand is kept in
    mind: a challenge judges it alone (C8).
    """
    actor = state.actor
    following = next_player(state, state.current_player)
    note_event(state, state.current_player, action, 0, 0)
    if action == actions.CATCH:
        if state.top_card == WILD_DRAW:
            judged = lowest(state.held[actor])
            state.judged_card[actor] = judged
            state.judged_apart = True
            state.judged_shown = judged if state.shown[actor, judged] > 0 else NO_CARD
        draw_cards(state, rules, actor, rules.uno_penalty)
        complete_effect(state, rules)
    elif following == actor:
        complete_effect(state, rules)
    else:
        ask(state, following, CATCH)
