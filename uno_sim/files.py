"""Writing files whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file under another name first, then give it its own.

    Raises `OSError` where that fails; what was there before is then still whole.
    """
    partial = Path(f"{os.fspath(path)}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
    finally:
        partial.unlink(missing_ok=True)
