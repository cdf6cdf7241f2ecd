"""Numbers with their intervals, one a line, written out on the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties

from experiments.sheet import COLORS, GRAY, MARKERS, Panel, text_width

_LINE = 0.3  # inches


class Dot(NamedTuple):
    """A line: a name, an estimate, the ends of its interval, and all of that as text.

    An estimate that is NaN has its text only, an interval that is NaN no bar.
    """

    name: str
    value: float
    low: float
    high: float
    text: str
    color: str | None = None
    """None for a color and a mark of its own."""
    bold: bool = False


@dataclass(frozen=True)
class Scale:
    """The axis below: its label, its ends, where the dashed line is, how a tick is written."""

    label: str
    low: float
    high: float
    dashed: float
    tick: Callable[[float], str] = "{:g}".format


def dot_panel(
    title: str, note: str, dots: Sequence[Dot], scale: Scale, others: Sequence[Dot] = ()
) -> Panel:
    """Return the panel of some dots.

    What lies beyond an end of the scale is cut, and an arrow drawn there.
    Room for texts is left as `others` need it too, so that panels of one chart are alike.
    """
    widest = [*dots, *others]
    return Panel(
        title=title,
        note=note,
        draw=partial(_draw, dots, scale),
        plot_height=_LINE * len(dots),
        left=0.15 + max(text_width(dot.name, _font(dot)) for dot in widest),
        right=0.2 + max(text_width(dot.text, _font(dot)) for dot in widest),
    )


def _font(dot: Dot) -> FontProperties:
    return FontProperties(size=9, weight="bold" if dot.bold else "normal")


def _draw(dots: Sequence[Dot], scale: Scale, axes: Axes) -> None:
    for y, dot in enumerate(dots):
        color = dot.color or COLORS[y % len(COLORS)]
        marker = MARKERS[0 if dot.color else y % len(MARKERS)]
        axes.plot([dot.low, dot.high], [y, y], color=color, linewidth=3 if dot.bold else 1.8)
        size = 8 if dot.bold else 5.5
        axes.plot([dot.value], [y], linestyle="", marker=marker, markersize=size, color=color)
        ends = [end for end in (dot.value, dot.low, dot.high) if not math.isnan(end)]
        inside = 0.015 * (scale.high - scale.low)
        for place, arrow, cut in (
            (scale.low + inside, "<", any(one < scale.low for one in ends)),
            (scale.high - inside, ">", any(one > scale.high for one in ends)),
        ):
            if cut:
                axes.plot([place], [y], marker=arrow, markersize=6, color=color)
        axes.annotate(
            dot.text,
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(0.12 * 72, 0),
            textcoords="offset points",
            va="center_baseline",
            fontproperties=_font(dot),
            color=color,
            annotation_clip=False,
        )
    axes.axvline(scale.dashed, color=GRAY, linestyle="--", linewidth=1, zorder=1)
    axes.set_ylim(len(dots) - 0.5, -0.5)
    axes.set_yticks(range(len(dots)), [dot.name for dot in dots])
    for label, dot in zip(axes.get_yticklabels(), dots, strict=True):
        label.set_fontweight(_font(dot).get_weight())
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(scale.low, scale.high)
    axes.xaxis.set_major_formatter(lambda value, _: scale.tick(round(value, 6)))
    axes.set_xlabel(scale.label)
