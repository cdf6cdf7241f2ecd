"""`python -m experiments` lists the experiments, each with its question."""

from __future__ import annotations

import ast
from pathlib import Path

from experiments.output import tell

RUN = 'if __name__ == "__main__":'
"""The line of a file that can be run by its name."""


def questions() -> dict[str, str]:
    """Return the first line of each experiment by its name, from the files alone."""
    found = {}
    for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
        text = file.read_text(encoding="utf-8")
        if RUN in text:
            found[file.stem] = str(ast.get_docstring(ast.parse(text))).partition("\n")[0]
    return found


if __name__ == "__main__":
    width = max(map(len, questions()))
    listed = (f"  {name:<{width}}  {question}" for name, question in questions().items())
    tell("\n".join(["python -m experiments.NAME --help has the rest of each:", *listed]))
