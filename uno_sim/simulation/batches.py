"""`simulate`: many rounds or games between agents, from one seed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from uno_sim.explanation import IllegalActionError
from uno_sim.random_stream import check_seed
from uno_sim.registry import AgentLike, make_agent
from uno_sim.rule_set import RuleSet, check_rule_set
from uno_sim.rules.scoring import GAME_OVER
from uno_sim.simulation.driver import AgentTable, Batch, advance, start_rounds
from uno_sim.simulation.lockstep import RefusedActionError, answer, introduce, refusal
from uno_sim.simulation.results import Results
from uno_sim.simulation.seating import row_plan, seat_tables

ROWS_AT_ONCE = 512
"""About how many games are side by side; a compiled call lasts some ten milliseconds."""
ROWS_IN_LOCKSTEP = 4096
"""How many are where an agent is asked in batches: it answers many at a time faster."""
MAX_ROUNDS = 10_000
"""After how many rounds a game is given up: rules that score nothing would never end it."""


def simulate(
    rules: RuleSet,
    agents: Sequence[AgentLike],
    *,
    games: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    num_players: int | None = None,
    paired: bool | str = True,
    progress: bool = False,
) -> Results:
    """Play many games to the target, or many rounds alone, and return their rows.

    `agents` is one agent a player: names, agents (compiled or batched) or policies. `games` or
    `rounds` counts rows. With `paired` every deal is played once in each rotation of the seats
    (agent i in seat (i + rotation) mod P), so the rows must divide by the number of rotations;
    `"permutations"` takes every order of the seats; False gives each row a deal of its own. The
    same arguments give the same rows, and a row depends on nothing but the seed, its deal and its
    rotation, and on what else a batched agent is asked at the time where that sways it.

    Raises `ValueError` where an argument does not fit or a game would never end, and
    `IllegalActionError` where an agent returns an action that is not legal.
    """
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise ValueError(f"agents={agents!r}: must be a list of agents, one a player")
    cast = tuple(make_agent(agent) for agent in agents)
    if num_players is not None and num_players != len(cast):
        raise ValueError(f"num_players={num_players}, but agents has {len(cast)}: one a player")
    check_rule_set(rules)
    rules.check_players(len(cast))
    rules.check_deal(rules.num_cards, len(cast))
    check_seed(seed)
    if (games is None) == (rounds is None):
        raise ValueError("games, rounds: exactly one of them must be given")
    whole_games = games is not None
    rows = _checked_count("games" if whole_games else "rounds", games if whole_games else rounds)
    seats = seat_tables(len(cast), paired)
    if paired and rows % len(seats):
        below, above = rows - rows % len(seats), rows + -rows % len(seats)
        raise ValueError(
            f"{'games' if whole_games else 'rounds'}={rows}: must divide by the {len(seats)} "
            f"rotations of paired deals, such as {f'{below} or {above}' if below else above}"
        )
    deals, rotations = row_plan(rows, len(seats), paired)
    table = AgentTable(cast)
    introduce(cast, rules)
    parts = []
    batch = None
    at_once = ROWS_IN_LOCKSTEP if table.has_batched else ROWS_AT_ONCE
    size = math.ceil(at_once / len(seats)) * len(seats)
    unit = " games" if whole_games else " rounds"
    _Plan(
        rules, table, Batch(0, len(cast), table.memory_room), seed, deals[:0], rotations[:0], seats
    ).compile()
    with tqdm(total=rows, unit=unit, disable=not progress) as bar:
        for start in range(0, rows, size):
            part = slice(start, min(start + size, rows))
            count = part.stop - part.start
            if batch is None or len(batch.states) != count:
                batch = Batch(count, len(cast), table.memory_room)
            batch.clear()
            plan = _Plan(rules, table, batch, seed, deals[part], rotations[part], seats)
            parts.append(plan.play(whole_games))
            bar.update(count)
    names = [agent.name for agent in cast]
    round_frame = _frame([chunk for rows_, _ in parts for chunk in rows_], names)
    game_frame = _frame([rows_ for _, rows_ in parts], names)
    return Results(rules, cast, int(seed), seats, round_frame, game_frame)


class _Plan:
    """Some rows of a batch, to be played side by side."""

    def __init__(
        self,
        rules: RuleSet,
        table: AgentTable,
        batch: Batch,
        seed: int,
        deals: Any,
        rotations: Any,
        seats: Any,
    ) -> None:
        self.rules = rules
        self.table = table
        self.batch = batch
        self.seed = seed
        self.deals = deals
        self.rotations = rotations
        self.seats = seats[rotations]
        self.num_players = seats.shape[1]
        self.decisions = np.zeros(len(deals), np.int64)

    def play(self, whole_games: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Play all rows; return the columns of the rounds, a dict a wave, and of the games."""
        waves = []
        playing = np.arange(len(self.deals))
        while len(playing):
            self._play_round()
            waves.append(self._round_columns(playing))
            self.decisions[playing] += self.batch.tallies["decisions"][playing]
            if not whole_games:
                return waves, {}
            playing = playing[self._field("phase", playing) != GAME_OVER]
            if len(playing) and len(waves) == MAX_ROUNDS:
                raise ValueError(
                    f"games: deal {self.deals[playing[0]]} is not over after {MAX_ROUNDS:,} "
                    f"rounds; with these rules they score too little for target={self.rules.target}"
                )
        return _by_game(waves), self._game_columns()

    def compile(self) -> None:
        """Compile what playing takes, which a plan of no rows does, so that no bar waits for it."""
        self._play_round()

    def _play_round(self) -> None:
        batch, table = self.batch, self.table
        states, memories, streams, tallies = batch.arguments[:4]
        start_rounds(
            self.rules.record,
            self.num_players,
            np.uint64(self.seed),
            self.deals,
            self.rotations,
            states,
            memories,
            streams,
            tallies,
        )
        while True:
            faulty = advance(self.rules.record, self.seats, *table.arguments, *batch.arguments)
            if faulty >= 0:
                raise self._fault(faulty)
            if not table.has_batched:
                return
            try:
                if not len(answer(table, self.rules, self.seats, batch)):
                    return
            except RefusedActionError as error:
                raise self._fault(error.game) from None

    def _fault(self, game: int) -> IllegalActionError:
        state = self.batch.states[game]
        agent = self.table.agents[self.seats[game, state.current_player]]
        return refusal(
            agent,
            state,
            int(self.batch.fault[0]),
            f"seed {self.seed}, deal {self.deals[game]}, rotation {self.rotations[game]}, round "
            f"{state.round_number}, decision {self.batch.tallies[game].decisions + 1}",
        )

    def _row_columns(self, rows: Any) -> dict[str, Any]:
        return {"deal": self.deals[rows], "rotation": self.rotations[rows]}

    def _winner_columns(self, rows: Any, winner: Any) -> dict[str, Any]:
        seats = self.seats[rows]
        index = np.where(winner >= 0, seats[np.arange(len(rows)), np.maximum(winner, 0)], -1)
        return {"winner": winner.astype(np.int64), "winner_index": index}

    def _round_columns(self, rows: Any) -> dict[str, Any]:
        points = self._field("points", rows)
        first = self._field("first", rows).astype(np.int64)
        return {
            **self._row_columns(rows),
            "round": self._field("round_number", rows).astype(np.int64),
            "first": first,
            "starter": (first + 1) % self.num_players,
            **self._winner_columns(rows, self._field("round_winner", rows)),
            **{f"points_{seat}": points[:, seat] for seat in range(self.num_players)},
            "decisions": self.batch.tallies["decisions"][rows],
            "turns": self._field("turns", rows).astype(np.int64),
            "blocked": self._field("blocked", rows),
            "capped": self._field("capped", rows),
        }

    def _game_columns(self) -> dict[str, Any]:
        rows = np.arange(len(self.deals))
        scores = self._field("scores", rows)
        return {
            **self._row_columns(rows),
            **self._winner_columns(rows, self._field("winner", rows)),
            **{f"score_{seat}": scores[:, seat] for seat in range(self.num_players)},
            "rounds": self._field("round_number", rows).astype(np.int64),
            "decisions": self.decisions,
        }

    def _field(self, name: str, rows: Any) -> Any:
        """Return a copy of one field of some states, without copying the others."""
        return np.asarray(self.batch.states)[name][rows]


def _by_game(waves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rounds of all waves in the order of their games, as one dict of columns."""
    joined = {name: np.concatenate([wave[name] for wave in waves]) for name in waves[0]}
    order = np.lexsort((joined["round"], joined["rotation"], joined["deal"]))
    return [{name: column[order] for name, column in joined.items()}]


def _frame(parts: list[dict[str, Any]], names: list[str]) -> pd.DataFrame:
    """Return the parts' columns as one frame, with the winner's name beside its index."""
    parts = [part for part in parts if part]
    if not parts:
        return pd.DataFrame()
    columns = {}
    for name in parts[0]:
        columns[name] = np.concatenate([part[name] for part in parts])
        if name == "winner_index":
            columns["winner_agent"] = np.array([*names, None], object)[columns[name]]
    return pd.DataFrame(columns)


def _checked_count(field: str, count: Any) -> int:
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 1:
        raise ValueError(f"{field}={count!r}: must be an integer of at least 1")
    return int(count)
