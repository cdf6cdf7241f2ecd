"""Walking back in an imagined world: which cards the others held at their earlier choices.

The steps of `past` are taken one by one, the newest first: cards that were laid return to the hand,
cards that were drawn leave it. Which card was drawn is often unknown. All histories of a world are
equally likely (the cards are in uniformly random order), and so each unknown card of the hand may
have been drawn last; after a dump (D9) those of its color more likely, since they came later.
`choose_drawn` picks one, and prefers those that make the choices further back more plausible;
`log_ratio` keeps by how much, so that a weight that includes it is right whatever is preferred.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.belief.past_events import last_kind_laid
from uno_sim.bit_sets import EMPTY, bit, lowest, without_lowest
from uno_sim.cards import MAX_CARDS, NO_CARD, NO_COLOR, NUM_COLORS, NUM_KINDS, kinds_of_color
from uno_sim.compilation import compiled
from uno_sim.random_stream import random_unit
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import NO_SEAT, NUM_EVENTS

WALK_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("log_ratio", np.float64),
                ("held", np.uint64, (MAX_PLAYERS,)),
                ("hands", np.uint8, (MAX_PLAYERS, NUM_KINDS)),
                # of these, the cards that the observer knew then
                ("known", np.uint8, (MAX_PLAYERS, NUM_KINDS)),
                # the card just drawn, where the player is about to lay it
                ("drawn_card", np.int8),
                # the card held when a wild draw was laid, where a caught silence has added others
                ("judged_seat", np.int8),
                ("judged_card", np.int8),
                # how willingly each kind would be kept in the draft, and room to work that out
                ("is_drafted", np.bool_),
                ("keenness", np.float64, (NUM_KINDS,)),
                ("cards", np.int8, (MAX_CARDS,)),
                ("sums", np.float64, (NUM_EVENTS,)),
                ("sums_of", np.float64, (MAX_CARDS,)),
                # 1 where the last wild draw was a bluff, 0 where not, -1 where it was not reached
                ("guilty", np.int8),
            ],
            align=True,
        ),
    )
)
"""The hands of the others at some time in the past of a world."""

UNTOLD = -1
_TILTS = np.array([1.0, 6.0, 12.0])
"""How much a card is preferred that was spared never, once, more often."""


def new_walk() -> Any:
    """Return an empty walk."""
    return np.zeros(1, WALK_DTYPE).view(np.recarray)[0]


@compiled
def begin_walk(world: Any, player: Any, walk: Any) -> None:
    """Take over the hands of a world, as they are now."""
    walk.log_ratio = 0.0
    walk.drawn_card = NO_CARD
    walk.is_drafted = False
    walk.judged_seat = NO_SEAT
    walk.guilty = UNTOLD
    for seat in range(world.num_players):
        if seat != player:
            walk.held[seat] = world.held[seat]
            for kind in range(NUM_KINDS):
                walk.hands[seat, kind] = world.hands[seat, kind]
                walk.known[seat, kind] = world.shown[seat, kind]
                if world.num_players > 2:
                    walk.known[seat, kind] += world.seen[player, seat, kind]
            if world.judged_card[seat] != NO_CARD:
                walk.judged_seat = seat
                walk.judged_card = world.judged_card[seat]
                walk.known[seat, walk.judged_card] += 1


@compiled
def put_back(world: Any, step: Any, walk: Any) -> None:
    """Return the cards that a step laid to the hand."""
    seat = step.seat
    if walk.judged_seat == seat:
        walk.known[seat, walk.judged_card] -= 1
        walk.judged_seat = NO_SEAT
    known = 0 + step.known
    for place in range(step.first_card, step.first_card + step.cards):
        kind = world.discard_pile[place]
        add(walk, seat, kind)
        if known > 0:
            walk.known[seat, kind] += 1
            known -= 1
    if step.just_drawn:
        walk.drawn_card = world.discard_pile[step.first_card]


@compiled
def ways_to_lay(step: Any, walk: Any) -> Any:
    """Return how many equal cards of the hand the one that a step has laid may have been.

    Worlds count each of them as a history of its own; a player chooses a kind.
    """
    if step.cards > 1 or step.known > 0 or step.just_drawn:
        return 1
    kind = last_kind_laid(step.code)
    return max(1, walk.hands[step.seat, kind] - walk.known[step.seat, kind])


@compiled
def add(walk: Any, seat: Any, kind: Any) -> None:
    """Put a card into a hand."""
    walk.hands[seat, kind] += 1
    walk.held[seat] |= bit(kind)


@compiled
def remove(walk: Any, seat: Any, kind: Any) -> None:
    """Take a card out of a hand; of equal ones, one that was unknown."""
    walk.hands[seat, kind] -= 1
    if walk.hands[seat, kind] == 0:
        walk.held[seat] &= ~bit(kind)
    if walk.known[seat, kind] > walk.hands[seat, kind]:
        walk.known[seat, kind] -= 1


@compiled
def forget_hand(walk: Any, seat: Any) -> None:
    """Before a challenge showed the hand, nothing in it was known."""
    walk.known[seat] = 0


@compiled
def draw_back(step: Any, walk: Any, random: Any) -> None:
    """Take the cards that a step drew by force out of the hand."""
    for number in range(step.cards):
        kind = choose_drawn(step, number, walk, random)
        if kind != NO_CARD:
            remove(walk, step.seat, kind)


@compiled(apart=True)
def choose_drawn(step: Any, number: Any, walk: Any, random: Any) -> Any:
    """Return which card of the hand was drawn, as card `number` of a step; `NO_CARD` if none is.

    Of the cards that all knew when they were drawn, any known one is as likely.
    """
    seat = step.seat
    if number < step.known:
        kind = choose_known(walk, seat, random)
        if kind != NO_CARD:
            return kind
    candidates = unknown_kinds(walk, seat)
    if candidates == EMPTY:
        return choose_known(walk, seat, random)
    color, chance = pressing_color(step, number, walk)
    if color != NO_COLOR:
        of_color = candidates & kinds_of_color(color)
        if random_unit(random) < chance or of_color == candidates:
            candidates = of_color
        else:
            candidates &= ~of_color
    return choose_tilted(step, walk, candidates, random)


@compiled
def unknown_kinds(walk: Any, seat: Any) -> Any:
    """Return the kinds of which the hand holds a card that the observer did not know, as a set."""
    kinds = EMPTY
    held = walk.held[seat]
    while held != EMPTY:
        kind = lowest(held)
        held = without_lowest(held)
        if walk.hands[seat, kind] > walk.known[seat, kind]:
            kinds |= bit(kind)
    return kinds


@compiled
def choose_known(walk: Any, seat: Any, random: Any) -> Any:
    """Return a random one of the known cards of a hand, `NO_CARD` where there is none."""
    total = 0
    for kind in range(NUM_KINDS):
        total += walk.known[seat, kind]
    aim = random_unit(random) * total
    for kind in range(NUM_KINDS):
        aim -= walk.known[seat, kind]
        if aim < 0.0:
            return kind
    return NO_CARD


@compiled
def pressing_color(step: Any, number: Any, walk: Any) -> Any:
    """Return the color most due to be drawn, since it was dumped before (D9), and its chance.

    Its unknown cards must all have come by as many draws as there is room for.
    """
    color = NO_COLOR
    chance = 0.0
    for dumped in range(NUM_COLORS):
        if step.room[dumped] < 0:
            continue
        kinds = walk.held[step.seat] & kinds_of_color(dumped)
        due = 0
        while kinds != EMPTY:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            due += max(0, walk.hands[step.seat, kind] - walk.known[step.seat, kind])
        if due > 0:
            pressure = min(1.0, due / max(1, step.room[dumped] - number))
            if pressure > chance:
                color = dumped
                chance = pressure
    return color, chance


@compiled
def choose_tilted(step: Any, walk: Any, candidates: Any, random: Any) -> Any:
    """Return one of a set of unknown kinds, those that were spared earlier with preference."""
    seat = step.seat
    total = 0.0
    plain = 0
    kinds = candidates
    while kinds != EMPTY:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        count = walk.hands[seat, kind] - walk.known[seat, kind]
        plain += count
        total += count * _TILTS[min(2, step.spared[kind])]
    aim = random_unit(random) * total
    kinds = candidates
    kind = NO_CARD
    while kinds != EMPTY and aim >= 0.0:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        count = walk.hands[seat, kind] - walk.known[seat, kind]
        aim -= count * _TILTS[min(2, step.spared[kind])]
    if total != plain:
        walk.log_ratio += np.log(total / (plain * _TILTS[min(2, step.spared[kind])]))
    return kind


@compiled
def choose_picked(step: Any, walk: Any, random: Any) -> Any:
    """Return which unknown card of the hand a pick of the draft brought, `NO_CARD` if none is left.

    The cards came by the picks in any order. Orders are preferred by how willingly the kept cards
    would be kept: exactly by the product, so far as that does not depend on the rest of the hand.
    """
    seat = step.seat
    size = list_unknown(walk, seat)
    if size == 0:
        return NO_CARD
    kept = step.code == actions.KEEP
    total = 0.0
    for place in range(size):
        walk.sums_of[place] = sum_of_products(walk, size, place, step.keeps)
        if kept:
            walk.sums_of[place] *= walk.keenness[walk.cards[place]]
        total += walk.sums_of[place]
    aim = random_unit(random) * total
    place = 0
    while place < size - 1 and aim >= walk.sums_of[place]:
        aim -= walk.sums_of[place]
        place += 1
    walk.log_ratio += np.log(total / (size * walk.sums_of[place]))
    return 0 + walk.cards[place]


@compiled
def list_unknown(walk: Any, seat: Any) -> Any:
    """List the unknown cards of a hand in `walk.cards`; return how many there are."""
    size = 0
    kinds = unknown_kinds(walk, seat)
    while kinds != EMPTY:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        for _ in range(walk.hands[seat, kind] - walk.known[seat, kind]):
            walk.cards[size] = kind
            size += 1
    return size


@compiled
def sum_of_products(walk: Any, size: Any, left_out: Any, count: Any) -> Any:
    """Return the sum over all choices of `count` of the listed cards of their joint keenness.

    One card is left out. Where there are fewer cards than that, all are taken.
    """
    count = min(count, size - 1)
    sums = walk.sums
    sums[0] = 1.0
    for chosen in range(1, count + 1):
        sums[chosen] = 0.0
    for place in range(size):
        if place != left_out:
            keenness = walk.keenness[walk.cards[place]]
            for chosen in range(count, 0, -1):
                sums[chosen] += sums[chosen - 1] * keenness
    return sums[count]


@compiled
def judge(step: Any, walk: Any) -> None:
    """Tell whether a wild draw, not yet put back, was a bluff (C8)."""
    walk.guilty = 1 if walk.held[step.seat] & step.proof != EMPTY else 0
