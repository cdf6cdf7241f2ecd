"""Writing results: each file whole or not at all, and the same bytes for the same run.

A table becomes a CSV file, and a Parquet file too where pyarrow is installed; a chart a PNG and an
SVG file; and a JSON file says what it takes to run the experiment again.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.command_line import CommandError, one_line_errors

_PACKAGES = ("uno-sim", "numpy", "numba", "pandas", "matplotlib")


def check_folder(folder: Path) -> None:
    """Raise `CommandError` where files cannot be written to a folder, made if need be.

    Nothing is left behind: the nearest folder that exists is tried with a nameless file.
    """
    if str(folder) in ("", "."):
        raise CommandError("--out: must name a folder")
    nearest = folder.absolute()
    try:
        while not nearest.exists() and nearest != nearest.parent:
            nearest = nearest.parent
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise CommandError(f"--out {folder}: cannot write there ({error.strerror})") from error


def table_files(name: str, table: pd.DataFrame) -> dict[str, bytes]:
    """Return the files of a table, by name."""
    files = {f"{name}.csv": table.to_csv(index=False, lineterminator="\n").encode()}
    if importlib.util.find_spec("pyarrow"):
        parquet = io.BytesIO()
        table.to_parquet(parquet, index=False)
        files[f"{name}.parquet"] = parquet.getvalue()
    return files


def run_file(arguments: Mapping[str, Any]) -> bytes:
    """Return the JSON file of a run: its arguments, versions, platform, and commit.

    It holds no time, so that the same run gives the same bytes.
    """
    commit = _git("rev-parse", "HEAD")
    record = {
        **arguments,
        "versions": {
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in _PACKAGES},
        },
        "platform": platform.platform(),
        "commit": commit,
        "uncommitted_changes": bool(_git("status", "--porcelain")) if commit else None,
    }
    return (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode()


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files to a folder, each under another name first.

    Raises `CommandError` where that fails; the files that were there before are then still whole.
    """
    partial = {name: folder / f".{name}.{os.getpid()}.partial" for name in files}
    with one_line_errors(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            for name, data in files.items():
                with partial[name].open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            for name, path in partial.items():
                path.replace(folder / name)
        finally:
            for path in partial.values():
                path.unlink(missing_ok=True)


def written(folder: Path, files: Mapping[str, bytes]) -> str:
    """Return the paths that were written as lines of text, one a name."""
    lines: dict[str, str] = {}
    for name in files:
        stem, dot, ending = name.rpartition(".")
        lines[stem] = f"{lines[stem]} {dot}{ending}" if stem in lines else f"{folder / name}"
    return "\n".join(["", "written:", *(f"  {line}" for line in lines.values())])


def tell(text: str) -> None:
    """Print what was found; say no more where whoever reads it, such as `head`, has enough."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _git(*arguments: str) -> str | None:
    """Return what git says of the checkout that this file is in, None where it is in none."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    try:
        return subprocess.run(
            ["git", *arguments], cwd=root, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
