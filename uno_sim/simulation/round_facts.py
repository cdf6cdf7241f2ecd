"""What the state and its tally say of a round that is over, as columns: winner, points, lengths.

While rows are gathered it is one array, int64 `[N, F]`, written by one compiled call a batch.
Calls of NumPy, one for each column, took half of the time that `simulate` adds to the playing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from uno_sim.compilation import compiled
from uno_sim.simulation.tallies import ROUND_COLUMNS

_NAMES = (
    *("round", "first", "starter", "winner", "winner_index", "points"),
    *("decisions", "turns", "blocked", "capped"),
)


@cache
def _columns(num_players: int) -> dict[str, np.dtype[Any]]:
    """Return the names and types of the columns, in their order."""
    by_name = {column.name: column for column in ROUND_COLUMNS}
    return {
        name: np.dtype(by_name[fact].dtype)
        for fact in _NAMES
        for name in by_name[fact].names(num_players)
    }


@compiled
def write_facts(
    rows: Any, tallies: Any, states: Any, seats: Any, num_players: Any, facts: Any
) -> None:
    """Write the facts of some rounds; `rows` are places in the other arrays, `seats` is `[N, P]`.

    `seats[n, p]` is the agent in seat p.
    """
    for i in range(len(rows)):
        state, fact = states[rows[i]], facts[i]
        fact[0] = state.round_number
        fact[1] = state.first
        fact[2] = (state.first + 1) % num_players
        fact[3] = state.round_winner
        fact[4] = seats[rows[i], state.round_winner] if state.round_winner >= 0 else -1
        for seat in range(num_players):
            fact[5 + seat] = state.points[seat]
        fact[5 + num_players] = tallies[rows[i]].decisions
        fact[6 + num_players] = state.turns
        fact[7 + num_players] = state.blocked
        fact[8 + num_players] = state.capped


def facts_of(rows: Any, tallies: Any, states: Any, seats: Any) -> Any:
    """Return the facts of some rounds, `[N, F]`; see `write_facts`."""
    num_players = seats.shape[1]
    facts = np.empty((len(rows), len(_columns(num_players))), np.int64)
    write_facts(rows, tallies, states, seats, num_players, facts)
    return facts


def fact(facts: Any, name: str, num_players: int) -> Any:
    """Return one column of facts `[N, F]`."""
    return facts[:, [*_columns(num_players)].index(name)]


def facts_as_columns(facts: Any, num_players: int) -> dict[str, Any]:
    """Return facts `[N, F]` as columns by name."""
    columns = zip(_columns(num_players).items(), np.ascontiguousarray(facts.T), strict=True)
    return {name: numbers.astype(dtype, copy=False) for (name, dtype), numbers in columns}
