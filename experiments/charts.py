"""The charts of experiments, each drawn from a table of `measures`; titles say what it shows.

Every function returns a `sheet.Chart`: bytes for files, and a picture in a notebook. A column is a
game and a row a match. `note` goes below, such as the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from experiments import findings
from experiments.sheet import (
    COLORS,
    DASHES,
    GRAY,
    MARKERS,
    Chart,
    Entry,
    Panel,
    lay_out,
    line_height,
    text_width,
    wrap,
)

_UNIT_LOOKS: dict[Any, dict[str, Any]] = {
    "rounds": {"color": COLORS[0], "marker": MARKERS[0]},
    "games": {"color": COLORS[1], "marker": MARKERS[1]},
}
_WIDEST_NAME = 1.5  # inches; longer names take several lines
_PLOT_HEIGHT = 1.9
_SHORT_PERCENT = FuncFormatter(lambda share, _: f"{round(100 * share, 6):g}%")


def win_rate_chart(table: pd.DataFrame, note: str = "") -> Chart:
    """Draw the win rates of `measures.win_rates` with their intervals."""
    left = 0.15 + max(_name_width(name) for name in table["name"])
    right = 0.15 + max(text_width(_rate_text(row)) for row in table.itertuples())
    panels = {}
    for place, rows in _grid(table):
        by_seat = rows["by"].iloc[0] == "seat"
        panels[place] = Panel(
            title=findings.who_wins(rows),
            note=_win_rate_note(rows),
            draw=partial(_draw_win_rates, rows),
            plot_height=sum(_name_heights(rows)),
            left=left,
            right=right,
            legend=[
                Entry(
                    f"{findings.count(unit['played'].iloc[0], name)} in "
                    f"{findings.count(unit['deals'].iloc[0], 'deals')}"
                    + (", by the seat in the first round" if by_seat and name == "games" else ""),
                    {**_UNIT_LOOKS[name], "markersize": 5.5},
                )
                for name, unit in rows.groupby("unit", sort=False)
            ],
        )
    footer = "Bars: 95% intervals (Wilson, with the deal as the unit). Dashed: an even share."
    return lay_out("How often each agent wins", panels, f"{footer} {note}")


def round_points_chart(table: pd.DataFrame, note: str = "") -> Chart:
    """Draw the distribution of points of `measures.round_points`."""

    def entry(row: Any) -> str:
        if row.played == row.rounds * row.players:
            means = findings.mean(row.mean_scored, *_ends(row, "mean_scored"))
            return f"mean {means} points"
        scored = findings.percent(row.scored / row.played)
        means = findings.mean(row.mean, *_ends(row, "mean"))
        return f"{row.name}: mean {means} points a round; scored in {scored} of rounds"

    def about(row: Any) -> str:
        what = "loser scores the own hand"
        if row.scorer == "winner":
            what = "winner scores the other hands"
        return f"{findings.count(row.rounds, 'rounds')}; the {what}"

    return _distribution_chart(
        table,
        "Points scored in a round",
        findings.who_scores,
        about,
        entry,
        labels=("points in a round, where any were scored", "share of the rounds it scored in"),
        note=note,
    )


def final_scores_chart(table: pd.DataFrame, note: str = "") -> Chart:
    """Draw the distribution of final totals of `measures.final_scores`, which may have no rows."""
    heading = "Final scores of whole games"
    if table.empty:
        return lay_out(f"{heading}: no whole games were played", {}, note)

    def entry(row: Any) -> str:
        return f"{row.name}: mean {findings.mean(row.mean, *_ends(row, 'mean'))} points"

    def about(row: Any) -> str:
        wins = "lowest" if row.scorer == "loser" else "highest"
        return f"{findings.count(row.games, 'games')}; the {wins} total wins"

    return _distribution_chart(
        table,
        heading,
        findings.final_totals,
        about,
        entry,
        labels=("final score in points", "share of games"),
        note=note,
    )


def round_length_chart(table: pd.DataFrame, note: str = "") -> Chart:
    """Draw the distribution of the number of turns of `measures.round_lengths`."""

    def entry(row: Any) -> str:
        means = findings.mean(row.mean, *_ends(row, "mean"))
        ended = [
            f"{findings.percent(number / row.rounds)} {what}"
            for number, what in ((row.blocked, "blocked"), (row.capped, "capped"))
            if number
        ]
        more = [f"longest {row.longest:,}", *ended, findings.count(row.rounds, "rounds")]
        return f"{row.match}: mean {means} turns; {', '.join(more)}"

    return _distribution_chart(
        table,
        "Length of a round",
        findings.how_long,
        lambda row: "",
        entry,
        labels=("turns in a round", "share of rounds"),
        note=note,
        one_row=True,
    )


def _grid(table: pd.DataFrame, one_row: bool = False) -> Iterable[tuple[tuple[int, int], Any]]:
    """Yield the place (row, column) and the rows of each panel: a game is a column."""
    games = list(table["game"].unique())
    matches = list(table["match"].unique())
    for game, of_game in table.groupby("game", sort=False):
        if one_row:
            yield (0, games.index(game)), of_game
            continue
        for match, rows in of_game.groupby("match", sort=False):
            yield (matches.index(match), games.index(game)), rows


def _ends(row: Any, name: str) -> tuple[float, float]:
    return getattr(row, f"{name}_low"), getattr(row, f"{name}_high")


# Win rates


def _rate_text(row: Any) -> str:
    return findings.rate(row.win_rate, row.low, row.high)


def _win_rate_note(rows: pd.DataFrame) -> str:
    first = rows.iloc[0]
    texts = ["equal agents, so by seat"] if first["by"] == "seat" else []
    if first["players"] > 2:
        texts.append(f"an even share is {100 * first['even']:.3g}%")
    for name, unit in rows.groupby("unit", sort=False):
        nobody = unit["without_winner"].iloc[0] / unit["played"].iloc[0]
        if nobody:
            texts.append(f"{findings.percent(nobody)} of {name} without a winner")
    return "\n".join(filter(None, (f"{first['game']}: {first['match']}", "; ".join(texts))))


def _name_width(name: str) -> float:
    return max(text_width(line) for line in wrap(name, _WIDEST_NAME))


def _name_heights(rows: pd.DataFrame) -> list[float]:
    """Return how much room each name of a panel takes, in inches."""
    return [
        max(0.2 + 0.18 * rows["unit"].nunique(), 0.15 + len(lines) * line_height())
        for lines in (wrap(name, _WIDEST_NAME) for name in rows["name"].unique())
    ]


def _draw_win_rates(rows: pd.DataFrame, axes: Axes) -> None:
    heights = _name_heights(rows)
    tops = np.cumsum([0.0, *heights])
    middles = (tops[:-1] + tops[1:]) / 2
    names = list(rows["name"].unique())
    units = list(rows["unit"].unique())
    row: Any
    for row in rows.itertuples():
        look = _UNIT_LOOKS[row.unit]
        y = middles[names.index(row.name)] + 0.18 * (units.index(row.unit) - (len(units) - 1) / 2)
        axes.plot([row.low, row.high], [y, y], color=look["color"], linewidth=1.8)
        axes.plot([row.win_rate], [y], linestyle="", markersize=5.5, clip_on=False, **look)
        axes.annotate(
            _rate_text(row),
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(0.12 * 72, 0),
            textcoords="offset points",
            va="center_baseline",
            fontsize=9,
            color=look["color"],
            annotation_clip=False,
        )
    even = rows["even"].iloc[0]
    axes.axvline(even, color=GRAY, linestyle="--", linewidth=1, zorder=1)
    axes.set_ylim(tops[-1], 0)
    axes.set_yticks(middles, ["\n".join(wrap(name, _WIDEST_NAME)) for name in names])
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter(_SHORT_PERCENT)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    reach = 1.1 * max((rows["high"] - even).max(), (even - rows["low"]).max())
    zoomed = rows["by"].iloc[0] == "seat" and reach < 0.4
    if zoomed:
        axes.set_xlim(max(even - reach, -0.02), even + reach)
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.set_xlabel("win rate, axis zoomed in" if zoomed else "win rate")


# Distributions


def _distribution_chart(
    table: pd.DataFrame,
    heading: str,
    finding: Callable[[pd.DataFrame], str],
    about: Callable[[Any], str],
    entry: Callable[[Any], str],
    labels: tuple[str, str],
    note: str,
    one_row: bool = False,
) -> Chart:
    """Draw a panel a match, or one a game; a line a series, its interval as a band around it."""
    panels = {}
    for place, rows in _grid(table, one_row):
        first = next(rows.itertuples())
        cast = first.game if one_row else f"{first.game}: {first.match}"
        series = [one for _, one in rows.groupby(["match", "name"], sort=False)]
        panels[place] = Panel(
            title=finding(rows),
            note="\n".join(filter(None, (cast, about(first)))),
            draw=partial(_draw_distribution, series, labels),
            plot_height=_PLOT_HEIGHT,
            legend=[
                Entry(entry(next(one.itertuples())) + _beyond(one), _look(place))
                for place, one in enumerate(series)
            ],
        )
    footer = "Bands, and ranges in brackets: 95% intervals, with the deal as the unit."
    return lay_out(heading, panels, f"{footer} {note}")


def _look(place: int) -> dict[str, Any]:
    return {
        "color": COLORS[place % len(COLORS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": DASHES[place % len(DASHES)],
        "markersize": 4,
        "linewidth": 1.4,
    }


def _beyond(series: pd.DataFrame) -> str:
    """Say how much of a series lies beyond the chart."""
    last = series.iloc[-1]
    if not last["beyond"] or not last["count"]:
        return ""
    return f"; {findings.percent(last['share'])} lie beyond {last['lower'] - 1:,}"


def _draw_distribution(series: list[pd.DataFrame], labels: tuple[str, str], axes: Axes) -> None:
    widths: set[int] = set()
    highest = 0.0
    for place, whole in enumerate(series):
        rows = whole[~whole["beyond"]]
        widths.update(rows["upper"] - rows["lower"] + 1)
        filled = np.flatnonzero(rows["count"])
        if not len(filled):
            continue
        rows = rows.iloc[filled[0] : filled[-1] + 1]
        middles = (rows["lower"] + rows["upper"]) / 2
        look = _look(place)
        if len(rows) == 1:
            axes.vlines(middles, rows["low"], rows["high"], color=look["color"], alpha=0.4)
        axes.fill_between(
            middles, rows["low"], rows["high"], color=look["color"], alpha=0.2, linewidth=0
        )
        axes.plot(middles, rows["share"], clip_on=False, **look)
        highest = max(highest, rows["high"].max())
    first = series[0].iloc[0]
    x_label, y_label = labels
    about_x = []
    if len(widths) > 1:
        axes.set_xscale("log")
        about_x.append("log axis, bins widen with it")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    else:
        width = widths.pop()
        if width > 1:
            about_x.append(f"bins of {width}")
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    if "target" in first:
        axes.axvline(first["target"], color=GRAY, linestyle="--", linewidth=1, zorder=1)
        about_x.append(f"dashed: the target, {first['target']}")
    axes.set_ylim(0, min(1.05 * highest, 1) or 1)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(_SHORT_PERCENT)
    axes.set_xlabel(f"{x_label} ({'; '.join(about_x)})" if about_x else x_label)
    axes.set_ylabel(y_label)
