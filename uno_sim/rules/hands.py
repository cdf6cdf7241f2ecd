"""Cards going into and out of hands, and what a hand is worth."""

from __future__ import annotations

from typing import Any

from uno_sim.bit_sets import EMPTY, bit, lowest, without_lowest
from uno_sim.compilation import compiled


@compiled
def add_card(state: Any, player: Any, kind: Any) -> None:
    """Put a card into a hand."""
    state.hands[player, kind] += 1
    state.held[player] |= bit(kind)
    state.hand_sizes[player] += 1


@compiled
def remove_card(state: Any, player: Any, kind: Any) -> None:
    """Take a card that is held out of a hand."""
    left = state.hands[player, kind] - 1
    state.hands[player, kind] = left
    state.held[player] &= ~(bit(kind) if left == 0 else EMPTY)
    state.hand_sizes[player] -= 1


@compiled
def hand_points(state: Any, rules: Any, player: Any) -> Any:
    """Return the sum of the card values in a hand (D11, P9)."""
    points = 0
    kinds = state.held[player]
    while kinds != EMPTY:
        kind = lowest(kinds)
        points += state.hands[player, kind] * rules.card_values[kind]
        kinds = without_lowest(kinds)
    return points
