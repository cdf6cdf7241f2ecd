"""The learning curve of a training: win rates over steps, a line an opponent."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from experiments import findings
from experiments.sheet import COLORS, DASHES, GRAY, MARKERS, Chart, Entry, Panel, lay_out

_PLOT_HEIGHT = 2.8
_PERCENT = FuncFormatter(lambda share, _: f"{100 * share:.0f}%")
_COUNT = FuncFormatter(lambda steps, _: f"{steps:,.0f}")


def learning_chart(table: pd.DataFrame, about: str = "", note: str = "") -> Chart:
    """Draw the learning table of `training.train`; the opponents' names are its `opponent`.

    `about` goes below the title, such as the game and whom it trained against; `note` below all.
    """
    series = [rows for _, rows in table.groupby("opponent", sort=False)]
    panel = Panel(
        title=_who_loses(series),
        note=about,
        draw=partial(_draw, series),
        plot_height=_PLOT_HEIGHT,
        right=0.45,
        legend=[
            Entry(f"against {rows['opponent'].iloc[0]}: {_last_rate(rows)}", _look(place))
            for place, rows in enumerate(series)
        ],
    )
    footer = (
        f"{findings.count(table['rounds'].iloc[0], 'rounds')} a point, each deal from every seat. "
        "Bands, and ranges in brackets: 95% intervals (Wilson, with the deal as the unit). "
        "Dashed gray: an even share."
    )
    return lay_out(
        "How well the network plays while it learns", {(0, 0): panel}, f"{footer} {note}"
    )


def _who_loses(series: list[pd.DataFrame]) -> str:
    last = series[0].iloc[-1]
    rates = [
        f"{findings.percent(rows['win_rate'].iloc[-1])} against {rows['opponent'].iloc[0]}"
        for rows in series
    ]
    return f"After {findings.count(last['steps'], 'steps')} it wins {', '.join(rates)}"


def _last_rate(rows: pd.DataFrame) -> str:
    last = rows.iloc[-1]
    return findings.rate(last["win_rate"], last["win_rate_low"], last["win_rate_high"])


def _look(place: int) -> dict[str, Any]:
    return {
        "color": COLORS[place % len(COLORS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": DASHES[place % len(DASHES)],
        "markersize": 4,
        "linewidth": 1.4,
    }


def _draw(series: list[pd.DataFrame], axes: Axes) -> None:
    for place, rows in enumerate(series):
        look = _look(place)
        axes.fill_between(
            rows["steps"],
            rows["win_rate_low"],
            rows["win_rate_high"],
            color=look["color"],
            alpha=0.2,
            linewidth=0,
        )
        axes.plot(rows["steps"], rows["win_rate"], clip_on=False, **look)
    axes.axhline(series[0]["even"].iloc[0], color=GRAY, linestyle="--", linewidth=1, zorder=1)
    axes.set_xlim(0, series[0]["steps"].max())
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(_PERCENT)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(_COUNT)
    axes.set_xlabel("steps: decisions of the learner")
    axes.set_ylabel("win rate")
