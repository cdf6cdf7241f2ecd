"""Rendering: the text or the picture of what the learner knows."""

import numpy as np
import pytest

from tests.envs.playing import EVERY_ID, game_of, make, make_many, play, play_many
from uno_sim.envs.table_picture import draw_table


@EVERY_ID
def test_the_text_is_the_learners_observation(name):
    env = make(name, render_mode="ansi")
    found = env.reset(seed=1)
    for found in play(env, 40):
        assert env.render() == str(game_of(env).observation(found[-1]["seat"]))
        assert env.render() != str(game_of(env))


@EVERY_ID
def test_the_picture_is_drawn_of_the_learners_observation(name):
    env = make(name, render_mode="rgb_array")
    found = env.reset(seed=1)
    for found in play(env, 6):
        picture = env.render()
        assert picture.dtype == np.uint8 and picture.ndim == 3
        assert np.array_equal(picture, draw_table(game_of(env).observation(found[-1]["seat"])))


@EVERY_ID
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_a_vector_environment_renders_each_game(name, mode):
    env = make_many(2, name, render_mode=mode)
    env.reset(seed=1)
    for found in play_many(env, 3):
        observations = [game_of(env, g).observation(int(found[-1]["seat"][g])) for g in (0, 1)]
        draw = str if mode == "ansi" else draw_table
        pictures = env.render()
        assert isinstance(pictures, tuple) and len(pictures) == 2
        for picture, observation in zip(pictures, observations, strict=True):
            assert np.array_equal(picture, draw(observation))


def test_rendering_changes_nothing():
    env, twin = make(render_mode="ansi"), make()
    env.reset(seed=1)
    twin.reset(seed=1)
    for ours, theirs in zip(play(env, 60), play(twin, 60), strict=True):
        assert ours[0]["observation"].tobytes() == theirs[0]["observation"].tobytes()
        env.render()
