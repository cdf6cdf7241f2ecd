"""Who knows which card (C10, D4, D5, D7, P6, P8).

Each test plays two games alike that differ in one place. Whoever cannot know of the difference has
the same observation in both, byte for byte; whoever knows of it has different ones.
"""

import pytest

from tests.rules.positions import COLORS, cards, duo, play, pocket
from uno_sim import UNO_DUO, Game, Phase


def same_view(one: Game, other: Game, player: int) -> bool:
    """Return whether a player observes the same in both games."""
    views = [game.observation(player).record.tobytes() for game in (one, other)]
    return views[0] == views[1]


def who_knows(one: Game, other: Game) -> set[int]:
    """Return the seats that can tell the two games apart."""
    seats = range(len(one.hands))
    return {seat for seat in seats if not same_view(one, other, seat)}


def bluffs(hand: str, other_hand: str, *actions: str) -> tuple[Game, Game]:
    """Lay a wild draw from two hands that differ in one card; then take the actions.

    The card that one hand has and the other lacks lies far down in the draw pile.
    """
    (extra,) = set(other_hand.split()) - set(hand.split())
    (missing,) = set(hand.split()) - set(other_hand.split())
    games = []
    for held, buried in ((hand, extra), (other_hand, missing)):
        text = f"""
        hands: WD {held} | B1 B2 | B3 B4 B5
        draw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 {buried} B7
        discard: R9
        """
        games.append(play(pocket(text), "WD:B", *actions))
    return games[0], games[1]


def test_c10_before_a_challenge_only_the_offender_knows_the_hand():
    assert who_knows(*bluffs("G1 G2 G3", "G1 G2 G4")) == {0}


def test_c10_without_a_challenge_the_hand_stays_hidden():
    assert who_knows(*bluffs("G1 G2 G3", "G1 G2 G4", "take")) == {0}


def test_c10_a_failed_challenge_shows_the_hand_to_the_challenger_alone():
    assert who_knows(*bluffs("G1 G2 G3", "G1 G2 G4", "challenge")) == {0, 1}


def test_c10_a_won_challenge_shows_the_hand_to_the_challenger_alone():
    assert who_knows(*bluffs("R1 G2 G3", "R1 G2 G4", "challenge")) == {0, 1}


def test_c10_the_challenger_does_not_forget_at_the_next_turn():
    assert who_knows(*bluffs("G1 G2 G3", "G1 G2 G4", "challenge", "draw")) == {0, 1}


def test_c10_the_hand_is_shown_before_the_penalty_is_drawn():
    text = "hands: WD R1 G2 | B1 B2 | B3 B4\ndraw: {} Y2 Y3 Y4 {} Y6\ndiscard: R9"
    one = play(pocket(text.format("Y1", "Y5")), "WD:B", "challenge")
    other = play(pocket(text.format("Y5", "Y1")), "WD:B", "challenge")
    assert len(one.hands[0]) == 4
    assert who_knows(one, other) == {0}


def test_c10_c8_a_bluff_nobody_challenges_is_not_told_from_an_honest_wild_draw():
    # R1 is playable on R9, G1 is not.
    one, other = bluffs("R1 G2 G3", "G1 G2 G3", "take")
    assert who_knows(one, other) == {0}


def draft(swap: tuple[int, int] = (0, 0), choices: tuple[str, ...] = ()) -> Game:
    """Draft from a deck in which two cards may have changed places."""
    deck = [color + symbol for color in COLORS for symbol in "123456789SRD"]
    one, other = swap
    deck[one], deck[other] = deck[other], deck[one]
    return play(Game.from_deck(UNO_DUO, deck, first=0), *choices)


def who_knows_in_draft(swap: tuple[int, int], *choices: str) -> set[int]:
    """Return the seats that notice, after the choices, that two cards changed places."""
    return who_knows(draft(choices=choices), draft(swap, choices))


def test_d4_the_offered_card_is_seen_by_the_drafter_alone():
    assert who_knows_in_draft((0, 40)) == {0}
    assert who_knows_in_draft((2, 40), "keep") == {1}


def test_d4_the_card_below_the_offered_one_is_seen_by_nobody():
    assert who_knows_in_draft((1, 40)) == set()


def test_d4_a_kept_card_is_seen_by_its_owner_alone():
    assert who_knows_in_draft((0, 40), "keep") == {0}
    assert who_knows_in_draft((0, 40), "keep", "keep", "reject") == {0}


def test_d4_the_card_kept_after_a_rejection_is_seen_by_its_owner_alone():
    assert who_knows_in_draft((1, 40), "reject") == {0}


@pytest.mark.parametrize(("place", "choice"), [(1, "keep"), (0, "reject")])
def test_d4_every_discard_is_public(place, choice):
    assert who_knows_in_draft((place, 40), choice) == {0, 1}


@pytest.mark.parametrize("later", [0, 1, 6])
def test_d4_every_choice_is_public(later):
    # Both ways seat 0 holds R1 and R2 is discarded; only the choice differs.
    one = draft(choices=("keep", *["keep"] * later))
    other = draft((0, 1), ("reject", *["keep"] * later))
    assert one.hands == other.hands
    assert one.discard_pile == other.discard_pile
    assert one.draw_pile == other.draw_pile
    assert who_knows(one, other) == {0, 1}


def test_d4_a_whole_draft_hides_the_hand():
    assert who_knows_in_draft((0, 40), *["keep"] * 14) == {0}
    assert who_knows_in_draft((2, 40), *["keep"] * 14) == {1}


@pytest.mark.parametrize("pick", [0, 6, 13])
def test_d5_both_players_can_know_the_14_discards(pick):
    assert who_knows_in_draft((2 * pick + 1, 40), *["keep"] * 14) == {0, 1}


def test_d5_both_players_can_know_the_order_of_the_14_discards():
    assert who_knows_in_draft((1, 5), *["keep"] * 14) == {0, 1}


def test_d5_nobody_knows_the_other_cards_of_the_pile():
    # Place 28 is the start card; 29 and 40 lie face down.
    assert who_knows_in_draft((29, 40), *["keep"] * 14) == set()


@pytest.mark.parametrize("draws", [1, 2, 3, 4])
def test_d7_the_order_of_the_turned_over_discards_is_known(draws):
    one = duo("hands: R1 R2 | B1 B2\ndiscard: G1 G2 G3 G4 G5 G6 R9")
    other = duo("hands: R1 R2 | B1 B2\ndiscard: G2 G1 G3 G4 G5 G6 R9")
    assert who_knows(play(one, *["draw"] * draws), play(other, *["draw"] * draws)) == {0, 1}


def test_p8_the_order_of_shuffled_discards_is_not_known():
    text = "hands: R1 R2 | B1 B2 | B3 B4\ndiscard: G1 G2 G3 G4 G5 G6 G7 G8 R9"
    one, other = play(pocket(text, seed=1), "draw"), play(pocket(text, seed=2), "draw")
    assert one.draw_pile != other.draw_pile
    assert one.hands[0] != other.hands[0]
    assert who_knows(one, other) == {0}


def dips(hand: str, gift: str, other_hand: str, other_gift: str) -> tuple[Game, Game]:
    """Lay a dip and give, from two hands; the cards of the other hand lie in the draw pile."""
    games = []
    for held, unheld, given in ((hand, other_hand, gift), (other_hand, hand, other_gift)):
        buried = sorted(set(unheld.split()) - set(held.split()))
        text = f"""
        hands: WP {held} | B1 B2 | B3 B4 B5
        draw: Y1 Y2 Y3 Y4 {" ".join(buried)} Y5
        discard: R9
        """
        games.append(play(pocket(text), "WP:G", f"give:{given}"))
    return games[0], games[1]


def test_p6_the_gift_is_unseen_by_the_others():
    assert who_knows(*dips("R1 R2 R3", "R1", "R1 R2 R3", "R2")) == {0, 1}


def test_p6_giver_and_receiver_know_the_gift():
    # Afterwards seat 0 holds R1, R3 and Y1 in both games.
    one, other = dips("R1 R2 R3", "R2", "R1 R4 R3", "R4")
    assert one.hands[0] == other.hands[0] == cards("R1 R3 Y1")
    assert who_knows(one, other) == {0, 1}


def test_p6_the_hand_of_the_giver_stays_hidden():
    assert who_knows(*dips("R1 R2 R3", "R1", "R1 R2 R4", "R1")) == {0}


def test_p6_the_drawn_card_is_seen_by_the_giver_alone():
    text = "hands: WP R1 R2 | B1 B2 | B3 B4\ndraw: {} Y2 Y3 {} Y5\ndiscard: R9"
    one = play(pocket(text.format("Y1", "Y4")), "WP:G")
    other = play(pocket(text.format("Y4", "Y1")), "WP:G")
    assert one.phase == Phase.GIVE
    assert who_knows(one, other) == {0}


@pytest.mark.parametrize("drawn", ["R3", "B7"])
def test_c3_a_drawn_card_is_seen_by_its_player_alone(drawn):
    text = "hands: R1 R2 | B1 B2 | G1 G2\ndraw: {} Y2 Y3 {} Y5\ndiscard: R9"
    other_card = "R4" if drawn == "R3" else "B8"
    one = play(pocket(text.format(drawn, other_card)), "draw")
    other = play(pocket(text.format(other_card, drawn)), "draw")
    assert who_knows(one, other) == {0}


def test_p6_a_drawn_card_that_is_given_leaves_the_equal_one_known():
    # The challenge shows R5; seat 0 dips another R5, and only the drawn card may be given.
    hands = "hands: WD R5 WP G1 | B1 B2 B3\ndraw: Y1 Y2 Y3 R5 Y6\ndiscard: G9"
    game = play(pocket(hands, dip_gives="drawn"), "WD:R", "challenge", "draw", "WP:R", "give:R5")
    assert game.observation(1).known_hands[0] == ["R5", "G1"]
