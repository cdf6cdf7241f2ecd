"""Numbers that an experiment has written for an agent: the last column of a CSV file."""

from __future__ import annotations

from typing import Any

import numpy as np


def read_last_column(option: str, file: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the last column of a CSV file with a header, float32 `[rows]`.

    Raises `ValueError`, naming the agent's option, where the file cannot be read as numbers.
    """
    try:
        return np.loadtxt(file, delimiter=",", skiprows=1, usecols=-1, dtype=np.float32)
    except (OSError, ValueError) as error:
        raise ValueError(f"{option}={file!r}: {error}") from None
