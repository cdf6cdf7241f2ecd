"""What keeping each offered card was worth in many drafts, against taking the unseen next one.

A row a pick: it is tried both ways in copies of the same world, and draft and round are played on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from agents.drafter import TABLE_SHAPE, of_table, table_place
from experiments.situations import ANYONE, Tables
from uno_sim.actions import KEEP, REJECT
from uno_sim.cards import NUM_KINDS, SKIP, is_wild, symbol_of
from uno_sim.compilation import compiled
from uno_sim.rule_set import RuleSet
from uno_sim.rules.legal import DRAFT
from uno_sim.statistics import Array

DEALS_AT_ONCE = 2000


@compiled
def describe(states: Any, described: Any) -> None:
    """Write a row a state: the place of the pick in a table, the actions and wilds held."""
    for g in range(len(states)):
        state = states[g]
        held = 0
        for kind in range(NUM_KINDS):
            if is_wild(kind) or symbol_of(kind) >= SKIP:
                held += state.hands[state.current_player, kind]
        described[g, 0] = table_place(state)
        described[g, 1] = held


def picks(
    rules: RuleSet, table: Array, deals: range, seed: int
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield how many deals were played, and a frame of the picks of both players in them.

    Both draft by `table` (of `drafter.TABLE_SHAPE`) and play as greedy. Columns: `deal`, `place`
    in a table, and so `pick` (from 1), `face`, `of_color`, `reverse` (1 where one of the color is
    held); `specials` (actions and wilds held); and `worth`, of keeping less that of rejecting, in
    round points.
    """
    agent = of_table("drafter", table)
    keeps = np.ravel(table) > 0
    for start in deals[::DEALS_AT_ONCE]:
        chunk = np.arange(start, min(start + DEALS_AT_ONCE, deals.stop))
        tables = Tables.deal(rules, [agent] * 2, seed, chunk, paired=False)
        games = np.arange(len(chunk))
        frames = []
        while len(tables.play_to(DRAFT, ANYONE)) and (tables.states.phase == DRAFT).all():
            frame = _frame(tables, chunk)
            frames.append(frame)
            tables.answer(np.where(keeps[frame["place"]], KEEP, REJECT))
        yield len(games), pd.concat(frames, ignore_index=True)


def _frame(tables: Tables, deals: Array) -> pd.DataFrame:
    """Return the rows of tables that all wait for a pick."""
    games = np.arange(len(deals))
    described = np.zeros((len(deals), 2), np.int64)
    describe(tables.states, described)
    seats = tables.states.current_player.astype(np.int64)
    worth = []
    for action in (KEEP, REJECT):
        copies = tables.take(games)
        copies.answer(np.full(len(games), action))
        worth.append(copies.finish()[games, seats])
    pick, face, of_color, reverse = np.unravel_index(described[:, 0], TABLE_SHAPE)
    return pd.DataFrame(
        {
            "deal": deals,
            "place": described[:, 0],
            "pick": pick + 1,
            "face": face,
            "of_color": of_color,
            "reverse": reverse,
            "specials": described[:, 1],
            "worth": worth[0] - worth[1],
        }
    )
