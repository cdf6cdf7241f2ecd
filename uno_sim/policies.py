"""Agents: compiled policies, what a policy may call, and batched agents in plain Python.

A policy is a function `(observation, rules, params, memory, random) -> action`:

* `observation`: the record of what the asked player knows (`state.FIELDS`); the asked player's
  seat is `observation.current_player`.
* `rules`: the rule set's record.
* `params`: float32 array, the agent's numbers.
* `memory`: float32 array, private to the seat and zeroed at the start of each round.
* `random`: the agent's random stream, for `random_below` and `random_unit`.

It must return a legal action. It runs inside the compiled simulator. The records are its own
copies, made anew for each decision; `params` cannot be written.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from uno_sim.bit_sets import nth, size
from uno_sim.compilation import compiled
from uno_sim.observation import Observation, copy_rules
from uno_sim.policy_calls import checked_action, legal_only
from uno_sim.random_stream import random_below, random_unit
from uno_sim.rule_set import new_rules_record
from uno_sim.rules.legal import is_legal
from uno_sim.state import copy

OBSERVES = ("everything", "own", "legal")
"""What a policy looks at: the whole observation; public fields, its own rows of the others, and the
question, but not the draw pile; or only the legal set. The less it is, the faster."""


@dataclass(frozen=True)
class Policy:
    """A compiled policy; made by the decorator `policy`."""

    name: str
    function: Callable[..., int]
    memory_size: int
    observes: str

    def __reduce__(self) -> Any:
        """Send where it is defined, so that another process compiles it as this one does."""
        module, name = self.function.__module__, self.function.__name__
        if getattr(sys.modules.get(module), name, None) is not self or module == "__main__":
            raise TypeError(
                f"policy {self.name!r}: another process cannot find it; define it at the top of a "
                "module, or name its agent by file.py::name"
            )
        return _find_policy, (module, name)


def policy(
    function: Callable[..., int] | None = None,
    *,
    name: str | None = None,
    memory: int = 0,
    observes: str = "everything",
) -> Any:
    """Make a compiled policy of a function; see the module for its arguments.

    `memory` is the length of the memory array. A policy that `observes="legal"` has an observation
    with no other field than `legal`. One that observes its `"own"` has no draw pile and none of the
    fields that are blank as long as two play and nothing was shuffled (`rare` in `state.FIELDS`),
    reads no other seat's row of a field that is not public, and writes into nothing but its memory
    and stream: in imagined worlds (`uno_sim.decisions`) it is handed the world as it is.

    Raises `ValueError` where an option does not fit.
    """
    if observes not in OBSERVES:
        raise ValueError(f"observes={observes!r}: must be {' or '.join(map(repr, OBSERVES))}")
    if not isinstance(memory, int) or memory < 0:
        raise ValueError(f"memory={memory!r}: must be an integer of at least 0")

    def decorate(decorated: Callable[..., int]) -> Policy:
        arguments = list(inspect.signature(decorated).parameters)
        if len(arguments) != 5:
            raise ValueError(
                f"policy {decorated.__name__!r}: takes {len(arguments)} arguments, must take five: "
                "observation, rules, params, memory, random"
            )
        function = compiled(checked=True)(decorated)
        return Policy(name or decorated.__name__, function, memory, observes)

    return decorate if function is None else decorate(function)


def _find_policy(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


@dataclass(frozen=True, eq=False)
class CompiledAgent:
    """A policy with its numbers and a name; equal to itself alone."""

    name: str
    policy: Policy
    params: np.ndarray[Any, np.dtype[np.float32]] = field(
        default_factory=lambda: np.zeros(0, np.float32)
    )

    def __post_init__(self) -> None:
        params = np.array(self.params, np.float32)
        if params.ndim != 1:
            raise ValueError(f"agent {self.name}: params must be one-dimensional")
        params.flags.writeable = False
        object.__setattr__(self, "params", params)

    def new_memory(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return the zeroed memory that a seat starts a round with."""
        return np.zeros(self.policy.memory_size, np.float32)

    def choose(self, observation: Observation, random: Any, memory: Any = None) -> int:
        """Return the action for an observation of the player who is asked.

        `random` is a stream (uint64 array [1]), advanced; `memory` is changed by the policy.
        """
        asked = observation.current_player
        if observation.player != asked:
            raise ValueError(f"observation of seat {observation.player}, but seat {asked} is asked")
        if memory is None:
            memory = self.new_memory()
        # Copies, so that a policy can change nothing but its memory and its stream.
        if self.policy.observes == "legal":
            record = legal_only(observation.record)
        else:
            record = copy(observation.record)
        rules = new_rules_record()
        copy_rules(rules, observation.rules.record)
        params = self.params.view()
        params.flags.writeable = False
        return checked_action(self.policy.function(record, rules, params, memory, random))


@runtime_checkable
class BatchedAgent(Protocol):
    """An agent in plain Python that is asked for many games at once, such as a network.

    Where it has a method `use_rules(rules)`, that is called before `act`, each time.
    """

    name: str

    def act(self, observations: Any, seeds: Any) -> Any:
        """Return the actions for some observations, integers `[n]`.

        `observations` is an array of records `[n]` (`state.STATE_DTYPE`), each what the asked
        player of a game knows; that seat is its `current_player`. `seeds` are uint64 `[n]`, one a
        decision: an agent that draws its random numbers from them plays the same in any batch.
        """


Agent = CompiledAgent | BatchedAgent

__all__ = [
    "Agent",
    "BatchedAgent",
    "CompiledAgent",
    "Policy",
    "is_legal",
    "nth_legal",
    "num_legal",
    "policy",
    "random_below",
    "random_legal_action",
    "random_unit",
]


@compiled
def num_legal(observation: Any) -> Any:
    """Return how many actions are legal."""
    count = 0
    for word in range(len(observation.legal)):
        count += size(observation.legal[word])
    return count


@compiled
def nth_legal(observation: Any, index: Any) -> Any:
    """Return the legal action number `index` (from 0), in ascending order."""
    for word in range(len(observation.legal)):
        bits = observation.legal[word]
        count = size(bits)
        if index < count:
            return word * 64 + nth(bits, index)
        index -= count
    return -1


@compiled(inlined=True)
def random_legal_action(observation: Any, random: Any) -> Any:
    """Return a uniformly random legal action."""
    return nth_legal(observation, random_below(random, num_legal(observation)))
