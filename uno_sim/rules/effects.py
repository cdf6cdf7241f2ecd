"""What a card does once it lies and UNO is settled (C4, D8 to D10, P5 to P7)."""

from __future__ import annotations

from typing import Any

from uno_sim.bit_sets import as_index
from uno_sim.cards import DRAW, REVERSE, SKIP, WILD_DRAW, is_wild, symbol_of
from uno_sim.compilation import compiled
from uno_sim.rule_set import AGAIN, DUMPS
from uno_sim.rules.piles import draw_cards
from uno_sim.rules.turn_order import ask, begin_turn, next_player
from uno_sim.state import Phase

CHALLENGE = int(Phase.CHALLENGE)
VOLLEY = int(Phase.VOLLEY)


@compiled(inlined=True)
def complete_effect(state: Any, rules: Any) -> None:
    """Let the top card act; whoever moves next is asked (C4, third step).

    A number, a Wild or a Dip just passes the turn on.
    """
    kind = as_index(state.top_card)
    if kind == WILD_DRAW:
        state.pending = rules.wild_draw_penalty
        ask(state, next_player(state, state.actor), CHALLENGE)
    elif is_wild(kind):
        begin_turn(state, rules, next_player(state, state.actor))
    elif symbol_of(kind) == SKIP:
        skip_next(state, rules)
    elif symbol_of(kind) == REVERSE:
        complete_reverse(state, rules)
    elif symbol_of(kind) == DRAW:
        complete_draw(state, rules)
    else:
        begin_turn(state, rules, next_player(state, state.actor))


@compiled
def skip_next(state: Any, rules: Any) -> None:
    """The next player loses the turn; with two players the actor moves again (D10, P5)."""
    skipped = next_player(state, state.actor)
    begin_turn(state, rules, next_player(state, skipped))


@compiled
def complete_reverse(state: Any, rules: Any) -> None:
    """Turn the direction (P5), or, last in a dump, be open for the next player (D9).

    With two players a single Reverse passes the turn on, or its player moves again (D9, P5).
    """
    if rules.reverse == DUMPS:
        state.open_reverse = state.dumped and rules.reverse_last_opens
    else:
        state.direction = -state.direction
    if state.num_players == 2 and rules.lone_reverse == AGAIN and not state.dumped:
        begin_turn(state, rules, state.actor)
    else:
        begin_turn(state, rules, next_player(state, state.actor))


@compiled
def complete_draw(state: Any, rules: Any) -> None:
    """Add to the pending cards; the next player may answer (D8), or draws at once (P5)."""
    state.pending += rules.draw_penalty
    victim = next_player(state, state.actor)
    if rules.stack_draws:
        ask(state, victim, VOLLEY)
    else:
        draw_and_lose_turn(state, rules, victim)


@compiled
def draw_and_lose_turn(state: Any, rules: Any, victim: Any) -> None:
    """The victim draws all pending cards and loses the turn (C9, D8, P5, P7)."""
    draw_cards(state, rules, victim, state.pending)
    state.pending = 0
    begin_turn(state, rules, next_player(state, victim))
