"""What knowing costs: an observation, its features, a plan for worlds, a world.

Positions are taken from rounds played by lively random players, a share of all decisions. All is
measured in turns, in CPU time on one core, over the same positions; compare within one run.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.report import load_average, machine, print_machine, spread, table, write_json
from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet, compiled
from uno_sim.determinization import fill_world, new_plan, plan_worlds
from uno_sim.features import NUM_FEATURES, write_features
from uno_sim.observation import observe
from uno_sim.state import allocate

POSITIONS = 100
GAMES = ((UNO_DUO, 2), (UNO_POCKET, 4))

Task = Callable[[], None]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write it where a file is named."""
    options = parse(arguments)
    times, repeats = (40, 3) if options.quick else (400, options.repeats)
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    tasks = {
        f"{what}, {players} players, {rules.name}": task
        for rules, players in GAMES
        for what, task in tasks_of(rules, players, times).items()
    }
    start = time.process_time()
    for task in tasks.values():
        task()
    seconds = time.process_time() - start
    costs = race(tasks, repeats, times * POSITIONS)
    loads.append(load_average())
    print(f"compiling, or loading what was compiled before: {seconds:.1f} s, not in the figures\n")
    rows: list[list[Any]] = []
    for name, values in costs.items():
        summary = spread(values)
        rows.append([name, *(summary[key] for key in ("median", "min", "max"))])
    print(
        table(f"nanoseconds, one core, {repeats} repeats in turns", ["median", "min", "max"], rows)
    )
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    result = {
        "machine": described,
        "load_average": loads,
        "compile_seconds": seconds,
        "nanoseconds": {name: spread(values) for name, values in costs.items()},
    }
    write_json(options.out, result)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.knowledge",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, 3 repeats")
    parser.add_argument("--repeats", type=int, default=7, help="measurements of each (7)")
    parser.add_argument("--out", metavar="FILE", help="write all measurements as JSON")
    return parser.parse_args(arguments)


def positions_of(rules: RuleSet, players: int) -> Any:
    """Return states in which somebody is to decide, a twentieth of those of many rounds."""
    source = random.Random(players)
    states = allocate(POSITIONS)
    found = 0
    while found < POSITIONS:
        game = Game(rules, players, seed=source.getrandbits(32))
        while game.current_player is not None and found < POSITIONS:
            legal = game.legal_names()
            layings = [name for name in legal if name[0] in "RYGBW"]
            game.step(source.choice(layings if layings and source.random() < 0.8 else legal))
            if source.random() < 0.05 and game.current_player is not None:
                states[found] = game.state
                found += 1
    return states


def tasks_of(rules: RuleSet, players: int, times: int) -> dict[str, Task]:
    """Return what is measured in one game; each does its work `times` times on all positions."""
    states = positions_of(rules, players)
    views = allocate(POSITIONS)
    write_views(states, views, 1)
    view = allocate(1)
    features = np.zeros(NUM_FEATURES, np.float32)
    plan, world, stream = new_plan(), allocate(1)[0], np.zeros(1, np.uint64)
    record = rules.record
    return {
        "observation": lambda: write_views(states, view, times),
        "features": lambda: write_all_features(views, record, features, times),
        "plan": lambda: plan_all(views, plan, times),
        "world": lambda: fill_all(views, record, plan, world, stream, times),
    }


def race(tasks: dict[str, Task], repeats: int, count: int) -> dict[str, list[float]]:
    """Measure all in turns; return nanoseconds each, one number a repeat."""
    costs: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            costs[name].append((time.process_time() - start) / count * 1e9)
    return costs


@compiled
def write_views(states: Any, views: Any, times: Any) -> None:
    """Write what the player to move observes, over and over into `views`."""
    for _ in range(times):
        for number in range(len(states)):
            observe(states[number], states[number].current_player, views[number % len(views)])


@compiled
def write_all_features(views: Any, rules: Any, features: Any, times: Any) -> None:
    """Write the features of observations, over and over into one array."""
    for _ in range(times):
        for number in range(len(views)):
            write_features(views[number], views[number].current_player, rules, features)


@compiled
def plan_all(views: Any, plan: Any, times: Any) -> None:
    """Plan the worlds of observations."""
    for _ in range(times):
        for number in range(len(views)):
            plan_worlds(views[number], views[number].current_player, plan)


@compiled
def fill_all(views: Any, rules: Any, plan: Any, world: Any, stream: Any, times: Any) -> None:
    """Deal `times` worlds of each observation, with a single plan for them."""
    for number in range(len(views)):
        player = views[number].current_player
        plan_worlds(views[number], player, plan)
        for _ in range(times):
            fill_world(views[number], player, rules, plan, world, stream)


if __name__ == "__main__":
    main()
