"""The one driver: `advance` plays games on, each until it needs someone outside.

Shapes: `[N]` games, `[P]` seats, `[A]` agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.compilation import compiled
from uno_sim.observation import copy_rules, observe, observe_legal_only
from uno_sim.policies import CompiledAgent
from uno_sim.policy_calls import call_policy, function_table
from uno_sim.random_stream import AGENTS, DEALS, split, split_key
from uno_sim.rule_set import RULES_DTYPE
from uno_sim.rules.dealing import begin_game
from uno_sim.rules.legal import is_legal
from uno_sim.rules.scoring import GAME_OVER, ROUND_OVER
from uno_sim.rules.transition import start_round, step
from uno_sim.state import BLANK_BYTES, allocate

OUTSIDE = -1
"""The agent of a seat that is played from outside the driver."""

TALLY_DTYPE = np.dtype([("decisions", np.int64)])
"""Counters of a round, kept beside its state."""


class AgentTable:
    """Agents as the arrays that the driver reads; made once for many calls."""

    def __init__(self, agents: Sequence[CompiledAgent]) -> None:
        self.agents = list(agents)
        self.functions = function_table([agent.policy for agent in agents])
        self.legal_only = np.array([a.policy.observes == "legal" for a in agents], np.bool_)
        self.params = np.concatenate([np.zeros(0, np.float32), *(a.params for a in agents)])
        self.params.flags.writeable = False
        sizes = [len(agent.params) for agent in agents]
        self.param_ends = np.cumsum([0, *sizes]).astype(np.int64)
        self.memory_sizes = np.array([agent.policy.memory_size for agent in agents], np.int64)


class Batch:
    """N games side by side: states, and beside them memories, streams and tallies."""

    def __init__(self, count: int, num_players: int, table: AgentTable) -> None:
        memory = int(table.memory_sizes.max(initial=0))
        self.states = allocate(count)
        self.memories = np.zeros((count, num_players, memory), np.float32)
        self.streams = np.zeros((count, num_players), np.uint64)
        self.tallies = np.zeros(count, TALLY_DTYPE).view(np.recarray)
        self.scratch = allocate(2), np.zeros(1, RULES_DTYPE).view(np.recarray)
        """What policies are handed: an observation, one with the legal set alone, and the rules."""
        self.fault = np.zeros(1, np.int64)

    def clear(self) -> None:
        """Make all records blank: each game begins anew."""
        self.states.view(np.uint8).reshape(len(self.states), -1)[:] = BLANK_BYTES


@compiled
def start_rounds(
    states: Any,
    rules: Any,
    num_players: Any,
    seed: Any,
    deals: Any,
    rotations: Any,
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
        tallies[g].decisions = 0
        key = split(split(split_key(seed, deals[g], AGENTS), rotations[g]), state.round_number)
        for seat in range(num_players):
            streams[g, seat] = split(key, seat)
            memories[g, seat] = 0


@compiled(announce="uno_sim: compiling the rules, once: about 20 s")
def advance(
    states: Any,
    rules: Any,
    seats: Any,
    functions: Any,
    legal_only: Any,
    params: Any,
    param_ends: Any,
    memory_sizes: Any,
    memories: Any,
    streams: Any,
    tallies: Any,
    scratch: Any,
    fault: Any,
) -> Any:
    """Play every game on until its round ends or a seat must be played from outside.

    `seats[g, p]` is the agent at seat p of game g, or `OUTSIDE`. Returns -1, or the number of the
    game in which an agent returned an illegal action; that action is then in `fault[0]`, and
    nothing was done in that game with it.
    """
    observations, own_rules = scratch
    whole, legal_alone = observations[0], observations[1]
    policy_rules = own_rules[0]
    flat_memories = memories.reshape(memories.size)
    flat_streams = streams.reshape(streams.size)
    num_seats, memory_room = memories.shape[1:]
    for g in range(len(states)):
        state = states[g]
        while state.phase < ROUND_OVER:
            seat = state.current_player
            agent = seats[g, seat]
            if agent == OUTSIDE:
                break
            # Both anew for each decision: a policy may have written into them.
            copy_rules(policy_rules, rules)
            if legal_only[agent]:
                observation = legal_alone
                observe_legal_only(state, observation)
            else:
                observation = whole
                observe(state, seat, observation)
            place = g * num_seats + seat
            action = call_policy(
                functions[agent],
                observation,
                policy_rules,
                params,
                param_ends[agent],
                param_ends[agent + 1] - param_ends[agent],
                flat_memories,
                place * memory_room,
                memory_sizes[agent],
                flat_streams,
                place,
            )
            if not is_legal(state, action):
                fault[0] = action
                return g
            tallies[g].decisions += 1
            step(state, rules, action)
    return -1
