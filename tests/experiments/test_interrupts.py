"""Ctrl-C stops a long run of the command line in each form, without a word too many."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

GENEROUS = 60
"""Seconds that nothing here should ever take."""
LONG = ["--game", "duo", "--rounds", "100000000", "--games", "0"]
FORMS = {
    "alone": ["--agents", "greedy,random"],
    "alone, with a slow agent": ["--agents", "tests/failing_agents.py::slow"],
    "threads": ["--agents", "greedy,random", "--workers", "2"],
    "threads, with a slow agent": ["--agents", "tests/failing_agents.py::slow", "--workers", "2"],
    "processes": ["--agents", "tests/failing_agents.py::Slow,greedy", "--workers", "2"],
}


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start an experiment in a process group of its own, as a terminal does."""
    command = [sys.executable, "-m", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_until(condition) -> None:
    """Wait until something is so, for a generous time."""
    end = time.monotonic() + GENEROUS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def interrupted(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Send Ctrl-C to a process and all that it has started; return how it ended."""
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=GENEROUS)
    _, alive = psutil.wait_procs(children, timeout=GENEROUS)
    assert not alive
    return process.returncode, out, err


def is_known(line: str) -> bool:
    """Return whether a line names the match, or says that something is compiled."""
    return line.startswith("UNO Duo, ") or "compiling" in line


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_ctrl_c_ends_with_130_a_line_and_no_process_left(form: str, tmp_path: Path) -> None:
    process = start("experiments.win_rates", *LONG, *FORMS[form], "--out", str(tmp_path / "new"))
    wait_until(lambda: list(tmp_path.glob("new/rows/*/manifest.json")))
    if form == "processes":
        wait_until(lambda: len(psutil.Process(process.pid).children()) >= 2)
    time.sleep(1.5)
    code, out, err = interrupted(process)
    assert (code, out) == (130, "")
    said = "win_rates: interrupted; finished rows are kept; the same command goes on from there"
    lines = err.splitlines()
    assert lines[-1] == said
    assert "Traceback" not in err and all(map(is_known, lines[:-1]))


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.1, 0.4, 0.8, 1.2, 1.6])
def test_ctrl_c_while_it_starts_leaves_no_traceback(delay: float, tmp_path: Path) -> None:
    process = start("experiments.win_rates", *LONG, "--out", str(tmp_path / "new"))
    time.sleep(delay)
    code, _, err = interrupted(process)
    # Python itself is not ours in its first moments.
    assert code in (130, -signal.SIGINT) and (delay < 0.2 or "Traceback" not in err)
