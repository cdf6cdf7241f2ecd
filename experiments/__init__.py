"""Experiments, one question a file, run as `python -m experiments.NAME`; see its `--help`."""

import os
import signal
import sys
from typing import Any


def _leave(*_: Any) -> None:
    """End the process: nothing has begun, so there is nothing to tidy up."""
    os.write(2, b"interrupted before anything was played\n")
    os._exit(130)


def hear_interrupts() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, now that the experiment is loaded."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # An experiment is being loaded as a program, which takes a second or two.
    signal.signal(signal.SIGINT, _leave)
