"""Agents that fail in the middle of a game, at a moment that the game alone decides."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tests.envs.batched_agents import BySeed
from uno_sim import policy
from uno_sim.policies import nth_legal, num_legal

LATE = 25
"""From how many turns on they fail."""


class LostError(Exception):
    """What an agent raises; it cannot be made again of its arguments."""

    def __init__(self, what: str, observation: bytes) -> None:
        super().__init__(what)
        self.what = what
        self.observation = observation


class FailingLate(BySeed):
    """Play by the seed, and fail where a game has gone on for long, in one of several ways."""

    version = 1
    """It is the same player however late it fails."""

    def __init__(self, way: str = "raises", late: int = LATE) -> None:
        super().__init__(f"batched, {way}")
        self.way = way
        self.late = late

    def act(self, observations: Any, seeds: Any) -> Any:
        actions = super().act(observations, seeds)
        late = np.flatnonzero(np.asarray(observations)["turns"] >= self.late)
        if not len(late):
            return actions
        if self.way == "raises":
            raise ValueError(np.asarray(observations)[late[0]].tobytes().hex())
        if self.way == "raises what cannot be sent":
            raise LostError("lost", b"")
        if self.way == "leaves":
            raise SystemExit("bye")
        if self.way == "dies":
            os._exit(3)
        if self.way == "answers too little":
            return actions[:-1]
        if self.way == "answers in floats":
            return actions.astype(float)
        actions[late] = 200
        return actions


@policy
def raising_late(observation, rules, params, memory, random):
    if observation.turns >= LATE:
        raise ValueError("too late")
    return nth_legal(observation, num_legal(observation) - 1)


@policy
def illegal_late(observation, rules, params, memory, random):
    if observation.turns >= LATE:
        return 200
    return nth_legal(observation, num_legal(observation) - 1)


@policy
def slow(observation, rules, params, memory, random):
    """Think for about a millisecond."""
    number = observation.turns + 1
    for _ in range(1_000_000):
        number = (number * 69069 + 1) % 4294967296
    if number == 4294967296:
        return -1
    return nth_legal(observation, 0)


class Slow(BySeed):
    """Play by the seed, some milliseconds an observation."""

    def act(self, observations: Any, seeds: Any) -> Any:
        for _ in range(len(seeds)):
            np.linalg.svd(np.ones((60, 60)))
        return super().act(observations, seeds)
