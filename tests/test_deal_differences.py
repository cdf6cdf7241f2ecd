"""Differences between agents with the deal as the unit, and the correction for many of them."""

import math

import numpy as np
import pytest

from uno_sim import mean_interval
from uno_sim.statistics import difference_by_deal, holm, share_by_deal


def test_the_difference_is_that_of_paired_values() -> None:
    first, second = np.array([3.0, 5.0, 10.0, 4.0]), np.array([1.0, 6.0, 4.0, 3.0])
    found = difference_by_deal(first, second, np.full(4, 2))
    assert found[:3] == pytest.approx((1.0, *mean_interval((first - second) / 2)))
    # By hand: differences 1, -0.5, 3, 0.5 a row have the variance 6.5 / 3.
    z = 1 / math.sqrt(6.5 / 3 / 4)
    assert found.p_value == pytest.approx(math.erfc(z / math.sqrt(2)))


def test_what_a_deal_gives_to_both_cancels_out() -> None:
    luck = np.array([0.0, 50.0, -20.0, 7.0, 90.0])
    gain = np.array([1.0, 1.5, 1.0, 0.5, 1.0])
    found = difference_by_deal(luck + gain, luck, np.ones(5))
    assert found.low > 0
    assert found.p_value < 0.001


def test_a_known_p_value() -> None:
    # 60 of 100 independent rounds: the score test has z = 2.
    won = (np.arange(100) < 60).astype(float)
    found = difference_by_deal(won, 1 - won, np.ones(100), limit=1)
    assert found.value == pytest.approx(0.2)
    # The variance is estimated at a share of 0.6; Wilson's test takes that at 0.5.
    assert found.p_value == pytest.approx(0.0455, abs=5e-5)


def test_the_interval_holds_0_where_the_p_value_is_above_the_level() -> None:
    generator = np.random.default_rng(3)
    seen = set()
    for _ in range(300):
        won = generator.integers(0, 3, 40)
        found = difference_by_deal(won, 2 - won, np.full(40, 2), limit=1)
        assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high)
        seen.add(found.p_value < 0.05)
    assert seen == {True, False}


def test_opposed_rows_narrow_the_interval() -> None:
    # Of 100 deals 90 are won by who sits well, from either seat; 10 by the better agent twice.
    won = np.where(np.arange(100) < 10, 2.0, 1.0)
    found = difference_by_deal(won, 2 - won, np.full(100, 2), limit=1)
    independent = difference_by_deal(
        np.repeat([1.0, 0.0], (110, 90)), np.repeat([0.0, 1.0], (110, 90)), np.ones(200), limit=1
    )
    assert found.value == pytest.approx(independent.value)
    assert found.low > 0 > independent.low


@pytest.mark.parametrize(("deals", "resolved"), [(5, False), (6, True), (20, True)])
def test_a_clean_sweep_is_as_many_fair_coins(deals: int, resolved: bool) -> None:
    won = np.full(deals, 2.0)
    found = difference_by_deal(won, np.zeros(deals), won, limit=1)
    assert found.value == found.high == 1
    assert found.p_value == pytest.approx(2.0 ** (1 - deals))
    assert (found.low > 0) == resolved
    # Clopper and Pearson's lower end for n of n is (alpha / 2) ** (1 / n).
    assert (found.low + 1) / 2 == pytest.approx(0.025 ** (1 / deals))


def test_almost_a_clean_sweep_proves_no_more_than_one() -> None:
    sweep = difference_by_deal(np.full(7, 2), np.zeros(7), np.full(7, 2), limit=1)
    won = np.array([2, 2, 2, 2, 2, 2, 1])
    almost = difference_by_deal(won, 2 - won, np.full(7, 2), limit=1)
    assert sweep.p_value < almost.p_value < 0.05
    assert 0 < almost.low < sweep.low


def test_one_deal_that_differs_is_no_proof() -> None:
    won = np.where(np.arange(1000) < 1, 2.0, 1.0)
    found = difference_by_deal(won, 2 - won, np.full(1000, 2), limit=1)
    assert found.p_value > 0.3
    assert found.high > 0.0035


def test_deals_that_are_all_shared_are_no_proof_of_equality() -> None:
    ones = np.ones(100)
    found = difference_by_deal(ones, ones, 2 * ones, limit=1)
    assert (found.value, found.p_value) == (0, 1)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert found.low == pytest.approx(-found.high)


def test_without_rows_there_is_no_difference() -> None:
    nothing = np.zeros(3)
    assert all(map(math.isnan, difference_by_deal(nothing, nothing, nothing)))
    assert all(map(math.isnan, difference_by_deal(nothing, nothing, nothing, limit=1)))
    one = difference_by_deal(np.array([3.0]), np.array([1.0]), np.array([1]))
    assert one.value == 2
    assert all(map(math.isnan, one[1:]))


def test_equal_differences_without_a_limit_are_as_many_fair_coins() -> None:
    found = difference_by_deal(np.full(4, 5.0), np.full(4, 3.0), np.ones(4))
    assert found == (2, 2, 2, 0.125)
    assert difference_by_deal(np.ones(4), np.ones(4), np.ones(4)).p_value == 1


def test_a_difference_near_the_limit_stays_within() -> None:
    won = np.where(np.arange(50) < 49, 2.0, 1.0)
    found = difference_by_deal(won, 2 - won, np.full(50, 2), limit=1)
    assert found.low < found.value < found.high <= 1


def test_rounding_is_no_variance() -> None:
    # All deals have the share 1/3, which sums do not hold exactly.
    hits, trials = np.full(1000, 0.1 + 0.2), np.full(1000, 0.9)
    _, low, high = share_by_deal(hits, trials, capped=False)
    assert high - low > 0.003


@pytest.mark.parametrize("limit", [None, 1])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(limit: float | None) -> None:
    generator = np.random.default_rng(7)
    held = 0
    for _ in range(1000):
        won = generator.choice(3, 80, p=(0.1, 0.6, 0.3))
        found = difference_by_deal(won, 2 - won, np.full(80, 2), limit=limit)
        held += found.low <= 0.2 <= found.high
    assert 925 <= held <= 975


def test_holm_agrees_with_values_computed_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # Times 5, 4, 3, 2, 1 in ascending order, never falling, at most 1.
    assert holm([0.5, 0.011, 0.02, 0.9, 0.01]) == pytest.approx([1, 0.05, 0.06, 1, 0.05])


def test_holm_keeps_one_comparison_as_it_is() -> None:
    assert holm([0.03]) == pytest.approx([0.03])
    assert len(holm([])) == 0


def test_holm_counts_a_comparison_without_a_p_value() -> None:
    corrected = holm([math.nan, 0.01])
    assert math.isnan(corrected[0])
    assert corrected[1] == pytest.approx(0.02)


def test_holm_has_few_false_alarms_where_nothing_differs() -> None:
    generator = np.random.default_rng(11)
    plain = corrected = 0
    for _ in range(2000):
        p_values = generator.random(10)
        plain += (p_values < 0.05).any()
        corrected += (holm(p_values) < 0.05).any()
    assert plain > 700
    assert corrected < 140
