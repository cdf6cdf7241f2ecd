"""Weights of worlds in `evaluate_actions`: when an interval is told, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from tests.decisions.exact import position
from uno_sim import believe, evaluate_actions, moments

GAME = position("R1 G5 W", "B7 Y2", "R9 GS YD")
ERRORS = ["points_se", "win_se", "game_se", "difference_low", "difference_high"]


class First:
    """Believes in the first worlds that it is shown, so many of them."""

    def __init__(self, count):
        self.left = count

    def log_weights(self, observation, worlds):
        likely = np.arange(len(worlds)) < self.left
        self.left -= int(likely.sum())
        return np.where(likely, 0.0, -np.inf)


@pytest.mark.parametrize(
    ("worlds", "likely", "told"), [(100, 1, False), (100, 29, False), (100, 30, True), (9, 9, True)]
)
def test_no_error_is_told_of_few_effective_worlds(worlds, likely, told):
    table = evaluate_actions(GAME, worlds=worlds, belief=First(likely))
    assert table["effective_worlds"].tolist() == pytest.approx([likely] * len(table))
    assert table[ERRORS].notna().all(axis=None) == told
    assert table[ERRORS].isna().all(axis=None) != told
    assert table[["points", "win", "game", "difference"]].notna().all(axis=None)
    assert (table["power"] == 1).all()


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (np.zeros(9), r"returned float64 \[9\]"),
        (None, "returned None"),
        (["a"] * 10, r"returned <U1 \[10\]"),
        (0.5, "returned 0.5"),
        ([[1.0], [1.0, 2.0]], "returned"),
    ],
)
def test_a_weigher_that_returns_something_else_is_told_so(returned, message):
    class Wrong:
        def log_weights(self, observation, worlds):
            return returned

    with pytest.raises(ValueError, match=r"belief: log_weights must be float \[10\], " + message):
        evaluate_actions(GAME, worlds=10, belief=Wrong())


@pytest.mark.parametrize("games", ["no", 1, None])
def test_games_is_true_or_false(games):
    with pytest.raises(ValueError, match=f"games={games!r}: must be True or False"):
        evaluate_actions(GAME, games=games)


def test_results_do_not_depend_on_how_long_a_call_takes(monkeypatch):
    def table():
        return evaluate_actions(GAME, worlds=150, belief="bluffer:rate=0.5")

    def chances():
        return believe(GAME.observation(0), "bluffer:rate=0.5", worlds=150).chances.tolist()

    expected, believed = table(), chances()
    for seconds in (0.0, 1.0):
        clock = itertools.count(0.0, seconds)
        monkeypatch.setattr(moments.time, "perf_counter", lambda clock=clock: next(clock))
        pd.testing.assert_frame_equal(table(), expected)
        assert chances() == believed


def test_slices_last_a_moment(monkeypatch):
    now = 0.0
    monkeypatch.setattr(moments.time, "perf_counter", lambda: now)
    sizes = []
    pace = moments.Moments()
    for part in pace.slices(100):
        sizes.append(part.stop - part.start)
        now += 0.03 * sizes[-1]
    assert sizes[:4] == [1, 2, 4, 4]
    assert sum(sizes) == 100
    sizes.clear()
    for part in pace.slices(10):
        sizes.append(part.stop - part.start)
        now += 1.0 * sizes[-1]
    assert sizes == [4, 2, 1, 1, 1, 1]
