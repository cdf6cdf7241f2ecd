"""A figure of panels, laid out in inches so that no text can meet another.

Every text is wrapped to a measured width first, and each row is as high as what stands in it.
Nothing global is touched: no pyplot, and Matplotlib's settings apply only while a chart is drawn
or written. The same tables give the same bytes.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito, which color-blind readers can tell apart, without its yellow."""
MARKERS = ("o", "D", "^", "s", "v", "P", "X", "*")
DASHES = ("-", "--", "-.")
GRAY = "#595959"

PNG_DPI = 200
NOTEBOOK_DPI = 90

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 100,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.8,
    "svg.hashsalt": "uno_sim",
    "text.parse_math": False,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
}

_HEADING = FontProperties(size=13, weight="bold")
_TITLE = FontProperties(size=10.5, weight="bold")
_TEXT = FontProperties(size=9)
_SMALL = FontProperties(size=8.5)

_LINE = 1.3  # the distance of lines, in font sizes
_MARGIN = 0.15
_GAP = 0.35  # between panels, and between the heading and the panels
_AXIS = 0.45  # tick labels and axis label
_SAMPLE = 0.42  # the line in front of an entry of a legend
_COLUMN = {1: 7.2, 2: 5.1}
"""The width of a panel where so many stand side by side; more are as wide as two."""


def styled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run `function` with the settings of these charts, whatever the user's own are."""

    @functools.wraps(function)
    def with_style(*args: Any, **kwargs: Any) -> Any:
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(_STYLE)
            return function(*args, **kwargs)

    return with_style


class Chart:
    """A finished figure: bytes for files, and a picture where a notebook shows it."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def png(self, dpi: int = PNG_DPI) -> bytes:
        """Return the PNG file."""
        return self._bytes(format="png", dpi=dpi, metadata={"Software": None})

    def svg(self) -> bytes:
        """Return the SVG file."""
        return self._bytes(format="svg", metadata={"Creator": None, "Date": None})

    def _repr_png_(self) -> bytes:
        return self.png(NOTEBOOK_DPI)

    @styled
    def _bytes(self, **options: Any) -> bytes:
        file = io.BytesIO()
        self.figure.savefig(file, **options)
        return file.getvalue()


@dataclass(frozen=True)
class Entry:
    """An entry of a legend: a text, and how the line or the mark before it looks."""

    text: str
    look: Mapping[str, Any]


@dataclass(frozen=True)
class Panel:
    """What stands around a plot, and how to draw it."""

    title: str
    note: str
    draw: Callable[[Axes], None]
    plot_height: float
    """In inches, as all sizes here."""
    left: float = 0.65
    """Room for the tick labels of the y axis."""
    right: float = 0.1
    """Room for what is written right of the plot."""
    legend: list[Entry] = field(default_factory=list)


def wrap(text: str, width: float, font: FontProperties = _TEXT) -> list[str]:
    """Return the lines of a text that are at most `width` inches wide.

    Lines break at spaces; a word that is too long breaks where it must. A line break in the text
    stays one.
    """
    if "\n" in text:
        return [line for part in text.split("\n") for line in wrap(part, width, font)]
    lines: list[list[str]] = [[]]
    room = width
    for word in text.split():
        while text_width(word, font) > width and len(word) > 1:
            cut = _fitting_length(word, width, font)
            lines[-1:] = [*filter(None, lines[-1:]), [word[:cut]], []]
            word, room = word[cut:], width
        if text_width(word, font) > room:
            lines.append([])
            room = width
        lines[-1].append(word)
        room -= text_width(word, font) + text_width(" ", font)
    return [" ".join(words) for words in lines]


def text_width(text: str, font: FontProperties = _TEXT) -> float:
    """Return the width of a line of text in inches."""
    return _measured_width(text, font.get_size_in_points(), font.get_weight())


def line_height(font: FontProperties = _TEXT) -> float:
    """Return the distance from one line to the next in inches."""
    return float(font.get_size_in_points()) * _LINE / 72


@functools.cache
def _measured_width(text: str, size: float, weight: Any) -> float:
    font = FontProperties(size=size, weight=weight)
    return float(_renderer().get_text_width_height_descent(text, font, ismath=False)[0]) / 72


@functools.cache
def _renderer() -> RendererAgg:
    return RendererAgg(1, 1, 72)


def _fitting_length(word: str, width: float, font: FontProperties) -> int:
    """Return how many characters of a word fit, cut after a punctuation mark where one is late."""
    most = next(n for n in range(len(word), 0, -1) if n == 1 or text_width(word[:n], font) <= width)
    marks = [n for n in range(most // 2 + 1, most + 1) if not word[n - 1].isalnum()]
    return marks[-1] if marks else most


@styled
def lay_out(heading: str, panels: Mapping[tuple[int, int], Panel], footer: str) -> Chart:
    """Return the chart of panels by (row, column), under a heading and over a footer."""
    columns = 1 + max((column for _, column in panels), default=0)
    column_width = _COLUMN[min(columns, 2)]
    inner = column_width - _MARGIN
    width = columns * column_width + _MARGIN
    laid = {place: _LaidPanel(panel, inner) for place, panel in panels.items()}
    heading_lines = wrap(heading, width - 2 * _MARGIN, _HEADING)
    footer_lines = wrap(footer, width - 2 * _MARGIN, _SMALL)
    rows = sorted({row for row, _ in laid})
    of_row = {row: [one for (at, _), one in laid.items() if at == row] for row in rows}
    plot_tops = {row: max(one.above for one in of_row[row]) for row in rows}
    heights = {row: plot_tops[row] + max(one.below for one in of_row[row]) for row in rows}
    top = _MARGIN + len(heading_lines) * line_height(_HEADING) + _GAP / 2
    bottom = len(footer_lines) * line_height(_SMALL) + _MARGIN
    figure = Figure(figsize=(width, top + sum(heights.values()) + len(rows) * _GAP + bottom))
    page = _Page(figure)
    page.write(heading_lines, _MARGIN, _MARGIN, _HEADING)
    page.write(footer_lines, _MARGIN, page.height - bottom, _SMALL, GRAY)
    for row in rows:
        for (at, column), one in laid.items():
            if at == row:
                one.place(page, _MARGIN + column * column_width, top, plot_tops[row])
        top += heights[row] + _GAP
    return Chart(figure)


class _Page:
    """A figure, addressed in inches from its upper left corner."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.width, self.height = (float(size) for size in figure.get_size_inches())

    def write(
        self, lines: list[str], left: float, top: float, font: FontProperties, color: str = "black"
    ) -> None:
        """Write lines, the first one's upper edge at `top`."""
        for number, line in enumerate(lines):
            self.figure.text(
                left,
                self.height - top - (number + 0.8) * line_height(font),
                line,
                fontproperties=font,
                color=color,
                transform=self.figure.dpi_scale_trans,
            )

    def sample(self, left: float, top: float, look: Mapping[str, Any]) -> None:
        """Draw the line or the mark that stands before an entry of a legend."""
        middle = self.height - top - 0.52 * line_height(_TEXT)
        ends = [left, left + _SAMPLE / 2, left + _SAMPLE - 0.1]
        self.figure.add_artist(
            Line2D(ends, [middle] * 3, markevery=[1], transform=self.figure.dpi_scale_trans, **look)
        )

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return new axes."""
        bottom = self.height - top - height
        return self.figure.add_axes(
            (left / self.width, bottom / self.height, width / self.width, height / self.height)
        )


class _LaidPanel:
    """A panel with its texts wrapped to a width, and so with a height."""

    def __init__(self, panel: Panel, width: float) -> None:
        self.panel = panel
        self.width = width
        self.title = wrap(panel.title, width, _TITLE)
        self.note = wrap(panel.note, width, _TEXT)
        self.legend = [(entry, wrap(entry.text, width - _SAMPLE, _TEXT)) for entry in panel.legend]
        self.note_top = len(self.title) * line_height(_TITLE) + 0.02
        self.above = self.note_top + len(self.note) * line_height(_TEXT) + 0.1
        lines = sum(len(lines) for _, lines in self.legend)
        self.below = panel.plot_height + _AXIS + lines * line_height(_TEXT)

    def place(self, page: _Page, left: float, top: float, plot_top: float) -> None:
        """Draw the panel with its corner at (`left`, `top`), the plot from `plot_top` below."""
        panel = self.panel
        page.write(self.title, left, top, _TITLE)
        page.write(self.note, left, top + self.note_top, _TEXT, GRAY)
        top += plot_top
        plot_width = self.width - panel.left - panel.right
        panel.draw(page.axes(left + panel.left, top, plot_width, panel.plot_height))
        top += panel.plot_height + _AXIS
        for entry, lines in self.legend:
            page.sample(left, top, entry.look)
            page.write(lines, left + _SAMPLE, top, _TEXT)
            top += len(lines) * line_height(_TEXT)
