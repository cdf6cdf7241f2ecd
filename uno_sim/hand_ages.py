"""How old the unknown cards of a hand are, where its owner has dumped a color (D9).

A dump leaves no card of its color in the hand. So a card held since before it has none of that
color, and a younger one may have. Which of a hand's unknown cards are how old is not always known:
a card laid since can have been an old one or a young one. Each *way* to divide the hand by age is
followed through the remembered events, with the number of histories that lead to it, and weighted
by how many worlds it allows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, bit, contains
from uno_sim.cards import MAX_CARDS, NUM_COLORS, NUM_KINDS, color_of, kinds_of_color
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import FORCED_DRAW, JUST_DRAWN
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import MAX_EPOCHS, MAX_TRACES, MAX_WAYS, NUM_EVENTS

MAX_AGES = NUM_COLORS + 1
"""Unknown cards of a hand by age: held since before 4, 3, 2, 1 or 0 dumps of different colors."""
MAX_ORIGINS = 2 * MAX_WAYS
"""How many ways to say of which epochs cards are an observer's plan has room for."""
MAX_DIVISIONS = 96
"""How many ways to divide a hand by age are followed; more are left out."""

PLAN_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # origins: which epochs cards in doubt are of, and a running sum of their weights
                ("num_origins", np.int16),
                ("chances", np.float64, (MAX_ORIGINS,)),
                ("origin_ways", np.int16, (MAX_ORIGINS,)),
                # where the cards of the observer's traces are
                ("num_traces", np.int16),
                ("trace_seats", np.int16, (MAX_ORIGINS, MAX_TRACES)),
                ("trace_epochs", np.int16, (MAX_ORIGINS,)),
                ("passed_on", np.int8, (MAX_ORIGINS,)),
                ("used_gifts", np.uint64, (MAX_ORIGINS,)),
                # the unknown cards, epoch after epoch
                ("cards", np.int8, (MAX_ORIGINS, MAX_CARDS)),
                ("starts", np.int16, (MAX_ORIGINS, MAX_EPOCHS + 1)),
                # how many of an epoch each hand holds, and how many there are
                ("unknown", np.int16, (MAX_ORIGINS, MAX_PLAYERS, MAX_EPOCHS)),
                ("pool", np.int16, (MAX_ORIGINS, MAX_EPOCHS, NUM_KINDS)),
                ("sizes", np.int16, (MAX_ORIGINS, MAX_EPOCHS)),
                # hands in which a dump has left its mark, at the first epoch
                ("num_ages", np.int16, (MAX_PLAYERS,)),
                ("excluded", np.uint64, (MAX_PLAYERS, MAX_AGES)),
                ("num_ways", np.int16, (MAX_PLAYERS,)),
                ("ways", np.int16, (MAX_PLAYERS, MAX_DIVISIONS, MAX_AGES)),
                ("weights", np.float64, (MAX_PLAYERS, MAX_DIVISIONS)),
                # room for work
                ("next_ways", np.int16, (MAX_DIVISIONS, MAX_AGES)),
                ("next_weights", np.float64, (MAX_DIVISIONS,)),
                ("left", np.int8, (MAX_CARDS,)),
                ("dealt", np.int16, (MAX_PLAYERS,)),
            ],
            align=True,
        ),
    )
)
"""What all worlds of an observation share: the unknown cards, and where they may be."""


@compiled
def follow_dumps(observation: Any, player: Any, other: Any, plan: Any) -> None:
    """Divide the unknown cards of a hand by age where its owner has dumped (D9)."""
    first = max(0, observation.num_events - NUM_EVENTS)
    held = plan.unknown[0, other, 0]
    dumped = False
    start = observation.num_events
    # Backwards, to the last time that the observer was shown the hand or that is remembered.
    while start > first:
        event = observation.events[(start - 1) % NUM_EVENTS]
        if event[0] == player and event[1] == actions.CHALLENGE and held == 0:
            break
        if event[0] == other:
            held += unknown_laid(event) - unknown_drawn(event)
            dumped |= is_dump(event)
        start -= 1
    if not dumped:
        return
    plan.num_ages[other] = 1
    plan.excluded[other, 0] = EMPTY
    plan.num_ways[other] = 1
    plan.ways[other, 0, 0] = held
    plan.weights[other, 0] = 1.0
    for number in range(start, observation.num_events):
        event = observation.events[number % NUM_EVENTS]
        if event[0] == other:
            before = observation.events[(number - 1) % NUM_EVENTS]
            follow_event(plan, other, event, laid_drawn(event, before))
    weigh_ways(plan, other)


@compiled
def laid_drawn(event: Any, before: Any) -> Any:
    """Return whether the first card laid by an event is an unknown one just drawn (C3).

    The event before it is the drawing then.
    """
    return event[1] < actions.DRAW and event[3] >= JUST_DRAWN and unknown_drawn(before) > 0


@compiled
def is_dump(event: Any) -> Any:
    """Return whether an event is a dump."""
    return actions.DUMP <= event[1] < actions.LAY_WILD


@compiled
def unknown_laid(event: Any) -> Any:
    """Return how many unknown cards left the hand by an event."""
    if event[1] < actions.DRAW:
        return event[2] - event[3] % JUST_DRAWN
    return 1 if event[1] == actions.GIVE else 0


@compiled
def unknown_drawn(event: Any) -> Any:
    """Return how many unknown cards came into the hand by an event."""
    if event[1] == actions.KEEP or event[1] == actions.REJECT:
        return 1
    if event[1] == actions.DRAW or event[1] == FORCED_DRAW:
        return event[2] - event[3]
    return 0


@compiled
def follow_event(plan: Any, other: Any, event: Any, just_drawn: Any) -> None:
    """Change the ways in which a hand may be divided by age by one event of its owner."""
    youngest = plan.num_ages[other] - 1
    drawn = unknown_drawn(event)
    for way in range(plan.num_ways[other]):
        plan.ways[other, way, youngest] += drawn
    laid = unknown_laid(event)
    if is_dump(event):
        colored = kinds_of_color(color_of(event[1] - actions.DUMP))
        lay_unknown(plan, other, colored, laid, just_drawn)
        exclude(plan, other, colored)
    elif event[1] < actions.DUMP:
        lay_unknown(plan, other, bit(event[1]), laid, just_drawn)
    elif event[1] < actions.DRAW:
        kind = actions.wild_of(np.int64(event[1]))
        lay_unknown(plan, other, bit(kind), laid, just_drawn)
    else:
        lay_unknown(plan, other, EMPTY, laid, False)


@compiled
def lay_unknown(plan: Any, other: Any, kinds: Any, count: Any, just_drawn: Any) -> None:
    """Take `count` unknown cards of these kinds out of a hand, in every way they can have been.

    A card just drawn is one of the youngest.
    """
    for number in range(count):
        found = 0
        for way in range(plan.num_ways[other]):
            for age in range(plan.num_ages[other]):
                cards = plan.ways[other, way, age]
                youngest = age == plan.num_ages[other] - 1
                if cards == 0 or kinds & plan.excluded[other, age] != EMPTY:
                    continue
                if just_drawn and number == 0 and not youngest:
                    continue
                weight = plan.weights[other, way]
                if not (just_drawn and number == 0):
                    weight *= cards
                found = add_way(plan, other, way, age, -1, weight, found)
        keep_ways(plan, other, found)


@compiled
def add_way(plan: Any, other: Any, way: Any, age: Any, change: Any, weight: Any, found: Any) -> Any:
    """Add to the next ways one that differs in one age; return how many there are now."""
    for known in range(found):
        same = True
        for place in range(plan.num_ages[other]):
            cards = plan.ways[other, way, place] + (change if place == age else 0)
            same &= plan.next_ways[known, place] == cards
        if same:
            plan.next_weights[known] += weight
            return found
    if found == MAX_DIVISIONS:
        return found
    for place in range(plan.num_ages[other]):
        cards = plan.ways[other, way, place] + (change if place == age else 0)
        plan.next_ways[found, place] = cards
    plan.next_weights[found] = weight
    return found + 1


@compiled
def keep_ways(plan: Any, other: Any, count: Any) -> None:
    """Take over the next ways, with weights of a handy size."""
    largest = 0.0
    for way in range(count):
        largest = max(largest, plan.next_weights[way])
    plan.num_ways[other] = count
    for way in range(count):
        plan.weights[other, way] = plan.next_weights[way] / largest
        for age in range(plan.num_ages[other]):
            plan.ways[other, way, age] = plan.next_ways[way, age]


@compiled
def exclude(plan: Any, other: Any, colored: Any) -> None:
    """After a dump no card of the color is left: all cards of the hand are of an age now."""
    ages = plan.num_ages[other]
    for age in range(ages):
        plan.excluded[other, age] |= colored
    kept = 0
    for age in range(1, ages):
        if plan.excluded[other, age] == plan.excluded[other, kept]:
            for way in range(plan.num_ways[other]):
                plan.ways[other, way, kept] += plan.ways[other, way, age]
        else:
            kept += 1
            plan.excluded[other, kept] = plan.excluded[other, age]
            for way in range(plan.num_ways[other]):
                plan.ways[other, way, kept] = plan.ways[other, way, age]
    plan.num_ages[other] = kept + 2
    plan.excluded[other, kept + 1] = EMPTY
    for way in range(plan.num_ways[other]):
        plan.ways[other, way, kept + 1] = 0


@compiled
def weigh_ways(plan: Any, other: Any) -> None:
    """Weigh each way by how many worlds it allows, and make the weights a running sum."""
    total = 0.0
    num_cards = plan.starts[0, 1]
    for way in range(plan.num_ways[other]):
        weight = plan.weights[other, way]
        placed = 0
        for age in range(plan.num_ages[other] - 1):
            allowed = 0
            for place in range(num_cards):
                allowed += 0 if contains(plan.excluded[other, age], plan.cards[0, place]) else 1
            for _ in range(plan.ways[other, way, age]):
                weight *= (allowed - placed) / (num_cards - placed)
                placed += 1
        total += max(weight, 0.0)
        plan.weights[other, way] = total
