"""The card turned up at the start: every kind, in both games (C13, D6, P4)."""

import pytest

from tests.rules.positions import COLORED, COLORS, cards, duo_start, legal, play, pocket_start
from uno_sim import Phase

NUMBERS = [card for card in COLORED if card[1].isdigit()]


@pytest.mark.parametrize("start", NUMBERS)
@pytest.mark.parametrize("first", [0, 1])
def test_c13_duo_number_the_starter_moves(start, first):
    game = duo_start(start, first=first)
    assert (game.phase, game.current_player) == (Phase.TURN, 1 - first)
    assert (game.top_card, game.active_color) == (start, start[0])
    assert game.discard_pile == [start]
    assert [len(hand) for hand in game.hands] == [7, 7]
    assert (game.turns, game.open_reverse) == (1, False)


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("first", [0, 1])
def test_c13_duo_skip_costs_the_starter_the_turn(color, first):
    game = duo_start(f"{color}S", first=first)
    assert (game.phase, game.current_player) == (Phase.TURN, first)
    assert (game.top_card, game.active_color, game.turns) == (f"{color}S", color, 1)


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("first", [0, 1])
def test_c13_duo_draw_two_hits_the_starter_without_a_volley(color, first):
    hands = ("B1 B2 B3 B4 B5 B6 B7", "B1 B2 B3 B4 B5 B6 GD")
    game = duo_start(f"{color}D", kept=hands, first=first)
    starter = 1 - first
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, first, 0)
    assert sorted(game.hands[starter]) == sorted([*hands[1].split(), "Y1", "Y2"])
    assert len(game.hands[first]) == 7
    assert game.draw_pile[:6] == cards("Y3 Y4 Y5 Y6 Y7 Y8")


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("first", [0, 1])
def test_c13_duo_wild_is_named_by_the_one_before_the_starter(color, first):
    game = duo_start("W", first=first)
    assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, first)
    assert legal(game) == {f"color:{name}" for name in COLORS}
    assert (game.top_card, game.active_color, game.turns) == ("W", None, 0)
    play(game, f"color:{color}")
    assert (game.phase, game.current_player) == (Phase.TURN, 1 - first)
    assert (game.active_color, game.top_card, game.turns) == (color, "W", 1)
    assert [len(hand) for hand in game.hands] == [7, 7]


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("first", [0, 1])
def test_c13_duo_wild_draw_four_hits_the_starter_without_a_challenge(color, first):
    # Everybody holds playable cards, so a challenge would have something to find.
    game = duo_start("WD", first=first)
    assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, first)
    assert [len(hand) for hand in game.hands] == [7, 7]
    play(game, f"color:{color}")
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, first, 0)
    assert game.active_color == color
    assert len(game.hands[1 - first]) == 11
    assert {"Y1", "Y2", "Y3", "Y4"} <= set(game.hands[1 - first])
    assert len(game.hands[first]) == 7


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("first", [0, 1])
def test_d6_reverse_turned_up_is_open_for_the_starter(color, first):
    other = "G" if color != "G" else "Y"
    hands = ("B1 B2 B3 B4 B5 B6 B7", f"{color}3 {color}S W {other}1 {other}2 {other}4 {other}5")
    game = duo_start(f"{color}R", kept=hands, first=first)
    assert (game.phase, game.current_player) == (Phase.TURN, 1 - first)
    assert game.open_reverse
    assert (game.top_card, game.active_color, game.direction) == (f"{color}R", color, 1)
    dumps = {f"{color}>{color}3", f"{color}>{color}S"}
    wilds = {f"W:{name}" for name in COLORS}
    assert legal(game) == {f"{color}3", f"{color}S", "draw"} | dumps | wilds


def test_d6_c13_starter_may_dump_on_the_start_card():
    hands = ("B1 B2 B3 B4 B5 B6 B7", "R3 RS R5 Y1 Y2 Y4 Y5")
    game = play(duo_start("RR", kept=hands), "R>R5")
    assert game.discard_pile == cards("RR R3 RS R5")
    assert (game.current_player, game.open_reverse) == (0, False)


def test_d6_the_starter_may_take_a_normal_turn_instead():
    hands = ("B1 B2 B3 B4 B5 B6 B7", "R3 RS R5 Y1 Y2 Y4 Y5")
    game = play(duo_start("RR", kept=hands), "R3")
    assert game.discard_pile == cards("RR R3")
    assert (game.current_player, game.open_reverse) == (0, False)


def test_d6_the_start_card_is_the_next_of_the_draw_pile():
    game = duo_start("R9", rest="Y1 Y2", discards="G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 R0 R1 R2 R3")
    assert game.discard_pile == ["R9"]
    assert game.draw_pile == cards("Y1 Y2 G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 R0 R1 R2 R3")


@pytest.mark.parametrize("start", [card for card in NUMBERS if card[1] != "0"])
@pytest.mark.parametrize("num_players", [2, 3])
def test_c13_pocket_number_the_starter_moves(start, num_players):
    game = pocket_start(start, num_players, dealer=1)
    assert (game.phase, game.current_player) == (Phase.TURN, 2 % num_players)
    assert (game.top_card, game.active_color, game.direction) == (start, start[0], 1)
    assert [len(hand) for hand in game.hands] == [5] * num_players
    assert game.turns == 1


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_c13_p4_pocket_skip_costs_the_starter_the_turn(color, num_players):
    for dealer in range(num_players):
        game = pocket_start(f"{color}S", num_players, dealer=dealer)
        assert (game.phase, game.current_player) == (Phase.TURN, (dealer + 2) % num_players)
        assert [len(hand) for hand in game.hands] == [5] * num_players
        assert game.direction == 1


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_c13_p4_pocket_draw_one_hits_the_starter(color, num_players):
    for dealer in range(num_players):
        game = pocket_start(f"{color}D", num_players, dealer=dealer)
        starter = (dealer + 1) % num_players
        assert (game.phase, game.current_player) == (Phase.TURN, (dealer + 2) % num_players)
        assert len(game.hands[starter]) == 6
        assert "Y1" in game.hands[starter]
        assert sum(len(hand) for hand in game.hands) == 5 * num_players + 1


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_p4_reverse_turned_up_turns_the_direction(color, num_players):
    for dealer in range(num_players):
        game = pocket_start(f"{color}R", num_players, dealer=dealer)
        # To the dealer's right; between two players, the dealer.
        expected = dealer if num_players == 2 else (dealer - 1) % num_players
        assert (game.phase, game.current_player) == (Phase.TURN, expected)
        assert (game.direction, game.open_reverse) == (-1, False)
        assert [len(hand) for hand in game.hands] == [5] * num_players


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_c13_p4_pocket_wild_is_named_by_the_dealer(color, num_players):
    for dealer in range(num_players):
        game = pocket_start("W", num_players, dealer=dealer)
        assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, dealer)
        assert (game.active_color, game.top_card) == (None, "W")
        assert legal(game) == {f"color:{name}" for name in COLORS}
        play(game, f"color:{color}")
        assert (game.phase, game.current_player) == (Phase.TURN, (dealer + 1) % num_players)
        assert game.active_color == color


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_c13_p4_pocket_wild_draw_two_hits_the_starter(color, num_players):
    for dealer in range(num_players):
        game = pocket_start("WD", num_players, dealer=dealer)
        assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, dealer)
        play(game, f"color:{color}")
        starter = (dealer + 1) % num_players
        assert (game.phase, game.current_player) == (Phase.TURN, (dealer + 2) % num_players)
        assert (game.active_color, game.pending) == (color, 0)
        assert len(game.hands[starter]) == 7
        assert {"Y1", "Y2"} <= set(game.hands[starter])


@pytest.mark.parametrize("gift", ["B4", "Y1"])
@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_p4_dip_turned_up_is_the_dealers(gift, num_players):
    for dealer in range(num_players):
        game = pocket_start("WP", num_players, dealer=dealer)
        starter = (dealer + 1) % num_players
        assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, dealer)
        play(game, "color:G")
        assert (game.phase, game.current_player) == (Phase.GIVE, dealer)
        assert game.drawn_card == "Y1"
        assert legal(game) == {f"give:{card}" for card in cards("B1 B2 B3 B4 B5 Y1")}
        play(game, f"give:{gift}")
        assert (game.phase, game.current_player) == (Phase.TURN, starter)
        assert game.active_color == "G"
        assert len(game.hands[dealer]) == 5
        expected = cards("B1 B2 B3 B4 B5")
        assert sorted(game.hands[starter]) == sorted([*expected, gift])


def test_p4_p6_dip_turned_up_with_nothing_to_draw_gives_nothing():
    game = play(pocket_start("WP", 3, rest=""), "color:R")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)
    assert [len(hand) for hand in game.hands] == [5, 5, 5]


def test_c13_c11_draw_one_turned_up_with_nothing_to_draw_is_forgiven():
    game = pocket_start("RD", 3, rest="")
    assert (game.phase, game.current_player) == (Phase.TURN, 2)
    assert [len(hand) for hand in game.hands] == [5, 5, 5]


@pytest.mark.parametrize("rest", ["Y1", ""])
def test_c13_c11_wild_draw_two_turned_up_draws_what_there_is(rest):
    game = play(pocket_start("WD", 3, rest=rest), "color:R")
    assert (game.phase, game.current_player) == (Phase.TURN, 2)
    assert len(game.hands[1]) == 5 + len(rest.split())


def test_c13_the_turned_up_wild_asks_for_the_named_color():
    game = play(pocket_start("W", 2, hand="R1 G1 B1 W Y1"), "color:G")
    assert legal(game) == {"G1", "W:R", "W:Y", "W:G", "W:B", "draw"}
