"""Bins of whole numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.bins import Bins, even_bins, growing_bins
from uno_sim.simulation.ranges import MOST_BINS, range_places


def check_every_number_once(bins: Bins, start: int, largest: int) -> None:
    """Check that the bins follow one upon the other, from the start to at least the largest."""
    ranges = bins.ranges()
    numbers = [number for lower, upper in ranges for number in range(lower, upper + 1)]
    assert numbers == list(range(start, ranges[-1][1] + 1))
    assert numbers[-1] >= largest


def check_is_counted(bins: Bins, start: int) -> None:
    """Check that the hits of every bin are among those that are counted by deal."""
    for place, (lower, upper) in enumerate(bins.ranges()):
        assert (lower, None if bins.is_beyond(place) else upper) in range_places(start)


@given(
    start=st.integers(0, 1),
    span=st.integers(0, 5000),
    more=st.integers(0, 5000),
    most=st.floats(1, 100),
    edge=st.none() | st.integers(1, 600),
)
def test_even_bins_hold_every_number_once(
    start: int, span: int, more: int, most: float, edge: int | None
) -> None:
    top, largest = start + span, start + span + more
    bins = even_bins(start, top, largest, most, edge)
    check_every_number_once(bins, start, largest)
    check_is_counted(bins, start)
    ranges = bins.ranges()
    shown = [place for place in range(len(ranges)) if not bins.is_beyond(place)]
    assert len(shown) <= min(most, MOST_BINS) + 1
    assert len({ranges[place][1] - ranges[place][0] for place in shown}) == 1


@pytest.mark.parametrize("largest", [1, 2, 3, 4, 7, 8, 100, 5087])
def test_growing_bins_hold_every_number_once(largest: int) -> None:
    bins = growing_bins(largest)
    check_every_number_once(bins, 1, largest)
    check_is_counted(bins, 1)
    widths = [upper - lower for lower, upper in bins.ranges()]
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
