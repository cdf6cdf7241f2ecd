"""Who sits where: every deal is played once in each rotation, so that seats favor nobody."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.policies import Agent, CompiledAgent
from uno_sim.statistics import Array

PAIRINGS = (True, False, "permutations")


def seat_tables(num_players: int, paired: bool | str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the agent at each seat for each rotation, int64 array `[R, P]`.

    By rotations agent i sits in seat (i + rotation) mod P; `"permutations"` gives every order.
    Raises `ValueError` where `paired` is not one of `PAIRINGS`.
    """
    if paired not in PAIRINGS:
        raise ValueError(f"paired={paired!r}: must be True, False or 'permutations'")
    if paired == "permutations":
        return np.array(list(itertools.permutations(range(num_players))), np.int64)
    seats = np.arange(num_players)
    return np.array([(seats - rotation) % num_players for rotation in seats], np.int64)


def row_plan(start: int, end: int, rotations: int, paired: bool) -> tuple[Any, Any]:
    """Return the deal and the rotation of the rows from `start` to `end`, two int64 arrays.

    Paired, each deal is played in all rotations, one row after another; unpaired, each row has a
    deal of its own, and the rotations take turns.
    """
    number = np.arange(start, end, dtype=np.int64)
    if paired:
        return number // rotations, number % rotations
    return number, number % rotations


def ordered_by_agent(by_seat: Array, seats: Array) -> Array:
    """Return numbers by seat as numbers by agent, both `[N, P]`; `seats` has each row's agents."""
    ordered = np.empty_like(by_seat)
    np.put_along_axis(ordered, seats, by_seat, axis=1)
    return ordered


def groups_of(agents: Sequence[Agent]) -> tuple[tuple[int, ...], ...]:
    """Return the different agents, each as the positions of all that are the same."""
    groups: list[list[int]] = []
    for index, agent in enumerate(agents):
        for members in groups:
            if same_agent(agents[members[0]], agent):
                members.append(index)
                break
        else:
            groups.append([index])
    return tuple(map(tuple, groups))


def same_agent(one: Agent, other: Agent) -> bool:
    """Return whether two agents choose alike: one policy with the same numbers, or one object."""
    if isinstance(one, CompiledAgent) and isinstance(other, CompiledAgent):
        return one.policy is other.policy and np.array_equal(one.params, other.params)
    return one is other


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, those that occur more than once numbered.

    >>> unique_names(["greedy", "random", "greedy"])
    ('greedy (1)', 'random', 'greedy (2)')
    """
    return tuple(
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    )
