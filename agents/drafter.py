"""`drafter`: plays as `greedy`, but drafts by a table (D4).

The table says what keeping a card is worth against taking the unseen next one, by the number of the
pick, the card's face, how many cards of its color are held, and whether a Reverse of the color is
among them, which may dump them (D9). It keeps what is worth more than nothing.
`python -m experiments.draft_value` makes one. Without a table it keeps what `greedy` keeps, actions
and wilds, and numbers of which it holds a Reverse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.greedy import choose_greedily, color_count
from agents.number_files import read_last_column
from uno_sim import actions
from uno_sim.cards import (
    NUM_COLORED_KINDS,
    NUM_SYMBOLS,
    REVERSE,
    SKIP,
    color_of,
    is_wild,
    symbol_of,
)
from uno_sim.compilation import compiled
from uno_sim.policies import CompiledAgent, policy
from uno_sim.state import Phase
from uno_sim.statistics import Array

DRAFT = int(Phase.DRAFT)

MOST_PICKS = 7
"""Later picks count as the last."""
NUM_FACES = NUM_SYMBOLS + 3
"""The 13 symbols of colored cards, and the three wilds."""
MOST_OF_COLOR = 4
"""More cards of the color count as so many."""
TABLE_SHAPE = (MOST_PICKS, NUM_FACES, MOST_OF_COLOR + 1, 2)
"""A table's shape: the pick, the card's face, how many of its color are held (0 for a wild), and
whether a Reverse is among them."""

greedily = choose_greedily.function


@policy(name="drafter", observes="own")
def choose_by_table(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return the action of `greedy`; in the draft keep what the table `params` has above 0."""
    if observation.phase != DRAFT:
        return greedily(observation, rules, params, memory, random)
    return actions.KEEP if params[table_place(observation)] > 0 else actions.REJECT


@compiled
def table_place(observation: Any) -> Any:
    """Return where a table has the worth of the offered card."""
    offered = np.int64(observation.offered_card)
    seat = observation.current_player
    pick: Any = min(np.int64(observation.hand_sizes[seat]), MOST_PICKS - 1)
    of_color: Any = 0
    has_reverse = 0
    if not is_wild(offered):
        color = color_of(offered)
        of_color = min(np.int64(color_count(observation, color)), MOST_OF_COLOR)
        has_reverse = 1 if observation.hands[seat, color * NUM_SYMBOLS + REVERSE] > 0 else 0
    place = (pick * NUM_FACES + face_of(offered)) * (MOST_OF_COLOR + 1) + of_color
    return 2 * place + has_reverse


@compiled
def face_of(kind: Any) -> Any:
    """Return a card's face: its symbol, or which wild it is."""
    return kind - NUM_COLORED_KINDS + NUM_SYMBOLS if is_wild(kind) else symbol_of(kind)


def greedy_table() -> Array:
    """Return the table by which `greedy` drafts: 1 for actions and wilds, -1 for numbers."""
    table = np.ones(TABLE_SHAPE, np.float32)
    table[:, :SKIP] = -1
    return table


def dump_table() -> Array:
    """Return the table that keeps numbers, too, of whose color a Reverse is held."""
    table = greedy_table()
    table[:, :SKIP, :, 1] = 1
    return table


def drafter(table: str = "") -> CompiledAgent:
    """Return the agent with the table of a file, or without one with `dump_table`.

    The file is what `experiments.draft_value` writes: a CSV file with a header, whose last column
    is the worth of keeping, in the order of `TABLE_SHAPE`.

    Raises `ValueError` where the file holds no such table.
    """
    if not table:
        return of_table("drafter", dump_table())
    worths = read_last_column("table", table)
    size = int(np.prod(TABLE_SHAPE))
    if worths.size != size or not np.isfinite(worths).all():
        raise ValueError(f"table={table!r}: must have {size} rows that end in a number")
    return of_table("drafter", worths)


def of_table(name: str, table: Array) -> CompiledAgent:
    """Return the agent with a table of `TABLE_SHAPE`."""
    return CompiledAgent(name, choose_by_table, np.ravel(table))
