"""The one driver: `advance` plays games on, each until it needs someone outside.

Shapes: `[N]` games, `[P]` seats, `[A]` agents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.agent_table import IS_BATCHED, OBSERVES_LEGAL, OBSERVES_OWN
from uno_sim.compilation import compiled
from uno_sim.observation import copy_rules, observe, observe_common, observe_legal_only
from uno_sim.policy_calls import call_policy
from uno_sim.random_stream import AGENTS, DEALS, next_word, split, split_key
from uno_sim.rule_set import RULES_DTYPE
from uno_sim.rules.dealing import begin_game
from uno_sim.rules.legal import is_legal
from uno_sim.rules.scoring import GAME_OVER, ROUND_OVER
from uno_sim.rules.transition import start_round
from uno_sim.simulation.tallies import TALLY_DTYPE, begin_tally, step_and_tally
from uno_sim.speed_hints import borrowed, for_call
from uno_sim.state import BLANK_BYTES, allocate

OUTSIDE = -1
"""The agent of a seat that is played from outside the driver."""

IS_OVER, ASKS_OUTSIDE, ASKS_BATCHED, FAULT = range(4)
"""How far a game was played on: its round is over; a seat from outside is asked; a batched agent
is asked; an agent returned an illegal action, which is in `fault[0]`, and nothing was done."""


class Batch:
    """N games side by side: states, and beside them memories, streams and tallies."""

    def __init__(self, count: int, num_players: int, memory_room: int) -> None:
        self.states = allocate(count)
        self.streams = np.zeros((count, num_players), np.uint64)
        self.tallies = np.zeros(count, TALLY_DTYPE).view(np.recarray)
        self.scratch = allocate(2), np.zeros(1, RULES_DTYPE).view(np.recarray)
        """What policies are handed: an observation, one with the legal set alone, and the rules."""
        self.fault = np.zeros(1, np.int64)
        self.memories = np.zeros((count, num_players, 0), np.float32)
        self.make_room(memory_room)

    def make_room(self, memory_room: int) -> None:
        """Let each seat have at least that much memory, what it remembers kept."""
        room = max(memory_room, self.memories.shape[2])
        memories = np.zeros((*self.memories.shape[:2], room), np.float32)
        memories[:, :, : self.memories.shape[2]] = self.memories
        self.memories = memories
        self.arguments: tuple[Any, ...] = (
            for_call(self.states),
            self.memories,
            self.streams,
            for_call(self.tallies),
            *map(for_call, self.scratch),
            self.fault,
        )
        """The arrays that a compiled call takes: states, memories, streams, tallies, scratch."""

    def clear(self) -> None:
        """Make all records blank: each game begins anew."""
        self.states.view(np.uint8).reshape(-1, len(BLANK_BYTES))[:] = BLANK_BYTES


@compiled
def begin_streams(
    g: Any, state: Any, key: Any, num_players: Any, streams: Any, memories: Any
) -> None:
    """Give the seats of a game their streams for the round, and empty memories.

    `key` is that of the game's agents.
    """
    of_round = split(key, state.round_number)
    for seat in range(num_players):
        streams[g, seat] = split(of_round, seat)
        memories[g, seat] = 0


@compiled
def start_rounds(
    rules: Any,
    num_players: Any,
    seed: Any,
    deals: Any,
    rotations: Any,
    states: Any,
    memories: Any,
    streams: Any,
    tallies: Any,
) -> None:
    """Start the next round of every game whose game is not over.

    A blank record starts the game of `deals[g]` of the seed. The streams of the seats follow from
    seed, deal, rotation, round and seat alone.
    """
    for g in range(len(states)):
        state = states[g]
        if state.phase == GAME_OVER:
            continue
        if state.round_number == 0:
            begin_game(state, split_key(seed, deals[g], DEALS), num_players)
        start_round(state, rules)
        begin_tally(tallies[g], state, rules)
        key = split(split_key(seed, deals[g], AGENTS), rotations[g])
        begin_streams(g, state, key, num_players, streams, memories)


@compiled(apart=True)
def play_on(
    g: Any,
    rules: Any,
    seats: Any,
    agents: Any,
    functions: Any,
    params: Any,
    states: Any,
    memories: Any,
    streams: Any,
    tallies: Any,
    observations: Any,
    own_rules: Any,
    fault: Any,
) -> Any:
    """Play game g on; return how far it got: `IS_OVER`, `ASKS_OUTSIDE` and so on."""
    state = states[g]
    whole, legal_alone = observations[0], observations[1]
    policy_rules = own_rules[0]
    flat_memories = memories.reshape(memories.size)
    flat_streams = streams.reshape(streams.size)
    num_seats, memory_room = memories.shape[1:]
    while state.phase < ROUND_OVER:
        seat = state.current_player
        agent = seats[g, seat]
        if agent == OUTSIDE:
            return ASKS_OUTSIDE
        row = agents[agent]
        if row.call == IS_BATCHED:
            return ASKS_BATCHED
        # Both anew for each decision: a policy may have written into them.
        copy_rules(policy_rules, rules)
        if row.call == OBSERVES_LEGAL:
            observation = legal_alone
            observe_legal_only(state, observation)
        elif row.call == OBSERVES_OWN:
            observation = whole
            observe_common(state, observation)
        else:
            observation = whole
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
            return FAULT
        step_and_tally(state, rules, action, tallies[g])
    return IS_OVER


@compiled(announce="uno_sim: compiling the rules, once: about 25 s")
def advance(
    rules: Any,
    seats: Any,
    agents: Any,
    functions: Any,
    params: Any,
    states: Any,
    memories: Any,
    streams: Any,
    tallies: Any,
    observations: Any,
    own_rules: Any,
    fault: Any,
) -> Any:
    """Play every game on until its round ends or somebody must be asked who is not compiled.

    `seats[g, p]` is the agent at seat p of game g, or `OUTSIDE`; `AgentTable.arguments` and
    `Batch.arguments` are the rest. Returns -1, or the number of the game in which an agent returned
    an illegal action; that action is then in `fault[0]`, and nothing was done in that game with it.
    """
    seats, agents, functions = borrowed(seats), borrowed(agents), borrowed(functions)
    params, states, memories = borrowed(params), borrowed(states), borrowed(memories)
    streams, tallies, fault = borrowed(streams), borrowed(tallies), borrowed(fault)
    observations, own_rules = borrowed(observations), borrowed(own_rules)
    for g in range(len(states)):
        reached = play_on(
            g,
            rules,
            seats,
            agents,
            functions,
            params,
            states,
            memories,
            streams,
            tallies,
            observations,
            own_rules,
            fault,
        )
        if reached == FAULT:
            return g
    return -1


@compiled
def observe_asked(states: Any, games: Any, streams: Any, observations: Any, seeds: Any) -> None:
    """Write what the asked seat of each of some games knows, and a seed for its decision.

    `games` are numbers of games, `[n]`; `observations` and `seeds` (uint64) are `[n]` too.
    """
    for i in range(len(games)):
        g = games[i]
        seat = states[g].current_player
        observe(states[g], seat, observations[i])
        seeds[i] = next_word(streams[g, seat : seat + 1])


@compiled
def take_actions(
    rules: Any, states: Any, tallies: Any, games: Any, actions: Any, fault: Any
) -> Any:
    """Apply one action (int64) in each of some games; return -1, or who chose an illegal one.

    That is a place in `games`; its action is in `fault[0]`, and no game from there on has moved.
    """
    for i in range(len(games)):
        state = states[games[i]]
        if not is_legal(state, actions[i]):
            fault[0] = actions[i]
            return i
        step_and_tally(state, rules, actions[i], tallies[games[i]])
    return -1
