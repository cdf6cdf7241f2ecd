"""Laying every card of a color at once (D9, D9a)."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, as_index, bit, lowest, without_lowest
from uno_sim.cards import (
    REVERSE,
    color_of,
    kind_of,
    kinds_of_color,
    kinds_of_symbol,
)
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import JUST_DRAWN, note_event
from uno_sim.rules.laying import complete_laying, open_laying, put_down


@compiled
def is_open_for(state: Any, color: Any) -> Any:
    """Return whether a dump in `color` is an open one (D9)."""
    return state.open_reverse and color == state.active_color


@compiled
def open_dumps(state: Any, playable: Any) -> Any:
    """Return the kinds that an open dump may end in, as a set (D9).

    Every card of the open Reverse's color, all of which are `playable`; one is enough.
    """
    if not state.open_reverse:
        return EMPTY
    return playable & kinds_of_color(state.active_color)


@compiled
def owed_dumps(state: Any, player: Any, startable: Any) -> Any:
    """Return the kinds that an owed dump of `player` may end in, as a set (D9).

    `startable` is the set of playable kinds that may be laid first. A dump starts with a Reverse
    of these and needs at least one more card of its color, which a second Reverse is too.
    """
    ends = EMPTY
    reverses = startable & kinds_of_symbol(REVERSE)
    while reverses != EMPTY:
        reverse = lowest(reverses)
        color = color_of(reverse)
        if not is_open_for(state, color):
            others = state.held[player] & kinds_of_color(color)
            if state.hands[player, reverse] == 1:
                others &= ~bit(reverse)
            ends |= others
        reverses = without_lowest(reverses)
    return ends


@compiled
def lay_dump(state: Any, rules: Any, last: Any) -> None:
    """Lay every card of a color, ending in the kind `last` (D9, D9a).

    An owed Reverse goes first; the others ascend, further copies of `last` in their place.
    """
    player = as_index(state.current_player)
    color = color_of(last)
    owed = not is_open_for(state, color)
    just_drawn = open_laying(state, player)
    state.dumped = True
    before = state.hand_sizes[player]
    known = 0
    if owed:
        known += put_down(state, player, kind_of(color, REVERSE), color, just_drawn)
    kinds = state.held[player] & kinds_of_color(color)
    while kinds != EMPTY:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        kept = 1 if kind == last else 0
        for _ in range(state.hands[player, kind] - kept):
            known += put_down(state, player, kind, color, False)
    known += put_down(state, player, last, color, False)
    cards = before - state.hand_sizes[player]
    flags = known | (JUST_DRAWN if just_drawn else 0)
    note_event(state, player, actions.DUMP + last, cards, flags)
    complete_laying(state, rules)
