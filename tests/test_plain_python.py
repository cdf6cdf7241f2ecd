"""The rules run as plain Python too, and give the same states, observations and rows."""

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.random_play import VARIANTS
from uno_sim import UNO_DUO, UNO_POCKET, Game, simulate

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SEEDS = (77, 78, 79)
STATES = 150
"""The most decisions of a game that are compared."""


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def states_of(name: str, seed: int) -> list[str]:
    """Return a digest of state, legal set and observations at every decision of a game."""
    rules, num_players = VARIANTS[name]
    game = Game(rules, num_players, seed=seed)
    found = []
    choice = 1
    while len(found) < STATES and game.current_player is not None:
        seats = range(num_players)
        views = [game.observation(seat).record.tobytes() for seat in seats]
        found.append(digest(game.state.tobytes(), *views, repr(game.legal_names()).encode()))
        # Choices from plain integers, and few draws, so that the rounds are short.
        choice = choice * 1103515245 % 2**31 + 12345
        legal = game.legal_actions()
        game.step(legal[(choice >> 16) % (len(legal) - (len(legal) > 1))])
    found.append(digest(game.state.tobytes()))
    return found


def rows_of(rules: Any, agents: list[str], unit: str, count: int) -> str:
    batch = simulate(rules, agents, seed=78, **{unit: count})
    return batch.rounds.to_csv() + batch.games.to_csv()


def everything() -> dict[str, Any]:
    """Return what both ways of running must agree on."""
    return {
        "states": {
            f"{name}, seed {seed}": states_of(name, seed) for name in VARIANTS for seed in SEEDS
        },
        "duo": rows_of(UNO_DUO, ["greedy", "random"], "rounds", 4),
        "duo game": rows_of(UNO_DUO, ["greedy", "greedy"], "games", 2),
        "pocket": rows_of(UNO_POCKET, ["greedy", "random", "greedy"], "rounds", 6),
    }


SCRIPT = """
import json
from numba.core import config
from tests.test_plain_python import everything
assert config.DISABLE_JIT
print(json.dumps(everything()))
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="nothing is compiled")
def test_plain_python_gives_the_same_states_and_rows():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ROOT},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    plain, compiled = json.loads(done.stdout), everything()
    for name, expected in compiled["states"].items():
        found = plain["states"][name]
        different = [
            place for place, one in enumerate(expected) if found[place : place + 1] != [one]
        ]
        assert not different, f"{name}: decision {different[0] + 1} differs first"
        assert len(found) == len(expected)
    assert sum(map(len, plain["states"].values())) > 1500
    for name in ("duo", "duo game", "pocket"):
        assert plain[name] == compiled[name]
        assert plain[name].count("\n") > 2
