"""A batch's plan: what is played, checked once, and cut into units that can be played anywhere."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from uno_sim.policies import Agent, CompiledAgent
from uno_sim.random_stream import check_seed
from uno_sim.registry import AgentLike, make_agent
from uno_sim.rule_set import RuleSet, check_rule_set
from uno_sim.simulation.seating import groups_of, row_plan, seat_tables

ROWS_AT_ONCE = 512
"""About how many games are side by side; a compiled call lasts some ten milliseconds."""
ROWS_IN_LOCKSTEP = 4096
"""How many are where an agent is asked in batches: it answers many at a time faster."""
BATCHES_IN_A_UNIT = 16
"""How many times as many rows a unit has at most, where all agents are compiled."""
UNITS = 32
"""Into about how many units a run is cut, if that makes them smaller: for many workers, and so that
little is lost of a run that is stopped, however slow its agents are."""
LEAST_IN_LOCKSTEP = 1024
"""How many rows a unit has at least where an agent is asked in batches, if there are so many."""

KEEPS = ("rows", "aggregates")
"""What can be kept of what is played: its rows, or sums alone."""
DEALS = "aggregates with deals"
"""What a tournament keeps instead of rows: sums, and what came of each deal."""


@dataclass(frozen=True)
class Plan:
    """What a batch plays; it can be sent to other processes."""

    rules: RuleSet
    agents: tuple[AgentLike, ...]
    seed: int
    rows: int
    whole_games: bool
    paired: bool | str
    rows_at_once: int
    """How many games are side by side: all rotations of some deals."""
    unit_rows: int
    """How many rows a unit has; the last one may have fewer. A deal is never cut in two."""
    keep: str = "rows"
    """What a unit returns, one of `KEEPS` or `DEALS`."""
    sent_as: tuple[AgentLike, ...] = field(default=(), compare=False)
    """What other processes make the agents of; `agents`, as they were given, where it is empty."""
    token: str = field(default_factory=lambda: uuid.uuid4().hex, compare=False)
    """Tells a process that a plan it is sent is one that it has had before."""

    @cached_property
    def cast(self) -> tuple[Agent, ...]:
        """The agents, made."""
        return tuple(make_agent(agent) for agent in self.agents)

    @property
    def num_players(self) -> int:
        """How many players each game has."""
        return len(self.agents)

    @cached_property
    def seats(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The agent at each seat for each rotation, `[R, P]`."""
        return seat_tables(self.num_players, self.paired)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The different agents, each as the positions of all that are the same."""
        return groups_of(self.cast)

    @cached_property
    def is_compiled(self) -> bool:
        """Whether no agent is asked in batches."""
        return all(isinstance(agent, CompiledAgent) for agent in self.cast)

    @property
    def num_units(self) -> int:
        """How many units there are."""
        return math.ceil(self.rows / self.unit_rows)

    def rows_of(self, unit: int) -> int:
        """Return how many rows a unit has."""
        return min(self.unit_rows, self.rows - unit * self.unit_rows)

    def batches_of(self, unit: int) -> list[tuple[Any, Any]]:
        """Return the deals and rotations of each batch of a unit, int64 arrays."""
        start = unit * self.unit_rows
        end = start + self.rows_of(unit)
        deals, rotations = row_plan(start, end, len(self.seats), bool(self.paired))
        cuts = range(self.rows_at_once, end - start, self.rows_at_once)
        return list(zip(np.split(deals, cuts), np.split(rotations, cuts), strict=True))

    def __reduce__(self) -> Any:
        """Send what was given, and not what was made of it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        values["agents"] = self.sent_as or self.agents
        return Plan, tuple(values.values())


def make_plan(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    games: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    num_players: int | None = None,
    paired: bool | str = True,
    keep: str = "rows",
    sent_as: Sequence[AgentLike] = (),
) -> Plan:
    """Return the plan of `simulate`'s arguments; `ValueError` where one does not fit.

    `sent_as` may name agents that are given made: other processes make them anew.
    """
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise ValueError(f"agents={agents!r}: must be a list of agents, one a player")
    given = tuple(agents)
    cast = [make_agent(agent) for agent in given]
    if num_players is not None and num_players != len(given):
        raise ValueError(f"num_players={num_players}, but agents has {len(given)}: one a player")
    check_rule_set(rules)
    rules.check_players(len(given))
    rules.check_deal(rules.num_cards, len(given))
    check_seed(seed)
    if keep not in KEEPS:
        raise ValueError(f"keep={keep!r}: must be {' or '.join(map(repr, KEEPS))}")
    if (games is None) == (rounds is None):
        raise ValueError("games, rounds: exactly one of them must be given")
    unit = "rounds" if games is None else "games"
    rows = checked_count(unit, rounds if games is None else games)
    rotations = len(seat_tables(len(given), paired))
    if paired and rows % rotations:
        below, above = rows - rows % rotations, rows + -rows % rotations
        raise ValueError(
            f"{unit}={rows}: must divide by the {rotations} rotations of paired deals, such as "
            f"{f'{below} or {above}' if below else above}"
        )
    is_compiled = all(isinstance(agent, CompiledAgent) for agent in cast)
    at_once = ROWS_AT_ONCE if is_compiled else ROWS_IN_LOCKSTEP
    at_once = math.ceil(at_once / rotations) * rotations
    unit_rows = _unit_rows(rows, rotations, at_once, is_compiled)
    whole_games = games is not None
    sizes = rows, whole_games, paired, at_once, unit_rows
    return Plan(rules, given, int(seed), *sizes, keep, tuple(sent_as))


def _unit_rows(rows: int, rotations: int, at_once: int, is_compiled: bool) -> int:
    """Return how many rows a unit has: some whole batches, or a smaller one of whole deals."""
    wanted = max(math.ceil(rows / UNITS), 1 if is_compiled else LEAST_IN_LOCKSTEP)
    step = at_once if wanted >= at_once else rotations
    most = at_once * (BATCHES_IN_A_UNIT if is_compiled else 1)
    return min(most, math.ceil(wanted / step) * step)


def checked_count(field: str, count: Any) -> int:
    """Return a count as an integer; `ValueError` where it is none of at least 1."""
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 1:
        raise ValueError(f"{field}={count!r}: must be an integer of at least 1")
    return int(count)
