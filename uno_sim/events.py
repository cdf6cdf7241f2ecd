"""The public events of a round as text."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.actions import ACTION_NAMES
from uno_sim.knowledge.memory import FORCED_DRAW, JUST_DRAWN, RECYCLING
from uno_sim.state import NUM_EVENTS


def event_texts(record: Any) -> list[str]:
    """Return the remembered events of a record, the oldest first (at most the last 64)."""
    count = int(record.num_events)
    first = max(0, count - NUM_EVENTS)
    return [event_text(record.events[number % NUM_EVENTS]) for number in range(first, count)]


def event_text(event: Any) -> str:
    """Return one event: the seat, what it did, and what everybody could see of it.

    Such as `0 R7`, `1 draw`, `1 draw (known)`, `0 WD:R (just drawn)`, `0 draws 2`.
    """
    seat, code, cards, flags = (int(number) for number in event)
    known = flags % JUST_DRAWN
    if code == RECYCLING:
        return f"{cards} discards become the draw pile"
    if code == FORCED_DRAW:
        return f"{seat} draws {cards}" + (f" ({known} known)" if known else "")
    if code == actions.GIVE:
        return f"{seat} gives a card"
    text = f"{seat} {ACTION_NAMES[code]}"
    if code == actions.DRAW:
        return text + (" (nothing left)" if cards == 0 else " (known)" if known else "")
    if code == actions.CHALLENGE:
        return text + (" (guilty)" if cards else " (innocent)")
    if flags >= JUST_DRAWN:
        return text + " (just drawn)"
    return text
