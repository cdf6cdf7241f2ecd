"""Illegal actions: refused without a trace, ending the episode, or replaced by a random one."""

import re

import numpy as np
import pytest

from tests.chi_square import assert_uniform
from tests.envs.batched_agents import BySeed
from tests.envs.playing import (
    DUO,
    EVERY_ID,
    POCKET,
    any_action,
    assert_same,
    game_of,
    make,
    make_many,
    play,
    play_many,
    same,
    states_of,
)
from uno_sim import IllegalActionError, action_name, parse_action
from uno_sim.actions import NUM_ACTIONS

NUMBERS = [-1, 185, 10**12, -(2**63), 2**63 - 1]
"""Integers that are no actions."""


def illegal_actions(env, source, count):
    """Return some actions that are not legal now, and numbers that are none."""
    wrong = np.flatnonzero(~env.action_masks())
    return [*source.choice(wrong, count).tolist(), *NUMBERS]


@EVERY_ID
def test_a_refused_action_is_named_and_changes_nothing(name):
    env, twin = (make(name, opponents=[BySeed()]) for _ in range(2))
    assert_same(env.reset(seed=3), twin.reset(seed=3))
    source = np.random.default_rng(1)
    for _ in range(80):
        masks = env.action_masks()
        for action in illegal_actions(env, source, 3):
            with pytest.raises(IllegalActionError) as refusal:
                env.step(action)
            message = str(refusal.value)
            if 0 <= action < NUM_ACTIONS:
                game = game_of(env)
                assert f"{action_name(action)} is not legal" in message
                assert f" in {game.phase.name}: " in message
                assert message.endswith("legal: " + " ".join(game.legal_names()))
            else:
                assert message == f"action {action}: an action is an integer from 0 to 184"
            assert np.array_equal(env.action_masks(), masks)
        assert states_of(env).tobytes() == states_of(twin).tobytes()
        action = int(any_action(source, masks))
        step = env.step(action)
        assert_same(step, twin.step(action))
        if step[2] or step[3]:
            assert_same(env.reset(), twin.reset())


def test_a_refused_action_moves_no_game_of_a_vector_environment():
    env, twin = (make_many(4, POCKET, num_players=3, opponents="random") for _ in range(2))
    found = env.reset(seed=3)
    twin.reset(seed=3)
    source = np.random.default_rng(2)
    for step in range(120):
        over = np.any(found[2:4], axis=0) if step else np.zeros(4, bool)
        actions = any_action(source, env.action_masks())
        game = step % 4
        if not over[game]:
            legal = env.action_masks()[game]
            wrong = actions.copy()
            wrong[game] = source.choice([*np.flatnonzero(~legal), *NUMBERS])
            before = states_of(env).tobytes()
            with pytest.raises(IllegalActionError, match=f"^game {game}: "):
                env.step(wrong)
            assert states_of(env).tobytes() == before
        found = env.step(actions)
        assert_same(list(found), list(twin.step(actions)))


def test_an_action_for_a_game_that_begins_is_ignored():
    env, twin = (make_many(3, DUO, opponents="greedy") for _ in range(2))
    found = env.reset(seed=1)
    twin.reset(seed=1)
    source = np.random.default_rng(2)
    ignored = 0
    for step in range(150):
        over = np.any(found[2:4], axis=0) if step else np.zeros(3, bool)
        actions = any_action(source, env.action_masks())
        other = np.where(over, -7, actions)
        ignored += over.sum()
        found = env.step(actions)
        assert_same(list(found), list(twin.step(other)))
    assert ignored > 5


@pytest.mark.parametrize(
    ("name", "reward", "lost"), [(DUO, "win", -1), (DUO, "points", -200), (POCKET, "points", -250)]
)
@pytest.mark.parametrize("number", [0, *NUMBERS])
def test_an_illegal_action_may_end_the_episode(name, reward, lost, number):
    for episode in ("round", "game"):
        env = make(name, illegal_action="terminate", reward=reward, episode=episode, seat=1)
        env.reset(seed=5)
        for found in play(env, 4):
            assert not found[2]
        wrong = int(np.flatnonzero(~env.action_masks())[0]) if number == 0 else number
        before = game_of(env).state.tobytes()
        observation, last, terminated, truncated, info = env.step(wrong)
        assert (last, terminated, truncated) == (lost, True, False)
        assert observation["action_mask"].all() and info["action_mask"].all()
        assert env.action_masks().all() and info["deal"] == 0
        assert game_of(env).state.tobytes() == before
        with pytest.raises(ValueError, match="reset"):
            env.step(wrong)
        assert env.reset()[1]["deal"] == 1


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_in_a_vector_environment_it_ends_that_game_alone(mode):
    env = make_many(3, illegal_action="terminate", autoreset_mode=mode, seat=0)
    env.reset(seed=5)
    actions = any_action(np.random.default_rng(1), env.action_masks())
    actions[1] = -1
    observations, rewards, terminated, truncated, infos = env.step(actions)
    assert rewards.tolist() == [0, -1, 0]
    assert terminated.tolist() == [False, True, False] and not truncated.any()
    assert infos["deal"].tolist() == [0, int(mode == "SameStep"), 0]
    last = infos["final_obs"][1] if mode == "SameStep" else None
    mask = last["action_mask"] if last else observations["action_mask"][1]
    assert mask.all()


def illegal_course(seed, choices=1, **keywords):
    """Return what an environment gives where half of the actions are illegal and replaced."""
    env = make(illegal_action="random", **keywords)
    found = [env.reset(seed=seed)]
    source = np.random.default_rng(choices)
    for step in range(150):
        action = int(any_action(source, env.action_masks()))
        if step % 2:
            action = illegal_actions(env, source, 1)[step % (1 + len(NUMBERS))]
        found.append(env.step(action))
        if found[-1][2] or found[-1][3]:
            found.append(env.reset())
    return found


def test_an_illegal_action_may_be_replaced_by_the_seeds_choice():
    first = illegal_course(6, opponents="greedy")
    assert same(illegal_course(6, opponents="greedy"), first)
    assert not same(illegal_course(7, opponents="greedy"), first)


def test_the_replacement_is_any_legal_action_equally_likely():
    env = make_many(1000, illegal_action="random", seat=0)
    env.reset(seed=8)
    masks = env.action_masks()
    drafting = masks[:, parse_action("keep")] & masks[:, parse_action("reject")]
    env.step(np.full(1000, -1))
    games = np.flatnonzero(drafting)
    kept = sum(first_choice(game_of(env, game), 0) == "keep" for game in games)
    assert_uniform([kept, len(games) - kept])


def first_choice(game, seat):
    """Return the first action of a seat among the public events."""
    for event in game.state.events[: game.state.num_events]:
        if event[0] == seat:
            return action_name(int(event[1]))
    raise AssertionError("the seat has not moved")


NO_INTEGERS = [1.0, 118.7, np.float32(118), float("nan"), "keep", "118", None, True, {}]
WRONG_SHAPES = [[118], [118, 119], (118,), [], np.array([118]), np.array([[118]])]


@pytest.mark.parametrize("action", [*NO_INTEGERS, *WRONG_SHAPES], ids=repr)
def test_what_is_no_integer_is_refused_whatever_illegal_actions_do(action):
    env = make(illegal_action="random")
    env.reset(seed=1)
    before = states_of(env).tobytes()
    with pytest.raises(ValueError, match="action"):
        env.step(action)
    assert states_of(env).tobytes() == before
    env.step(int(np.flatnonzero(env.action_masks())[0]))


@pytest.mark.parametrize("action", [2**63, -(2**70), np.uint64(2**64 - 1)])
def test_an_integer_beyond_int64_is_no_action(action):
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"action {action}"):
        env.step(action)


@pytest.mark.parametrize("action", [np.int64(118), np.uint8(118), np.array(118), np.int8(118)])
def test_integers_of_numpy_are_actions(action):
    one, other = make(), make()
    one.reset(seed=1)
    other.reset(seed=1)
    assert_same(one.step(action), other.step(118))


@pytest.mark.parametrize(
    "actions",
    [
        118,
        None,
        [118, 118],
        [[118]] * 3,
        [118.0] * 3,
        [True] * 3,
        ["keep"] * 3,
        [2**70] * 3,
        np.full((1, 3), 118),
        np.full(3, 118, object),
    ],
    ids=repr,
)
def test_wrong_arrays_of_actions_are_refused(actions):
    env = make_many(3)
    env.reset(seed=1)
    before = states_of(env).tobytes()
    dtype = re.escape(str(np.asarray(actions).dtype))
    with pytest.raises(ValueError, match=rf"^actions: {dtype} of shape .* of shape \(3,\)$"):
        env.step(actions)
    assert states_of(env).tobytes() == before
    next(play_many(env, 1))


def test_in_a_vector_environment_too_it_is_named_as_it_is():
    env = make_many(2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=str(2**64 - 1)):
        env.step(np.full(2, 2**64 - 1, np.uint64))
