"""How likely the worlds of a decision are: what was given as a belief, and what to do with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from uno_sim.belief.choices import ChoiceBelief
from uno_sim.belief.models import SeatModel
from uno_sim.belief.worlds import tempered
from uno_sim.decisions.values import FEWEST_EFFECTIVE, effective_number, weights_of
from uno_sim.observation import Observation
from uno_sim.policies import BatchedAgent, CompiledAgent, Policy

FLOOR = 0.02
"""What share of the worlds their weights must be worth, where a model is given as a belief."""
BATCHES = 4
"""How many times as many worlds are drawn at most until they are."""


class Weigher(Protocol):
    """How likely an observer holds the worlds that are possible."""

    def log_weights(self, observation: Observation, worlds: Any) -> Any:
        """Return the logarithms of the weights of some worlds, float64 `[W]`.

        They are up to a constant, the same for all worlds of the observation.
        """


Belief = Weigher | SeatModel | Sequence[SeatModel | None]
"""What `evaluate_actions` takes as a belief."""


class Weighing:
    """The weights of the worlds of one decision, which are drawn in batches of `worlds`."""

    def __init__(self, belief: Belief | None, observation: Observation, worlds: int) -> None:
        self.observation = observation
        self.weigher = _weigher(belief)
        self.goal = 0.0
        """How many worlds of one weight the weights must be worth."""
        if isinstance(self.weigher, ChoiceBelief) and self.weigher.floor > 0:
            # No more than half of them: else nothing would be left of the belief.
            self.goal = max(self.weigher.floor * worlds, min(FEWEST_EFFECTIVE, worlds / 2))
        self._logs: list[Any] = []

    def add(self, worlds: Any) -> None:
        """Weigh some worlds, records `[W]`."""
        logs = np.zeros(len(worlds))
        if self.weigher is not None:
            logs = _checked(self.weigher.log_weights(self.observation, worlds), len(worlds))
        self._logs.append(logs)

    def is_worth_little(self, batches: int) -> bool:
        """Return whether more worlds should be drawn, after so many batches."""
        if not self.goal or batches >= BATCHES:
            return False
        return effective_number(weights_of(np.concatenate(self._logs))) < self.goal

    def weights(self) -> tuple[Any, float]:
        """Return the weights `[W]`, which sum to 1, and the power that they were taken to."""
        logs = np.concatenate(self._logs)
        weights = weights_of(logs)
        return tempered(logs, self.goal) if self.goal else (weights, 1.0)


def _weigher(belief: Any) -> Weigher | None:
    """Return what weighs worlds: a belief as it is, or one by a model of the others."""
    if belief is None or (hasattr(belief, "log_weights") and not isinstance(belief, type)):
        weigher: Weigher | None = belief
        return weigher
    if not isinstance(belief, Mapping | Sequence | Policy | CompiledAgent | BatchedAgent):
        raise ValueError(
            f"belief={belief!r}: must be an agent, a mixture (agents with their shares), a list "
            "with one of these for each seat, or an object with log_weights(observation, worlds)"
        )
    return ChoiceBelief(belief, floor=FLOOR)


def _checked(log_weights: Any, count: int) -> Any:
    """Return what a weigher returned as float64 `[count]`."""
    try:
        found = np.asarray(log_weights)
    except ValueError:  # rows of several lengths
        found = np.asarray(None)
    if found.shape != (count,) or found.dtype.kind not in "fiu":
        told = repr(log_weights)
        if found.ndim:
            told = f"{found.dtype} {list(found.shape)}"
        raise ValueError(f"belief: log_weights must be float [{count}], returned {told}")
    return found.astype(float)
