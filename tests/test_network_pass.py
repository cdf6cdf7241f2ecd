"""The compiled forward pass gives a network's logits, and the choices follow from them."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from agents.network import network
from tests.chi_square import assert_shares
from tests.networks import observations_of, plain_logits, random_network
from uno_sim import network_pass, new_stream
from uno_sim.actions import NUM_ACTIONS
from uno_sim.features import NUM_FEATURES, encode

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHAPES = ([], [1], [16], [64, 64], [65, 33], [130, 7, 20], [3] * 8)
ALL = np.array([2**64 - 1, 2**64 - 1, 2 ** (NUM_ACTIONS - 128) - 1], np.uint64)
NAN = np.float32(np.nan)


def compiled_logits(params, features, legal=ALL):
    """Return the compiled logits; NaN where none is written."""
    logits = np.full(NUM_ACTIONS, NAN)
    room = np.full(network_pass.room_size(params), NAN)
    network_pass.write_logits(params, features, legal, room, logits)
    return logits


def legal_set(*actions):
    words = [0, 0, 0]
    for action in actions:
        words[action // 64] |= 1 << action % 64
    return np.array(words, np.uint64)


@pytest.mark.parametrize("hidden", SHAPES, ids=str)
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_logits_are_those_of_numpy(hidden, activation):
    params = random_network(hidden, activation=activation)
    for variant in ("duo", "pocket, five players"):
        for observation in observations_of(variant, 20):
            features = encode(observation)
            expected = plain_logits(params, features)
            found = compiled_logits(params, features)
            assert np.abs(found - expected).max() < 2e-5 * max(1, np.abs(expected).max())


def test_inputs_without_zeros_are_taken_as_well():
    params = random_network([40, 40])
    source = np.random.default_rng(3)
    for scale in (1e-6, 0.01, 0.2):
        features = source.normal(0, scale, NUM_FEATURES).astype(np.float32)
        expected = plain_logits(params, features)
        assert np.abs(compiled_logits(params, features) - expected).max() < 2e-5
    assert np.allclose(
        compiled_logits(params, np.zeros(NUM_FEATURES, np.float32)),
        plain_logits(params, np.zeros(NUM_FEATURES)),
        atol=1e-5,
    )


def test_only_legal_actions_have_logits():
    params = random_network([16])
    features = encode(observations_of("duo", 20)[0])
    whole = compiled_logits(params, features)
    actions = [0, 63, 64, 116, 128, 184]
    some = compiled_logits(params, features, legal_set(*actions))
    assert some[actions].tolist() == whole[actions].tolist()
    assert np.flatnonzero(~np.isnan(some)).tolist() == actions


def test_logits_are_the_same_bits_each_time_and_in_any_room():
    params = random_network([64, 64])
    features = encode(observations_of("duo", 20)[1])
    once = compiled_logits(params, features)
    logits = np.zeros(NUM_ACTIONS, np.float32)
    room = np.full(3 * NUM_FEATURES + 900, np.float32(7))
    network_pass.write_logits(params, features, ALL, room, logits)
    assert logits.tobytes() == once.tobytes()


def test_tanh_is_nearly_that_of_the_library():
    values = np.concatenate(
        [np.linspace(-12, 12, 200_001), np.geomspace(1e-30, 1e30, 2001)]
    ).astype(np.float32)
    found = values.copy()
    network_pass.activate(0, found)
    expected = np.tanh(values.astype(np.float64))
    assert np.abs(found - expected).max() < 3e-7
    assert (np.abs(found - expected) <= 5e-7 * np.abs(expected)).all()
    mirrored = -values
    network_pass.activate(0, mirrored)
    assert np.array_equal(mirrored, -found)


def test_relu_keeps_what_is_above_zero():
    values = np.array([-3, -1e-30, 0, 1e-30, 2.5], np.float32)
    network_pass.activate(1, values)
    assert values.tolist() == [0, 0, 0, np.float32(1e-30), 2.5]


def test_what_is_not_zero_is_found_in_order():
    source = np.random.default_rng(4)
    for size in [*range(1, 200, 7), 64, 128, NUM_FEATURES]:
        for share in (0, 0.1, 0.6, 1):
            values = source.normal(size=size).astype(np.float32)
            values[source.random(size) >= share] = 0
            places = np.zeros(size, np.float32)
            count = network_pass.find_nonzero(values, places)
            assert places[:count].tolist() == np.flatnonzero(values).tolist()


def test_sums_in_halves_are_sums():
    for size in range(1, 140):
        values = np.arange(1, size + 1, dtype=np.float32)
        assert network_pass.sum_in_halves(values) == size * (size + 1) / 2


def test_the_best_action_is_the_legal_one_of_the_highest_logit():
    logits = np.full(NUM_ACTIONS, -5, np.float32)
    logits[[3, 70, 130]] = 9, -1, 4
    assert network_pass.best_action(logits, ALL) == 3
    assert network_pass.best_action(logits, legal_set(2, 70, 71, 184)) == 70
    assert network_pass.best_action(logits, legal_set(70, 130, 184)) == 130
    assert network_pass.best_action(logits, legal_set(184)) == 184


def test_ties_go_to_the_lowest_action():
    logits = np.zeros(NUM_ACTIONS, np.float32)
    assert network_pass.best_action(logits, legal_set(5, 64, 184)) == 5
    logits[[64, 184]] = 1
    assert network_pass.best_action(logits, legal_set(5, 64, 184)) == 64


def test_samples_follow_the_softmax_of_the_legal_logits():
    logits = np.full(NUM_ACTIONS, 50, np.float32)
    actions = [4, 63, 64, 117, 184]
    logits[actions] = 0.3, -1, 1.2, 0, 0.9
    legal, stream = legal_set(*actions), new_stream(5)
    drawn = [network_pass.sampled_action(logits, legal, stream) for _ in range(20_000)]
    assert set(drawn) == set(actions)
    assert_shares([drawn.count(each) for each in actions], np.exp(logits[actions]).tolist())


def test_samples_of_huge_logits_are_drawn_as_well():
    logits = np.zeros(NUM_ACTIONS, np.float32)
    logits[[1, 2, 3]] = 3e38, 3e38, -3e38
    stream = new_stream(6)
    legal = legal_set(1, 2, 3)
    drawn = [network_pass.sampled_action(logits, legal, stream) for _ in range(2000)]
    assert_shares([drawn.count(1), drawn.count(2)], [1, 1])
    assert network_pass.sampled_action(logits, legal_set(3), stream) == 3


def everything():
    """Return what both ways of running must agree on: the bits of logits, and choices."""
    found = {}
    for activation, sample in (("tanh", False), ("relu", True)):
        params = random_network([12, 9], activation=activation)
        agent = network(params, sample)
        for variant in ("duo", "pocket, three players"):
            logits, choices = [], []
            for observation in observations_of(variant, 25):
                logits.append(compiled_logits(params, encode(observation)).tobytes())
                choices.append(agent.choose(observation, new_stream(len(choices))))
            digest = hashlib.sha256(b"".join(logits)).hexdigest()
            found[f"{activation}, {variant}"] = [digest, choices]
    return found


SCRIPT = """
import json
from numba.core import config
from tests.test_network_pass import everything
assert config.DISABLE_JIT
print(json.dumps(everything()))
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="nothing is compiled")
def test_plain_python_gives_the_same_bits_and_choices():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ROOT},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    plain, compiled = json.loads(done.stdout), everything()
    assert plain == compiled
    for _, choices in compiled.values():
        assert len(set(choices)) > 5
