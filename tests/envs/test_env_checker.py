"""Gymnasium's own checker passes."""

import pytest
from gymnasium.utils.env_checker import check_env

from tests.envs.playing import EVERY_ID, make


@EVERY_ID
@pytest.mark.parametrize("illegal_action", ["terminate", "random"])
@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
def test_gymnasium_finds_nothing_wrong(name, illegal_action, render_mode):
    check_env(make(name, illegal_action=illegal_action, render_mode=render_mode))


@EVERY_ID
def test_gymnasium_finds_nothing_wrong_with_whole_games(name):
    check_env(make(name, illegal_action="random", episode="game", reward="points"))
