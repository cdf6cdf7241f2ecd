"""What the benchmarks share: the machine, medians, a table, a JSON file."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Return what a figure depends on: the processor, and the versions that make the code."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy", "pandas", "uno-sim")},
    }


def cpu_model() -> str:
    """Return the processor's name as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown"


def load_average() -> float | None:
    """Return how many processes wanted to run in the last minute, None where nobody counts."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Return median, least and greatest of some measurements, and the measurements."""
    return {
        "median": statistics.median(values),
        "min": min(values),
        "max": max(values),
        "all": list(values),
    }


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table of text; the first column is left-aligned, numbers get three digits."""
    texts = [[title, *columns], *([_text(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in texts) for column in range(len(texts[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in texts
    )


def _text(cell: Any) -> str:
    if cell is None:
        return "-"
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.0f}" if abs(cell) >= 100 else f"{cell:#.3g}"


def print_machine(described: dict[str, Any], load: float | None) -> None:
    """Print the machine, and a warning where it is busy with something else."""
    print(", ".join(f"{key} {value}" for key, value in described.items()))
    if load is not None:
        busy = load > (os.cpu_count() or 1) / 2
        print(f"load average {load}" + (": busy, measure again later" if busy else ""))
    print(flush=True)


def write_json(path: str | None, result: dict[str, Any]) -> None:
    """Write a result to a file, where one is wanted."""
    if path is not None:
        Path(path).write_text(json.dumps(result, indent=2) + "\n")
        print(f"\nwritten: {path}")
