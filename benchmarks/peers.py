"""Decisions a second beside other programs that play card games: random play on one core.

RLCard, OpenSpiel and pgx are installed with exact versions into environments of their own
(`benchmarks/.venv-*`), and each runs as a process of its own. What cannot be installed is left out.
Everything is measured in turns, in CPU time; compare ratios within one run.

They play other games, so a decision is not the same work: see docs/performance.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from benchmarks.contenders import Sample, engine, python_loop, simulation
from benchmarks.peer_process import FAILURES, PeerProcess
from benchmarks.report import load_average, machine, print_machine, spread, table, write_json
from benchmarks.rlcard_peer import NAME as RLCARD_RUN
from benchmarks.rlcard_peer import STEP_NAME as RLCARD_STEP
from benchmarks.rlcard_peer import RLCard
from benchmarks.speed import Measure, compile_apart, prepare, race, ratio
from uno_sim import UNO_DUO

OPEN_SPIEL = ("open_spiel==2.0.2", "numpy==2.4.6")
PGX = ("pgx==2.6.0", "jax==0.10.2", "jaxlib==0.10.2", "numpy==2.4.6")

LOOPS: dict[str, tuple[Callable[[], PeerProcess], dict[str, tuple[str, int]]]] = {
    "RLCard": (RLCard, {RLCARD_RUN: ("run", 300), RLCARD_STEP: ("step", 300)}),
    "OpenSpiel": (
        partial(PeerProcess, "open_spiel", OPEN_SPIEL),
        {
            "OpenSpiel 2.0.2 crazy_eights, from Python": ("python", 1000),
            "OpenSpiel 2.0.2 crazy_eights, its random bots": ("bots", 5000),
        },
    ),
    "pgx": (
        partial(PeerProcess, "pgx", PGX),
        {
            "pgx 2.6.0 sparrow_mahjong, 1,024 games in JAX": ("sparrow_mahjong", 30),
            "pgx 2.6.0 leduc_holdem, 16,384 games in JAX": ("leduc_holdem", 40),
        },
    ),
}
"""Each program: how it is started, and by name its loops and how much of each is a measurement."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write it where a file is named."""
    options = parse(arguments)
    compile_apart()
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    simulated = simulation(UNO_DUO, "random", 40)
    ours = [engine(UNO_DUO, 2, 20_000), simulated, python_loop(40)]
    prepare(ours)
    measures: dict[str, Measure] = {contender.name: contender.measure for contender in ours}
    with ExitStack() as stack:
        for program in LOOPS:
            add_peer(program, measures, stack)
        speeds = race(measures, options.repeats)
    loads.append(load_average())
    rows: list[list[Any]] = []
    for name, values in speeds.items():
        summary = spread(values)
        times = ratio(speeds, simulated.name, name)
        rows.append([name, *(summary[key] for key in ("median", "min", "max")), times])
    title = f"million decisions a second, one core, {options.repeats} repeats in turns"
    print(table(title, ["median", "min", "max", "simulate / it"], rows))
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    result = {
        "machine": described,
        "load_average": loads,
        "million_decisions_a_second": {name: spread(values) for name, values in speeds.items()},
    }
    write_json(options.out, result)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each (5)")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    return parser.parse_args(arguments)


def add_peer(program: str, measures: dict[str, Measure], stack: ExitStack) -> None:
    """Add the loops of another program; where it cannot be had, say so and go on."""
    start, loops = LOOPS[program]
    try:
        peer = stack.enter_context(start())
        for loop, _ in loops.values():
            peer.measure(0, 1, loop)
    except FAILURES as error:
        print(f"{program} cannot be installed or run, so it is left out: {error}\n")
        return
    for name, (loop, amount) in loops.items():
        measures[name] = partial(measure_peer, peer, amount, loop)


def measure_peer(peer: PeerProcess, amount: int, loop: str, seed: int) -> Sample:
    """Return a measurement of one seed."""
    return peer.measure(seed, amount, loop)


if __name__ == "__main__":
    main()
