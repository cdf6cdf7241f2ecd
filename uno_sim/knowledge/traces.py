"""Traces: cards that a player has seen in a hand, which has since given one away unseen.

The last gifts are kept in mind by all: who gave, who received, and which move it was: a doubt of
`knowledge.ways`, or a certain epoch. Each seat has traces of its own: a card, the hand in which it
was seen, and the first gift that may have taken it elsewhere. A later gift may have taken it on. A
trace ends when the card turns up. `known_gifts` are those of which a seat knows what they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, bit, contains
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.knowledge.ways import GONE, MOVE, sure_epoch
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import MAX_DOUBTS, MAX_GIFTS, MAX_TRACES

CARD = 0
"""Place in a trace: the kind, `NO_CARD` where there is no trace."""
HOLDER = 1
"""Place in a trace: the seat in whose hand it was seen."""
SINCE = 2
"""Place in a trace: the first gift that may have been it; from `MAX_GIFTS` on if it is vague."""
GIVER = 0
"""Place in a gift."""
TAKER = 1
"""Place in a gift."""


@compiled
def clear_traces(state: Any) -> None:
    """Forget all gifts and traces."""
    state.next_gift = 0
    state.gifts[:] = NO_CARD
    state.traces[:] = NO_CARD
    state.known_gifts[:] = EMPTY


@compiled(apart=True)
def note_gift(state: Any, giver: Any, taker: Any) -> None:
    """A gift passes that others do not see: what they know of the giver's hand becomes a trace.

    Where there is no room for the oldest gift, a trace that it may have been becomes vague: it is
    assumed that it was not, and nothing more follows from it.
    """
    gift = np.int64(state.next_gift)
    former = state.gifts[gift, GIVER]
    state.next_gift = (gift + 1) % MAX_GIFTS
    state.gifts[gift, GIVER] = giver
    state.gifts[gift, TAKER] = taker
    state.gifts[gift, MOVE] = GONE
    for seat in range(state.num_players):
        for place in range(MAX_TRACES):
            trace = state.traces[seat, place]
            if trace[CARD] != NO_CARD and trace[SINCE] % MAX_GIFTS == gift:
                vague = trace[SINCE] >= MAX_GIFTS or (
                    former == trace[HOLDER] and not contains(state.known_gifts[seat], gift)
                )
                trace[SINCE] = state.next_gift + (MAX_GIFTS if vague else 0)
        if seat in (giver, taker):
            state.known_gifts[seat] |= bit(gift)
            continue
        state.known_gifts[seat] &= ~bit(gift)
        for kind in range(NUM_KINDS):
            if state.seen[seat, giver, kind] > 0:
                state.seen[seat, giver, kind] -= 1
                add_trace(state, seat, kind, giver, gift)


@compiled
def add_trace(state: Any, seat: Any, kind: Any, holder: Any, gift: Any) -> None:
    """Add a trace, if there is room."""
    for place in range(MAX_TRACES):
        trace = state.traces[seat, place]
        if trace[CARD] == NO_CARD:
            trace[CARD] = kind
            trace[HOLDER] = holder
            trace[SINCE] = gift
            return


@compiled
def end_trace(trace: Any) -> None:
    """Forget a trace."""
    trace[CARD] = NO_CARD
    trace[HOLDER] = NO_CARD
    trace[SINCE] = NO_CARD


@compiled
def find_paths(state: Any, seat: Any, trace: Any, counts: Any, gifts: Any) -> None:
    """Write for every hand in how many ways the card can have come there, and by which gifts."""
    counts[:] = 0
    gifts[:] = EMPTY
    counts[trace[HOLDER]] = 1
    first = np.int64(trace[SINCE])
    for number in range(gifts_since(state, trace)):
        gift = (first + number) % MAX_GIFTS
        giver, taker = state.gifts[gift, GIVER], state.gifts[gift, TAKER]
        if counts[giver] > 0 and not contains(state.known_gifts[seat], gift):
            counts[taker] += counts[giver]
            gifts[taker] = gifts[giver] | bit(gift)


@compiled
def gifts_since(state: Any, trace: Any) -> Any:
    """Return how many gifts may have taken the card of a trace elsewhere, known ones included."""
    return (np.int64(state.next_gift) - trace[SINCE] - 1) % MAX_GIFTS + 1


@compiled(apart=True)
def found(state: Any, seat: Any, player: Any, kind: Any) -> None:
    """A seat learns that a hand holds, or held, a card of a kind that it had not seen there."""
    for place in range(MAX_TRACES):
        trace = state.traces[seat, place]
        if trace[CARD] == kind:
            if is_certain(state, trace):
                learn_path(state, seat, trace, player)
            end_trace(trace)
            return


@compiled
def is_certain(state: Any, trace: Any) -> Any:
    """Return whether a trace is not vague, and of the only unknown card of its kind."""
    count = 0
    for epoch in range(state.epoch + 1):
        count += state.pool[epoch, trace[CARD]]
    return count == 1 and trace[SINCE] < MAX_GIFTS


@compiled
def learn_path(state: Any, seat: Any, trace: Any, player: Any) -> None:
    """A seat learns where the card of a trace is: if it came by certain gifts, it knows those."""
    counts = np.empty(MAX_PLAYERS, np.int64)
    gifts = np.empty(MAX_PLAYERS, np.uint64)
    find_paths(state, seat, trace, counts, gifts)
    if counts[player] != 1:
        return
    epoch = sure_epoch(state, trace[CARD])
    for gift in range(MAX_GIFTS):
        if contains(gifts[player], gift):
            move = state.gifts[gift, MOVE]
            state.known_gifts[seat] |= bit(gift)
            for way in range(state.num_ways):
                if move < MAX_DOUBTS and state.way_epochs[way, move] != epoch:
                    state.possible_ways[seat] &= ~bit(way)


@compiled(apart=True)
def looked_at(state: Any, seat: Any, player: Any) -> None:
    """A seat is shown a whole hand: a trace of it ends, or leads elsewhere."""
    counts = np.empty(MAX_PLAYERS, np.int64)
    gifts = np.empty(MAX_PLAYERS, np.uint64)
    for place in range(MAX_TRACES):
        trace = state.traces[seat, place]
        kind = trace[CARD]
        if kind == NO_CARD:
            continue
        if state.hands[player, kind] > 0:
            found(state, seat, player, kind)
        elif is_certain(state, trace):
            find_paths(state, seat, trace, counts, gifts)
            counts[player] = 0
            if counts.sum() == 1:
                holder = np.argmax(counts)
                learn_path(state, seat, trace, holder)
                state.seen[seat, holder, kind] += 1
                end_trace(trace)
