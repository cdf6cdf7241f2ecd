"""Bins of whole numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.bins import MOST_BINS, even_bins, growing_bins


@given(
    start=st.integers(0, 1),
    span=st.integers(0, 5000),
    more=st.integers(0, 5000),
    most=st.floats(1, 100),
)
def test_even_bins_hold_every_number_once(start: int, span: int, more: int, most: float) -> None:
    top, largest = start + span, start + span + more
    bins = even_bins(start, top, largest, most)
    numbers = np.arange(start, largest + 1)
    ranges = bins.ranges()
    for number, place in zip(numbers, bins.places(numbers), strict=True):
        assert ranges[place][0] <= number <= ranges[place][1]
    shown = [place for place in range(len(ranges)) if not bins.is_beyond(place)]
    assert len(shown) <= min(most, MOST_BINS) + 1
    assert len({ranges[place][1] - ranges[place][0] for place in shown}) == 1


@pytest.mark.parametrize("largest", [1, 2, 7, 100, 5087])
def test_growing_bins_hold_every_number_once(largest: int) -> None:
    bins = growing_bins(largest)
    numbers = np.arange(1, largest + 1)
    ranges = bins.ranges()
    for number, place in zip(numbers, bins.places(numbers), strict=True):
        assert ranges[place][0] <= number <= ranges[place][1]
    widths = [upper - lower for lower, upper in ranges[:-1]]
    assert widths == sorted(widths)


def test_a_bin_begins_at_the_edge_that_is_asked_for() -> None:
    starts = [lower for lower, _ in even_bins(0, 380, 420, 30, edge=250).ranges()]
    assert 250 in starts
    # The narrowest width would be 20, which does not.
    assert 240 in [lower for lower, _ in even_bins(0, 380, 420, 30).ranges()]


def test_what_is_beyond_is_gathered_in_one_bin() -> None:
    bins = even_bins(1, 100, 1000, 20)
    assert bins.ranges()[-1] == (101, 1000)
    assert bins.is_beyond(len(bins.ranges()) - 1)
    assert not bins.is_beyond(len(bins.ranges()) - 2)
