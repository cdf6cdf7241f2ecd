"""Compiled calls for one game, from Python.

Compiled code is handed a plain array some twenty times faster than a record, as long as all arrays
share the dtype object itself: so the record of a single game lies in an array of one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.actions import NUM_LEGAL_WORDS
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.compilation import compiled
from uno_sim.observation import observe
from uno_sim.rules.legal import is_legal
from uno_sim.rules.transition import step


def one_record(content: bytes, dtype: np.dtype[Any]) -> Any:
    """Return an array of one record with these bytes."""
    return np.frombuffer(bytearray(content), dtype)


@compiled
def step_one(states: Any, rules: Any, action: Any) -> Any:
    """Apply an action where it is legal, and return whether it is; the arrays hold one record."""
    legal = is_legal(states[0], action)
    if legal:
        step(states[0], rules[0], action)
    return legal


@compiled
def write_actions(states: Any, actions: Any) -> Any:
    """Write the legal actions of the one state into an array, and return how many there are."""
    count = 0
    for word in range(NUM_LEGAL_WORDS):
        bits = states[0].legal[word]
        while bits != EMPTY:
            actions[count] = 64 * word + lowest(bits)
            bits = without_lowest(bits)
            count += 1
    return count


@compiled
def observe_one(states: Any, player: Any, observations: Any) -> None:
    """Write what a player knows of the one state into an array of one observation."""
    observe(states[0], player, observations[0])
