"""The draw pile and the discard pile: drawing, turning over, recycling (C11, D5, D7, P8)."""

from __future__ import annotations

from typing import Any

from uno_sim.bit_sets import as_index
from uno_sim.cards import NO_CARD
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import (
    FORCED_DRAW,
    RECYCLING,
    came_into_hand,
    note_event,
    shuffled_discards,
    top_is_known,
    turned_up,
)
from uno_sim.random_stream import shuffle
from uno_sim.rule_set import SHUFFLED
from uno_sim.rules.hands import add_card


@compiled
def discard(state: Any, kind: Any) -> None:
    """Put a card face up on the discard pile."""
    state.discard_pile[as_index(state.discard_size)] = kind
    state.discard_size += 1


@compiled
def take_top(state: Any) -> Any:
    """Take the next card off a draw pile that is not empty, and return its kind."""
    place = as_index(state.draw_size - 1)
    kind = as_index(state.draw_pile[place])
    state.draw_pile[place] = NO_CARD
    state.draw_size = place
    state.known_size = min(state.known_size, place)
    return kind


@compiled
def turn_over_discards(state: Any) -> None:
    """Turn all discards over as one block and put them under the draw pile (D5, D7).

    Of the block, the oldest discard is drawn first; all know it then.
    """
    count = state.discard_size
    for place in range(state.draw_size - 1, -1, -1):
        state.draw_pile[place + count] = state.draw_pile[place]
    for age in range(count):
        state.draw_pile[count - 1 - age] = state.discard_pile[age]
        state.discard_pile[age] = NO_CARD
    state.draw_size += count
    state.discard_size = 0
    state.known_size = count


@compiled(apart=True)
def recycle_discards(state: Any, rules: Any) -> None:
    """Make the new draw pile of all discards but the top one (C11; D7 turned over, P8 shuffled).

    Does nothing where fewer than two discards lie.
    """
    if state.discard_size < 2:
        return
    state.discard_size -= 1
    top_card = state.discard_pile[state.discard_size]
    state.discard_pile[state.discard_size] = NO_CARD
    if rules.recycle == SHUFFLED:
        shuffle(state.random, state.discard_pile, state.discard_size)
    turn_over_discards(state)
    discard(state, top_card)
    if rules.recycle == SHUFFLED:
        shuffled_discards(state)
    note_event(state, 0, RECYCLING, state.draw_size, state.known_size)


@compiled(inlined=True)
def draw_card(state: Any, rules: Any, player: Any) -> Any:
    """Draw one card into a hand and return its kind; `NO_CARD` where none is left (C11)."""
    state.drawn_shown = NO_CARD
    if state.draw_size == 0:
        recycle_discards(state, rules)
        if state.draw_size == 0:
            return NO_CARD
    known = top_is_known(state)
    kind = take_into_hand(state, player)
    state.drawn_shown = kind if known else NO_CARD
    return kind


@compiled
def take_into_hand(state: Any, player: Any) -> Any:
    """Put the next card of a draw pile that is not empty into a hand, and return its kind."""
    known = top_is_known(state)
    kind = take_top(state)
    add_card(state, player, kind)
    came_into_hand(state, player, kind, known)
    return kind


@compiled
def take_up(state: Any) -> Any:
    """Turn up the next card of a draw pile that is not empty, and return its kind."""
    known = top_is_known(state)
    kind = take_top(state)
    if not known:
        turned_up(state, kind)
    return kind


@compiled
def draw_cards(state: Any, rules: Any, player: Any, count: Any) -> None:
    """Draw `count` cards into a hand; what is not there is forgiven (C11)."""
    drawn = 0
    known = 0
    while drawn < count and draw_card(state, rules, player) != NO_CARD:
        drawn += 1
        known += 0 if state.drawn_shown == NO_CARD else 1
    note_event(state, player, FORCED_DRAW, drawn, known)
