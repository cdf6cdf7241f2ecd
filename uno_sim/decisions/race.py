"""A race of the legal actions: rollouts in common worlds, the worse ones dropped on the way.

All actions that are still in are tried in the same worlds, so their differences are paired. After
each stage those are dropped whose difference to the best is too many standard errors, and the
budget of rollouts goes to the rest. Shapes: `[A]` actions, `[P]` seats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.compilation import compiled
from uno_sim.decisions.rollouts import begin_streams_of_world, fill_numbered_world
from uno_sim.decisions.standing import chance_to_win, mean_points
from uno_sim.observation import copy_record
from uno_sim.policy_calls import call_policy
from uno_sim.random_stream import shuffle, split
from uno_sim.rule_set import LOSER_SCORES
from uno_sim.rules.scoring import ROUND_OVER
from uno_sim.rules.transition import step

FIRST_STAGE = 16
"""How many worlds are tried before an action may be dropped."""
WORLDS, ROLLOUTS, STAGE = range(3)
"""Places of `progress`."""
STAGE_GROWTH = 1.25
"""How many times as many worlds lie before the next stage."""
MAX_DECISIONS = 400
"""How long a rollout may be; few rounds take a quarter of it, but one may go round in circles."""


@compiled
def list_actions(observation: Any, actions: Any) -> Any:
    """Write the legal actions into `actions` (int64), ascending; return how many there are."""
    count = 0
    for word in range(len(observation.legal)):
        bits = observation.legal[word]
        while bits != EMPTY:
            actions[count] = word * 64 + lowest(bits)
            count += 1
            bits = without_lowest(bits)
    return count


@compiled
def play_alike(
    world: Any, rules: Any, function: Any, params: Any, nothing: Any, streams: Any
) -> None:
    """Play a world to the end of its round by one policy in all seats.

    The policy (its address) must observe no more than its own and have no memory. A round that goes
    on for `MAX_DECISIONS` is left as it is, without points.
    """
    decisions = 0
    while world.phase < ROUND_OVER and decisions < MAX_DECISIONS:
        decisions += 1
        action = call_policy(
            function,
            world,
            rules,
            params,
            0,
            len(params),
            nothing,
            0,
            0,
            streams,
            world.current_player,
        )
        step(world, rules, action)


@compiled
def reward_in_points(world: Any, rules: Any, player: Any) -> Any:
    """Return the round points of a player less the mean of the others', so that more is better."""
    others = 0
    for seat in range(world.num_players):
        others += world.points[seat] if seat != player else 0
    lead = world.points[player] - others / (world.num_players - 1)
    return -lead if rules.scorer == LOSER_SCORES else lead


@compiled
def difference_and_error(sums: Any, products: Any, worlds: Any, one: Any, other: Any) -> Any:
    """Return the mean paired difference of two actions, and its standard error."""
    mean = (sums[one] - sums[other]) / worlds
    squares = products[one, one] - 2.0 * products[one, other] + products[other, other]
    variance = max(squares / worlds - mean * mean, 0.0) / (worlds - 1)
    return mean, np.sqrt(variance)


@compiled
def best_of(sums: Any, is_in: Any) -> Any:
    """Return the place of the action with the highest sum among those that are still in."""
    best = -1
    for place in range(len(sums)):
        if is_in[place] and (best < 0 or sums[place] > sums[best]):
            best = place
    return best


@compiled
def drop_worse(sums: Any, products: Any, worlds: Any, errors: Any, is_in: Any) -> Any:
    """Drop the actions that are `errors` standard errors below the best; return how many stay."""
    best = best_of(sums, is_in)
    left = 0
    for place in range(len(sums)):
        if not is_in[place]:
            continue
        if place != best:
            lead, error = difference_and_error(sums, products, worlds, best, place)
            if lead > 0.0 and lead > errors * error:
                is_in[place] = False
                continue
        left += 1
    return left


@compiled
def run_race(
    observation: Any,
    player: Any,
    rules: Any,
    plans: Any,
    key: Any,
    numbers: Any,
    simulations: Any,
    drop_errors: Any,
    for_games: Any,
    function: Any,
    params: Any,
    actions: Any,
    sums: Any,
    products: Any,
    is_in: Any,
    progress: Any,
    records: Any,
    streams: Any,
) -> Any:
    """Try the actions until `simulations` rollouts are used, or one action is left; return whether
    another call with more rollouts would go on.

    World i has the number `numbers[i]` of the key. The race is kept in `sums` of the worths `[A]`
    and of their `products` `[A, A]`, in the actions that are still in, `is_in` `[A]`, and in
    `progress` (int64): worlds, rollouts, and the world before which none is dropped any more. All
    of them are 0, and all actions in, before the first call. `records` (two states) and `streams`
    `[P]` are room for work, `plans[0]` is the plan of the worlds.
    """
    # A record does not keep the array that it lies in: whoever calls must.
    world, trial, plan = records[0], records[1], plans[0]
    nothing = np.empty(0, np.float32)
    deal_stream = np.empty(1, np.uint64)
    count = len(actions)
    round_points = mean_points(rules, observation.num_players)
    worths = np.zeros(count)
    left = 0
    for place in range(count):
        left += is_in[place]
    while left > 1 and progress[WORLDS] < len(numbers):
        if progress[ROLLOUTS] + left > simulations:
            return True
        worlds = progress[WORLDS]
        number = numbers[worlds]
        fill_numbered_world(observation, player, rules, plan, key, number, world, deal_stream)
        # A number may come again: then what lies unknown in the draw pile is another order.
        deal_stream[0] = split(key, -1 - worlds)
        known = world.known_size
        shuffle(deal_stream, world.draw_pile[known:], world.draw_size - known)
        for place in range(count):
            if not is_in[place]:
                continue
            copy_record(trial, world)
            begin_streams_of_world(key, worlds, world.round_number, streams)
            step(trial, rules, actions[place])
            play_alike(trial, rules, function, params, nothing, streams)
            if for_games:
                worths[place] = chance_to_win(trial, rules, player, round_points)
            else:
                worths[place] = reward_in_points(trial, rules, player)
            sums[place] += worths[place]
            for other in range(place + 1):
                if is_in[other]:
                    products[place, other] += worths[place] * worths[other]
                    products[other, place] = products[place, other]
        progress[ROLLOUTS] += left
        progress[WORLDS] += 1
        if progress[WORLDS] >= max(progress[STAGE], FIRST_STAGE):
            progress[STAGE] = np.int64(progress[WORLDS] * STAGE_GROWTH)
            left = drop_worse(sums, products, progress[WORLDS], drop_errors, is_in)
    return False


@compiled
def choose(
    usual: Any,
    keep_errors: Any,
    actions: Any,
    sums: Any,
    products: Any,
    is_in: Any,
    progress: Any,
) -> Any:
    """Return the action of the highest mean, or `usual` where that is not clearly worse.

    It is kept if it is still in, and the difference is at most `keep_errors` standard errors.
    """
    best = best_of(sums, is_in)
    for place in range(len(actions)):
        if actions[place] == usual and is_in[place] and progress[WORLDS] > 1:
            lead, error = difference_and_error(sums, products, progress[WORLDS], best, place)
            if lead <= keep_errors * error:
                return usual
    return actions[best] if progress[WORLDS] > 1 else usual
