"""Steps a second of MaskablePPO on the vector environment, and the environment's share of the time.

Two hidden layers of 256, the settings of `experiments.train_ppo`, as many threads of PyTorch as
`--threads` says. Wall time, since threads are what is measured; CPU time beside it. Needs the extra
`train`, and a quiet machine: threads that wait for each other are slower than one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.report import load_average, machine, print_machine, spread, table, write_json

STEPS = 200_000


class Clock:
    """The wall time that some calls of an object take."""

    def __init__(self, owner: Any, *names: str) -> None:
        self.seconds = 0.0
        for name in names:
            setattr(owner, name, self._timed(getattr(owner, name)))

    def _timed(self, call: Any) -> Any:
        def timed(*arguments: Any, **keywords: Any) -> Any:
            start = time.perf_counter()
            result = call(*arguments, **keywords)
            self.seconds += time.perf_counter() - start
            return result

        return timed


def measure(steps: int, seed: int) -> tuple[float, float, float]:
    """Return steps a second by wall time and by CPU time, and the environment's share."""
    from experiments.training import HIDDEN, NUM_ENVS, PPO, new_model
    from uno_sim import UNO_DUO

    model = new_model(UNO_DUO, 2, "greedy", seed, NUM_ENVS, HIDDEN, "win", PPO)
    clock = Clock(model.get_env(), "step_wait", "env_method")
    wall, cpu = time.perf_counter(), time.process_time()
    model.learn(steps)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return model.num_timesteps / wall, model.num_timesteps / cpu, clock.seconds / wall


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write it where a file is named."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps")
    parser.add_argument("--repeats", type=int, default=3, help="measurements (3)")
    parser.add_argument("--threads", type=int, default=2, help="threads of PyTorch (2)")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    options = parser.parse_args(arguments)
    import torch

    torch.set_num_threads(options.threads)
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    steps = STEPS // 10 if options.quick else STEPS
    measure(1, 0)  # compiles
    found = [measure(steps, seed) for seed in range(options.repeats)]
    loads.append(load_average())
    names = ("steps a second", "steps a CPU second", "environment's share")
    columns = [spread(values) for values in zip(*found, strict=True)]
    rows = [
        [name, *(column[key] for key in ("median", "min", "max"))]
        for name, column in zip(names, columns, strict=True)
    ]
    print(table(f"MaskablePPO, 256-256, {options.threads} threads", ["median", "min", "max"], rows))
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    result = {"machine": described, "load_average": loads, "threads": options.threads}
    write_json(options.out, {**result, **dict(zip(names, columns, strict=True))})


if __name__ == "__main__":
    main()
