"""The native vector environment gives what Gymnasium's loop over single ones does."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, POCKET, any_action, assert_same, make_many, play_many

AGENT = BySeed()
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "mixed opponents": (DUO, {"opponents": {"greedy": 1, "random": 2}}),
    "games, batched opponents": (
        POCKET,
        {
            "num_players": 4,
            "opponents": ["greedy", {"random": 1, AGENT: 1}, AGENT],
            "reward": "points",
            "episode": "game",
        },
    ),
    "ending by illegal actions": (
        POCKET,
        {"num_players": 3, "skip_forced": True, "illegal_action": "terminate"},
    ),
    "illegal actions replaced": (DUO, {"opponents": "greedy", "illegal_action": "random"}),
    "always in one seat": (POCKET, {"num_players": 5, "seat": 3, "opponents": AGENT}),
}


def make_both(num_envs: int, name: str, mode: AutoresetMode, **keywords: Any) -> tuple[Any, Any]:
    """Return the native vector environment, and Gymnasium's."""
    sync = gymnasium.make_vec(
        name,
        num_envs=num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **keywords,
    )
    return make_many(num_envs, name, autoreset_mode=mode, **keywords), sync


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("case", CASES)
def test_all_is_the_same_step_by_step(case, mode):
    name, keywords = CASES[case]
    native, sync = make_both(4, name, mode, **keywords)
    assert native.single_observation_space == sync.single_observation_space
    assert native.observation_space == sync.observation_space
    assert native.action_space == sync.action_space
    source = np.random.default_rng(3)
    observations, infos = native.reset(seed=11)
    assert_same([observations, infos], list(sync.reset(seed=11)))
    ends = 0
    for step in range(300):
        actions = any_action(source, observations["action_mask"])
        if "illegal_action" in keywords and step % 13 == 0:
            actions[step % 4] = (184, -1, 10**12)[step % 3]
        one, other = native.step(actions), sync.step(actions)
        assert_same(list(one), list(other))
        observations, _, terminated, truncated, _ = one
        over = terminated | truncated
        ends += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            seed = [None, 5, None, 6] if step % 2 else None
            one, other = (
                env.reset(options={"reset_mask": over.copy()}, seed=seed) for env in (native, sync)
            )
            assert_same(list(one), list(other))
            observations = one[0]
    assert ends > 8


@pytest.mark.parametrize("seed", [0, 2**40, [3, 2**63, 3]])
def test_resets_in_the_middle_are_the_same(seed):
    native, sync = make_both(3, DUO, AutoresetMode.NEXT_STEP)
    source = np.random.default_rng(4)
    for given in (seed, None, [8, None, 9], None, seed):
        one, other = native.reset(seed=given), sync.reset(seed=given)
        assert_same(list(one), list(other))
        for _ in range(40):
            actions = any_action(source, one[0]["action_mask"])
            one, other = native.step(actions), sync.step(actions)
            assert_same(list(one), list(other))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_game_does_not_depend_on_how_many_there_are(mode):
    one, many = (
        make_many(count, POCKET, num_players=3, opponents=["greedy", AGENT], autoreset_mode=mode)
        for count in (1, 6)
    )
    alone, together = one.reset(seed=23)[0], many.reset(seed=20)[0]
    source = np.random.default_rng(5)
    for _ in range(200):
        actions = any_action(source, together["action_mask"])
        assert np.array_equal(alone["observation"][0], together["observation"][3])
        alone, *results, _ = one.step(actions[3:4])
        together, *all_results, _ = many.step(actions)
        assert [each[0] for each in results] == [each[3] for each in all_results]
        over = all_results[1] | all_results[2]
        if mode == AutoresetMode.DISABLED and over.any():
            together = many.reset(options={"reset_mask": over})[0]
            if over[3]:
                alone = one.reset()[0]


def test_one_game_is_enough():
    env = make_many(1)
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations) and infos["deal"].tolist() == [0]
    ends = sum(int(step[2][0]) for step in play_many(env, 300))
    assert ends > 0
