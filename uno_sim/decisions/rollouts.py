"""Rollouts: worlds that an observer holds possible, and every action tried in each of them.

World number w of a key is dealt from a stream split off it, and the seats that play it on have
streams split off it too. Each action is tried in a fresh copy of the world with the streams set
back, so all actions meet the same hidden cards, the same deals to come and the same random numbers
(common random numbers): what differs is what the actions do.

Shapes: `[W]` worlds, `[A]` actions, `[P]` seats.
"""

from __future__ import annotations

from typing import Any

from uno_sim.agent_table import OBSERVES_ALL
from uno_sim.compilation import compiled
from uno_sim.determinization import fill_world
from uno_sim.observation import copy_record, copy_rules, observe
from uno_sim.policy_calls import call_policy
from uno_sim.random_stream import split
from uno_sim.rule_set import MAX_ROUNDS
from uno_sim.rules.legal import is_legal
from uno_sim.rules.scoring import GAME_OVER, ROUND_OVER
from uno_sim.rules.transition import start_round, step
from uno_sim.speed_hints import borrowed

IS_OVER, ILLEGAL, ENDLESS = range(3)
"""How a rollout ended: as it should; an agent's action was illegal; no end was in sight."""

_DEAL = 0
_SEATS = 1


@compiled(announce="uno_sim: compiling the determinization, once: about 10 s")
def fill_worlds(
    observation: Any,
    player: Any,
    rules: Any,
    plan: Any,
    key: Any,
    first: Any,
    worlds: Any,
    streams: Any,
) -> None:
    """Write the worlds from number `first` of a key (uint64) on into `worlds`, records `[W]`.

    `plan` is the observation's, from `plan_worlds`; `streams` (uint64 `[1]`) is room for work.
    """
    for index in range(len(worlds)):
        number = first + index
        fill_numbered_world(observation, player, rules, plan, key, number, worlds[index], streams)


@compiled
def fill_numbered_world(
    observation: Any,
    player: Any,
    rules: Any,
    plan: Any,
    key: Any,
    number: Any,
    world: Any,
    streams: Any,
) -> None:
    """Write world `number` of a key into a record; see `fill_worlds`."""
    streams[0] = split(split(key, number), _DEAL)
    fill_world(observation, player, rules, plan, world, streams)


@compiled
def begin_streams_of_world(key: Any, number: Any, round_number: Any, streams: Any) -> None:
    """Set the streams of the seats (uint64 `[P]`) for a round that is played in a world."""
    of_round = split(split(split(key, number), _SEATS), round_number)
    for seat in range(len(streams)):
        streams[seat] = split(of_round, seat)


@compiled
def play_round(
    world: Any,
    rules: Any,
    agents: Any,
    functions: Any,
    params: Any,
    memories: Any,
    streams: Any,
    observation: Any,
    own_rules: Any,
    fault: Any,
) -> Any:
    """Play a world to the end of its round; return `IS_OVER` or `ILLEGAL`.

    Row p of `agents` is the agent in seat p; `functions` are their addresses, `memories` is
    `[P, M]`, `streams` uint64 `[P]`. The records `observation` and `own_rules` are room for work.
    Policies that observe no more than their own are handed the world as it is: it is imagined, so
    it tells them nothing that is true. An illegal action is left in `fault[0]`.
    """
    room = memories.shape[1]
    flat_memories = memories.reshape(memories.size)
    copy_rules(own_rules, rules)
    while world.phase < ROUND_OVER:
        seat = world.current_player
        row = agents[seat]
        seen = world
        if row.call == OBSERVES_ALL:
            # Both anew for each decision: a policy may have written into them.
            observe(world, seat, observation)
            copy_rules(own_rules, rules)
            seen = observation
        action = call_policy(
            functions[seat],
            seen,
            own_rules,
            params,
            row.params_start,
            row.params_size,
            flat_memories,
            seat * room,
            row.memory_size,
            streams,
            seat,
        )
        if not is_legal(world, action):
            fault[0] = action
            return ILLEGAL
        step(world, rules, action)
    return IS_OVER


@compiled(announce="uno_sim: compiling rollouts, once: about 5 s")
def try_actions(
    rules: Any,
    key: Any,
    first: Any,
    worlds: Any,
    actions: Any,
    to_the_end: Any,
    start_memories: Any,
    agents: Any,
    functions: Any,
    params: Any,
    memories: Any,
    streams: Any,
    scratch: Any,
    own_rules: Any,
    points: Any,
    winners: Any,
    game_winners: Any,
    fault: Any,
) -> Any:
    """Try every action in every world, and play on to the end of the round, or of the game.

    `worlds` are the records `[W]` from number `first` of the key on. Writes the points of the round
    into `points` `[W, A, P]`, the seats that won it into `winners` `[W, A]` (-1 for none), and, if
    `to_the_end`, those that won the game into `game_winners`. `start_memories` `[P, M]` are what
    the seats remember; `memories`, `streams`, `scratch` (two records) and `own_rules` are room for
    work. Returns `IS_OVER`, or what went wrong; the place among the actions is then in `fault[1]`.
    """
    agents, functions, params = borrowed(agents), borrowed(functions), borrowed(params)
    memories, streams, worlds = borrowed(memories), borrowed(streams), borrowed(worlds)
    world, observation, policy_rules = scratch[0], scratch[1], own_rules[0]
    num_players = len(streams)
    for number in range(len(worlds)):
        for place in range(len(actions)):
            copy_record(world, worlds[number])
            begin_streams_of_world(key, first + number, world.round_number, streams)
            memories[:] = start_memories
            fault[1] = place
            step(world, rules, actions[place])
            rounds = 0
            while True:
                reached = play_round(
                    world,
                    rules,
                    agents,
                    functions,
                    params,
                    memories,
                    streams,
                    observation,
                    policy_rules,
                    fault,
                )
                if reached != IS_OVER:
                    return reached
                if rounds == 0:
                    for seat in range(num_players):
                        points[number, place, seat] = world.points[seat]
                    winners[number, place] = world.round_winner
                if not to_the_end or world.phase == GAME_OVER:
                    break
                rounds += 1
                if rounds > MAX_ROUNDS:
                    return ENDLESS
                start_round(world, rules)
                begin_streams_of_world(key, first + number, world.round_number, streams)
                memories[:] = 0
            if to_the_end:
                game_winners[number, place] = world.winner
    return IS_OVER
