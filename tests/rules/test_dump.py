"""Reverse in Duo: alone, the owed dump and the open dump (D9, D9a)."""

import pytest

from tests.rules.positions import COLORS, cards, dumps, duo, legal, play, pocket
from uno_sim import IllegalActionError, Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6\n"
OPEN = f"{PILE}discard: RR\nopen reverse: yes\n"
CLOSED = f"{PILE}discard: RR\n"
RED = f"{PILE}discard: R9\n"


@pytest.mark.parametrize("color", COLORS)
def test_d9_a_reverse_alone_is_plain(color):
    game = duo(f"hands: {color}R {color}1 G2 | B1 B2{PILE}discard: {color}9")
    play(game, f"{color}R")
    assert (game.phase, game.current_player, game.direction) == (Phase.TURN, 1, 1)
    assert not game.open_reverse
    assert game.discard_pile == [f"{color}9", f"{color}R"]
    assert len(game.hands[0]) == 2


def test_d9_nothing_may_be_dumped_on_a_plain_reverse():
    game = play(duo(f"hands: RR G1 G2 | R1 R2 B1{RED}"), "RR")
    assert legal(game) == {"R1", "R2", "draw"}


@pytest.mark.parametrize("color", COLORS)
def test_d9_an_owed_dump_lays_the_reverse_and_all_of_its_color(color):
    other = "G" if color != "G" else "Y"
    hand = f"{color}R {color}2 {color}4 {color}S {other}1 {other}2"
    game = duo(f"hands: {hand} | B1 B2{PILE}discard: {color}9")
    assert dumps(game) == {f"{color}>{color}2", f"{color}>{color}4", f"{color}>{color}S"}
    play(game, f"{color}>{color}4")
    assert game.hands[0] == [f"{other}1", f"{other}2"]
    assert game.discard_pile[1:] == [f"{color}R", f"{color}2", f"{color}S", f"{color}4"]
    assert (game.active_color, game.top_card) == (color, f"{color}4")


def test_d9_an_owed_dump_needs_another_card_of_the_color():
    game = duo(f"hands: RR G1 W | B1 B2{RED}")
    assert dumps(game) == set()
    assert "RR" in legal(game)


def test_d9_a_second_reverse_of_the_color_is_enough():
    game = duo(f"hands: RR RR G1 G2 | B1 B2{RED}")
    assert legal(game) == {"RR", "R>RR", "draw"}
    play(game, "R>RR")
    assert game.hands[0] == ["G1", "G2"]
    assert game.discard_pile == ["R9", "RR", "RR"]
    assert (game.current_player, game.open_reverse) == (1, True)


def test_d9_an_only_reverse_cannot_end_an_owed_dump():
    assert "R>RR" not in legal(duo(f"hands: RR R1 R2 | B1 B2{RED}"))


@pytest.mark.parametrize("top", ["G9", "G1", "GS", "W"])
def test_d9_the_reverse_of_an_owed_dump_must_be_playable(top):
    game = duo(f"hands: RR R3 R4 G1 | B1 B2{PILE}discard: {top}\ncolor: G")
    assert dumps(game) == set()


def test_d9_a_reverse_on_a_reverse_of_another_color_starts_a_dump():
    game = duo(f"hands: RR R3 R4 G1 | B1 B2{PILE}discard: GR")
    assert dumps(game) == {"R>R3", "R>R4"}


def test_d9_a_reverse_on_the_named_color_starts_a_dump():
    game = duo(f"hands: RR R3 R4 G1 | B1 B2{PILE}discard: W\ncolor: R")
    assert dumps(game) == {"R>R3", "R>R4"}


def test_d9_without_a_reverse_there_is_no_owed_dump():
    assert dumps(duo(f"hands: R1 R3 R4 GR G1 | B1 B2{RED}")) == set()


def test_d9_a_plain_reverse_below_starts_no_dump_without_a_reverse():
    assert dumps(duo(f"hands: R1 R3 R4 | B1 B2{CLOSED}")) == set()


def test_d9_wilds_are_never_dumped():
    game = duo(f"hands: RR R3 W WD | B1 B2{RED}")
    assert dumps(game) == {"R>R3"}
    play(game, "R>R3")
    assert game.hands[0] == ["W", "WD"]


def test_d9_a_dump_is_all_or_nothing():
    game = play(duo(f"hands: RR R1 R1 R2 RD G1 G2 | B1 B2{RED}"), "R>R2")
    assert game.hands[0] == ["G1", "G2"]
    assert len(game.discard_pile) == 6


def test_d9_single_cards_are_offered_beside_the_dumps():
    game = duo(f"hands: RR R3 RS G9 | B1 B2{RED}")
    assert legal(game) == {"RR", "R3", "RS", "G9", "R>R3", "R>RS", "draw"}


def test_d9_an_open_dump_needs_no_reverse():
    game = duo(f"hands: R1 R2 G1 G2 | B1 B2{OPEN}")
    assert legal(game) == {"R1", "R2", "R>R1", "R>R2", "draw"}
    play(game, "R>R1")
    assert game.hands[0] == ["G1", "G2"]
    assert game.discard_pile == ["RR", "R2", "R1"]


def test_d9_one_card_is_enough_for_an_open_dump():
    game = duo(f"hands: R1 G1 G2 | B1 B2{OPEN}")
    assert legal(game) == {"R1", "R>R1", "draw"}
    play(game, "R>R1")
    assert game.hands[0] == ["G1", "G2"]
    assert (game.current_player, game.open_reverse) == (1, False)


def test_d9_with_no_card_of_its_color_an_open_reverse_offers_no_dump():
    assert legal(duo(f"hands: G1 G2 W | B1 B2{OPEN}")) == {"W:R", "W:Y", "W:G", "W:B", "draw"}


def test_d9_in_an_open_dump_a_reverse_is_an_ordinary_card():
    game = duo(f"hands: R3 RR R5 G1 G2 | B1 B2{OPEN}")
    assert dumps(game) == {"R>R3", "R>RR", "R>R5"}
    play(game, "R>R3")
    assert game.discard_pile == cards("RR R5 RR R3")


def test_d9_an_only_reverse_may_be_the_open_dump_and_opens_again():
    game = duo(f"hands: RR G1 G2 | B1 B2{OPEN}")
    assert legal(game) == {"RR", "R>RR", "draw"}
    play(game, "R>RR")
    assert (game.current_player, game.open_reverse) == (1, True)


def test_d9_the_single_reverse_on_an_open_one_opens_nothing():
    game = play(duo(f"hands: RR G1 G2 | B1 B2{OPEN}"), "RR")
    assert (game.current_player, game.open_reverse) == (1, False)


def test_d9_on_an_open_reverse_a_dump_in_another_color_is_owed():
    game = duo(f"hands: GR G1 G2 R4 B7 | B1 B2{OPEN}")
    assert dumps(game) == {"R>R4", "G>G1", "G>G2"}
    play(game, "G>G2")
    assert game.discard_pile == cards("RR GR G1 G2")
    assert game.hands[0] == ["R4", "B7"]
    assert (game.active_color, game.open_reverse) == ("G", False)


def test_d9_on_an_open_reverse_cards_of_another_color_need_a_reverse():
    assert dumps(duo(f"hands: G1 G2 R4 B7 | B1 B2{OPEN}")) == {"R>R4"}


@pytest.mark.parametrize("action", ["R1", "G>G1", "GR", "W:R", "WD:R"])
def test_d9_laying_anything_ends_the_opening(action):
    game = play(duo(f"hands: R1 GR G1 W WD B8 B9 | R5 R6 R7{OPEN}"), action)
    if game.phase == Phase.CHALLENGE:
        play(game, "take")
    assert not game.open_reverse


@pytest.mark.parametrize("drawn", ["B8", "R8", "YR"])
def test_d9_drawing_ends_the_opening(drawn):
    game = duo(f"hands: R1 G1 | R5 R6 R7\ndraw: {drawn} Y1\ndiscard: RR\nopen reverse: yes")
    play(game, "draw")
    assert not game.open_reverse
    if game.phase == Phase.DRAWN:
        assert legal(game) == {drawn, "pass"}
        play(game, "pass")
    assert (game.current_player, game.open_reverse) == (1, False)
    assert dumps(game) == set()


def test_d9_a_pass_for_want_of_cards_ends_the_opening():
    game = duo("hands: R1 G1 | R5 R6 R7\ndiscard: RR\nopen reverse: yes")
    play(game, "draw")
    assert (game.current_player, game.open_reverse) == (1, False)


def test_d9_a_number_last_lets_the_opponent_move():
    game = play(duo(f"hands: RR RS RD R3 G1 G2 | B1 B2{RED}"), "R>R3")
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, 1, 0)
    assert not game.open_reverse
    assert game.hands[1] == ["B1", "B2"]


def test_d9_a_skip_last_lets_the_player_move_again():
    game = play(duo(f"hands: RR RS RD R3 G1 G2 | B1 B2{RED}"), "R>RS")
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, 0, 0)
    assert game.hands[1] == ["B1", "B2"]


def test_d9_a_draw_two_last_starts_a_volley_of_two():
    game = play(duo(f"hands: RR RS RD RD R3 G1 G2 | BD B2{RED}"), "R>RD")
    # Two Draw Twos were laid, but only the last card counts.
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 1, 2)
    assert legal(game) == {"BD", "take"}


def test_d9_d8_the_volley_after_a_dump_goes_on():
    game = play(duo(f"hands: RR RD G1 G2 | BD B2 B3{RED}"), "R>RD", "BD", "take")
    assert game.hands[0] == cards("Y1 Y2 Y3 Y4 G1 G2")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_d9_a_reverse_last_is_open_for_the_opponent():
    game = play(duo(f"hands: RR RR R3 G1 G2 | R5 B2 B3{RED}"), "R>RR")
    assert (game.phase, game.current_player, game.open_reverse) == (Phase.TURN, 1, True)
    assert legal(game) == {"R5", "R>R5", "draw"}
    assert game.direction == 1


def test_d9_openings_pass_back_and_forth():
    game = duo(f"hands: RR RR G1 G2 | R5 RR B3 B4{RED}")
    play(game, "R>RR")
    assert dumps(game) == {"R>R5", "R>RR"}
    play(game, "R>RR")
    assert (game.current_player, game.open_reverse) == (0, True)
    assert game.discard_pile == cards("R9 RR RR R5 RR")


def test_d9_c5_a_dump_may_empty_the_hand():
    game = play(duo(f"hands: RR R1 R2 | B1 B2{RED}"), "R>R2")
    assert game.phase == Phase.ROUND_OVER
    assert (game.round_winner, game.hands[0]) == (0, [])


def test_d9a_the_others_lie_in_ascending_order():
    game = play(duo(f"hands: RD R7 RS R0 RR R4 RR R9 G1 G2 | B1 B2{RED}"), "R>R4")
    assert game.discard_pile == cards("R9 RR R0 R7 R9 RS RR RD R4")


def test_d9a_other_copies_of_the_last_kind_stay_in_their_place():
    game = play(duo(f"hands: RR R3 R3 R5 R1 G1 G2 | B1 B2{RED}"), "R>R3")
    assert game.discard_pile == cards("R9 RR R1 R3 R5 R3")


def test_d9a_an_open_dump_is_ascending_throughout():
    game = play(duo(f"hands: RR R1 R3 R3 RD RS G1 G2 | B1 B2{OPEN}"), "R>R3")
    assert game.discard_pile == cards("RR R1 R3 RS RR RD R3")


def test_d9a_a_reverse_last_in_an_open_dump():
    game = play(duo(f"hands: RR RR R3 RD G1 G2 | B1 B2{OPEN}"), "R>RR")
    assert game.discard_pile == cards("RR R3 RR RD RR")


def test_d9a_a_second_reverse_last_in_an_owed_dump():
    game = play(duo(f"hands: RR RR R3 RD R5 G1 G2 | B1 B2{RED}"), "R>RR")
    assert game.discard_pile == cards("R9 RR R3 R5 RD RR")


def test_d9a_d7_the_order_shows_when_the_discards_are_turned_over():
    game = duo("hands: RR RS R3 R1 G1 G2 | B1 B2\ndiscard: R9")
    play(game, "R>R3", "draw")
    assert game.hands[1] == cards("R9 B1 B2")
    assert game.draw_pile == cards("RR R1 RS")


def test_d9_an_open_reverse_needs_a_reverse_on_top():
    with pytest.raises(ValueError):
        duo(f"hands: R1 G1 | B1 B2{PILE}discard: R9\nopen reverse: yes")


@pytest.mark.parametrize("action", ["R>RR", "G>G1", "R>R9", "R>R1"])
def test_d9_other_dumps_are_refused(action):
    game = duo(f"hands: RR R3 GR G1 B1 | B1 B2{PILE}discard: R5")
    with pytest.raises(IllegalActionError):
        game.step(action)


def test_d9_with_three_players_the_next_player_gets_the_open_reverse():
    game = pocket(f"hands: RR RR R3 G1 G2 | B1 B2 | R5 R6 R7{RED}direction: right", reverse="dump")
    play(game, "R>RR")
    assert game.current_player == 2
