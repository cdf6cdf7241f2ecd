"""Ctrl-C stops a long run of the command line in each form, without a word too many."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

GENEROUS = 60
"""Seconds that nothing here should ever take."""
LONG = ["--game", "duo", "--rounds", "100000000", "--games", "0"]
CLUSTERS = {"ray": "ray", "dask": "distributed"}
"""The forms that need an extra, and what it installs."""
FORMS = {
    "alone": ["--agents", "greedy,random"],
    "alone, with a slow agent": ["--agents", "tests/failing_agents.py::slow"],
    "threads": ["--agents", "greedy,random", "--workers", "2"],
    "threads, with a slow agent": ["--agents", "tests/failing_agents.py::slow", "--workers", "2"],
    "ray": ["--agents", "greedy,random", "--workers", "2", "--executor", "ray"],
    "dask": ["--agents", "greedy,random", "--workers", "2", "--executor", "dask"],
    "processes": ["--agents", "tests/failing_agents.py::Slow,greedy", "--workers", "2"],
}


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start an experiment in a process group of its own, as a terminal does."""
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_interrupts,
    )


def hear_interrupts() -> None:
    """Hear Ctrl-C, which what a shell runs in the background does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until(condition) -> None:
    """Wait until something is so, for a generous time."""
    end = time.monotonic() + GENEROUS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def interrupted(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Send Ctrl-C to a process and all that it has started; return how it ended."""
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=GENEROUS)
    wait_until(lambda: not any(map(is_alive, session(process.pid))))
    return process.returncode, out, err


def session(leader: int) -> list[psutil.Process]:
    """Return the processes of a session, which are those that its leader has started."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError):
            if os.getsid(process.pid) == leader:
                found.append(process)
    return found


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process is more than an entry that nobody has asked for yet."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_known(line: str, form: str = "") -> bool:
    """Return whether a line names the match or tells of progress.

    What Ray and Dask say of their own connections that end is theirs, as long as no line of it is
    of our code.
    """
    if form in CLUSTERS and not any(name in line for name in ("win_rates", "uno_sim/", "agents/")):
        return True
    return line.startswith("UNO Duo, ") or " rounds (" in line or "compiling" in line


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_ctrl_c_ends_with_130_a_line_and_no_process_left(form: str, tmp_path: Path) -> None:
    pytest.importorskip(CLUSTERS.get(form, "uno_sim"))
    process = start("experiments.win_rates", *LONG, *FORMS[form], "--out", str(tmp_path / "new"))
    kept = "unit*" if form in CLUSTERS else "manifest.json"
    wait_until(lambda: list(tmp_path.glob(f"new/rows/*/{kept}")))
    if form == "processes":
        wait_until(lambda: len(psutil.Process(process.pid).children()) >= 2)
    time.sleep(1.5)
    code, out, err = interrupted(process)
    assert (code, out) == (130, "")
    kept = "finished units of rows are kept; the same command goes on from there"
    said = f"win_rates: interrupted; {kept}"
    lines = [line for line in err.splitlines() if not is_known(line, form)]
    assert lines == [said]


@pytest.mark.slow
@pytest.mark.parametrize("gap", [0, 0.01, 0.05, 0.1])
def test_a_second_ctrl_c_at_once_changes_nothing(gap: float, tmp_path: Path) -> None:
    process = start("experiments.win_rates", *LONG, *FORMS["processes"], "--out", str(tmp_path))
    wait_until(lambda: len(psutil.Process(process.pid).children()) >= 3)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(gap)
    code, out, err = interrupted(process)
    assert (code, out) == (130, "")
    (line,) = (line for line in err.splitlines() if not is_known(line))
    assert line.endswith("the same command goes on from there")


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.5, 2])
@pytest.mark.parametrize("form", CLUSTERS)
def test_ctrl_c_while_a_cluster_starts_leaves_nothing(
    form: str, delay: float, tmp_path: Path
) -> None:
    pytest.importorskip(CLUSTERS[form])
    process = start("experiments.win_rates", *LONG, *FORMS[form], "--out", str(tmp_path / "new"))
    wait_until(lambda: len(session(process.pid)) > 1)
    time.sleep(delay)
    code, out, err = interrupted(process)
    assert (code, out) == (130, "")
    (line,) = (line for line in err.splitlines() if not is_known(line, form))
    assert line.endswith("the same command goes on from there")


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.1, 0.4, 0.8, 1.2, 1.6])
def test_ctrl_c_while_it_starts_leaves_no_traceback(delay: float, tmp_path: Path) -> None:
    process = start("experiments.win_rates", *LONG, "--out", str(tmp_path / "new"))
    time.sleep(delay)
    code, _, err = interrupted(process)
    # Python itself is not ours in its first moments.
    assert code in (130, -signal.SIGINT) and (delay < 0.2 or "Traceback" not in err)


def test_ctrl_c_while_a_dataclass_is_made_ends_with_130_too(tmp_path: Path) -> None:
    # Such text is executed while a cluster's library is imported.
    (tmp_path / "stopped.py").write_text(
        "import sys\n"
        "from experiments.command_line import run_experiment\n"
        "def experiment(argv):\n"
        "    exec('raise KeyboardInterrupt')\n"
        "sys.exit(run_experiment('stopped', experiment, []))\n"
    )
    command = [sys.executable, "-m", "stopped"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.startswith("stopped: interrupted; ") and "Traceback" not in ended.stderr
