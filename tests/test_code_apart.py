"""A function apart is compiled once, and found again by the code that calls it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from uno_sim import compilation

pytestmark = pytest.mark.skipif(compilation.JIT_DISABLED, reason="nothing is compiled")

DEEP = '''
"""What is called."""

from uno_sim.compilation import compiled


@compiled(apart=True)
def deepest(number):
    return number + 30


@compiled(apart=True)
def deep(number):
    return deepest(number) * 2


@compiled(apart=True, checked=True)
def place_of(items, place):
    return items[place]
'''
SHALLOW = '''
"""What calls."""

import numpy as np
from deep import deep, deepest, place_of
from uno_sim.compilation import compiled


@compiled
def call(number):
    return deep(number) + deepest(np.uint64(number)) + place_of(np.arange(3), number)


if __name__ == "__main__":
    print(sum(call.stats.cache_hits.values()), call(2), sum(call.stats.cache_hits.values()))
'''
VALUE = (2 + 30) * 2 + (2 + 30) + 2
"""What `call(2)` gives."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep.py").write_text(DEEP, encoding="utf-8")
    (tmp_path / "shallow.py").write_text(SHALLOW, encoding="utf-8")
    return tmp_path


def run(folder: Path, *command: str) -> list[str]:
    """Run Python in a new process; return the words that it prints."""
    root = str(Path(compilation.__file__).parents[1])
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), root]),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, *(command or ("shallow.py",))],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_kept_code_finds_what_it_calls_in_a_new_process(folder):
    assert run(folder) == ["0", str(VALUE), "0"]
    assert run(folder) == ["0", str(VALUE), "1"]


def test_a_change_of_what_is_called_is_noticed(folder):
    assert run(folder) == ["0", str(VALUE), "0"]
    (folder / "deep.py").write_text(DEEP.replace("number + 30", "number + 31"), encoding="utf-8")
    assert run(folder) == ["0", str(VALUE + 3), "0"]
    assert run(folder) == ["0", str(VALUE + 3), "1"]


def test_what_is_called_is_compiled_again_where_its_own_code_was_lost(folder):
    assert run(folder) == ["0", str(VALUE), "0"]
    lost = [path for path in folder.rglob("*.nb?") if "deepest" in path.name]
    assert lost
    for path in lost:
        path.unlink()
    assert run(folder) == ["0", str(VALUE), "1"]


def test_the_code_of_a_function_apart_is_not_in_its_callers(folder):
    script = """
from shallow import call
from deep import deep
call(2)
for caller in (call, deep):
    (code,) = caller.inspect_llvm().values()
    lines = [line for line in code.splitlines() if "deepest" in line]
    print(*(sum(line.startswith(word) for line in lines) for word in ("define", "declare")))
"""
    assert run(folder, "-c", script) == ["0", "1", "0", "1"]


def test_an_error_comes_through(folder):
    script = """
from shallow import call
try:
    call(3)
except IndexError as error:
    print(type(error).__name__)
"""
    assert run(folder, "-c", script) == ["IndexError"]


def test_a_function_apart_is_called_from_python_too(folder):
    assert run(folder, "-c", "from deep import deep; print(deep(5))") == [str((5 + 30) * 2)]


CIRCLE = """
from uno_sim.compilation import compiled


@compiled(APART)
def is_even(number):
    return True if number == 0 else is_odd(number - 1)


@compiled(APART)
def is_odd(number):
    return False if number == 0 else is_even(number - 1)


@compiled
def call(number):
    return is_odd(number)


if __name__ == "__main__":
    print(call(5), is_even(5))
"""


@pytest.mark.parametrize("option", ["apart=True", ""])
def test_functions_that_call_each_other_in_a_circle_are_compiled_anew(folder, option):
    text = CIRCLE.replace("(APART)", f"({option})")
    (folder / "circle.py").write_text(text, encoding="utf-8")
    assert run(folder, "circle.py") == ["True", "False"]
    assert run(folder, "circle.py") == ["True", "False"]
    assert not [path for path in folder.rglob("*.nbc") if "circle" in path.name]


TWICE = """
import numpy as np
from uno_sim.compilation import compiled


def plain(items, place):
    return items[place]


loose = compiled(apart=True)(plain)
checked = compiled(apart=True, checked=True)(plain)


@compiled
def call(place):
    items = np.arange(3)
    return loose(items, 0) + checked(items, place)


if __name__ == "__main__":
    print(call(2))
    try:
        call(3)
    except IndexError:
        print("IndexError")
"""


def test_functions_apart_that_are_not_found_by_their_name_are_compiled_anew(folder):
    (folder / "twice.py").write_text(TWICE, encoding="utf-8")
    assert run(folder, "twice.py") == ["2", "IndexError"]
    assert run(folder, "twice.py") == ["2", "IndexError"]
