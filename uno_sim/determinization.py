"""Determinization: fill the blanks of an observation with one world that it allows.

Worlds are uniform over all orders of the physical cards that are consistent with the public
events; choices are taken as uninformative. What may lie where is kept by `knowledge.memory`:

* Unknown cards are dealt epoch by epoch: a card held since before a shuffle (P8) is one of those
  that were not shuffled, the draw pile holds those that were. Where it is in doubt of which epoch
  a card is, that is drawn first; see `origins`.
* After a dump of a color (D9) no card of it is left in the hand; see `hand_ages`.

`plan_worlds` does what all worlds of an observation share, `fill_world` deals one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, contains
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.hand_ages import PLAN_DTYPE, follow_dumps
from uno_sim.knowledge.traces import CARD
from uno_sim.observation import copy_record
from uno_sim.origins import find_origins
from uno_sim.random_stream import next_word, random_below, random_unit, shuffle
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.rules.hands import add_card
from uno_sim.rules.legal import DRAFT, GIVE, write_legal
from uno_sim.state import MAX_TRACES, NO_SEAT

MAX_TRIES = 10_000
"""How often a card that an age allows is looked for; some always lie there."""


def new_plan() -> Any:
    """Return an empty plan record."""
    return np.zeros(1, PLAN_DTYPE).view(np.recarray)[0]


@compiled(announce="uno_sim: compiling the determinization, once: about 5 s")
def plan_worlds(observation: Any, player: Any, plan: Any) -> None:
    """Work out which cards the observer `player` does not know, and where they may be."""
    for other in range(MAX_PLAYERS):
        plan.num_ages[other] = 0
    find_origins(observation, player, plan)
    for origin in range(plan.num_origins):
        list_cards(observation, plan, origin)
    for other in range(observation.num_players):
        # Dumps and shuffles together are a variant in which the ages of cards are not followed.
        if other != player and plan.unknown[0, other, 0] > 0 and observation.epoch == 0:
            follow_dumps(observation, player, other, plan)


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


@compiled
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
    if epoch == 0:
        for other in range(observation.num_players):
            plan.dealt[other] = 0
            if other != player and plan.num_ages[other] > 0:
                place = deal_by_age(plan, other, place, end, world, random)
    shuffle(random, plan.left[place:end], end - place)
    for other in range(observation.num_players):
        if other != player:
            aged = plan.dealt[other] if epoch == 0 else 0
            for _ in range(plan.unknown[origin, other, epoch] - aged):
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
def deal_by_age(plan: Any, other: Any, place: Any, end: Any, world: Any, random: Any) -> Any:
    """Deal the cards that a hand has held since before a dump; return the next place."""
    way = 0
    aim = random_unit(random) * plan.weights[other, plan.num_ways[other] - 1]
    while way < plan.num_ways[other] - 1 and plan.weights[other, way] <= aim:
        way += 1
    for age in range(plan.num_ages[other] - 1):
        for _ in range(plan.ways[other, way, age]):
            chosen = place + random_below(random, end - place)
            tries = 0
            while contains(plan.excluded[other, age], plan.left[chosen]) and tries < MAX_TRIES:
                chosen = place + random_below(random, end - place)
                tries += 1
            kind = plan.left[chosen]
            plan.left[chosen] = plan.left[place]
            plan.left[place] = kind
            hand_out(world, other, kind)
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
