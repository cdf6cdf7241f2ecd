"""Networks as vectors: what stands where, what is refused, and their files."""

import itertools
import re

import numpy as np
import pytest

from tests.networks import random_layers, random_network
from uno_sim.actions import ACTIONS_VERSION, NUM_ACTIONS
from uno_sim.features import FEATURES_VERSION, NUM_FEATURES
from uno_sim.networks import (
    HEAD_SIZE,
    MAGIC,
    MAX_LAYERS,
    MAX_WIDTH,
    activation_of,
    check_network,
    flatten,
    layer_sizes,
    layers_of,
    load_network,
    save_network,
)

SHAPES = ([], [5], [64, 64], [33, 7, 12])


@pytest.mark.parametrize("hidden", SHAPES, ids=str)
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_a_vector_gives_its_layers_back(hidden, activation):
    layers = random_layers(hidden)
    params = flatten(layers, activation)
    assert params.dtype == np.float32 and params.ndim == 1
    assert activation_of(params) == activation
    assert layer_sizes(params) == [NUM_FEATURES, *hidden, NUM_ACTIONS]
    found = layers_of(params)
    assert len(found) == len(layers)
    for (weights, biases), (expected_weights, expected_biases) in zip(found, layers, strict=True):
        assert np.array_equal(weights, expected_weights)
        assert np.array_equal(biases, expected_biases)
    assert np.array_equal(flatten(found, activation), params)


def test_the_head_stands_before_the_layers():
    (first, first_biases), (last, last_biases) = random_layers([3])
    params = flatten([(first, first_biases), (last, last_biases)], "relu")
    versions = [1, FEATURES_VERSION, ACTIONS_VERSION]
    head = [0x554E4F, *versions, 1, 2, NUM_FEATURES, 3, NUM_ACTIONS]
    assert params[:HEAD_SIZE].tolist() == [*head, *[0] * (HEAD_SIZE - len(head))]
    start = HEAD_SIZE
    assert params[start : start + 3].tolist() == first[:, 0].tolist()
    start += 3 * NUM_FEATURES
    assert params[start : start + 3].tolist() == first_biases.tolist()
    start += 3
    assert params[start : start + 3].tolist() == last[0].tolist()
    assert params[start + 3 * NUM_ACTIONS :].tolist() == last_biases.tolist()


def test_layers_of_other_number_types_are_taken():
    layers = random_layers([4])
    doubles = [(weights.astype(np.float64), biases.tolist()) for weights, biases in layers]
    assert np.array_equal(flatten(doubles), flatten(layers))


def test_the_layers_are_views():
    params = random_network([4])
    layers_of(params)[1][1][:] = 8
    assert params[-NUM_ACTIONS:].tolist() == [8] * NUM_ACTIONS


def ill_fitting(change):
    layers = [list(layer) for layer in random_layers([6, 5])]
    change(layers)
    return layers


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda layers: layers.clear(), f"layers: 0, must be from 1 to {MAX_LAYERS}"),
        (
            lambda layers: layers.extend(layers * 3),
            f"layers: 12, must be from 1 to {MAX_LAYERS}",
        ),
        (
            lambda layers: layers.pop(0),
            f"layers[0]: weights (5, 6) and biases (5,); must be [outputs, {NUM_FEATURES}]",
        ),
        (
            lambda layers: layers.pop(1),
            f"layers[1]: weights ({NUM_ACTIONS}, 5) and biases ({NUM_ACTIONS},); must be "
            "[outputs, 6] and [outputs]",
        ),
        (
            lambda layers: layers.pop(),
            f"network {NUM_FEATURES}-6-5: gives 5 outputs, must be {NUM_ACTIONS}",
        ),
        (
            lambda layers: layers[1].__setitem__(1, np.zeros(6)),
            "layers[1]: weights (5, 6) and biases (6,)",
        ),
        (
            lambda layers: layers[1].__setitem__(0, np.zeros(6)),
            "layers[1]: weights (6,) and biases (5,)",
        ),
        (
            lambda layers: layers[1][0].__setitem__((0, 0), np.inf),
            f"network {NUM_FEATURES}-6-5-{NUM_ACTIONS}: its weights are not all finite",
        ),
    ],
)
def test_layers_that_do_not_fit_are_refused(change, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        flatten(ill_fitting(change))


def test_an_unknown_activation_is_refused():
    with pytest.raises(ValueError, match="activation='gelu': must be one of tanh, relu"):
        flatten(random_layers([6]), "gelu")


SHAPE = f"{NUM_FEATURES}-6-{NUM_ACTIONS}"
LENGTH = len(random_network([6]))


def with_head(**numbers):
    """Return a network whose head has other numbers, `at_3=5` for one."""
    params = random_network([6])
    for place, number in numbers.items():
        params[int(place.removeprefix("at_"))] = number
    return params


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ([1.0, 2.0], "not a network: must be a float32 vector"),
        (random_network([6]).astype(np.float64), "not a network: must be a float32 vector"),
        (random_network([6])[None], "not a network: must be a float32 vector"),
        (np.zeros(0, np.float32), "not a network: does not begin as one"),
        (random_network([6])[: HEAD_SIZE - 1], "not a network: does not begin as one"),
        (np.zeros(LENGTH, np.float32), "not a network: does not begin as one"),
        (with_head(at_0=MAGIC + 1), "not a network: does not begin as one"),
        (with_head(at_0=np.nan), "not a network: does not begin as one"),
        (with_head(at_7=6.5), "damaged network: its head must be integers"),
        (with_head(at_7=np.nan), "damaged network: its head must be integers"),
        (with_head(at_3=np.inf), "damaged network: its head must be integers"),
        (with_head(at_15=1e30), "damaged network: its head must be integers"),
        (with_head(at_1=2), "network for version 2 of the format: this version of uno_sim has 1"),
        (
            with_head(at_2=FEATURES_VERSION + 1),
            f"network for version {FEATURES_VERSION + 1} of the features: this version of "
            f"uno_sim has {FEATURES_VERSION}",
        ),
        (
            with_head(at_3=ACTIONS_VERSION + 1),
            f"network for version {ACTIONS_VERSION + 1} of the actions: this version of "
            f"uno_sim has {ACTIONS_VERSION}",
        ),
        (with_head(at_4=2), "network: activation 2 is unknown"),
        (with_head(at_4=-1), "network: activation -1 is unknown"),
        (with_head(at_5=0), f"network: 0 layers, must be from 1 to {MAX_LAYERS}"),
        (with_head(at_5=10), f"network: 10 layers, must be from 1 to {MAX_LAYERS}"),
        (with_head(at_5=1), f"network {NUM_FEATURES}-6: gives 6 outputs, must be {NUM_ACTIONS}"),
        (
            with_head(at_6=600),
            f"network 600-6-{NUM_ACTIONS}: takes 600 inputs, must be {NUM_FEATURES}",
        ),
        (
            with_head(at_8=184),
            f"network {NUM_FEATURES}-6-184: gives 184 outputs, must be {NUM_ACTIONS}",
        ),
        (with_head(at_7=0), f"a layer must have from 1 to {MAX_WIDTH} outputs"),
        (with_head(at_7=-6), f"a layer must have from 1 to {MAX_WIDTH} outputs"),
        (with_head(at_7=MAX_WIDTH + 1), f"a layer must have from 1 to {MAX_WIDTH} outputs"),
        (
            random_network([6])[:-1],
            f"network {SHAPE}: {LENGTH - 1} numbers, must be {LENGTH}",
        ),
        (
            np.append(random_network([6]), np.float32(0)),
            f"network {SHAPE}: {LENGTH + 1} numbers, must be {LENGTH}",
        ),
        (with_head(at_500=np.nan), f"network {SHAPE}: its weights are not all finite"),
        (with_head(at_500=-np.inf), f"network {SHAPE}: its weights are not all finite"),
    ],
)
def test_what_is_no_network_of_this_version_is_refused(params, message):
    for use in (check_network, layers_of):
        with pytest.raises(ValueError, match=re.escape(message)):
            use(params)


def test_a_file_gives_its_network_back(tmp_path):
    for hidden, activation in itertools.product(SHAPES, ("tanh", "relu")):
        params = random_network(hidden, activation=activation)
        save_network(tmp_path / "net.npy", params)
        assert np.array_equal(load_network(tmp_path / "net.npy"), params)
    assert [file.name for file in tmp_path.iterdir()] == ["net.npy"]


def test_what_is_no_network_is_not_saved(tmp_path):
    file = tmp_path / "net.npy"
    save_network(file, random_network([6]))
    before = file.read_bytes()
    with pytest.raises(ValueError, match="numbers, must be"):
        save_network(file, random_network([6])[:-1])
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / "no" / "net.npy"))):
        save_network(tmp_path / "no" / "net.npy", random_network([6]))


def test_a_file_cut_short_is_refused(tmp_path):
    file = tmp_path / "net.npy"
    save_network(file, random_network([6]))
    whole = file.read_bytes()
    for size in (0, 4, 40, 128, 1000, len(whole) - 1):
        file.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}: not a network \("):
            load_network(file)


def test_other_files_are_refused(tmp_path):
    file = tmp_path / "other.npy"
    file.write_text("hello")
    with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}: not a network \("):
        load_network(file)
    np.save(file, np.array([{}], object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"not a network \(.*allow_pickle"):
        load_network(file)
    np.save(file, np.arange(5))
    with pytest.raises(ValueError, match="not a network: must be a float32 vector"):
        load_network(file)
    np.save(file, with_head(at_2=FEATURES_VERSION + 3))
    with pytest.raises(ValueError, match=f"{file}: network for version {FEATURES_VERSION + 3} of"):
        load_network(file)
    with pytest.raises(FileNotFoundError):
        load_network(tmp_path / "absent.npy")
