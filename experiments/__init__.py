"""Experiments, one question a file, run as `python -m experiments.NAME`; see its `--help`."""

import os
import signal
import sys
import time
from typing import Any

ONE_INTERRUPT = 1.0
"""Seconds in which a second Ctrl-C counts as the same one: `timeout -s INT` sends two."""

_last_interrupt = [-ONE_INTERRUPT]


def _leave(*_: Any) -> None:
    """End the process: nothing has begun, so there is nothing to tidy up."""
    os.write(2, b"interrupted before anything was played\n")
    os._exit(130)


def _interrupt(*_: Any) -> None:
    """Raise `KeyboardInterrupt`, but for one Ctrl-C once, so that nothing is left untidy."""
    now = time.monotonic()
    if now - _last_interrupt[0] >= ONE_INTERRUPT:
        _last_interrupt[0] = now
        raise KeyboardInterrupt


def hear_interrupts() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, now that the experiment is loaded."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _interrupt)


def ignore_interrupts() -> None:
    """Let Ctrl-C do nothing any more, since the program is at its end."""
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # An experiment is being loaded as a program, which takes a second or two.
    signal.signal(signal.SIGINT, _leave)
