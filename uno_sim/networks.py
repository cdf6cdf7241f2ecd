"""Policy networks as one vector of numbers, which compiled agents play without any framework.

A network is a float32 vector that holds a head and then the layers. All numbers of the head are
integers that float32 holds exactly:

| index | what |
|---|---|
| 0 | `MAGIC` |
| 1 | `FORMAT_VERSION` |
| 2 | `FEATURES_VERSION`: of the layout of the inputs (`uno_sim/features.py`) |
| 3 | `ACTIONS_VERSION`: of the meaning of the outputs (`uno_sim/actions.py`) |
| 4 | the activation after each layer but the last: its place in `ACTIVATIONS` |
| 5 | the number of layers, L, from 1 to `MAX_LAYERS` |
| 6 to 6 + L | the sizes: inputs, hidden layers, outputs |
| up to 15 | 0 |

Then, layer after layer, the weights and the biases. The weights of all layers but the last stand
input after input (`[inputs, outputs]`): an input that is 0 is skipped, any other adds one run of
numbers. Those of the last layer stand output after output (`[outputs, inputs]`): only the legal
actions are computed. `network_pass.py` does so.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from uno_sim.actions import ACTIONS_VERSION, NUM_ACTIONS
from uno_sim.features import FEATURES_VERSION, NUM_FEATURES
from uno_sim.files import write_whole

MAGIC = 0x554E4F
"""The first number of every network: "UNO" in ASCII."""
FORMAT_VERSION = 1
"""The version of the layout of the vector."""
ACTIVATIONS = ("tanh", "relu")
"""The activations, in the order of their numbers."""
HEAD_SIZE = 16
"""How many numbers stand before the first layer."""
ACTIVATION_PLACE = 4
NUM_LAYERS_PLACE = 5
SIZES_PLACE = 6
"""Where in the head these numbers stand, or begin."""
MAX_LAYERS = HEAD_SIZE - SIZES_PLACE - 1
"""The most layers that a network may have."""
MAX_WIDTH = 1 << 16
"""The most outputs that a layer may have."""

Vector = np.ndarray[Any, np.dtype[np.float32]]
Layers = list[tuple[Vector, Vector]]
"""Weights `[outputs, inputs]` and biases `[outputs]` of each layer."""


def flatten(layers: Sequence[tuple[Any, Any]], activation: str = "tanh") -> Vector:
    """Return a network as a vector.

    `layers` are the weights `[outputs, inputs]` and biases `[outputs]` of each layer; the first
    takes the `NUM_FEATURES` features, the last gives the `NUM_ACTIONS` logits.

    Raises `ValueError` where the layers do not fit, or are not finite.
    """
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation={activation!r}: must be one of {', '.join(ACTIVATIONS)}")
    arrays = [(np.asarray(w, np.float32), np.asarray(b, np.float32)) for w, b in layers]
    if not 1 <= len(arrays) <= MAX_LAYERS:
        raise ValueError(f"layers: {len(arrays)}, must be from 1 to {MAX_LAYERS}")
    sizes = [NUM_FEATURES]
    for number, (weights, biases) in enumerate(arrays):
        if weights.ndim != 2 or biases.shape != weights.shape[:1] or weights.shape[1] != sizes[-1]:
            raise ValueError(
                f"layers[{number}]: weights {weights.shape} and biases {biases.shape}; must be "
                f"[outputs, {sizes[-1]}] and [outputs]"
            )
        sizes.append(len(biases))
    head = np.zeros(HEAD_SIZE, np.float32)
    head[:SIZES_PLACE] = (
        *(MAGIC, FORMAT_VERSION, FEATURES_VERSION, ACTIONS_VERSION),
        *(ACTIVATIONS.index(activation), len(arrays)),
    )
    head[SIZES_PLACE : SIZES_PLACE + len(sizes)] = sizes
    parts = [head]
    for weights, biases in arrays[:-1]:
        parts += [weights.T.ravel(), biases]
    parts += [arrays[-1][0].ravel(), arrays[-1][1]]
    params = np.concatenate(parts)
    check_network(params)
    return params


def check_network(params: Any) -> None:
    """Raise `ValueError` where a vector is no network of this version; says what does not fit."""
    if not isinstance(params, np.ndarray) or params.dtype != np.float32 or params.ndim != 1:
        raise ValueError("not a network: must be a float32 vector")
    if len(params) < HEAD_SIZE or params[0] != MAGIC:
        raise ValueError("not a network: does not begin as one")
    head = params[:HEAD_SIZE]
    if not (np.abs(head) < 1 << 24).all() or not np.array_equal(head, np.rint(head)):
        raise ValueError("damaged network: its head must be integers")
    versions = zip(
        ("format", "features", "actions"),
        head[1:ACTIVATION_PLACE],
        (FORMAT_VERSION, FEATURES_VERSION, ACTIONS_VERSION),
        strict=True,
    )
    for what, found, expected in versions:
        if found != expected:
            raise ValueError(
                f"network for version {found:.0f} of the {what}: this version of uno_sim has "
                f"{expected}"
            )
    if not 0 <= head[ACTIVATION_PLACE] < len(ACTIVATIONS):
        raise ValueError(f"network: activation {head[ACTIVATION_PLACE]:.0f} is unknown")
    if not 1 <= head[NUM_LAYERS_PLACE] <= MAX_LAYERS:
        raise ValueError(
            f"network: {head[NUM_LAYERS_PLACE]:.0f} layers, must be from 1 to {MAX_LAYERS}"
        )
    sizes = layer_sizes(params)
    shape = "-".join(map(str, sizes))
    if not all(1 <= size <= MAX_WIDTH for size in sizes):
        raise ValueError(f"network {shape}: a layer must have from 1 to {MAX_WIDTH} outputs")
    if sizes[0] != NUM_FEATURES:
        raise ValueError(f"network {shape}: takes {sizes[0]} inputs, must be {NUM_FEATURES}")
    if sizes[-1] != NUM_ACTIONS:
        raise ValueError(f"network {shape}: gives {sizes[-1]} outputs, must be {NUM_ACTIONS}")
    length = HEAD_SIZE + sum(outputs * (inputs + 1) for inputs, outputs in pairwise(sizes))
    if len(params) != length:
        raise ValueError(f"network {shape}: {len(params)} numbers, must be {length}")
    if not np.isfinite(params).all():
        raise ValueError(f"network {shape}: its weights are not all finite")


def layer_sizes(params: Vector) -> list[int]:
    """Return the sizes of a network: inputs, hidden layers, outputs."""
    return [
        int(size) for size in params[SIZES_PLACE : SIZES_PLACE + int(params[NUM_LAYERS_PLACE]) + 1]
    ]


def activation_of(params: Vector) -> str:
    """Return the name of the activation of a network."""
    return ACTIVATIONS[int(params[ACTIVATION_PLACE])]


def layers_of(params: Vector) -> Layers:
    """Return what `flatten` was given: views of the weights and biases of each layer.

    Raises `ValueError` where the vector is no network of this version.
    """
    check_network(params)
    sizes = layer_sizes(params)
    layers: Layers = []
    start = HEAD_SIZE
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        end = start + inputs * outputs
        weights = params[start:end]
        if number == len(sizes) - 2:
            weights = weights.reshape(outputs, inputs)
        else:
            weights = weights.reshape(inputs, outputs).T
        layers.append((weights, params[end : end + outputs]))
        start = end + outputs
    return layers


def save_network(path: str | os.PathLike[str], params: Vector) -> None:
    """Write a network to a `.npy` file, whole or not at all.

    Raises `ValueError` where the vector is no network of this version.
    """
    check_network(params)
    file = io.BytesIO()
    np.save(file, params, allow_pickle=False)
    write_whole(path, file.getvalue())


def load_network(path: str | os.PathLike[str]) -> Vector:
    """Read a network that `save_network` wrote.

    Raises `ValueError` where the file holds no network of this version, `OSError` where it cannot
    be read.
    """
    with Path(path).open("rb") as file:
        try:
            params: Vector = np.lib.format.read_array(file, allow_pickle=False)
        except Exception as error:  # a damaged head raises whatever Python's own parser does
            raise ValueError(f"{os.fspath(path)}: not a network ({error})") from None
    try:
        check_network(params)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None
    return params
