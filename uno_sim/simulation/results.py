"""What a batch returns: a row a round, a row a game, tables by agent, and any game again.

The columns of `rounds` and `games` are declared in `uno_sim.simulation.tallies`, and listed in
docs/results.md. `games` is empty where rounds were played alone.
"""

from __future__ import annotations

import importlib.util
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from uno_sim.files import write_whole
from uno_sim.game import Game
from uno_sim.policies import Agent
from uno_sim.random_stream import DEALS, seed_key
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.failures import begin_seats
from uno_sim.simulation.row_values import RowValues
from uno_sim.simulation.seated_agents import ask
from uno_sim.simulation.seating import ordered_by_agent
from uno_sim.simulation.tables import RowTotals, behavior_table, comparison_table, summary_table
from uno_sim.state import Phase


@dataclass(frozen=True, repr=False)
class Results:
    """The rows of a batch, and what it takes to play any of them again."""

    rules: RuleSet
    agents: tuple[Agent, ...]
    seed: int
    seats: np.ndarray[Any, np.dtype[np.int64]]
    """The agent at each seat for each rotation, `[R, P]`."""
    rounds: pd.DataFrame
    games: pd.DataFrame

    def __repr__(self) -> str:
        """Return how much was played, and by whom."""
        names = ", ".join(agent.name for agent in self.agents)
        played = self.games if self.unit == "games" else self.rounds
        return f"<Results of {len(played):,} {self.unit} of {self.rules.name}: {names}>"

    @property
    def num_players(self) -> int:
        """How many players each game has."""
        return len(self.agents)

    @property
    def unit(self) -> str:
        """What was played: `games`, or single `rounds`."""
        return "games" if len(self.games) else "rounds"

    def summary(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return a row an agent: how often it won and what it scored, with intervals.

        Columns: `agent`, `games` or `rounds` (how many), `wins`, `win_rate` with its interval
        `win_rate_low`, `win_rate_high` (`statistics.share_by_deal`), and the mean of the points of
        a round (`points`) or of the final scores (`score`) with its interval `.._low`, `.._high`
        (`statistics.mean_by_deal`): the deal is the unit, since the rows of a deal are not
        independent. Rounds without a winner count as won by nobody.
        """
        return summary_table(self.agents, self.totals, self.unit, confidence)

    def comparisons(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return for every two agents whether one wins more often than the other.

        Columns: `agent`, `opponent` (names that occur more than once are numbered), `games` or
        `rounds`, `deals`, `difference` of their win rates with its ends `low` and `high`, `p_value`
        (of no difference), `p_corrected`, `resolved` and `verdict` for all comparisons together
        (`tables.with_verdicts`), and the difference of the means of the points of a round
        (`points`) or of the final scores (`score`) with its ends `.._low`, `.._high`. All are of
        the differences in each deal, so what a deal gives to both cancels out
        (`statistics.difference_by_deal`).
        """
        return comparison_table(self.agents, self.totals, self.unit, confidence)

    def behavior(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return a row an agent: what it did in the rounds, with intervals.

        Columns: `agent`, `rounds` (how many), then those of `tables.MEANS` and `tables.SHARES`,
        each with its interval `.._low`, `.._high` (`statistics.mean_by_deal`, `share_by_deal`): the
        deal is the unit. Rates are of all rounds together, and NaN where there was no occasion.
        """
        return behavior_table(self.agents, self._totals_of(self.rounds), confidence)

    def by_agent(self, frame: pd.DataFrame, prefix: str) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the columns `prefix + seat` of a frame ordered by agent, array `[rows, P]`.

        Raises `ValueError` where there are none, as without the `_` of `points_`.
        """
        if f"{prefix}0" not in frame:
            prefixes = [f"{name[:-1]!r}" for name in map(str, frame) if name.endswith("_0")]
            raise ValueError(f"prefix={prefix!r}: must be one of {', '.join(prefixes) or 'none'}")
        by_seat = frame[[f"{prefix}{seat}" for seat in range(self.num_players)]].to_numpy()
        return ordered_by_agent(by_seat, self.seats[frame["rotation"].to_numpy()])

    @property
    def totals(self) -> RowTotals:
        """The totals of all games, or of all rounds where they were played alone."""
        return self._totals_of(self.games if self.unit == "games" else self.rounds)

    def _totals_of(self, frame: pd.DataFrame) -> RowTotals:
        return RowTotals(RowValues(columns_of(frame), self.seats))

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write `rounds`, and `games` where there are any, and return their files.

        They are Parquet where pyarrow is installed (the extra `parquet`), else CSV; each is written
        whole or not at all, and replaces one of its name. The folder is made where it is not
        there. Raises `OSError` where that fails.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        frames = {"rounds": self.rounds, "games": self.games}
        kind = "parquet" if importlib.util.find_spec("pyarrow") else "csv"
        files = []
        for name, frame in frames.items():
            if len(frame):
                file = Path(folder) / f"{name}.{kind}"
                content = io.BytesIO()
                if kind == "parquet":
                    frame.to_parquet(content, index=False)
                else:
                    frame.to_csv(content, index=False, lineterminator="\n")
                write_whole(file, content.getvalue())
                files.append(file)
        return files

    def replay(
        self, row: int | None = None, *, deal: int | None = None, rotation: int = 0, round: int = 1
    ) -> Game:
        """Play the round of a row of `rounds` again, and return its game at the round's end.

        The row is given by its place, or by its `deal`, `rotation` and `round`. Of a whole game,
        the rounds before it are played again too. The game can be saved, and stepped through with
        `Game.replay(game.record)`.

        Raises `ValueError` where there is no such row, and where a batched agent, asked in this
        game alone, does not play as it did in the batch, as networks at times do.
        """
        if row is None:
            row = self._row_of(deal, rotation, round)
        elif deal is not None:
            raise ValueError("row, deal: only one of them can be given")
        if not 0 <= row < len(self.rounds):
            raise ValueError(f"row {row}: must be from 0 to {len(self.rounds) - 1}")
        played = self.rounds.iloc[row]
        deal, rotation, last_round = (
            int(played[column]) for column in ("deal", "rotation", "round")
        )
        agents = [self.agents[index] for index in self.seats[rotation]]
        game = play_game(self.rules, agents, self.seed, deal, rotation, last_round)
        again = len(game.record.rounds[-1].actions), game.turns, game.points
        points = [int(played[f"points_{seat}"]) for seat in range(self.num_players)]
        if again != (played["decisions"], played["turns"], points):
            raise ValueError(
                f"row {row}: an agent does not play it again as it did in the batch; its answers "
                "depend on what else it is asked at the time"
            )
        return game

    def _row_of(self, deal: int | None, rotation: int, round_number: int) -> int:
        """Return the place of the row of these numbers."""
        if deal is None:
            raise ValueError("row, deal: one of them must be given")
        wanted = {"deal": deal, "rotation": rotation, "round": round_number}
        is_it = np.logical_and.reduce(
            [self.rounds[name].to_numpy() == number for name, number in wanted.items()]
        )
        if not is_it.any():
            raise ValueError(
                f"deal={deal}, rotation={rotation}, round={round_number}: there is no such row"
            )
        return int(is_it.argmax())


def columns_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Return the columns of a frame as arrays by name."""
    return {str(name): column.to_numpy() for name, column in frame.items()}


def play_game(
    rules: RuleSet,
    agents: Sequence[Agent],
    seed: int,
    deal: int = 0,
    rotation: int = 0,
    last_round: int | None = None,
) -> Game:
    """Play one game of a batch in plain Python, `agents` by seat, and return it at its end.

    With `last_round` it stops when that round is over.
    """
    game = Game.from_root(rules, len(agents), int(seed_key(seed, deal, DEALS)))
    while True:
        play_round(game, agents, seed, deal, rotation)
        if game.phase == Phase.GAME_OVER or game.round_number == last_round:
            return game
        game.next_round()


def play_round(game: Game, agents: Sequence[Agent], seed: int, deal: int, rotation: int) -> None:
    """Play the round that has begun to its end, with the random streams of a batch."""
    streams, memories = begin_seats(agents, seed, deal, rotation, game.round_number)
    while game.current_player is not None:
        seat = game.current_player
        game.step(ask(agents[seat], game.observation(seat), streams[seat], memories[seat]))
