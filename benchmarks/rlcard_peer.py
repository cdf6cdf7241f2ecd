"""RLCard beside us: installed into an environment of its own, run as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from pathlib import Path

from benchmarks.contenders import Sample

PACKAGES = ("rlcard==1.2.0", "numpy==2.4.6", "termcolor==3.3.0")
NAME = "RLCard 1.2.0 uno, two RandomAgent, env.run"
STEP_NAME = "RLCard 1.2.0 uno, env.reset and env.step"

_HERE = Path(__file__).parent
_ENVIRONMENT = _HERE / ".venv-rlcard"
_PYTHON = _ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class RLCard:
    """A running process that plays RLCard's UNO on demand; a context manager."""

    def __init__(self) -> None:
        """Install RLCard where it is not yet, and start it.

        Raises `OSError` or `subprocess.CalledProcessError` where that fails.
        """
        if not _is_installed():
            _install()
        self._process = subprocess.Popen(
            [_PYTHON, "-I", _HERE / "rlcard_worker.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> RLCard:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.communicate()

    def measure(self, seed: int, games: int, loop: str = "run") -> Sample:
        """Play some games; the CPU time is that of the playing process, its start left out.

        `loop` is `run`, or `step` for a loop over `reset` and `step`.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{seed} {games} {loop}\n")
        self._process.stdin.flush()
        return Sample(**json.loads(self._process.stdout.readline()))


def _is_installed() -> bool:
    if not _PYTHON.exists():
        return False
    check = "from importlib.metadata import version; import sys; " + (
        "sys.exit(any(version(n) != v for n, v in (a.split('==') for a in sys.argv[1:])))"
    )
    done = subprocess.run([_PYTHON, "-I", "-c", check, *PACKAGES], capture_output=True)
    return done.returncode == 0


def _install() -> None:
    print(f"installing {' '.join(PACKAGES)} into {_ENVIRONMENT.name}", flush=True)
    venv.create(_ENVIRONMENT, clear=True, with_pip=True)
    command = [str(_PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, *PACKAGES], check=True)
