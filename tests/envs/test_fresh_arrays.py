"""What was returned stays as it was, and what is written into it influences nothing."""

import copy
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.envs.batched_agents import BySeed
from tests.envs.playing import (
    POCKET,
    any_action,
    assert_same,
    make,
    make_many,
    play,
    play_many,
)
from uno_sim.envs import buffers

KEYWORDS = {"num_players": 3, "opponents": ["greedy", BySeed()]}


@pytest.fixture(autouse=True)
def small_arrays_too(monkeypatch):
    """Let memory be used again for small arrays as it is for large ones."""
    monkeypatch.setattr(buffers, "SMALL", 0)


def views(found):
    """Return views of the arrays of an observation, which outlive the arrays' own names."""
    observation = found["observation"]
    return [observation[..., 3:70:2], observation[:1], observation.T, found["action_mask"][::-1]]


def test_what_a_single_environment_returned_stays():
    env = make(POCKET, **KEYWORDS)
    first = env.reset(seed=1)
    kept = [(first, copy.deepcopy(first))]
    for number, found in enumerate(play(env, 300)):
        if number % 3 == 0:
            # Of some only a view is kept, so that the array itself may be used again.
            part = views(found[0]) if number % 2 else found
            kept.append((part, copy.deepcopy(part)))
        del found
    for found, before in kept:
        assert_same(found, before)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_what_a_vector_environment_returned_stays(mode):
    env = make_many(3, POCKET, autoreset_mode=mode, **KEYWORDS)
    first = env.reset(seed=1)
    kept = [(first, copy.deepcopy(first))]
    for number, found in enumerate(play_many(env, 200)):
        if number % 3 == 0:
            part = views(found[0]) if number % 2 else found
            kept.append((part, copy.deepcopy(part)))
        elif "final_obs" in found[4]:
            kept.append((found[4], copy.deepcopy(found[4])))
        del found
    assert len(kept) > 60
    for found, before in kept:
        assert_same(found, before)


def test_a_row_alone_keeps_its_values():
    env = make_many(3)
    env.reset(seed=1)
    rows = []
    for found in play_many(env, 60):
        rows.append((found[0]["observation"][0], found[0]["observation"][0].copy()))
        del found
    for row, before in rows:
        assert np.array_equal(row, before)


HOLDERS = {
    "memoryview": memoryview,
    "frombuffer": np.frombuffer,
    "reshaped": lambda array: array.reshape(-1),
    "dlpack": np.from_dlpack,
    "bytes of it": lambda array: array.view(np.uint8),
    "one number": lambda array: array[:1, :1],
    "iterator": np.nditer,
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_whatever_holds_an_array_keeps_it_from_being_used_again(holder):
    env = make_many(4)
    env.reset(seed=1)
    held = []
    for found in play_many(env, 12):
        features = found[0]["observation"]
        held.append((HOLDERS[holder](features), features.ctypes.data))
        del features, found
    assert len({place for _, place in held}) == len(held)


BY_TRACER = """
import sys
def look_at_all(frame, event, argument):
    frame.f_locals
    return look_at_all
sys.settrace(look_at_all)
from uno_sim.envs import buffers
from uno_sim.envs import buffers
from uno_sim.envs.buffers import Buffers
sys.settrace(None)
buffers.SMALL = 0
arrays = Buffers((3,), float)
one = arrays.take()
other = arrays.take()
print(one is other)
"""


def test_arrays_are_held_though_a_debugger_watched_the_import():
    done = subprocess.run([sys.executable, "-c", BY_TRACER], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["False"], "")


def test_masks_returned_by_the_method_stay():
    for env in (make(), make_many(2)):
        env.reset(seed=1)
        masks = env.action_masks()
        before = masks.copy()
        assert not np.shares_memory(masks, env.action_masks())
        masks[:] = False
        assert np.array_equal(env.action_masks(), before)


def overwrite(found):
    """Write into every array of a result."""
    for each in found.values() if isinstance(found, dict) else found:
        if isinstance(each, dict):
            overwrite(each)
        elif isinstance(each, np.ndarray) and each.dtype != object:
            each[...] = 1 - each if each.dtype == np.int8 else 0


@pytest.mark.parametrize("mode", [None, *AutoresetMode])
def test_writing_into_what_was_returned_changes_nothing_later(mode):
    """Without a mode: the single environment."""
    if mode is None:
        envs = [make(POCKET, **KEYWORDS) for _ in range(2)]
    else:
        envs = [make_many(3, POCKET, autoreset_mode=mode, **KEYWORDS) for _ in range(2)]
    source = np.random.default_rng(2)
    found = [env.reset(seed=5) for env in envs]
    for _ in range(120):
        assert_same(list(found[0]), list(found[1]))
        masks = found[0][0]["action_mask"].copy()
        over = np.any(found[0][2:4], axis=0) if len(found[0]) == 5 else np.zeros(3, bool)
        overwrite(found[1])
        if mode in (None, AutoresetMode.DISABLED) and over.any():
            options = None if mode is None else {"reset_mask": over}
            found = [env.reset(options=options) for env in envs]
            continue
        actions = any_action(source, masks)
        found = [env.step(actions) for env in envs]


@pytest.mark.parametrize("make_one", [make, partial(make_many, 2)], ids=["single", "vector"])
def test_writing_into_the_observed_mask_leaves_the_methods_mask(make_one):
    env = make_one()
    observation, info = env.reset(seed=1)
    before = env.action_masks()
    observation["action_mask"][...] = 0
    info["action_mask"][...] = 0
    assert np.array_equal(env.action_masks(), before)


def test_arrays_that_were_let_go_are_used_again():
    env = make_many(64)
    env.reset(seed=1)
    places = set()
    for found in play_many(env, 40):
        places.add(found[0]["observation"].ctypes.data)
        del found
    assert len(places) <= 3
