"""The forward pass of a network inside compiled code, and the choice of an action by its logits.

Sums are written so that the compiler works on many numbers at once without changing their order:
the logits are the same, bit for bit, on every machine and beside any other decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.actions import NUM_ACTIONS
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.compilation import compiled
from uno_sim.networks import ACTIVATION_PLACE, HEAD_SIZE, NUM_LAYERS_PLACE, SIZES_PLACE
from uno_sim.random_stream import random_unit

_ZERO = np.float32(0)


@compiled
def room_size(params: Any) -> Any:
    """Return how many numbers `write_logits` needs room for: three times the widest layer."""
    widest = params[SIZES_PLACE]
    for layer in range(np.int64(params[NUM_LAYERS_PLACE])):
        widest = max(widest, params[SIZES_PLACE + layer + 1])
    return 3 * np.int64(widest)


@compiled(announce="uno_sim: compiling networks, once: about 5 s")
def write_logits(params: Any, features: Any, legal: Any, room: Any, logits: Any) -> None:
    """Write into `logits` (float32 `[NUM_ACTIONS]`) those of the actions in a legal set.

    `params` is a network that was checked, `features` float32 `[NUM_FEATURES]`, `legal` the three
    words of the set, `room` float32 `[room_size(params)]`, which is overwritten.
    """
    num_layers = np.int64(params[NUM_LAYERS_PLACE])
    start = np.int64(HEAD_SIZE)
    third = len(room) // 3
    places = room[:third]
    values = features
    for layer in range(num_layers - 1):
        inputs = np.int64(params[SIZES_PLACE + layer])
        outputs = np.int64(params[SIZES_PLACE + layer + 1])
        end = start + inputs * outputs
        first = third * (1 + layer % 2)
        results = room[first : first + outputs]
        results[:] = params[end : end + outputs]
        add_inputs(params[start:end], values[:inputs], places, results)
        activate(np.int64(params[ACTIVATION_PLACE]), results)
        values = results
        start = end + outputs
    inputs = np.int64(params[SIZES_PLACE + num_layers - 1])
    biases = params[start + inputs * NUM_ACTIONS :]
    products = room[:inputs]
    for word in range(len(legal)):
        bits = legal[word]
        while bits != EMPTY:
            action = word * 64 + lowest(bits)
            row = params[start + action * inputs : start + (action + 1) * inputs]
            for place in range(inputs):
                products[place] = row[place] * values[place]
            logits[action] = biases[action] + sum_in_halves(products)
            bits = without_lowest(bits)


@compiled
def add_inputs(weights: Any, values: Any, places: Any, results: Any) -> None:
    """Add to `results` the weights of each value that is not 0, times the value.

    `weights` is `[inputs * outputs]`, input after input. Four at once, since the results are then
    read and written a quarter as often.
    """
    size = len(results)
    count = find_nonzero(values, places)
    grouped = count - count % 4
    for number in range(0, grouped, 4):
        a = np.int64(places[number])
        b = np.int64(places[number + 1])
        c = np.int64(places[number + 2])
        d = np.int64(places[number + 3])
        # Rows as slices: the compiler then knows that no index is negative.
        row_a = weights[a * size : (a + 1) * size]
        row_b = weights[b * size : (b + 1) * size]
        row_c = weights[c * size : (c + 1) * size]
        row_d = weights[d * size : (d + 1) * size]
        value_a, value_b, value_c, value_d = values[a], values[b], values[c], values[d]
        for output in range(size):
            results[output] += (value_a * row_a[output] + value_b * row_b[output]) + (
                value_c * row_c[output] + value_d * row_d[output]
            )
    for number in range(grouped, count):
        a = np.int64(places[number])
        row_a = weights[a * size : (a + 1) * size]
        value_a = values[a]
        for output in range(size):
            results[output] += value_a * row_a[output]


@compiled
def find_nonzero(values: Any, places: Any) -> Any:
    """Write the places of the values that are not 0 into `places`; return how many there are."""
    count = 0
    size = len(values)
    words = size // 64
    for word in range(words):
        found = EMPTY
        for place in range(64):
            found |= np.uint64(values[word * 64 + place] != _ZERO) << np.uint64(place)
        while found != EMPTY:
            places[count] = word * 64 + lowest(found)
            count += 1
            found = without_lowest(found)
    for place in range(words * 64, size):
        if values[place] != _ZERO:
            places[count] = place
            count += 1
    return count


_QUARTER = np.float32(0.25)
_TWO = np.float32(2)
_TANH_END = np.float32(9.1)
"""Beyond this, float32 holds nothing between tanh and 1."""
_ODD = tuple(np.float32(number) for number in (135135, 17325, 378))
_EVEN = tuple(np.float32(number) for number in (135135, 62370, 3150, 28))
"""Coefficients of tanh x = x (135135 + 17325 x^2 + 378 x^4 + x^6) / (135135 + 62370 x^2 + 3150 x^4
+ 28 x^6), the seventh step of Lambert's continued fraction."""


@compiled
def activate(activation: Any, values: Any) -> None:
    """Apply the activation of this number to each value, in place."""
    if activation == 0:
        for place in range(len(values)):
            values[place] = tanh(values[place])
    else:
        for place in range(len(values)):
            values[place] = max(values[place], _ZERO)


@compiled
def tanh(value: Any) -> Any:
    """Return tanh of a float32, to about 2e-7.

    The fraction of a quarter of the value, doubled twice: tanh 2x = 2pq / (p^2 + q^2) where
    tanh x = p / q. Unlike the library's function it is computed for many values at once.
    """
    quarter = min(max(value, -_TANH_END), _TANH_END) * _QUARTER
    square = quarter * quarter
    p = quarter * (_ODD[0] + square * (_ODD[1] + square * (_ODD[2] + square)))
    q = _EVEN[0] + square * (_EVEN[1] + square * (_EVEN[2] + square * _EVEN[3]))
    p, q = _TWO * p * q, p * p + q * q
    p, q = _TWO * p * q, p * p + q * q
    return p / q


@compiled
def sum_in_halves(values: Any) -> Any:
    """Return the sum of the values, which are overwritten: the upper half is added to the lower."""
    size = len(values)
    while size > 1:
        half = (size + 1) // 2
        upper = values[half:size]
        for place in range(len(upper)):
            values[place] += upper[place]
        size = half
    return values[0]


@compiled
def best_action(logits: Any, legal: Any) -> Any:
    """Return the legal action of the highest logit (ties: the lowest action)."""
    best = -1
    for word in range(len(legal)):
        bits = legal[word]
        while bits != EMPTY:
            action = word * 64 + lowest(bits)
            if best < 0 or logits[action] > logits[best]:
                best = action
            bits = without_lowest(bits)
    return best


@compiled
def sampled_action(logits: Any, legal: Any, random: Any) -> Any:
    """Return a legal action drawn by the softmax of the legal logits; takes one random number."""
    highest = np.float64(logits[best_action(logits, legal)])
    total = 0.0
    for word in range(len(legal)):
        bits = legal[word]
        while bits != EMPTY:
            total += np.exp(np.float64(logits[word * 64 + lowest(bits)]) - highest)
            bits = without_lowest(bits)
    left = random_unit(random) * total
    action = -1
    for word in range(len(legal)):
        bits = legal[word]
        while bits != EMPTY:
            action = word * 64 + lowest(bits)
            left -= np.exp(np.float64(logits[action]) - highest)
            if left < 0:
                return action
            bits = without_lowest(bits)
    return action
