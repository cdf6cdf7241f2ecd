"""Ways: of which epochs the cards were that moved in doubt, and the counts that follow.

A card that left a hand may be of one epoch or of another where the table cannot tell: a gift that
only two players saw, or one of two equal cards that were shuffled apart. Each such move is a
*doubt*. A *way* says of every doubt which epoch the card was of, and has a weight: how many
histories lead to it, all choices being alike.

The record's `slots` and `pool` are those of the first way, the likeliest; of another way they
differ by its doubts. While nothing is in doubt there is one way, without a cost. `possible_ways`
has for each seat the ways that agree with what this seat alone knew when cards moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import as_index, bit, contains
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.random_stream import split
from uno_sim.state import MAX_DOUBTS, MAX_EPOCHS, MAX_GIFTS, NO_SEAT

GIVER = 0
"""Place in a doubt: the seat whose hand the card left."""
TAKER = 1
"""Place in a doubt: the seat that got the card, `NO_SEAT` where it came into the open."""
KIND = 2
"""Place in a doubt: what came into the open, `NO_CARD` for a gift."""
GONE = -1
"""An epoch of which no unknown card is left."""

MOVE = 2
"""Place in a gift (`knowledge.traces`): the number of its doubt, `MAX_DOUBTS` and its epoch, or
`GONE`."""
NUM_MOVES = MAX_DOUBTS + MAX_EPOCHS
"""How many moves can be named."""


@compiled
def clear_doubts(state: Any) -> None:
    """Nothing is in doubt: there is one way."""
    state.num_ways = 1
    state.num_doubts = 0
    state.doubts[:] = 0
    state.way_epochs[:] = 0
    state.way_weights[:] = 0
    state.possible_ways[:] = 0


@compiled(inlined=True)
def shift(state: Any, way: Any, doubt: Any, epoch: Any) -> Any:
    """Return 1 where the card in doubt is of the epoch in this way alone, -1 in the first alone."""
    doubt = as_index(doubt)
    here = 1 if state.way_epochs[as_index(way), doubt] == epoch else 0
    first = 1 if state.way_epochs[0, doubt] == epoch else 0
    return here - first


@compiled(inlined=True)
def slots_in(state: Any, way: Any, player: Any, epoch: Any) -> Any:
    """Return how many unknown cards of an epoch a hand holds in one way."""
    player = as_index(player)
    count = np.int64(state.slots[player, as_index(epoch)])
    if way == 0:
        return count
    for number in range(state.num_doubts):
        doubt = as_index(number)
        got = 1 if state.doubts[doubt, TAKER] == player else 0
        gave = 1 if state.doubts[doubt, GIVER] == player else 0
        count += (got - gave) * shift(state, way, doubt, epoch)
    return count


@compiled
def cards_in(state: Any, way: Any, epoch: Any, kind: Any) -> Any:
    """Return how many unknown cards of a kind are of an epoch in one way."""
    count = np.int64(state.pool[as_index(epoch), as_index(kind)])
    if way == 0:
        return count
    for number in range(state.num_doubts):
        doubt = as_index(number)
        if state.doubts[doubt, KIND] == kind:
            count -= shift(state, way, doubt, epoch)
    return count


@compiled
def pool_size_in(state: Any, way: Any, epoch: Any) -> Any:
    """Return how many unknown cards are of an epoch in one way."""
    size = np.int64(0)
    for kind in range(NUM_KINDS):
        size += state.pool[epoch, kind]
    for doubt in range(state.num_doubts):
        if state.doubts[doubt, KIND] != NO_CARD:
            size -= shift(state, way, doubt, epoch)
    return size


@compiled
def sure_epoch(state: Any, kind: Any) -> Any:
    """Return the one epoch that an unknown card of a kind is of in all ways, `GONE` for several."""
    found = GONE
    for doubt in range(state.num_doubts):
        if state.doubts[doubt, KIND] == kind:
            return GONE
    for epoch in range(state.epoch + 1):
        if state.pool[epoch, kind] > 0:
            if found != GONE:
                return GONE
            found = epoch
    return found


@compiled
def move_slot(state: Any, giver: Any, taker: Any, kind: Any, epoch: Any) -> None:
    """Move an unknown card of a certain epoch, in the first way."""
    state.slots[giver, epoch] -= 1
    if taker != NO_SEAT:
        state.slots[taker, epoch] += 1
    if kind != NO_CARD:
        state.pool[epoch, kind] -= 1


@compiled(apart=True)
def make_first(state: Any, way: Any) -> None:
    """Let slots and pools be those of another way; what is added goes first."""
    if way == 0:
        return
    for sign in (1, -1):
        for doubt in range(state.num_doubts):
            giver, taker, kind = state.doubts[doubt]
            for other in (0, way):
                epoch = state.way_epochs[other, doubt]
                if epoch == GONE or state.way_epochs[0, doubt] == state.way_epochs[way, doubt]:
                    continue
                change = sign if other == 0 else -sign
                if change > 0:
                    add(state.slots, giver, epoch, sign)
                    if kind != NO_CARD:
                        add(state.pool, epoch, kind, sign)
                elif taker != NO_SEAT:
                    add(state.slots, taker, epoch, sign)


@compiled
def add(counts: Any, row: Any, column: Any, number: Any) -> None:
    """Change one of many counts."""
    counts[row, column] = np.int64(counts[row, column]) + number


@compiled
def mark_of_way(state: Any, way: Any) -> Any:
    """Return a number that two ways share only where they have the same slots and pools."""
    mark = np.uint64(0)
    for doubt in range(state.num_doubts):
        epoch = state.way_epochs[way, doubt]
        if epoch != GONE:
            one = state.doubts[doubt]
            mark += mark_of_move(one[GIVER], one[TAKER], one[KIND], epoch)
    return mark


@compiled
def mark_of_move(giver: Any, taker: Any, kind: Any, epoch: Any) -> Any:
    """Return the sum of random words of the counts that a move changes (Zobrist's method)."""
    mark = -split(np.uint64(giver), epoch)
    if taker != NO_SEAT:
        mark += split(np.uint64(taker), epoch)
    if kind != NO_CARD:
        mark -= split(np.uint64(256 + np.int64(kind)), epoch)
    return mark


@compiled(apart=True)
def put_first(state: Any, way: Any) -> None:
    """Exchange a way with the first, and let slots and pools be those of it."""
    if way == 0:
        return
    make_first(state, way)
    one, other = state.way_weights[0], state.way_weights[way]
    state.way_weights[0] = other
    state.way_weights[way] = one
    for doubt in range(state.num_doubts):
        one, other = state.way_epochs[0, doubt], state.way_epochs[way, doubt]
        state.way_epochs[0, doubt] = other
        state.way_epochs[way, doubt] = one
    for seat in range(state.num_players):
        held = state.possible_ways[seat]
        if contains(held, 0) != contains(held, way):
            state.possible_ways[seat] = held ^ (bit(0) | bit(way))


@compiled
def move_way(state: Any, source: Any, target: Any) -> None:
    """Give a way a lower number."""
    if source == target:
        return
    state.way_weights[target] = state.way_weights[source]
    for doubt in range(state.num_doubts):
        state.way_epochs[target, doubt] = state.way_epochs[source, doubt]
    for seat in range(state.num_players):
        held = contains(state.possible_ways[seat], source)
        state.possible_ways[seat] &= ~bit(target)
        if held:
            state.possible_ways[seat] |= bit(target)


@compiled
def keep_ways(state: Any, count: Any) -> None:
    """Leave out all ways but the first `count`."""
    for way in range(count, state.num_ways):
        state.way_weights[way] = 0
        for doubt in range(MAX_DOUBTS):
            state.way_epochs[way, doubt] = 0
        for seat in range(state.num_players):
            state.possible_ways[seat] &= ~bit(way)
    state.num_ways = count


@compiled(apart=True)
def settle_one(state: Any) -> None:
    """Decide the doubt of which the first way is surest, to have room for another."""
    surest = 0
    most = np.int64(0)
    for doubt in range(state.num_doubts):
        weight = np.int64(0)
        for way in range(state.num_ways):
            if state.way_epochs[way, doubt] == state.way_epochs[0, doubt]:
                weight += state.way_weights[way]
        if weight > most:
            most = weight
            surest = doubt
    kept = 0
    for way in range(state.num_ways):
        if state.way_epochs[way, surest] == state.way_epochs[0, surest]:
            move_way(state, way, kept)
            kept += 1
    keep_ways(state, kept)
    forget_settled(state)


@compiled(apart=True)
def forget_settled(state: Any) -> None:
    """Forget the doubts on which all ways agree."""
    kept = 0
    names = np.arange(NUM_MOVES)
    for doubt in range(state.num_doubts):
        agreed = True
        for way in range(1, state.num_ways):
            agreed &= state.way_epochs[way, doubt] == state.way_epochs[0, doubt]
        names[doubt] = kept
        if agreed:
            epoch = state.way_epochs[0, doubt]
            names[doubt] = GONE if epoch == GONE else MAX_DOUBTS + epoch
        else:
            for place in range(3):
                state.doubts[kept, place] = state.doubts[doubt, place]
            for way in range(state.num_ways):
                state.way_epochs[way, kept] = state.way_epochs[way, doubt]
            kept += 1
    if kept == state.num_doubts:
        return
    rename_moves(state, names)
    for doubt in range(kept, state.num_doubts):
        for place in range(3):
            state.doubts[doubt, place] = 0
        for way in range(state.num_ways):
            state.way_epochs[way, doubt] = 0
    state.num_doubts = kept
    if kept == 0:
        clear_doubts(state)


@compiled
def is_used(state: Any, epoch: Any) -> Any:
    """Return whether a hand may hold an unknown card of an epoch."""
    for way in range(state.num_ways):
        for player in range(state.num_players):
            if slots_in(state, way, player, epoch) > 0:
                return True
    return False


@compiled(apart=True)
def rename_epochs(state: Any, names: Any) -> None:
    """Give the epochs of the doubts new numbers, `GONE` for those that nobody holds."""
    for way in range(state.num_ways):
        for doubt in range(state.num_doubts):
            epoch = state.way_epochs[way, doubt]
            if epoch != GONE:
                state.way_epochs[way, doubt] = names[epoch]
    moves = np.arange(NUM_MOVES)
    for epoch in range(MAX_EPOCHS):
        moves[MAX_DOUBTS + epoch] = GONE if names[epoch] == GONE else MAX_DOUBTS + names[epoch]
    rename_moves(state, moves)
    forget_settled(state)


@compiled
def rename_moves(state: Any, names: Any) -> None:
    """Give the moves of the last gifts new numbers."""
    for gift in range(MAX_GIFTS):
        if state.gifts[gift, MOVE] != GONE:
            state.gifts[gift, MOVE] = names[state.gifts[gift, MOVE]]


@compiled
def name_last_gift(state: Any, move: Any) -> None:
    """Say which move the last gift was."""
    state.gifts[(state.next_gift - 1) % MAX_GIFTS, MOVE] = move
