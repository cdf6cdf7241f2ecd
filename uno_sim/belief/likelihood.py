"""How well a world agrees with what the others chose, against a model of how they play.

At each choice of another player in the remembered past the policies of the model are asked what
they would have done with the hand that the player has in the world. A policy is thought to slip now
and then: with the chance `slip` it takes any legal action. So no choice alone rules a world out.

A policy that draws random numbers is asked several times. One that observes the legal set alone and
draws random numbers is taken to choose uniformly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.agent_table import OBSERVES_ALL, OBSERVES_LEGAL
from uno_sim.belief.past import NO_RECORD
from uno_sim.belief.past_events import is_laying
from uno_sim.belief.walk_back import (
    add,
    begin_walk,
    choose_drawn,
    choose_picked,
    draw_back,
    forget_hand,
    judge,
    put_back,
    remove,
    unknown_kinds,
    ways_to_lay,
)
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import FORCED_DRAW
from uno_sim.observation import copy_record
from uno_sim.policies import num_legal
from uno_sim.policy_calls import call_policy
from uno_sim.rules.legal import is_legal, write_legal
from uno_sim.rules.playability import is_playable
from uno_sim.speed_hints import borrowed
from uno_sim.state import NO_SEAT

ASKINGS = 8
"""How often a policy that draws random numbers is asked about one choice."""


@compiled(apart=True)
def log_likelihood(
    world: Any,
    rules: Any,
    past: Any,
    steps: Any,
    records: Any,
    walk: Any,
    model: Any,
    logs: Any,
    random: Any,
) -> Any:
    """Return the log weight of a world: how likely the others' choices are in it.

    `past`, `steps`, `records` are what `plan_past` made of the observation that the world fills.
    `model` is what `models.Model.arguments` holds. `logs` `[P, M]` gets the log likelihoods by seat
    and policy.
    """
    shares, slip, agents, functions, params, memory, fault = model
    shares, agents, functions = borrowed(shares), borrowed(agents), borrowed(functions)
    policies = shares, slip, agents, functions, borrowed(params), borrowed(memory), fault
    steps, records = borrowed(steps), borrowed(records)
    logs, random = borrowed(logs), borrowed(random)
    logs[:] = 0.0
    begin_walk(world, past.player, walk)
    for number in range(past.num_steps):
        step = steps[number]
        if step.exposed != NO_SEAT:
            forget_hand(walk, step.exposed)
        if number == past.wild_draw_step:
            judge(step, walk)
        if is_laying(step.code):
            put_back(world, step, walk)
            ways = ways_to_lay(step, walk)
            if ways > 1 and logs.shape[1] > 0:
                walk.log_ratio -= np.log(ways)
            records[step.record].drawn_card = walk.drawn_card
            weigh(step.record, step, step.code, records, walk, rules, policies, logs, random)
        elif step.code == actions.DRAW:
            undo_draw(step, records, walk, rules, policies, logs, random)
        elif step.code == FORCED_DRAW:
            draw_back(step, walk, random)
        elif step.code in (actions.KEEP, actions.REJECT):
            undo_pick(step, records, walk, rules, policies, logs, random)
        elif step.record != NO_RECORD:
            weigh(step.record, step, step.code, records, walk, rules, policies, logs, random)
    return walk.log_ratio + mixed(past.player, world.num_players, shares, logs)


@compiled
def undo_draw(
    step: Any, records: Any, walk: Any, rules: Any, model: Any, logs: Any, random: Any
) -> None:
    """Take the card of a turn's draw out of the hand; weigh keeping it, and drawing (C2, C3)."""
    if step.cards > 0:
        kind = walk.drawn_card
        if kind == NO_CARD:
            kind = choose_drawn(step, 0, walk, random)
            if step.kept_record != NO_RECORD and kind != NO_CARD:
                table = records[step.kept_record]
                if is_playable(table, kind):
                    table.drawn_card = kind
                    weigh(
                        step.kept_record,
                        step,
                        actions.PASS,
                        records,
                        walk,
                        rules,
                        model,
                        logs,
                        random,
                    )
        if kind != NO_CARD:
            remove(walk, step.seat, kind)
        walk.drawn_card = NO_CARD
    weigh(step.record, step, actions.DRAW, records, walk, rules, model, logs, random)


@compiled
def undo_pick(
    step: Any, records: Any, walk: Any, rules: Any, model: Any, logs: Any, random: Any
) -> None:
    """Take the card of a pick out of the hand, and weigh keeping or rejecting the offer (D4)."""
    table = records[step.record]
    if not walk.is_drafted:
        ask_about_cards(step.record, step.seat, records, walk, rules, model, random)
        walk.is_drafted = True
    kind = choose_picked(step, walk, random)
    if kind != NO_CARD:
        remove(walk, step.seat, kind)
        table.offered_card = kind if step.code == actions.KEEP else step.offered
        weigh(step.record, step, step.code, records, walk, rules, model, logs, random)


@compiled
def ask_about_cards(
    number: Any, seat: Any, records: Any, walk: Any, rules: Any, model: Any, random: Any
) -> None:
    """Ask the model about each unknown card of a drafted hand, as if it were the last offered."""
    shares = model[0]
    table = records[number]
    kinds = unknown_kinds(walk, seat)
    while kinds != EMPTY:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        walk.keenness[kind] = 0.0 if shares.shape[1] > 0 else 1.0
        table.offered_card = kind
        remove(walk, seat, kind)
        show_hand(table, seat, walk, rules)
        add(walk, seat, kind)
        for policy in range(shares.shape[1]):
            if shares[seat, policy] > 0.0:
                chance = chance_of(number, actions.KEEP, policy, records, rules, model, random)
                walk.keenness[kind] += shares[seat, policy] * chance


@compiled
def show_hand(table: Any, seat: Any, walk: Any, rules: Any) -> None:
    """Write the hand of the player who is asked into a record, and what is legal."""
    for kind in range(NUM_KINDS):
        table.hands[seat, kind] = walk.hands[seat, kind]
    table.held[seat] = walk.held[seat]
    write_legal(table, rules)


@compiled
def weigh(
    number: Any,
    step: Any,
    action: Any,
    records: Any,
    walk: Any,
    rules: Any,
    model: Any,
    logs: Any,
    random: Any,
) -> None:
    """Multiply the likelihoods of a seat by the chance of an action, at record `number`.

    A choice that had to be made tells nothing; neither does one that was not legal with this hand,
    which a guess at the past may bring about.
    """
    table = records[number]
    show_hand(table, step.seat, walk, rules)
    if num_legal(table) > 1 and is_legal(table, action):
        for policy in range(logs.shape[1]):
            if model[0][step.seat, policy] > 0.0:
                chance = chance_of(number, action, policy, records, rules, model, random)
                logs[step.seat, policy] += np.log(chance)


@compiled
def chance_of(
    number: Any, action: Any, policy: Any, records: Any, rules: Any, model: Any, random: Any
) -> Any:
    """Return the chance that a policy of the model takes an action, slips included.

    A policy that answers what is not legal is left in the model's `fault`: its number from 1 on,
    and the action.
    """
    _, slip, agents, functions, params, memory, fault = model
    agent = agents[policy]
    table = records[number]
    seen = table
    if agent.call == OBSERVES_ALL:
        seen = records[len(records) - 1]
    count = num_legal(table)
    before = random[0]
    hits = 0
    asked = 0
    while asked == 0 or (asked < ASKINGS and random[0] != before):
        if agent.call == OBSERVES_ALL:
            # Anew for each question: a policy may have written into it.
            copy_record(seen, table)
        memory[: agent.memory_size] = 0
        chosen = call_policy(
            functions[policy],
            seen,
            rules,
            params,
            agent.params_start,
            agent.params_size,
            memory,
            0,
            agent.memory_size,
            random,
            0,
        )
        hits += chosen == action
        asked += 1
        if chosen != action and not is_legal(table, chosen):
            fault[0], fault[1] = policy + 1, chosen
        if agent.call == OBSERVES_LEGAL and random[0] != before:
            return 1.0 / count
    chance = np.float64(hits) if asked == 1 else (hits + 1.0 / count) / (asked + 1.0)
    return (1.0 - slip) * chance + slip / count


@compiled
def mixed(player: Any, num_players: Any, shares: Any, logs: Any) -> Any:
    """Return the log likelihood of all others, each a mixture of the policies by `shares`."""
    total = 0.0
    for seat in range(num_players):
        if seat == player:
            continue
        most = -np.inf
        for policy in range(logs.shape[1]):
            if shares[seat, policy] > 0.0:
                most = max(most, logs[seat, policy])
        if most == -np.inf:
            continue
        likelihood = 0.0
        for policy in range(logs.shape[1]):
            if shares[seat, policy] > 0.0:
                likelihood += shares[seat, policy] * np.exp(logs[seat, policy] - most)
        total += most + np.log(likelihood)
    return total
