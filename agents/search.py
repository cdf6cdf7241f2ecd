"""`search`: tries its actions in worlds that it holds possible, and does what is seen to be best.

* Worlds are drawn from what it knows, the likelier ones more often: the others are thought to play
  like `greedy`, with slips (`uno_sim.belief`).
* In each world every action is tried with the same random numbers, and `greedy` plays the round to
  its end in all seats. Actions that are clearly worse are dropped on the way
  (`uno_sim.decisions.race`).
* An action is worth the chance to win the game with the totals that it leads to, or, with
  `aim="round"`, points.
* It does as `greedy` would, unless another action is better by more than `keep` standard errors.

It sees its observation only. `docs/decisions.md` has how strong it is, and what did not help.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.greedy import choose_greedily
from uno_sim.actions import NUM_ACTIONS
from uno_sim.compilation import compiled
from uno_sim.decisions.drawing import resample, temper, weigh_candidates
from uno_sim.decisions.race import choose, list_actions, run_race
from uno_sim.determinization import plan_worlds
from uno_sim.knowledge.world_plan import PLAN_DTYPE
from uno_sim.policies import CompiledAgent, policy
from uno_sim.policy_calls import address_of, call_policy
from uno_sim.random_stream import next_word
from uno_sim.state import STATE_DTYPE

SIMULATIONS, CANDIDATES, KEEP, DROP, AIM, SLIP, FLOOR, NUM_SETTINGS = range(8)
"""Places of the agent's numbers."""
AIMS = ("round", "game")

greedy_address = address_of(choose_greedily)


@policy(name="search")
def choose_by_search(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the action that rollouts show to be best; see the module."""
    key = next_word(random)
    legal = np.empty(NUM_ACTIONS, np.int64)
    count = list_actions(observation, legal)
    if count == 1:
        return legal[0]
    actions = legal[:count]
    player = observation.current_player
    nothing, stream = np.empty(0, np.float32), np.empty(1, np.uint64)
    stream[0] = key
    plans, records = np.zeros(1, PLAN_DTYPE), np.zeros(2, STATE_DTYPE)
    plan_worlds(observation, player, plans[0])
    simulations = np.int64(params[SIMULATIONS])
    numbers = np.arange(simulations // 2)
    if params[CANDIDATES] > 0:
        log_weights = np.empty(np.int64(params[CANDIDATES]))
        weigh_candidates(
            observation,
            player,
            rules,
            plans,
            key,
            0,
            np.float64(params[SLIP]),
            greedy_address(),
            nothing,
            records,
            log_weights,
        )
        temper(log_weights, params[FLOOR])
        resample(log_weights, stream, numbers)
    sums, products = np.zeros(count), np.zeros((count, count))
    is_in, progress = np.ones(count, np.bool_), np.zeros(3, np.int64)
    run_race(
        observation,
        player,
        rules,
        plans,
        key,
        numbers,
        simulations,
        params[DROP],
        params[AIM] > 0,
        greedy_address(),
        nothing,
        actions,
        sums,
        products,
        is_in,
        progress,
        records,
        np.empty(observation.num_players, np.uint64),
    )
    usual = usual_action(observation, rules, stream)
    return choose(usual, params[KEEP], actions, sums, products, is_in, progress)


@compiled
def usual_action(observation: Any, rules: Any, random: Any) -> Any:
    """Return what the rollout policy does."""
    nothing = np.empty(0, np.float32)
    return call_policy(
        greedy_address(), observation, rules, nothing, 0, 0, nothing, 0, 0, random, 0
    )


def search(
    simulations: int = 500,
    candidates: int = 250,
    keep: float = 2.0,
    drop: float = 3.0,
    aim: str = "game",
    slip: float = 0.05,
    floor: float = 30,
) -> CompiledAgent:
    """Return the agent `search`."""
    numbers = [simulations, candidates, keep, drop, AIMS.index(aim), slip, floor]
    return CompiledAgent(f"search {numbers}", choose_by_search, np.array(numbers, np.float32))
