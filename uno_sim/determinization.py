"""Determinization: fill the blanks of an observation with one world that it allows.

Worlds are uniform over all orders of the physical cards that are consistent with the public
events; choices are taken as uninformative. What may lie where is kept by `knowledge.memory`:

* Unknown cards are dealt epoch by epoch: a card held since before a shuffle (P8) is one of those
  that were not shuffled, the draw pile holds those that were. Where it is in doubt of which epoch
  a card is, that is drawn first; see `origins`.
* After a dump of a color (D9) no card of it is left in the hand, and a verdict tells what was in
  a hand (C8, C9); see `hand_ages`.

`plan_worlds` does what all worlds of an observation share, `fill_world` deals one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, contains
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.hand_ages import follow_hand, note_verdicts
from uno_sim.knowledge.traces import CARD
from uno_sim.knowledge.world_plan import NO_AGE, PLAN_DTYPE
from uno_sim.observation import copy_record
from uno_sim.origins import find_origins
from uno_sim.random_stream import next_word, random_below, random_unit, shuffle
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.rules.hands import add_card
from uno_sim.rules.legal import DRAFT, GIVE, write_legal
from uno_sim.state import MAX_TRACES, NO_SEAT

MAX_TRIES = 1000
"""How often a card that may be dealt is looked for at random, before all are looked at."""
MAX_DEALS = 1000
"""How often a hand that was guilty is dealt until a card proves it."""


def new_plan() -> Any:
    """Return an empty plan record."""
    return np.zeros(1, PLAN_DTYPE).view(np.recarray)[0]


@compiled(announce="uno_sim: compiling the determinization, once: about 10 s", apart=True)
def plan_worlds(observation: Any, player: Any, plan: Any) -> None:
    """Work out which cards the observer `player` does not know, and where they may be."""
    for other in range(MAX_PLAYERS):
        plan.num_ages[other] = 0
        plan.num_marks[other] = 0
        plan.dealt[other] = 0
    plan.is_marked = False
    find_origins(observation, player, plan)
    for origin in range(plan.num_origins):
        list_cards(observation, plan, origin)
    for other in range(observation.num_players):
        if other == player:
            continue
        if observation.epoch > 0:
            note_verdicts(observation, player, other, plan)
        elif plan.unknown[0, other, 0] > 0:
            follow_hand(observation, player, other, plan)
        plan.is_marked |= plan.num_ages[other] > 0 or plan.num_marks[other] > 0


@compiled
def list_cards(observation: Any, plan: Any, origin: Any) -> None:
    """List the cards that the observer does not know, epoch after epoch."""
    count = 0
    for epoch in range(observation.epoch + 1):
        plan.starts[origin, epoch] = count
        for kind in range(NUM_KINDS):
            for _ in range(plan.pool[origin, epoch, kind]):
                plan.cards[origin, count] = kind
                count += 1
    plan.starts[origin, observation.epoch + 1] = count


@compiled(apart=True)
def fill_world(
    observation: Any, player: Any, rules: Any, plan: Any, world: Any, random: Any
) -> None:
    """Write one world that `player` cannot tell from the truth into the record `world`.

    `observation` and `world` are records, `random` is a stream. The world has a deal stream of
    its own.
    """
    copy_record(world, observation)
    origin = some_origin(plan, random)
    for place in range(plan.starts[origin, observation.epoch + 1]):
        plan.left[place] = plan.cards[origin, place]
    for other in range(observation.num_players):
        if other != player:
            hold_known(observation, player, other, world)
            world.judged_card[other] = NO_CARD
    if plan.num_traces > 0:
        hold_traces(observation, player, plan, origin, world)
    for epoch in range(observation.epoch + 1):
        deal_epoch(observation, player, plan, origin, epoch, world, random)
    settle_secrets(observation, player, world)
    world.random[0] = next_word(random)
    world.root = next_word(random)
    write_legal(world, rules)


@compiled
def some_origin(plan: Any, random: Any) -> Any:
    """Draw which epochs the cards in doubt are of."""
    origin = 0
    if plan.num_origins > 1:
        aim = random_unit(random) * plan.chances[plan.num_origins - 1]
        while origin < plan.num_origins - 1 and plan.chances[origin] <= aim:
            origin += 1
    return origin


@compiled
def hold_known(observation: Any, player: Any, other: Any, world: Any) -> None:
    """Put into a hand what the observer knows of it."""
    world.hand_sizes[other] = 0
    world.held[other] = EMPTY
    for kind in range(NUM_KINDS):
        world.hands[other, kind] = 0
        count = observation.shown[other, kind] + observation.seen[player, other, kind]
        for _ in range(count):
            add_card(world, other, kind)


@compiled
def hold_traces(observation: Any, player: Any, plan: Any, origin: Any, world: Any) -> None:
    """Put the cards that the observer has traces of where the origin says they are."""
    for place in range(MAX_TRACES):
        if plan.trace_seats[origin, place] != NO_SEAT:
            seat = plan.trace_seats[origin, place]
            hand_out(world, seat, observation.traces[player, place, CARD])


@compiled
def deal_epoch(
    observation: Any, player: Any, plan: Any, origin: Any, epoch: Any, world: Any, random: Any
) -> None:
    """Deal the unknown cards of one epoch to the places where they can be."""
    place = np.int64(plan.starts[origin, epoch])
    end = np.int64(plan.starts[origin, epoch + 1])
    if plan.is_marked:
        is_current = epoch == observation.epoch
        for other in range(observation.num_players):
            room = plan.unknown[origin, other, epoch]
            plan.dealt[other] = 0
            if plan.num_ages[other] > 0:
                place = deal_by_age(plan, other, place, end, room, world, random)
            elif plan.num_marks[other] > 0:
                age = 1 if is_current else 0
                place = deal_marked(plan, other, age, place, end, room, world, random)
    shuffle(random, plan.left[place:end], end - place)
    for other in range(observation.num_players):
        if other != player:
            for _ in range(plan.unknown[origin, other, epoch] - plan.dealt[other]):
                hand_out(world, other, plan.left[place])
                place += 1
    if epoch == 0 and observation.phase == DRAFT and observation.current_player != player:
        world.offered_card = plan.left[place]
        place += 1
    if epoch == observation.epoch:
        for height in range(observation.known_size, observation.draw_size):
            world.draw_pile[height] = plan.left[place]
            place += 1


@compiled
def deal_by_age(
    plan: Any, other: Any, place: Any, end: Any, room: Any, world: Any, random: Any
) -> Any:
    """Deal the cards that a hand has held since before a dump or a verdict; return the next place.

    A hand that was guilty is dealt again until a card proves it (C8).
    """
    dealt = place
    for _ in range(MAX_DEALS):
        way = some_division(plan, other, random)
        dealt = arrange_by_age(plan, other, way, place, end, room, random)
        if plan.proof_age[other] == NO_AGE or is_proven(plan, other, way, place, dealt):
            break
    for chosen in range(place, dealt):
        hand_out(world, other, plan.left[chosen])
    plan.dealt[other] = dealt - place
    return dealt


@compiled
def some_division(plan: Any, other: Any, random: Any) -> Any:
    """Draw how the unknown cards of a hand are divided by age."""
    way = 0
    aim = random_unit(random) * plan.weights[other, plan.num_ways[other] - 1]
    while way < plan.num_ways[other] - 1 and plan.weights[other, way] <= aim:
        way += 1
    return way


@compiled
def arrange_by_age(
    plan: Any, other: Any, way: Any, place: Any, end: Any, room: Any, random: Any
) -> Any:
    """Bring cards for all ages but the youngest to the front, the oldest first.

    At most `room` cards are chosen. Returns the place after the last one.
    """
    last = place + room
    for age in range(plan.num_ages[other] - 1):
        for _ in range(min(plan.ways[other, way, age], last - place)):
            choose_card(plan, plan.excluded[other, age], place, end, random)
            place += 1
    return place


@compiled
def choose_card(plan: Any, excluded: Any, place: Any, end: Any, random: Any) -> None:
    """Bring one of the cards from `place` on to it, of a kind that is not excluded if any is."""
    chosen = place + random_below(random, end - place)
    tries = 0
    while contains(excluded, plan.left[chosen]) and tries < MAX_TRIES + end - place:
        if tries < MAX_TRIES:
            chosen = place + random_below(random, end - place)
        else:
            chosen = chosen + 1 if chosen + 1 < end else place
        tries += 1
    kind = plan.left[chosen]
    plan.left[chosen] = plan.left[place]
    plan.left[place] = kind


@compiled
def is_proven(plan: Any, other: Any, way: Any, place: Any, end: Any) -> Any:
    """Return whether one of the cards that are old enough proves the guilt of a hand."""
    for age in range(plan.proof_age[other] + 1):
        for _ in range(plan.ways[other, way, age]):
            if place < end and contains(plan.proof[other], plan.left[place]):
                return True
            place += 1
    return False


@compiled
def deal_marked(
    plan: Any, other: Any, age: Any, place: Any, end: Any, room: Any, world: Any, random: Any
) -> Any:
    """Deal those of the `room` cards from which verdicts exclude kinds; return the next place.

    `age` is 1 for cards of the current epoch, 0 for others.
    """
    for card in range(room):
        excluded = EMPTY
        for mark in range(plan.num_marks[other]):
            if card + plan.mark_drawn[other, mark, age] < room:
                excluded |= plan.mark_kinds[other, mark]
        if excluded == EMPTY:
            break
        choose_card(plan, excluded, place, end, random)
        hand_out(world, other, plan.left[place])
        place += 1
        plan.dealt[other] += 1
    return place


@compiled
def hand_out(world: Any, other: Any, kind: Any) -> None:
    """Put an unknown card into a hand: the oldest come first, the youngest last."""
    add_card(world, other, kind)
    if other == world.actor and world.judged_apart and world.judged_card[other] == NO_CARD:
        world.judged_card[other] = kind
    if other == world.current_player and world.phase == GIVE:
        world.drawn_card = kind


@compiled
def settle_secrets(observation: Any, player: Any, world: Any) -> None:
    """Set the judged card (C8) and a dip's drawn card (P6) where the observer knows them."""
    actor = observation.actor
    if observation.phase == GIVE and observation.drawn_shown != NO_CARD:
        world.drawn_card = observation.drawn_shown
    if not observation.judged_apart or actor == player:
        return
    if observation.judged_shown != NO_CARD:
        world.judged_card[actor] = observation.judged_shown
        return
    for kind in range(NUM_KINDS):
        if observation.seen[player, actor, kind] > 0:
            world.judged_card[actor] = kind
