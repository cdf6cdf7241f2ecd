"""How far a run is: a bar on a terminal, elsewhere a few lines, and none in a short run."""

import io
import sys

import pytest

from tests.envs.batched_agents import BySeed
from uno_sim import UNO_DUO, simulate
from uno_sim.simulation import progress
from uno_sim.simulation.progress import Progress, duration


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def test_nothing_is_said_where_it_is_not_wanted_and_in_a_short_run(capsys):
    quiet = simulate(UNO_DUO, ["greedy", "random"], rounds=20, seed=9).rounds
    told = simulate(UNO_DUO, ["greedy", "random"], rounds=20, seed=9, progress=True).rounds
    assert told.equals(quiet)
    assert capsys.readouterr() == ("", "")


def test_a_long_run_says_how_far_it_is_how_fast_and_how_long_it_will_be(clock, capsys):
    with Progress(10_000, "rounds", shown=True) as run:
        run.found(4000)
        for _ in range(10):
            clock.seconds += 4
            run.add(100)
        lines = capsys.readouterr().err.splitlines()
        assert lines == [
            "4,300 of 10,000 rounds (43%), 25 a second, 3 min 48 s left",
            "4,600 of 10,000 rounds (46%), 25 a second, 3 min 36 s left",
            "4,900 of 10,000 rounds (49%), 25 a second, 3 min 24 s left",
        ]
        clock.seconds += 4
        run.add(5000)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "10,000 of 10,000 rounds (100%), 136 a second"


def test_lines_become_rare_in_a_run_of_many_hours(clock, capsys):
    with Progress(20 * 3600, "games", shown=True) as run:
        for _ in range(20 * 3600):
            clock.seconds += 1
            run.add(1)
    assert 20 < len(capsys.readouterr().err.splitlines()) < 60


def test_a_run_that_breaks_off_does_not_claim_an_end(clock, capsys):
    with pytest.raises(KeyboardInterrupt), Progress(100, "games", shown=True) as run:
        clock.seconds += 60
        run.add(1)
        capsys.readouterr()
        raise KeyboardInterrupt
    assert capsys.readouterr().err == ""


def test_on_a_terminal_there_is_a_bar(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    simulate(UNO_DUO, ["greedy", "random"], rounds=20, seed=9, progress=True)
    assert "20/20" in terminal.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (7260, "2 h 1 min"), (200_000, "2 d 7 h")],
)
def test_times_are_told_to_two_units(seconds, text):
    assert duration(seconds) == text


CASES = {
    "rounds alone": (["greedy", "random"], {"rounds": 3000}, 1),
    "rounds in threads": (["greedy", "random"], {"rounds": 30_000}, 2),
    "games alone": (["greedy", "random"], {"games": 300}, 1),
    "games in threads": (["greedy", "random"], {"games": 300}, 2),
    "rounds, a batched agent": ([BySeed(), "random"], {"rounds": 300}, 1),
    "games, a batched agent": ([BySeed(), "greedy"], {"games": 30}, 1),
}


@pytest.mark.parametrize("case", CASES)
def test_each_row_is_counted_once_and_soon(case, monkeypatch):
    agents, amount, workers = CASES[case]
    told = []
    monkeypatch.setattr(Progress, "add", lambda _, rows: told.append(rows))
    simulate(UNO_DUO, agents, **amount, workers=workers)
    assert sum(told) == sum(amount.values())
    batched = "batched" in case and "rounds" in amount
    assert batched or max(told) < sum(amount.values())
