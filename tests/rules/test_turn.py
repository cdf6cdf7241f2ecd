"""What may be done on a turn (C1 to C3)."""

import pytest

from tests.rules.positions import (
    COLORED,
    COLORS,
    DUO_KINDS,
    POCKET_KINDS,
    WILDS,
    dumps,
    duo,
    legal,
    named,
    play,
    pocket,
    single_cards,
)
from uno_sim import Phase

TOPS = [(card, card[0]) for card in COLORED]
WILD_TOPS = [(card, color) for card in WILDS for color in COLORS]


def matches(card: str, top: str, color: str) -> bool:
    """Say whether a card is playable, in the words of the rule."""
    if card in WILDS:
        return True
    if card[0] == color:
        return True
    return top not in WILDS and card[1] == top[1]


@pytest.mark.parametrize(("top", "color"), [pair for pair in TOPS + WILD_TOPS if pair[0] != "WP"])
def test_c1_duo_playable_cards_on_every_top(top, color):
    game = duo(f"hands: {' '.join(DUO_KINDS)} | R1 R2\ndiscard: {top}\ncolor: {color}")
    assert single_cards(game) == {card for card in DUO_KINDS if matches(card, top, color)}


@pytest.mark.parametrize(
    ("top", "color"), [pair for pair in TOPS + WILD_TOPS if "0" not in pair[0]]
)
def test_c1_pocket_playable_cards_on_every_top(top, color):
    game = pocket(f"hands: {' '.join(POCKET_KINDS)} | R1 R2\ndiscard: {top}\ncolor: {color}")
    assert single_cards(game) == {card for card in POCKET_KINDS if matches(card, top, color)}
    assert dumps(game) == set()


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("top", ["W", "WD", "WP"])
def test_c1_on_a_wild_only_the_named_color_or_a_wild_goes(top, color):
    hand = "R1 RS RD Y1 YS YD G1 GS GD B1 BS BD W"
    game = pocket(f"hands: {hand} | R1 R2\ndiscard: R1 {top}\ncolor: {color}")
    assert legal(game) == {f"{color}1", f"{color}S", f"{color}D", "draw"} | named("W")


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("card", WILDS)
def test_c1_a_wild_may_name_any_color_the_active_one_too(card, color):
    game = pocket(f"hands: {card} R1 R2 R3 | B1 B2\ndraw: Y1 Y2 Y3\ndiscard: {color}5")
    assert named(card) <= legal(game)
    play(game, f"{card}:{color}")
    assert (game.top_card, game.active_color) == (card, color)


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c1_a_number_matches_across_colors_and_becomes_the_color(rules_game):
    game = rules_game("hands: G5 B1 B2 | R1 R2\ndraw: Y1\ndiscard: R5")
    assert legal(game) == {"G5", "draw"}
    play(game, "G5")
    assert (game.top_card, game.active_color) == ("G5", "G")


def test_c1_a_number_does_not_match_a_different_number():
    game = duo("hands: G6 B1 B2 | R1 R2\ndraw: Y1\ndiscard: R9")
    assert legal(game) == {"draw"}


def test_c1_the_color_of_a_card_under_a_wild_does_not_count():
    game = duo("hands: R5 R6 G1 | R1 R2\ndraw: Y1\ndiscard: R5 W\ncolor: G")
    assert legal(game) == {"G1", "draw"}


@pytest.mark.parametrize("hand", ["R1 R2 R3", "G1 G2 G3", "W WD R5"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c2_a_draw_is_always_allowed(rules_game, hand):
    game = rules_game(f"hands: {hand} | B1 B2\ndraw: Y1 Y2\ndiscard: R9")
    assert "draw" in legal(game)
    assert "pass" not in legal(game)


def test_c2_one_card_is_laid_on_a_turn():
    game = play(pocket("hands: R1 R2 R3 | B1 B2 | G1 G2\ndiscard: R9"), "R1")
    assert game.hands[0] == ["R2", "R3"]
    assert game.discard_pile == ["R9", "R1"]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 1, 2)


def test_c2_one_card_is_drawn_on_a_turn():
    game = play(pocket("hands: R1 R2 | B1 B2 | G1 G2\ndraw: Y1 Y2\ndiscard: R9"), "draw")
    assert game.hands[0] == ["R1", "R2", "Y1"]
    assert game.draw_pile == ["Y2"]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 1, 2)


def test_c2_play_goes_round_the_table():
    game = pocket("hands: R1 R2 R3 | R4 R5 R6 | R7 R8 B1\ndiscard: R9")
    seats = []
    for card in ["R1", "R4", "R7"]:
        seats.append(game.current_player)
        play(game, card)
    assert [*seats, game.current_player] == [0, 1, 2, 0]


def test_c2_play_goes_round_the_other_way():
    game = pocket("hands: R1 R2 R3 | R4 R5 R6 | R7 R8 B1\ndiscard: R9\ndirection: right")
    seats = []
    for card in ["R1", "R7", "R4"]:
        seats.append(game.current_player)
        play(game, card)
    assert [*seats, game.current_player] == [0, 2, 1, 0]


@pytest.mark.parametrize("drawn", ["R3", "G9", "RD", "RS"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c3_only_the_drawn_card_may_be_laid(rules_game, drawn):
    game = rules_game(f"hands: R1 R2 W | B1 B2\ndraw: {drawn} Y1 Y2 Y3\ndiscard: R9")
    play(game, "draw")
    assert (game.phase, game.current_player, game.drawn_card) == (Phase.DRAWN, 0, drawn)
    assert drawn in game.hands[0]
    assert legal(game) == {drawn, "pass"}
    assert game.turns == 1


@pytest.mark.parametrize("drawn", ["W", "WD"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c3_a_drawn_wild_may_name_any_color(rules_game, drawn):
    game = rules_game(f"hands: R1 R2 R3 | B1 B2\ndraw: {drawn} Y1\ndiscard: R9")
    play(game, "draw")
    assert legal(game) == named(drawn) | {"pass"}


def test_c3_a_drawn_dip_may_be_laid():
    game = play(pocket("hands: R1 R2 R3 | B1 B2\ndraw: WP Y1\ndiscard: R9"), "draw")
    assert legal(game) == named("WP") | {"pass"}


@pytest.mark.parametrize("drawn", ["B7", "GS", "YD", "BR"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c3_an_unplayable_drawn_card_ends_the_turn_unasked(rules_game, drawn):
    game = rules_game(f"hands: R1 R2 W | B1 B2\ndraw: {drawn} Y1\ndiscard: R9")
    play(game, "draw")
    assert (game.phase, game.current_player, game.drawn_card) == (Phase.TURN, 1, None)
    assert drawn in game.hands[0]
    assert game.discard_pile == ["R9"]


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c3_the_drawn_card_may_be_kept(rules_game):
    game = rules_game("hands: R1 R2 | B1 B2\ndraw: R3 Y1\ndiscard: R9")
    play(game, "draw", "pass")
    assert game.hands[0] == ["R1", "R2", "R3"]
    assert (game.phase, game.current_player, game.drawn_card) == (Phase.TURN, 1, None)
    assert game.discard_pile == ["R9"]


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c3_the_drawn_card_may_be_laid(rules_game):
    game = rules_game("hands: R1 R2 | B1 B2\ndraw: R3 Y1\ndiscard: R9")
    play(game, "draw", "R3")
    assert game.hands[0] == ["R1", "R2"]
    assert (game.phase, game.current_player, game.drawn_card) == (Phase.TURN, 1, None)
    assert game.discard_pile == ["R9", "R3"]


def test_c3_a_drawn_card_may_equal_one_already_held():
    game = play(duo("hands: R3 B2 | B1 B2\ndraw: R3 Y1\ndiscard: R9"), "draw")
    assert legal(game) == {"R3", "pass"}
    play(game, "R3")
    assert game.hands[0] == ["R3", "B2"]


def test_c3_a_drawn_card_has_its_effect():
    game = play(duo("hands: R1 R2 | B1 B2\ndraw: RD Y1 Y2\ndiscard: R9"), "draw", "RD")
    assert (game.phase, game.current_player, game.pending) == (Phase.VOLLEY, 1, 2)


def test_c3_d9_a_drawn_reverse_may_start_an_owed_dump():
    game = play(duo("hands: R1 RS G2 GR | B1 B2\ndraw: RR Y1\ndiscard: R9"), "draw")
    assert legal(game) == {"RR", "R>R1", "R>RS", "pass"}
    play(game, "R>R1")
    assert game.discard_pile == ["R9", "RR", "RS", "R1"]


def test_c3_d9_a_drawn_reverse_beside_another_one_may_end_the_dump():
    game = play(duo("hands: RR G2 G3 | B1 B2\ndraw: RR Y1\ndiscard: R9"), "draw")
    assert legal(game) == {"RR", "R>RR", "pass"}


def test_c3_d9_a_drawn_reverse_with_no_other_of_its_color_goes_alone():
    game = play(duo("hands: G1 W G2 | B1 B2\ndraw: RR Y1\ndiscard: R9"), "draw")
    assert legal(game) == {"RR", "pass"}


def test_c3_d9_a_drawn_card_that_is_no_reverse_starts_no_dump():
    game = play(duo("hands: RR R1 R2 | B1 B2\ndraw: R3 Y1\ndiscard: R9"), "draw")
    assert legal(game) == {"R3", "pass"}


def test_c3_d9_a_drawn_reverse_of_another_color_starts_no_dump_in_the_top_color():
    game = play(duo("hands: RR R1 G1 | B1 B2\ndraw: GR Y1\ndiscard: YR\ncolor: Y"), "draw")
    assert legal(game) == {"GR", "G>G1", "pass"}


def test_c3_c2_passing_needs_a_draw_first():
    game = pocket("hands: G1 G2 | B1 B2\ndraw: Y1\ndiscard: R9")
    assert legal(game) == {"draw"}
