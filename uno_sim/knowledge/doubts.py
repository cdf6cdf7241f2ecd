"""Moves of unknown cards of which it is in doubt from which epoch they are.

Every way (`knowledge.ways`) is followed through such a move, and becomes several where the card may
be of several epochs; what a later move shows makes some ways impossible and others likelier. Ways
that lead to the same counts become one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, bit, contains
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.knowledge.ways import (
    GIVER,
    GONE,
    KIND,
    TAKER,
    cards_in,
    forget_settled,
    keep_ways,
    make_first,
    mark_of_move,
    mark_of_way,
    move_slot,
    move_way,
    name_last_gift,
    pool_size_in,
    put_first,
    settle_one,
    slots_in,
    sure_epoch,
)
from uno_sim.rule_set import GIVE_DRAWN, GIVE_OTHER, OPTION_VALUES
from uno_sim.state import MAX_DOUBTS, MAX_EPOCHS, MAX_WAYS, NO_SEAT

ANY_CARD = OPTION_VALUES["dip_gives"].index("any")
"""Which card moved: each of the hand may have been it."""
DRAWN_CARD = GIVE_DRAWN
"""The card that was drawn last."""
OTHER_CARD = GIVE_OTHER
"""Any card but the one that was drawn last."""

PARENT, EPOCH, SEATS = 0, 1, 2

_FULL_WEIGHT = (1 << 16) - 1


@compiled
def chance(state: Any, way: Any, giver: Any, kind: Any, which: Any, epoch: Any) -> Any:
    """Return how many histories of one way go on with a card of this epoch, 0.0 for none.

    `kind` is what the table sees, `NO_CARD` for a gift; `which` is one of the codes above.
    """
    if which == DRAWN_CARD and epoch != state.epoch:
        return 0.0
    slots = slots_in(state, way, giver, epoch)
    if which == OTHER_CARD and epoch == state.epoch:
        slots -= 1
    if slots <= 0:
        return 0.0
    if which == DRAWN_CARD:
        slots = 1
    if kind == NO_CARD:
        return np.float64(slots)
    cards = cards_in(state, way, epoch, kind)
    if cards <= 0:
        return 0.0
    return slots * cards / pool_size_in(state, way, epoch)


@compiled(apart=True)
def move_unknown(state: Any, giver: Any, taker: Any, kind: Any, which: Any, secret: Any) -> Any:
    """Let an unknown card leave a hand; return whether that is possible.

    It comes into the open as `kind` (`taker` is `NO_SEAT`), or passes to `taker`, and only the two
    players know which it is: `secret` (`kind` is `NO_CARD`).
    """
    if state.num_ways == 1:
        found = 0
        only = 0
        for epoch in range(state.epoch + 1):
            if allows(state, giver, kind, which, epoch):
                found += 1
                only = epoch
        if found == 0:
            return False
        if found == 1:
            if kind == NO_CARD and which != DRAWN_CARD:
                name_last_gift(state, MAX_DOUBTS + only)
            move_slot(state, giver, taker, kind, only)
            return True
    elif kind != NO_CARD and which == ANY_CARD:
        epoch = sure_epoch(state, kind)
        if epoch != GONE and pools_are_sure(state):
            return weigh(state, giver, kind, epoch)
    if state.num_doubts == MAX_DOUBTS:
        settle_one(state)
    return branch(state, giver, taker, kind, which, secret)


@compiled
def allows(state: Any, giver: Any, kind: Any, which: Any, epoch: Any) -> Any:
    """Return whether a card that moves can be of an epoch, in the first way."""
    if kind != NO_CARD and state.pool[epoch, kind] == 0:
        return False
    if epoch != state.epoch:
        return which != DRAWN_CARD and state.slots[giver, epoch] > 0
    return state.slots[giver, epoch] > (1 if which == OTHER_CARD else 0)


@compiled
def pools_are_sure(state: Any) -> Any:
    """Return whether all that is in doubt is gifts, so that all ways have the same pools."""
    sure = True
    for doubt in range(state.num_doubts):
        sure &= state.doubts[doubt, KIND] == NO_CARD
    return sure


@compiled
def weigh(state: Any, player: Any, kind: Any, epoch: Any) -> Any:
    """A card of a certain epoch came into the open: weigh the ways; return whether one is left.

    Only the slots of the hand matter, since the pools of all ways are alike.
    """
    held = slots_in(state, 0, player, epoch)
    alike = True
    first = 0
    most = 0.0
    for way in range(state.num_ways):
        slots = slots_in(state, way, player, epoch)
        alike &= slots == held
        weight = np.float64(slots) * state.way_weights[way]
        if weight > most:
            most = weight
            first = way
    if most <= 0.0:
        return False
    if not alike:
        put_first(state, first)
        kept = 0
        for way in range(state.num_ways):
            slots = slots_in(state, way, player, epoch)
            if slots > 0:
                weight = np.float64(slots) * state.way_weights[way]
                move_way(state, way, kept)
                state.way_weights[kept] = scaled(weight, most)
                kept += 1
        if kept < state.num_ways:
            keep_ways(state, kept)
            forget_settled(state)
    move_slot(state, player, NO_SEAT, kind, epoch)
    return True


@compiled
def scaled(weight: Any, most: Any) -> Any:
    """Return a weight as an integer, where `most` is the greatest one."""
    return max(1, np.int64(weight / most * _FULL_WEIGHT))


@compiled
def branch(state: Any, giver: Any, taker: Any, kind: Any, which: Any, secret: Any) -> Any:
    """Follow every way through a move that may be from several epochs; return whether any is."""
    # A new way by its former one, the epoch of the card, and the set of seats that allow it.
    found = np.empty((MAX_WAYS, 3), np.int64)
    weights = np.empty(MAX_WAYS, np.float64)
    marks = np.empty(MAX_WAYS, np.uint64)
    count = 0
    for way in range(state.num_ways):
        before = np.float64(state.way_weights[way]) if state.num_ways > 1 else 1.0
        mark_before = mark_of_way(state, way)
        for epoch in range(state.epoch + 1):
            weight = before * chance(state, way, giver, kind, which, epoch)
            if weight <= 0.0:
                continue
            mark = mark_before + mark_of_move(giver, taker, kind, epoch)
            place = place_of(marks, weights, count, mark, weight)
            if place == MAX_WAYS:
                continue
            if place == count or marks[place] != mark:
                marks[place] = mark
                weights[place] = 0.0
                found[place, PARENT] = way
                found[place, EPOCH] = epoch
                found[place, SEATS] = 0
                count = max(count, place + 1)
            weights[place] += weight
            found[place, SEATS] |= seats_that_allow(state, way, giver, taker, kind, secret, epoch)
    if count == 0:
        return False
    first = heaviest(weights, count)
    make_first(state, found[first, PARENT])
    move_slot(state, giver, taker, kind, found[first, EPOCH])
    write_ways(state, found, weights, count, first)
    doubt = state.num_doubts
    state.doubts[doubt, GIVER] = giver
    state.doubts[doubt, TAKER] = taker
    state.doubts[doubt, KIND] = kind
    if kind == NO_CARD and which != DRAWN_CARD:
        name_last_gift(state, doubt)
    state.num_doubts += 1
    forget_settled(state)
    return True


@compiled
def place_of(marks: Any, weights: Any, count: Any, mark: Any, weight: Any) -> Any:
    """Return where a new way goes: to its equal, behind the others, or over a lighter one.

    Where there is no room it is `MAX_WAYS`.
    """
    lightest = 0
    for place in range(count):
        if marks[place] == mark:
            return place
        if weights[place] < weights[lightest]:
            lightest = place
    if count < MAX_WAYS:
        return count
    return lightest if weights[lightest] < weight else MAX_WAYS


@compiled
def heaviest(weights: Any, count: Any) -> Any:
    """Return the place of the greatest weight."""
    place = 0
    for other in range(1, count):
        if weights[other] > weights[place]:
            place = other
    return place


@compiled
def seats_that_allow(
    state: Any, way: Any, giver: Any, taker: Any, kind: Any, secret: Any, epoch: Any
) -> Any:
    """Return the seats, as bits, to which a way is possible with a card of this epoch."""
    seats = 0
    kind_moved = secret if kind == NO_CARD else kind
    for seat in range(state.num_players):
        knows = secret != NO_CARD and (seat in (giver, taker))
        if knows and cards_in(state, way, epoch, secret) == 0:
            continue
        if seat == giver and contains(state.not_from[giver, epoch], kind_moved):
            continue
        if state.num_ways == 1 or contains(state.possible_ways[seat], way):
            seats |= 1 << seat
    return seats


@compiled
def write_ways(state: Any, found: Any, weights: Any, count: Any, first: Any) -> None:
    """Take over new ways, the `first` in front: former ones with the epoch of one more doubt."""
    former = state.way_epochs.copy()
    doubts = state.num_doubts
    keep_ways(state, min(count, state.num_ways))
    state.num_ways = count
    for seat in range(state.num_players):
        state.possible_ways[seat] = EMPTY
    for place in range(count):
        way = place
        if place == first:
            way = 0
        elif place == 0:
            way = first
        state.way_weights[way] = scaled(weights[place], weights[first])
        for doubt in range(doubts):
            state.way_epochs[way, doubt] = former[found[place, PARENT], doubt]
        state.way_epochs[way, doubts] = found[place, EPOCH]
        for seat in range(state.num_players):
            if found[place, SEATS] >> seat & 1:
                state.possible_ways[seat] |= bit(way)


@compiled(apart=True)
def rule_out(state: Any, observer: Any, player: Any) -> None:
    """Strike the ways in which another's hand cannot hold what the observer has seen in it.

    Looked at are the kinds of which it is sure, which epoch they are of.
    """
    if state.num_ways == 1:
        return
    for kind in range(NUM_KINDS):
        if state.seen[observer, player, kind] > 0:
            strike_ways(state, observer, player)
            return


@compiled
def strike_ways(state: Any, observer: Any, player: Any) -> None:
    """Do what `rule_out` says."""
    known = np.zeros(MAX_EPOCHS, np.int64)
    for kind in range(NUM_KINDS):
        if state.seen[observer, player, kind] > 0:
            epoch = sure_epoch(state, kind)
            if epoch != GONE:
                known[epoch] += state.seen[observer, player, kind]
    for way in range(state.num_ways):
        fits = True
        for epoch in range(state.epoch + 1):
            fits &= known[epoch] <= slots_in(state, way, player, epoch)
        if not fits:
            state.possible_ways[observer] &= ~bit(way)
