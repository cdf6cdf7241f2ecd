"""The random numbers: the published generator, unbiased integers, independent streams."""

import re

import numpy as np
import pytest

from tests.chi_square import assert_uniform
from uno_sim import UNO_DUO, UNO_POCKET, Game, simulate
from uno_sim.random_stream import (
    AGENTS,
    DEALS,
    next_word,
    random_below,
    random_unit,
    seed_key,
    shuffle,
    split,
    split_key,
)

WORD = 2**64
STEP = 0x9E3779B97F4A7C15
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first words of SplitMix64 with the seed 1234567."""


def stream_of(state: int) -> np.ndarray:
    return np.array([state], np.uint64)


class PlainStream:
    """SplitMix64 and Lemire's method in plain integers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def word(self) -> int:
        self.state = (self.state + STEP) % WORD
        word = self.state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
        return word ^ word >> 31

    def below(self, bound: int) -> int:
        while True:
            product = (self.word() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32

    def shuffle(self, items: list[int]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def test_the_words_are_those_that_are_published():
    stream = stream_of(1234567)
    assert [int(next_word(stream)) for _ in PUBLISHED] == PUBLISHED
    assert int(stream[0]) == (1234567 + len(PUBLISHED) * STEP) % WORD


@pytest.mark.parametrize("state", [0, 1, 2**63, WORD - 1, WORD - STEP])
def test_the_words_follow_the_definition_from_any_state(state):
    stream, plain = stream_of(state), PlainStream(state)
    assert [int(next_word(stream)) for _ in range(200)] == [plain.word() for _ in range(200)]


BOUNDS = [1, 2, 3, 5, 7, 52, 55, 112, 185, 2**16, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1]


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounded_integers_follow_the_definition(bound):
    stream, plain = stream_of(bound), PlainStream(bound)
    drawn = [int(random_below(stream, bound)) for _ in range(500)]
    assert drawn == [plain.below(bound) for _ in range(500)]
    assert int(stream[0]) == plain.state
    assert 0 <= min(drawn) and max(drawn) < bound


@pytest.mark.parametrize("bound", [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 50])
def test_bounded_integers_reach_exactly_their_bounds(bound):
    stream = stream_of(99)
    drawn = {int(random_below(stream, bound)) for _ in range(40 * bound)}
    assert drawn == set(range(bound))


@pytest.mark.parametrize("bound", [2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 50])
def test_bounded_integers_are_uniform(bound):
    stream = stream_of(2024)
    drawn = [int(random_below(stream, bound)) for _ in range(400 * bound)]
    assert_uniform(np.bincount(drawn, minlength=bound).tolist())


def test_bounded_integers_are_unbiased_where_the_bound_is_large():
    # Without rejection one remainder of three would come up twice as often as each other one.
    stream = stream_of(5)
    drawn = [int(random_below(stream, 3 * 2**30)) for _ in range(3000)]
    assert_uniform(np.bincount([number % 3 for number in drawn]).tolist())


def test_units_are_53_bits_from_0_to_1():
    stream, plain = stream_of(3), PlainStream(3)
    drawn = [float(random_unit(stream)) for _ in range(5000)]
    assert drawn == [(plain.word() >> 11) / 2**53 for _ in range(5000)]
    assert 0 <= min(drawn) and max(drawn) < 1
    assert_uniform(np.bincount([int(20 * unit) for unit in drawn]).tolist())


@pytest.mark.parametrize("count", [0, 1, 2, 3, 52, 112])
def test_a_shuffle_follows_the_definition_and_leaves_the_rest(count):
    items = np.arange(120, dtype=np.int8)
    stream, plain = stream_of(count), PlainStream(count)
    shuffle(stream, items, count)
    expected = list(range(count))
    plain.shuffle(expected)
    assert items.tolist() == expected + list(range(count, 120))
    assert int(stream[0]) == plain.state


def test_split_keys_do_not_repeat():
    keys = {int(split(np.uint64(key), index)) for key in range(100) for index in range(100)}
    assert len(keys) == 10_000
    again = {int(split(np.uint64(key), 3)) for key in keys}
    assert len(again | keys) == 20_000


def test_streams_of_neighbors_are_independent():
    # Pairs of the first numbers of two neighbors: of branches, of keys, and of parent and child.
    for left, right in (
        (lambda i: split(np.uint64(7), i), lambda i: split(np.uint64(7), i + 1)),
        (lambda i: split(np.uint64(i), 0), lambda i: split(np.uint64(i + 1), 0)),
        (lambda i: np.uint64(i), lambda i: split(np.uint64(i), 0)),
        (lambda i: split(np.uint64(i), 1), lambda i: split(np.uint64(split(np.uint64(i), 1)), 1)),
    ):
        pairs = [
            4 * int(random_below(stream_of(left(i)), 4)) + int(random_below(stream_of(right(i)), 4))
            for i in range(4000)
        ]
        assert_uniform(np.bincount(pairs, minlength=16).tolist())


def test_streams_of_neighbors_do_not_overlap():
    starts = {int(split(np.uint64(11), index)) for index in range(50)}
    reached = set()
    for start in starts:
        states = {(start + step * STEP) % WORD for step in range(1, 2001)}
        assert not states & starts and not states & reached
        reached |= states


def test_a_key_depends_on_seed_deal_and_role():
    keys = {
        int(seed_key(seed, deal, role))
        for seed in (0, 1, 2, 2**63, WORD - 1)
        for deal in (0, 1, 2, 10**6)
        for role in (DEALS, AGENTS)
    }
    assert len(keys) == 40


def test_the_key_from_python_is_the_compiled_one():
    for seed, deal, role in ((0, 0, DEALS), (WORD - 1, 5, AGENTS), (12, 999, DEALS)):
        assert seed_key(seed, deal, role) == split_key(np.uint64(seed), deal, role)
        assert seed_key(np.uint64(seed), deal, role) == seed_key(seed, deal, role)


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, WORD - 1, np.uint64(WORD - 1), np.int8(3)])
def test_every_seed_of_64_bits_works(seed):
    assert Game(UNO_DUO, seed=seed).state.tobytes() == Game(UNO_DUO, seed=int(seed)).state.tobytes()
    rows = simulate(UNO_POCKET, ["greedy", "random"], rounds=2, seed=seed).rounds
    assert rows.equals(simulate(UNO_POCKET, ["greedy", "random"], rounds=2, seed=int(seed)).rounds)


@pytest.mark.parametrize(
    "seed",
    [-1, WORD, 0.0, 1.5, True, False, np.bool_(True), None, "1", np.float64(2), np.int64(-1)],
    ids=repr,
)
def test_other_seeds_are_refused(seed):
    message = re.escape(f"seed={seed!r}: must be an integer from 0 to 2**64 - 1")
    deck = ["R1"] * 30
    position = "hands: R1 | R2\ndiscard: R3"
    for attempt in (
        lambda: seed_key(seed, 0, DEALS),
        lambda: Game(UNO_DUO, seed=seed),
        lambda: Game.from_deck(UNO_DUO, deck, seed=seed),
        lambda: Game.from_position(UNO_DUO, position, seed=seed),
        lambda: simulate(UNO_DUO, ["random", "random"], rounds=2, seed=seed),
    ):
        with pytest.raises(ValueError, match=message):
            attempt()
