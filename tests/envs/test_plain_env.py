"""The environments run as plain Python too, and give the same."""

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, POCKET, make, make_many, play, play_many

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def plain(value: Any) -> Any:
    """Return what an environment gave as JSON: arrays as digests, numbers as they are."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in sorted(value.items())}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return plain(value.tolist())
    if isinstance(value, np.ndarray):
        return [str(value.dtype), hashlib.sha256(value.tobytes()).hexdigest()]
    return value


def everything() -> list[Any]:
    """Return what some environments give."""
    duo = make(DUO, illegal_action="terminate", opponents="greedy")
    pocket = make(POCKET, num_players=3, opponents={"random": 1, BySeed(): 1}, skip_forced=True)
    many = make_many(
        2, POCKET, autoreset_mode="SameStep", illegal_action="random", reward="points", seat=1
    )
    found = [duo.reset(seed=5), *play(duo, 30), duo.step(-1), duo.reset()]
    found += [pocket.reset(seed=6), *play(pocket, 25)]
    found += [many.reset(seed=7), *play_many(many, 25), many.step([-1, 3])]
    return [plain(each) for each in found]


SCRIPT = """
import json
from numba.core import config
from tests.envs.test_plain_env import everything
assert config.DISABLE_JIT
print(json.dumps(everything()))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="nothing is compiled")
def test_plain_python_gives_the_same_steps():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ROOT},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found, expected = json.loads(done.stdout), json.loads(json.dumps(everything()))
    assert len(found) == len(expected) > 80
    for number, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert one == other, number
