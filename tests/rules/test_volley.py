"""Draw Two and the volley (D8)."""

import pytest

from tests.rules.positions import COLORS, duo, legal, play, pocket
from uno_sim import IllegalActionError, Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9\ndiscard: R9\n"


def test_d8_the_victim_is_asked():
    game = play(duo(f"hands: RD R1 R2 | GD B1 B2{PILE}"), "RD")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 1, 2)
    assert legal(game) == {"GD", "take"}
    assert game.hands[1] == ["GD", "B1", "B2"]


@pytest.mark.parametrize("color", COLORS)
def test_d8_a_draw_two_of_any_color_answers(color):
    game = play(duo(f"hands: RD R1 R2 | {color}D B1 B2{PILE}"), "RD", f"{color}D")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 0, 4)
    assert (game.top_card, game.active_color) == (f"{color}D", color)
    assert legal(game) == {"take"}


def test_d8_every_draw_two_held_is_an_answer():
    game = play(duo(f"hands: RD R1 R2 | RD YD GD BD{PILE}"), "RD")
    assert legal(game) == {"RD", "YD", "GD", "BD", "take"}


def test_d8_nothing_else_may_be_laid():
    game = play(duo(f"hands: RD R1 R2 | R1 RS RR R5 W WD{PILE}"), "RD")
    assert legal(game) == {"take"}


def test_d8_c7_a_wild_draw_four_is_no_answer():
    game = play(duo(f"hands: RD R1 R2 | WD GD B2{PILE}"), "RD")
    assert legal(game) == {"GD", "take"}
    with pytest.raises(IllegalActionError):
        game.step("WD:R")


def test_d8_there_is_nothing_to_challenge_in_a_volley():
    game = play(duo(f"hands: RD R1 R2 | GD B1 B2{PILE}"), "RD")
    with pytest.raises(IllegalActionError):
        game.step("challenge")


def test_d8_who_does_not_answer_draws_all_and_loses_the_turn():
    game = play(duo(f"hands: RD R1 R2 | GD B1 B2{PILE}"), "RD", "GD", "take")
    assert game.hands == [["R1", "R2", "Y1", "Y2", "Y3", "Y4"], ["B1", "B2"]]
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, 1, 0)
    assert game.active_color == "G"


def test_d8_who_will_not_answer_may_take():
    game = play(duo(f"hands: RD R1 R2 | GD B1 B2{PILE}"), "RD", "take")
    assert game.hands[1] == ["Y1", "Y2", "GD", "B1", "B2"]
    assert (game.phase, game.current_player) == (Phase.TURN, 0)


@pytest.mark.parametrize("answers", range(5))
def test_d8_every_answer_adds_two(answers):
    hands = "RD YD GD BD R1 R2 | RD YD GD BD B1 B2"
    game = play(duo(f"hands: {hands}\ndraw: {'Y1 ' * 12}\ndiscard: R9"), "RD")
    laid = ["YD", "YD", "GD", "BD"]
    for answer in range(answers):
        assert (game.current_player, game.pending) == ((answer + 1) % 2, 2 * answer + 2)
        play(game, laid[answer])
    pending = 2 * answers + 2
    loser = (answers + 1) % 2
    before = len(game.hands[loser])
    assert (game.phase, game.pending) == (Phase.VOLLEY, pending)
    play(game, "take")
    assert len(game.hands[loser]) == before + pending
    assert (game.current_player, game.phase) == (1 - loser, Phase.TURN)


def test_d8_a_volley_is_one_turn():
    game = duo(f"hands: RD R1 R2 | GD B1 B2{PILE}turns: 5")
    play(game, "RD", "GD")
    assert game.turns == 5
    play(game, "take")
    assert game.turns == 6


def test_d8_draw_two_matches_a_draw_two_on_a_later_turn():
    game = play(duo(f"hands: RD R1 BD | G1 B1 B2{PILE}"), "RD", "take")
    assert legal(game) == {"R1", "BD", "draw"}


def test_d8_a_drawn_draw_two_opens_a_volley():
    game = duo("hands: R1 R2 | GD B1 B2\ndraw: RD Y1 Y2 Y3 Y4\ndiscard: R9")
    play(game, "draw", "RD")
    assert (game.phase, game.pending) == (Phase.VOLLEY, 2)


def test_d8_c11_a_volley_with_too_few_cards_draws_what_there_is():
    game = duo("hands: RD R1 R2 | GD B1 B2\ndraw: Y1\ndiscard: R9")
    play(game, "RD", "GD", "take")
    # Y1, then R9 and RD turned over; the fourth is forgiven.
    assert game.hands[0] == ["R1", "R2", "R9", "RD", "Y1"]
    assert (game.draw_pile, game.discard_pile) == ([], ["GD"])
    assert game.current_player == 1


def test_d8_with_three_players_the_next_in_the_direction_answers():
    game = pocket(f"hands: RD R1 R2 | GD B1 B2 | BD G1 G2{PILE}", stack_draws=True)
    play(game, "RD")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 1, 1)
    play(game, "GD")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 2, 2)
    play(game, "take")
    assert game.hands[2] == ["Y1", "Y2", "G1", "G2", "BD"]
    assert (game.phase, game.current_player) == (Phase.TURN, 0)
