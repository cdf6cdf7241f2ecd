"""The charts of `challenge_value`, and what their tables say in a sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from agents.challenger import HISTORIES, MOST_CARDS
from experiments import findings
from experiments.cells import FEWEST
from experiments.challenge_measures import CARDS_ALONE, FORMULA, SAME_WORLDS
from experiments.dots import Dot, Scale, dot_panel
from experiments.heat_maps import NOTE, NOTE_OF_SHARES, Axis, heat_panel, points, shares
from experiments.sheet import Chart, Panel, lay_out


def _grid(
    table: pd.DataFrame,
    panel: Callable[[pd.DataFrame], Panel],
    by: Sequence[str] = ("opponent",),
) -> dict[tuple[int, int], Panel]:
    """Return a panel for each game (a column) and opponent (a row)."""
    games = list(table["game"].unique())
    rows = list(table[list(by)].drop_duplicates().itertuples(index=False, name=None))
    return {
        (rows.index(tuple(row)), games.index(game)): panel(cells)
        for (game, *row), cells in table.groupby(["game", *by], sort=False)
    }


def _cast(rows: pd.DataFrame) -> str:
    first = rows.iloc[0]
    return f"{first['game']}, wild draws of {first['opponent']}"


def _sizes(rows: pd.DataFrame, column: str, label: str) -> Axis:
    """Return the hand sizes of a heat map, up to the largest that is shown."""
    most = int(rows.loc[rows["n"] >= FEWEST, column].max()) if (rows["n"] >= FEWEST).any() else 1
    sizes = range(1, most + 1)
    return Axis(column, sizes, [f"{size}{'+' * (size == MOST_CARDS)}" for size in sizes], label)


# Guilt


def who_bluffs(rows: pd.DataFrame) -> str:
    """Say how guilt depends on the hand, from the rows of `challenge_measures.guilt`."""
    total, guilty = rows["n"].sum(), (rows["n"] * rows["guilty"]).sum()
    overall = f"{findings.percent(guilty / total)} are bluffs"
    drawn = rows[rows["history"] == HISTORIES[0]]
    others = rows[(rows["history"] != HISTORIES[0]) & (rows["n"] >= FEWEST)]
    of_neither = others[others["history"] == HISTORIES[-1]].sort_values("offender")
    if not guilty:
        return f"None of {int(total):,} is a bluff"
    said = []
    if drawn["n"].sum():
        rate = (drawn["n"] * drawn["guilty"]).sum() / drawn["n"].sum()
        said.append(f"{findings.percent(rate)} of those just drawn")
    if len(of_neither) > 1:
        few, many = of_neither.iloc[0], of_neither.iloc[-1]
        few_rate, many_rate = (findings.percent(one["guilty"]) for one in (few, many))
        if few["high"] < many["low"] or many["high"] < few["low"]:
            few_cards = findings.count(few["offender"], "cards")
            said.append(
                f"{few_rate} with {few_cards} left to {many_rate} with {many['offender']} in the "
                f'row "{HISTORIES[-1]}"'
            )
        else:
            said.append(
                f"no change resolved from {few['offender']} to {many['offender']} cards left in "
                f'the row "{HISTORIES[-1]}"'
            )
    return f"{overall}: {', '.join(said)}" if said else overall


def guilt_chart(table: pd.DataFrame, note: str) -> Chart:
    """Draw `challenge_measures.guilt`."""

    def panel(rows: pd.DataFrame) -> Panel:
        counts = rows.groupby("history")["n"].sum()
        names = [f"{name} ({int(counts.get(name, 0)):,})" for name in HISTORIES]
        return heat_panel(
            who_bluffs(rows),
            f"{_cast(rows)}: {int(rows['n'].sum()):,}",
            rows,
            Axis("history", HISTORIES, names, ""),
            _sizes(rows, "offender", "cards left in the offender's hand"),
            "guilty",
            shares(),
        )

    footer = (
        "Rows: what the table saw of the offender, the first that fits (number of wild draws). "
        f"{NOTE_OF_SHARES} {note}"
    )
    return lay_out("How often a wild draw is a bluff", _grid(table, panel), footer)


# The worth of a challenge


def what_it_is_worth(value: float, low: float, high: float) -> str:
    """Say what challenging every wild draw is worth."""
    if np.isnan(low) or low <= 0 <= high:
        return (
            "Not resolved whether challenging each gains or costs: "
            f"{findings.mean(value, low, high)} points"
        )
    verb = "gains" if value > 0 else "costs"
    ends = sorted((abs(low), abs(high)))
    return f"Challenging each {verb} {findings.mean(abs(value), *ends)} points"


def worth_chart(table: pd.DataFrame, overall: pd.DataFrame, note: str) -> Chart:
    """Draw `challenge_measures.worth`; `overall` has a row a panel, of all sizes."""
    shown = table.loc[table["n"] >= FEWEST, "worth"]
    most = float(shown.abs().quantile(0.95)) if len(shown) else 0.0

    def panel(rows: pd.DataFrame) -> Panel:
        of_all = (overall["game"] == rows["game"].iloc[0]) & (
            overall["opponent"] == rows["opponent"].iloc[0]
        )
        first = overall[of_all].iloc[0]
        return heat_panel(
            what_it_is_worth(first["worth"], first["low"], first["high"]),
            f"{_cast(rows)}: {int(rows['n'].sum()):,}",
            rows,
            _sizes(rows, "own", "cards in the own hand"),
            _sizes(rows, "offender", "cards left in the offender's hand"),
            "worth",
            points(most or 1),
        )

    footer = (
        "Round points by which a challenge is better than taking: for each wild draw both are "
        f"tried in the same world, and the round played on. Bold: resolved from 0. {NOTE} {note}"
    )
    return lay_out("What a challenge is worth against taking", _grid(table, panel), footer)


# The break-even guilt

WIDEST = 1.0
"""An estimate of a chance whose interval is wider is not shown."""


def _tells(row: Any) -> bool:
    """Return whether an estimate of the break-even guilt is worth showing."""
    return bool(row["n"] >= FEWEST and row["high"] - row["low"] <= WIDEST)


def where_it_pays(rows: pd.DataFrame) -> str:
    """Say from which guilt on a challenge pays, from rows of `challenge_measures.break_even`."""
    found = {row["method"]: row for _, row in rows.iterrows()}
    simulated, formula = found[SAME_WORLDS], found[FORMULA]
    if simulated["n"] < FEWEST:
        return f"Only {findings.count(simulated['n'], 'wild draws')}: nothing to say"
    if not _tells(simulated):
        return "Not resolved from which guilt a challenge pays"
    if simulated["high"] < 0:
        return "A challenge pays at any guilt: not even a failed one costs points"
    if not simulated["low"] > 0:
        ends = _percent(simulated["low"]), _percent(simulated["high"])
        return f"Not resolved from which guilt a challenge pays: {' to '.join(ends)}"
    said = f"A challenge pays from {_percent(simulated['break_even'])} guilt on"
    if not _tells(formula):
        return f"{said}; by the formula it is not resolved"
    if formula["high"] < simulated["low"]:
        verdict = "the formula says less"
    elif formula["low"] > simulated["high"]:
        verdict = "the formula says more"
    else:
        verdict = "no difference from the formula resolved"
    return f"{said}; {verdict}: {_percent(formula['break_even'])}"


def break_even_chart(table: pd.DataFrame, note: str) -> Chart:
    """Draw `challenge_measures.break_even`."""
    all_dots = _even_dots(table)

    def panel(rows: pd.DataFrame) -> Panel:
        dots = _even_dots(rows)
        low, high = _even_ends(dots)
        dashed = next(dot.value for dot in dots if dot.name == SAME_WORLDS)
        label = "chance that the offender is guilty"
        scale = Scale(label, low, high, dashed, lambda share: f"{100 * share:g}%")
        about = f"{_cast(rows)}: {int(rows['n'].iloc[0]):,}"
        return dot_panel(where_it_pays(rows), about, dots, scale, all_dots)

    footer = (
        "Counting cards: each is worth the same, the turn nothing. Formula: from the measured "
        "worth of a card and of the turn. Both verdicts (dashed): tried in the same worlds, "
        "whoever was guilty. True verdicts: gains of the guilty cases, losses of the innocent, at "
        "equal hand sizes. Below 0: a failed challenge gains. Bars: 95% intervals, by deals; an "
        "arrow: it goes on beyond the axis. Not resolved: the interval is wider than from 0% to "
        f"100%. {note}"
    )
    return lay_out("The guilt from which a challenge pays", _grid(table, panel), footer)


def _even_dots(rows: pd.DataFrame) -> list[Dot]:
    dots = []
    for _, row in rows.iterrows():
        shown = row["method"] == CARDS_ALONE or _tells(row)
        value, low, high = (
            row[name] if shown else math.nan for name in ("break_even", "low", "high")
        )
        dots.append(Dot(row["method"], value, low, high, _even_text(row)))
    return dots


def _even_ends(dots: Sequence[Dot]) -> tuple[float, float]:
    """Return the ends of an axis that holds all estimates, and intervals from -50% to 100%.

    It goes from -100% to 200% at most.
    """
    values = [dot.value for dot in dots if not math.isnan(dot.value)]
    lows = [max(dot.low, -0.5) for dot in dots if not math.isnan(dot.low)]
    highs = [min(dot.high, 1.0) for dot in dots if not math.isnan(dot.high)]
    low, high = min([0.0, *values, *lows]), max([0.4, *values, *highs])
    room = 0.03 * (high - low)
    return max(low - room * (low < 0), -1.0), min(high + room * (high > 0.4), 2.0)


def _even_text(row: Any) -> str:
    if row["method"] == CARDS_ALONE:
        return _percent(row["break_even"])
    if row["n"] < FEWEST or math.isnan(row["low"]):
        return "too few cases"
    if not _tells(row):
        return "not resolved"
    return f"{_percent(row['break_even'])} ({_percent(row['low'])} to {_percent(row['high'])})"


def _percent(share: float) -> str:
    """Return an estimate of a share, which may lie below 0 or above 1."""
    return f"{share:.1%}"


# The matches


def which_rule_pays(rows: pd.DataFrame) -> str:
    """Say what the rule gained over greedy, from rows of one game and opponent of `matches`."""
    row = rows[rows["agent"] == "rule"].iloc[0]
    against = f"against {row['opponent']}"
    if row["low"] == row["high"] == 0:
        return f"The rule plays as greedy {against}: nothing was worth a challenge"
    if math.isnan(row["low"]) or row["low"] <= 0 <= row["high"]:
        gain = findings.mean(row["gain"], row["low"], row["high"])
        return f"No difference of the rule from greedy resolved {against}: {gain} points a round"
    verb, sign = ("gains", 1) if row["gain"] > 0 else ("costs", -1)
    ends = sorted((sign * row["low"], sign * row["high"]))
    return f"The rule {verb} {findings.mean(sign * row['gain'], *ends)} points a round {against}"


def match_chart(table: pd.DataFrame, note: str) -> Chart:
    """Draw what each player of `matches` gained over greedy."""
    all_dots = _gain_dots(table)
    ends = table[["gain", "low", "high"]].abs()
    reach = 1.1 * float(ends.max().max()) or 1  # of one deal there is no interval

    def panel(rows: pd.DataFrame) -> Panel:
        first = rows.iloc[0]
        about = (
            f"{first['game']}: {int(first['rounds']):,} rounds each; rule made from wild draws of "
            f"{first['bluffs_of']}"
        )
        scale = Scale("points a round more than greedy (right is better)", -reach, reach, 0)
        return dot_panel(which_rule_pays(rows), about, _gain_dots(rows), scale, all_dots)

    footer = (
        "Round points more than greedy's, who never challenges, against the same opponent on the "
        f"same deals. Bars: 95% intervals, with the deal as the unit. {note}"
    )
    panels = _grid(table, panel, ("bluffs_of", "opponent"))
    return lay_out("Which way of challenging pays", panels, footer)


def _gain_dots(rows: pd.DataFrame) -> list[Dot]:
    return [
        Dot(
            f"{row['agent']} ({row['win_rate']:.1%} won)",
            row["gain"],
            row["low"],
            row["high"],
            findings.mean(row["gain"], row["low"], row["high"]),
        )
        for _, row in rows.iterrows()
    ]
