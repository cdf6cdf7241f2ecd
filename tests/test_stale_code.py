"""Machine code kept on disk is never stale, and is kept where nothing that matters changed."""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core import config
from numba.core.caching import CompileResultCacheImpl

import uno_sim
from uno_sim import compilation

pytestmark = pytest.mark.skipif(compilation.JIT_DISABLED, reason="nothing is compiled")

ANNOUNCEMENT = "tiny: compiling"
TINY = {
    "__init__.py": "",
    "constants.py": '''
"""Constants of a small game."""

import enum

import numpy as np

LIMIT = 100
TABLE = np.array([[1, 2, 3], [4, 5, 6]])
PAIR = (7, 8)
SHARE = 0.5
offset = 1000
DTYPE = np.dtype(np.int16)


class Side(enum.IntEnum):
    LEFT = 1
    RIGHT = 2
''',
    "rules.py": '''
"""Rules of a small game."""

from tiny import constants
from tiny.constants import SHARE
from uno_sim.compilation import compiled


@compiled
def twice(number):
    """Return twice the number."""
    return deepest(number) * 2


@compiled
def deepest(number, more=30):
    """Return a little more."""
    return number + more


@compiled
def share(number):
    return number * SHARE


@compiled
def by_offset(box):
    # The name of the constant is met first as the name of a field.
    return box[0].offset + constants.offset


def make_adder(amount):
    @compiled
    def add(number):
        return number + amount

    return add


add = make_adder(10_000)
''',
    "entry.py": '''
"""What is called from outside."""

import numpy as np

from tiny import constants
from tiny.constants import LIMIT, PAIR, TABLE, Side
from tiny.rules import add, by_offset, share, twice
from uno_sim.compilation import compiled

BOX = np.zeros(1, [("offset", np.int64)]).view(np.recarray)


@compiled(announce="tiny: compiling")
def entry(number):
    """Return a number that depends on everything."""
    total = twice(number) + LIMIT + TABLE[0, 1] + PAIR[1] + Side.RIGHT.value
    return add(total) + int(share(number)) + constants.LIMIT + by_offset_box(BOX)


@compiled
def by_offset_box(box):
    return by_offset(box)


@compiled
def rows(number):
    return number * TABLE.shape[0]


def not_reached():
    return 1
''',
    "far.py": '''
"""Names a constant by the names of the packages it is in."""

import tiny.constants
from uno_sim.compilation import compiled


@compiled
def dotted(number):
    return number + tiny.constants.LIMIT
''',
}


class Tiny:
    """A small package on disk that is imported anew for each run, as a new process would."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        self.folder = folder / "tiny"
        self.capsys = capsys
        self.cache = folder / "cache"
        self.folder.mkdir()
        for name, text in TINY.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        monkeypatch.setattr(config, "CACHE_DIR", str(self.cache))

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (self.folder / name).write_text(text.replace(old, new), encoding="utf-8")

    def run(self, name: str = "entry", module: str = "entry") -> tuple[int, bool]:
        """Return what a function gives for 5, and whether it was compiled anew."""
        forget_tiny()
        importlib.invalidate_caches()
        compilation._announced.discard(ANNOUNCEMENT)
        function = getattr(importlib.import_module(f"tiny.{module}"), name)
        value = int(function(5))
        announced = ANNOUNCEMENT in self.capsys.readouterr().err
        compiled_anew = not sum(function.stats.cache_hits.values())
        assert announced == (compiled_anew and name == "entry")
        return value, compiled_anew

    def files(self) -> list[str]:
        return sorted(path.name for path in self.cache.rglob("*") if path.is_file())


@pytest.fixture
def tiny(tmp_path, monkeypatch, capsys):
    yield Tiny(tmp_path, monkeypatch, capsys)
    forget_tiny()


def forget_tiny() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "tiny"]:
        del sys.modules[name]


VALUE = (5 + 30) * 2 + 100 + 2 + 8 + 2 + 10_000 + 2 + 100 + 1000
"""What `entry(5)` gives before any edit."""


def test_machine_code_is_compiled_once_and_kept(tiny):
    assert tiny.run() == (VALUE, True)
    assert tiny.run() == (VALUE, False)
    assert tiny.run() == (VALUE, False)


EDITS = [
    (
        "a function called by a function that is called",
        "rules.py",
        "number + more",
        "number - more",
        -120,
    ),
    ("a function that is called", "rules.py", "(number) * 2", "(number) * 3", 35),
    ("the function itself", "entry.py", "TABLE[0, 1]", "TABLE[1, 1]", 3),
    ("a default", "rules.py", "more=30", "more=31", 2),
    (
        "how a function that is called is compiled",
        "rules.py",
        "@compiled\ndef deepest",
        "@compiled(inlined=True)\ndef deepest",
        0,
    ),
    ("a constant", "constants.py", "LIMIT = 100", "LIMIT = 200", 200),
    ("a constant array", "constants.py", "[1, 2, 3]", "[1, 9, 3]", 7),
    ("a constant tuple", "constants.py", "(7, 8)", "(7, 9)", 1),
    ("a constant of a function that is called", "constants.py", "SHARE = 0.5", "SHARE = 3.0", 13),
    ("the value of an enum", "constants.py", "RIGHT = 2", "RIGHT = 5", 3),
    ("a value closed over", "rules.py", "make_adder(10_000)", "make_adder(20_000)", 10_000),
    ("a constant named like a field", "constants.py", "offset = 1000", "offset = 1001", 1),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "change"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS]
)
def test_a_change_of_what_is_reached_is_noticed(tiny, file, old, new, change):
    assert tiny.run() == (VALUE, True)
    files = tiny.files()
    tiny.edit(file, old, new)
    assert tiny.run() == (VALUE + change, True)
    assert tiny.run() == (VALUE + change, False)
    # The new code took the place of the old, and the old is not taken for the new.
    assert tiny.files() == files
    tiny.edit(file, new, old)
    assert tiny.run()[0] == VALUE


def test_a_change_of_the_shape_of_an_array_is_noticed(tiny):
    assert tiny.run("rows") == (10, True)
    tiny.edit("constants.py", "[[1, 2, 3], [4, 5, 6]]", "[[1, 2], [3, 4], [5, 6]]")
    assert tiny.run("rows") == (15, True)


def test_a_change_of_a_constant_named_through_packages_is_noticed(tiny):
    assert tiny.run("dotted", "far") == (105, True)
    tiny.edit("constants.py", "LIMIT = 100", "LIMIT = 200")
    assert tiny.run("dotted", "far") == (205, True)


UNRELATED = [
    ("a docstring", "rules.py", "Return a little more.", "Return a bit more."),
    ("a comment", "rules.py", "# The name", "# This name"),
    (
        "lines above",
        "rules.py",
        '"""Rules of a small game."""',
        '"""Rules."""\n\n\n# So.\n\nNEW = 5\n',
    ),
    ("a function that is not reached", "entry.py", "return 1\n", "return 2\n"),
    ("a constant that is not reached", "constants.py", "np.int16", "np.int32"),
    ("a function of another name", "entry.py", "def not_reached", "def never_reached"),
    (
        "a new function",
        "entry.py",
        "def not_reached",
        "def new():\n    return 3\n\n\ndef not_reached",
    ),
    (
        "the name of a variable",
        "rules.py",
        "def share(number):\n    return number",
        "def share(n):\n    return n",
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new"), [edit[1:] for edit in UNRELATED], ids=[edit[0] for edit in UNRELATED]
)
def test_a_change_of_nothing_that_matters_keeps_the_machine_code(tiny, file, old, new):
    assert tiny.run() == (VALUE, True)
    tiny.edit(file, old, new)
    assert tiny.run() == (VALUE, False)


def test_where_no_folder_can_be_written_it_is_compiled_each_time(tiny, monkeypatch):
    monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    assert tiny.run() == (VALUE, True)
    assert tiny.run() == (VALUE, True)
    assert tiny.files() == []


REAL = """
from uno_sim import UNO_DUO, Game
from uno_sim.rules.legal import write_legal
game = Game.from_position(UNO_DUO, "hands: R1 RR R5 | B1\\ndiscard: R9")
print(sum(write_legal.stats.cache_hits.values()), *game.legal_names())
"""


@pytest.fixture
def run_real(tmp_path) -> Callable[[], tuple[bool, set[str]]]:
    """Copy the rules; return a function that runs them in a new process."""
    shutil.copytree(
        Path(uno_sim.__file__).parent,
        tmp_path / "uno_sim",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def run() -> tuple[bool, set[str]]:
        done = subprocess.run(
            [sys.executable, "-c", REAL],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        hits, *legal = done.stdout.split()
        return int(hits) > 0, set(legal)

    return run


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_real_rules_follow_an_edit_in_another_file(run_real, tmp_path):
    rules = tmp_path / "uno_sim"
    legal = {"R1", "RR", "R5", "R>R1", "R>R5", "draw"}
    assert run_real() == (False, legal)
    # Comments and functions that are not reached change nothing.
    edit(
        rules / "rules" / "dump.py",
        "\n\n@compiled\ndef is_open_for",
        "\n\n# So.\n\n\n@compiled\ndef is_open_for",
    )
    edit(
        rules / "rules" / "piles.py", '"""Put a card face up on the discard pile."""', '"""Lay."""'
    )
    assert run_real() == (True, legal)
    # A rule in another file than the entry's: the owed Reverse alone would be a dump.
    edit(rules / "rules" / "dump.py", "if state.hands[player, reverse] == 1:", "if False:")
    assert run_real() == (False, legal | {"R>RR"})
    # A constant in a third file: now only 0, 1 and 2 are of a color.
    edit(rules / "cards.py", "np.uint64((1 << NUM_SYMBOLS) - 1)", "np.uint64((1 << 3) - 1)")
    assert run_real() == (False, {"R1", "draw"})
