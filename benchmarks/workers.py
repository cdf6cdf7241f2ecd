"""Two workers against one, wall and CPU time: `simulate` with compiled agents, in threads.

One and several workers play the same rows in turns (1 2 1 2 ...), so that a busy machine disturbs
both alike. The first play of each is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

from benchmarks.report import load_average, machine, print_machine, spread, table, write_json
from uno_sim import UNO_DUO, simulate

ROUNDS = 400_000
"""So many that the last unit, which one worker plays alone, is a small part."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write it where a file is named."""
    options = parse(arguments)
    rounds = ROUNDS // 10 if options.quick else ROUNDS
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    counts = (1, options.workers)
    seconds: dict[int, list[float]] = {count: [] for count in counts}
    of_cpu: dict[int, list[float]] = {count: [] for count in counts}
    for repeat in range(options.repeats + 1):
        for count in counts:
            wall, cpu = measure(rounds, count)
            if repeat:
                seconds[count].append(wall)
                of_cpu[count].append(cpu)
    loads.append(load_average())
    ratios = [one / other for one, other in zip(*seconds.values(), strict=True)]
    rows = [
        [
            f"{count} workers",
            *(spread(seconds[count])[key] for key in KEYS),
            statistics.median(of_cpu[count]),
        ]
        for count in counts
    ]
    title = f"seconds, greedy against greedy, {rounds:,} rounds of UNO Duo"
    print(table(title, [*KEYS, "CPU time"], rows))
    print(f"\n{options.workers} workers are {statistics.median(ratios):.2f} times as fast as one")
    print(f"load average at the start {loads[0]}, at the end {loads[1]}")
    result = {
        "machine": described,
        "load_average": loads,
        "rounds": rounds,
        "seconds": {count: spread(values) for count, values in seconds.items()},
        "cpu_seconds": {count: spread(values) for count, values in of_cpu.items()},
        "times_as_fast": spread(ratios),
    }
    write_json(options.out, result)


KEYS = ["median", "min", "max"]


def measure(rounds: int, workers: int) -> tuple[float, float]:
    """Return the seconds, of wall and of CPU time, from the call of a batch to its frames."""
    start = time.perf_counter(), time.process_time()
    simulate(UNO_DUO, ["greedy", "greedy"], rounds=rounds, seed=1, workers=workers)
    return time.perf_counter() - start[0], time.process_time() - start[1]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.workers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each (5)")
    parser.add_argument("--workers", type=int, default=2, help="how many play at once (2)")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
