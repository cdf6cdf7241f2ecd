"""What a batch returns that keeps sums instead of rows; its memory does not grow with the run.

`Results` and `Aggregates` make the same tables, with the same functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from uno_sim.game import Game
from uno_sim.policies import Agent
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.results import Results, columns_of, play_game
from uno_sim.simulation.row_values import ROWS
from uno_sim.simulation.seating import groups_of
from uno_sim.simulation.sums import Arrays, Sums, add_up, unit_sums
from uno_sim.simulation.tables import behavior_table, comparison_table, summary_table

DEALS_AT_ONCE = 4096
"""How many deals of rows are summed at a time."""

DISTRIBUTIONS = ("points", "turns", "decisions", "score", "rounds")
"""What `Aggregates.distribution` can tell; the last two of games alone."""


@dataclass(frozen=True, repr=False)
class Aggregates:
    """The sums of a batch, and what it takes to play any of its rounds again."""

    rules: RuleSet
    agents: tuple[Agent, ...]
    seed: int
    seats: np.ndarray[Any, np.dtype[np.int64]]
    """The agent at each seat for each rotation, `[R, P]`."""
    round_sums: Sums
    """The sums of all rounds."""
    game_sums: Sums | None
    """The sums of all games, None where rounds were played alone."""

    def __repr__(self) -> str:
        """Return how much was played, and by whom."""
        names = ", ".join(agent.name for agent in self.agents)
        played = self.totals.total(ROWS)
        return f"<Aggregates of {played:,} {self.unit} of {self.rules.name}: {names}>"

    @property
    def num_players(self) -> int:
        """How many players each game has."""
        return len(self.agents)

    @property
    def unit(self) -> str:
        """What was played: `games`, or single `rounds`."""
        return "rounds" if self.game_sums is None else "games"

    @property
    def totals(self) -> Sums:
        """The sums of all games, or of all rounds where they were played alone."""
        return self.round_sums if self.game_sums is None else self.game_sums

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The different agents, each as the positions of all that are the same."""
        return groups_of(self.agents)

    def summary(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return a row an agent: how often it won and what it scored; see `Results.summary`."""
        return summary_table(self.agents, self.totals, self.unit, confidence)

    def comparisons(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return whether one of two agents wins more often; see `Results.comparisons`."""
        return comparison_table(self.agents, self.totals, self.unit, confidence)

    def behavior(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return a row an agent: what it did in the rounds; see `Results.behavior`."""
        return behavior_table(self.agents, self.round_sums, confidence)

    def distribution(self, name: str) -> pd.DataFrame:
        """Return how often each value was met: a row a value, and an agent where each has its own.

        `points` of a round, and `score` at the end of a game, are by agent, with the columns
        `index` (its place in `agents`), `agent`, `value`, `count`; `turns` and `decisions` of a
        round, and `rounds` of a game, have `value` and `count`. Raises `ValueError` where there is
        no such distribution.
        """
        of_games = name in ("score", "rounds")
        sums = self.game_sums if of_games else self.round_sums
        if name not in DISTRIBUTIONS or sums is None:
            known = DISTRIBUTIONS if self.game_sums is not None else DISTRIBUTIONS[:3]
            raise ValueError(f"distribution {name!r}: must be one of {', '.join(known)}")
        frames = []
        for index in range(sums.num_in(name)):
            values, counts = sums.histogram((name, index))
            columns: dict[str, Any] = {"value": values, "count": counts}
            if name in ("points", "score"):
                columns = {"index": index, "agent": self.agents[index].name, **columns}
            frames.append(pd.DataFrame(columns))
        return pd.concat(frames, ignore_index=True)

    def replay(self, *, deal: int, rotation: int = 0, round: int = 1) -> Game:
        """Play a round again, and return its game at the round's end; see `Results.replay`.

        The numbers are those that its row would have. Raises `ValueError` where there is no such
        round.
        """
        deals = self.totals.deals(ROWS)
        if not 0 <= deal < deals:
            raise ValueError(f"deal={deal}: must be from 0 to {deals - 1}")
        if not 0 <= rotation < len(self.seats):
            raise ValueError(f"rotation={rotation}: must be from 0 to {len(self.seats) - 1}")
        only = deal % len(self.seats)
        if rotation != only and self.totals.total(ROWS) == deals:
            raise ValueError(f"rotation={rotation}: deal {deal} was played in rotation {only} only")
        if round < 1 or (self.game_sums is None and round > 1):
            raise ValueError(f"round={round}: must be 1, or a later one of a game")
        agents = [self.agents[index] for index in self.seats[rotation]]
        game = play_game(self.rules, agents, self.seed, deal, rotation, round)
        if game.round_number < round:
            raise ValueError(f"round={round}: the game was over after {game.round_number}")
        return game

    @property
    def rounds(self) -> NoReturn:
        """There are none: `AttributeError`."""
        raise AttributeError("rounds: only sums were kept; keep='rows' keeps the rows")

    @property
    def games(self) -> NoReturn:
        """There are none: `AttributeError`."""
        raise AttributeError("games: only sums were kept; keep='rows' keeps the rows")


def aggregates_of(results: Results) -> Aggregates:
    """Return the aggregates of rows: those that the same batch returns which keeps no rows."""
    parts = _parts(results, groups_of(results.agents))
    return Aggregates(results.rules, results.agents, results.seed, results.seats, *add_up(parts))


def _parts(results: Results, groups: Sequence[Sequence[int]]) -> Iterator[tuple[Arrays, Arrays]]:
    last = int(results.rounds["deal"].iloc[-1])
    for deal in range(0, last + 1, DEALS_AT_ONCE):
        rounds, games = (_from_deal(frame, deal) for frame in (results.rounds, results.games))
        yield unit_sums(rounds, games, results.seats, groups)


def _from_deal(frame: pd.DataFrame, deal: int) -> dict[str, Any]:
    """Return the columns of the rows of some deals; rows are in the order of their deals."""
    if frame.empty:
        return {}
    begin, end = np.searchsorted(frame["deal"].to_numpy(), [deal, deal + DEALS_AT_ONCE])
    return columns_of(frame.iloc[begin:end])
