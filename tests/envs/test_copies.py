"""A copy of an environment, by `copy.deepcopy` or `pickle`, is one of its own, or is refused."""

import copy
import pickle

import pytest

from tests.envs.batched_agents import BySeed
from tests.envs.playing import POCKET, make, make_many, play, play_many, same

WAYS = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}
EVERY_WAY = pytest.mark.parametrize("way", WAYS)
KINDS = {
    "single": lambda: make(POCKET, opponents=["greedy", "random"], num_players=3),
    "batched": lambda: make(POCKET, opponents=BySeed()),
    "vector": lambda: make_many(2, POCKET, opponents="random"),
}


@EVERY_WAY
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_goes_on_as_the_original_does(way, kind):
    env = KINDS[kind]()
    player = play_many if kind == "vector" else play
    env.reset(seed=3)
    list(player(env, 15))
    try:
        twin = WAYS[way](env)
    except TypeError as error:
        assert "environment" in str(error)
        return
    expected = list(player(env, 150))
    assert same([list(found) for found in player(twin, 150)], [list(found) for found in expected])
    assert same(list(twin.reset(seed=4)), list(env.reset(seed=4)))
    assert same(list(twin.reset()), list(env.reset()))
