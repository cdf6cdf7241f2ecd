"""Skip, Reverse, Draw One, Wild and the wild draws without a challenge (D10, P5, P7)."""

import pytest

from tests.rules.positions import COLORS, dumps, duo, legal, named, play, pocket
from uno_sim import Phase

THREE = "| B1 B2 | G1 G2\ndraw: Y1 Y2 Y3 Y4\ndiscard: R9\n"


@pytest.mark.parametrize("color", COLORS)
def test_d10_after_a_skip_its_player_moves_again(color):
    game = duo(f"hands: {color}S Y1 Y2 | B1 B2\ndraw: Y3\ndiscard: {color}9")
    play(game, f"{color}S")
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 0, 2)
    assert (game.top_card, game.active_color) == (f"{color}S", color)


@pytest.mark.parametrize("color", COLORS)
def test_d10_after_a_wild_the_opponent_moves(color):
    game = duo("hands: W R1 R2 | B1 B2\ndraw: Y3\ndiscard: R9")
    play(game, f"W:{color}")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)
    assert (game.top_card, game.active_color) == ("W", color)
    assert [len(hand) for hand in game.hands] == [2, 2]


@pytest.mark.parametrize("color", COLORS)
def test_d10_wild_draw_four_draws_four_and_its_player_moves_again(color):
    game = duo("hands: WD R1 R2 | B1 B2\ndraw: Y1 Y2 Y3 Y4 Y5\ndiscard: R9")
    play(game, f"WD:{color}")
    assert (game.phase, game.current_player, game.pending) == (Phase.CHALLENGE, 1, 4)
    assert legal(game) == {"take", "challenge"}
    assert (game.top_card, game.active_color) == ("WD", color)
    play(game, "take")
    assert game.hands[1] == ["Y1", "Y2", "Y3", "Y4", "B1", "B2"]
    assert (game.phase, game.current_player, game.active_color) == (Phase.TURN, 0, color)
    assert (game.pending, game.turns, game.draw_pile) == (0, 2, ["Y5"])


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize(("direction", "after"), [("left", 2), ("right", 1)])
def test_p5_skip_costs_the_next_player_the_turn(color, direction, after):
    game = pocket(
        f"hands: {color}S Y1 Y2 | B1 B2 | G1 G2\ndiscard: {color}9\ndirection: {direction}"
    )
    play(game, f"{color}S")
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, after, 2)
    assert [len(hand) for hand in game.hands] == [2, 2, 2]


@pytest.mark.parametrize("symbol", ["S", "R", "D"])
def test_p5_with_two_players_its_player_moves_again(symbol):
    game = pocket(f"hands: R{symbol} R1 R2 | B1 B2\ndraw: Y1\ndiscard: R9")
    play(game, f"R{symbol}")
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 0, 2)


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize(("direction", "victim", "after"), [("left", 1, 2), ("right", 2, 1)])
def test_p5_draw_one_makes_the_next_player_draw_and_lose_the_turn(color, direction, victim, after):
    game = pocket(
        f"""
        hands: {color}D R1 R2 | B1 B2 | G1 G2
        draw: Y1 Y2
        discard: {color}9
        direction: {direction}
        """
    )
    play(game, f"{color}D")
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, after, 0)
    assert "Y1" in game.hands[victim]
    assert [len(game.hands[seat]) for seat in (0, victim, after)] == [2, 3, 2]


def test_p5_draw_one_cannot_be_answered():
    game = pocket("hands: RD R1 R2 | BD B2 | G1 G2\ndraw: Y1 Y2\ndiscard: R9")
    play(game, "RD")
    assert (game.phase, game.current_player) == (Phase.TURN, 2)
    assert game.hands[1] == ["Y1", "B2", "BD"]


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize(
    ("num_players", "direction", "after", "sign"),
    [
        (3, "left", 2, -1),
        (3, "right", 1, 1),
        (4, "left", 3, -1),
        (5, "left", 4, -1),
        (5, "right", 1, 1),
        (2, "left", 0, -1),
        (2, "right", 0, 1),
    ],
)
def test_p5_reverse_turns_the_direction(color, num_players, direction, after, sign):
    others = " | B1 B2" * (num_players - 1)
    game = pocket(
        f"hands: {color}R Y1 Y2{others}\ndiscard: {color}9\ndirection: {direction}",
    )
    play(game, f"{color}R")
    assert (game.phase, game.current_player, game.direction) == (Phase.TURN, after, sign)
    assert not game.open_reverse


def test_p5_the_turned_direction_holds_for_the_rest_of_the_round():
    game = pocket("hands: RR R1 R2 | R3 R4 B1 | R5 R6 RS\ndraw: Y1\ndiscard: R9")
    play(game, "RR", "RS")
    assert game.current_player == 0
    play(game, "draw")
    assert game.current_player == 2


def test_p5_a_reverse_is_no_dump():
    game = pocket("hands: RR R1 R2 RS | B1 B2\ndiscard: R9")
    assert dumps(game) == set()


def test_p5_a_reverse_on_a_reverse_opens_nothing():
    game = play(pocket("hands: RR R1 R2 | GR G1 | B1 B2\ndiscard: R9\ndirection: right"), "RR")
    assert (game.current_player, game.direction) == (1, 1)
    assert legal(game) == {"GR", "draw"}


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize(("direction", "victim", "after"), [("left", 1, 2), ("right", 2, 1)])
def test_p7_wild_draw_two_draws_two_and_costs_the_turn(color, direction, victim, after):
    game = pocket(f"hands: WD R1 R2 {THREE}direction: {direction}")
    assert named("WD") <= legal(game)
    play(game, f"WD:{color}")
    assert (game.phase, game.current_player, game.pending) == (Phase.CHALLENGE, victim, 2)
    assert legal(game) == {"take", "challenge"}
    assert game.active_color == color
    play(game, "take")
    assert {"Y1", "Y2"} <= set(game.hands[victim])
    assert (game.phase, game.current_player) == (Phase.TURN, after)
    assert (game.active_color, game.pending, game.draw_pile) == (color, 0, ["Y3", "Y4"])


def test_p7_with_two_players_its_player_moves_again():
    game = pocket("hands: WD R1 R2 | B1 B2\ndraw: Y1 Y2 Y3\ndiscard: R9")
    play(game, "WD:G", "take")
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 0, 2)


def test_p5_p7_wild_lets_the_next_player_move():
    game = play(pocket(f"hands: W R1 R2 {THREE}"), "W:B")
    assert (game.phase, game.current_player, game.active_color) == (Phase.TURN, 1, "B")
    assert legal(game) == {"B1", "B2", "draw"}
