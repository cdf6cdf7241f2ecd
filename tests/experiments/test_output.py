"""Files are written whole or not at all."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from experiments import output
from experiments.command_line import CommandError


def test_a_folder_is_checked_without_a_trace(tmp_path: Path) -> None:
    output.check_folder(tmp_path / "new" / "folder")
    output.check_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(CommandError, match="cannot write there"):
            output.check_folder(folder)


def test_files_are_written_whole(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    output.write_files(folder, {"x.csv": b"1", "y.csv": b"2"})
    output.write_files(folder, {"x.csv": b"3"})
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        "x.csv": b"3",
        "y.csv": b"2",
    }


@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()])
def test_an_error_leaves_the_old_files_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    output.write_files(tmp_path, {"x.csv": b"old", "y.csv": b"old"})
    calls = []

    def fail_at_the_second(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise error

    monkeypatch.setattr(output.os, "fsync", fail_at_the_second)
    with pytest.raises((CommandError, KeyboardInterrupt)):
        output.write_files(tmp_path, {"x.csv": b"new", "y.csv": b"new"})
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        "x.csv": b"old",
        "y.csv": b"old",
    }


def test_parquet_is_written_where_pyarrow_is(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pd.DataFrame({"a": [1, 2], "b": [0.5, 1 / 3]})
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert output.table_files("t", table) == {
        "t.csv": b"a,b\n1,0.5\n2,0.3333333333333333\n",
    }
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "pyarrow")
    monkeypatch.setattr(
        pd.DataFrame, "to_parquet", lambda table, file, index: file.write(b"parquet")
    )
    assert output.table_files("t", table)["t.parquet"] == b"parquet"


def test_the_run_file_names_the_versions() -> None:
    run = json.loads(output.run_file({"experiment": "x", "seed": 3}))
    assert run["experiment"] == "x"
    assert run["seed"] == 3
    assert {"python", "uno-sim", "numpy", "numba", "pandas"} <= set(run["versions"])
    assert run["platform"]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_run_file_names_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    monkeypatch.setattr(output, "__file__", str(tmp_path / "experiments" / "output.py"))
    assert json.loads(output.run_file({}))["commit"] is None
    git("init")
    assert json.loads(output.run_file({}))["commit"] is None
    git("commit", "--allow-empty", "-m", "empty")
    run = json.loads(output.run_file({}))
    assert run["commit"] == git("rev-parse", "HEAD")
    assert run["uncommitted_changes"] is False
    (tmp_path / "new").touch()
    assert json.loads(output.run_file({}))["uncommitted_changes"] is True


def test_a_reader_who_has_enough_is_no_error() -> None:
    script = "from experiments.output import tell; input(); tell('one'); tell('two')"
    run = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout is not None
    run.stdout.close()
    run.stdout = None
    _, error = run.communicate(b"\n")
    assert (run.returncode, error) == (0, b"")
