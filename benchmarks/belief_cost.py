"""What it costs to weigh a world by the others' choices, as a multiple of dealing it.

Positions are taken from rounds of `greedy` against itself; worlds of each are dealt, and weighed by
the last choices of the others, as many as the depth says. Printed besides: how many choices there
are, and what share of the worlds is left in effect (`effective_worlds`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.report import load_average, machine, print_machine, table
from uno_sim import UNO_DUO, UNO_POCKET, Game, Observation, Phase, make_agent, new_stream
from uno_sim.belief.choices import ChoiceBelief
from uno_sim.belief.past import MAX_RECORDS, new_past, plan_past
from uno_sim.belief.worlds import effective_worlds, tempered
from uno_sim.decisions.rollouts import fill_worlds
from uno_sim.determinization import new_plan, plan_worlds
from uno_sim.speed_hints import for_call
from uno_sim.state import allocate

CASES = {"Duo": (UNO_DUO, 2), "Pocket, 2 players": (UNO_POCKET, 2), "Pocket, 3": (UNO_POCKET, 3)}
DEPTHS = (6, 12, MAX_RECORDS)


def positions(case: str, rounds: int) -> Iterator[Observation]:
    """Yield what the player who is asked knows, from time to time in some rounds."""
    rules, players = CASES[case]
    agent, stream = make_agent("greedy"), new_stream(0)
    for seed in range(rounds):
        game = Game(rules, players, seed=seed)
        decisions = 0
        while game.phase < Phase.ROUND_OVER:
            observation = game.observation(game.current_player)
            decisions += 1
            if decisions % 7 == 0 and game.phase != Phase.DRAFT:
                yield observation
            game.step(agent.choose(observation, stream))


def measure(observation: Observation, worlds: int) -> list[float]:
    """Return seconds to deal the worlds, and for each depth seconds, choices, effective share."""
    plan, records = new_plan(), allocate(worlds)
    given, player, rules = observation.record, observation.player, observation.rules.record
    plan_worlds(given, player, plan)
    stream = np.zeros(1, np.uint64)
    start = time.process_time()
    fill_worlds(given, player, rules, plan, np.uint64(1), 0, for_call(records), stream)
    found = [time.process_time() - start]
    for depth in DEPTHS:
        belief = ChoiceBelief("greedy", depth=depth)
        start = time.process_time()
        logs = belief.log_weights(observation, for_call(records))
        found.append(time.process_time() - start)
        past = new_past()
        plan_past(given, player, rules, depth, *past)
        found.append(float(past[0].num_records))
        found.append(effective_worlds(tempered(logs, 0)[0]) / worlds)
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--worlds", type=int, default=5000)
    arguments = parser.parse_args(argv)
    rows = []
    for case in CASES:
        measured = []
        for number, observation in enumerate(positions(case, arguments.rounds)):
            if number == 0:
                measure(observation, 10)  # compiles
            measured.append(measure(observation, arguments.worlds))
        means = np.mean(measured, axis=0)
        microseconds = 1e6 / arguments.worlds
        for place, depth in enumerate(DEPTHS):
            seconds, choices, share = means[1 + 3 * place : 4 + 3 * place]
            rows.append(
                [
                    case,
                    "all" if depth == MAX_RECORDS else str(depth),
                    f"{choices:.1f}",
                    f"{means[0] * microseconds:.2f}",
                    f"{seconds * microseconds:.2f}",
                    f"{seconds / means[0]:.1f}",
                    f"{share:.1%}",
                ]
            )
    head = ["depth", "choices", "us to deal", "us to weigh", "ratio", "effective"]
    print_machine(machine(), load_average())
    print(table("game", head, rows))


if __name__ == "__main__":
    main()
