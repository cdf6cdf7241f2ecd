"""Episodes: N games in which one seat each, the learner's, is played from outside.

Single and vector environments are thin loops over `play_episodes`, the one compiled call: it
applies the learners' actions, plays the opponents, ends episodes and begins others, and writes
what the learners see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.actions import NUM_ACTIONS
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.compilation import compiled
from uno_sim.envs.settings import ANY_SEAT, RAISE, TERMINATE
from uno_sim.features import write_features
from uno_sim.observation import copy_record, observe
from uno_sim.policies import nth_legal, num_legal, random_legal_action
from uno_sim.random_stream import (
    AGENTS,
    DEALS,
    EPISODES,
    random_below,
    random_unit,
    split,
    split_key,
)
from uno_sim.rule_set import MAX_ROUNDS
from uno_sim.rules.dealing import begin_game
from uno_sim.rules.legal import is_legal
from uno_sim.rules.scoring import GAME_OVER, lead_in_points
from uno_sim.rules.transition import start_round, step
from uno_sim.simulation.driver import (
    ASKS_BATCHED,
    ASKS_OUTSIDE,
    FAULT,
    IS_OVER,
    OUTSIDE,
    begin_streams,
    play_on,
)
from uno_sim.speed_hints import borrowed, fetch_ahead
from uno_sim.state import COMMON_BYTES, STATE_DTYPE

LEAVE, LOOK, ACT, BEGIN, GO_ON = range(5)
"""Orders for a game: do nothing; write what the learner sees; apply its action; begin the next
episode; play on after a batched agent has acted."""

ALL_DONE = -1
ILLEGAL = -2
"""What `play_episodes` returns where a learner's action is not legal, and nothing was done."""
UNASKED = -3
"""What it returns where rounds end one after another without a question to the learner."""

MAX_UNASKED = 1_000
"""How many rounds in a row may end without a question to the learner."""

EPISODE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seed", np.uint64),
                ("number", np.int64),
                ("learner", np.int64),
                ("reached", np.int64),
                ("choices", np.int64),
                ("unasked", np.int64),
                ("earned", np.float64),
                ("order", np.int64),
                ("choice", np.int64),
                ("reward", np.float64),
                ("terminated", np.bool_),
                ("truncated", np.bool_),
                ("ended", np.bool_),
            ],
            align=True,
        ),
    )
)
"""An episode beside its state: the seed of its game's episodes, its number from 0, the learner's
seat, how far it was played, the learner's choices so far, the rounds ended since it was last asked,
the reward not yet handed out. Then what is asked for, an order and the learner's action, and what
came of it: the reward, how the episode ended, and whether another has begun since in the same
step."""


RECORD_BYTES = STATE_DTYPE.itemsize


@compiled(apart=True)
def begin_episode(
    g: Any,
    settings: Any,
    rules: Any,
    seats: Any,
    members: Any,
    chances: Any,
    mixtures: Any,
    blank: Any,
    states: Any,
    episodes: Any,
    memories: Any,
    streams: Any,
) -> None:
    """Begin the next episode of game g: deal n of its seed, with a seat and opponents drawn.

    It is the game that `simulate` plays with the same seed as deal n, the learner the first agent
    and its seat the rotation.
    """
    state = states[g]
    episode = episodes[g]
    num_players = settings.num_players
    episode.number += 1
    episode.choices = 0
    episode.earned = 0.0
    lot = np.full(1, split_key(episode.seed, episode.number, EPISODES), np.uint64)
    episode.learner = settings.seat
    if settings.seat == ANY_SEAT:
        episode.learner = random_below(lot, num_players)
    seats[g, episode.learner] = OUTSIDE
    for opponent in range(num_players - 1):
        mixture = mixtures[g, opponent]
        last = chances.shape[1] - 1
        aim = random_unit(lot) * chances[mixture, last]
        place = 0
        while place < last and chances[mixture, place] <= aim:
            place += 1
        seats[g, (episode.learner + 1 + opponent) % num_players] = members[mixture, place]
    copy_record(state, blank[0])
    begin_game(state, split_key(episode.seed, episode.number, DEALS), num_players)
    begin_round_of_episode(g, settings, rules, states, episodes, memories, streams)


@compiled
def begin_round_of_episode(
    g: Any, settings: Any, rules: Any, states: Any, episodes: Any, memories: Any, streams: Any
) -> None:
    """Begin the next round of game g's episode."""
    episode = episodes[g]
    start_round(states[g], rules)
    key = split(split_key(episode.seed, episode.number, AGENTS), episode.learner)
    begin_streams(g, states[g], key, settings.num_players, streams, memories)


@compiled(apart=True)
def settle(
    g: Any,
    settings: Any,
    rules: Any,
    seats: Any,
    episodes: Any,
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
    """Play game g on until the learner must choose, a batched agent must, or its episode is over.

    The rewards of finished rounds are added to what was earned.
    """
    state = states[g]
    episode = episodes[g]
    while True:
        reached = play_on(
            g, rules, seats, agents, functions, params, states,
            memories, streams, tallies, observations, own_rules, fault,
        )  # fmt: skip
        if reached == IS_OVER:
            episode.unasked += 1
            if settings.points:
                episode.earned += lead_in_points(state, rules, episode.learner)
            last = state.phase == GAME_OVER or state.round_number >= MAX_ROUNDS
            if last or not settings.whole_games or episode.unasked > MAX_UNASKED:
                return reached
            begin_round_of_episode(g, settings, rules, states, episodes, memories, streams)
        elif reached == ASKS_OUTSIDE and settings.skip_forced and num_legal(state) == 1:
            step(state, rules, nth_legal(state, 0))
        else:
            return reached


@compiled
def win_reward(state: Any, learner: Any, settings: Any) -> Any:
    """Return 1 where the learner has won, -1 where another has, 0 where nobody has."""
    winner = state.winner if settings.whole_games else state.round_winner
    if winner < 0:
        return 0.0
    return 1.0 if winner == learner else -1.0


@compiled
def is_truncated(state: Any, settings: Any) -> Any:
    """Return whether an episode that is over was cut short: by the cap (C12), or as a game."""
    if settings.whole_games:
        return state.phase != GAME_OVER
    return state.capped


@compiled
def write_mask(state: Any, mask: Any) -> None:
    """Write the legal set as int8, 1 is legal."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    for word in range(len(state.legal)):
        bits = state.legal[word]
        while bits != EMPTY:
            mask[word * 64 + lowest(bits)] = 1
            bits = without_lowest(bits)


@compiled
def write_view(state: Any, learner: Any, rules: Any, room: Any, features: Any, mask: Any) -> None:
    """Write the learner's features and mask; `room` is an observation's record to write in."""
    observe(state, learner, room)
    write_features(room, learner, rules, features)
    write_mask(state, mask)


@compiled
def first_illegal(episodes: Any, states: Any) -> Any:
    """Return the first game whose learner's action is not legal, or -1."""
    for g in range(len(states)):
        if episodes[g].order == ACT and not is_legal(states[g], episodes[g].choice):
            return g
    return -1


@compiled
def end_episode(state: Any, episode: Any, settings: Any, stopped: Any) -> None:
    """Write the last reward of an episode, and how it ended; `stopped` by an illegal action."""
    episode.truncated = not stopped and is_truncated(state, settings)
    episode.terminated = not episode.truncated
    if stopped:
        episode.reward = episode.earned + settings.illegal_reward
    elif settings.points:
        episode.reward = episode.earned
    else:
        episode.reward = win_reward(state, episode.learner, settings)


@compiled
def apply_choice(
    g: Any, settings: Any, rules: Any, states: Any, episodes: Any, streams: Any
) -> Any:
    """Apply the learner's action in game g; return whether it ends the episode, being illegal."""
    state = states[g]
    episode = episodes[g]
    episode.choices += 1
    if is_legal(state, episode.choice):
        step(state, rules, episode.choice)
    elif settings.illegal_action == TERMINATE:
        return True
    else:
        step(state, rules, random_legal_action(state, streams[g, episode.learner :]))
    return False


@compiled(announce="uno_sim: compiling the environments, once: about 5 s")
def play_episodes(
    same_step: Any,
    settings_row: Any,
    rules_row: Any,
    blank: Any,
    seats: Any,
    members: Any,
    chances: Any,
    mixtures: Any,
    episodes: Any,
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
    features: Any,
    masks: Any,
    last_features: Any,
) -> Any:
    """Carry out each game's order, and write what the learners see.

    Orders and actions are in `episodes`, and so is what comes of them. For all games but those that
    are left alone or wait for a batched agent, `features` float32 `[N, F]` and `masks` int8
    `[N, A]` are written. With `same_step` an episode that is over is followed by the next at once;
    its last features are then in `last_features[g]`.

    Returns `ALL_DONE`, `ILLEGAL` (the game is in `fault[0]`, and nothing was done), `UNASKED`, or
    the number of a game in which an agent chose the illegal action `fault[0]`.
    """
    seats, members = borrowed(seats), borrowed(members)
    chances, mixtures = borrowed(chances), borrowed(mixtures)
    blank, episodes, agents = borrowed(blank), borrowed(episodes), borrowed(agents)
    functions, params, states = borrowed(functions), borrowed(params), borrowed(states)
    memories, streams, tallies = borrowed(memories), borrowed(streams), borrowed(tallies)
    observations, own_rules, fault = borrowed(observations), borrowed(own_rules), borrowed(fault)
    features, masks, last_features = borrowed(features), borrowed(masks), borrowed(last_features)
    settings = settings_row[0]
    rules = rules_row[0]
    carried = COMMON_BYTES if settings.num_players == 2 else RECORD_BYTES
    if settings.illegal_action == RAISE:
        refused = first_illegal(episodes, states)
        if refused >= 0:
            fault[0] = refused
            return ILLEGAL
    for g in range(len(states)):
        state = states[g]
        episode = episodes[g]
        order = episode.order
        if order == LEAVE:
            continue
        if g + 1 < len(states):
            fetch_ahead(states[g + 1], carried)
        begins = order == BEGIN
        stopped = False
        if order in (ACT, BEGIN):
            episode.reward = 0.0
            episode.terminated = False
            episode.truncated = False
            episode.ended = False
        if order == ACT:
            stopped = apply_choice(g, settings, rules, states, episodes, streams)
        while order != LOOK:
            if begins:
                begin_episode(
                    g, settings, rules, seats, members, chances, mixtures,
                    blank, states, episodes, memories, streams,
                )  # fmt: skip
            if stopped:
                episode.reached = IS_OVER
            else:
                episode.reached = settle(
                    g, settings, rules, seats, episodes, agents, functions, params, states,
                    memories, streams, tallies, observations, own_rules, fault,
                )  # fmt: skip
            if episode.reached == FAULT:
                return g
            if episode.unasked > MAX_UNASKED:
                return UNASKED
            if episode.reached != IS_OVER:
                break
            if episode.choices > 0:
                end_episode(state, episode, settings, stopped)
                stopped = False
                if not same_step:
                    break
                episode.ended = True
                write_view(
                    state, episode.learner, rules, observations[0], last_features[g], masks[g]
                )
            begins = True
        if episode.reached == ASKS_BATCHED:
            continue
        episode.unasked = 0
        if episode.reached == ASKS_OUTSIDE and episode.choices > 0:
            episode.reward = episode.earned
            episode.earned = 0.0
        write_view(state, episode.learner, rules, observations[0], features[g], masks[g])
        if episode.reached == IS_OVER:
            masks[g] = 1  # nobody is asked any more
    return ALL_DONE
