"""The charts of `challenge_value`, and what their tables say in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from agents.challenger import HISTORIES, MOST_CARDS
from experiments import findings
from experiments.challenge_measures import CARDS_ALONE, FORMULA, SAME_WORLDS
from experiments.dots import Dot, Scale, dot_panel
from experiments.heat_maps import FEWEST, NOTE, Axis, heat_panel, points, shares
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
            said.append(f"{few_rate} with {few_cards} left to {many_rate} with {many['offender']}")
        else:
            said.append(
                f"no change resolved from {few['offender']} to {many['offender']} cards left"
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
        f"{NOTE} {note}"
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
    most = float(table.loc[table["n"] >= FEWEST, "worth"].abs().quantile(0.95))

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


def where_it_pays(rows: pd.DataFrame) -> str:
    """Say from which guilt on a challenge pays, from rows of `challenge_measures.break_even`."""
    found = {row["method"]: row for _, row in rows.iterrows()}
    simulated, formula = found[SAME_WORLDS], found[FORMULA]
    if simulated["high"] < 0:
        return "A challenge pays at any guilt: not even a failed one costs points"
    if not simulated["low"] > 0:
        ends = _percent(simulated["low"]), _percent(simulated["high"])
        return f"Not resolved from which guilt a challenge pays: {' to '.join(ends)}"
    said = f"A challenge pays from {_percent(simulated['break_even'])} guilt on"
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
        shown = rows[rows["method"] == SAME_WORLDS].iloc[0]
        low, high = min(0, 1.5 * shown["low"]), max(0.4, 1.2 * shown["high"])
        label = "chance that the offender is guilty"
        scale = Scale(label, low, high, shown["break_even"], lambda share: f"{100 * share:g}%")
        about = f"{_cast(rows)}: {int(rows['n'].iloc[0]):,}"
        return dot_panel(where_it_pays(rows), about, _even_dots(rows), scale, all_dots)

    footer = (
        "Counting cards: each is worth the same, the turn nothing. Formula: from the measured "
        "worth of a card and of the turn. Both verdicts (dashed): tried in the same worlds, "
        "whoever was guilty. True verdicts: gains of the guilty cases, losses of the innocent, at "
        "equal hand sizes. Below 0: a failed challenge gains. Bars: 95% intervals, by deals. "
        f"{note}"
    )
    return lay_out("The guilt from which a challenge pays", _grid(table, panel), footer)


def _even_dots(rows: pd.DataFrame) -> list[Dot]:
    return [
        Dot(row["method"], row["break_even"], row["low"], row["high"], _even_text(row))
        for _, row in rows.iterrows()
    ]


def _even_text(row: Any) -> str:
    if row["method"] == CARDS_ALONE:
        return _percent(row["break_even"])
    return f"{_percent(row['break_even'])} ({_percent(row['low'])} to {_percent(row['high'])})"


def _percent(share: float) -> str:
    """Return an estimate of a share, which may lie below 0 or above 1."""
    return f"{share:.1%}"


# The matches


def which_rule_pays(rows: pd.DataFrame) -> str:
    """Say what the rule gained over greedy, from rows of one game and opponent of `matches`."""
    row = rows[rows["player"] == "rule"].iloc[0]
    against = f"against {row['opponent']}"
    if row["low"] == row["high"] == 0:
        return f"The rule plays as greedy {against}: nothing was worth a challenge"
    if row["low"] <= 0 <= row["high"]:
        gain = findings.mean(row["gain"], row["low"], row["high"])
        return f"No difference of the rule from greedy resolved {against}: {gain} points a round"
    verb, sign = ("gains", 1) if row["gain"] > 0 else ("costs", -1)
    ends = sorted((sign * row["low"], sign * row["high"]))
    return f"The rule {verb} {findings.mean(sign * row['gain'], *ends)} points a round {against}"


def match_chart(table: pd.DataFrame, note: str) -> Chart:
    """Draw what each player of `matches` gained over greedy."""
    all_dots = _gain_dots(table)
    reach = 1.1 * float(table[["low", "high"]].abs().to_numpy().max()) or 1

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
            f"{row['player']} ({row['win_rate']:.1%} won)",
            row["gain"],
            row["low"],
            row["high"],
            findings.mean(row["gain"], row["low"], row["high"]),
        )
        for _, row in rows.iterrows()
    ]
