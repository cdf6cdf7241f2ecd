"""What a batch returns: a row a round, a row a game, tables by agent, and any game again.

The columns of `rounds` and `games` are declared in `uno_sim.simulation.tallies`, and listed in
docs/results.md. `games` is empty where rounds were played alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from uno_sim.game import Game
from uno_sim.observation import Observation
from uno_sim.policies import Agent, BatchedAgent, CompiledAgent
from uno_sim.random_stream import AGENTS, DEALS, next_word, seed_key, split
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.lockstep import asked_actions
from uno_sim.state import Phase, allocate
from uno_sim.statistics import mean_by_deal, share_by_deal, totals_by_deal

EACH_ROUND = "each round"
"""An occasion that every round is, for every agent."""

MEANS = (
    ("drawn", "drawn", EACH_ROUND),
    ("dumps", "dumps", EACH_ROUND),
    ("cards_a_dump", "dumped", "dumps"),
)
"""Means of `Results.behavior`: the name, what is added up, and over how many occasions."""

SHARES = (
    ("bluff_rate", "bluffs", "wild_draws"),
    ("challenge_rate", "challenges", "wild_draws_faced"),
    ("challenge_success", "challenges_won", "challenges"),
    ("silence_rate", "uno_missed", "uno_asked"),
    ("caught_rate", "uno_caught", "uno_missed"),
)
"""Shares of `Results.behavior`: the name, what is counted, and out of what."""


@dataclass(frozen=True)
class Results:
    """The rows of a batch, and what it takes to play any of them again."""

    rules: RuleSet
    agents: tuple[Agent, ...]
    seed: int
    seats: np.ndarray[Any, np.dtype[np.int64]]
    """The agent at each seat for each rotation, `[R, P]`."""
    rounds: pd.DataFrame
    games: pd.DataFrame

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
        frame = self.games if self.unit == "games" else self.rounds
        name, prefix = ("score", "score_") if self.unit == "games" else ("points", "points_")
        by_agent = self.by_agent(frame, prefix)
        deals = frame["deal"].to_numpy() if len(frame) else np.zeros(0, np.int64)
        trials = np.bincount(deals)
        rows = []
        for index, agent in enumerate(self.agents):
            hits = totals_by_deal(deals, (frame["winner_index"] == index).to_numpy())
            share, low, high = share_by_deal(hits, trials, confidence)
            sums = totals_by_deal(deals, by_agent[:, index])
            mean, mean_low, mean_high = mean_by_deal(sums, trials, confidence)
            rows.append(
                {
                    "agent": agent.name,
                    self.unit: len(frame),
                    "wins": int(hits.sum()),
                    "win_rate": share,
                    "win_rate_low": low,
                    "win_rate_high": high,
                    name: mean,
                    f"{name}_low": mean_low,
                    f"{name}_high": mean_high,
                }
            )
        return pd.DataFrame(rows)

    def behavior(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return a row an agent: what it did in the rounds, with intervals.

        Columns: `agent`, `rounds` (how many), then those of `MEANS` and `SHARES`, each with its
        interval `.._low`, `.._high` (`statistics.mean_by_deal`, `share_by_deal`): the deal is the
        unit. Rates are of all rounds together, and NaN where there was no occasion.
        """
        deals = self.rounds["deal"].to_numpy()
        ones = np.ones(len(deals))
        named = {name for _, *pair in (*MEANS, *SHARES) for name in pair if name != EACH_ROUND}
        by_agent = {name: self.by_agent(self.rounds, f"{name}_") for name in named}
        rows = []
        for index, agent in enumerate(self.agents):

            def totals(name: str, index: int = index) -> Any:
                values = ones if name == EACH_ROUND else by_agent[name][:, index]
                return totals_by_deal(deals, values)

            row = {"agent": agent.name, "rounds": len(deals)}
            for measures, estimate in ((MEANS, mean_by_deal), (SHARES, share_by_deal)):
                for name, numbers, occasions in measures:
                    found = estimate(totals(numbers), totals(occasions), confidence)
                    row |= zip((name, f"{name}_low", f"{name}_high"), found, strict=True)
            rows.append(row)
        return pd.DataFrame(rows)

    def by_agent(self, frame: pd.DataFrame, prefix: str) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the columns `prefix + seat` of a frame ordered by agent, array `[rows, P]`."""
        by_seat = frame[[f"{prefix}{seat}" for seat in range(self.num_players)]].to_numpy()
        agents = self.seats[frame["rotation"].to_numpy()]
        ordered = np.empty_like(by_seat)
        np.put_along_axis(ordered, agents, by_seat, axis=1)
        return ordered

    def replay(self, row: int) -> Game:
        """Play the round of a row of `rounds` again, and return its game at the round's end.

        Of a whole game, the rounds before it are played again too. The game can be saved, and
        stepped through with `Game.replay(game.record)`.

        Raises `ValueError` where there is no such row, and where a batched agent, asked in this
        game alone, does not play as it did in the batch, as networks at times do.
        """
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
    root = np.uint64(split(seed_key(seed, deal, AGENTS), rotation))
    key = np.uint64(split(root, game.round_number))
    streams = [np.array([split(key, seat)], np.uint64) for seat in range(len(agents))]
    memories = [a.new_memory() if isinstance(a, CompiledAgent) else None for a in agents]
    while game.current_player is not None:
        seat = game.current_player
        agent, observation = agents[seat], game.observation(seat)
        if isinstance(agent, CompiledAgent):
            action = agent.choose(observation, streams[seat], memories[seat])
        else:
            action = ask_alone(agent, observation, streams[seat])
        game.step(action)


def ask_alone(agent: BatchedAgent, observation: Observation, random: Any) -> int:
    """Return what a batched agent does in a single game; `random` is its seat's stream."""
    records, seeds = allocate(1), np.array([next_word(random)], np.uint64)
    records[0] = observation.record
    return int(asked_actions(agent, observation.rules, records, seeds)[0])
