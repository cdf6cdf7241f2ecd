"""Gymnasium's own wrappers, specs and ways to make an environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics, TimeLimit
from gymnasium.wrappers import vector as vector_wrappers

from tests.envs.playing import DUO, EVERY_ID, POCKET, any_action, make_many, same
from uno_sim.envs.registration import register_envs
from uno_sim.envs.vector import UnoVectorEnv


def test_episode_statistics_of_a_single_environment():
    env = RecordEpisodeStatistics(gymnasium.make(DUO, opponents="greedy"))
    _, info = env.reset(seed=1)
    source = np.random.default_rng(1)
    rewards = []
    while "episode" not in info:
        action = int(any_action(source, info["action_mask"]))
        _, reward, _, _, info = env.step(action)
        rewards.append(reward)
    assert (info["episode"]["r"], info["episode"]["l"]) == (sum(rewards), len(rewards))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_episode_statistics_of_a_vector_environment(mode):
    env = vector_wrappers.RecordEpisodeStatistics(
        make_many(4, DUO, opponents="greedy", autoreset_mode=mode)
    )
    observations, _ = env.reset(seed=1)
    source = np.random.default_rng(1)
    count = ended = 0
    for _ in range(200):
        masks = observations["action_mask"]
        observations, _, terminated, truncated, infos = env.step(any_action(source, masks))
        over = terminated | truncated
        ended += over.sum()
        if "episode" in infos:
            assert np.array_equal(infos["_episode"], over)
            assert set(np.abs(infos["episode"]["r"][over])) == {1}
            count += infos["_episode"].sum()
        if mode == AutoresetMode.DISABLED and over.any():
            observations, _ = env.reset(options={"reset_mask": over})
    assert count == ended > 10


def test_a_time_limit_truncates_and_the_next_episode_begins():
    env = TimeLimit(gymnasium.make(DUO), 5)
    _, info = env.reset(seed=1)
    for _ in range(5):
        action = int(np.argmax(info["action_mask"]))
        _, _, terminated, truncated, info = env.step(action)
    assert (terminated, truncated) == (False, True)
    assert env.reset()[1]["deal"] == 1


@EVERY_ID
def test_observations_may_be_flattened(name):
    env = FlattenObservation(gymnasium.make(name))
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)


@EVERY_ID
def test_infos_may_be_a_list(name):
    env = vector_wrappers.DictInfoToList(make_many(2, name, autoreset_mode="SameStep"))
    infos = env.reset(seed=1)[1]
    assert [set(info) for info in infos] == [{"action_mask", "seat", "deal"}] * 2
    found = env.step([int(np.argmax(info["action_mask"])) for info in infos])[-1]
    assert [info["deal"] for info in found] == [0, 0]


@EVERY_ID
def test_a_spec_makes_the_same_environment(name):
    env = gymnasium.make(name, opponents={"greedy": 1, "random": 2}, seat=1)
    text = env.spec.to_json()
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(text))
    assert again.unwrapped.settings == env.unwrapped.settings
    assert same(again.reset(seed=3), env.reset(seed=3))


@EVERY_ID
def test_make_vec_makes_the_native_environment(name):
    env = gymnasium.make_vec(name, num_envs=3)
    assert isinstance(env, UnoVectorEnv) and env.num_envs == 3
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert env.spec.id == name


@pytest.mark.parametrize("mode", AutoresetMode)
def test_each_environment_has_the_autoreset_mode_that_it_was_given(mode):
    assert make_many(2, autoreset_mode=mode).metadata["autoreset_mode"] == mode
    assert make_many(2, autoreset_mode=mode.value).metadata["autoreset_mode"] == mode
    assert make_many(2).metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def test_registering_again_does_no_harm():
    register_envs()
    assert gymnasium.make(POCKET).reset(seed=1)[1]["deal"] == 0


@EVERY_ID
def test_masked_samples_of_the_action_space_are_legal(name):
    env = gymnasium.make(name)
    _, info = env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(100):
        action = env.action_space.sample(info["action_mask"])
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()


def test_closing_is_harmless():
    for env in (gymnasium.make(DUO), make_many(2)):
        env.reset(seed=1)
        env.close()
        env.close()
