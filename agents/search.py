"""`search`: tries its actions in worlds that it holds possible, and does what is seen to be best.

* Worlds are drawn from what it knows, the likelier ones more often: the others are thought to play
  like `greedy`, with slips (`uno_sim.belief`).
* In each world every action is tried with the same random numbers, and `greedy` plays the round to
  its end in all seats. Actions that are clearly worse are dropped on the way
  (`uno_sim.decisions.race`).
* An action is worth the chance to win the game with the totals that it leads to
  (`uno_sim.decisions.standing`), or, with `aim="round"`, points.
* It does as `greedy` would, unless another action is better by more than `keep` standard errors.

It sees its observation only. `docs/decisions.md` has how strong it is, and what did not help.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from agents.greedy import choose_greedily
from uno_sim.actions import NUM_ACTIONS
from uno_sim.compilation import compiled
from uno_sim.decisions.likely_worlds import look_back
from uno_sim.decisions.race import choose, list_actions, new_race, run_race
from uno_sim.determinization import plan_worlds
from uno_sim.knowledge.world_plan import PLAN_DTYPE
from uno_sim.policies import Agent, CompiledAgent, policy
from uno_sim.policy_calls import address_of, call_policy
from uno_sim.random_stream import next_word
from uno_sim.rule_set import RuleSet
from uno_sim.speed_hints import for_call
from uno_sim.state import STATE_DTYPE, allocate

NUM_SIMULATIONS, KEEP_ERRORS, DROP_ERRORS, AIM, SLIPS, POWER = range(6)
"""Places of the agent's numbers."""
AIMS = ("round", "game")
KEEP, DROP, SLIP, TRUST = 1.0, 2.5, 0.05, 0.4
"""What the last numbers are if nothing else is said, tuned against `greedy`."""
USUAL = {"keep": KEEP, "drop": DROP, "aim": "game", "slip": SLIP, "trust": TRUST}
MOST_SIMULATIONS = 1 << 24
"""The largest budget that the agent's numbers hold exactly."""

SIMULATIONS = 500
"""The budget if nothing else is said."""
ANNOUNCE = "uno_sim: compiling the search, once: about 20 s"

greedy_address = address_of(choose_greedily)


@policy(name="search")
def choose_by_search(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the action that rollouts show to be best; see the module."""
    key = next_word(random)
    legal = np.empty(NUM_ACTIONS, np.int64)
    count = list_actions(observation, legal)
    if count == 1:
        return legal[0]
    plans, records = np.zeros(1, PLAN_DTYPE), np.zeros(2, STATE_DTYPE)
    actions, race, past = legal[:count], new_race(count), begin(observation, rules, params, plans)
    budget = np.int64(params[NUM_SIMULATIONS])
    race_on(observation, rules, params, plans, past, key, budget, actions, race, records)
    return decide(observation, rules, params, actions, race, random)


@compiled(announce=ANNOUNCE, apart=True)
def begin(observation: Any, rules: Any, params: Any, plans: Any) -> Any:
    """Make the plan of the worlds; return what they are weighed by."""
    player, slip = observation.current_player, np.float64(params[SLIPS])
    plan_worlds(observation, player, plans[0])
    return look_back(observation, player, rules, greedy_address(), np.empty(0, np.float32), slip)


@compiled(announce=ANNOUNCE, apart=True)
def race_on(
    observation: Any,
    rules: Any,
    params: Any,
    plans: Any,
    past: Any,
    key: Any,
    budget: Any,
    actions: Any,
    race: Any,
    records: Any,
) -> Any:
    """Try the actions until the budget is used; return whether more would be of use."""
    return run_race(
        observation,
        observation.current_player,
        rules,
        plans,
        past,
        key,
        budget,
        params[POWER],
        params[DROP_ERRORS],
        params[AIM] > 0,
        greedy_address(),
        np.empty(0, np.float32),
        actions,
        race,
        records,
    )


@compiled(announce=ANNOUNCE, apart=True)
def decide(observation: Any, rules: Any, params: Any, actions: Any, race: Any, random: Any) -> Any:
    """Return the best action, or what `greedy` does where none is clearly better."""
    nothing = np.empty(0, np.float32)
    usual = call_policy(
        greedy_address(), observation, rules, nothing, 0, 0, nothing, 0, 0, random, 0
    )
    return choose(usual, params[KEEP_ERRORS], actions, race)


class SearchInTime:
    """The same search with a budget of time: asked in batches, one observation after another.

    What it does depends on how fast the machine is at the moment, and cannot be repeated.
    """

    SLICE = 64
    """How much of the budget is used between two looks at the clock."""

    def __init__(self, name: str, milliseconds: float, params: Any) -> None:
        self.name = name
        self._seconds = milliseconds / 1000
        self._params = params
        self._plans = for_call(np.zeros(1, PLAN_DTYPE).view(np.recarray))
        self._records = for_call(allocate(2))
        self._rules: Any = None

    def use_rules(self, rules: RuleSet) -> None:
        """Take the rules that the next observations are of."""
        self._rules = rules.record

    def act(self, observations: Any, seeds: Any) -> Any:
        """Return an action for each observation, int64 `[n]`."""
        actions = [self._act(*one) for one in zip(observations, seeds, strict=True)]
        return np.array(actions, np.int64)

    def _act(self, observation: Any, key: Any) -> int:
        end = time.perf_counter() + self._seconds
        legal = np.empty(NUM_ACTIONS, np.int64)
        count = list_actions(observation, legal)
        if count == 1:
            return int(legal[0])
        shared, actions, race = (
            (observation, self._rules, self._params),
            legal[:count],
            new_race(count),
        )
        past = begin(*shared, self._plans)
        budget, goes_on = 0, True
        while goes_on and time.perf_counter() < end:
            budget += self.SLICE + count
            goes_on = race_on(*shared, self._plans, past, key, budget, actions, race, self._records)
        return int(decide(*shared, actions, race, np.array([key], np.uint64)))


def search(
    simulations: int | None = None,
    keep: float = KEEP,
    drop: float = DROP,
    aim: str = "game",
    slip: float = SLIP,
    trust: float = TRUST,
    milliseconds: float | None = None,
) -> Agent:
    """Return the agent `search`; see the module.

    `simulations` is the budget of a decision, rollouts and worlds weighed (500 if nothing is said);
    `milliseconds` one of time instead, which makes an agent that is asked in batches. `slip` is how
    often the others are thought to do something else than `greedy`; with 1 their choices tell
    nothing. `trust` is the power that the likelihood of their choices is taken to.

    Raises `ValueError` where a number does not fit, or both budgets are given.
    """
    if simulations is not None and milliseconds is not None:
        raise ValueError(
            f"simulations={simulations!r}, milliseconds={milliseconds!r}: must be one of them"
        )
    if simulations is None:
        simulations = SIMULATIONS
    if not _is_number(simulations, int) or not 1 <= simulations <= MOST_SIMULATIONS:
        raise ValueError(
            f"simulations={simulations!r}: must be an integer from 1 to {MOST_SIMULATIONS}"
        )
    for name, value in (("keep", keep), ("drop", drop)):
        if not _is_number(value) or not value >= 0:
            raise ValueError(f"{name}={value!r}: must be a number of at least 0")
    for name, value in (("slip", slip), ("trust", trust)):
        if not _is_number(value) or not 0 < value <= 1:
            raise ValueError(f"{name}={value!r}: must be a number above 0 and at most 1")
    if aim not in AIMS:
        raise ValueError(f"aim={aim!r}: must be 'round' or 'game'")
    params = np.array([simulations, keep, drop, AIMS.index(aim), slip, trust], np.float32)
    given = {"keep": keep, "drop": drop, "aim": aim, "slip": slip, "trust": trust}
    options = "".join(f",{key}={value}" for key, value in given.items() if value != USUAL[key])
    if milliseconds is None:
        return CompiledAgent(f"search:simulations={simulations}{options}", choose_by_search, params)
    if not _is_number(milliseconds) or not milliseconds > 0:
        raise ValueError(f"milliseconds={milliseconds!r}: must be a number above 0")
    return SearchInTime(f"search:milliseconds={milliseconds:g}{options}", milliseconds, params)


def _is_number(value: object, kind: Any = int | float) -> bool:
    """Return whether a value is a number, which True and False are not."""
    return isinstance(value, kind) and not isinstance(value, bool)
