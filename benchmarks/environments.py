"""Steps a second: the vector environment, the single one, RLCard's step loop, networks.

Everything is measured in turns (A B C A B C ...), in CPU time on one core, so that a busy machine
disturbs all alike; compare ratios within one run, not figures of different runs. Of the vector
environment the calls of `step` alone are timed, and not the choice of the actions. A step is one
decision of the learner; RLCard's are those of both players.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np

from agents.network import network
from agents.network_numpy import NumpyNetwork
from benchmarks.contenders import Contender, Sample
from benchmarks.report import load_average, machine, print_machine, spread, table, write_json
from benchmarks.rlcard_peer import STEP_NAME, RLCard
from benchmarks.speed import Measure, prepare, race, ratio
from uno_sim import NUM_ACTIONS, UNO_DUO, simulate
from uno_sim.features import NUM_FEATURES
from uno_sim.networks import Vector, flatten
from uno_sim.simulation.plan import LEAST_IN_LOCKSTEP

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
SIZES = (64, 512, 4096, 16384)
"""How many games the vector environment has."""
STEPS = 2_000_000
"""About how many steps a measurement of the vector environment takes."""


class VectorContender:
    """The vector environment with a number of games of Duo against `greedy`."""

    def __init__(self, games: int, steps: int) -> None:
        self.name = f"vector environment, {games:,} games"
        self.games = games
        self.calls = max(20, steps // games)
        self.env = gymnasium.make_vec("uno_sim/UnoDuo-v0", num_envs=games, opponents="greedy")
        self.wishes = np.random.default_rng(0).random((games, NUM_ACTIONS), np.float32)

    def measure(self, seed: int) -> Sample:
        """Return the steps and the CPU time of the environment for legal actions at random."""
        observations, _ = self.env.reset(seed=seed)
        seconds = 0.0
        for call in range(self.calls):
            wishes = self.wishes[(call * 37 + seed) % self.games]
            actions = (observations["action_mask"] * wishes).argmax(axis=1)
            start = time.process_time()
            observations, *_ = self.env.step(actions)
            seconds += time.process_time() - start
        return Sample(self.calls * self.games, seconds)


def single(episodes: int) -> Contender:
    """The single environment against `greedy`, the legal actions taken in turns."""
    env = gymnasium.make("uno_sim/UnoDuo-v0", opponents="greedy")

    def play(seed: int) -> int:
        steps = 0
        env.reset(seed=seed)
        for _ in range(episodes):
            observation, _ = env.reset()
            over = False
            while not over:
                legal = observation["action_mask"].nonzero()[0]
                observation, _, terminated, truncated, _ = env.step(legal[steps * 7 % len(legal)])
                over = terminated or truncated
                steps += 1
        return steps

    return Contender("single environment", play)


def random_network(width: int) -> Vector:
    """Return a network of two hidden layers with random weights."""
    random = np.random.default_rng(0)
    sizes = [NUM_FEATURES, width, width, NUM_ACTIONS]
    layers = [
        (random.normal(0, inputs**-0.5, (outputs, inputs)), np.zeros(outputs))
        for inputs, outputs in pairwise(sizes)
    ]
    return flatten(layers)


def compiled_network(width: int, rounds: int) -> Contender:
    """A compiled network against itself, one decision at a time, features included."""
    agent = network(random_network(width), sample=True)

    def play(seed: int) -> int:
        results = simulate(UNO_DUO, [agent, agent], rounds=rounds, seed=seed)
        return int(results.rounds["decisions"].sum())

    return Contender(f"compiled network, {width}-{width}", play)


class Timed(NumpyNetwork):
    """A NumPy network that notes how long its answers take."""

    seconds = 0.0

    def act(self, observations: Any, seeds: Any) -> Any:
        """Answer, and add the CPU time of it to `seconds`."""
        start = time.process_time()
        actions = super().act(observations, seeds)
        self.seconds += time.process_time() - start
        return actions


def lockstep_share(width: int, seed: int) -> tuple[float, float]:
    """Return decisions a second with a NumPy network in lockstep, and the engine's share."""
    agent = Timed("timed", random_network(width), sample=True)
    start = time.process_time()
    results = simulate(UNO_DUO, [agent, agent], rounds=LEAST_IN_LOCKSTEP, seed=seed)
    seconds = time.process_time() - start
    return int(results.rounds["decisions"].sum()) / seconds, 1 - agent.seconds / seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the tables, and write them where a file is named."""
    options = parse(arguments)
    if os.environ.get(BLAS_THREADS) != "1":
        # One core is measured. BLAS reads this when NumPy is loaded, so begin again.
        os.environ[BLAS_THREADS] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks.environments", *sys.argv[1:]])
    scale, repeats = (0.1, 3) if options.quick else (1.0, options.repeats)
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    vectors = [VectorContender(games, int(STEPS * scale)) for games in SIZES]
    ours = [single(int(2000 * scale)), compiled_network(128, int(4000 * scale))]
    seconds = prepare(ours)
    measures: dict[str, Measure] = {each.name: each.measure for each in (*vectors, *ours)}
    with ExitStack() as stack:
        if not options.no_rlcard:
            rlcard = stack.enter_context(RLCard())
            games = max(1, int(500 * scale))
            measures[STEP_NAME] = lambda seed: rlcard.measure(seed, games, "step")
        speeds = race(measures, repeats)
    shares = [lockstep_share(128, seed) for seed in range(repeats)]
    loads.append(load_average())
    print(f"compiling, or loading what was compiled before: {seconds:.1f} s, not in the figures\n")
    rows = []
    for name, values in speeds.items():
        summary = spread(values)
        figures = [1e6 * summary[key] for key in ("median", "min", "max")]
        rows.append([name, *figures, 1e3 / summary["median"], ratio(speeds, name, STEP_NAME)])
    columns = ["median", "min", "max", "ns a step", "x RLCard"]
    print(table(f"steps a second, one core, {repeats} repeats in turns", columns, rows))
    print()
    lockstep = spread([speed for speed, _ in shares])
    engine = spread([share for _, share in shares])
    print(f"lockstep, 128-128 network in NumPy, {LEAST_IN_LOCKSTEP:,} games: ", end="")
    print(f"{lockstep['median']:,.0f} decisions a second, engine's share {engine['median']:.0%}")
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    result = {
        "machine": described,
        "load_average": loads,
        "compile_seconds": seconds,
        "million_steps_a_second": {name: spread(values) for name, values in speeds.items()},
        "lockstep_decisions_a_second": lockstep,
        "lockstep_engine_share": engine,
    }
    write_json(options.out, result)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.environments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps, 3 repeats")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each (5)")
    parser.add_argument("--no-rlcard", action="store_true", help="leave RLCard out")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
