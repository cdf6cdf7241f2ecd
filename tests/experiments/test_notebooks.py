"""Every notebook runs, holds no outputs, and says the same as its paired text."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(notebook: Path) -> None:
    command = [sys.executable, "-m", "pytest", "--nbmake", str(notebook), "-p", "no:cacheprovider"]
    run = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "UNO_SIM_NOTEBOOK_GAMES": "20"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_text_is_in_step(notebook: Path) -> None:
    cells = [
        [(cell.cell_type, cell.source) for cell in jupytext.read(path).cells]
        for path in (notebook, notebook.with_suffix(".py"))
    ]
    assert cells[0] == cells[1]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_holds_no_outputs(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
