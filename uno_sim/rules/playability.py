"""Which cards may be laid on the top card (C1, C7)."""

from __future__ import annotations

from typing import Any

from uno_sim.bit_sets import contains
from uno_sim.cards import WILDS, kinds_like, kinds_of_color
from uno_sim.compilation import compiled


@compiled
def playable_kinds(top_card: Any, active_color: Any) -> Any:
    """Return all kinds that may be laid, as a set (C1).

    Every wild, the active color, and the number or symbol of the top card. A wild draw may be laid
    whatever else is held (C7).
    """
    return WILDS | kinds_of_color(active_color) | kinds_like(top_card)


@compiled
def is_playable(state: Any, kind: Any) -> Any:
    """Return whether a card of this kind may be laid now (C1)."""
    return contains(playable_kinds(state.top_card, state.active_color), kind)
