"""The Wild Dip (P6)."""

import pytest

from tests.rules.positions import COLORS, cards, legal, play, pocket
from uno_sim import Phase

PILE = "\ndraw: Y1 Y2 Y3\ndiscard: R9\n"


@pytest.mark.parametrize("color", COLORS)
def test_p6_the_color_is_named_and_a_card_is_drawn(color):
    game = play(pocket(f"hands: WP R1 G2 | B1 B2 | B3 B4{PILE}"), f"WP:{color}")
    assert (game.phase, game.current_player, game.drawn_card) == (Phase.GIVE, 0, "Y1")
    assert (game.top_card, game.active_color) == ("WP", color)
    assert game.hands[0] == ["R1", "Y1", "G2"]
    assert game.draw_pile == ["Y2", "Y3"]
    assert game.turns == 1


def test_p6_any_card_of_the_hand_may_be_given():
    game = play(pocket(f"hands: WP R1 G2 G2 W WD | B1 B2 | B3 B4{PILE}"), "WP:G")
    assert legal(game) == {"give:R1", "give:Y1", "give:G2", "give:W", "give:WD"}


@pytest.mark.parametrize("gift", ["R1", "Y1", "G2", "W"])
def test_p6_the_next_player_gets_the_gift_and_moves(gift):
    game = play(pocket(f"hands: WP R1 G2 W | B1 B2 | B3 B4{PILE}"), "WP:G", f"give:{gift}")
    assert gift not in game.hands[0]
    assert gift in game.hands[1]
    assert [len(hand) for hand in game.hands] == [3, 3, 2]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 1, 2)
    assert (game.drawn_card, game.active_color, game.discard_pile) == (None, "G", ["R9", "WP"])


def test_p6_the_gift_goes_in_the_direction_of_play():
    game = pocket(f"hands: WP R1 G2 W | B1 B2 | B3 B4{PILE}direction: right")
    play(game, "WP:G", "give:R1")
    assert game.hands[2] == ["R1", "B3", "B4"]
    assert game.current_player == 2


def test_p6_with_two_players_the_other_gets_it_and_moves():
    game = play(pocket(f"hands: WP R1 G2 W | B1 B2{PILE}"), "WP:B", "give:G2")
    assert game.hands[1] == ["G2", "B1", "B2"]
    assert (game.phase, game.current_player) == (Phase.TURN, 1)
    assert legal(game) == {"B1", "B2", "draw"}


def test_p6_the_next_player_may_lay_the_gift():
    game = play(pocket(f"hands: WP R1 G2 W | B1 B2 | B3 B4{PILE}"), "WP:R", "give:R1")
    assert legal(game) == {"R1", "draw"}


def test_p6_with_one_copy_of_two_given_the_other_stays():
    game = play(pocket(f"hands: WP G2 G2 R1 | B1 B2{PILE}"), "WP:R", "give:G2")
    assert game.hands[0] == ["R1", "Y1", "G2"]


def test_p6_c11_the_pile_is_refilled_for_the_draw():
    game = play(pocket("hands: WP R1 G2 | B1 B2\ndiscard: R9"), "WP:R")
    assert (game.phase, game.drawn_card) == (Phase.GIVE, "R9")
    assert (game.draw_pile, game.discard_pile) == ([], ["WP"])


def test_p6_as_the_last_card_it_does_nothing():
    game = play(pocket(f"hands: WP | B1 B2 | B3 B4{PILE}"), "WP:G")
    assert (game.phase, game.round_winner) == (Phase.ROUND_OVER, 0)
    assert game.hands == [[], ["B1", "B2"], ["B3", "B4"]]
    assert game.draw_pile == cards("Y1 Y2 Y3")


def test_p6_a_drawn_dip_works_alike():
    game = pocket("hands: R1 G2 | B1 B2\ndraw: WP Y1 Y2\ndiscard: R9")
    play(game, "draw", "WP:G")
    assert (game.phase, game.drawn_card) == (Phase.GIVE, "Y1")
    assert legal(game) == {"give:R1", "give:Y1", "give:G2"}


def test_p6_a_dip_laid_with_one_card_left_gives_one_of_two():
    game = play(pocket(f"hands: WP R1 | B1 B2{PILE}"), "WP:G")
    assert legal(game) == {"give:R1", "give:Y1"}


def test_p6_it_is_no_draw_card():
    game = play(pocket(f"hands: WP R1 G2 W | B1 B2 | B3 B4{PILE}"), "WP:G", "give:Y1")
    assert game.hands[1] == ["Y1", "B1", "B2"]
    assert game.draw_pile == cards("Y2 Y3")
