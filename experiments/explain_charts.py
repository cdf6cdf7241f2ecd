"""What `explain` found, as text and as charts."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from experiments import findings
from experiments.dots import Dot, Scale, dot_panel
from experiments.sheet import COLORS, GRAY, MARKERS, Chart, Entry, Panel, lay_out

WORST = 5
"""How many mistakes are told of first."""
_INTERVALS = "95% intervals, corrected for the number of alternatives"


def what_it_was(row: Any) -> str:
    """Return in a few words by what a choice gave points away."""
    chosen, best = row["chosen"], row["best"]
    short = {
        "challenge": "by not challenging",
        "uno": "by not saying UNO",
        "catch": "by not catching",
        "ignore": "by catching",
        "silent": "by saying UNO",
        "keep": f"by rejecting {row['card']}",
        "reject": f"by keeping {row['card']}",
    }
    if best in short:
        return short[best]
    if chosen == "challenge":
        return "by challenging"
    if chosen == "take":
        return f"by taking instead of {best}"
    if chosen == "draw":
        return f"by drawing instead of {best}"
    if best == "draw":
        return f"by {chosen} instead of drawing"
    return f"by {chosen} instead of {best}"


def cost_text(row: Any) -> str:
    """Return what a choice cost: `gave away 3.1 +- 0.4 points by not challenging`."""
    if row["chosen"] == row["best"]:
        return "the best that was found"
    half = (row["high"] - row["low"]) / 2
    amount = f"{row['cost']:.1f}" + ("" if math.isnan(half) else f" +- {half:.1f}")
    said = f"{amount} points {what_it_was(row)}"
    return f"gave away {said}" if row["mistake"] else f"no mistake resolved: {said}"


def worth_text(table: pd.DataFrame) -> str:
    """Return what the weighed worlds of some decisions are worth: `36 to 1,000 equal ones`."""
    least, most = (f"{worth:,.0f}" for worth in table["effective_worlds"].agg(["min", "max"]))
    return f"{least} equal ones" if least == most else f"{least} to {most} equal ones"


def worst_mistakes(table: pd.DataFrame) -> pd.DataFrame:
    """Return the resolved mistakes that cost most, the worst first."""
    mistakes = table[table["mistake"]]
    return mistakes.sort_values("cost", ascending=False, kind="stable").head(WORST)


def what_was_found(table: pd.DataFrame) -> str:
    """Say what the worst decision was, if any mistake is resolved."""
    decisions = findings.count(len(table), "decisions")
    worst = worst_mistakes(table)
    if worst.empty:
        return f"No mistake resolved in {decisions}"
    row = worst.iloc[0]
    mistakes = findings.count(table["mistake"].sum(), "mistakes")
    return (
        f"{mistakes} resolved in {decisions}; the worst: seat {row['seat']} {cost_text(row)} "
        f"(decision {row['decision']})"
    )


def report(table: pd.DataFrame, weighed: bool = False) -> str:
    """Return all decisions as lines of text, the worst mistakes first.

    Where worlds are weighed each line says how many equal ones they are worth.
    """
    worst = worst_mistakes(table)
    lines = [what_was_found(table)]
    if len(worst):
        lines += ["", "worst mistakes:", *(_line(row, weighed) for _, row in worst.iterrows())]
    for seat, rows in table.groupby("seat"):
        mistakes = rows[rows["mistake"]]
        lines += [
            "",
            f"seat {seat}: {findings.count(len(rows), 'decisions')}, "
            f"{findings.count(len(mistakes), 'mistakes')} resolved, together "
            f"{mistakes['cost'].sum():.1f} points",
            *(_line(row, weighed) for _, row in rows.iterrows()),
        ]
    lines += ["", f"+- half of {_INTERVALS}."]
    if weighed:
        lines.append(f"The weighed worlds of a decision are worth {worth_text(table)}.")
    else:
        lines.append(
            "The others' choices told nothing of their hands; with --model AGENT they do, and a "
            "wild draw of a player who never bluffs is believed."
        )
    return "\n".join(lines)


def _line(row: Any, weighed: bool) -> str:
    place = f"round {row['round']}, decision {row['decision']}, seat {row['seat']}"
    worth = f" (worlds worth {row['effective_worlds']:,.0f})" if weighed else ""
    return f"  {place}: {_chosen(row)}: {cost_text(row)}{worth}"


def _chosen(row: Any) -> str:
    """Return what was chosen, in the draft with the offered card."""
    return f"{row['chosen']} {row['card']}" if row["phase"] == "DRAFT" else str(row["chosen"])


def cost_chart(table: pd.DataFrame, note: str, weighed: bool = False) -> Chart:
    """Draw the cost of each decision, the worst mistakes named."""
    worth = f"The weighed worlds are worth {worth_text(table)}. " if weighed else ""
    seats = sorted(table["seat"].unique())
    panel = Panel(
        title=what_was_found(table),
        note="\n".join(
            f"{row['decision']}: seat {row['seat']} {cost_text(row)}"
            for _, row in worst_mistakes(table).iterrows()
        ),
        draw=partial(_draw_costs, table, seats),
        plot_height=3.2,
        legend=[
            Entry(f"seat {seat}: {_seat_text(table, seat)}", _look(place))
            for place, seat in enumerate(seats)
        ],
    )
    footer = (
        "Round points that the choice gave away against the best that was found. Bars: "
        f"{_INTERVALS}. Pale: no mistake resolved. Numbered: the worst mistakes. Dotted: a new "
        f"round. {worth}{note}"
    )
    return lay_out("What each decision cost", {(0, 0): panel}, footer)


def _seat_text(table: pd.DataFrame, seat: int) -> str:
    rows = table[table["seat"] == seat]
    mistakes = findings.count(rows["mistake"].sum(), "mistakes")
    return f"{findings.count(len(rows), 'decisions')}, {mistakes} resolved"


def _look(place: int) -> dict[str, Any]:
    return {
        "color": COLORS[place % len(COLORS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": "",
        "markersize": 4.5,
    }


def _draw_costs(table: pd.DataFrame, seats: list[int], axes: Axes) -> None:
    for _, row in table.iterrows():
        look = _look(seats.index(row["seat"]))
        alpha = 1 if row["mistake"] else 0.3
        ends = [row["low"], row["high"]]
        axes.plot([row["decision"]] * 2, ends, color=look["color"], linewidth=1.2, alpha=alpha)
        axes.plot([row["decision"]], [row["cost"]], alpha=alpha, **look)
    for _, row in worst_mistakes(table).iterrows():
        axes.annotate(
            str(row["decision"]),
            (row["decision"], row["high"]),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    rounds = table.drop_duplicates("round")["decision"].iloc[1:]
    for first in rounds:
        axes.axvline(first - 0.5, color=GRAY, linestyle=":", linewidth=0.8, zorder=1)
    axes.axhline(0, color=GRAY, linestyle="--", linewidth=1, zorder=1)
    axes.margins(y=0.12)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.set_xlabel("number of the decision in the record (forced ones left out)")
    axes.set_ylabel("cost in round points")


def action_text(row: Any, table: pd.DataFrame, weighed: bool = False) -> str:
    """Return the actions of one decision as lines of text."""
    lines = [f"{_line(row, weighed).strip()}", ""]
    cells = [["action", "points", "win", "game", "less than the best"]]
    for _, one in table.iterrows():
        cells.append(
            [
                one["action"] + (" (chosen)" if one["action"] == row["chosen"] else ""),
                _with_error(f"{one['points']:+.1f}", one["points_se"], ".1f"),
                _with_error(f"{one['win']:.1%}", one["win_se"], ".1%"),
                _with_error(f"{one['game']:.1%}", one["game_se"], ".1%"),
                "" if one["action"] == row["best"] else _difference(one),
            ]
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        lines.append("  ".join(f"{c:{width}}" for c, width in zip(line, widths, strict=True)))
    note = f"points, win, game: +- standard errors; differences: {_INTERVALS}."
    return "\n".join([*(line.rstrip() for line in lines), "", note])


def _with_error(text: str, error: float, digits: str) -> str:
    return text if math.isnan(error) else f"{text} +- {error:{digits}}"


def _difference(one: Any) -> str:
    """Return how much less than the best an action is worth, with its interval if it has one."""
    if math.isnan(one["difference_low"]):
        return f"{one['difference']:+.1f}"
    ends = f"{one['difference_low']:+.1f} to {one['difference_high']:+.1f}"
    return f"{one['difference']:+.1f} ({ends})"


def action_chart(row: Any, table: pd.DataFrame, note: str, weighed: bool = False) -> Chart:
    """Draw what each action of one decision is worth against the best."""
    dots = [
        Dot(
            one["action"] + (" (chosen)" if one["action"] == row["chosen"] else ""),
            one["difference"],
            one["difference_low"],
            one["difference_high"],
            _difference(one)
            if one["action"] != row["best"]
            else f"the best: {one['points']:+.1f} points",
            COLORS[0],
            one["action"] == row["chosen"],
        )
        for _, one in table.iterrows()
    ]
    ends = [end for dot in dots for end in (dot.value, dot.low, dot.high) if not math.isnan(end)]
    lowest, highest = min(0, *ends), max(0, *ends)
    room = 0.08 * (highest - lowest) or 1
    scale = Scale("round points less than the best", lowest - room, highest + room, 0)
    title = f"Seat {row['seat']}, {_chosen(row)}: {cost_text(row)}"
    about = f"decision {row['decision']}, round {row['round']}"
    if weighed:
        about += f"; the weighed worlds are worth {row['effective_worlds']:,.0f} equal ones"
    panel = dot_panel(title, about, dots, scale)
    footer = f"Bold: chosen. Bars: {_INTERVALS}. {note}"
    return lay_out("What each action was worth", {(0, 0): panel}, footer)
