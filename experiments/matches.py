"""What was played, and what it is called: agents, casts, seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from uno_sim import Aggregates, Results, RuleSet
from uno_sim.simulation.aggregates import aggregates_of
from uno_sim.simulation.seating import groups_of, same_agent, unique_names
from uno_sim.simulation.sums import Sums

TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True)
class Match:
    """What one cast of agents played at one game: single rounds, whole games, or both."""

    rules: RuleSet
    plain_names: tuple[str, ...]
    """A name an agent; those of several may be the same."""
    rounds: Results | Aggregates | None
    games: Results | Aggregates | None

    @classmethod
    def of(
        cls,
        *,
        rounds: Results | Aggregates | None = None,
        games: Results | Aggregates | None = None,
        names: Sequence[str] | None = None,
    ) -> Match:
        """Return the match of a batch of rounds, a batch of games, or one of each.

        `names` are other names than the agents' own. Raises `ValueError` where no batch is given
        or the two are not of the same agents and rules.
        """
        given = [results for results in (rounds, games) if results is not None]
        if not given:
            raise ValueError("rounds, games: at least one must be given")
        first = given[0]
        if any(not _same_cast(first, other) for other in given[1:]):
            raise ValueError("rounds, games: must be of the same agents and rules")
        own = (agent.name for agent in first.agents)
        return cls(first.rules, tuple(own if names is None else names), rounds, games)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.name

    @property
    def title(self) -> str:
        """The cast in words, such as `greedy against random`."""
        return cast_title(self.plain_names)

    @property
    def names(self) -> tuple[str, ...]:
        """A name an agent, no two the same."""
        return unique_names(self.plain_names)

    @property
    def equal(self) -> bool:
        """Whether all agents are the same."""
        return len(self.groups) == 1

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return len(self.plain_names)

    @property
    def groups(self) -> list[tuple[str, list[int]]]:
        """The different agents, as a name and the positions of all that are the same."""
        return [
            (
                self.names[members[0]]
                if len(members) == 1
                else f"each {self.plain_names[members[0]]}",
                list(members),
            )
            for members in groups_of(self._first.agents)
        ]

    @cached_property
    def round_sums(self) -> Sums:
        """What was counted in the rounds: single ones if any were played, else those of games."""
        return _aggregates(self._first).round_sums

    @cached_property
    def game_sums(self) -> Sums | None:
        """What was counted in whole games, None where none were played."""
        return None if self.games is None else _aggregates(self.games).game_sums

    @property
    def _first(self) -> Results | Aggregates:
        batch = self.games if self.rounds is None else self.rounds
        assert batch is not None
        return batch


def _aggregates(batch: Results | Aggregates) -> Aggregates:
    return aggregates_of(batch) if isinstance(batch, Results) else batch


def _same_cast(one: Results | Aggregates, other: Results | Aggregates) -> bool:
    return (
        one.rules == other.rules
        and len(one.agents) == len(other.agents)
        and all(map(same_agent, one.agents, other.agents))
    )


def cast_title(names: Sequence[str]) -> str:
    """Return a cast in words.

    >>> cast_title(["greedy", "random"])
    'greedy against random'
    """
    if len(names) == 2:
        return f"{names[0]} against {names[1]}"
    groups = [(name, len(list(group))) for name, group in groupby(names)]
    texts = [f"{count} {TIMES} {name}" if count > 1 else name for name, count in groups]
    if len(texts) == 2 and groups[0][1] == 1:
        return " against ".join(texts)
    return ", ".join(texts)


def seat_names(rules: RuleSet, num_players: int) -> tuple[str, ...]:
    """Return what the seats are called in the order in which they are due to move, `[P]`.

    The last one is the first drafter, or the dealer.
    """
    last = "first drafter" if rules.deal == "draft" else "dealer"
    between = ("2nd to move", "3rd to move", "4th to move")[: num_players - 2]
    return ("starter", *between, last)


def check_distinct(matches: Sequence[Match]) -> None:
    """Raise `ValueError` where two matches of a game have one title: a table would mix them."""
    seen: set[tuple[str, str]] = set()
    for match in matches:
        if (match.game, match.title) in seen:
            raise ValueError(f"two matches are called {match.title!r} ({match.game}): give names")
        seen.add((match.game, match.title))
