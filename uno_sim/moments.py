"""Long work in short compiled calls: nothing can stop a call in the middle, not even Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Iterator

MOMENT = 0.2
"""About how many seconds a call may last."""


class Moments:
    """Cuts work into slices that last a moment each, however long one piece takes.

    What comes out must not depend on the slices, since they depend on the clock.
    """

    def __init__(self) -> None:
        self.size = 1
        """How many pieces the next slice has."""

    def slices(self, count: int) -> Iterator[slice]:
        """Yield slices that cover `count` pieces; a slice's work is done before the next one."""
        first = 0
        while first < count:
            stop = min(count, first + self.size)
            start = time.perf_counter()
            yield slice(first, stop)
            seconds = time.perf_counter() - start
            if seconds > MOMENT:
                self.size = max(1, self.size // 2)
            elif seconds < MOMENT / 2 and stop - first == self.size:
                self.size *= 2
            first = stop
