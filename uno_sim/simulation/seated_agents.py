"""Agents at the seats of one game, asked for one decision at a time, compiled and batched alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.game import Game
from uno_sim.observation import Observation
from uno_sim.policies import Agent, BatchedAgent, CompiledAgent
from uno_sim.random_stream import next_word
from uno_sim.record import GameRecord
from uno_sim.registry import AgentLike, make_agent
from uno_sim.simulation.failures import AgentError, Decision, agent_error, begin_seats
from uno_sim.simulation.lockstep import (
    FAILURES,
    FailedAgentError,
    asked_actions,
    illegal_answer,
    introduce,
    problem_of,
)
from uno_sim.state import allocate


def ask(agent: Agent, observation: Observation, stream: Any, memory: Any) -> int:
    """Return what an agent does; its seat's stream, and a compiled one's memory, are changed."""
    if isinstance(agent, CompiledAgent):
        return agent.choose(observation, stream, memory)
    return ask_alone(agent, observation, stream)


def ask_alone(agent: BatchedAgent, observation: Observation, stream: Any) -> int:
    """Return what a batched agent does in a single game; `stream` is its seat's."""
    records, seeds = allocate(1), np.array([next_word(stream)], np.uint64)
    records[0] = observation.record
    return int(asked_actions(agent, observation.rules, records, seeds)[0])


class SeatedAgents:
    """Agents at one `Game`, whose other seats are played from outside, such as by a person.

    Their random numbers are split from the game's key, the round and the seat. So they do not
    depend on when somebody asks, and a game that was saved in the middle of a round goes on as it
    would have: what agents remember of the round is found by asking them again.

    >>> from uno_sim import UNO_DUO, Game
    >>> game = Game(UNO_DUO, seed=7)
    >>> seated = SeatedAgents(game, ["greedy", "random"])
    >>> while game.current_player is not None:
    ...     game.step(seated.choose())
    >>> game.phase.name
    'ROUND_OVER'
    """

    def __init__(self, game: Game, agents: Sequence[AgentLike | None]) -> None:
        """Seat an agent, or None for a player from outside, at each seat.

        Raises `ValueError` where there is not one for each seat, an agent is unknown or cannot play
        by the rules, and `AgentError` where one fails at a decision that is asked again.
        """
        if len(agents) != game.num_players:
            raise ValueError(
                f"agents: {len(agents)} for {game.num_players} seats; must be one for each, or None"
            )
        self.game = game
        self.agents = [None if agent is None else make_agent(agent) for agent in agents]
        introduce([agent for agent in self.agents if agent is not None], game.rules)
        self._begin_round()
        if game.record.rounds[-1].actions:
            self._remember(game.record)

    def choose(self) -> int:
        """Return the action of the agent who is asked; to be called once a decision.

        Raises `ValueError` where no agent is asked, and `AgentError`, with the record of the game,
        where the agent raises or chooses what is not legal; nothing is done in the game.
        """
        if self.game.round_number != self._round:
            self._begin_round()
        return self._ask(self.game)

    def is_asked(self) -> bool:
        """Return whether it is an agent's turn to answer."""
        seat = self.game.current_player
        return seat is not None and self.agents[seat] is not None

    def _begin_round(self) -> None:
        """Give each seat its stream and its empty memory for the round."""
        key = int(self.game.state.root)
        self._round = self.game.round_number
        self._streams, self._memories = begin_seats(self.agents, key, 0, 0, self._round)

    def _remember(self, record: GameRecord) -> None:
        """Ask the agents once more for what they have done in the last round of a record."""
        done = record.num_actions()
        begun = done - len(record.rounds[-1].actions)
        for number, before in enumerate(Game.replay(record)):
            seat = before.current_player
            if begun <= number < done and seat is not None and self.agents[seat] is not None:
                self._ask(before)

    def _ask(self, game: Game) -> int:
        seat = game.current_player
        agent = None if seat is None else self.agents[seat]
        if seat is None or agent is None:
            raise ValueError(f"no agent is asked: current_player is {seat}")
        try:
            action = ask(agent, game.observation(seat), self._streams[seat], self._memories[seat])
        except FAILURES as error:
            failure = FailedAgentError(0, problem_of(error))
            raise self._error(agent, game, failure, error) from error
        if action not in game.legal_actions():
            failure = FailedAgentError(0, illegal_answer(action, game.phase), is_illegal=True)
            raise self._error(agent, game, failure)
        return action

    def _error(
        self,
        agent: Agent,
        game: Game,
        failure: FailedAgentError,
        cause: BaseException | None = None,
    ) -> AgentError:
        """Return the error that tells of a failure, and of the game up to there."""
        failure.__cause__ = cause
        decision = len(game.record.rounds[-1].actions) + 1
        where = Decision.asked(agent.name, game.state, None, decision=decision)
        return agent_error(failure, where, game.record)
