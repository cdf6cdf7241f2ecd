"""Situations out of many rounds: play until a question is asked, try each answer, play on.

The games are the true ones, so what an answer is worth needs no guess at hidden cards: the same
deal, seen over many deals, is as likely as the players make it. Every answer is tried in copies
that hold the same cards and the same random streams. Shapes: `[N]` games, `[P]` seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.agent_table import AgentTable
from uno_sim.compilation import compiled
from uno_sim.explanation import IllegalActionError
from uno_sim.observation import copy_rules, observe
from uno_sim.policies import CompiledAgent
from uno_sim.policy_calls import call_policy
from uno_sim.rule_set import RuleSet
from uno_sim.rules.legal import is_legal
from uno_sim.rules.scoring import ROUND_OVER
from uno_sim.rules.transition import step
from uno_sim.simulation.driver import Batch, start_rounds
from uno_sim.simulation.results import Results
from uno_sim.speed_hints import borrowed
from uno_sim.statistics import Array

NO_PHASE = -1
"""The question that nobody is ever asked: rounds are played to their end."""
ANYONE = -1
"""In place of the agent that must answer: any."""


@compiled(announce="experiments: compiling the playing of situations, once: about 10 s")
def play_to(
    wanted: Any,
    asked: Any,
    rules: Any,
    seats: Any,
    agents: Any,
    functions: Any,
    params: Any,
    states: Any,
    memories: Any,
    streams: Any,
    observations: Any,
    own_rules: Any,
    fault: Any,
) -> Any:
    """Play every game on until the agent `asked` is asked in phase `wanted`, or its round ends.

    `asked` may be `ANYONE`. `seats[g, p]` is the agent at seat p of game g; all are compiled.
    Returns -1, or the number of the game in which an agent returned an illegal action, which is
    then in `fault[0]`.
    """
    seats, agents, functions = borrowed(seats), borrowed(agents), borrowed(functions)
    params, states, memories = borrowed(params), borrowed(states), borrowed(memories)
    streams, fault = borrowed(streams), borrowed(fault)
    observations, own_rules = borrowed(observations), borrowed(own_rules)
    observation, policy_rules = observations[0], own_rules[0]
    flat_memories = memories.reshape(memories.size)
    flat_streams = streams.reshape(streams.size)
    num_seats, memory_room = memories.shape[1:]
    for g in range(len(states)):
        state = states[g]
        while state.phase < ROUND_OVER:
            seat = state.current_player
            agent = seats[g, seat]
            if state.phase == wanted and (agent == asked or asked == ANYONE):
                break
            row = agents[agent]
            copy_rules(policy_rules, rules)
            observe(state, seat, observation)
            place = g * num_seats + seat
            action = call_policy(
                functions[agent],
                observation,
                policy_rules,
                params,
                row.params_start,
                row.params_size,
                flat_memories,
                place * memory_room,
                row.memory_size,
                flat_streams,
                place,
            )
            if not is_legal(state, action):
                fault[0] = action
                return g
            step(state, rules, action)
    return -1


@compiled
def answer_all(rules: Any, states: Any, actions: Any) -> None:
    """Apply one legal action in each game, `actions` is `[N]`."""
    for g in range(len(states)):
        step(states[g], rules, actions[g])


class Tables:
    """N rounds side by side between compiled agents."""

    def __init__(self, rules: RuleSet, agents: Sequence[CompiledAgent], seats: Array) -> None:
        """Make room for games; `seats[g, p]` is the place in `agents` of who sits at seat p."""
        self.rules = rules
        self.agents = list(agents)
        self.table = AgentTable(agents)
        self.seats = seats
        self.batch = Batch(len(seats), seats.shape[1], self.table.memory_room)

    @classmethod
    def deal(
        cls,
        rules: RuleSet,
        agents: Sequence[CompiledAgent],
        seed: int,
        deals: Array,
        paired: bool = True,
    ) -> Tables:
        """Return the first rounds of some deals, each once in every rotation of the seats.

        They are the rounds that `simulate` plays of the seed: deal by deal, in the order of
        the rotations. Not `paired`, each deal is there once, in the first rotation.
        """
        players = len(agents)
        turns = players if paired else 1
        rotations = np.tile(np.arange(turns), len(deals))
        seats = (np.arange(players) - rotations[:, None]) % players
        tables = cls(rules, agents, seats)
        tables.batch.clear()
        states, memories, streams, tallies = tables.batch.arguments[:4]
        start_rounds(
            rules.record,
            players,
            np.uint64(seed),
            np.repeat(deals, turns),
            rotations,
            states,
            memories,
            streams,
            tallies,
        )
        return tables

    @property
    def states(self) -> Any:
        """The records of the games, `[N]`."""
        return self.batch.states

    def take(self, games: Array) -> Tables:
        """Return copies of some games, by their numbers."""
        copies = Tables(self.rules, self.agents, self.seats[games])
        copies.batch.states[:] = self.states[games]
        copies.batch.streams[:] = self.batch.streams[games]
        copies.batch.memories[:] = self.batch.memories[games]
        return copies

    def play_to(self, phase: int, asked: int = 0) -> Array:
        """Play on until the agent at place `asked`, or `ANYONE`, must answer in a phase.

        Returns the numbers of the games that wait; the rounds of the others are over. Raises
        `IllegalActionError` where an agent returns an action that is not legal.
        """
        states, memories, streams, _, observations, own_rules, fault = self.batch.arguments
        shared = memories, streams, observations, own_rules, fault
        game = play_to(
            phase,
            asked,
            self.rules.record,
            self.seats,
            *self.table.arguments,
            states,
            *shared,
        )
        if game >= 0:
            seat = self.seats[game, self.states[game].current_player]
            raise IllegalActionError(
                f"agent {self.agents[seat].name}: action {fault[0]} is not legal"
            )
        return np.flatnonzero(self.states.phase < ROUND_OVER)

    def answer(self, actions: Array) -> None:
        """Apply one legal action in each game."""
        answer_all(self.rules.record, self.batch.arguments[0], actions)

    def finish(self) -> Array:
        """Play all rounds to their end; return what they are worth to each seat, `[N, P]`.

        See `worths`.
        """
        self.play_to(NO_PHASE)
        return worths(self.states.points[:, : self.seats.shape[1]], self.rules)


def worths(points: Array, rules: RuleSet) -> Array:
    """Return what points scored in a round are worth to each seat, `[N, P]`, more is better.

    It is the own score less the mean of the others', and the other way round where points count
    against who scores them.
    """
    players = points.shape[1]
    own = points.astype(float)
    others = (own.sum(axis=1, keepdims=True) - own) / (players - 1)
    return others - own if rules.scorer == "loser" else own - others


def worth_to_first(results: Results) -> Array:
    """Return what each round of a batch with rotated seats was worth to the first agent, `[N]`."""
    frame = results.rounds
    points = frame[[f"points_{seat}" for seat in range(results.num_players)]].to_numpy()
    # In rotation number r the first agent sits at seat r.
    worth: Array = worths(points, results.rules)[np.arange(len(frame)), frame["rotation"]]
    return worth
