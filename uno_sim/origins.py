"""Of which epochs the cards are that an observer does not know, where that is in doubt (P6, P8).

The record follows what the table can know (`knowledge.doubts`): some ways, each with a weight. What
the observer holds, and what it has seen in other hands, is taken out of each way here; a way is as
likely as that it agrees. Where a card that the observer knows may itself be of several epochs, a
way becomes several. An *origin* is what is left of a way.
"""

from __future__ import annotations

from typing import Any

from uno_sim.bit_sets import EMPTY, bit, contains
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.knowledge.traces import CARD, HOLDER, SINCE, gifts_since
from uno_sim.knowledge.ways import KIND, pool_size_in, shift, slots_in
from uno_sim.knowledge.world_plan import MAX_ORIGINS
from uno_sim.state import MAX_DOUBTS, MAX_GIFTS, MAX_TRACES, NO_SEAT


@compiled(apart=True)
def find_origins(observation: Any, player: Any, plan: Any) -> None:
    """Write into the plan the origins that agree with what the observer knows."""
    plan.num_traces = 0
    for place in range(MAX_TRACES):
        if observation.traces[player, place, CARD] != NO_CARD:
            plan.num_traces += 1
    if observation.epoch == 0 and plan.num_traces == 0:
        take_out_all(observation, player, plan)
        return
    plan.num_origins = 0
    for way in range(observation.num_ways):
        possible = observation.possible_ways[player]
        if possible == EMPTY or contains(possible, way):
            copy_way(observation, way, plan)
    for other in range(observation.num_players):
        for kind in range(NUM_KINDS):
            for _ in range(known_cards(observation, player, other, kind)):
                if not take_out(observation, player, other, kind, plan):
                    take_out_misplaced(observation, other, kind, plan)
    if plan.num_traces > 0:
        for place in range(MAX_TRACES):
            if observation.traces[player, place, CARD] != NO_CARD:
                follow_trace(observation, player, place, plan)
    for origin in range(1, plan.num_origins):
        plan.chances[origin] += plan.chances[origin - 1]


@compiled
def known_cards(observation: Any, player: Any, other: Any, kind: Any) -> Any:
    """Return how many cards of a kind the observer knows in a hand, and not all do."""
    if other == player:
        return observation.hands[player, kind] - observation.shown[player, kind]
    return observation.seen[player, other, kind]


@compiled
def take_out_all(observation: Any, player: Any, plan: Any) -> None:
    """Take out what the observer knows where there was no shuffle: all is of one epoch."""
    plan.num_origins = 1
    for kind in range(NUM_KINDS):
        plan.pool[0, 0, kind] = observation.pool[0, kind]
    if observation.offered_card != NO_CARD:
        plan.pool[0, 0, observation.offered_card] -= 1
    for other in range(observation.num_players):
        unknown = observation.slots[other, 0]
        for kind in range(NUM_KINDS):
            known = known_cards(observation, player, other, kind)
            plan.pool[0, 0, kind] -= known
            unknown -= known
        plan.unknown[0, other, 0] = unknown


@compiled
def copy_way(observation: Any, way: Any, plan: Any) -> None:
    """Add an origin that is a way of the record."""
    origin = plan.num_origins
    plan.num_origins += 1
    plan.chances[origin] = 1.0
    plan.origin_ways[origin] = way
    plan.used_gifts[origin] = EMPTY
    for place in range(MAX_TRACES):
        plan.trace_seats[origin, place] = NO_SEAT
    if observation.num_ways > 1:
        plan.chances[origin] = observation.way_weights[way]
    for epoch in range(observation.epoch + 1):
        for other in range(observation.num_players):
            plan.unknown[origin, other, epoch] = slots_in(observation, way, other, epoch)
        plan.sizes[origin, epoch] = pool_size_in(observation, way, epoch)
        for kind in range(NUM_KINDS):
            plan.pool[origin, epoch, kind] = observation.pool[epoch, kind]
        for doubt in range(observation.num_doubts):
            kind = observation.doubts[doubt, KIND]
            if kind != NO_CARD:
                plan.pool[origin, epoch, kind] -= shift(observation, way, doubt, epoch)


@compiled(apart=True)
def take_out(observation: Any, player: Any, other: Any, kind: Any, plan: Any) -> Any:
    """Take a card that the observer knows out of every origin; return whether any allows it.

    Of the own cards the observer knows which cannot be of an epoch.
    """
    count = plan.num_origins
    for origin in range(count):
        weight = plan.chances[origin]
        plan.chances[origin] = 0.0
        used = False
        for epoch in range(observation.epoch + 1):
            cards = plan.unknown[origin, other, epoch] * plan.pool[origin, epoch, kind]
            came_later = contains(observation.not_from[player, epoch], kind)
            if cards <= 0 or (other == player and came_later):
                continue
            share = weight * cards / plan.sizes[origin, epoch]
            if used and plan.num_origins < MAX_ORIGINS:
                # The first epoch was taken in place: put its card back in the copy.
                new = add_origin(observation, plan, origin, share)
                move_card(plan, new, other, kind, plan.trace_epochs[origin], 1)
                move_card(plan, new, other, kind, epoch, -1)
            elif not used:
                used = True
                plan.chances[origin] = share
                plan.trace_epochs[origin] = epoch
                move_card(plan, origin, other, kind, epoch, -1)
    return drop_origins(observation, plan)


@compiled
def add_origin(observation: Any, plan: Any, origin: Any, chance: Any) -> Any:
    """Add a copy of an origin, where there is room, and return its number."""
    new = plan.num_origins
    copy_origin(observation, plan, origin, new)
    plan.chances[new] = chance
    plan.num_origins += 1
    return new


@compiled
def drop_origins(observation: Any, plan: Any) -> Any:
    """Leave out origins that are not possible, unless none is; return whether any is."""
    kept = 0
    for origin in range(plan.num_origins):
        if plan.chances[origin] > 0.0:
            copy_origin(observation, plan, origin, kept)
            kept += 1
    if kept == 0:
        plan.chances[0] = 1.0
        plan.num_origins = 1
        return False
    plan.num_origins = kept
    return True


@compiled
def move_card(plan: Any, origin: Any, seat: Any, kind: Any, epoch: Any, change: Any) -> None:
    """Take a card of a hand out of an origin (`change` is -1), or put it back (1)."""
    plan.unknown[origin, seat, epoch] += change
    plan.pool[origin, epoch, kind] += change
    plan.sizes[origin, epoch] += change


@compiled(apart=True)
def follow_trace(observation: Any, player: Any, place: Any, plan: Any) -> None:
    """Let the card of a trace be in each hand to which gifts may have taken it (C10, P6)."""
    trace = observation.traces[player, place]
    kind = trace[CARD]
    choose_epoch(observation, kind, plan)
    for origin in range(plan.num_origins):
        plan.trace_seats[origin, place] = trace[HOLDER]
        plan.passed_on[origin] = 0
    for number in range(gifts_since(observation, trace)):
        gift = (trace[SINCE] + number) % MAX_GIFTS
        if not contains(observation.known_gifts[player], gift):
            pass_on(observation, place, gift, plan)
    for origin in range(plan.num_origins):
        seat = plan.trace_seats[origin, place]
        slots = plan.unknown[origin, seat, plan.trace_epochs[origin]]
        plan.chances[origin] *= min(slots, 1) if plan.passed_on[origin] == 1 else slots
    if drop_origins(observation, plan):
        for origin in range(plan.num_origins):
            seat = plan.trace_seats[origin, place]
            move_card(plan, origin, seat, kind, plan.trace_epochs[origin], -1)
    else:
        plan.trace_seats[0, place] = NO_SEAT


@compiled
def choose_epoch(observation: Any, kind: Any, plan: Any) -> None:
    """Let a card be of each epoch of which it may be, in every origin."""
    for origin in range(plan.num_origins):
        weight = plan.chances[origin]
        used = False
        plan.trace_epochs[origin] = 0
        for epoch in range(observation.epoch + 1):
            cards = plan.pool[origin, epoch, kind]
            if cards <= 0:
                continue
            chosen = origin
            if used and plan.num_origins == MAX_ORIGINS:
                continue
            if used:
                chosen = add_origin(observation, plan, origin, weight)
            used = True
            plan.trace_epochs[chosen] = epoch
            plan.chances[chosen] = weight * cards / plan.sizes[chosen, epoch]
        if not used:
            plan.chances[origin] = 0.0


@compiled
def pass_on(observation: Any, place: Any, gift: Any, plan: Any) -> None:
    """Let a gift have been the card of a trace, or another, in every origin that allows it.

    A card in the hand where it was seen is any of its slots; one that came as a gift is a certain
    slot of its hand, and a further gift is it as likely as each other.
    """
    giver, taker, move = observation.gifts[gift]
    for origin in range(plan.num_origins):
        epoch = plan.trace_epochs[origin]
        given = move - MAX_DOUBTS
        if 0 <= move < MAX_DOUBTS:
            given = observation.way_epochs[plan.origin_ways[origin], move]
        here = plan.trace_seats[origin, place] == giver and given == epoch
        if not here or contains(plan.used_gifts[origin], gift):
            continue
        if plan.num_origins == MAX_ORIGINS:
            continue
        share = plan.chances[origin]
        if plan.passed_on[origin] == 1:
            slots = plan.unknown[origin, giver, epoch]
            share /= slots + 1
            plan.chances[origin] *= slots / (slots + 1)
        new = add_origin(observation, plan, origin, share)
        plan.trace_seats[new, place] = taker
        plan.passed_on[new] = 1
        plan.used_gifts[new] |= bit(gift)


@compiled(apart=True)
def copy_origin(observation: Any, plan: Any, source: Any, target: Any) -> None:
    """Write an origin over another."""
    if source == target:
        return
    plan.chances[target] = plan.chances[source]
    plan.origin_ways[target] = plan.origin_ways[source]
    plan.trace_epochs[target] = plan.trace_epochs[source]
    plan.passed_on[target] = plan.passed_on[source]
    plan.used_gifts[target] = plan.used_gifts[source]
    for place in range(MAX_TRACES):
        plan.trace_seats[target, place] = plan.trace_seats[source, place]
    for epoch in range(observation.epoch + 1):
        plan.sizes[target, epoch] = plan.sizes[source, epoch]
        for other in range(observation.num_players):
            plan.unknown[target, other, epoch] = plan.unknown[source, other, epoch]
        for kind in range(NUM_KINDS):
            plan.pool[target, epoch, kind] = plan.pool[source, epoch, kind]


@compiled
def take_out_misplaced(observation: Any, other: Any, kind: Any, plan: Any) -> None:
    """No way of the record allows a card where it is, since some were left out: mend the first.

    A slot of another hand, or else a card, changes its epoch, so that both still fit.
    """
    origin = 0
    held_from = 0
    for epoch in range(observation.epoch + 1):
        if plan.pool[0, epoch, kind] > 0:
            origin = epoch
        if plan.unknown[0, other, epoch] > 0:
            held_from = epoch
    plan.pool[0, origin, kind] -= 1
    plan.sizes[0, origin] -= 1
    plan.unknown[0, other, held_from] -= 1
    for hand in range(observation.num_players):
        if plan.unknown[0, hand, origin] > 0:
            plan.unknown[0, hand, origin] -= 1
            plan.unknown[0, hand, held_from] += 1
            return
    for replaced in range(NUM_KINDS):
        if plan.pool[0, held_from, replaced] > 0:
            plan.pool[0, held_from, replaced] -= 1
            plan.pool[0, origin, replaced] += 1
            return
