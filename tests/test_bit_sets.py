"""Sets as words: the n-th number, by one instruction or by steps."""

import numpy as np
import pytest

from uno_sim.bit_sets import nth, nth_by_steps, size

WORDS = [1, 1 << 63, (1 << 64) - 1, *map(int, np.random.default_rng(5).integers(1, 1 << 63, 50))]


@pytest.mark.parametrize("function", [nth, nth_by_steps])
@pytest.mark.parametrize("word", WORDS)
def test_the_nth_number_of_a_set_has_n_lower_ones(function, word):
    numbers = [number for number in range(64) if word >> number & 1]
    assert size(np.uint64(word)) == len(numbers)
    assert [function(np.uint64(word), index) for index in range(len(numbers))] == numbers
