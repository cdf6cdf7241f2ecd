"""How long a start takes: the import, the first run that compiles, a later run.

The command measured is one experiment, whole: Python's own start, the import, both games with two
agents, the report. For the first run the folder of compiled code is new and empty.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import load_average, machine, print_machine, spread, table, write_json

COMMAND = ("-m", "experiments.win_rates", "--rounds", "10")
IMPORT = ("-c", "import uno_sim")

_ROOT = Path(__file__).parent.parent


class Duration(NamedTuple):
    """How long a process ran."""

    wall: float
    """Seconds from start to end."""
    cpu: float
    """Seconds of CPU time of it and its children."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write it where a file is named."""
    options = parse(arguments)
    firsts, others = (1, 3) if options.quick else (options.firsts, options.repeats)
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    durations = measure_all(firsts, others)
    loads.append(load_average())
    rows: list[list[Any]] = []
    result: dict[str, Any] = {}
    for name, measured in durations.items():
        walls, cpus = (spread(values) for values in zip(*measured, strict=True))
        rows.append([name, len(measured), *(walls[key] for key in ("median", "min", "max"))])
        rows[-1].append(cpus["median"])
        result[name] = {"wall": walls, "cpu": cpus}
    print(table("seconds", ["runs", "median", "min", "max", "CPU time"], rows))
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    write_json(options.out, {"machine": described, "load_average": loads, "seconds": result})


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.start",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="one first run, 3 of the others")
    parser.add_argument("--firsts", type=int, default=3, help="first runs, which compile (3)")
    parser.add_argument("--repeats", type=int, default=7, help="runs of the others (7)")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    return parser.parse_args(arguments)


def measure_all(firsts: int, others: int) -> dict[str, list[Duration]]:
    """Return the durations of each kind of start."""
    with tempfile.TemporaryDirectory(prefix="uno-sim-start-") as name:
        folder = Path(name)
        # Each in a folder of its own: what an earlier run has kept is not played again.
        places = [folder / str(number) for number in range(firsts)]
        for place in places:
            place.mkdir()
        first_runs = [run(COMMAND, place, place / "cache") for place in places]
        used = places[0] / "cache"
        return {
            "python -c pass": [run(("-c", "pass"), folder, used) for _ in range(others)],
            'python -c "import uno_sim"': [run(IMPORT, folder, used) for _ in range(others)],
            f"python {' '.join(COMMAND)}, first run": first_runs,
            f"python {' '.join(COMMAND)}, later run": [
                run(COMMAND, folder, used) for _ in range(others)
            ],
        }


def run(command: Sequence[str], folder: Path, cache: Path) -> Duration:
    """Run Python in `folder`, with its compiled code in `cache`.

    Raises `subprocess.CalledProcessError` where it fails.
    """
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(cache), PYTHONPATH=path, MPLBACKEND="Agg")
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wall, after = time.perf_counter() - start, os.times()
    user = after.children_user - before.children_user
    return Duration(wall, user + after.children_system - before.children_system)


if __name__ == "__main__":
    main()
