"""Rewards and ends in words: who wins, what was scored, blocked, capped and endless play."""

from dataclasses import replace

import numpy as np
import pytest

from tests.envs.playing import (
    DUO,
    EVERY_ID,
    POCKET,
    any_action,
    game_of,
    make,
    make_many,
    play,
    play_many,
)
from uno_sim import UNO_DUO, UNO_POCKET, Phase

UNMATCHED = replace(UNO_POCKET, deck={"R1": 1, "Y2": 1, "G3": 1, "B4": 1}, hand_size=1)
"""Nobody can ever lay a card, so that every round is blocked (C12)."""


def finish(env, choices=0):
    """Play an episode to its end; return the rewards and the last step."""
    source = np.random.default_rng(choices)
    rewards = []
    while True:
        step = env.step(int(any_action(source, env.action_masks())))
        rewards.append(step[1])
        if step[2] or step[3]:
            return rewards, step


@EVERY_ID
@pytest.mark.parametrize("episode", ["round", "game"])
def test_a_win_is_1_a_loss_is_minus_1_and_all_before_is_0(name, episode):
    env = make(name, episode=episode, opponents={"greedy": 1, "random": 1})
    env.reset(seed=2)
    found = set()
    for _ in range(12):
        rewards, (_, last, terminated, truncated, info) = finish(env)
        game = game_of(env)
        winner = game.winner if episode == "game" else game.round_winner
        assert (terminated, truncated) == (True, False) and winner is not None
        assert last == (1 if winner == info["seat"] else -1)
        assert rewards[:-1] == [0] * (len(rewards) - 1)
        found.add(last)
        env.reset()
    assert found == {1, -1}


@EVERY_ID
def test_points_of_a_round_are_the_lead_in_what_it_scored(name):
    env = make(name, reward="points", opponents="greedy")
    env.reset(seed=3)
    found = []
    for _ in range(20):
        rewards, (*_, info) = finish(env)
        points = game_of(env).points
        lead = points[info["seat"]] - points[1 - info["seat"]]
        assert rewards[-1] == (-lead if name == DUO else lead) and not any(rewards[:-1])
        assert (rewards[-1] > 0) == (game_of(env).round_winner == info["seat"])
        found.append(rewards[-1] > 0)
        env.reset()
    assert len(set(found)) == 2


@pytest.mark.parametrize(("name", "num_players"), [(DUO, 2), (POCKET, 2), (POCKET, 3), (POCKET, 5)])
def test_points_of_a_game_add_up_to_the_lead_in_the_final_scores(name, num_players):
    env = make(name, reward="points", episode="game", num_players=num_players, opponents="greedy")
    env.reset(seed=4)
    for _ in range(3):
        rewards, (*_, info) = finish(env)
        scores = game_of(env).scores
        lead = scores.pop(info["seat"]) - sum(scores) / len(scores)
        assert sum(rewards) == pytest.approx(-lead if name == DUO else lead, abs=1e-9)
        assert game_of(env).phase == Phase.GAME_OVER
        assert sum(reward != 0 for reward in rewards) > 1
        env.reset()


def test_the_reward_arrives_when_another_ends_the_round():
    env = make(POCKET, num_players=5, opponents="greedy")
    env.reset(seed=5)
    ended_by_others = 0
    for _ in range(20):
        _, (_, last, terminated, *_) = finish(env)
        ended_by_others += terminated and last == -1
        assert env.action_masks().all()
        env.reset()
    assert ended_by_others > 10


def test_a_blocked_round_is_terminated_and_nobody_wins():
    env = make(POCKET, rules=UNMATCHED)
    env.reset(seed=1)
    for _ in range(10):
        rewards, (*_, terminated, truncated, _) = finish(env)
        assert (set(rewards), terminated, truncated) == ({0}, True, False)
        assert game_of(env).blocked and game_of(env).phase == Phase.ROUND_OVER
        env.reset()


@EVERY_ID
def test_a_capped_round_is_truncated(name):
    rules = replace(UNO_DUO if name == DUO else UNO_POCKET, max_turns=8)
    env = make(name, rules=rules, reward="points")
    env.reset(seed=1)
    capped = 0
    for _ in range(20):
        _, (_, last, terminated, truncated, _) = finish(env)
        assert truncated == game_of(env).capped and terminated != truncated
        assert not truncated or last == 0
        capped += truncated
        env.reset()
    assert capped > 5


def test_a_capped_round_does_not_end_a_game():
    rules = replace(UNO_POCKET, max_turns=60, target=60)
    env = make(POCKET, rules=rules, episode="game", reward="points", opponents="greedy")
    env.reset(seed=1)
    most_rounds = 0
    for _ in range(8):
        _, (*_, terminated, truncated, _) = finish(env)
        assert terminated and not truncated
        most_rounds = max(most_rounds, game_of(env).round_number)
        env.reset()
    assert most_rounds > 2


@pytest.mark.slow
def test_a_game_that_nobody_can_win_is_truncated():
    worthless = replace(UNMATCHED, card_values={})
    env = make(POCKET, rules=worthless, episode="game")
    env.reset(seed=1)
    rewards, (*_, terminated, truncated, _) = finish(env)
    assert (set(rewards), terminated, truncated) == ({0}, False, True)
    assert (game_of(env).phase, game_of(env).round_number) == (Phase.ROUND_OVER, 10_000)


def test_rewards_are_plain_numbers_of_float64():
    env, many = make(), make_many(3)
    env.reset(seed=1)
    many.reset(seed=1)
    for step in play(env, 200):
        if len(step) == 5:
            assert [type(each) for each in step[1:4]] == [float, bool, bool]
    for step in play_many(many, 5):
        assert [each.dtype for each in step[1:4]] == [np.float64, np.bool_, np.bool_]
