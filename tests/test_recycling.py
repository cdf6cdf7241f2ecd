"""Shuffling: every order of the deck and of a recycled pile is equally likely (C11, D7, P8)."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from tests.chi_square import assert_shares, assert_uniform
from uno_sim import UNO_DUO, UNO_POCKET, Game, card_name, simulate
from uno_sim.cards import COLORS

TWENTY = "R1 R2 R3 R4 R5 R6 R7 R8 R9 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 W WD".split()
SHUFFLING = [UNO_POCKET, replace(UNO_DUO, recycle="shuffle")]


def after_recycling(rules, discards, seed) -> list[str]:
    """Draw one card from an empty pile; return the order in which the discards are drawn."""
    position = f"hands: B1 B2 | B3 B4\ndiscard: {' '.join(discards)} G9"
    game = Game.from_position(rules, position, seed=seed)
    game.step("draw")
    assert game.discard_pile == ["G9"]
    drawn = Counter(game.hands[0]) - Counter(["B1", "B2"])
    order = [*drawn.elements(), *game.draw_pile]
    assert sorted(order) == sorted(discards)
    return order


@pytest.mark.parametrize("rules", SHUFFLING, ids=["pocket", "duo"])
def test_p8_the_first_card_after_a_shuffled_recycling_is_uniform(rules):
    first = Counter(after_recycling(rules, TWENTY, seed)[0] for seed in range(3000))
    assert_uniform([first[card] for card in TWENTY])


def test_p8_the_last_card_after_a_shuffled_recycling_is_uniform():
    last = Counter(after_recycling(UNO_POCKET, TWENTY, seed)[-1] for seed in range(3000, 5000))
    assert_uniform([last[card] for card in TWENTY])


def test_p8_every_order_after_a_shuffled_recycling_is_equally_likely():
    cards = ["R1", "Y2", "W", "B5"]
    orders = Counter(tuple(after_recycling(UNO_POCKET, cards, seed)) for seed in range(6000))
    assert_uniform([orders[order] for order in permutations(cards)])


def test_p8_a_second_recycling_is_shuffled_anew():
    # Two cards are drawn and laid, then recycled again: both orders of both rounds, all alike.
    position = "hands: B1 B2 | B3 B4\ndiscard: G1 G2 G9"
    rules = replace(UNO_POCKET, uno_calls="automatic")
    met: Counter[tuple[str, str]] = Counter()
    for seed in range(4000):
        game = Game.from_position(rules, position, seed=seed)
        drawn = []
        for _ in range(2):
            game.step("draw")
            drawn.append(game.drawn_card)
            game.step(game.drawn_card)
            game.step("draw")
            game.step(game.drawn_card)
        met[drawn[0], drawn[1]] += 1
    # The second pile holds the old top and the card laid first, whichever that was.
    pairs = [(first, second) for first in ("G1", "G2") for second in (first, "G9")]
    assert_uniform([met[pair] for pair in pairs])


@pytest.mark.parametrize(
    "rules", [UNO_DUO, replace(UNO_POCKET, recycle="turn_over")], ids=["duo", "pocket"]
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_d7_a_pile_turned_over_keeps_its_order_the_oldest_first(rules, seed):
    assert after_recycling(rules, TWENTY, seed) == TWENTY
    assert after_recycling(rules, TWENTY[::-1], seed) == TWENTY[::-1]


def test_d7_a_pile_turned_over_takes_nothing_from_the_random_stream():
    position = "hands: B1 B2 | B3 B4\ndiscard: R1 R2 R3 G9"
    for rules, moves in ((UNO_DUO, False), (UNO_POCKET, True)):
        game = Game.from_position(rules, position, seed=4)
        before = int(game.state.random[0])
        game.step("draw")
        assert (int(game.state.random[0]) != before) == moves


def test_c11_a_recycled_wild_has_no_color():
    position = "hands: B1 B2 | B3 B4\ndiscard: W R2 G9\ncolor: G"
    game = Game.from_position(UNO_DUO, position)
    game.step("draw")
    assert game.drawn_card == "W"
    names = {f"W:{color}" for color in COLORS}
    assert {"W:G", "W:R"} < set(game.legal_names()) == names | {"pass"}


def test_c11_a_draw_in_the_middle_goes_on_with_the_recycled_pile():
    position = "hands: WD B2 B5 | B3 B4\ndraw: Y1\ndiscard: R1 R2 R3 G9"
    game = Game.from_position(UNO_DUO, position)
    game.step("WD:R")
    game.step("take")
    assert Counter(game.hands[1]) == Counter("B3 B4 Y1 R1 R2 R3".split())
    assert (game.draw_pile, game.discard_pile) == (["G9"], ["WD"])


def decks(rules, num_players, seeds):
    """Return the shuffled decks of many games, the top card first."""
    games = (Game(rules, num_players, seed=seed) for seed in seeds)
    return [[card_name(kind) for kind in game.record.rounds[0].deck] for game in games]


@pytest.mark.parametrize("place", [0, 1, 25, 50, 51])
def test_p2_each_place_of_the_shuffled_deck_is_uniform(place):
    found = Counter(deck[place] for deck in decks(UNO_POCKET, 2, range(5200)))
    groups = [sum(found[card] for card in found if card[0] == letter) for letter in "RYGBW"]
    assert_shares(groups, [12, 12, 12, 12, 4])
    wilds = [found[card] for card in ("W", "WD", "WP")]
    assert_shares(wilds, [2, 1, 1])


def test_d2_the_first_card_of_duo_is_uniform():
    cards = Counter(deck[0] for deck in decks(UNO_DUO, 2, range(5600)))
    symbols = "0123456789SRD"
    counts = [sum(cards[color + symbol] for color in COLORS) for symbol in symbols]
    assert_shares(counts, [4] + [8] * 12)
    assert_shares([sum(counts), cards["W"], cards["WD"]], [100, 8, 4])


SMALL = {"R1": 1, "Y2": 1, "G3": 1, "B4": 1, "W": 1, "R5": 1}


def test_p2_every_pair_of_places_is_uniform():
    rules = replace(UNO_POCKET, deck=SMALL, hand_size=2)
    small_decks = decks(rules, 2, range(6000))
    for one, other in ((0, 1), (0, 5), (2, 3), (4, 5), (1, 4)):
        pairs = Counter((deck[one], deck[other]) for deck in small_decks)
        assert_uniform([pairs[pair] for pair in permutations(SMALL, 2)])


def test_p2_every_round_of_a_game_is_shuffled_anew():
    rules = replace(UNO_POCKET, deck=SMALL, hand_size=2, max_turns=1, target=10_000)
    pairs: Counter[tuple[str, str]] = Counter()
    for seed in range(3000):
        game = Game(rules, seed=seed)
        while game.current_player is not None:
            game.step(game.legal_actions()[-1])
        game.next_round()
        one, other = (played.deck[0] for played in game.record.rounds)
        pairs[card_name(one), card_name(other)] += 1
    assert_uniform([pairs[one, other] for one in SMALL for other in SMALL])


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_d3_p3_the_first_seat_is_drawn_by_lot(num_players):
    by_seed = Counter(Game(UNO_POCKET, num_players, seed=seed).first for seed in range(4000))
    assert_uniform([by_seed[seat] for seat in range(num_players)])
    agents = ["greedy"] * num_players
    rows = simulate(UNO_POCKET, agents, rounds=4000, seed=2, paired=False).rounds
    assert_uniform([int((rows["first"] == seat).sum()) for seat in range(num_players)])
