"""Other programs beside us: each installed into an environment of its own, run as a process."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.contenders import Sample

_HERE = Path(__file__).parent

FAILURES = (OSError, subprocess.CalledProcessError, ValueError)
"""What is raised where a program cannot be installed, started or understood."""


class PeerProcess:
    """A running worker that plays another program's game on demand; a context manager.

    The worker reads a line `SEED AMOUNT LOOP`, plays, and answers with a line of JSON: how many
    decisions, and the CPU time of its process for them. It imports nothing of this project.
    """

    def __init__(self, name: str, packages: Sequence[str]) -> None:
        """Install the packages where they are not yet, and start `NAME_worker.py`.

        Raises `OSError` or `subprocess.CalledProcessError` where that fails.
        """
        folder = _HERE / f".venv-{name}"
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if not _is_installed(python, packages):
            _install(folder, python, packages)
        self._process = subprocess.Popen(
            [python, "-I", _HERE / f"{name}_worker.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.communicate()

    def measure(self, seed: int, amount: int, loop: str) -> Sample:
        """Play an amount in a way the worker knows.

        Raises `OSError` or `ValueError` where the worker has ended.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{seed} {amount} {loop}\n")
        self._process.stdin.flush()
        return Sample(**json.loads(self._process.stdout.readline()))


def _is_installed(python: Path, packages: Sequence[str]) -> bool:
    if not python.exists():
        return False
    check = "from importlib.metadata import version; import sys; " + (
        "sys.exit(any(version(n) != v for n, v in (a.split('==') for a in sys.argv[1:])))"
    )
    done = subprocess.run([python, "-I", "-c", check, *packages], capture_output=True)
    return done.returncode == 0


def _install(folder: Path, python: Path, packages: Sequence[str]) -> None:
    print(f"installing {' '.join(packages)} into {folder.name}", flush=True)
    venv.create(folder, clear=True, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, *packages], check=True)
