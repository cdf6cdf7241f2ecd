"""Options that change how a round is played; the continuation of `test_options.py`."""

import re
from dataclasses import replace

import pytest

from tests.rules.positions import (
    cards,
    dumps,
    duo,
    duo_start,
    legal,
    play,
    pocket,
    pocket_start,
    sizes,
)
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"
RED = f"{PILE}discard: R9\n"


def test_option_recycle_shuffled_in_duo_p8():
    discards = "G1 Y3 B7 G4 R2 R6 B5 WD Y2 GS Y9"
    piles = set()
    for seed in range(10):
        game = duo(f"hands: R1 R2 | B1 B2\ndiscard: {discards}", seed=seed, recycle="shuffle")
        play(game, "draw")
        piles.add(tuple(game.draw_pile))
        assert sorted([*game.draw_pile, *game.hands[0]]) == sorted(
            ["R1", "R2", *discards.split()[:-1]]
        )
    assert len(piles) == 10


def test_option_recycle_turned_over_in_pocket_d7():
    for seed in range(3):
        game = pocket(
            "hands: R1 R2 | B1 B2\ndiscard: G1 Y3 B7 G4 Y9", seed=seed, recycle="turn_over"
        )
        play(game, "draw")
        assert game.hands[0] == ["R1", "R2", "G1"]
        assert game.draw_pile == ["Y3", "B7", "G4"]


def test_option_stack_draws_off_in_duo_d8():
    game = play(duo(f"hands: RD R1 R2 | GD B1{RED}", stack_draws=False), "RD")
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, 0, 0)
    assert game.hands[1] == ["Y1", "Y2", "GD", "B1"]


def test_option_stack_draws_off_after_a_dump_d8_d9():
    game = play(duo(f"hands: RR RD G1 G2 | GD B1{RED}", stack_draws=False), "R>RD")
    assert (game.phase, game.current_player, sizes(game)) == (Phase.TURN, 0, [2, 4])


def test_option_stack_draws_on_in_pocket_p5():
    text = f"hands: RD R1 R2 | GD B1 B2 | BD B3 B4{RED}direction: right"
    game = play(pocket(text, stack_draws=True), "RD")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 2, 1)
    play(game, "BD")
    assert (game.current_player, game.pending, legal(game)) == (1, 2, {"GD", "take"})
    play(game, "GD")
    assert (game.current_player, game.pending, legal(game)) == (0, 3, {"take"})
    play(game, "take")
    assert (game.phase, game.current_player, sizes(game)) == (Phase.TURN, 2, [5, 2, 2])


def test_option_stack_draws_gives_no_answer_to_the_start_card_c13():
    game = pocket_start("RD", 3, hand="B1 B2 B3 B4 BD", stack_draws=True)
    assert (game.phase, game.current_player, sizes(game)) == (Phase.TURN, 2, [5, 6, 5])


def test_option_reverse_direction_in_duo_d9():
    text = f"hands: RR R1 G2 G3 | B1 B2{RED}"
    game = duo(text, reverse="direction", reverse_last_opens=False)
    assert dumps(game) == set()
    play(game, "RR")
    # With `lone_reverse` plain the opponent moves, though the direction has turned.
    assert (game.current_player, game.direction, game.open_reverse) == (1, -1, False)


def test_option_reverse_direction_of_the_start_card_d6_p4():
    options = {"reverse": "direction", "reverse_last_opens": False}
    game = duo_start("BR", first=0, lone_reverse="again", **options)
    assert (game.current_player, game.direction, game.open_reverse) == (0, -1, False)
    assert dumps(game) == set()


def test_option_reverse_dump_in_pocket_p5_d9():
    text = f"hands: RR R3 R5 G1 G2 | R6 R7 | B3 B4{RED}"
    game = pocket(text, reverse="dump", lone_reverse="plain", reverse_last_opens=True)
    assert dumps(game) == {"R>R3", "R>R5"}
    alone = play(game.clone(), "RR")
    assert (alone.current_player, alone.direction, alone.open_reverse) == (1, 1, False)
    play(game, "R>R3")
    assert (game.current_player, game.discard_pile) == (1, cards("R9 RR R5 R3"))


@pytest.mark.parametrize(("last", "after"), [("R3", 1), ("RS", 2), ("RD", 2), ("RR", 1)])
def test_option_reverse_dump_with_three_players_d9(last, after):
    text = f"hands: RR RR R3 RS RD G1 G2 | R6 R7 | B3 B4{RED}"
    game = pocket(text, reverse="dump", lone_reverse="plain", reverse_last_opens=True)
    play(game, f"R>{last}")
    assert (game.phase, game.current_player) == (Phase.TURN, after)
    assert game.open_reverse == (last == "RR")
    assert sizes(game) == [2, 3 if last == "RD" else 2, 2]


def test_option_reverse_dump_of_the_start_card_in_pocket_d6():
    options = {"reverse": "dump", "lone_reverse": "plain", "reverse_last_opens": True}
    game = pocket_start("BR", 3, hand="B1 B2 G3 G4 G5", **options)
    assert (game.current_player, game.direction, game.open_reverse) == (1, 1, True)
    assert dumps(game) == {"B>B1", "B>B2"}


def test_option_lone_reverse_again_in_duo_d9_p5():
    game = play(duo(f"hands: RR R1 G2 | B1 B2{RED}", lone_reverse="again"), "RR")
    assert (game.phase, game.current_player, game.open_reverse) == (Phase.TURN, 0, False)
    assert game.direction == 1


def test_option_lone_reverse_leaves_dumps_alone_d9():
    game = play(duo(f"hands: RR RR G2 G3 | B1 B2{RED}", lone_reverse="again"), "R>RR")
    assert (game.current_player, game.open_reverse) == (1, True)


def test_option_lone_reverse_plain_in_pocket_p5():
    game = play(pocket(f"hands: RR R1 G2 | B1 B2{RED}", lone_reverse="plain"), "RR")
    assert (game.current_player, game.direction) == (1, -1)


def test_option_lone_reverse_plain_of_the_start_card_p4():
    game = pocket_start("BR", 2, lone_reverse="plain")
    assert (game.current_player, game.direction) == (1, -1)


@pytest.mark.parametrize("lone", ["plain", "again"])
def test_option_lone_reverse_is_for_two_players_p5(lone):
    game = play(pocket(f"hands: RR R1 G2 | B1 | B3{RED}", lone_reverse=lone), "RR")
    assert (game.current_player, game.direction) == (2, -1)


def test_option_reverse_last_opens_off_d9():
    game = duo(f"hands: RR RR R3 G1 G2 | R5 B2 B3{RED}", reverse_last_opens=False)
    play(game, "R>RR")
    assert (game.phase, game.current_player, game.open_reverse) == (Phase.TURN, 1, False)
    assert legal(game) == {"R5", "draw"}


def test_option_reverse_last_opens_off_leaves_the_start_card_open_d6():
    assert duo_start("BR", reverse_last_opens=False).open_reverse


@pytest.mark.parametrize(
    ("card", "guilty"), [("R1", True), ("RS", True), ("G5", False), ("W", False), ("WD", False)]
)
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_challenge_judges_color_c8(rules_game, card, guilty):
    text = f"hands: WD {card} Y2 | B1 B2{PILE}discard: R5"
    game = play(rules_game(text, challenge_judges="color"), "WD:B", "challenge")
    assert (sizes(game)[0] > 2) is guilty


def test_option_challenge_judges_color_with_a_dip_c8():
    text = f"hands: WD WP Y2 | B1 B2{PILE}discard: R5"
    game = play(pocket(text, challenge_judges="color"), "WD:B", "challenge")
    assert sizes(game) == [2, 6]


@pytest.mark.parametrize(("hand", "guilty"), [("WD WD Y2", True), ("WD Y2 Y3", False)])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_same_wild_draw_counts_c8(rules_game, hand, guilty):
    text = f"hands: {hand} | B1 B2{PILE}discard: R5"
    game = play(rules_game(text, same_wild_draw_counts=True), "WD:B", "challenge")
    assert (sizes(game)[0] > 2) is guilty


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_after_won_challenge_offender_c9(rules_game):
    text = f"hands: WD R1 R2 | B1 B2{RED}"
    game = play(rules_game(text, after_won_challenge="offender"), "WD:B", "challenge")
    assert (game.phase, game.current_player, game.active_color) == (Phase.TURN, 0, "B")
    assert len(game.hands[0]) > 2
    assert game.hands[1] == ["B1", "B2"]


@pytest.mark.parametrize("direction", ["left", "right"])
def test_option_after_won_challenge_offender_with_three_players_c9(direction):
    text = f"hands: WD R1 R2 | B1 B2 | B3 B4{RED}direction: {direction}"
    game = play(pocket(text, after_won_challenge="offender"), "WD:B", "challenge")
    assert game.current_player == 0
    # A challenge that fails is as ever.
    game = pocket(text.replace("R1 R2", "G1 G2"), after_won_challenge="offender")
    assert play(game, "WD:B", "challenge").current_player == (2 if direction == "left" else 1)


@pytest.mark.parametrize("card", ["RD", "WD:B"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_last_card_draws_off_c6(rules_game, card):
    game = rules_game(f"hands: {card[:2]} | B1 B2{RED}", last_card_draws=False)
    play(game, card)
    assert (game.phase, game.hands) == (Phase.ROUND_OVER, [[], ["B1", "B2"]])
    assert len(game.draw_pile) == 8


def test_option_last_card_draws_off_ends_a_volley_without_a_draw_c6_d8():
    game = duo(f"hands: RD R1 R2 | GD{RED}", last_card_draws=False)
    play(game, "RD", "GD")
    assert (game.phase, game.hands) == (Phase.ROUND_OVER, [["R1", "R2"], []])


@pytest.mark.parametrize(("start", "mover"), [("W", 1), ("WD", 2)])
def test_option_start_wild_named_by_the_starter_c13(start, mover):
    game = pocket_start(start, 3, start_wild_named_by="starter")
    assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, 1)
    play(game, "color:G")
    assert (game.phase, game.current_player, game.active_color) == (Phase.TURN, mover, "G")
    assert sizes(game) == [5, 7 if start == "WD" else 5, 5]


@pytest.mark.parametrize("first", [0, 1])
def test_option_start_wild_named_by_the_starter_in_duo_c13(first):
    game = duo_start("W", first=first, start_wild_named_by="starter")
    assert (game.phase, game.current_player) == (Phase.CHOOSE_COLOR, 1 - first)
    play(game, "color:G")
    assert (game.phase, game.current_player) == (Phase.TURN, 1 - first)


def test_option_start_wild_named_by_the_starter_the_dealer_dips_p4():
    game = play(pocket_start("WP", 3, start_wild_named_by="starter"), "color:G")
    assert (game.phase, game.current_player, game.drawn_card) == (Phase.GIVE, 0, "Y1")
    play(game, "give:B1")
    assert (game.phase, game.current_player, sizes(game)) == (Phase.TURN, 1, [5, 6, 5])


@pytest.mark.parametrize(
    ("gives", "gifts"),
    [
        ("any", {"give:R1", "give:G2", "give:Y1"}),
        ("drawn", {"give:Y1"}),
        ("other", {"give:R1", "give:G2"}),
    ],
)
def test_option_dip_gives_p6(gives, gifts):
    game = play(pocket(f"hands: WP R1 G2 | B1 B2{RED}", dip_gives=gives), "WP:B")
    assert (game.phase, legal(game)) == (Phase.GIVE, gifts)


def test_option_dip_gives_other_allows_a_second_copy_of_the_drawn_card_p6():
    game = play(pocket(f"hands: WP Y1 G2 | B1 B2{RED}", dip_gives="other"), "WP:B")
    assert legal(game) == {"give:Y1", "give:G2"}


@pytest.mark.parametrize("gives", ["drawn", "other"])
def test_option_dip_gives_of_the_start_card_p4(gives):
    game = play(pocket_start("WP", 3, dip_gives=gives), "color:R")
    own = {f"give:B{number}" for number in range(1, 6)}
    assert legal(game) == ({"give:Y1"} if gives == "drawn" else own)


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_uno_calls_automatic_c4(rules_game):
    game = rules_game(f"hands: R1 G2 | B1 B2{RED}", uno_calls="automatic")
    play(game, "R1")
    assert (game.phase, game.current_player, game.hands[0]) == (Phase.TURN, 1, ["G2"])


def test_option_uno_calls_automatic_before_a_volley_c4_d8():
    game = play(duo(f"hands: RD G2 | GD B2{RED}", uno_calls="automatic"), "RD")
    assert (game.phase, game.current_player) == (Phase.VOLLEY, 1)
    play(game, "GD")
    assert (game.phase, game.current_player) == (Phase.VOLLEY, 0)


@pytest.mark.parametrize("max_turns", [1, 2, 5])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_max_turns_c12(rules_game, max_turns):
    game = rules_game(
        "hands: G1 | B1\ndraw: " + "Y1 Y2 " * 5 + "\ndiscard: R9", max_turns=max_turns
    )
    for turn in range(1, max_turns + 1):
        assert (game.phase, game.turns) == (Phase.TURN, turn)
        play(game, "draw")
    assert (game.phase, game.capped) == (Phase.ROUND_OVER, True)


@pytest.mark.parametrize(
    ("rules", "changes", "named"),
    [
        (UNO_DUO, {"max_players": 3}, "max_players"),
        (UNO_DUO, {"max_players": 3}, "deal"),
        (UNO_POCKET, {"deal": "draft"}, "deal"),
        (UNO_POCKET, {"min_players": 4, "max_players": 3}, "min_players"),
        (UNO_POCKET, {"min_players": 1}, "min_players"),
        (UNO_POCKET, {"max_players": 6}, "max_players"),
        (UNO_POCKET, {"hand_size": 0}, "hand_size"),
        (UNO_POCKET, {"hand_size": 26}, "hand_size"),
        (UNO_DUO, {"hand_size": 29}, "hand_size"),
        (UNO_DUO, {"deck": {"R1": 27}}, "deck"),
        (UNO_DUO, {"deck": {"R1": 129}}, "deck"),
        (UNO_DUO, {"deck": {"R1": -1, "R2": 60}}, "deck"),
        (UNO_DUO, {"deck": (1,) * 54}, "deck"),
        (UNO_DUO, {"card_values": (1,) * 54}, "card_values"),
        (UNO_DUO, {"deck": {"Z1": 60}}, "Z1"),
        (UNO_DUO, {"target": 0}, "target"),
        (UNO_DUO, {"max_turns": 0}, "max_turns"),
        (UNO_DUO, {"draw_penalty": -1}, "draw_penalty"),
        (UNO_DUO, {"wild_draw_penalty": -1}, "wild_draw_penalty"),
        (UNO_DUO, {"failed_challenge_extra": -1}, "failed_challenge_extra"),
        (UNO_DUO, {"uno_penalty": -1}, "uno_penalty"),
        (UNO_DUO, {"deal": "thrown"}, "deal"),
        (UNO_DUO, {"scorer": "nobody"}, "scorer"),
        (UNO_DUO, {"recycle": "burn"}, "recycle"),
        (UNO_DUO, {"reverse": "other"}, "reverse"),
        (UNO_DUO, {"lone_reverse": "other"}, "lone_reverse"),
        (UNO_DUO, {"challenge_judges": "other"}, "challenge_judges"),
        (UNO_DUO, {"after_won_challenge": "other"}, "after_won_challenge"),
        (UNO_DUO, {"start_wild_named_by": "other"}, "start_wild_named_by"),
        (UNO_DUO, {"dip_gives": "other one"}, "dip_gives"),
        (UNO_DUO, {"uno_calls": "other"}, "uno_calls"),
    ],
)
def test_options_without_a_meaning_are_refused(rules, changes, named):
    with pytest.raises(ValueError, match=re.escape(named)):
        replace(rules, **changes)


def test_options_too_many_players_for_the_deck_are_refused_p1_p3():
    # Five hands of ten cards and a start card take 51 of the 52 cards, hands of eleven take 56.
    assert sizes(Game(replace(UNO_POCKET, hand_size=10), num_players=5)) == [10] * 5
    rules = replace(UNO_POCKET, hand_size=11)
    assert sizes(Game(rules, num_players=4)) == [11] * 4
    with pytest.raises(ValueError):
        Game(rules, num_players=5)
