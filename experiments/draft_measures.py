"""What keeping a card is worth in the draft, measured from the picks of `drafts.picks`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from agents.drafter import MOST_OF_COLOR, MOST_PICKS, NUM_FACES, TABLE_SHAPE
from experiments import cells
from uno_sim.cards import CARD_NAMES, NUM_COLORED_KINDS, SKIP, SYMBOLS
from uno_sim.statistics import Array

FACES = (*SYMBOLS, *CARD_NAMES[NUM_COLORED_KINDS:])
"""The name of each face."""
NUMBER = "number"
PRIOR = 2000
"""How many picks of a wider cell a cell of the table is mixed with: where cells differ by about a
point and picks by 45, so many tell as much as the wider cell's mean."""
MOST_SPECIALS = 5
"""More actions and wilds in hand count as so many."""
NUM_HELD = 2 * MOST_OF_COLOR + 1
"""What is held of a color: 0 to 4 cards without a Reverse, 1 to 4 with one."""


def by_pick(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the worth of keeping by face and pick: `face`, `pick`, `n`, `worth`, `low`, `high`."""
    return _named(cells.mean_cells(frame, ["face", "pick"], "worth"))


def by_color(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the worth of keeping by face and what is held of its color.

    Columns: `face`, `held`, `n`, `worth`, `low`, `high`; `held` is 0 to 4 cards without a Reverse
    of the color, and 5 to 8 for 1 to 4 cards with one. Wilds, which have no color, are left out.
    """
    held = frame["of_color"] + MOST_OF_COLOR * frame["reverse"]
    colored = frame["face"] < len(SYMBOLS)
    return _named(cells.mean_cells(frame.assign(held=held)[colored], ["face", "held"], "worth"))


def by_specials(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the worth of keeping by face and the actions and wilds held (`specials`)."""
    bounded = frame.assign(specials=frame["specials"].clip(upper=MOST_SPECIALS))
    return _named(cells.mean_cells(bounded, ["face", "specials"], "worth"))


def overall(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the worth of keeping by face alone, and of numbers by whether a Reverse is held.

    Columns: `face`, `reverse` (-1 for all picks of the face), `n`, `worth`, `low`, `high`.
    """
    faces = _named(cells.mean_cells(frame, ["face"], "worth")).assign(reverse=-1)
    numbers = frame[frame["face"] < SKIP]
    by_reverse = cells.mean_cells(numbers, ["reverse"], "worth").assign(face=NUMBER)
    columns = ["face", "reverse", "n", "worth", "low", "high"]
    return pd.concat([faces[columns], by_reverse[columns]], ignore_index=True)


def worth_table(frame: pd.DataFrame) -> Array:
    """Return the worth of keeping for each place of a table, float32 `TABLE_SHAPE`.

    A cell of few picks is drawn to a wider one, and that to a wider one still: to all picks of the
    face with so many of the color; to all numbers, or all of the face, with so many; to these
    with or without a Reverse.
    """
    pick, face, of_color, reverse = np.indices(TABLE_SHAPE).reshape(4, -1)
    group = np.where(face < SKIP, 0, face)
    widest_first = (
        group * 2 + reverse,
        (group * (MOST_OF_COLOR + 1) + of_color) * 2 + reverse,
        (face * (MOST_OF_COLOR + 1) + of_color) * 2 + reverse,
        np.arange(len(pick)),
    )
    worth = np.zeros(len(pick))
    places, values = frame["place"].to_numpy(), frame["worth"].to_numpy()
    for key in widest_first:
        sums = np.bincount(key[places], weights=values, minlength=len(pick))[key]
        counts = np.bincount(key[places], minlength=len(pick))[key]
        worth = (sums + PRIOR * worth) / (counts + PRIOR)
    return worth.reshape(TABLE_SHAPE).astype(np.float32)


def table_frame(table: Array, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as rows in its order: `pick`, `face`, `of_color`, `reverse`, `n`, `worth`."""
    pick, face, of_color, reverse = np.indices(TABLE_SHAPE).reshape(4, -1)
    counts = np.bincount(frame["place"].to_numpy(), minlength=table.size)
    return pd.DataFrame(
        {
            "pick": pick + 1,
            "face": [FACES[number] for number in face],
            "of_color": of_color,
            "reverse": reverse,
            "n": counts,
            "worth": np.ravel(table),
        }
    )


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the faces as their names."""
    names: dict[Any, str] = dict(enumerate(FACES))
    return table.assign(face=table["face"].map(names))


assert len(FACES) == NUM_FACES and MOST_PICKS == TABLE_SHAPE[0]
