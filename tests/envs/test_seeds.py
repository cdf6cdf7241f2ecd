"""Randomness: all of it comes from the seed, and environments share none."""

from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from tests.envs.playing import (
    DUO,
    POCKET,
    any_action,
    assert_same,
    make,
    make_many,
    play,
    play_many,
    same,
)
from uno_sim import UNO_POCKET

KEYWORDS = {
    "num_players": 3,
    "opponents": ["random", {"greedy": 1, "random": 1}],
    "illegal_action": "random",
}


def course(env, seed, steps=120, choices=0):
    """Return what a single environment gives after a reset."""
    return [env.reset(seed=seed), *play(env, steps, choices)]


@pytest.mark.parametrize("seed", [0, 7, 2**32, 2**63, 2**64 - 1])
def test_a_seed_gives_the_same_again(seed):
    env = make(POCKET, **KEYWORDS)
    first = course(env, seed)
    assert same(course(env, seed), first)
    assert same(course(make(POCKET, **KEYWORDS), seed), first)


def test_resets_after_a_seed_go_through_the_same_episodes():
    env = make(POCKET, **KEYWORDS)
    first = [env.reset(seed=7), env.reset(), env.reset()]
    again = [env.reset(seed=7), env.reset(), env.reset()]
    assert same(first, again)
    assert [info["deal"] for _, info in first] == [0, 1, 2]
    assert not np.array_equal(first[0][0]["observation"], first[1][0]["observation"])


def test_where_an_episode_is_left_does_not_change_the_next():
    env = make(POCKET, **KEYWORDS)
    env.reset(seed=7)
    expected = env.reset()
    env.reset(seed=7)
    for _ in zip(range(5), play(env, 5), strict=False):
        pass
    assert same(env.reset(), expected)


def test_other_seeds_give_other_deals():
    env = make()
    seen = {env.reset(seed=seed)[0]["observation"].tobytes() for seed in range(100)}
    assert len(seen) > 60
    starts = {tuple(env.reset(seed=seed)[0]["observation"].tolist()) for seed in (1, 2, 3, 4)}
    assert len(starts) > 1


def test_without_a_seed_environments_differ():
    seen = {make(POCKET).reset()[0]["observation"].tobytes() for _ in range(20)}
    assert len(seen) > 15
    observations = make_many(20, POCKET).reset()[0]["observation"]
    assert len({row.tobytes() for row in observations}) > 15
    others = make_many(20, POCKET).reset()[0]["observation"]
    assert not np.array_equal(observations, others)


def test_a_seeded_reset_keeps_the_configuration():
    keywords = {"num_players": 4, "seat": 2, "reward": "points"}
    env = make(POCKET, opponents="random", **keywords)
    env.set_opponents(["greedy", "greedy", "random"])
    other = make(POCKET, opponents=["greedy", "greedy", "random"], **keywords)
    for seed in (5, 6):
        assert same(course(env, seed), course(other, seed))
    assert env.settings.rules == UNO_POCKET and env.reset(seed=1)[1]["seat"] == 2


def test_two_environments_do_not_influence_each_other():
    one, other = make(POCKET, **KEYWORDS), make(DUO, illegal_action="random")
    alone = [course(one, 1), course(other, 2)]
    starts = [one.reset(seed=1)], [other.reset(seed=2)]
    courses = play(one, 120), play(other, 120)
    for _ in range(200):
        for found, following in zip(starts, courses, strict=True):
            found += [step for step in [next(following, None)] if step]
    assert same(list(starts), alone)


@pytest.mark.parametrize("make_one", [make, partial(make_many, 2)], ids=["single", "vector"])
def test_nor_do_their_spaces(make_one):
    one, other = make_one(), make_one()
    spaces = [(env.observation_space, env.action_space) for env in (one, other)]
    if make_one is not make:
        spaces += [(env.single_observation_space, env.single_action_space) for env in (one, other)]
    for mine, others in zip(spaces[::2], spaces[1::2], strict=True):
        for space, neighbor in zip(mine, others, strict=True):
            space.seed(1)
            expected = space.sample()
            space.seed(1)
            neighbor.sample()
            assert_same(space.sample(), expected)


def test_choices_of_the_learner_do_not_change_later_deals():
    env = make(POCKET, **KEYWORDS)
    starts = []
    for choices in (1, 2):
        found = course(env, 9, 200, choices)
        starts.append([each for each in found if len(each) == 2][:4])
    assert len(starts[0]) == 4
    assert same(starts[0], starts[1])


def test_game_i_of_a_seed_is_the_single_environment_of_seed_plus_i():
    many = make_many(5, POCKET, **KEYWORDS)
    observations, infos = many.reset(seed=30)
    for game in range(5):
        observation, info = make(POCKET, **KEYWORDS).reset(seed=30 + game)
        assert np.array_equal(observation["observation"], observations["observation"][game])
        assert infos["seat"][game] == info["seat"]


def test_a_list_of_seeds_gives_each_game_its_own():
    many = make_many(3, POCKET, **KEYWORDS)
    listed = many.reset(seed=[31, 30, 31])[0]["observation"]
    counted = many.reset(seed=30)[0]["observation"]
    assert np.array_equal(listed[[1, 0]], counted[:2])
    assert np.array_equal(listed[0], listed[2])


@pytest.mark.slow
@pytest.mark.parametrize("name", [DUO, POCKET])
def test_other_processes_give_the_same(name):
    # New processes, which know the ids only after this package is imported.
    there = AsyncVectorEnv(
        [partial(gymnasium.make, f"uno_sim:{name}", opponents="greedy")] * 2, context="spawn"
    )
    here = make_many(2, name, opponents="greedy")
    try:
        one, other = here.reset(seed=3), there.reset(seed=3)
        source = np.random.default_rng(6)
        for _ in range(150):
            assert_same(list(one), list(other))
            actions = any_action(source, one[0]["action_mask"])
            one, other = here.step(actions), there.step(actions)
    finally:
        there.close()


def test_the_same_steps_in_a_vector_environment_twice():
    env = make_many(6, POCKET, autoreset_mode="SameStep", **KEYWORDS)
    courses = [[env.reset(seed=4), *play_many(env, 150)] for _ in range(2)]
    assert same(*courses)
