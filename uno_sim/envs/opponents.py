"""Opponents: one agent for all seats, one a seat, or mixtures drawn anew for each episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from uno_sim.policies import Agent
from uno_sim.registry import AgentLike, make_agent

MixtureLike = AgentLike | Mapping[Any, float]
"""One agent, or agents with weights, one of which is drawn for each episode."""
OpponentsLike = MixtureLike | Sequence[MixtureLike]
"""For all opponents, or one for each, in the order of the seats after the learner."""

Mixture = tuple[tuple[Agent, float], ...]
"""Agents and their chances."""
Lineup = tuple[Mixture, ...]
"""The mixture that each opponent is drawn from."""


def read_lineup(opponents: OpponentsLike, count: int) -> Lineup:
    """Return for each of `count` opponents the agents it may be, with their chances.

    The same text is the same agent, made anew in each call: its file may have changed.

    Raises `ValueError` where an agent is unknown, a weight is not positive, or the number of
    opponents is another.
    """
    made: dict[str, Agent] = {}
    if isinstance(opponents, Sequence) and not isinstance(opponents, str | bytes):
        if len(opponents) != count:
            raise ValueError(
                f"opponents: {len(opponents)} in a list, must be {count}, one for each seat after "
                "the learner's; a mapping of agents to weights is a mixture"
            )
        return tuple(_read_mixture(each, made) for each in opponents)
    return (_read_mixture(opponents, made),) * count


def _read_mixture(opponent: MixtureLike, made: dict[str, Agent]) -> Mixture:
    if not isinstance(opponent, Mapping):
        return ((_made_once(opponent, made), 1.0),)
    if not opponent:
        raise ValueError("opponents: a mixture must hold an agent")
    weights = [_weight(agent, weight) for agent, weight in opponent.items()]
    shares = np.array(weights) / max(weights)
    chances = shares / shares.sum()
    agents = [_made_once(agent, made) for agent in opponent]
    return tuple(zip(agents, map(float, chances), strict=True))


def _weight(agent: Any, weight: Any) -> float:
    if isinstance(weight, int | float | np.number) and not isinstance(weight, bool):
        try:
            if 0 < float(weight) < np.inf:
                return float(weight)
        except OverflowError:
            pass
    raise ValueError(f"opponents: weight {weight!r} of {agent!r} must be a number above 0")


def _made_once(agent: AgentLike, made: dict[str, Agent]) -> Agent:
    """Return the agent, the same one for the same text."""
    if not isinstance(agent, str):
        return make_agent(agent)
    if agent not in made:
        made[agent] = make_agent(agent)
    return made[agent]


class Lineups:
    """Which agents play against the learner of each game, as tables for compiled code.

    `mixtures` is int64 `[N, P - 1]`: the mixture that each opponent of game g is drawn from.
    `members` is int64 `[M, L]`: the agents of each mixture, in its own order, and `chances` float64
    `[M, L]` the running sum of their chances; unused places have chance 0 and are never reached.
    """

    def __init__(self, lineups: Sequence[Lineup], playing: Iterable[Agent] = ()) -> None:
        """Make the tables; agents that are still `playing` get a number too."""
        self.lineups = list(lineups)
        mixtures: dict[Any, Mixture] = {}
        keys: dict[Lineup, list[Any]] = {}
        for lineup in dict.fromkeys(lineups):
            keys[lineup] = [tuple((id(agent), share) for agent, share in each) for each in lineup]
            mixtures.update(zip(keys[lineup], lineup, strict=True))
        agents = {id(agent): agent for agent in playing}
        agents.update((id(a), a) for mixture in mixtures.values() for a, _ in mixture)
        self.agents = list(agents.values())
        places = {identity: place for place, identity in enumerate(agents)}
        numbers = {key: number for number, key in enumerate(mixtures)}
        longest = max(map(len, mixtures.values()))
        self.members = np.zeros((len(mixtures), longest), np.int64)
        chances = np.zeros((len(mixtures), longest))
        for number, mixture in enumerate(mixtures.values()):
            for place, (agent, chance) in enumerate(mixture):
                self.members[number, place] = places[id(agent)]
                chances[number, place] = chance
        self.chances = np.cumsum(chances, axis=1)
        rows = {lineup: [numbers[key] for key in its_keys] for lineup, its_keys in keys.items()}
        self.mixtures = np.array([rows[lineup] for lineup in lineups], np.int64)

    def numbers_of(self, agents: Sequence[Agent]) -> Any:
        """Return the number of each of some agents, int64 array; -1 for one that is gone."""
        places = {id(agent): place for place, agent in enumerate(self.agents)}
        return np.array([places.get(id(agent), -1) for agent in agents], np.int64)
