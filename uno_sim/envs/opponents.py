"""Opponents: one agent for all seats, one a seat, or mixtures drawn anew for each episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from uno_sim.policies import Agent
from uno_sim.registry import AgentLike, make_agent

Mixture = AgentLike | Mapping[Any, float]
"""One agent, or agents with weights, one of which is drawn for each episode."""
OpponentsLike = Mixture | Sequence[Mixture]
"""For all opponents, or one for each, in the order of the seats after the learner."""


def mixtures_of(opponents: OpponentsLike, count: int) -> list[list[tuple[Agent, float]]]:
    """Return for each of `count` opponents the agents it may be, with their chances.

    Raises `ValueError` where an agent is unknown, a weight is not positive, or the number of
    opponents is another.
    """
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        if len(opponents) != count:
            raise ValueError(
                f"opponents: {len(opponents)} in a list, must be {count}, one for each seat after "
                "the learner's; a mapping of agents to weights is a mixture"
            )
        return [_mixture(each) for each in opponents]
    return [_mixture(opponents)] * count


def _mixture(opponent: Mixture) -> list[tuple[Agent, float]]:
    if not isinstance(opponent, Mapping):
        return [(make_agent(opponent), 1.0)]
    if not opponent:
        raise ValueError("opponents: a mixture must hold an agent")
    for agent, weight in opponent.items():
        number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not number or not 0 < weight < np.inf:
            raise ValueError(f"opponents: weight {weight!r} of {agent!r} must be above 0")
    total = float(sum(opponent.values()))
    return [(make_agent(agent), weight / total) for agent, weight in opponent.items()]


class Lineups:
    """Which agents play against the learner of each game, as tables for compiled code.

    `chances` is float64 `[M, A]`: of each mixture, the running sum of the agents' chances.
    `mixtures` is int64 `[N, P - 1]`: the mixture that each opponent of game g is drawn from.
    """

    def __init__(self, num_games: int, num_opponents: int, opponents: OpponentsLike) -> None:
        self._lineups = [mixtures_of(opponents, num_opponents)] * num_games
        self.num_opponents = num_opponents
        self.agents: list[Agent] = []
        self._tabulate([])

    def change(self, opponents: OpponentsLike, games: Any, playing: Any) -> Any:
        """Give some games other opponents, from their next episodes on.

        `games` and `playing` are numbers, of games and of the agents that play now. Returns the
        new number of each agent, int64 array; -1 for one that is gone.
        """
        lineup = mixtures_of(opponents, self.num_opponents)
        for game in games:
            self._lineups[game] = lineup
        before = self.agents
        self._tabulate([before[number] for number in playing])
        places = {id(agent): place for place, agent in enumerate(self.agents)}
        return np.array([places.get(id(agent), -1) for agent in before], np.int64)

    def _tabulate(self, playing: Sequence[Agent]) -> None:
        mixtures = {id(mixture): mixture for lineup in self._lineups for mixture in lineup}
        agents = {id(agent): agent for agent in playing}
        for mixture in mixtures.values():
            agents.update((id(agent), agent) for agent, _ in mixture)
        places = {identity: place for place, identity in enumerate(agents)}
        chances = np.zeros((len(mixtures), len(agents)))
        for row, mixture in zip(chances, mixtures.values(), strict=True):
            for agent, chance in mixture:
                row[places[id(agent)]] += chance
        numbers = {identity: number for number, identity in enumerate(mixtures)}
        rows = [[numbers[id(mixture)] for mixture in lineup] for lineup in self._lineups]
        self.agents = list(agents.values())
        self.chances = np.cumsum(chances, axis=1)
        self.mixtures = np.array(rows, np.int64)
