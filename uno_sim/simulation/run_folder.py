"""A run that survives: a manifest of what is played, and a file a finished unit.

A unit's file holds its rows, or its sums where no rows are kept; of both this module says rows.

A unit's file is whole or absent: it is written under another name first. Its first line is a
checksum of the run, the unit's number and the rest; a file that does not agree with it counts as
absent. The same plan in the same folder goes on where it was, and ends with the same rows.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import pickle
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from uno_sim.compilation import reachable_digest
from uno_sim.files import write_whole
from uno_sim.policies import Agent, CompiledAgent
from uno_sim.simulation.driver import advance, observe_asked, start_rounds, take_actions
from uno_sim.simulation.plan import Plan
from uno_sim.simulation.ranges import WIDTHS, add_places
from uno_sim.simulation.round_facts import write_facts
from uno_sim.simulation.sums import GAMES, ROUNDS, add_products
from uno_sim.simulation.tallies import add_counts, write_counts
from uno_sim.simulation.units import Columns

FORMAT = 1
"""The version of the folder's layout."""

_CODE: tuple[Callable[..., Any], ...] = (
    start_rounds,
    advance,
    take_actions,
    observe_asked,
    write_facts,
    write_counts,
    add_counts,
)
"""What the rows follow from, with all that these functions reach."""
_CODE_OF_SUMS: tuple[Callable[..., Any], ...] = (add_places, add_products)
"""What sums follow from besides."""
_ROUNDS, _GAMES = "round.", "game."
"""What the names of columns begin with in a unit's file."""


class RunFolder:
    """The folder of one run; see the module."""

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        """Open the folder of a plan, or make it.

        Raises `ValueError` where it holds another run, naming what differs, and `OSError` where it
        cannot be written.
        """
        self.path = Path(path)
        self._ending = "rows" if plan.keep == "rows" else "sums"
        manifest = manifest_of(plan)
        self._key = key_of(manifest)
        claim(self.path, manifest)

    def write(self, unit: int, rows: tuple[Columns, Columns]) -> None:
        """Write the rows of a unit, whole or not at all."""
        file = io.BytesIO()
        rounds, games = rows
        columns = {_ROUNDS + name: column for name, column in rounds.items()}
        columns.update({_GAMES + name: column for name, column in games.items()})
        np.savez(file, allow_pickle=False, **columns)
        content = file.getvalue()
        write_whole(self._file(unit), self._checksum(unit, content) + b"\n" + content)

    def read(self, unit: int) -> tuple[Columns, Columns] | None:
        """Return the rows of a unit, None where there is no whole file of it."""
        try:
            digest, _, content = self._file(unit).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        if self._checksum(unit, content) != digest:
            return None
        with np.load(io.BytesIO(content), allow_pickle=False) as columns:
            parts: tuple[Columns, Columns] = {}, {}
            for name in columns.files:
                prefix = _ROUNDS if name.startswith(_ROUNDS) else _GAMES
                parts[prefix == _GAMES][name.removeprefix(prefix)] = columns[name]
        return parts

    def _checksum(self, unit: int, content: bytes) -> bytes:
        """Return the checksum of a unit's file, which no other unit and no other run has."""
        return hashlib.sha256(f"{self._key} {unit}\n".encode() + content).hexdigest().encode()

    def _file(self, unit: int) -> Path:
        return self.path / f"unit-{unit:07d}.{self._ending}"


def claim(path: Path, wanted: dict[str, Any]) -> None:
    """Make a folder that of a run with this manifest, or see that it is.

    Raises `ValueError` where it holds another run, naming what differs, and `OSError` where it
    cannot be written.
    """
    manifest = path / "manifest.json"
    if manifest.exists():
        check_same(read_manifest(manifest), wanted, path)
        return
    path.mkdir(parents=True, exist_ok=True)
    if any(path.glob("unit-*")):
        raise ValueError(
            f"out={os.fspath(path)!r}: holds units, but no manifest of a run, so nobody knows of "
            "which; take another folder"
        )
    write_whole(manifest, (json.dumps(wanted, indent=2) + "\n").encode())


def manifest_of(plan: Plan) -> dict[str, Any]:
    """Return what the files of a run depend on, as values that JSON can hold."""
    digests = [reachable_digest(function) for function in _CODE]
    if plan.keep != "rows":
        digests += [reachable_digest(function) for function in _CODE_OF_SUMS]
        digests.append(repr((ROUNDS, GAMES, WIDTHS)))
    return {
        "format": FORMAT,
        "keep": plan.keep,
        "uno_sim": version("uno-sim"),
        "code": hashlib.sha256("".join(digests).encode()).hexdigest(),
        "rules": {
            field.name: getattr(plan.rules, field.name) for field in dataclasses.fields(plan.rules)
        },
        "agents": [describe_agent(agent) for agent in plan.cast],
        "seed": plan.seed,
        "rows": plan.rows,
        "unit": "games" if plan.whole_games else "rounds",
        "paired": plan.paired,
        "rows_at_once": plan.rows_at_once,
        "unit_rows": plan.unit_rows,
    }


def run_key(plan: Plan) -> str:
    """Return a short name of a run, the same for the same rows and no other."""
    return key_of(manifest_of(plan))


def key_of(manifest: dict[str, Any]) -> str:
    """Return a short name for a manifest."""
    return hashlib.sha256(json.dumps(manifest).encode()).hexdigest()[:12]


def describe_agent(agent: Agent) -> dict[str, Any]:
    """Return what tells whether an agent is the same one.

    Of a compiled agent that is all that its policy reaches, and its numbers. A batched one is known
    by its attribute `version` where it has one; else by the files that define its class and those
    that it derives from, and by what it holds, as far as that can be pickled.
    """
    described = {"name": agent.name}
    if isinstance(agent, CompiledAgent):
        function = agent.policy.function
        described["code"] = reachable_digest(getattr(function, "py_func", function))
        described["params"] = hashlib.sha256(agent.params.tobytes()).hexdigest()
        return described
    described["kind"] = f"{type(agent).__module__}.{type(agent).__qualname__}"
    given = getattr(agent, "version", None)
    if given is not None:
        described["version"] = str(given)
        return described
    sources = [source_of(kind) for kind in type(agent).mro()]
    described["code"] = hashlib.sha256(b"\n".join(sources)).hexdigest()
    try:
        described["holds"] = hashlib.sha256(pickle.dumps(vars(agent))).hexdigest()
    except Exception:  # whatever an object's own way of being pickled raises
        described["holds"] = "unknown"
    return described


def source_of(kind: type) -> bytes:
    """Return the file that defines a class; what its methods reach where no file does."""
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None)
    if file is not None:
        return Path(file).read_bytes()
    if module is None or kind.__module__ == "builtins":
        return b""
    methods = [value for value in vars(kind).values() if isinstance(value, FunctionType)]
    return "".join(map(reachable_digest, methods)).encode()


def read_manifest(path: Path) -> dict[str, Any]:
    """Return a manifest; `ValueError` where the file holds none."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not a manifest ({error})") from None
    if not isinstance(manifest, dict):
        raise ValueError(f"{path}: not a manifest")
    return manifest


def check_same(found: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    """Raise `ValueError` where a manifest is of another run, naming what differs."""
    wanted = json.loads(json.dumps(wanted))
    for key in [*wanted, *found]:
        if found.get(key) != wanted.get(key):
            was, now = found.get(key), wanted.get(key)
            detail = f"{was!r} there, {now!r} now" if len(f"{was}{now}") < 200 else "not the same"
            if isinstance(was, dict) and isinstance(now, dict):
                names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
                detail = f"{', '.join(names)} not the same"
            if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
                others = [new for old, new in zip(was, now, strict=True) if old != new]
                detail = f"{', '.join(new['name'] for new in others)} not the same"
                if any("holds" in new for new in others):
                    detail += " (if it is, let it have a `version`)"
            raise ValueError(
                f"out={os.fspath(path)!r}: holds another run: {key}: {detail}; take another folder"
            )
