"""The charts of `draft_value`, and what their tables say in a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from agents.drafter import MOST_OF_COLOR
from experiments import findings
from experiments.cells import FEWEST
from experiments.dots import Dot, Scale, dot_panel
from experiments.draft_measures import FACES, MOST_SPECIALS, NUM_HELD, NUMBER
from experiments.heat_maps import NOTE, Axis, heat_panel, points
from experiments.sheet import Chart, Panel, lay_out
from uno_sim.cards import SYMBOLS
from uno_sim.statistics import normal_quantile

_WITHOUT = [*map(str, range(MOST_OF_COLOR)), f"{MOST_OF_COLOR}+"]
_HELD_NAMES = [*_WITHOUT, *(f"R,{count}" for count in _WITHOUT[1:])]
"""How the columns of `draft_measures.by_color` are named."""


def worth_chart(tables: dict[str, pd.DataFrame], about: str, note: str) -> Chart:
    """Draw `by_pick`, `by_color`, `by_specials` and `overall` of `draft_measures`, by name."""
    by_pick, by_color, by_specials = (
        tables[name] for name in ("by_pick", "by_color", "by_specials")
    )
    shown = pd.concat([by_pick, by_color, by_specials])
    most = float(shown.loc[shown["n"] >= FEWEST, "worth"].abs().quantile(0.9)) or 1

    def panel(
        title: str, rows: pd.DataFrame, column: str, names: Sequence[str], label: str
    ) -> Panel:
        faces = [face for face in FACES if (rows["face"] == face).any()]
        values = sorted(rows[column].unique())
        names = [names[value] for value in values]
        return heat_panel(
            title,
            about,
            rows,
            Axis("face", faces, faces, "offered card"),
            Axis(column, values, names, label),
            "worth",
            points(most),
        )

    picks = ["", *map(str, range(1, int(by_pick["pick"].max()) + 1))]
    specials = [*map(str, range(MOST_SPECIALS)), f"{MOST_SPECIALS}+"]
    panels = {
        (0, 0): panel(
            what_to_keep(tables["overall"]), by_pick, "pick", picks, "number of the pick"
        ),
        (0, 1): panel(
            what_a_reverse_does(tables["overall"]),
            by_color,
            "held",
            _HELD_NAMES[:NUM_HELD],
            "cards of its color in hand; R: with a Reverse among them",
        ),
        (1, 0): panel(
            what_specials_do(by_specials),
            by_specials,
            "specials",
            specials,
            "actions and wilds in hand",
        ),
    }
    footer = (
        "Round points by which keeping the offered card is better than rejecting it and taking the "
        "unseen next one: both are tried in the same world, and draft and round played on. Bold: "
        f"resolved from 0. {NOTE} {note}"
    )
    return lay_out("What keeping a card of the draft is worth", panels, footer)


def what_to_keep(overall: pd.DataFrame) -> str:
    """Say which faces are worth keeping, from the rows of `draft_measures.overall`."""
    faces = overall[overall["reverse"] < 0]

    def listed(rows: pd.DataFrame) -> str:
        names = [FACES.index(face) for face in rows["face"]]
        runs: list[list[int]] = []
        for number in names:
            digits = number <= SYMBOLS.index("9")
            if runs and digits and runs[-1][-1] == number - 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        texts = [
            FACES[run[0]] if len(run) == 1 else f"{FACES[run[0]]}-{FACES[run[-1]]}" for run in runs
        ]
        return " ".join(texts) or "nothing"

    keep, reject = faces[faces["low"] > 0], faces[faces["high"] < 0]
    said = f"On average worth keeping: {listed(keep)}; worth rejecting: {listed(reject)}"
    unsure = faces[(faces["low"] <= 0) & (faces["high"] >= 0)]
    return f"{said}; not resolved: {listed(unsure)}" if len(unsure) else said


def what_a_reverse_does(overall: pd.DataFrame) -> str:
    """Say what a held Reverse does to numbers of its color, from `draft_measures.overall`."""
    numbers = overall[overall["face"] == NUMBER].sort_values("reverse")
    if list(numbers["reverse"]) != [0, 1]:
        return "No number was offered with and without a Reverse of its color in hand"
    (_, without), (_, having) = numbers.iterrows()
    means = [findings.mean(row["worth"], row["low"], row["high"]) for row in (having, without)]
    said = f"{means[0]} with a Reverse of its color in hand, {means[1]} without"
    if having["low"] <= without["high"] and without["low"] <= having["high"]:
        return f"No difference for a number resolved: {said}"
    return f"A number is worth {said}"


def what_specials_do(by_specials: pd.DataFrame) -> str:
    """Say of which card the worth changes most with the actions and wilds held, if of any.

    A change is resolved at 5%, corrected for the number of cards.
    """
    best, most = None, 0.0
    faces = by_specials[by_specials["n"] >= FEWEST].groupby("face", sort=False)
    wider = normal_quantile(1 - 0.05 / max(1, faces.ngroups)) / normal_quantile(0.95)
    for face, rows in faces:
        few, many = rows.iloc[rows["specials"].argmin()], rows.iloc[rows["specials"].argmax()]
        halves = [(row["high"] - row["low"]) / 2 for row in (few, many)]
        change = abs(many["worth"] - few["worth"])
        if change > max(most, wider * math.hypot(*halves)):
            best, most = (face, few, many), change
    if best is None:
        return "No change with the actions and wilds in hand resolved for any card"
    face, few, many = best
    name = f"The number {face}" if str(face).isdigit() else str(face)
    return (
        f"{name} changes most with the actions and wilds in hand: {few['worth']:+.1f} with "
        f"{int(few['specials'])}, {many['worth']:+.1f} with {_specials_text(many['specials'])}"
    )


def _specials_text(count: float) -> str:
    return f"{int(count)} or more" if count == MOST_SPECIALS else f"{int(count)}"


def who_drafts_better(row: pd.Series) -> str:
    """Say who wins a match, from a row of `draft_value.matches`."""
    wins = f"wins {row['win_rate']:.2%} of {row['unit']} against {row['opponent']}"
    if row["low"] <= 0 <= row["high"]:
        return f"No difference resolved: {row['agent']} {wins}"
    name = row["agent"][0].upper() + row["agent"][1:]
    return f"{name} {wins}" if row["difference"] > 0 else f"{name} is behind: it {wins}"


def difference_text(row: pd.Series) -> str:
    """Return the difference of the win rates with its interval, in percentage points."""
    return f"{100 * row['difference']:+.2f} ({100 * row['low']:+.2f} to {100 * row['high']:+.2f})"


def match_chart(table: pd.DataFrame, note: str) -> Chart:
    """Draw `draft_value.matches`: a panel for rounds and one for games."""
    all_dots = _dots(table)
    reach = 1.1 * float(table[["low", "high"]].abs().to_numpy().max()) or 1

    def panel(rows: pd.DataFrame) -> Panel:
        first = rows.iloc[0]
        scale = Scale(
            f"win rate of {first['unit']} less the opponent's, in percentage points",
            -100 * reach,
            100 * reach,
            0,
        )
        about = f"{first['game']}: {int(first['played']):,} {first['unit']} each, every deal from "
        return dot_panel(
            who_drafts_better(first), f"{about}both seats", _dots(rows), scale, all_dots
        )

    panels = {
        (0, column): panel(rows)
        for column, (_, rows) in enumerate(table.groupby("unit", sort=False))
    }
    footer = (
        "All play as greedy and differ in the draft alone. Table 1: from drafts by greedy's rule; "
        "each next one from drafts by the one before. Dump rule: actions, wilds, and numbers of "
        f"whose color a Reverse is held. Bars: 95% intervals, with the deal as the unit. {note}"
    )
    return lay_out("Does a draft by the table win?", panels, footer)


def _dots(rows: pd.DataFrame) -> list[Dot]:
    return [
        Dot(
            f"{row['agent']} against {row['opponent']}",
            100 * row["difference"],
            100 * row["low"],
            100 * row["high"],
            difference_text(row),
        )
        for _, row in rows.iterrows()
    ]
