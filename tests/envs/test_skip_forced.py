"""`skip_forced`: the learner is asked nothing where one action alone is legal."""

from typing import Any

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, POCKET, any_action, make, make_many, play_many

CASES: list[tuple[str, dict[str, Any]]] = [
    (DUO, {"opponents": "greedy", "reward": "points"}),
    (POCKET, {"num_players": 3, "opponents": ["random", BySeed()], "seat": 1}),
    (POCKET, {"num_players": 4, "opponents": "greedy", "episode": "game", "reward": "points"}),
]


@pytest.mark.parametrize(("name", "keywords"), CASES)
def test_it_is_the_same_as_playing_forced_actions_by_hand(name, keywords):
    skipping = make(name, skip_forced=True, **keywords)
    asked = make(name, skip_forced=False, **keywords)
    source = np.random.default_rng(1)
    observation, info = skipping.reset(seed=8)
    other, other_info = asked.reset(seed=8)
    forced = 0
    for _ in range(250):
        # Whatever is forced is played by hand; an episode may consist of nothing else.
        earned, over = 0.0, False
        while asked.action_masks().sum() == 1 and not over:
            other, reward, terminated, truncated, other_info = asked.step(forced_action(asked))
            earned, over, forced = earned + reward, terminated or truncated, forced + 1
        assert info == {**other_info, "action_mask": info["action_mask"]}
        assert observation["observation"].tobytes() == other["observation"].tobytes()
        assert np.array_equal(info["action_mask"], other_info["action_mask"])
        assert skipping.action_masks().sum() > 1
        action = int(any_action(source, skipping.action_masks()))
        observation, total, terminated, truncated, info = skipping.step(action)
        other, reward, *ends, other_info = asked.step(action)
        earned = reward
        while asked.action_masks().sum() == 1 and not any(ends):
            other, reward, *ends, other_info = asked.step(forced_action(asked))
            earned, forced = earned + reward, forced + 1
        assert (total, terminated, truncated) == (earned, *ends)
        assert observation["observation"].tobytes() == other["observation"].tobytes()
        if terminated or truncated:
            observation, info = skipping.reset()
            other, other_info = asked.reset()
            while other_info["deal"] < info["deal"]:
                other, other_info = asked.reset()
    assert forced > 20


def forced_action(env: Any) -> int:
    return int(np.flatnonzero(env.action_masks())[0])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_no_game_of_a_vector_environment_asks_for_a_forced_action(mode):
    env = make_many(16, DUO, skip_forced=True, autoreset_mode=mode)
    env.reset(seed=1)
    for _ in play_many(env, 300):
        assert (env.action_masks().sum(axis=1) > 1).all()
