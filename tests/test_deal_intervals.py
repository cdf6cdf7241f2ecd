"""Intervals with the deal as the unit."""

import math

import numpy as np
import pytest

from uno_sim import mean_interval, wilson_interval
from uno_sim.statistics import mean_by_deal, share_by_deal, totals_by_deal


@pytest.mark.parametrize(("wins", "rows"), [(19, 20), (3, 10), (1, 2), (500, 1000)])
def test_independent_rows_have_wilsons_interval(wins: int, rows: int) -> None:
    hits = np.arange(rows) < wins
    share, low, high = share_by_deal(hits, np.ones(rows))
    assert share == wins / rows
    assert (low, high) == pytest.approx(wilson_interval(wins, rows))


def test_the_known_interval_of_19_of_20() -> None:
    _, low, high = share_by_deal(np.arange(20) < 19, np.ones(20))
    assert (round(low, 4), round(high, 4)) == (0.7639, 0.9911)


def test_rows_that_repeat_their_deal_count_once() -> None:
    hits = 2.0 * (np.arange(40) < 30)
    assert share_by_deal(hits, np.full(40, 2)) == pytest.approx((0.75, *wilson_interval(30, 40)))


def test_opposed_rows_claim_no_more_than_independent_ones() -> None:
    # Both rows of a deal always go to different sides: the share has no variance at all.
    found = share_by_deal(np.ones(50), np.full(50, 2))
    assert found == pytest.approx((0.5, *wilson_interval(50, 100)))


@pytest.mark.parametrize("won", [0, 2])
def test_all_or_nothing_has_as_many_trials_as_deals(won: int) -> None:
    share, low, high = share_by_deal(np.full(5, float(won)), np.full(5, 2))
    assert (low, high) == pytest.approx(wilson_interval(won // 2 * 5, 5))
    assert low <= share <= high


def test_one_deal_is_one_trial() -> None:
    _, low, high = share_by_deal(np.array([1.0]), np.array([2]))
    assert high - low > 0.75


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        rows = generator.random((60, 2)) < 0.9
        alike = generator.random(60) < 0.5
        rows[alike, 1] = rows[alike, 0]
        _, low, high = share_by_deal(rows.sum(axis=1), np.full(60, 2))
        held += low <= 0.9 <= high
    assert 920 <= held <= 985


def test_equal_trials_give_the_normal_interval_of_the_deals_means() -> None:
    sums = np.array([3.0, 5.0, 10.0, 4.0])
    found = mean_by_deal(sums, np.full(4, 2))
    assert found == pytest.approx((2.75, *mean_interval(sums / 2)))


def test_a_mean_of_unequal_deals_weighs_rows_equally() -> None:
    mean, low, high = mean_by_deal(np.array([10.0, 2.0]), np.array([5, 1]))
    assert mean == pytest.approx(2)
    assert low == pytest.approx(high)


def test_no_trials_and_single_deals_have_no_interval() -> None:
    nothing = np.zeros(3)
    assert all(map(math.isnan, share_by_deal(nothing, nothing)))
    assert all(map(math.isnan, mean_by_deal(nothing, nothing)))
    mean, low, high = mean_by_deal(np.array([6.0]), np.array([3]))
    assert mean == 2
    assert math.isnan(low)
    assert math.isnan(high)


def test_totals_are_summed_by_deal() -> None:
    totals = totals_by_deal(np.array([0, 0, 1, 2, 2]), np.array([True, True, False, True, False]))
    assert totals.tolist() == [2, 0, 1]
