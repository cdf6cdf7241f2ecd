"""The charts of a round robin: who wins against whom, and the ratings; titles say who is ahead.

The tables are those of `uno_sim.Tournament`, for each game; `about` goes below a title, `note`
below all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle

from experiments import findings
from experiments.sheet import COLORS, GRAY, Chart, Panel, lay_out, line_height, text_width, wrap
from uno_sim import Tournament
from uno_sim.ratings import POINTS
from uno_sim.simulation.row_values import ROWS
from uno_sim.simulation.tables import NOT_RESOLVED
from uno_sim.statistics import normal_quantile

_PLOT_WIDTH = 5.3
_WIDEST_NAME = 1.4  # inches; longer names take several lines
_WIDEST_CELL = 1.5
_CELL_HEIGHT = 0.62
_LARGEST_FONT = 9.0
_SHADES = LinearSegmentedColormap.from_list("shares", [COLORS[1], "#FFFFFF", COLORS[0]])
"""Orange, white, blue: color-blind readers can tell them apart."""


@dataclass(frozen=True)
class Standing:
    """The tables of a tournament, as they are drawn and written."""

    game: str
    unit: str
    about: str
    wins: pd.DataFrame
    comparisons: pd.DataFrame
    ratings: pd.DataFrame
    points: pd.DataFrame
    lead: tuple[float, float, float]
    """By how many points the highest rating is above the next, with the ends of its interval."""

    @classmethod
    def of(cls, tournament: Tournament) -> Standing:
        """Return the tables of a tournament."""
        wins, comparisons = tournament.wins(), tournament.comparisons()
        rows = tournament.tables[0].totals.total(ROWS)
        deals = wins["deals"].iloc[0]
        parts = [
            f"{tournament.rules.name}: {findings.count(len(tournament.tables), 'tables')} of "
            f"{tournament.num_players}",
            f"each {findings.count(rows, tournament.unit)} in {findings.count(deals, 'deals')}",
            f"{comparisons['resolved'].sum()} of "
            f"{findings.count(len(comparisons), 'comparisons')} resolved",
        ]
        return cls(
            tournament.rules.name,
            tournament.unit,
            "; ".join(parts),
            wins,
            comparisons,
            tournament.ratings(),
            tournament.points(),
            _lead(tournament),
        )

    @property
    def agents(self) -> list[str]:
        """The names, the strongest first."""
        return list(self.ratings["agent"])

    def verdict(self, one: str, other: str) -> str:
        """Return who of two agents is ahead, or `not resolved`."""
        table = self.comparisons
        of_two = table["agent"].isin([one, other]) & table["opponent"].isin([one, other])
        return str(table.loc[of_two, "verdict"].iloc[0])


def who_is_ahead(standing: Standing) -> str:
    """Say in a sentence whether the agent that is rated highest is ahead of the others."""
    first, *others = standing.agents
    verdicts = {other: standing.verdict(first, other) for other in others}
    if all(verdict == first for verdict in verdicts.values()):
        return f"{first} is ahead of {'all others' if len(others) > 1 else others[0]}"
    losses = [other for other, verdict in verdicts.items() if verdict == other]
    open_ones = [other for other, verdict in verdicts.items() if verdict == NOT_RESOLVED]
    said = [f"it loses to {_listed(losses)}"] if losses else []
    if open_ones:
        said.append(f"its lead over {_listed(open_ones)} is not resolved")
    return f"{first} is rated highest, but {' and '.join(said)}"


def by_how_much(standing: Standing) -> str:
    """Say in a sentence how far the highest rating is above the next."""
    first, second = standing.agents[:2]
    said = f"{first} is rated {rating_text(*standing.lead)} points above {second}"
    return said if standing.lead[1] > 0 else f"No lead resolved: {said}"


def wins_chart(standings: Sequence[Standing], note: str = "") -> Chart:
    """Draw for each game who wins against whom, as a matrix with numbers and intervals."""
    panels = {}
    for row, standing in enumerate(standings):
        names = _RowNames(standing.agents)
        panels[row, 0] = Panel(
            title=who_is_ahead(standing),
            note=standing.about,
            draw=partial(_draw_wins, standing, names),
            plot_height=sum(names.heights),
            left=names.width,
            right=7.05 - names.width - names.cell * len(standing.agents),
        )
    unit = standings[0].unit
    footer = (
        f"In a cell: how often the agent of the row won against that of the column, of the {unit} "
        "that no third agent won (one without a winner counts half), with its 95% interval "
        "(Wilson, with the deal as the unit). Not resolved: at 5%, after Holm's correction for the "
        "number of comparisons."
    )
    return lay_out("Who wins against whom", panels, f"{footer} {note}")


def ratings_chart(standings: Sequence[Standing], note: str = "") -> Chart:
    """Draw for each game the ratings with their intervals."""
    right = 0.2 + max(
        text_width(_rating_text(row)) for one in standings for row in one.ratings.itertuples()
    )
    panels = {}
    for row, standing in enumerate(standings):
        lines = [wrap(name, _WIDEST_NAME) for name in standing.agents]
        heights = [0.2 + max(1, len(of_name)) * line_height() for of_name in lines]
        panels[row, 0] = Panel(
            title=by_how_much(standing),
            note=standing.about,
            draw=partial(_draw_ratings, standing, lines, heights),
            plot_height=sum(heights),
            left=0.15 + max(text_width(line) for of_name in lines for line in of_name),
            right=right,
        )
    footer = (
        "Points: 400 for odds of ten to one; the mean is 0. Bars: 95% intervals, with the deal as "
        "the unit. A rating tells of all opponents together; who wins between two is another "
        "question."
    )
    return lay_out("How strong each agent is", panels, f"{footer} {note}")


def rating_text(points: float, low: float, high: float) -> str:
    """Return a rating in points with its interval.

    >>> rating_text(391.2, 382.4, -0.2)
    '391 (382 to 0)'
    """
    return "{} ({} to {})".format(*(f"{round(value):,}" for value in (points, low, high)))


def _lead(tournament: Tournament) -> tuple[float, float, float]:
    strengths = tournament.strengths
    first, second = np.argsort(-strengths.ratings, kind="stable")[:2]
    contrast = np.zeros(len(tournament.agents))
    contrast[first], contrast[second] = POINTS, -POINTS
    value = float(contrast @ strengths.ratings)
    deviation = float(np.sqrt(contrast @ strengths.covariance @ contrast))
    half = normal_quantile(tournament.confidence) * deviation
    return value, value - half, value + half


class _RowNames:
    """The names of a matrix, wrapped, and the sizes in inches that follow from them."""

    def __init__(self, agents: list[str]) -> None:
        self.cell = min(_WIDEST_CELL, _PLOT_WIDTH / len(agents))
        columns = [wrap(name, self.cell - 0.08) for name in agents]
        self.are_numbered = max(map(len, columns)) > 2
        """Whether the columns have numbers, since the names do not fit."""
        rows = [f"{place}  {name}" for place, name in enumerate(agents, 1)]
        self.rows = [wrap(row, _WIDEST_NAME) for row in (rows if self.are_numbered else agents)]
        self.columns = columns
        if self.are_numbered:
            self.columns = [[str(place)] for place in range(1, len(agents) + 1)]
        self.width = 0.15 + max(text_width(line) for lines in self.rows for line in lines)
        self.heights = [max(_CELL_HEIGHT, 0.15 + len(row) * line_height()) for row in self.rows]


def _draw_wins(standing: Standing, names: _RowNames, axes: Axes) -> None:
    tops = np.cumsum([0.0, *names.heights]).tolist()
    middles = [(top + bottom) / 2 for top, bottom in pairwise(tops)]
    agents = standing.agents
    texts: dict[tuple[int, int], tuple[float, list[str]]] = {}
    row: Any
    for row in standing.wins.itertuples():
        place = agents.index(row.agent), agents.index(row.opponent)
        lines = [findings.percent(row.win_rate), _ends(row.low, row.high)]
        if standing.verdict(row.agent, row.opponent) == NOT_RESOLVED:
            lines.append(NOT_RESOLVED)
        texts[place] = row.win_rate, lines
    size = _fitting_size([line for _, lines in texts.values() for line in lines], names.cell)
    for (down, across), (rate, lines) in texts.items():
        corner = across * names.cell, tops[down]
        shade = _SHADES(rate)
        axes.add_patch(_cell(corner, names.cell, names.heights[down], shade))
        dark = 0.3 * shade[0] + 0.59 * shade[1] + 0.11 * shade[2] < 0.45
        axes.text(
            corner[0] + names.cell / 2,
            middles[down],
            "\n".join(lines),
            ha="center",
            va="center",
            fontsize=size,
            color="white" if dark else "black",
        )
    for diagonal, height in enumerate(names.heights):
        axes.add_patch(
            _cell((diagonal * names.cell, tops[diagonal]), names.cell, height, "#EEEEEE")
        )
    axes.set_xlim(0, names.cell * len(agents))
    axes.set_ylim(tops[-1], 0)
    axes.set_yticks(middles, ["\n".join(lines) for lines in names.rows])
    centers = (np.arange(len(agents)) + 0.5) * names.cell
    axes.set_xticks(centers, ["\n".join(lines) for lines in names.columns])
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _cell(corner: tuple[float, float], width: float, height: float, color: Any) -> Any:
    return Rectangle(corner, width, height, facecolor=color, edgecolor="white", linewidth=1.5)


def _ends(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _fitting_size(lines: Sequence[str], width: float) -> float:
    """Return the font size, of at most the usual one, at which all lines fit a cell."""
    font = FontProperties(size=_LARGEST_FONT)
    widest = max(text_width(line, font) for line in lines)
    return min(_LARGEST_FONT, _LARGEST_FONT * (width - 0.1) / widest)


def _rating_text(row: Any) -> str:
    said = rating_text(row.points, row.points_low, row.points_high)
    return f"{said}, {row.extreme}" if row.extreme else said


def _draw_ratings(
    standing: Standing, lines: list[list[str]], heights: list[float], axes: Axes
) -> None:
    tops = np.cumsum([0.0, *heights])
    middles = (tops[:-1] + tops[1:]) / 2
    row: Any
    for y, row in zip(middles, standing.ratings.itertuples(), strict=True):
        axes.plot([row.points_low, row.points_high], [y, y], color=COLORS[0], linewidth=1.8)
        axes.plot([row.points], [y], "o", color=COLORS[0], markersize=5.5, clip_on=False)
        axes.annotate(
            _rating_text(row),
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(0.12 * 72, 0),
            textcoords="offset points",
            va="center_baseline",
            fontsize=9,
            color=COLORS[0],
            annotation_clip=False,
        )
    axes.axvline(0, color=GRAY, linestyle="--", linewidth=1, zorder=1)
    axes.set_ylim(tops[-1], 0)
    axes.set_yticks(middles, ["\n".join(of_name) for of_name in lines])
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("rating in points")


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
