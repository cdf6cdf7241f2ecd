"""Rules under which the learner is never asked anything are an error, not an endless loop."""

import subprocess
import sys
from dataclasses import replace
from functools import partial

import pytest

from tests.envs.playing import POCKET, make, make_many
from uno_sim import UNO_POCKET

UNMATCHED = replace(UNO_POCKET, deck={"R1": 1, "Y2": 1, "G3": 1, "B4": 1}, hand_size=1)
MESSAGE = "episodes end before the learner is asked anything"


@pytest.mark.parametrize("make_one", [make, partial(make_many, 2)], ids=["single", "vector"])
def test_an_environment_that_never_asks_says_so(make_one):
    with pytest.raises(ValueError, match=MESSAGE):
        make_one(name=POCKET, rules=UNMATCHED, skip_forced=True).reset(seed=1)


SCRIPT = """
from tests.envs.batched_agents import BySeed
from tests.envs.test_never_asked import POCKET, UNMATCHED, make
make(POCKET, rules=UNMATCHED, skip_forced=True, opponents=BySeed()).reset(seed=1)
"""


@pytest.mark.slow
def test_it_says_so_with_batched_opponents_too():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=30
    )
    assert MESSAGE in done.stderr
