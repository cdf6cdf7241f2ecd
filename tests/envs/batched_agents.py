"""Batched agents in plain Python: by seed, recording, writing where they should not, and faulty."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.actions import NUM_ACTIONS


def legal_masks(observations: Any) -> Any:
    """Return the legal sets of some records as bool `[n, NUM_ACTIONS]`."""
    words = np.ascontiguousarray(np.asarray(observations)["legal"]).astype("<u8")
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :NUM_ACTIONS].astype(bool)


def nth_legal(masks: Any, wanted: Any) -> Any:
    """Return the legal action number `wanted` of each mask, counted round."""
    wanted = wanted % masks.sum(axis=1)
    return (np.cumsum(masks, axis=1) == wanted[:, None] + 1).argmax(axis=1)


class BySeed:
    """Choose by the seed and the turn: the same in any batch."""

    def __init__(self, name: str = "by seed") -> None:
        self.name = name
        self.calls = 0

    def act(self, observations: Any, seeds: Any) -> Any:
        self.calls += 1
        turns = np.asarray(observations)["turns"].astype(np.int64)
        return nth_legal(legal_masks(observations), (seeds >> np.uint64(40)).astype(int) + turns)


class Recording(BySeed):
    """Do as `BySeed` does, and remember what it was handed."""

    def __init__(self) -> None:
        super().__init__("recording")
        self.observations: list[bytes] = []
        self.seeds: list[int] = []
        self.sizes: list[int] = []

    def act(self, observations: Any, seeds: Any) -> Any:
        self.observations += [record.tobytes() for record in observations]
        self.seeds += seeds.tolist()
        self.sizes.append(len(seeds))
        return super().act(observations, seeds)


class Writing(BySeed):
    """Do as `BySeed` does, after writing into all that it was handed."""

    def act(self, observations: Any, seeds: Any) -> Any:
        actions = super().act(observations, seeds)
        np.asarray(observations).view(np.uint8)[:] = 255
        seeds[:] = 1
        return actions


class Answering(BySeed):
    """Do as `BySeed` does, but from some call on return what `answer` makes of the right actions.

    An `answer` may raise.
    """

    def __init__(self, answer: Any, first_call: int = 5) -> None:
        super().__init__("answering")
        self.answer = answer
        self.first_call = first_call

    def act(self, observations: Any, seeds: Any) -> Any:
        actions = super().act(observations, seeds)
        return self.answer(actions) if self.calls >= self.first_call else actions


class KnowingRules(BySeed):
    """Do as `BySeed` does; it must be told the rules first."""

    def __init__(self) -> None:
        super().__init__("knowing rules")
        self.rules: list[Any] = []

    def use_rules(self, rules: Any) -> None:
        self.rules.append(rules)

    def act(self, observations: Any, seeds: Any) -> Any:
        assert self.rules, "the rules were not told"
        return super().act(observations, seeds)
