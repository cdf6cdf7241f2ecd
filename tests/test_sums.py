"""Sums of deals tell what the deals themselves would."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uno_sim.simulation.ranges import range_places, range_sums
from uno_sim.simulation.row_values import RowValues
from uno_sim.simulation.sums import ROUNDS, Histogram, Sums, sums_of
from uno_sim.simulation.tallies import ROUND_COLUMNS
from uno_sim.statistics import Moments, mean_of_ratio, ratio_by_deal, ratio_of_moments

TOTALS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 200)), max_size=30)


@given(TOTALS)
def test_a_ratio_of_moments_is_that_of_the_deals(pairs):
    sums, trials = (np.array([pair[place] for pair in pairs], np.int64) for place in range(2))
    sums *= trials > 0
    expected = ratio_by_deal(sums, trials)
    found = ratio_of_moments(
        Moments(
            deals=int((trials > 0).sum()),
            sums=int(sums.sum()),
            trials=int(trials.sum()),
            squares=int((sums**2).sum()),
            products=int((sums * trials).sum()),
            trial_squares=int((trials**2).sum()),
        )
    )
    assert found.deals == expected.deals and found.trials == expected.trials
    assert found.value == pytest.approx(expected.value, nan_ok=True)
    assert found.variance == pytest.approx(expected.variance, rel=1e-9, abs=1e-18, nan_ok=True)


def test_nothing_cancels_where_deals_hardly_differ():
    deals, mean = 10**7, 10**6
    moments = Moments(
        deals=deals,
        sums=deals * mean + 1,
        trials=deals,
        squares=(deals - 1) * mean**2 + (mean + 1) ** 2,
        products=deals * mean + 1,
        trial_squares=deals,
    )
    # One deal of ten million is one higher than the others.
    assert ratio_of_moments(moments).variance == pytest.approx((1 - 1 / deals) / deals**2)
    value, low, high = mean_of_ratio(ratio_of_moments(moments))
    assert low < value < high and high - low == pytest.approx(2 * 1.96 / deals, rel=1e-2)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=60), st.floats(0, 1))
def test_quantiles_are_those_of_the_values(values, share):
    histogram = Histogram(*np.unique(values, return_counts=True))
    assert histogram.quantile(share) == pytest.approx(np.quantile(values, share))
    assert histogram.quantile(0.5) == np.median(values)
    assert histogram.between(10, 100) == sum(10 <= value <= 100 for value in values)
    assert histogram.above(50).size == sum(value >= 50 for value in values)


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("largest", [0, 1, 40, 70_000])
def test_ranges_count_the_hits_of_each_deal(start, largest):
    source = np.random.default_rng(largest)
    deals = np.sort(source.integers(0, 40, 200))
    values = source.integers(0, largest + 1, 200)
    sums = range_sums(deals, values, start)
    places = range_places(start)
    assert set(places.values()) <= set(range(len(sums)))
    trials = np.bincount(deals[values >= start], minlength=40)
    ranges = list(places)
    for lower, upper in [ranges[i] for i in source.integers(0, len(ranges), 300)]:
        inside = (values >= lower) & (values <= (largest if upper is None else upper))
        hits = np.bincount(deals[inside], minlength=40)
        expected = [(hits > 0).sum(), hits.sum(), (hits**2).sum(), (hits * trials).sum()]
        assert sums[places[lower, upper]].tolist() == expected


def test_what_is_not_counted_by_deal_is_refused():
    sums = Sums(ROUNDS, [sums_of(rows_of([5, 9]), ROUNDS)])
    assert sums.share_in(("turns", 0), 6, None).value == 0.5
    with pytest.raises(KeyError):
        sums.share_in(("turns", 0), 6, 8)
    with pytest.raises(KeyError):
        sums.share_in(("decisions", 0), 6, None)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (("points", 2), "'points': there is no place 2; must be from 0 to 1"),
        (("points", -1), "'points': there is no place -1"),
        (("turns", 1), "'turns': there is no place 1; must be from 0 to 0"),
        (("starter", 0), "'starter': not summed; summed are rows, "),
    ],
)
def test_a_number_that_is_not_summed_is_refused(number, said):
    sums = Sums(ROUNDS, [sums_of(rows_of([5, 9]), ROUNDS)])
    with pytest.raises(ValueError, match=said):
        sums.total(number)
    with pytest.raises(ValueError, match=said):
        sums.ratio(number, ("rows", 0))


def test_totals_whose_squares_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="total of 4,294,967,296 is too large"):
        sums_of(rows_of([2**31, 2**32]), ROUNDS)


def test_totals_that_are_large_stay_exact():
    sums = Sums(ROUNDS)
    for _ in range(40):
        sums.add(sums_of(rows_of([2**30 + 1, 3]), ROUNDS))
    ratio = sums.ratio(("turns", 0), ("rows", 0))
    mean = (2**30 + 4) / 2
    assert ratio.value == mean
    assert ratio.variance == pytest.approx((2**30 + 1 - mean) ** 2 / 80)
    assert sums.total(("turns", 0)) == 40 * (2**30 + 4)


def rows_of(turns):
    """Return rounds of two players, a deal each, that lasted so long; all else is 0."""
    names = [name for column in ROUND_COLUMNS for name in column.names(num_players=2)]
    columns = {name: np.zeros(len(turns), np.int64) for name in names}
    columns |= {"turns": np.array(turns), "deal": np.arange(len(turns))}
    return RowValues(columns, np.array([[0, 1], [1, 0]]), [[0], [1]])
