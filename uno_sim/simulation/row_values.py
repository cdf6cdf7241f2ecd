"""The numbers of rows in the order of the agents, by name: what tables and sums are made of.

Shapes: `[N]` rows, `[P]` players, `[G]` groups of agents that are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from uno_sim.simulation.seating import ordered_by_agent
from uno_sim.statistics import Array

Number = tuple[str, int]
"""A number of a row: its name, and the place of the agent, the group or whatever has one each."""

ROWS: Number = ("rows", 0)
"""The number that is 1 in each row."""


class RowValues:
    """The numbers of some rows, each array made when it is first asked for.

    Names and shapes: `rows` `[N, 1]` and `plays` `[N, P]`, always 1; `wins` `[N, P]`; `places`
    `[N, P]`, whether the player won who was due to move first, second and so on; `scored` `[N, P]`,
    whether any points were scored; `outcome_rows` and `outcome_score` `[N, 2]`, of the winner and
    of all others; `group_...` `[N, G]`, the sum of a group's agents; columns by seat, such as
    `points`, by agent `[N, P]`; other columns `[N, 1]`.
    """

    def __init__(
        self,
        columns: Mapping[str, Any],
        seats: Array,
        groups: Sequence[Sequence[int]] = (),
        first: Array | None = None,
    ) -> None:
        """Take the columns of rows; `first` are the first seats of rows that do not have them."""
        self.deals = np.asarray(columns["deal"])
        self._columns = columns
        self._agents = seats[np.asarray(columns["rotation"])]
        self._groups = groups
        self._first = first
        self._made: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        """Return the numbers of a name, an array of two dimensions; `KeyError` where none is."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def series(self, name: str) -> list[tuple[Array, Array]]:
        """Return the deals and the values of each that has numbers of this name.

        Those of a group are of all its agents, row by row; `outcome_score` has the winners' scores,
        and those of all others.
        """
        if name == "outcome_score":
            won, score = self["wins"], self["score"]
            deals = np.broadcast_to(self.deals[:, None], won.shape)
            return [(deals[chosen], score[chosen]) for chosen in (won, ~won)]
        if name.startswith("group_"):
            by_agent = self[name.removeprefix("group_")]
            return [
                (np.repeat(self.deals, len(members)), by_agent[:, list(members)].ravel())
                for members in self._groups
            ]
        return [(self.deals, column) for column in self[name].T]

    def _make(self, name: str) -> Array:
        if name == "rows":
            return np.ones((len(self.deals), 1), np.int64)
        if name == "plays":
            return np.ones(self._agents.shape, np.int64)
        if name == "wins":
            return self._is_place(np.asarray(self._columns["winner_index"]))
        if name == "places":
            winner = np.asarray(self._columns["winner"])
            first = np.asarray(self._columns["first"] if self._first is None else self._first)
            place = (winner - first - 1) % self._agents.shape[1]
            return self._is_place(np.where(winner < 0, -1, place))
        if name == "scored":
            return self["points"] > 0
        if name == "outcome_rows":
            won = self["wins"].sum(axis=1)
            return np.stack([won, self._agents.shape[1] - won], axis=1)
        if name == "outcome_score":
            of_winner = np.where(self["wins"], self["score"], 0).sum(axis=1)
            return np.stack([of_winner, self["score"].sum(axis=1) - of_winner], axis=1)
        if name.startswith("group_"):
            by_agent = self[name.removeprefix("group_")]
            sums = [by_agent[:, members].sum(axis=1) for members in map(list, self._groups)]
            return np.stack(sums, axis=1)
        if name in self._columns:
            return np.asarray(self._columns[name])[:, None]
        by_seat = [self._columns[f"{name}_{seat}"] for seat in range(self._agents.shape[1])]
        return ordered_by_agent(np.stack(by_seat, axis=1), self._agents)

    def _is_place(self, places: Array) -> Array:
        return places[:, None] == np.arange(self._agents.shape[1])
