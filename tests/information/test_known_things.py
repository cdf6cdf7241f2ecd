"""What a player can know is in the observation, and in the features where they are said to hold it.

Two games differ in one thing that the observer knows: both the observation and, where it is listed
here, a block of the features must differ. Who does not know it, sees no difference.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.information.walks import view
from tests.rules.positions import COLORS, duo, play, pocket
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase
from uno_sim.features import BLOCKS, STARTS, encode

ONE_OF_EACH = {color + symbol: 1 for color in COLORS for symbol in "123456789SRD"}


def differing_blocks(one: Game, other: Game, player: int) -> set[str]:
    """Return the blocks of features that differ for a player."""
    features = [encode(game.observation(player)) for game in (one, other)]
    return {
        block.name
        for block in BLOCKS
        if (
            features[0][STARTS[block.name] :][: block.size]
            != features[1][STARTS[block.name] :][: block.size]
        ).any()
    }


def who_knows(one: Game, other: Game) -> set[int]:
    """Return the seats whose observations differ; their features must differ with them."""
    seats = range(one.num_players)
    different = {seat for seat in seats if view(one, seat)[0] != view(other, seat)[0]}
    for seat in set(seats) - different:
        assert view(one, seat) == view(other, seat)
    return different


def drafted(deck: list[str], *later: str) -> Game:
    """Draft with every card kept: cards at odd places are discarded; then take some actions."""
    return play(Game.from_deck(UNO_DUO, deck, first=0), *["keep"] * 14, *later)


DRAFT_DECK = [*(f"{color}{symbol}" for color in "RYGB" for symbol in "12345678"), "R9", "B9"]
# Kept and discarded in turn; R5 R6 R7 R8 ... lie in the deck in this order.


@pytest.mark.parametrize("pick", range(14))
def test_each_draft_discard_under_the_pile_is_known_to_both(pick):
    deck = list(DRAFT_DECK)
    # Place 33 stays the last card of the hidden part of the pile, never seen.
    deck[2 * pick + 1], deck[33] = deck[33], deck[2 * pick + 1]
    one, other = drafted(list(DRAFT_DECK)), drafted(deck)
    assert who_knows(one, other) == {0, 1}
    for seat in (0, 1):
        assert "unseen" in differing_blocks(one, other, seat)
    height = one.state.known_size - 1 - pick
    assert one.state.draw_pile[height] != other.state.draw_pile[height]


@pytest.mark.parametrize("pick", range(13))
def test_the_order_of_the_draft_discards_is_known_to_both(pick):
    deck = list(DRAFT_DECK)
    one, other = 2 * pick + 1, 2 * pick + 3
    deck[one], deck[other] = deck[other], deck[one]
    games = drafted(list(DRAFT_DECK)), drafted(deck)
    assert who_knows(*games) == {0, 1}
    # Five cards lie above the block, so that none of it is among the next four.
    assert differing_blocks(*games, 0) == {"known_pile"}


def test_the_features_hold_the_order_of_the_next_four_cards():
    hands = "hands: R1 R2 RS | B1 B2 B3\ndiscard: {} R9"
    for place in range(6):
        cards = "G1 G2 G3 G4 G5 G6 G7".split()
        one = play(duo(hands.format(" ".join(cards))), "draw")
        cards[place], cards[place + 1] = cards[place + 1], cards[place]
        other = play(duo(hands.format(" ".join(cards))), "draw")
        assert who_knows(one, other) == {0, 1}
        # G1 has been drawn, G2 to G5 are next.
        blocks = differing_blocks(one, other, 1)
        assert ("next_cards" in blocks) == (place <= 4)
        assert ("known_hands" in blocks) == (place == 0)


@pytest.mark.parametrize("place", range(8))
def test_each_turned_over_card_of_the_pile_is_known_to_all(place):
    text = "hands: R1 R2 | B1 B2 | B3 B4\ndiscard: {} R9"
    games = []
    for swap in (False, True):
        cards = "G1 G2 G3 G4 G5 G6 G7 G8".split()
        if swap:
            cards[place] = "Y1"
        games.append(play(pocket(text.format(" ".join(cards)), recycle="turn_over"), "draw"))
    one, other = games
    assert who_knows(one, other) == {0, 1, 2}
    for seat in (1, 2):
        # The first one is in seat 0's hand, the next four come first.
        block = "known_hands" if place == 0 else "next_cards" if place <= 4 else None
        assert block is None or block in differing_blocks(one, other, seat)


def test_a_card_drawn_from_a_known_place_is_known_until_it_is_laid():
    text = "hands: R1 R2 | B1 B2 | B3 B4\ndiscard: {} R9"
    one = play(pocket(text.format("G1 Y3 Y4 Y5 Y6"), recycle="turn_over"), "draw", "draw")
    assert one.observation(1).known_hands[0] == ["G1"] and one.observation(2).known_hands[1] == [
        "Y3"
    ]
    play(one, "draw", "R1")
    assert one.observation(1).known_hands[0] == ["G1"]
    one = pocket(text.format("R5 Y3 Y4 Y5 Y6"), recycle="turn_over")
    play(one, "draw")
    assert one.observation(1).known_hands[0] == ["R5"]
    play(one, "R5")
    assert one.observation(1).known_hands[0] == []


def test_a_card_just_drawn_is_laid_and_not_the_known_equal_one():
    # Seat 1 has been shown R5 and G1. Seat 0 then draws another R5.
    text = "hands: WD R5 G1 | B1 B2\ndraw: Y1 Y2 Y3 Y4 Y5 R5 Y6\ndiscard: R9"
    game = play(duo(text), "WD:R", "challenge", "draw")
    assert game.observation(1).known_hands[0] == ["R5", "G1"]
    laid = play(game.clone(), "R5")
    assert laid.observation(1).known_hands[0] == ["G1"]
    drawn = play(game, "draw", "R5")
    assert drawn.observation(1).known_hands[0] == ["R5", "G1"]
    assert drawn.observation(1).events[-1] == "0 R5 (just drawn)"


BLUFF = """
hands: WD {} | B1 B2 B3 | B4 B5 B6
draw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 {} B7
discard: R9
"""


@pytest.mark.parametrize("place", range(3))
def test_each_card_of_a_hand_shown_by_a_challenge_is_known(place):
    for options, observers in ({}, {0, 1}), ({"max_players": 2}, {0, 1}):
        games = []
        for swapped in (False, True):
            hand = ["G1", "G2", "G3"]
            buried = "G4"
            if swapped:
                hand[place], buried = buried, hand[place]
            text = BLUFF.format(" ".join(hand), buried)
            if options:
                text = text.replace(" | B4 B5 B6", "")
            games.append(play(pocket(text, **options), "WD:B", "challenge"))
        assert who_knows(*games) == observers
        assert differing_blocks(*games, 1) == {"known_hands", "unseen"}
        # It is remembered until the card is laid.
        later = [play(game.clone(), "draw") for game in games]
        assert who_knows(*later) == observers


def test_of_equal_cards_the_known_one_goes_first():
    game = play(pocket(BLUFF.format("B9 B9 G3", "G4")), "WD:B", "challenge")
    assert game.observation(1).known_hands[0] == ["G3", "B9", "B9"]
    while game.current_player != 0:
        play(game, "draw")
        if game.phase == Phase.DRAWN:
            play(game, "pass")
    play(game, "B9")
    assert game.observation(1).known_hands[0] == ["G3", "B9"]


@pytest.mark.parametrize("num_players", [2, 3])
def test_a_gift_is_known_to_giver_and_receiver(num_players):
    others = " | B3 B4 B5" if num_players == 3 else ""
    games = []
    for gift, buried in (("R2", "R4"), ("R4", "R2")):
        text = f"hands: WP R1 {gift} R3 | B1 B2{others}\ndraw: Y1 Y2 {buried} Y5\ndiscard: R9"
        games.append(play(pocket(text), "WP:G", f"give:{gift}"))
    one, other = games
    assert who_knows(one, other) == {0, 1}
    assert differing_blocks(one, other, 0) == {"known_hands", "unseen"}
    assert {"hand", "unseen"} <= differing_blocks(one, other, 1)
    assert one.observation(0).known_hands[1] == ["R2"]
    if num_players == 3:
        assert one.observation(2).known_hands[1] == []


def test_the_own_offered_and_drawn_card_are_known():
    deck = list(DRAFT_DECK)
    one = Game.from_deck(UNO_DUO, deck, first=0)
    deck[0], deck[33] = deck[33], deck[0]
    other = Game.from_deck(UNO_DUO, deck, first=0)
    assert who_knows(one, other) == {0}
    assert differing_blocks(one, other, 0) == {"own_card", "unseen"}
    text = "hands: B1 B2 | G1 G2\ndraw: {} Y2 {} Y5\ndiscard: R9"
    one, other = (play(duo(text.format(*pair)), "draw") for pair in (("R3", "R4"), ("R4", "R3")))
    assert who_knows(one, other) == {0}
    assert {"own_card", "hand", "unseen", "legal"} == differing_blocks(one, other, 0)


def test_the_last_actions_are_known_to_all():
    text = "hands: R1 R2 Y3 | B1 B2 B3 | G1 G2 G3\ndraw: Y1 Y2 Y4\ndiscard: R9"
    one, other = play(pocket(text), "draw"), play(pocket(text), "R1")
    assert who_knows(one, other) == {0, 1, 2}
    for seat in range(3):
        assert {"events", "hand_sizes", "table"} <= differing_blocks(one, other, seat)


def test_who_drew_on_which_color_is_known():
    text = "hands: R1 R2 Y3 | B1 B2 B3 | G1 G2 G3\ndraw: Y1 Y2 Y4\ndiscard: R9\ncolor: R"
    one = play(pocket(text), "draw")
    other = play(pocket(text.replace("R9", "G9").replace("color: R", "color: G")), "draw")
    assert "drew_on" in differing_blocks(one, other, 1)


def test_a_rule_set_is_known():
    one = Game(replace(UNO_POCKET, target=300), 2, seed=1)
    other = Game(UNO_POCKET, 2, seed=1)
    assert np.array_equal(one.observation(0).hand, other.observation(0).hand)
    assert differing_blocks(one, other, 0) == {"game"}
