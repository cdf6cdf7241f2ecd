"""How old the unknown cards of a hand are, where that tells what they can be (C8, C9, D9).

A dump leaves no card of its color in the hand. So a card held since before it has none of that
color, and a younger one may have. So does the verdict "innocent", which everybody hears, leave no
card that proves guilt among those held when the wild draw was laid; "guilty" says that there was
one. Which of a hand's unknown cards are how old is not always known: a card laid since can have
been an old one or a young one. Each *way* to divide the hand by age is followed through the
remembered events, with the number of histories that lead to it, and weighted by how many worlds it
allows.

Once discards have been shuffled, ways are no longer followed. Then a verdict excludes its kinds for
as many cards as are certainly old enough (`note_verdicts`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, bit, contains
from uno_sim.cards import NO_CARD, NUM_KINDS, WILD_DRAW, color_of, kinds_of_color
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import ALL_KNEW, FORCED_DRAW, JUST_DRAWN, RECYCLING
from uno_sim.knowledge.traces import CARD
from uno_sim.knowledge.world_plan import MAX_AGES, MAX_DIVISIONS, NO_AGE
from uno_sim.rules.challenge import proof_kinds
from uno_sim.state import MAX_TRACES, NUM_EVENTS

ALL_CARDS = 999
"""More cards than any hand holds."""


@compiled(apart=True)
def follow_hand(observation: Any, player: Any, other: Any, plan: Any) -> None:
    """Divide the unknown cards of a hand by age after dumps (D9) and verdicts heard (C8, C9)."""
    first = max(0, observation.num_events - NUM_EVENTS)
    held = plan.unknown[0, other, 0]
    tells = False
    start = observation.num_events
    # Backwards, to the last time that the observer was shown the hand or that is remembered.
    while start > first:
        event = observation.events[(start - 1) % NUM_EVENTS]
        own = event[0] == player and event[1] == actions.CHALLENGE
        if own and (held == 0 or was_shown(observation, other, start - 1)):
            break
        if event[0] == other:
            held += unknown_laid(observation, start - 1) - unknown_drawn(event)
            tells |= is_dump(event) or verdict_on(observation, start - 1) > 0
        elif event[1] == actions.GIVE:
            held -= unknown_gift(observation, player, other, start - 1)
        start -= 1
    if not tells or held < 0:
        return
    plan.num_ages[other] = 1
    plan.excluded[other, 0] = EMPTY
    plan.proof_age[other] = NO_AGE
    plan.num_ways[other] = 1
    plan.ways[other, 0, 0] = held
    plan.weights[other, 0] = 1.0
    for number in range(start, observation.num_events):
        event = observation.events[number % NUM_EVENTS]
        if event[0] == other:
            follow_event(observation, other, number, plan)
        elif event[1] == actions.GIVE:
            add_youngest(plan, other, unknown_gift(observation, player, other, number))
        if plan.num_ways[other] == 0:
            # What the observer alone knew for a while does not fit: nothing is said of the ages.
            plan.num_ages[other] = 0
            return
    weigh_ways(plan, other)
    if plan.proof_age[other] != NO_AGE and not needs_proof(observation, player, other, plan):
        plan.proof_age[other] = NO_AGE


@compiled
def was_shown(observation: Any, other: Any, number: Any) -> Any:
    """Return whether a challenge, event `number`, showed this hand to one of several others."""
    first = max(0, observation.num_events - NUM_EVENTS)
    while number > first:
        number -= 1
        event = observation.events[number % NUM_EVENTS]
        if event[1] < actions.DRAW:
            return observation.num_players > 2 and event[0] == other
    return False


@compiled
def verdict_on(observation: Any, number: Any) -> Any:
    """Return the number of the challenge of a wild draw that event `number` laid, else 0.

    Of two players the one who hears a verdict has seen the hand, or it is the own one.
    """
    code = np.int64(observation.events[number % NUM_EVENTS, 1])
    if observation.num_players == 2 or not actions.LAY_WILD <= code < actions.DRAW:
        return 0
    if actions.wild_of(code) == WILD_DRAW:
        for later in range(number + 1, observation.num_events):
            code = np.int64(observation.events[later % NUM_EVENTS, 1])
            if code == actions.CHALLENGE:
                return later
            if code < actions.CHALLENGE:
                return 0
    return 0


@compiled
def unknown_gift(observation: Any, player: Any, other: Any, number: Any) -> Any:
    """Return how many cards a gift, event `number`, brought to a hand unseen by the observer."""
    giver = observation.events[number % NUM_EVENTS, 0]
    return 1 if giver != player and observation.event_notes[number % NUM_EVENTS] == other else 0


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
def unknown_laid(observation: Any, number: Any) -> Any:
    """Return how many unknown cards left the hand by event `number`."""
    event = observation.events[number % NUM_EVENTS]
    if event[1] < actions.DRAW:
        return event[2] - event[3] % JUST_DRAWN
    if event[1] == actions.GIVE:
        return 1 if observation.event_notes[number % NUM_EVENTS] < ALL_KNEW else 0
    return 0


@compiled
def unknown_drawn(event: Any) -> Any:
    """Return how many unknown cards came into the hand by an event."""
    if event[1] == actions.KEEP or event[1] == actions.REJECT:
        return 1
    if event[1] == actions.DRAW or event[1] == FORCED_DRAW:
        return event[2] - event[3]
    return 0


@compiled(apart=True)
def follow_event(observation: Any, other: Any, number: Any, plan: Any) -> None:
    """Change the ways in which a hand may be divided by age by one event of its owner."""
    event = observation.events[number % NUM_EVENTS]
    code = np.int64(event[1])
    add_youngest(plan, other, unknown_drawn(event))
    laid = unknown_laid(observation, number)
    if code >= actions.DRAW:
        if laid > 0:
            plan.proof_age[other] = NO_AGE
        lay_unknown(plan, other, EMPTY, laid, False)
        return
    just_drawn = laid_drawn(event, observation.events[(number - 1) % NUM_EVENTS])
    if code >= actions.LAY_WILD:
        kinds = bit(actions.wild_of(code))
    elif code >= actions.DUMP:
        kinds = kinds_of_color(color_of(code - actions.DUMP))
    else:
        kinds = bit(code)
    # A card that proves guilt may have been laid now.
    if kinds & plan.proof[other] != EMPTY and not (just_drawn and event[2] == 1):
        plan.proof_age[other] = NO_AGE
    lay_unknown(plan, other, kinds, laid, just_drawn)
    if is_dump(event):
        exclude(plan, other, kinds)
    verdict = verdict_on(observation, number)
    if verdict > 0:
        hear_verdict(observation, other, verdict, plan)


@compiled
def hear_verdict(observation: Any, other: Any, verdict: Any, plan: Any) -> None:
    """The hand was judged as it is now, its wild draw laid; only the last guilt is kept in mind."""
    proof = proof_kinds(observation.event_notes[verdict % NUM_EVENTS])
    if observation.events[verdict % NUM_EVENTS, 2] == 0:
        exclude(plan, other, proof)
    else:
        plan.proof_age[other] = NO_AGE
        exclude(plan, other, EMPTY)
        plan.proof[other] = proof
        plan.proof_age[other] = plan.num_ages[other] - 2


@compiled
def add_youngest(plan: Any, other: Any, count: Any) -> None:
    """Add cards to a hand, in every way to divide it."""
    youngest = plan.num_ages[other] - 1
    for way in range(plan.num_ways[other]):
        plan.ways[other, way, youngest] += count


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


@compiled(apart=True)
def exclude(plan: Any, other: Any, kinds: Any) -> None:
    """No card of these kinds is left: all cards of the hand are of an age now.

    Ages of which the same is known become one, but those up to the proof of guilt stay apart.
    """
    ages = plan.num_ages[other]
    for age in range(ages):
        plan.excluded[other, age] |= kinds
    kept = 0
    for age in range(1, ages):
        same = plan.excluded[other, age] == plan.excluded[other, kept]
        if same and plan.proof_age[other] != age - 1:
            merge_age(plan, other, age, kept)
        else:
            kept += 1
            move_age(plan, other, age, kept)
        if plan.proof_age[other] == age:
            plan.proof_age[other] = kept
    if kept + 2 > MAX_AGES:
        merge_oldest_ages(plan, other)
        kept -= 1
    plan.num_ages[other] = kept + 2
    plan.excluded[other, kept + 1] = EMPTY
    for way in range(plan.num_ways[other]):
        plan.ways[other, way, kept + 1] = 0


@compiled
def merge_age(plan: Any, other: Any, source: Any, target: Any) -> None:
    """Let the cards of an age be of another."""
    for way in range(plan.num_ways[other]):
        plan.ways[other, way, target] += plan.ways[other, way, source]


@compiled
def move_age(plan: Any, other: Any, source: Any, target: Any) -> None:
    """Give an age a lower number."""
    plan.excluded[other, target] = plan.excluded[other, source]
    for way in range(plan.num_ways[other]):
        plan.ways[other, way, target] = plan.ways[other, way, source]


@compiled
def merge_oldest_ages(plan: Any, other: Any) -> None:
    """Make room: the two oldest ages become one, of which no more is said than of the younger."""
    plan.excluded[other, 0] = plan.excluded[other, 1]
    merge_age(plan, other, 1, 0)
    for age in range(2, MAX_AGES):
        move_age(plan, other, age, age - 1)
    plan.proof_age[other] = max(plan.proof_age[other] - 1, min(plan.proof_age[other], 0))


@compiled
def needs_proof(observation: Any, player: Any, other: Any, plan: Any) -> Any:
    """Return whether an unknown card must prove the guilt of a hand: one can, no known one does."""
    proof = plan.proof[other]
    for kind in range(NUM_KINDS):
        known = observation.shown[other, kind] + observation.seen[player, other, kind]
        if known > 0 and contains(proof, kind):
            return False
    for place in range(MAX_TRACES):
        card = observation.traces[player, place, CARD]
        if card != NO_CARD and contains(proof, card):
            return False
    unknown = EMPTY
    for place in range(plan.starts[0, 1]):
        unknown |= bit(plan.cards[0, place])
    for age in range(plan.proof_age[other] + 1):
        if unknown & proof & ~plan.excluded[other, age] != EMPTY:
            for way in range(plan.num_ways[other]):
                if plan.ways[other, way, age] > 0:
                    return True
    return False


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


@compiled(apart=True)
def note_verdicts(observation: Any, player: Any, other: Any, plan: Any) -> None:
    """Mark what the verdicts "innocent" exclude from a hand once there was a shuffle (C8, P8).

    Of an epoch at least as many cards are old enough as the hand holds more than it has got since.
    """
    number = observation.num_events
    first = max(0, number - NUM_EVENTS)
    shuffled = False
    earlier = 0
    current = 0
    while number > first and plan.num_marks[other] < MAX_AGES:
        number -= 1
        event = observation.events[number % NUM_EVENTS]
        got = 0
        if event[1] == RECYCLING:
            shuffled = True
            # Some cards of the draw that emptied the pile were drawn before.
            following = observation.events[(number + 1) % NUM_EVENTS]
            if following[0] == other and following[1] == FORCED_DRAW:
                got = unknown_drawn(following)
        elif event[1] == actions.GIVE:
            got = 1 if observation.event_notes[number % NUM_EVENTS] % ALL_KNEW == other else 0
        elif event[0] == other:
            got = unknown_drawn(event)
            verdict = verdict_on(observation, number)
            if verdict > 0 and observation.events[verdict % NUM_EVENTS, 2] == 0:
                mark = plan.num_marks[other]
                plan.num_marks[other] += 1
                note = observation.event_notes[verdict % NUM_EVENTS]
                plan.mark_kinds[other, mark] = proof_kinds(note)
                plan.mark_drawn[other, mark, 0] = earlier
                plan.mark_drawn[other, mark, 1] = ALL_CARDS if shuffled else current
        own = event[0] == player and event[1] == actions.CHALLENGE
        if own and was_shown(observation, other, number):
            return
        if shuffled:
            earlier += got
        else:
            current += got
