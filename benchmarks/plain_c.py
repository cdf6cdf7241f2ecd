"""The plain C program beside the engine: the same random rounds of Duo, by the same rules.

Builds `plain_duo.c`, plays as many rounds with either, and compares the means of a round: how often
each question was asked, how many answers were legal, what was laid and drawn, how it ended. Fails
where a mean differs by more than four standard errors. Where no C compiler is found, it says so.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contenders import Sample
from benchmarks.report import table
from uno_sim import UNO_DUO, Phase, actions, compiled
from uno_sim.cards import color_of
from uno_sim.knowledge.memory import FORCED_DRAW
from uno_sim.policies import num_legal, random_legal_action
from uno_sim.rules.dealing import begin_game
from uno_sim.rules.dump import is_open_for
from uno_sim.rules.scoring import ROUND_OVER
from uno_sim.rules.transition import start_round, step
from uno_sim.state import NO_SEAT, NUM_EVENTS, allocate

NAME = "plain C, random, 2 players, UNO Duo"
FLAGS = ("-O3", "-march=native", "-std=c11", "-Wall", "-Wextra")
MOST_ERRORS = 4.0
"""How many standard errors two means may be apart."""

_HERE = Path(__file__).parent
_SOURCE = _HERE / "plain_duo.c"
_BUILD = _HERE / "build"
_QUESTIONS = [phase for phase in Phase if phase < ROUND_OVER and phase != Phase.GIVE]
_ANSWERS, _LAID, _DRAWN, _LAST_DRAW, _DUMPS, _OPEN_DUMPS, _GUILTY = range(
    ROUND_OVER, ROUND_OVER + 7
)
_POINTS, _BLOCKED, _CAPPED, _FIRST_WON, _NUM_FIGURES = range(ROUND_OVER + 7, ROUND_OVER + 12)
_COLUMNS = {
    **{phase.name.lower(): int(phase) for phase in _QUESTIONS},
    "legal answers": _ANSWERS,
    "cards laid": _LAID,
    "cards drawn": _DRAWN,
    "drawn for the last card": _LAST_DRAW,
    "dumps": _DUMPS,
    "open dumps": _OPEN_DUMPS,
    "guilty": _GUILTY,
    "points": _POINTS,
    "blocked": _BLOCKED,
    "capped": _CAPPED,
    "first drafter won": _FIRST_WON,
}
"""Where a figure of a round stands in the rows of `play_and_count`."""


class PlainC:
    """The program, built anew."""

    def __init__(self) -> None:
        """Build it.

        Raises `OSError` where there is no C compiler, `subprocess.CalledProcessError` where it
        fails.
        """
        names = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
        compiler = next((found for name in names if name and (found := shutil.which(name))), None)
        if compiler is None:
            raise OSError("no C compiler found (CC, cc, gcc, clang)")
        _BUILD.mkdir(exist_ok=True)
        self._program = _BUILD / "plain_duo"
        command = [compiler, *FLAGS, str(_SOURCE), "-lm", "-o", str(self._program)]
        subprocess.run(command, check=True)

    def play(self, seed: int, rounds: int) -> dict[str, Any]:
        """Play rounds; return what the program says of them: counts, seconds, means, errors."""
        command = [str(self._program), str(seed), str(rounds)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def measure(self, seed: int, rounds: int) -> Sample:
        """Play rounds; the CPU time is that of the rounds alone."""
        result = self.play(seed, rounds)
        return Sample(int(result["decisions"]), result["seconds"])


@compiled
def count_events(state: Any, events: Any, row: Any) -> None:
    """Add what happened since there were `events` events (C4, C8, C11)."""
    for number in range(events, state.num_events):
        event = state.events[number % NUM_EVENTS]
        if event[1] < actions.DRAW:
            row[_LAID] += event[2]
        elif event[1] == actions.DRAW or event[1] == FORCED_DRAW:
            row[_DRAWN] += event[2]
        elif event[1] == actions.CHALLENGE:
            row[_GUILTY] += event[2]


@compiled
def count_dump(state: Any, action: Any, row: Any) -> None:
    """Add a dump that is about to be laid (D9)."""
    if actions.DUMP <= action < actions.LAY_WILD:
        row[_DUMPS] += 1
        row[_OPEN_DUMPS] += is_open_for(state, color_of(action - actions.DUMP))


@compiled
def play_and_count(state: Any, rules: Any, root: Any, rows: Any) -> None:
    """Play a round of random decisions a row, and write its figures: see `_COLUMNS`."""
    begin_game(state, root, 2)
    random = np.full(1, root, np.uint64)
    for number in range(len(rows)):
        row = rows[number]
        start_round(state, rules)
        while state.phase < ROUND_OVER:
            action = random_legal_action(state, random)
            row[state.phase] += 1
            row[_ANSWERS] += num_legal(state)
            count_dump(state, action, row)
            events = state.num_events
            step(state, rules, action)
            count_events(state, events, row)
        if state.round_winner != NO_SEAT:
            row[_LAST_DRAW] = state.events[(state.num_events - 1) % NUM_EVENTS, 2]
        row[_POINTS] = state.points[0] + state.points[1]
        row[_BLOCKED] = state.blocked
        row[_CAPPED] = state.capped
        row[_FIRST_WON] = state.round_winner == state.first


def engine_figures(seed: int, rounds: int) -> dict[str, Any]:
    """Return the same of the engine as `PlainC.play`, without seconds."""
    rows = np.zeros((rounds, _NUM_FIGURES))
    play_and_count(allocate(1)[0], UNO_DUO.record, np.uint64(seed), rows)
    values = {name: rows[:, column] for name, column in _COLUMNS.items()}
    values["decisions"] = rows[:, :ROUND_OVER].sum(axis=1)
    return {
        "rounds": rounds,
        "decisions": int(values["decisions"].sum()),
        "means": {name: float(column.mean()) for name, column in values.items()},
        "errors": {
            name: float(column.std() / math.sqrt(rounds)) for name, column in values.items()
        },
    }


def distances(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, float]:
    """Return how far each mean is from the other's, in standard errors of the difference."""
    apart = {}
    for name, mean in ours["means"].items():
        difference = mean - theirs["means"][name]
        error = math.hypot(ours["errors"][name], theirs["errors"][name])
        apart[name] = difference / error if error > 0 else math.copysign(math.inf, difference)
        if difference == 0:
            apart[name] = 0.0
    return apart


def main(arguments: Sequence[str] | None = None) -> None:
    """Play with both, print the means side by side, and fail where they differ."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.plain_c",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=200_000, help="with each (200,000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    try:
        program = PlainC()
    except OSError as error:
        print(f"The plain C program is left out: {error}")
        return
    theirs = program.play(options.seed, options.rounds)
    ours = engine_figures(options.seed, options.rounds)
    apart = distances(ours, theirs)
    rows = []
    for name, errors in apart.items():
        figures = ours["means"][name], theirs["means"][name], ours["errors"][name]
        rows.append([name, *(f"{figure:.4f}" for figure in figures), f"{errors:+.1f}"])
    title = f"means of {options.rounds:,} rounds"
    print(table(title, ["engine", "plain C", "standard error", "errors apart"], rows))
    for label, figures in (("engine", ours), ("plain C", theirs)):
        print(f"{label}: {figures['rounds']:,} rounds, {figures['decisions']:,} decisions")
    wrong = [name for name, errors in apart.items() if not abs(errors) <= MOST_ERRORS]
    if wrong:
        sys.exit(f"The two do not play the same game: {', '.join(wrong)} differ")


if __name__ == "__main__":
    main()
