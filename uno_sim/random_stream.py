"""The random streams: one for each deal and one for each agent, split from a seed.

A stream is an array of one uint64, the state of a SplitMix64 generator (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014). Keys are split by number, so that every
stream is known from `(seed, deal, ...)` alone and none depends on how far another was used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.compilation import compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_TWO_TO_32 = np.uint64(1 << 32)

DEALS = 0
"""The role of the keys that the deals of a game are split from."""
AGENTS = 1
"""The role of the keys that the agents' streams of a game are split from."""
WORLDS = 2
"""The role of the keys that determinizations are drawn by."""
EPISODES = 3
"""The role of the keys that an environment draws an episode's seat and opponents by."""


@compiled
def _mix(word: Any) -> Any:
    word = (word ^ (word >> np.uint64(30))) * _FIRST_FACTOR
    word = (word ^ (word >> np.uint64(27))) * _SECOND_FACTOR
    return word ^ (word >> np.uint64(31))


@compiled
def split(key: Any, index: Any) -> Any:
    """Return the key of branch `index` (from 0) of `key`; both are uint64, as is the result."""
    return _mix(_mix(np.uint64(key) + _STEP) ^ (np.uint64(index) * _STEP + _STEP))


@compiled
def next_word(stream: Any) -> Any:
    """Return the next 64 random bits of a stream (uint64 array [1], advanced)."""
    stream[0] += _STEP
    return _mix(stream[0])


@compiled
def random_below(stream: Any, bound: Any) -> Any:
    """Return a uniform integer from 0 to `bound` - 1, exactly unbiased; `bound` is 1 to 2^32 - 1.

    The method is Lemire's ("Fast random integer generation in an interval", 2019).
    """
    size = np.uint64(bound)
    product = (next_word(stream) >> np.uint64(32)) * size
    if product & _LOW_HALF < size:
        least = (_TWO_TO_32 - size) % size
        while product & _LOW_HALF < least:
            product = (next_word(stream) >> np.uint64(32)) * size
    return np.int64(product >> np.uint64(32))


@compiled
def random_unit(stream: Any) -> Any:
    """Return a uniform float64 from 0 (included) to 1 (excluded)."""
    return np.float64(next_word(stream) >> np.uint64(11)) * (1.0 / (1 << 53))


@compiled
def shuffle(stream: Any, items: Any, count: Any) -> None:
    """Bring the first `count` items into uniformly random order, in place (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = random_below(stream, last + 1)
        item = items[last]
        items[last] = items[other]
        items[other] = item


@compiled
def split_key(seed: Any, deal: Any, role: Any) -> Any:
    """Return the key of one role (such as `DEALS`) in one deal of a seed (uint64)."""
    return split(split(split(seed, 0), deal), role)


def new_stream(seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return a stream of one's own (uint64 array [1]), such as an agent's `choose` takes.

    Raises `ValueError` where the seed is not an integer from 0 to 2^64 - 1.
    """
    return np.array([seed_key(seed, 0, AGENTS)], np.uint64)


def seed_key(seed: int, deal: int, role: int) -> np.uint64:
    """Return the same as `split_key`, from Python.

    Raises `ValueError` where the seed is not an integer from 0 to 2^64 - 1.
    """
    check_seed(seed)
    return np.uint64(split_key(np.uint64(seed), deal, role))


def check_seed(seed: Any) -> None:
    """Raise `ValueError` where `seed` is not an integer from 0 to 2^64 - 1."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise ValueError(f"seed={seed!r}: must be an integer from 0 to 2**64 - 1")
