"""How far a long run is: a bar on a terminal, elsewhere a plain line now and then, both on stderr.

A run that is over soon says nothing but the bar.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import AbstractContextManager
from typing import Any

from tqdm import tqdm

FIRST_LINE = 10.0
"""After how many seconds the first line comes; no two are closer."""
RARER = 0.2
"""Lines become rarer in a long run: so much of the time that is gone lies between two."""


class Progress(AbstractContextManager["Progress"]):
    """Counts the rows that are finished; one for a run, however many batches that has."""

    def __init__(self, total: int, unit: str, shown: bool) -> None:
        """Begin with no row of `total` finished; `unit` is what they are, such as `rounds`."""
        self.total = total
        self.unit = unit
        self.finished = 0
        self._before = 0
        self._one_at_a_time = threading.Lock()
        self._began = self._said = time.monotonic()
        on_terminal = shown and sys.stderr is not None and sys.stderr.isatty()
        self._by_lines = shown and not on_terminal
        self._bar = tqdm(total=total, unit=f" {unit}") if on_terminal else None

    def found(self, rows: int) -> None:
        """Count rows that were finished by an earlier run; they have no part in the rate."""
        self._before += rows
        self.finished += rows
        if self._bar is not None:
            self._bar.initial += rows
            self._bar.update(rows)

    def add(self, rows: int) -> None:
        """Count rows that are finished now; any thread may do so."""
        with self._one_at_a_time:
            self.finished += rows
            if self._bar is not None:
                self._bar.update(rows)
            now = time.monotonic()
            if self._by_lines and now - self._said >= max(FIRST_LINE, RARER * (now - self._began)):
                self._said = now
                print(self.line(now - self._began), file=sys.stderr, flush=True)

    def line(self, seconds: float) -> str:
        """Return how far the run is after so many seconds, as a line of text."""
        rate = (self.finished - self._before) / seconds
        text = (
            f"{self.finished:,} of {self.total:,} {self.unit} "
            f"({100 * self.finished / self.total:.0f}%), {_rounded(rate)} a second"
        )
        left = self.total - self.finished
        return f"{text}, {duration(left / rate)} left" if left and rate else text

    def __exit__(self, *error: Any) -> None:
        """Leave the bar as it is, and tell of the end where there were lines before."""
        if self._bar is not None:
            self._bar.close()
        now = time.monotonic()
        if self._said > self._began and self.finished == self.total:
            print(self.line(now - self._began), file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Return a time as text, to two units.

    >>> duration(7.6), duration(200), duration(90_000)
    ('8 s', '3 min 20 s', '1 d 1 h')
    """
    left = round(seconds)
    for size, name, smaller, smaller_name in (
        (86400, "d", 3600, "h"),
        (3600, "h", 60, "min"),
        (60, "min", 1, "s"),
    ):
        if left >= size:
            return f"{left // size} {name} {left % size // smaller} {smaller_name}"
    return f"{left} s"


def _rounded(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
