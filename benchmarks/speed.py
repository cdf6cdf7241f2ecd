"""Decisions a second: the engine, the driver, `simulate`, `Game`; plain C and RLCard beside them.

Everything is measured in turns (A B C A B C ...), in CPU time on one core, so that a busy machine
disturbs all alike; compare ratios within one run, not figures of different runs. The last column
says how many times as long it took by the clock on the wall.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from typing import Any

from benchmarks.contenders import (
    Contender,
    Sample,
    drivers_and_simulations,
    engines,
    python_loop,
)
from benchmarks.peer_process import FAILURES
from benchmarks.plain_c import NAME as PLAIN_C
from benchmarks.plain_c import PlainC
from benchmarks.report import load_average, machine, print_machine, spread, table, write_json
from benchmarks.rlcard_peer import NAME as RLCARD
from benchmarks.rlcard_peer import RLCard

RLCARD_GAMES = 500
PLAIN_C_ROUNDS = 50_000
PYTHON_ROUNDS = 500

Measure = Callable[[int], Sample]
"""A measurement of one seed."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the tables, and write them where a file is named."""
    options = parse(arguments)
    scale, repeats = (0.1, 3) if options.quick else (1.0, options.repeats)
    if options.only_compile:
        print(prepare(make_contenders(scale)[0]))
        return
    compiling = compile_apart()
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    ours, pairs = make_contenders(scale)
    seconds = prepare(ours)
    measures: dict[str, Measure] = {contender.name: contender.measure for contender in ours}
    add_plain_c(measures, int(PLAIN_C_ROUNDS * scale))
    with ExitStack() as stack:
        if not options.no_rlcard:
            add_rlcard(measures, stack, max(1, int(RLCARD_GAMES * scale)))
        walls: dict[str, list[float]] = {contender.name: [] for contender in ours}
        speeds = race(measures, repeats, walls)
    loads.append(load_average())
    print(f"not in the figures: compiling {compiling:.1f} s, loading {seconds:.1f} s\n")
    random_duo = {contender.name for contender in ours if contender.is_random_duo}
    print_speeds(speeds, walls, repeats, random_duo)
    print_shares(speeds, pairs)
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    result = {
        "machine": described,
        "load_average": loads,
        "compile_seconds": compiling,
        "million_decisions_a_second": {name: spread(values) for name, values in speeds.items()},
        "wall_time_by_cpu_time": {name: spread(values) for name, values in walls.items()},
    }
    write_json(options.out, result)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds, 3 repeats")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each (5)")
    parser.add_argument("--no-rlcard", action="store_true", help="leave RLCard out")
    parser.add_argument("--only-compile", action="store_true", help="print the seconds it takes")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    return parser.parse_args(arguments)


def prepare(contenders: Sequence[Contender]) -> float:
    """Compile all that is raced, or load it; return the CPU time that takes."""
    start = time.process_time()
    for contender in contenders:
        contender.play(0)
    return time.process_time() - start


def make_contenders(
    scale: float,
) -> tuple[list[Contender], Sequence[tuple[Contender, Contender]]]:
    """Return all contenders of this project, and those of them that are pairs."""
    pairs = drivers_and_simulations(scale)
    simulated = [contender for pair in pairs for contender in pair]
    return [*engines(scale), *simulated, python_loop(max(1, int(PYTHON_ROUNDS * scale)))], pairs


def compile_apart() -> float:
    """Compile all that is raced in a process of its own; return the CPU time that takes.

    What a process has compiled itself lies in memory with each function at the start of a page,
    where they drive each other out of the processor's cache. What it loads lies side by side.
    """
    command = [sys.executable, "-m", "benchmarks.speed", "--only-compile"]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def add_plain_c(measures: dict[str, Measure], rounds: int) -> None:
    """Add the plain C program to what is raced; where it cannot be built, say so and go on."""
    try:
        program = PlainC()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"The plain C program cannot be built, so it is left out: {error}\n")
        return
    measures[PLAIN_C] = lambda seed: program.measure(seed, rounds)


def add_rlcard(measures: dict[str, Measure], stack: ExitStack, games: int) -> None:
    """Add RLCard to what is raced; where it cannot be had, say so and go on."""
    try:
        rlcard = stack.enter_context(RLCard())
        rlcard.measure(0, 1)
    except FAILURES as error:
        print(f"RLCard cannot be installed or run, so it is left out: {error}\n")
        return
    measures[RLCARD] = lambda seed: rlcard.measure(seed, games)


def race(
    measures: dict[str, Measure], repeats: int, walls: dict[str, list[float]] | None = None
) -> dict[str, list[float]]:
    """Measure all in turns; return millions of decisions a second, one number a repeat.

    To the lists of `walls` is added how many times its CPU time the wall time was.
    """
    speeds: dict[str, list[float]] = {name: [] for name in measures}
    for seed in range(repeats):
        for name, measure in measures.items():
            start = time.perf_counter()
            sample = measure(seed)
            if walls and name in walls:
                walls[name].append((time.perf_counter() - start) / sample.seconds)
            speeds[name].append(sample.decisions / sample.seconds / 1e6)
    return speeds


def ratio(speeds: dict[str, list[float]], name: str, base: str) -> float | None:
    """Return the median over the repeats of how many times faster `name` is than `base`."""
    if base not in speeds:
        return None
    return statistics.median(a / b for a, b in zip(speeds[name], speeds[base], strict=True))


def print_speeds(
    speeds: dict[str, list[float]],
    walls: dict[str, list[float]],
    repeats: int,
    random_duo: Collection[str],
) -> None:
    """Print the table of speeds; `random_duo` names what plays the same as the C program."""
    rows: list[list[Any]] = []
    for name, values in speeds.items():
        summary = spread(values)
        rows.append([name, *(summary[key] for key in ("median", "min", "max"))])
        rows[-1].append(ratio(speeds, name, PLAIN_C) if name in random_duo else None)
        rows[-1].append(ratio(speeds, name, RLCARD))
        rows[-1].append(statistics.median(walls[name]) if name in walls else None)
    title = f"million decisions a second, one core, {repeats} repeats in turns"
    print(table(title, ["median", "min", "max", "of C", "x RLCard", "wall"], rows))


def print_shares(
    speeds: dict[str, list[float]], pairs: Sequence[tuple[Contender, Contender]]
) -> None:
    """Print how much of `simulate` is spent outside the driver."""
    rows = []
    for driver, simulation in pairs:
        share = 1 - (ratio(speeds, simulation.name, driver.name) or 0)
        rows.append([simulation.name, f"{share:.0%}"])
    print()
    print(table("time outside the driver", ["share"], rows))


if __name__ == "__main__":
    main()
