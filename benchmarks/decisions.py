"""How fast decisions are looked into: worlds, rollouts, decisions of `search`.

Positions with a choice are taken from rounds between two `greedy`. All is measured in CPU time on
one core, over the same positions; compare within one run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from agents.search import search
from benchmarks.report import load_average, machine, print_machine, table, write_json
from uno_sim import UNO_DUO, UNO_POCKET, Game, Observation, RuleSet, evaluate_actions, new_stream
from uno_sim.policies import CompiledAgent
from uno_sim.registry import make_agent

GAMES = ((UNO_DUO, 2), (UNO_POCKET, 3))
BUDGETS = (250, 500, 1000, 4000, 10_000)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the tables, and write them where a file is named."""
    options = parse(arguments)
    described = machine()
    loads = [load_average()]
    print_machine(described, loads[0])
    greedy = make_agent("greedy")
    assert isinstance(greedy, CompiledAgent)
    rates, costs = [], []
    for rules, players in GAMES:
        observations = positions(rules, players, greedy, options.positions)
        rates.append([f"{players} players, {rules.name}", *rollout_rates(observations, greedy)])
        costs.append(
            [
                f"{players} players, {rules.name}",
                *(milliseconds(observations, budget) for budget in BUDGETS),
            ]
        )
    print(table("rollouts a second, one core", ["to the round's end", "to the game's end"], rates))
    print()
    print(table("milliseconds a decision, by simulations", [f"{b:,}" for b in BUDGETS], costs))
    loads.append(load_average())
    print(f"\nload average at the start {loads[0]}, at the end {loads[1]}")
    write_json(
        options.json,
        {"machine": described, "load_average": loads, "rollouts": rates, "milliseconds": costs},
    )


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60, help="positions of each game")
    parser.add_argument("--json", help="a file to write the result to")
    return parser.parse_args(arguments)


def positions(rules: RuleSet, players: int, greedy: CompiledAgent, count: int) -> list[Observation]:
    """Return what the asked player knows in some positions with a choice."""
    found: list[Observation] = []
    seed = 0
    while len(found) < count:
        game, stream, decision = Game(rules, players, seed=seed), new_stream(seed), 0
        while game.current_player is not None and len(found) < count:
            observation = game.observation(game.current_player)
            decision += 1
            if decision % 5 == 0 and len(game.legal_actions()) > 1:
                found.append(observation)
            game.step(greedy.choose(observation, stream))
        seed += 1
    return found


def rollout_rates(observations: Sequence[Observation], greedy: CompiledAgent) -> list[float]:
    """Return rollouts a second to the end of the round, and of the game."""
    rates = []
    for games, worlds in ((False, 400), (True, 40)):
        evaluate_actions(observations[0], greedy, worlds=2, games=games)
        start, rollouts = time.process_time(), 0
        for observation in observations:
            rollouts += worlds * len(
                evaluate_actions(observation, greedy, worlds=worlds, games=games)
            )
        rates.append(rollouts / (time.process_time() - start))
    return rates


def milliseconds(observations: Sequence[Observation], budget: int) -> float:
    """Return how long `search` takes for a decision that is a choice, in the mean."""
    agent = search(simulations=budget)
    assert isinstance(agent, CompiledAgent)
    stream = new_stream(1)
    agent.choose(observations[0], stream)
    start = time.process_time()
    for observation in observations:
        agent.choose(observation, stream)
    return 1000 * (time.process_time() - start) / len(observations)


if __name__ == "__main__":
    main()
