"""Tables as heat maps: each cell a number, its interval below, a color behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from experiments.cells import FEWEST
from experiments.sheet import GRAY, Panel, text_width

_BLANK = f"with the deal as the unit. Cells of fewer than {FEWEST} cases are blank."
NOTE = f"Small: half of the 95% interval, {_BLANK}"
NOTE_OF_SHARES = f"Small: the 95% interval (Wilson) in percent, {_BLANK}"

_ROW = 0.31  # inches
_LONGEST = 5  # how many characters of an interval fit into the narrowest cell in full size


@dataclass(frozen=True)
class Scale:
    """How a number is written and colored."""

    text: Callable[[float], str]
    interval: Callable[[float, float], str]
    """The text of an interval, from its ends."""
    palette: str
    """A color map of Matplotlib."""
    low: float
    high: float
    bold_from: float | None = None
    """Numbers whose intervals do not hold this one are bold."""


def shares() -> Scale:
    """Return the scale of shares from 0 to 1; near these an interval is no value and a half."""
    return Scale(lambda share: f"{100 * share:.0f}%", percents, "Oranges", 0, 1)


def percents(low: float, high: float) -> str:
    """Return an interval of shares in whole percent, rounded outward: it is never a single number.

    >>> percents(0.512, 0.588), percents(0.0, 0.0041)
    ('51\u201359', '0\u20131')
    """
    ends = math.floor(round(100 * low, 9)), math.ceil(round(100 * high, 9))
    return "\N{EN DASH}".join(map(str, ends))


def points(most: float) -> Scale:
    """Return the scale of points around 0, with the deepest colors at `most` from it."""

    def half(low: float, high: float) -> str:
        return f"\N{PLUS-MINUS SIGN}{(high - low) / 2:.1f}"

    return Scale(lambda value: f"{value:+.1f}", half, "RdBu", -most, most, 0)


@dataclass(frozen=True)
class Axis:
    """One side of a heat map: the table's column, its values in order, and their names."""

    column: str
    values: Sequence[Any]
    names: Sequence[str]
    label: str


def heat_panel(
    title: str,
    note: str,
    table: pd.DataFrame,
    rows: Axis,
    columns: Axis,
    value: str,
    scale: Scale,
) -> Panel:
    """Return the panel of a table with a row a cell: `value`, `low`, `high`, `n`.

    Where no cell has enough cases it says so instead.
    """
    if not (table["n"] >= FEWEST).any():
        return Panel(title, note, draw=_say_too_few, plot_height=_ROW, left=0)
    return Panel(
        title=title,
        note=note,
        draw=partial(_draw, table, rows, columns, value, scale),
        plot_height=max(_ROW * len(rows.values), text_width(rows.label)),
        left=0.3 + max(text_width(name) for name in rows.names),
    )


def _say_too_few(axes: Axes) -> None:
    axes.set_axis_off()
    text = f"Too few cases: no cell has {FEWEST}."
    axes.text(0, 0.5, text, transform=axes.transAxes, va="center", fontsize=9)


def _draw(
    table: pd.DataFrame, rows: Axis, columns: Axis, value: str, scale: Scale, axes: Axes
) -> None:
    palette = matplotlib.colormaps[scale.palette]
    shade = Normalize(scale.low, scale.high, clip=True)
    axes.set_xlim(0, len(columns.values))
    axes.set_ylim(len(rows.values), 0)
    shown = table[table["n"] >= FEWEST]
    places = zip(shown[rows.column], shown[columns.column], strict=True)
    numbers = zip(shown[value], shown["low"], shown["high"], strict=True)
    for (row, column), (number, low, high) in zip(places, numbers, strict=True):
        x, y = list(columns.values).index(column), list(rows.values).index(row)
        color = palette(shade(number))
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=color, edgecolor="white", linewidth=0.8))
        dark = 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2] < 0.5
        bold = scale.bold_from is not None and not low <= scale.bold_from <= high
        look: dict[str, Any] = {"ha": "center", "color": "white" if dark else "black"}
        weight = "bold" if bold else "normal"
        axes.text(
            x + 0.5, y + 0.38, scale.text(number), va="center", fontsize=7, weight=weight, **look
        )
        ends = scale.interval(low, high)
        size = 5 if len(ends) <= _LONGEST else 4.2
        axes.text(x + 0.5, y + 0.76, ends, va="center", fontsize=size, **look)
    axes.grid(False)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_color(GRAY)
        side.set_linewidth(0.4)
    axes.set_xticks([place + 0.5 for place in range(len(columns.names))], list(columns.names))
    axes.tick_params(axis="x", labelsize=8)
    axes.set_yticks([place + 0.5 for place in range(len(rows.names))], list(rows.names))
    axes.set_xlabel(columns.label)
    axes.set_ylabel(rows.label)
