"""Files of kept machine code that are damaged, mixed up or cannot be written do no harm."""

import pytest

from tests.test_code_apart import DEEP, VALUE, folder, run
from uno_sim import compilation

__all__ = ["folder"]

pytestmark = pytest.mark.skipif(compilation.JIT_DISABLED, reason="nothing is compiled")

TWO_TYPES = """
from deep import deep
from uno_sim.compilation import compiled


@compiled
def call(number):
    return deep(number)


if __name__ == "__main__":
    print(call(2), call(2.5), sum(call.stats.cache_hits.values()))
"""


def kept(folder, name, ending):
    """Return the files of a function's code, in the order of their names."""
    files = sorted(folder.rglob(f"*.{name}.*{ending}"))
    assert files
    return files


@pytest.mark.parametrize(
    ("ending", "content"), [("nbi", b""), ("nbi", b"no pickle"), ("nbc", b"\x80\x05half")]
)
def test_damaged_files_are_written_anew(folder, ending, content):
    assert run(folder) == ["0", str(VALUE), "0"]
    for name in ("call", "deep"):
        kept(folder, name, ending)[0].write_bytes(content)
    assert run(folder) == ["0", str(VALUE), "0"]
    assert run(folder) == ["0", str(VALUE), "1"]


def test_code_for_other_types_is_not_taken(folder):
    (folder / "two.py").write_text(TWO_TYPES, encoding="utf-8")
    assert run(folder, "two.py") == ["64", "65.0", "0"]
    one, other = kept(folder, "call", "nbc")
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert run(folder, "two.py") == ["64", "65.0", "0"]
    assert run(folder, "two.py") == ["64", "65.0", "2"]


def test_old_code_that_a_new_index_names_is_not_taken(folder):
    """A process that is killed while it writes leaves this behind."""
    assert run(folder) == ["0", str(VALUE), "0"]
    old = {path: path.read_bytes() for path in folder.rglob("*.nbc")}
    (folder / "deep.py").write_text(DEEP.replace("number + 30", "number + 31"), encoding="utf-8")
    assert run(folder) == ["0", str(VALUE + 3), "0"]
    changed = [path for path, content in old.items() if path.read_bytes() != content]
    assert changed
    for path in changed:
        path.write_bytes(old[path])
    assert run(folder) == ["0", str(VALUE + 3), "0"]
    assert run(folder) == ["0", str(VALUE + 3), "1"]


def test_a_folder_that_cannot_be_written_any_more_is_done_without(folder):
    script = """
import os, shutil
from deep import deep
deep(1)
cache = os.environ["NUMBA_CACHE_DIR"]
shutil.rmtree(cache)
open(cache, "w").close()
from shallow import call
print(call(2))
"""
    assert run(folder, "-c", script) == [str(VALUE)]
