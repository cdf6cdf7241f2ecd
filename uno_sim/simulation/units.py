"""Playing one unit of a plan: its rows as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from uno_sim.agent_table import AgentTable
from uno_sim.moments import Moments
from uno_sim.rule_set import MAX_ROUNDS
from uno_sim.rules.scoring import GAME_OVER
from uno_sim.simulation.deal_totals import as_arrays, totals_of_deals
from uno_sim.simulation.driver import Batch, advance, start_rounds
from uno_sim.simulation.failures import AgentError, Decision, agent_error, record_up_to
from uno_sim.simulation.lockstep import (
    Answers,
    FailedAgentError,
    answer,
    compiled_failure,
    illegal_action,
    introduce,
)
from uno_sim.simulation.plan import DEALS, Plan
from uno_sim.simulation.round_facts import fact, facts_as_columns, facts_of
from uno_sim.simulation.row_values import RowValues
from uno_sim.simulation.sums import unit_sums
from uno_sim.simulation.tallies import add_counts, as_columns, counted_names, counts_of
from uno_sim.speed_hints import for_call

Columns = dict[str, Any]
"""Columns of rows by name, arrays `[N]`."""

FACTS = "facts"
COUNTS = "counts"
"""While rows are gathered, what the state says and what was counted are one array each."""


def _nothing(_: int = 0) -> None:
    """Do nothing."""


class UnitPlayer:
    """Plays units of a plan one after another; each worker has one of its own.

    `check` is called before each compiled call, and stops the playing where it raises; `tell` is
    called with the number of rows that are finished since the last time.
    """

    def __init__(
        self,
        plan: Plan,
        check: Callable[[], None] = _nothing,
        tell: Callable[[int], None] = _nothing,
    ) -> None:
        self.plan = plan
        self.check = check
        self.tell = tell
        self.moments = Moments()
        """How many games a compiled call plays on."""
        self._table = AgentTable(plan.cast)
        introduce(plan.cast, plan.rules)
        self._batches: dict[int, Batch] = {}

    def prepare(self) -> None:
        """Compile what playing takes, which no rows do too, so that no bar waits for it."""
        nothing = np.zeros(0, np.int64)
        rows = self._rows(nothing, nothing)
        rows.play_round()
        columns = self._spread(rows.finish_round(nothing))
        if self.plan.keep != "rows":
            self._summed(columns, {})

    def play(self, unit: int) -> tuple[Columns, Columns]:
        """Return the columns of a unit's rounds, and of its games where games are played.

        Where the plan keeps no rows, they are the sums of these instead (`sums.unit_sums`), for a
        tournament with those of each deal (`deal_totals.as_arrays`). Raises `ValueError` where a
        game would never end, and `AgentError` where an agent fails.
        """
        parts = [
            self._rows(deals, rotations).play(self.plan.whole_games)
            for deals, rotations in self.plan.batches_of(unit)
        ]
        rounds, games = (join_columns(part[kind] for part in parts) for kind in range(2))
        rounds, games = self._spread(rounds), self._spread(games)
        return (rounds, games) if self.plan.keep == "rows" else self._summed(rounds, games)

    def _summed(self, rounds: Columns, games: Columns) -> tuple[Columns, Columns]:
        seats = self.plan.seats
        of_rounds, of_games = unit_sums(rounds, games, seats, self.plan.groups)
        if self.plan.keep == DEALS:
            values = RowValues(games or rounds, seats)
            of_rounds |= as_arrays(totals_of_deals(values, "score" if games else "points"))
        return of_rounds, of_games

    def _spread(self, columns: Columns) -> Columns:
        """Return columns with facts and counts as columns of their own."""
        spread: Columns = {}
        for name, column in columns.items():
            if name == FACTS:
                spread |= facts_as_columns(column, self.plan.num_players)
            elif name == COUNTS:
                spread |= as_columns(column, self.plan.num_players)
            else:
                spread[name] = column
        return spread

    def _rows(self, deals: Any, rotations: Any) -> _Rows:
        """Return some rows with cleared records to play them in."""
        count = len(deals)
        if count not in self._batches:
            size = count, self.plan.num_players, self._table.memory_room
            self._batches = {count: Batch(*size)}
        batch = self._batches[count]
        batch.clear()
        return _Rows(self, self._table, batch, deals, rotations)


class _Rows:
    """Some rows of a plan, to be played side by side."""

    def __init__(
        self, player: UnitPlayer, table: AgentTable, batch: Batch, deals: Any, rotations: Any
    ) -> None:
        plan = player.plan
        self.player = player
        self.rules = plan.rules
        self.seed = plan.seed
        self.num_players = plan.num_players
        self.table = table
        self.batch = batch
        self.deals = deals
        self.rotations = rotations
        self.seats = plan.seats[rotations]
        self.decisions = np.zeros(len(deals), np.int64)
        self.answers: Answers = []
        """What batched agents have answered so far."""
        self.totals = np.zeros((len(deals), len(counted_names(plan.num_players))), np.int32)

    def play(self, whole_games: bool) -> tuple[Columns, Columns]:
        """Play all rows; return the columns of the rounds, and of the games where there are."""
        waves = []
        playing = np.arange(len(self.deals))
        while len(playing):
            self.play_round()
            if not whole_games:
                if self.table.has_batched:
                    self.player.tell(len(playing))
                return self._round_columns(playing), {}
            waves.append(self.finish_round(playing))
            before = len(playing)
            playing = playing[self._field("phase", playing) != GAME_OVER]
            self.player.tell(before - len(playing))
            if len(playing) and len(waves) == MAX_ROUNDS:
                raise ValueError(
                    f"games: deal {self.deals[playing[0]]} is not over after {MAX_ROUNDS:,} "
                    f"rounds; with these rules they score too little for target={self.rules.target}"
                )
        return _by_game(waves), self._game_columns()

    def play_round(self) -> None:
        """Play the next round of every game that is not over."""
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
        try:
            self._advance()
            while table.has_batched:
                if not answer(table, self.rules, self.seats, batch, self.answers):
                    return
                self._advance()
        except FailedAgentError as failure:
            raise self._error(failure) from failure.__cause__

    def _advance(self) -> None:
        """Play every game on, some at a time, until its round ends or a batched agent is asked."""
        batch, table, player = self.batch, self.table, self.player
        games, scratch = batch.arguments[:4], batch.arguments[4:]
        count = len(self.deals)
        # Without games one call all the same, which compiles.
        for part in player.moments.slices(count) if count else [slice(0, 0)]:
            player.check()
            own = [array[part] for array in games]
            try:
                faulty = advance(
                    self.rules.record, self.seats[part], *table.arguments, *own, *scratch
                )
            except Exception as error:
                raise compiled_failure(table, self.seats, batch, error) from error
            if faulty >= 0:
                raise illegal_action(batch, part.start + faulty)
            if not (table.has_batched or player.plan.whole_games):
                player.tell(part.stop - part.start)

    def finish_round(self, rows: Any) -> Columns:
        """Return the columns of the round that some rows have played, and add it to their games."""
        columns = self._round_columns(rows)
        add_counts(rows, columns[COUNTS], self.totals)
        self.decisions[rows] += fact(columns[FACTS], "decisions", self.num_players)
        return columns

    def _error(self, failure: FailedAgentError) -> AgentError:
        game = failure.game
        state = self.batch.states[game]
        agents = [self.table.agents[number] for number in self.seats[game]]
        where = Decision.asked(
            agents[state.current_player].name,
            state,
            self.seed,
            deal=int(self.deals[game]),
            rotation=int(self.rotations[game]),
            decision=int(self.batch.tallies[game].decisions) + 1,
        )
        given = (int(one) for games, actions in self.answers for one in actions[games == game])
        return agent_error(failure, where, record_up_to(self.rules, agents, where, state, given))

    def _row_columns(self, rows: Any) -> Columns:
        return {"deal": self.deals[rows], "rotation": self.rotations[rows]}

    def _winner_columns(self, rows: Any, winner: Any) -> Columns:
        seats = self.seats[rows]
        index = np.where(winner >= 0, seats[np.arange(len(rows)), np.maximum(winner, 0)], -1)
        return {"winner": winner.astype(np.int64), "winner_index": index}

    def _round_columns(self, rows: Any) -> Columns:
        states, tallies = for_call(self.batch.states), for_call(self.batch.tallies)
        return {
            **self._row_columns(rows),
            FACTS: facts_of(rows, tallies, states, self.seats),
            COUNTS: counts_of(rows, tallies, states, self.rules.record, self.num_players),
        }

    def _game_columns(self) -> Columns:
        rows = np.arange(len(self.deals))
        scores = self._field("scores", rows)
        return {
            **self._row_columns(rows),
            **self._winner_columns(rows, self._field("winner", rows)),
            **{f"score_{seat}": scores[:, seat] for seat in range(self.num_players)},
            "rounds": self._field("round_number", rows).astype(np.int64),
            "decisions": self.decisions,
            COUNTS: self.totals[:, :-1],
        }

    def _field(self, name: str, rows: Any) -> Any:
        """Return a copy of one field of some states, without copying the others."""
        return np.asarray(self.batch.states)[name][rows]


def _by_game(waves: list[Columns]) -> Columns:
    """Return the rounds of all waves in the order of their games."""
    joined = join_columns(waves)
    rounds = joined[FACTS][:, 0]
    order = np.lexsort((rounds, joined["rotation"], joined["deal"]))
    return {name: column[order] for name, column in joined.items()}


def join_columns(parts: Iterable[Columns]) -> Columns:
    """Return the columns of some parts, one after another; parts without columns are left out."""
    filled = [part for part in parts if part]
    if not filled:
        return {}
    return {name: np.concatenate([part[name] for part in filled]) for name in filled[0]}
