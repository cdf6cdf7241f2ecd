"""The worked examples of the rule document, with their exact values."""

import pytest

from tests.rules.positions import cards, dumps, duo, legal, play, pocket, pocket_start
from uno_sim import Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"


def test_example_1_volley_d8():
    game = duo(f"hands: RD BD R1 R2 | GD B1 B2{PILE}discard: R5")
    play(game, "RD", "GD")
    assert game.pending == 4
    play(game, "BD")
    assert (game.pending, game.current_player, legal(game)) == (6, 1, {"take"})
    play(game, "take")
    assert game.hands == [["R1", "R2"], cards("Y1 Y2 Y3 Y4 Y5 Y6 B1 B2")]
    assert (game.phase, game.current_player) == (Phase.TURN, 0)


def test_example_1_the_call_comes_before_the_answer_c4_d8():
    game = duo(f"hands: RD BD R1 | GD B1 B2{PILE}discard: R5")
    play(game, "RD", "GD", "BD")
    assert (game.phase, game.current_player, game.hands[0]) == (Phase.UNO, 0, ["R1"])
    play(game, "uno")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 1, 6)


def test_example_2_refilling_in_duo_c11_d7():
    game = play(duo("hands: Y1 Y2 | B1 B2\ndiscard: R5 B5 W G2"), "draw")
    assert game.discard_pile == ["G2"]
    assert game.hands[0] == ["R5", "Y1", "Y2"]
    assert game.draw_pile == ["B5", "W"]


def test_example_2_in_the_middle_of_a_draw_c11_d7():
    # The wild draw laid by seat 0 is the WD on top; R5 and B5 lie below it.
    game = play(duo("hands: WD G1 G2 | B1 B2\ndraw: Y1\ndiscard: R5 B5"), "WD:G")
    assert (game.draw_pile, game.discard_pile, game.pending) == (["Y1"], cards("R5 B5 WD"), 4)
    play(game, "take")
    assert game.hands[1] == cards("R5 Y1 B1 B2 B5")
    assert (game.draw_pile, game.discard_pile) == ([], ["WD"])


def test_example_3_owed_dumps_d9():
    text = f"hands: RR R3 RS RD B9 | B1 B2{PILE}discard: R4"
    assert legal(duo(text)) == {"RR", "R3", "RS", "RD", "R>R3", "R>RS", "R>RD", "draw"}
    expected = {
        "R3": (Phase.TURN, 1, 0),
        "RS": (Phase.TURN, 0, 0),
        "RD": (Phase.VOLLEY, 1, 2),
    }
    for last, after in expected.items():
        game = play(duo(text), f"R>{last}")
        assert (game.phase, game.current_player, game.hands[0]) == (Phase.UNO, 0, ["B9"])
        play(game, "uno")
        assert (game.phase, game.current_player, game.pending) == after


def test_example_3_the_reverse_alone_d9():
    game = play(duo(f"hands: RR R3 RS RD B9 | B1 B2{PILE}discard: R4"), "RR")
    assert (game.phase, game.current_player, game.open_reverse) == (Phase.TURN, 1, False)
    assert len(game.hands[0]) == 4


def test_example_3_open_dumps_d9_d9a():
    text = f"hands: R3 RR R5 B8 B9 | B1 B2{PILE}discard: RR\nopen reverse: yes"
    game = play(duo(text), "R>R5")
    assert game.discard_pile == cards("RR R3 RR R5")
    assert not game.open_reverse
    game = play(duo(text), "R>RR")
    assert game.discard_pile == cards("RR R3 R5 RR")
    assert (game.current_player, game.open_reverse) == (1, True)


def test_example_3_the_same_hand_on_a_number_d9_d9a():
    text = f"hands: R3 RR R5 B8 B9 | B1 B2{PILE}discard: R4"
    assert dumps(duo(text)) == {"R>R3", "R>R5"}
    game = play(duo(text), "R>R5")
    assert game.discard_pile == cards("R4 RR R3 R5")


@pytest.mark.parametrize(("judges", "guilty"), [("playable", True), ("color", False)])
def test_example_4_guilty_twice_over_c8(judges, guilty):
    text = f"hands: WD G5 W | B1 B2{PILE}discard: R5"
    game = play(duo(text, challenge_judges=judges), "WD:G", "challenge")
    sizes = [2 + 4, 2] if guilty else [2, 2 + 6]
    assert [len(hand) for hand in game.hands] == sizes
    assert game.current_player == (1 if guilty else 0)


def test_example_4_innocent_on_a_named_color_c8():
    game = duo(f"hands: WD R9 | B1 B2{PILE}discard: W\ncolor: G")
    play(game, "WD:R", "uno", "challenge")
    assert [len(hand) for hand in game.hands] == [1, 8]


def test_example_4_guilty_with_a_drawn_wild_draw_c8():
    game = duo("hands: R9 | B1 B2\ndraw: WD Y1 Y2 Y3 Y4 Y5 Y6\ndiscard: R5")
    play(game, "draw", "WD:R", "uno", "challenge")
    assert [len(hand) for hand in game.hands] == [5, 2]


def test_example_5_scores_of_duo_d11():
    game = play(duo(f"hands: R1 | B7 B0 BS W WD{PILE}discard: R5"), "R1")
    assert game.scores == [0, 52]


def test_example_5_scores_of_pocket_p9():
    game = play(pocket(f"hands: R1 | B9 BR | WP{PILE}discard: R5"), "R1")
    assert game.scores == [79, 0, 0]


def test_example_6_going_out_with_a_draw_one_c6_p9():
    game = play(pocket(f"hands: RD | B1 B2 | B3{PILE}discard: R5"), "RD")
    assert game.hands == [[], ["Y1", "B1", "B2"], ["B3"]]
    assert game.scores == [1 + 1 + 2 + 3, 0, 0]


def test_example_6_silence_with_a_reverse_c4_p5():
    game = play(pocket(f"hands: RR G1 | B1 B2 | B3 B4{PILE}discard: R5"), "RR", "silent")
    assert (game.phase, game.current_player) == (Phase.CATCH, 1)
    play(game, "ignore")
    assert (game.phase, game.current_player) == (Phase.CATCH, 2)
    play(game, "ignore")
    assert (game.phase, game.current_player, game.direction) == (Phase.TURN, 2, -1)


@pytest.mark.parametrize(
    ("start", "num_players", "mover", "drawn", "direction"),
    [
        ("RS", 3, 2, 0, 1),
        ("RD", 3, 2, 1, 1),
        ("RR", 3, 2, 0, -1),
        ("W", 3, 1, 0, 1),
        ("WD", 3, 2, 2, 1),
        ("RS", 2, 0, 0, 1),
        ("RD", 2, 0, 1, 1),
        ("RR", 2, 0, 0, -1),
        ("WD", 2, 0, 2, 1),
        ("W", 2, 1, 0, 1),
    ],
)
def test_example_7_start_cards_c13_p4(start, num_players, mover, drawn, direction):
    game = pocket_start(start, num_players)
    if start in ("W", "WD"):
        assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, 0)
        play(game, "color:G")
    assert (game.phase, game.current_player, game.direction) == (Phase.TURN, mover, direction)
    assert len(game.hands[1]) == 5 + drawn
    assert sum(len(hand) for hand in game.hands) == 5 * num_players + drawn
