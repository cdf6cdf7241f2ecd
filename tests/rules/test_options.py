"""Every option of the rule set changes what it should, and nothing else is needed for it.

The test of a field is named `test_option_<field>_<rule ids>`.
"""

from collections import Counter
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from tests.rules.positions import (
    COLORS,
    cards,
    deck_of,
    duo,
    play,
    pocket,
    pocket_start,
    sizes,
)
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, parse_card

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"
RED = f"{PILE}discard: R9\n"


def test_options_all_have_a_test():
    source = "".join(path.read_text() for path in Path(__file__).parent.glob("test_options*.py"))
    names = [field.name for field in fields(RuleSet)]
    assert [name for name in names if f"def test_option_{name}" not in source] == []


def test_options_of_a_preset_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        UNO_DUO.target = 100


@pytest.mark.parametrize(
    ("field", "duo_value", "pocket_value"),
    [
        ("deal", "draft", "deal"),
        ("hand_size", 7, 5),
        ("min_players", 2, 2),
        ("max_players", 2, 5),
        ("target", 200, 250),
        ("scorer", "loser", "winner"),
        ("draw_penalty", 2, 1),
        ("wild_draw_penalty", 4, 2),
        ("failed_challenge_extra", 2, 2),
        ("uno_penalty", 2, 2),
        ("recycle", "turn_over", "shuffle"),
        ("stack_draws", True, False),
        ("reverse", "dump", "direction"),
        ("lone_reverse", "plain", "again"),
        ("challenge_judges", "playable", "playable"),
        ("same_wild_draw_counts", False, False),
        ("after_won_challenge", "victim", "victim"),
        ("last_card_draws", True, True),
        ("start_wild_named_by", "before", "before"),
        ("dip_gives", "any", "any"),
        ("uno_calls", "explicit", "explicit"),
        ("max_turns", 10_000, 10_000),
    ],
)
def test_options_of_the_presets(field, duo_value, pocket_value):
    assert getattr(UNO_DUO, field) == duo_value
    assert getattr(UNO_POCKET, field) == pocket_value


def test_option_name():
    assert isinstance(UNO_DUO.name, str)
    assert UNO_DUO.name != UNO_POCKET.name
    assert replace(UNO_DUO, name="mine").name == "mine"


def test_option_reverse_last_opens_of_duo_d9():
    assert UNO_DUO.reverse_last_opens is True


CLASSIC = {f"{color}{symbol}": 2 for color in COLORS for symbol in "123456789SRD"}
CLASSIC |= {f"{color}0": 1 for color in COLORS} | {"W": 4, "WD": 4}


def test_option_deck_the_classic_108_d2():
    rules = replace(UNO_DUO, deck=CLASSIC)
    assert sum(rules.deck) == 108
    assert rules.deck[parse_card("W")] == 4
    game = play(Game(rules, seed=3), *["keep"] * 14)
    in_play = [*game.hands[0], *game.hands[1], *game.draw_pile, *game.discard_pile]
    assert Counter(in_play) == Counter(CLASSIC)


@pytest.mark.parametrize(
    "wilds",
    [
        {"W": 1, "WP": 1, "WD": 1},
        {"W": 1, "WP": 2, "WD": 1},
        {"W": 1, "WP": 1, "WD": 2},
    ],
)
def test_option_deck_other_wilds_in_pocket_p2(wilds):
    colored = {card: 1 for card in deck_of(UNO_POCKET) if not card.startswith("W")}
    rules = replace(UNO_POCKET, deck=colored | wilds)
    game = Game(rules, num_players=4, seed=1)
    in_play = [card for hand in game.hands for card in hand]
    in_play += [*game.draw_pile, *game.discard_pile]
    assert Counter(in_play) == Counter(colored | wilds)


def test_option_deck_by_kind_or_by_counts_p2():
    by_text = replace(UNO_POCKET, deck={"R1": 10, "G2": 8}, max_players=2)
    by_kind = replace(UNO_POCKET, deck={parse_card("R1"): 10, parse_card("G2"): 8}, max_players=2)
    counts = [0] * 55
    counts[parse_card("R1")], counts[parse_card("G2")] = 10, 8
    by_counts = replace(UNO_POCKET, deck=tuple(counts), max_players=2)
    assert by_text == by_kind == by_counts
    game = Game(by_text, seed=2)
    assert Counter([*game.hands[0], *game.hands[1], *game.draw_pile, *game.discard_pile]) == {
        "R1": 10,
        "G2": 8,
    }


def test_option_deal_dealt_in_duo_d4_p3():
    rules = replace(UNO_DUO, deal="deal")
    deck = cards("B1 G1 B2 G2 B3 G3 B4 G4 B5 G5 B6 G6 B7 G7 R9 Y1 Y2")
    game = Game.from_deck(rules, deck, first=0)
    assert (game.phase, game.current_player) == (Phase.TURN, 1)
    assert game.hands == [cards("G1 G2 G3 G4 G5 G6 G7"), cards("B1 B2 B3 B4 B5 B6 B7")]
    assert (game.discard_pile, game.draw_pile) == (["R9"], ["Y1", "Y2"])


def test_option_deal_drafted_in_pocket_d4_d5():
    rules = replace(UNO_POCKET, deal="draft", max_players=2)
    game = Game.from_deck(rules, cards("B1 G1 " * 10 + "R9 Y1"), first=0)
    assert game.phase == Phase.DRAFT
    play(game, *["keep"] * 10)
    assert (game.hands, game.discard_pile) == ([["B1"] * 5] * 2, ["R9"])
    assert game.draw_pile == cards("Y1" + " G1" * 10)


@pytest.mark.parametrize("hand_size", [1, 2, 7])
def test_option_hand_size_p3(hand_size):
    game = pocket_start("R9", 3, hand="B1 " * hand_size, hand_size=hand_size)
    assert sizes(game) == [hand_size] * 3


@pytest.mark.parametrize("hand_size", [1, 5, 9])
def test_option_hand_size_d4(hand_size):
    game = Game(replace(UNO_DUO, hand_size=hand_size), seed=1)
    picks = 0
    while game.phase == Phase.DRAFT:
        play(game, "reject")
        picks += 1
    assert picks == 2 * hand_size


@pytest.mark.parametrize("num_players", [3, 4, 5])
def test_option_max_players_d1(num_players):
    rules = replace(UNO_DUO, deal="deal", max_players=5)
    assert sizes(Game(rules, num_players=num_players)) == [7] * num_players
    with pytest.raises(ValueError):
        Game(replace(rules, max_players=num_players - 1), num_players=num_players)


def test_option_min_players_p1():
    rules = replace(UNO_POCKET, min_players=4)
    with pytest.raises(ValueError):
        Game(rules, num_players=3)
    assert len(Game(rules, num_players=4).hands) == 4


@pytest.mark.parametrize(("target", "over"), [(29, True), (30, True), (31, False)])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_target_c14(rules_game, target, over):
    values = {"W": 30}
    game = rules_game(f"hands: R1 | W{RED}", target=target, card_values=values)
    play(game, "R1")
    assert game.phase == (Phase.GAME_OVER if over else Phase.ROUND_OVER)


def test_option_scorer_winner_in_duo_d1_d11():
    game = play(duo(f"hands: R1 | W B5{RED}scores: 180 0", scorer="winner"), "R1")
    assert game.scores == [200, 0]
    # The highest total wins.
    assert (game.phase, game.winner) == (Phase.GAME_OVER, 0)


def test_option_scorer_winner_blocked_p10():
    game = play(duo("hands: B1 | G5\ndiscard: R9", scorer="winner"))
    play(game, "draw", "draw")
    assert game.scores == [5, 0]


def test_option_scorer_loser_in_pocket_p9_d11():
    game = pocket(f"hands: R1 | W B5 | BS{RED}scores: 10 220 30", scorer="loser")
    play(game, "R1")
    assert game.scores == [10, 275, 50]
    # The lowest total wins.
    assert (game.phase, game.winner) == (Phase.GAME_OVER, 0)


def test_option_scorer_loser_blocked_d12():
    game = pocket("hands: B1 | W | BS\ndiscard: R9", scorer="loser")
    play(game, "draw", "draw", "draw")
    assert game.scores == [1, 50, 20]


def test_option_scorer_loser_with_equal_lowest_totals_d12():
    game = pocket("hands: B1 | W | Y1\ndiscard: R9\nscores: 9 240 9", scorer="loser")
    play(game, "draw", "draw", "draw")
    assert game.scores == [10, 290, 10]
    assert (game.phase, game.winner) == (Phase.ROUND_OVER, None)


def test_option_card_values_d11():
    values = {"B5": 7, parse_card("W"): 100}
    game = play(duo(f"hands: R1 | B5 W B6{RED}", card_values=values), "R1")
    # B6 is not named, so it is worth nothing.
    assert game.scores == [0, 107]


def test_option_card_values_p9():
    game = play(pocket(f"hands: R1 | B5 B6{RED}", card_values=tuple([3] * 55)), "R1")
    assert game.scores == [6, 0]


@pytest.mark.parametrize("penalty", [1, 2, 3])
def test_option_draw_penalty_d8(penalty):
    game = play(duo(f"hands: RD R1 R2 | GD B1 B2{RED}", draw_penalty=penalty), "RD")
    assert game.pending == penalty
    play(game, "GD")
    assert game.pending == 2 * penalty
    play(game, "take")
    assert sizes(game) == [2 + 2 * penalty, 2]


@pytest.mark.parametrize("penalty", [1, 2, 4])
def test_option_draw_penalty_p5(penalty):
    game = play(pocket(f"hands: RD R1 R2 | B1 B2 | B3{RED}", draw_penalty=penalty), "RD")
    assert sizes(game) == [2, 2 + penalty, 1]


@pytest.mark.parametrize("penalty", [1, 3])
def test_option_draw_penalty_of_the_start_card_c13(penalty):
    assert sizes(pocket_start("RD", 3, draw_penalty=penalty)) == [5, 5 + penalty, 5]


@pytest.mark.parametrize("penalty", [1, 3, 5])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_wild_draw_penalty_d10_p7_c9(rules_game, penalty):
    text = f"hands: WD G1 G2 | B1 B2{RED}"
    game = play(rules_game(text, wild_draw_penalty=penalty), "WD:B")
    assert game.pending == penalty
    assert sizes(play(game.clone(), "take")) == [2, 2 + penalty]
    assert sizes(play(game, "challenge")) == [2, 4 + penalty]
    game = rules_game(text.replace("G1", "R1"), wild_draw_penalty=penalty)
    assert sizes(play(game, "WD:B", "challenge")) == [2 + penalty, 2]


@pytest.mark.parametrize("penalty", [1, 3])
def test_option_wild_draw_penalty_of_the_start_card_c13(penalty):
    game = play(pocket_start("WD", 3, wild_draw_penalty=penalty), "color:R")
    assert sizes(game) == [5, 5 + penalty, 5]


@pytest.mark.parametrize("extra", [0, 1, 4])
def test_option_failed_challenge_extra_c9(extra):
    game = duo(f"hands: WD G1 G2 | B1 B2{RED}", failed_challenge_extra=extra)
    assert sizes(play(game, "WD:B", "challenge")) == [2, 6 + extra]


@pytest.mark.parametrize("penalty", [1, 2, 4])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_option_uno_penalty_c4(rules_game, penalty):
    game = rules_game(f"hands: R1 G2 | B1 B2{RED}", uno_penalty=penalty)
    assert sizes(play(game, "R1", "silent", "catch")) == [1 + penalty, 2]
