"""Laying the last card (C5, C6)."""

from __future__ import annotations

from typing import Any

from uno_sim.cards import DRAW, WILD_DRAW, is_wild, symbol_of
from uno_sim.compilation import compiled
from uno_sim.rules.piles import draw_cards
from uno_sim.rules.scoring import end_won_round
from uno_sim.rules.turn_order import next_player


@compiled
def go_out(state: Any, rules: Any) -> None:
    """End the round of a player whose hand is empty (C5).

    After a draw card the next player still draws, the whole volley's total too, and may not
    answer; any other last card has no effect (C6).
    """
    drawn = last_draw(state, rules)
    if rules.last_card_draws and drawn > 0:
        draw_cards(state, rules, next_player(state, state.actor), drawn)
    state.pending = 0
    end_won_round(state, rules, state.actor)


@compiled
def last_draw(state: Any, rules: Any) -> Any:
    """Return how many cards the top card, laid last, makes the next player draw (C6)."""
    if state.top_card == WILD_DRAW:
        return rules.wild_draw_penalty
    if not is_wild(state.top_card) and symbol_of(state.top_card) == DRAW:
        return state.pending + rules.draw_penalty
    return 0
