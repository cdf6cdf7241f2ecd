"""The charts of `belief_calibration`, and what their tables say in a sentence."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from experiments import findings
from experiments.belief_measures import FEWEST
from experiments.beliefs import CARDS_ALONE, GUILT
from experiments.dots import Dot, Scale, dot_panel
from experiments.sheet import COLORS, DASHES, GRAY, MARKERS, Chart, Entry, Panel, lay_out

_PLOT_HEIGHT = 3.1
_HUNDREDTHS = 100
_PERCENT = FuncFormatter(lambda share, _: f"{100 * share:.0f}%")
INTERVALS = "95% intervals, with the deal as the unit."


def too_few(scores: pd.DataFrame) -> str:
    """Say that nothing can be said of so few statements; empty where there are enough."""
    count = scores["n"].iloc[0]
    return f"Only {findings.count(count, 'statements')}: nothing to say" if count < FEWEST else ""


def how_reliable(scores: pd.DataFrame) -> str:
    """Say how good the right model is, from the rows of `belief_measures.brier_scores`."""
    if few := too_few(scores):
        return few
    rows = scores.set_index("model")
    right, base = rows.loc["right"], rows.loc[CARDS_ALONE]
    said = f"Brier score {right['brier']:.3f} with the right model, {base['brier']:.3f} by cards"
    if right["better_low"] > 0 or right["better_high"] < 0:
        return said
    return f"No difference resolved: {said}"


def what_is_it(scores: pd.DataFrame, model: str) -> str:
    """Return the entry of a legend: the model, what it believes on average, its Brier score."""
    row = scores[scores["model"] == model].iloc[0]
    if row["n"] < FEWEST:
        return model
    ends = "" if math.isnan(row["low"]) else f" ({row['low']:.3f} to {row['high']:.3f})"
    return (
        f"{model}: believes {findings.percent(row['believed'])} on average, "
        f"Brier {row['brier']:.3f}{ends}"
    )


def reliability_chart(table: pd.DataFrame, scores: pd.DataFrame, about: str, note: str) -> Chart:
    """Draw `belief_measures.reliability` of one kind of statement: a panel a game and opponent."""
    table, scores = table[table["about"] == about], scores[scores["about"] == about]
    games, opponents = list(scores["game"].unique()), list(scores["opponent"].unique())
    panels = {}
    for (game, opponent), of_panel in scores.groupby(["game", "opponent"], sort=False):
        rows = table[(table["game"] == game) & (table["opponent"] == opponent)]
        models = list(of_panel["model"])
        first = of_panel.iloc[0]
        true = "" if too_few(of_panel) else f", {findings.percent(first['true'])} true"
        panels[opponents.index(opponent), games.index(game)] = Panel(
            title=how_reliable(of_panel),
            note=f"{game}, {opponent}: {findings.count(first['n'], 'statements')}{true}",
            draw=partial(_draw, rows, models),
            plot_height=_PLOT_HEIGHT,
            legend=[
                Entry(what_is_it(of_panel, model), _look(place))
                for place, model in enumerate(models)
            ],
        )
    what = "that the last wild draw was a bluff" if about == GUILT else f"that a hand holds {about}"
    footer = (
        f"Statements sorted by belief into ten bins; bins of fewer than {FEWEST} are left out. "
        f"On the dashed line they are true as often as believed. Bars and brackets: {INTERVALS} "
        f"{note}"
    )
    return lay_out(f"How often it is true {what}, by how likely it is held", panels, footer)


def brier_chart(scores: pd.DataFrame, note: str) -> Chart:
    """Draw by how much each model is better than cards alone: a row a statement and opponent."""
    games = list(scores["game"].unique())
    keys = list(scores[["about", "opponent"]].drop_duplicates().itertuples(index=False, name=None))
    scores = scores[scores["model"] != CARDS_ALONE]
    gains = ["better", "better_low", "better_high"]
    shown = scores.assign(**{name: scores[name].where(scores["n"] >= FEWEST) for name in gains})
    panels = {}
    for (game, about, opponent), rows in shown.groupby(["game", "about", "opponent"], sort=False):
        dots = [
            Dot(
                row["model"],
                _HUNDREDTHS * row["better"],
                _HUNDREDTHS * row["better_low"],
                _HUNDREDTHS * row["better_high"],
                _gain(row),
            )
            for _, row in rows.iterrows()
        ]
        ends = [0.0, *(_HUNDREDTHS * rows[gains].stack().dropna())]
        room = 0.05 * (max(ends) - min(ends)) or 1
        scale = Scale(
            "Brier score less than by cards alone, in hundredths",
            min(ends) - room,
            max(ends) + room,
            0.0,
            "{:+g}".format,
        )
        panels[keys.index((about, opponent)), games.index(game)] = dot_panel(
            which_helps(rows),
            f"{game}, {opponent}, {about}: {findings.count(rows['n'].iloc[0], 'statements')}",
            dots,
            scale,
        )
    footer = f"Bars: {INTERVALS} Of fewer than {FEWEST} statements nothing is said. {note}"
    return lay_out("What a model of the opponent gains", panels, footer)


def _gain(row: Any) -> str:
    if row["n"] < FEWEST:
        return "too few statements"
    value, low, high = (_HUNDREDTHS * row[name] for name in ("better", "better_low", "better_high"))
    return f"{value:+.2f}" + ("" if math.isnan(low) else f" ({low:+.2f} to {high:+.2f})")


def which_helps(rows: pd.DataFrame) -> str:
    """Say which models are better than cards alone, and which are worse."""
    if few := too_few(rows):
        return few
    groups: dict[str, list[str]] = {"better": [], "worse": [], "": []}
    for _, row in rows.iterrows():
        verdict = ""
        if row["better_low"] > 0:
            verdict = "better"
        elif row["better_high"] < 0:
            verdict = "worse"
        groups[verdict].append(row["model"])
    said: list[str] = []
    for verdict, names in groups.items():
        if names and verdict:
            than = "" if said else " than cards alone"
            said.append(f"{_models(names)} {verdict}{than}")
        elif names and said:
            said.append(f"of {_models(names).rpartition(' ')[0]} no difference is resolved")
    if not said:
        return "No difference from cards alone resolved"
    return "T" + "; ".join(said)[1:]


def _models(names: list[str]) -> str:
    """Return the subject of a sentence: `the right and the mixture model are`."""
    *others, last = (f"the {name}" for name in names)
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{listed} model {'are' if others else 'is'}"


def _look(place: int) -> dict[str, Any]:
    return {
        "color": COLORS[place % len(COLORS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": DASHES[place % len(DASHES)],
        "markersize": 4.5,
        "linewidth": 1.2,
    }


def _draw(rows: pd.DataFrame, models: list[str], axes: Axes) -> None:
    axes.plot([0, 1], [0, 1], color=GRAY, linestyle="--", linewidth=1, zorder=1)
    for place, model in enumerate(models):
        points = rows[(rows["model"] == model) & (rows["n"] >= FEWEST)].sort_values("bin")
        look = _look(place)
        axes.plot(points["believed"], points["true"], clip_on=False, **look)
        axes.vlines(points["believed"], points["low"], points["high"], color=look["color"])
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.xaxis.set_major_formatter(_PERCENT)
    axes.yaxis.set_major_formatter(_PERCENT)
    axes.set_xlabel("believed (mean of the bin)")
    axes.set_ylabel("true (share of the bin)")
