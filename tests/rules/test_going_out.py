"""The end of a round by going out (C5, C6)."""

import pytest

from tests.rules.positions import duo, legal, play, pocket
from uno_sim import Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"
RED = f"{PILE}discard: R9\n"


@pytest.mark.parametrize("card", ["R1", "G9", "RS", "RR"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c5_c6_an_empty_hand_ends_the_round(rules_game, card):
    game = play(rules_game(f"hands: {card} | B1 B2{RED}"), card)
    assert (game.phase, game.current_player) == (Phase.ROUND_OVER, None)
    assert game.round_winner == 0
    assert game.hands == [[], ["B1", "B2"]]
    assert legal(game) == set()
    assert game.legal_actions() == []
    assert (game.blocked, game.capped, game.winner) == (False, False, None)
    assert game.observation(1).events == [f"0 {card}"]


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c5_no_call_is_due_for_the_last_card(rules_game):
    game = play(rules_game(f"hands: R1 | B1 B2{RED}"), "R1")
    assert game.phase == Phase.ROUND_OVER


@pytest.mark.parametrize("color", "RYGB")
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c5_c6_a_wild_may_be_the_last_card(rules_game, color):
    game = play(rules_game(f"hands: W | B1 B2{RED}"), f"W:{color}")
    assert (game.phase, game.round_winner) == (Phase.ROUND_OVER, 0)
    assert game.hands[1] == ["B1", "B2"]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_c5_any_seat_may_go_out(seat):
    hands = ["B1 B2", "B3 B4", "B5 B6"]
    hands[seat] = "R1"
    game = play(pocket(f"hands: {' | '.join(hands)}{RED}to move: {seat}"), "R1")
    assert game.round_winner == seat


def test_c5_p5_a_last_reverse_turns_nobody():
    game = play(pocket(f"hands: RR | B1 B2 | B3 B4{RED}"), "RR")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands[1:] == [["B1", "B2"], ["B3", "B4"]]


def test_c5_d9_a_dump_of_the_whole_hand_ends_the_round():
    game = play(duo(f"hands: RR R1 RS | B1 B2{RED}"), "R>RS")
    assert (game.phase, game.round_winner) == (Phase.ROUND_OVER, 0)


def test_c5_d9_a_last_reverse_of_a_dump_opens_nothing():
    game = play(duo(f"hands: RR RR | R1 R2{RED}"), "R>RR")
    assert (game.phase, game.current_player) == (Phase.ROUND_OVER, None)


def test_c6_draw_two_last_makes_the_opponent_draw_unasked():
    game = play(duo(f"hands: RD | GD WD{RED}"), "RD")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands == [[], ["Y1", "Y2", "GD", "WD"]]
    assert (game.round_winner, game.pending) == (0, 0)


def test_c6_wild_draw_four_last_cannot_be_challenged():
    game = play(duo(f"hands: WD | B1 B2{RED}"), "WD:R")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands == [[], ["Y1", "Y2", "Y3", "Y4", "B1", "B2"]]


def test_c6_draw_one_last_in_pocket():
    game = play(pocket(f"hands: RD | B1 B2 | B3 B4{RED}"), "RD")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands == [[], ["Y1", "B1", "B2"], ["B3", "B4"]]


def test_c6_wild_draw_two_last_in_pocket():
    game = play(pocket(f"hands: WD | B1 B2 | B3 B4{RED}direction: right"), "WD:G")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands == [[], ["B1", "B2"], ["Y1", "Y2", "B3", "B4"]]


def test_c6_d8_a_volley_that_ends_the_round_draws_the_whole_total():
    game = play(duo(f"hands: RD R1 R2 BD | GD{RED}"), "RD", "GD")
    # Pending was two, the last card made it four, and the other may not answer with BD.
    assert game.phase == Phase.ROUND_OVER
    assert game.round_winner == 1
    assert game.hands == [["R1", "R2", "Y1", "Y2", "Y3", "Y4", "BD"], []]


def test_c6_d8_a_long_volley_that_ends_the_round():
    game = play(duo(f"hands: RD YD R2 R3 | GD BD{RED}"), "RD", "GD", "uno", "YD", "BD")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands == [["R2", "R3", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8"], []]


def test_c6_d9_a_dump_that_ends_in_draw_two_draws_two():
    game = play(duo(f"hands: RR RD RD | B1 B2{RED}"), "R>RD")
    assert game.phase == Phase.ROUND_OVER
    assert game.hands == [[], ["Y1", "Y2", "B1", "B2"]]


def test_c6_d9_a_draw_two_within_the_last_dump_draws_nothing():
    game = play(duo(f"hands: RR RD R1 | B1 B2{RED}"), "R>R1")
    assert game.hands == [[], ["B1", "B2"]]


def test_c6_c11_the_last_draw_takes_what_there_is():
    game = play(duo("hands: WD | B1 B2\ndiscard: R5 R9"), "WD:R")
    assert game.hands == [[], ["R5", "R9", "B1", "B2"]]
    assert (game.draw_pile, game.discard_pile) == ([], ["WD"])
    assert game.observation(1).events[-1].startswith("1 draws 2")


def test_c6_the_drawn_cards_are_scored():
    game = play(duo(f"hands: RD | B1 B2{RED}"), "RD")
    assert game.scores == [0, 1 + 2 + 1 + 2]


def test_c6_p9_the_drawn_cards_are_scored_for_who_went_out():
    game = play(pocket("hands: WD | B1 B2 | B3\ndraw: YD W Y1\ndiscard: R9"), "WD:R")
    assert game.scores == [1 + 2 + 3 + 20 + 50, 0, 0]


def test_c5_c3_d9_a_drawn_reverse_may_empty_the_hand():
    game = play(duo("hands: R1 R2 | B1 B2\ndraw: RR Y1\ndiscard: R9"), "draw", "R>R2")
    assert (game.phase, game.round_winner) == (Phase.ROUND_OVER, 0)
