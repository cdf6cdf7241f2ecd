"""What the tests of the environments share: making them, playing them, comparing what they give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

from uno_sim import Game

DUO, POCKET = "uno_sim/UnoDuo-v0", "uno_sim/UnoPocket-v0"
EVERY_ID = pytest.mark.parametrize("name", [DUO, POCKET])


def make(name: str = DUO, **keywords: Any) -> Any:
    """Return a single environment without wrappers."""
    return gymnasium.make(name, **keywords).unwrapped


def make_many(num_envs: int, name: str = DUO, **keywords: Any) -> Any:
    """Return the native vector environment."""
    env = gymnasium.make_vec(
        name, num_envs=num_envs, vectorization_mode="vector_entry_point", **keywords
    )
    return env.unwrapped


def states_of(env: Any) -> Any:
    """Return the records of the games, `[N]`, which no learner ever sees."""
    return env._batch._batch.states


def game_of(env: Any, number: int = 0) -> Game:
    """Return a copy of a game of an environment, all hands open."""
    return Game.from_state(env.settings.rules, states_of(env)[number])


def any_action(source: np.random.Generator, masks: Any) -> Any:
    """Return a random action that the mask allows, or one for each of many masks.

    Drawing is rare where a card can be laid, so that rounds end.
    """
    weights = source.random(masks.shape) * masks
    weights[..., 116:118] *= 0.2
    return weights.argmax(axis=-1)


def play(env: Any, steps: int, choices: int = 0) -> Iterator[tuple[Any, ...]]:
    """Play a single environment that was reset; yield what each step and reset returns."""
    source = np.random.default_rng(choices)
    for _ in range(steps):
        step = env.step(int(any_action(source, env.action_masks())))
        yield step
        if step[2] or step[3]:
            yield env.reset()


def play_many(env: Any, steps: int, choices: int = 0) -> Iterator[tuple[Any, ...]]:
    """Play a vector environment that was reset; yield what each step returns."""
    source = np.random.default_rng(choices)
    for _ in range(steps):
        yield env.step(any_action(source, env.action_masks()))


def same(one: Any, other: Any) -> bool:
    """Return whether two results of an environment are the same, types and all."""
    try:
        assert_same(one, other)
    except AssertionError:
        return False
    return True


def assert_same(one: Any, other: Any, place: str = "") -> None:
    """Assert that two results of an environment are the same: keys, dtypes, shapes, values."""
    assert type(one) is type(other), (place, type(one), type(other))
    if isinstance(one, dict):
        assert one.keys() == other.keys(), (place, one.keys() ^ other.keys())
        for key in one:
            assert_same(one[key], other[key], f"{place}/{key}")
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), place
        for number, pair in enumerate(zip(one, other, strict=True)):
            assert_same(*pair, f"{place}/{number}")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), place
        if one.dtype == object:
            assert_same(one.tolist(), other.tolist(), place)
        else:
            assert np.array_equal(one, other), place
    else:
        assert one == other, (place, one, other)
