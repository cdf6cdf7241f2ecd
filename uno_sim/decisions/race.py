"""A race of the legal actions: rollouts in common worlds, the worse ones dropped on the way.

All actions that are still in are tried in the same worlds, so their differences are paired. After
each stage those are dropped whose difference to the best is too many standard errors, and the
budget goes to the rest.

A world has a weight `w`, so a mean is the ratio `sum(w x) / sum(w)`; its variance is that of a
ratio, `sum(w^2 (x - mean)^2) / sum(w)^2`. Unlikely worlds are left out by lot, and stand for more
where they are not. Shapes: `[A]` actions, `[P]` seats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.compilation import compiled
from uno_sim.decisions.likely_worlds import log_weight
from uno_sim.decisions.rollouts import begin_streams_of_world, fill_numbered_world
from uno_sim.decisions.standing import chance_to_win, mean_points
from uno_sim.observation import copy_record
from uno_sim.policy_calls import call_policy
from uno_sim.random_stream import random_unit, shuffle
from uno_sim.rules.scoring import ROUND_OVER, lead_in_points
from uno_sim.rules.transition import step

FIRST_STAGE = 12
"""How many worlds' worth is needed before an action may be dropped."""
STAGE_GROWTH = 1.25
"""How many times as many worlds are tried before the next stage."""
MAX_DECISIONS = 400
"""How long a rollout may be; few rounds take a quarter of it, but one may go round in circles."""
LIKELY = 3.0
"""Worlds of less than so many times the mean weight may be left out."""
MAX_PILES = 4
"""In how many orders of the draw pile a likely world is tried at most."""

NUMBER, TRIED, USED, STAGE = range(4)
"""Progress of a race: the next world's number, worlds tried, budget used, the next stage."""
SCALE, SEEN, WEIGHTS, SQUARES = range(4)
"""Totals of a race: the logarithm that weights are relative to, the sum of the weights of all
worlds seen, of those tried, and of the squares of these."""


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
def new_race(count: Any) -> Any:
    """Return a race of so many actions that has not begun.

    It is: sums of `w x` and of `w^2 x` `[2, A]`, of `w^2 x y` `[A, A]`, which actions are still in
    `[A]`, the totals, and the progress.
    """
    totals = np.zeros(4)
    totals[SCALE] = -np.inf
    products = np.zeros((count, count))
    return np.zeros((2, count)), products, np.ones(count, np.bool_), totals, np.zeros(4, np.int64)


@compiled(apart=True)
def run_race(
    observation: Any,
    player: Any,
    rules: Any,
    plans: Any,
    past: Any,
    key: Any,
    budget: Any,
    trust: Any,
    drop_errors: Any,
    for_games: Any,
    function: Any,
    params: Any,
    actions: Any,
    race: Any,
    records: Any,
) -> Any:
    """Try the actions until the budget is used; return whether more would be of use.

    The budget counts rollouts and worlds weighed. `race` is from `new_race`, and goes on where it
    was left; `plans[0]` is the plan of the worlds, `past` is from `look_back`, the policy
    `function` plays the rollouts. `records` (two states) is room for work.
    """
    is_in, totals, progress = race[2:]
    # A record does not keep the array that it lies in: whoever calls must.
    world, trial, plan = records[0], records[1], plans[0]
    nothing, worths = np.empty(0, np.float32), np.zeros(len(actions))
    stream, streams = np.empty(1, np.uint64), np.empty(observation.num_players, np.uint64)
    round_points = mean_points(rules, observation.num_players)
    is_weighed = past[0][0].num_steps > 0
    left = 0
    for place in range(len(actions)):
        left += is_in[place]
    while left > 1:
        if progress[USED] + left + is_weighed > budget:
            return True
        number = progress[NUMBER]
        progress[NUMBER] += 1
        fill_numbered_world(observation, player, rules, plan, key, number, world, stream)
        weight = 1.0
        if is_weighed:
            progress[USED] += 1
            weight = relative_weight(log_weight(world, rules, past, trust, stream), race)
        totals[SEEN] += weight
        piles = some_piles(weight, totals[SEEN] / progress[NUMBER], stream)
        if piles == 0:
            continue
        if weight < LIKELY * totals[SEEN] / progress[NUMBER]:
            weight = LIKELY * totals[SEEN] / progress[NUMBER]
        worths[:] = 0.0
        for pile in range(piles):
            if pile > 0:
                known = world.known_size
                shuffle(stream, world.draw_pile[known:], world.draw_size - known)
            for place in range(len(actions)):
                if not is_in[place]:
                    continue
                copy_record(trial, world)
                begin_streams_of_world(key, number, world.round_number, streams)
                step(trial, rules, actions[place])
                play_alike(trial, rules, function, params, nothing, streams)
                if for_games:
                    worths[place] += chance_to_win(trial, rules, player, round_points) / piles
                else:
                    worths[place] += lead_in_points(trial, rules, player) / piles
        add_world(weight, worths, race)
        progress[USED] += left * piles
        progress[TRIED] += 1
        if progress[TRIED] >= progress[STAGE] and effective_number(totals) >= FIRST_STAGE:
            progress[STAGE] = np.int64(progress[TRIED] * STAGE_GROWTH)
            left = drop_worse(race, drop_errors)
    return False


@compiled
def relative_weight(log_of_weight: Any, race: Any) -> Any:
    """Return a weight relative to the highest one so far, and make the totals relative to it."""
    sums, products, _, totals, _ = race
    if log_of_weight > totals[SCALE]:
        factor = np.exp(totals[SCALE] - log_of_weight)
        totals[SCALE] = log_of_weight
        totals[SEEN] *= factor
        totals[WEIGHTS] *= factor
        totals[SQUARES] *= factor * factor
        sums[0] *= factor
        sums[1] *= factor * factor
        products *= factor * factor
    return np.exp(log_of_weight - totals[SCALE])


@compiled
def some_piles(weight: Any, mean_weight: Any, stream: Any) -> Any:
    """Return in how many orders of the draw pile a world is tried; 0 leaves it out, by lot."""
    share = weight / (LIKELY * mean_weight)
    if share < 1.0:
        return 1 if random_unit(stream) < share else 0
    return min(MAX_PILES, np.int64(share))


@compiled
def add_world(weight: Any, worths: Any, race: Any) -> None:
    """Add what the actions were worth in a world."""
    sums, products, is_in, totals, _ = race
    square = weight * weight
    totals[WEIGHTS] += weight
    totals[SQUARES] += square
    for place in range(len(worths)):
        if not is_in[place]:
            continue
        sums[0, place] += weight * worths[place]
        sums[1, place] += square * worths[place]
        for other in range(place + 1):
            if is_in[other]:
                products[place, other] += square * worths[place] * worths[other]
                products[other, place] = products[place, other]


@compiled
def effective_number(totals: Any) -> Any:
    """Return how many equally likely worlds tell as much as those tried."""
    if totals[SQUARES] == 0.0:
        return 0.0
    return totals[WEIGHTS] ** 2 / totals[SQUARES]


@compiled
def difference_and_error(race: Any, one: Any, other: Any) -> Any:
    """Return the mean paired difference of two actions, and its standard error."""
    sums, products, _, totals, _ = race
    mean = (sums[0, one] - sums[0, other]) / totals[WEIGHTS]
    squares = products[one, one] - 2.0 * products[one, other] + products[other, other]
    squares -= 2.0 * mean * (sums[1, one] - sums[1, other]) - mean * mean * totals[SQUARES]
    worlds = max(effective_number(totals), 2.0)
    variance = max(squares, 0.0) * worlds / (worlds - 1.0)
    return mean, np.sqrt(variance) / totals[WEIGHTS]


@compiled
def best_of(race: Any) -> Any:
    """Return the place of the action with the highest mean among those that are still in."""
    best = -1
    for place in range(len(race[2])):
        if race[2][place] and (best < 0 or race[0][0, place] > race[0][0, best]):
            best = place
    return best


@compiled
def drop_worse(race: Any, errors: Any) -> Any:
    """Drop the actions that are `errors` standard errors below the best; return how many stay."""
    is_in = race[2]
    best = best_of(race)
    left = 0
    for place in range(len(is_in)):
        if not is_in[place]:
            continue
        if place != best:
            lead, error = difference_and_error(race, best, place)
            if lead > 0.0 and lead > errors * error:
                is_in[place] = False
                continue
        left += 1
    return left


@compiled
def choose(usual: Any, keep_errors: Any, actions: Any, race: Any) -> Any:
    """Return the action of the highest mean, or `usual` where that is not clearly worse.

    It is kept if it is still in and the difference is at most `keep_errors` standard errors, and
    where there were too few worlds to tell.
    """
    if effective_number(race[3]) < 2.0:
        return usual
    best = best_of(race)
    for place in range(len(actions)):
        if actions[place] == usual and race[2][place]:
            lead, error = difference_and_error(race, best, place)
            if lead <= keep_errors * error:
                return usual
    return actions[best]


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
