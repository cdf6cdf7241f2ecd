"""`python -m experiments` lists what can be run."""

import subprocess
import sys
from pathlib import Path

from experiments.__main__ import questions

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_all_experiments_are_listed_with_their_question() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "experiments"], capture_output=True, text=True, check=True
    )
    assert len(questions()) == 9
    for name, question in questions().items():
        assert f"`{name}`" in README
        assert f"  {name} " in run.stdout
        assert question in run.stdout
