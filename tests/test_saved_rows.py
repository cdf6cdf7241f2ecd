"""The rows of a batch as files."""

import importlib.util

import pandas as pd
import pytest

from uno_sim import UNO_DUO, simulate


@pytest.fixture(scope="module")
def results():
    return simulate(UNO_DUO, ["greedy", "random"], games=20, seed=3)


def without_pyarrow(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pyarrow" else found(name)
    )


def test_rows_are_csv_without_pyarrow(results, tmp_path, monkeypatch):
    without_pyarrow(monkeypatch)
    files = results.save(tmp_path / "new")
    assert [file.name for file in files] == ["rounds.csv", "games.csv"]
    for file, frame in zip(files, (results.rounds, results.games), strict=True):
        pd.testing.assert_frame_equal(pd.read_csv(file), frame, check_dtype=False)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["games.csv", "rounds.csv"]


def test_single_rounds_have_no_file_of_games(tmp_path, monkeypatch):
    without_pyarrow(monkeypatch)
    alone = simulate(UNO_DUO, ["greedy", "random"], rounds=20, seed=3)
    assert alone.save(tmp_path) == [tmp_path / "rounds.csv"]


def test_rows_are_parquet_with_pyarrow(results, tmp_path):
    pytest.importorskip("pyarrow")
    rounds, games = results.save(tmp_path)
    assert (rounds.name, games.name) == ("rounds.parquet", "games.parquet")
    for file, frame in ((rounds, results.rounds), (games, results.games)):
        pd.testing.assert_frame_equal(pd.read_parquet(file), frame, check_dtype=False)
