"""Wild draws, bluffs and challenges (C7 to C10, with D10 and P7)."""

import pytest

from tests.rules.positions import COLORS, cards, duo, legal, named, play, pocket
from uno_sim import Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"


def is_guilty(game, color: str = "B") -> bool:
    """Lay the wild draw, challenge it, and say whether the offender had to draw."""
    offender = game.current_player
    play(game, f"WD:{color}")
    if game.phase == Phase.UNO:
        play(game, "uno")
    held = len(game.hands[offender])
    play(game, "challenge")
    return len(game.hands[offender]) > held


@pytest.mark.parametrize("hand", ["R1 R2", "G9 B9", "W Y1", "RR RS", "Y1 Y2"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c7_a_wild_draw_may_be_laid_whatever_the_hand(rules_game, hand):
    game = rules_game(f"hands: WD {hand} | B1 B2{PILE}discard: R9")
    assert named("WD") <= legal(game)


def test_c7_a_wild_draw_may_be_laid_on_an_open_reverse():
    game = duo(f"hands: WD R1 R2 | B1 B2{PILE}discard: RR\nopen reverse: yes")
    assert named("WD") <= legal(game)


def test_c7_a_wild_draw_may_be_laid_on_a_wild_draw():
    game = duo(f"hands: WD R1 R2 | B1 B2{PILE}discard: WD\ncolor: B")
    assert named("WD") <= legal(game)


def test_c7_no_wild_draw_in_reply_to_a_volley():
    game = play(duo(f"hands: RD R1 R2 | WD W B2{PILE}discard: R9"), "RD")
    assert legal(game) == {"take"}


def test_c7_no_wild_draw_in_reply_to_a_wild_draw():
    game = play(duo(f"hands: WD R1 R2 | WD W GD{PILE}discard: R9"), "WD:R")
    assert legal(game) == {"take", "challenge"}


@pytest.mark.parametrize("card", ["R1", "R9", "RS", "RR", "RD", "G5", "B5", "W"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c8_guilty_with_a_playable_card(rules_game, card):
    assert is_guilty(rules_game(f"hands: WD {card} G1 Y2 | B1 B2{PILE}discard: R5"))


def test_c8_guilty_with_a_dip():
    assert is_guilty(pocket(f"hands: WD WP G1 Y2 | B1 B2{PILE}discard: R5"))


@pytest.mark.parametrize("card", ["G1", "BS", "YR", "GD", "WD"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c8_innocent_without_a_playable_card(rules_game, card):
    assert not is_guilty(rules_game(f"hands: WD {card} G1 Y2 | B1 B2{PILE}discard: R5"))


def test_c8_the_named_color_does_not_matter():
    for color in COLORS:
        game = duo(f"hands: WD G1 Y2 B3 | B1 B2{PILE}discard: R5")
        assert not is_guilty(game, color)
    for color in COLORS:
        game = duo(f"hands: WD R1 Y2 B3 | B1 B2{PILE}discard: R5")
        assert is_guilty(game, color)


@pytest.mark.parametrize(("top", "card"), [("RS", "GS"), ("RR", "GR"), ("RD", "GD"), ("R0", "G0")])
def test_c8_the_same_symbol_is_playable(top, card):
    assert is_guilty(duo(f"hands: WD {card} Y2 | B1 B2{PILE}discard: {top}"))


@pytest.mark.parametrize(("card", "guilty"), [("G9", True), ("R9", False), ("R5", False)])
def test_c8_on_a_wild_only_the_named_color_before_counts(card, guilty):
    game = duo(f"hands: WD {card} Y2 | B1 B2{PILE}discard: R5 W\ncolor: G")
    assert is_guilty(game, "R") is guilty


@pytest.mark.parametrize(("card", "guilty"), [("B9", True), ("R9", False)])
def test_c8_on_an_earlier_wild_draw(card, guilty):
    game = duo(f"hands: WD {card} Y2 | G1 G2{PILE}discard: WD\ncolor: B")
    assert is_guilty(game, "R") is guilty


@pytest.mark.parametrize(("card", "guilty"), [("R9", True), ("G9", False)])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c8_a_drawn_wild_draw_is_judged_alike(rules_game, card, guilty):
    game = rules_game(f"hands: {card} Y2 Y3 | B1 B2\ndraw: WD Y1 Y2 Y3 Y4 Y5 Y6 Y7\ndiscard: R5")
    play(game, "draw")
    assert game.phase == Phase.DRAWN
    assert is_guilty(game) is guilty


def test_c8_the_laid_card_itself_does_not_count():
    assert not is_guilty(duo(f"hands: WD G1 | B1 B2{PILE}discard: R5"))


def test_c8_cards_of_the_challenger_do_not_count():
    assert not is_guilty(duo(f"hands: WD G1 G2 | R1 R2 R3{PILE}discard: R5"))


def test_c8_c4_cards_drawn_for_silence_do_not_count():
    # The offender held only G1 beside the wild draw; R1 and R2 came for the missed call.
    game = duo("hands: WD G1 | B1 B2\ndraw: R1 R2 Y1 Y2 Y3 Y4 Y5 Y6 Y7\ndiscard: R5")
    play(game, "WD:B", "silent", "catch")
    assert game.hands[0] == ["R1", "R2", "G1"]
    assert game.phase == Phase.CHALLENGE
    play(game, "challenge")
    assert game.hands[0] == ["R1", "R2", "G1"]
    assert len(game.hands[1]) == 8


def test_c8_c4_a_guilty_offender_caught_silent_stays_guilty():
    game = duo("hands: WD R1 | B1 B2\ndraw: G1 G2 Y1 Y2 Y3 Y4 Y5\ndiscard: R5")
    play(game, "WD:B", "silent", "catch", "challenge")
    assert game.hands[0] == cards("R1 Y1 Y2 Y3 Y4 G1 G2")


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize(("rules_game", "amount"), [(duo, 4), (pocket, 2)])
def test_c9_success_the_offender_draws_and_the_victim_moves(rules_game, amount, color):
    game = rules_game(f"hands: WD R1 R2 | B1 B2{PILE}discard: R9\nturns: 4")
    play(game, f"WD:{color}")
    assert (game.phase, game.current_player, game.pending) == (Phase.CHALLENGE, 1, amount)
    assert game.turns == 4
    play(game, "challenge")
    assert len(game.hands[0]) == 2 + amount
    assert game.hands[1] == ["B1", "B2"]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 1, 5)
    assert (game.active_color, game.top_card, game.pending) == (color, "WD", 0)


def test_c9_success_the_victim_takes_an_ordinary_turn():
    game = play(duo(f"hands: WD R1 R2 | B1 W R2{PILE}discard: R9"), "WD:B", "challenge")
    assert legal(game) == {"B1", "draw"} | named("W")


@pytest.mark.parametrize("reply", ["challenge", "take"])
@pytest.mark.parametrize(("rules_game", "penalty"), [(duo, 2), (pocket, 1)])
def test_c9_d8_p5_nothing_stays_pending_after_a_wild_draw(rules_game, penalty, reply):
    hands = "WD R1 R2 BD" if reply == "take" else "WD R1 R2"
    game = rules_game(f"hands: {hands} | BD B1 B2{PILE}discard: R9", stack_draws=True)
    play(game, "WD:B", reply, "BD")
    assert (game.phase, game.pending) == (Phase.VOLLEY, penalty)


@pytest.mark.parametrize(("rules_game", "amount"), [(duo, 6), (pocket, 4)])
def test_c9_failure_the_victim_draws_two_more_and_loses_the_turn(rules_game, amount):
    game = rules_game(f"hands: WD G1 G2 | B1 B2{PILE}discard: R9\nturns: 4")
    play(game, "WD:B", "challenge")
    assert game.hands[0] == ["G1", "G2"]
    assert game.hands[1] == [f"Y{number + 1}" for number in range(amount)] + ["B1", "B2"]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 0, 5)
    assert (game.active_color, game.pending) == ("B", 0)


@pytest.mark.parametrize(("rules_game", "amount"), [(duo, 4), (pocket, 2)])
def test_c9_take_the_victim_draws_and_loses_the_turn(rules_game, amount):
    game = rules_game(f"hands: WD R1 R2 | B1 B2{PILE}discard: R9\nturns: 4")
    play(game, "WD:B", "take")
    assert game.hands[0] == ["R1", "R2"]
    assert game.hands[1] == [f"Y{number + 1}" for number in range(amount)] + ["B1", "B2"]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 0, 5)


@pytest.mark.parametrize(("direction", "victim", "after"), [("left", 1, 2), ("right", 2, 1)])
@pytest.mark.parametrize("reply", ["take", "failure", "success"])
def test_c9_p7_with_three_players(direction, victim, after, reply):
    hand = "R1 R2" if reply == "success" else "G1 G2"
    game = pocket(f"hands: WD {hand} | B1 B2 | B3 B4{PILE}discard: R9\ndirection: {direction}")
    play(game, "WD:B")
    assert game.current_player == victim
    play(game, "take" if reply == "take" else "challenge")
    drawn = {"take": (0, 2, 0), "failure": (0, 4, 0), "success": (2, 0, 0)}[reply]
    sizes = [len(game.hands[seat]) - 2 for seat in (0, victim, after)]
    assert tuple(sizes) == drawn
    assert game.current_player == (victim if reply == "success" else after)
    assert game.phase == Phase.TURN


def test_c9_c11_a_failed_challenge_with_too_few_cards():
    game = play(duo("hands: WD G1 G2 | B1 B2\ndraw: Y1 Y2\ndiscard: R9"), "WD:B", "challenge")
    assert game.hands[1] == cards("R9 Y1 Y2 B1 B2")
    assert (game.draw_pile, game.discard_pile) == ([], ["WD"])
    assert game.current_player == 0


def test_c9_d10_after_a_lost_turn_the_offender_follows_the_named_color():
    game = play(duo(f"hands: WD G1 R2 | B1 B2{PILE}discard: Y9"), "WD:G", "take")
    assert legal(game) == {"G1", "draw"}


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c9_c4_the_call_comes_before_the_challenge(rules_game):
    game = play(rules_game(f"hands: WD G1 | B1 B2{PILE}discard: R9"), "WD:B")
    assert (game.phase, game.current_player) == (Phase.UNO, 0)
    play(game, "uno")
    assert (game.phase, game.current_player) == (Phase.CHALLENGE, 1)
