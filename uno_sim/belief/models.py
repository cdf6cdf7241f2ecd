"""A model of the others: which policies each seat may play, and how likely each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from uno_sim.agent_table import AgentTable
from uno_sim.explanation import IllegalActionError
from uno_sim.policies import Agent, CompiledAgent, Policy
from uno_sim.registry import AgentLike, make_agent
from uno_sim.rule_set import MAX_PLAYERS

SeatModel = AgentLike | Mapping[Any, float]
"""What one player may play: an agent, or agents with their shares, such as
`{"greedy": 0.7, "random": 0.3}`."""


class Model:
    """The policies of all seats in the form that `log_likelihood` takes.

    `shares` `[P, M]` are the chances of each of the M policies before anything was seen, by seat.
    """

    def __init__(self, seats: Sequence[Mapping[CompiledAgent, float]], slip: float) -> None:
        self.agents = list(dict.fromkeys(agent for seat in seats for agent in seat))
        self.names = [agent.name for agent in self.agents]
        self.shares = np.zeros((MAX_PLAYERS, len(self.agents)))
        for number, seat in enumerate(seats):
            for agent, share in seat.items():
                self.shares[number, self.agents.index(agent)] = share / sum(seat.values())
        self._table = AgentTable(self.agents)
        memory = np.zeros(max(1, self._table.memory_room), np.float32)
        self._fault = np.zeros(2, np.int64)
        self.arguments = self.shares, float(slip), *self._table.arguments, memory, self._fault
        """What compiled calls take as the model."""

    def check(self) -> None:
        """Raise `IllegalActionError` where a policy was seen to take an action not legal."""
        number, action = self._fault
        if number:
            raise IllegalActionError(
                f"model {self.names[number - 1]}: about a choice of another player it returned "
                f"action {action}, which is not legal"
            )


def make_model(
    model: SeatModel | Sequence[SeatModel | None], num_players: int, player: int, slip: float
) -> Model:
    """Return the model of the other players; see `believe` for what it may be.

    Raises `ValueError` where it is no model, naming what is wrong.
    """
    if not isinstance(slip, int | float) or not 0.0 < slip < 1.0:
        raise ValueError(f"slip={slip!r}: must be a number between 0 and 1")
    made: dict[Any, CompiledAgent] = {}
    if isinstance(model, Sequence) and not isinstance(model, str):
        if len(model) != num_players:
            raise ValueError(f"model: {len(model)} entries for {num_players} seats")
        seats = [
            {} if seat == player or entry is None else _mixture(entry, made)
            for seat, entry in enumerate(model)
        ]
    else:
        one = _mixture(model, made)
        seats = [{} if seat == player else one for seat in range(num_players)]
    return Model(seats, slip)


def _mixture(entry: SeatModel, made: dict[Any, CompiledAgent]) -> dict[CompiledAgent, float]:
    shares = entry if isinstance(entry, Mapping) else {entry: 1.0}
    if not shares:
        raise ValueError("model: a mixture must name at least one agent")
    mixture = {}
    for agent, share in shares.items():
        if not isinstance(share, int | float) or not share > 0.0:
            raise ValueError(f"model: the share of {_name(agent)} is {share!r}, must be above 0")
        if agent not in made:
            found = make_agent(agent)
            if not isinstance(found, CompiledAgent):
                raise ValueError(
                    f"model: agent {found.name!r} is asked in batches, must be a compiled policy"
                )
            made[agent] = found
        mixture[made[agent]] = float(share)
    return mixture


def _name(agent: Agent | Policy | str) -> str:
    return repr(agent) if isinstance(agent, str) else repr(getattr(agent, "name", agent))
