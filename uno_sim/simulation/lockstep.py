"""Lockstep: batched agents are asked once a step, each for all games that wait for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.actions import ACTION_NAMES, NUM_ACTIONS
from uno_sim.explanation import IllegalActionError
from uno_sim.policies import Agent, BatchedAgent, CompiledAgent
from uno_sim.rule_set import RuleSet
from uno_sim.rules.scoring import ROUND_OVER
from uno_sim.simulation.driver import AgentTable, Batch, for_call, observe_asked, take_actions
from uno_sim.state import Phase, allocate
from uno_sim.views import legal_mask


class RefusedActionError(Exception):
    """An agent has chosen an illegal action in one game of a batch; the caller knows which it is.

    `game` is the number of the game in its batch.
    """

    def __init__(self, game: int) -> None:
        super().__init__(game)
        self.game = game


def introduce(agents: Any, rules: RuleSet) -> None:
    """Tell the agents that want to know which rules are played."""
    for agent in agents:
        use_rules = getattr(agent, "use_rules", None)
        if not isinstance(agent, CompiledAgent) and use_rules is not None:
            use_rules(rules)


def answer(table: AgentTable, rules: RuleSet, seats: Any, batch: Batch) -> Any:
    """Let each batched agent act once in all games that wait for it; return these games' numbers.

    `seats[g, p]` is the agent at seat p. Raises `RefusedActionError` where an agent's action is
    not legal, and `ValueError` where it returns no actions of the right shape.
    """
    states = np.asarray(batch.states)
    asked = states["current_player"]
    agents = seats[np.arange(len(seats)), np.maximum(asked, 0)]
    agents = np.where(states["phase"] < ROUND_OVER, agents, -1)
    moved = []
    for number, agent in enumerate(table.agents):
        games = np.flatnonzero(agents == number)
        if len(games) and not isinstance(agent, CompiledAgent):
            observations, seeds = allocate(len(games)), np.empty(len(games), np.uint64)
            observe_asked(
                for_call(batch.states), games, batch.streams, for_call(observations), seeds
            )
            actions = asked_actions(agent, rules, observations, seeds)
            refused = take_actions(
                rules.record,
                for_call(batch.states),
                for_call(batch.tallies),
                games,
                actions,
                batch.fault,
            )
            if refused >= 0:
                raise RefusedActionError(int(games[refused]))
            moved.append(games)
    return np.concatenate([np.zeros(0, np.int64), *moved])


def asked_actions(agent: BatchedAgent, rules: RuleSet, observations: Any, seeds: Any) -> Any:
    """Return what an agent answers, int64 `[n]`; `ValueError` where it has not that shape.

    It is told the rules each time, since it may play elsewhere, by others, in between.
    """
    introduce([agent], rules)
    try:
        answered = np.asarray(agent.act(observations, seeds))
    except Exception as error:
        error.add_note(f"raised by agent {agent.name!r}, asked for {len(seeds)} decisions at once")
        raise
    if answered.shape != seeds.shape or answered.dtype.kind not in "iu":
        raise ValueError(
            f"agent {agent.name!r}: act returned {answered.dtype} of shape {answered.shape}, "
            f"must be integers of shape {seeds.shape}, one action an observation"
        )
    return answered.astype(np.int64)


def refusal(agent: Agent, state: Any, action: int, where: str) -> IllegalActionError:
    """Return the error that names an agent's illegal action, the phase, and what is legal."""
    legal = [ACTION_NAMES[each] for each in np.flatnonzero(legal_mask(state.legal))]
    named = f" ({ACTION_NAMES[action]})" if 0 <= action < NUM_ACTIONS else ""
    return IllegalActionError(
        f"agent {agent.name!r} returned {action}{named}, which is not legal in "
        f"{Phase(int(state.phase)).name}: {where}; legal: {' '.join(legal)}"
    )
