"""The UNO call and catching (C4)."""

import pytest

from tests.rules.positions import cards, duo, duo_start, legal, play, pocket, pocket_start
from uno_sim import Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"
RED = f"{PILE}discard: R9\n"


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c4_the_call_is_asked_when_one_card_is_left(rules_game):
    game = play(rules_game(f"hands: R1 G2 | B1 B2{RED}"), "R1")
    assert (game.phase, game.current_player) == (Phase.UNO, 0)
    assert legal(game) == {"uno", "silent"}
    assert game.hands[0] == ["G2"]
    assert (game.top_card, game.active_color, game.turns) == ("R1", "R", 1)


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c4_after_uno_play_goes_on(rules_game):
    game = play(rules_game(f"hands: R1 G2 | B1 B2{RED}"), "R1", "uno")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)
    assert game.hands[0] == ["G2"]


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c4_silence_asks_the_opponent(rules_game):
    game = play(rules_game(f"hands: R1 G2 | B1 B2{RED}"), "R1", "silent")
    assert (game.phase, game.current_player) == (Phase.CATCH, 1)
    assert legal(game) == {"catch", "ignore"}
    assert game.hands[0] == ["G2"]


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c4_a_caught_silence_draws_two(rules_game):
    game = play(rules_game(f"hands: R1 G2 | B1 B2{RED}"), "R1", "silent", "catch")
    assert game.hands == [["Y1", "Y2", "G2"], ["B1", "B2"]]
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c4_an_ignored_silence_costs_nothing(rules_game):
    game = play(rules_game(f"hands: R1 G2 | B1 B2{RED}"), "R1", "silent", "ignore")
    assert game.hands == [["G2"], ["B1", "B2"]]
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


@pytest.mark.parametrize("hand", ["R1 G2 G3", "R1 G2 G3 G4", "R1 R1 R1"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c4_with_two_or_more_left_no_call_is_asked(rules_game, hand):
    game = play(rules_game(f"hands: {hand} | B1 B2{RED}"), "R1")
    assert game.phase == Phase.TURN


def test_c4_one_card_that_is_not_laid_makes_no_call_due():
    game = play(duo(f"hands: G1 | B1 B2{RED}"), "draw")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_a_call_is_due_after_laying_the_drawn_card():
    game = play(duo("hands: G1 | B1 B2\ndraw: R1 Y1\ndiscard: R9"), "draw", "R1")
    assert (game.phase, game.current_player) == (Phase.UNO, 0)


def test_c4_keeping_the_drawn_card_makes_no_call_due():
    game = play(duo("hands: G1 | B1 B2\ndraw: R1 Y1\ndiscard: R9"), "draw", "pass")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_a_call_is_due_every_time():
    game = duo("hands: R1 G2 | B1 B2\ndraw: R3 R4 Y1 Y2\ndiscard: R9")
    play(game, "R1", "uno", "draw", "pass", "draw")
    assert game.phase == Phase.DRAWN
    play(game, "R4")
    assert game.phase == Phase.UNO


@pytest.mark.parametrize(
    ("direction", "order"), [("left", [1, 2, 3]), ("right", [3, 2, 1])], ids=["left", "right"]
)
def test_c4_the_opponents_are_asked_in_the_direction(direction, order):
    game = pocket(f"hands: R1 G2 | B1 B2 | B3 B4 | B5 B6{RED}direction: {direction}")
    play(game, "R1", "silent")
    asked = []
    while game.phase == Phase.CATCH:
        asked.append(game.current_player)
        play(game, "ignore")
    assert asked == order
    assert (game.phase, game.current_player) == (Phase.TURN, order[0])
    assert game.hands[0] == ["G2"]


@pytest.mark.parametrize("ignored", [0, 1, 2])
def test_c4_the_first_to_catch_ends_it(ignored):
    game = pocket(f"hands: R1 G2 | B1 B2 | B3 B4 | B5 B6{RED}")
    play(game, "R1", "silent", *["ignore"] * ignored, "catch")
    assert game.hands[0] == ["Y1", "Y2", "G2"]
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_opponents_are_asked_from_the_seat_of_the_silent_player():
    game = pocket(f"hands: B1 B2 | B3 B4 | R1 G2 | B5 B6{RED}to move: 2")
    play(game, "R1", "silent")
    asked = []
    while game.phase == Phase.CATCH:
        asked.append(game.current_player)
        play(game, "ignore")
    assert asked == [3, 0, 1]


def test_c4_p5_a_reverse_turns_only_after_the_call():
    game = play(pocket(f"hands: RR G2 | B1 B2 | B3 B4{RED}"), "RR")
    assert (game.phase, game.direction) == (Phase.UNO, 1)
    play(game, "silent")
    assert (game.phase, game.current_player, game.direction) == (Phase.CATCH, 1, 1)
    play(game, "ignore")
    assert (game.phase, game.current_player) == (Phase.CATCH, 2)
    play(game, "ignore")
    assert (game.phase, game.current_player, game.direction) == (Phase.TURN, 2, -1)


def test_c4_p5_a_skipped_player_may_catch():
    game = play(pocket(f"hands: RS G2 | B1 B2 | B3 B4{RED}"), "RS", "silent")
    assert game.current_player == 1
    play(game, "catch")
    assert (game.phase, game.current_player) == (Phase.TURN, 2)
    assert game.hands[0] == ["Y1", "Y2", "G2"]


def test_c4_p5_silence_is_caught_before_the_victim_draws():
    game = play(pocket(f"hands: RD G2 | B1 B2 | B3 B4{RED}"), "RD")
    assert game.hands[1] == ["B1", "B2"]
    play(game, "silent", "catch")
    # The penalty comes first off the pile, then the Draw One.
    assert game.hands == [["Y1", "Y2", "G2"], ["Y3", "B1", "B2"], ["B3", "B4"]]
    assert (game.phase, game.current_player) == (Phase.TURN, 2)


def test_c4_d8_silence_is_caught_before_the_volley():
    game = play(duo(f"hands: RD G2 | GD B2{RED}"), "RD", "silent", "catch")
    assert game.hands[0] == ["Y1", "Y2", "G2"]
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 1, 2)


def test_c4_d8_a_call_is_due_for_an_answer_in_a_volley():
    game = play(duo(f"hands: RD R1 R2 | GD B2{RED}"), "RD", "GD")
    assert (game.phase, game.current_player) == (Phase.UNO, 1)
    play(game, "silent")
    assert (game.phase, game.current_player) == (Phase.CATCH, 0)
    play(game, "catch")
    assert game.hands[1] == ["Y1", "Y2", "B2"]
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 0, 4)


def test_c4_d10_the_color_is_named_before_the_call():
    game = play(duo(f"hands: W G2 | B1 B2{RED}"), "W:B")
    assert (game.phase, game.current_player) == (Phase.UNO, 0)
    assert (game.top_card, game.active_color) == ("W", "B")


def test_c4_d10_silence_is_caught_before_the_challenge():
    game = play(duo(f"hands: WD G2 | B1 B2{RED}"), "WD:B", "silent")
    assert (game.phase, game.current_player) == (Phase.CATCH, 1)
    play(game, "catch")
    assert (game.phase, game.current_player, game.pending) == (Phase.CHALLENGE, 1, 4)
    assert game.hands == [["Y1", "Y2", "G2"], ["B1", "B2"]]


def test_c4_d10_after_a_skip_the_caller_moves_again():
    game = play(duo(f"hands: RS G2 | B1 B2{RED}"), "RS", "uno")
    assert (game.phase, game.current_player) == (Phase.TURN, 0)


@pytest.mark.parametrize("last", ["R3", "RS", "RD", "R1"])
def test_c4_d9_a_call_is_due_after_a_dump(last):
    game = play(duo(f"hands: RR R1 R3 RS RD G2 | B1 B2{RED}"), f"R>{last}")
    assert (game.phase, game.current_player) == (Phase.UNO, 0)
    assert (game.pending, game.top_card) == (0, last)
    play(game, "uno")
    expected = {
        "R3": (Phase.TURN, 1),
        "R1": (Phase.TURN, 1),
        "RS": (Phase.TURN, 0),
        "RD": (Phase.VOLLEY, 1),
    }
    assert (game.phase, game.current_player) == expected[last]


def test_c4_d9_a_reverse_last_opens_after_the_call():
    game = play(duo(f"hands: RR RR G2 | R1 B2{RED}"), "R>RR")
    assert game.phase == Phase.UNO
    play(game, "silent", "catch")
    assert (game.phase, game.current_player, game.open_reverse) == (Phase.TURN, 1, True)


def test_c4_p6_a_dip_is_done_before_the_call():
    game = play(pocket(f"hands: WP G2 | B1 B2 | B3 B4{RED}"), "WP:B")
    assert (game.phase, game.hands[0]) == (Phase.GIVE, ["Y1", "G2"])
    play(game, "give:G2")
    assert (game.phase, game.current_player, game.hands[0]) == (Phase.UNO, 0, ["Y1"])
    assert game.hands[1] == ["G2", "B1", "B2"]
    play(game, "silent", "catch")
    assert game.hands[0] == ["Y1", "Y2", "Y3"]
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_p6_a_dip_that_leaves_two_makes_no_call_due():
    game = play(pocket(f"hands: WP G2 G3 | B1 B2{RED}"), "WP:B", "give:G2")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_p6_a_call_is_due_also_when_the_drawn_card_is_given():
    game = play(pocket(f"hands: WP G2 | B1 B2{RED}"), "WP:B", "give:Y1")
    assert (game.phase, game.hands[0]) == (Phase.UNO, ["G2"])


@pytest.mark.parametrize("start", ["B9", "BS", "BD", "BR"])
def test_c4_c13_the_deal_and_the_start_card_make_no_call_due(start):
    game = pocket_start(start, 3, hand="B1", hand_size=1)
    assert game.phase == Phase.TURN


@pytest.mark.parametrize("start", ["W", "WD"])
def test_c4_c13_a_wild_start_card_makes_no_call_due(start):
    game = play(pocket_start(start, 3, hand="B1", hand_size=1), "color:R")
    assert game.phase == Phase.TURN


def test_c4_p4_a_dip_turned_up_makes_no_call_due():
    game = play(pocket_start("WP", 3, hand="B1", hand_size=1), "color:R", "give:B1")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)
    assert [len(hand) for hand in game.hands] == [1, 2, 1]


def test_c4_d6_a_duo_start_makes_no_call_due():
    game = duo_start("R9", kept=("B1", "B2"), discards="G0 G0", hand_size=1)
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_c11_a_penalty_with_too_few_cards_draws_what_there_is():
    game = play(duo("hands: R1 G2 | B1 B2\ndiscard: R9"), "R1", "silent", "catch")
    assert game.hands[0] == cards("R9 G2")
    assert (game.draw_pile, game.discard_pile) == ([], ["R1"])
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_c4_a_needless_call_cannot_be_made():
    game = duo(f"hands: R1 R2 R3 | B1 B2{RED}")
    assert "uno" not in legal(game)
    assert "silent" not in legal(game)


def test_c4_silence_cannot_be_caught_later():
    game = duo("hands: R1 G2 | B1 B2\ndraw: Y8 Y9\ndiscard: R9")
    play(game, "R1", "silent", "ignore", "draw")
    assert (game.current_player, legal(game)) == (0, {"draw"})
    assert game.hands[0] == ["G2"]
