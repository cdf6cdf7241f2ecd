"""The engine against the reference model: many seeded rounds, compared at every decision."""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from tests.reference_cards import CARDS, COLORS
from tests.reference_comparison import compare
from tests.reference_situations import Situations
from uno_sim import UNO_DUO, UNO_POCKET, RuleSet

PRESETS = {
    "duo 2": (UNO_DUO, 2),
    "pocket 2": (UNO_POCKET, 2),
    "pocket 3": (UNO_POCKET, 3),
    "pocket 4": (UNO_POCKET, 4),
    "pocket 5": (UNO_POCKET, 5),
}
PRESET_ROUNDS = 2000
UNIFORM_ROUNDS = 60
OWN_DEAL_ROUNDS = 150
OPTION_ROUNDS = 300
COMBINATIONS = 60
COMBINATION_ROUNDS = 40

CLASSIC_108 = {
    **{color + symbol: 1 if symbol == "0" else 2 for color in COLORS for symbol in "0123456789SRD"},
    "W": 4,
    "WD": 4,
}
ODD_VALUES = [7 * kind % 31 for kind in range(len(CARDS))]
ALL_ONE = [1] * len(CARDS)


def with_cards(rules: RuleSet, **counts: int) -> tuple[int, ...]:
    """The deck of a rule set with other counts for some cards."""
    return tuple(counts.get(card, count) for card, count in zip(CARDS, rules.deck, strict=True))


DUO_DIPS = with_cards(UNO_DUO, W=4, WP=4)

EITHER_GAME: list[dict[str, Any]] = [
    {"deck": CLASSIC_108},
    {"hand_size": 1},
    {"hand_size": 3},
    {"target": 1},
    {"target": 90},
    {"card_values": ODD_VALUES},
    {"card_values": ALL_ONE, "target": 3},
    {"draw_penalty": 0},
    {"draw_penalty": 3},
    {"wild_draw_penalty": 0},
    {"wild_draw_penalty": 3},
    {"failed_challenge_extra": 0},
    {"failed_challenge_extra": 3},
    {"uno_penalty": 0},
    {"uno_penalty": 3},
    {"same_wild_draw_counts": True},
    {"challenge_judges": "color"},
    {"after_won_challenge": "offender"},
    {"last_card_draws": False},
    {"start_wild_named_by": "starter"},
    {"uno_calls": "automatic"},
    {"max_turns": 1},
    {"max_turns": 12},
]
DUO_OPTIONS: list[dict[str, Any]] = [
    *EITHER_GAME,
    {"deal": "deal"},
    {"deal": "deal", "max_players": 5},
    {"scorer": "winner"},
    {"recycle": "shuffle"},
    {"stack_draws": False},
    {"reverse": "direction"},
    {"lone_reverse": "again"},
    {"reverse": "direction", "lone_reverse": "again"},
    {"reverse_last_opens": False},
    {"deck": DUO_DIPS},
    {"deck": DUO_DIPS, "dip_gives": "drawn"},
    {"deck": DUO_DIPS, "dip_gives": "other"},
    {"deck": DUO_DIPS, "start_wild_named_by": "starter"},
]
POCKET_OPTIONS: list[dict[str, Any]] = [
    *EITHER_GAME,
    {"deck": with_cards(UNO_POCKET, W=1)},
    {"deck": with_cards(UNO_POCKET, W=1, WP=2)},
    {"deck": with_cards(UNO_POCKET, W=1, WD=2)},
    {"deck": with_cards(UNO_POCKET, W=1, WD=2), "same_wild_draw_counts": True},
    {"deal": "draft", "max_players": 2},
    {"scorer": "loser"},
    {"recycle": "turn_over"},
    {"stack_draws": True},
    {"reverse": "dump"},
    {"reverse": "dump", "lone_reverse": "plain"},
    {"reverse": "dump", "reverse_last_opens": False},
    {"lone_reverse": "plain"},
    {"dip_gives": "drawn"},
    {"dip_gives": "other"},
]


def changed(rules: RuleSet, changes: dict[str, Any]) -> tuple[RuleSet, tuple[int, ...]]:
    """A variant, and the numbers of players it is played with."""
    variant = dataclasses.replace(rules, **changes)
    return variant, tuple(range(variant.min_players, variant.max_players + 1))


CORNERS = {
    "duo, few cards": changed(UNO_DUO, {"hand_size": 1, "target": 1, "card_values": ALL_ONE}),
    "pocket, many wilds": changed(
        UNO_POCKET,
        {
            "deck": with_cards(UNO_POCKET, WP=12, WD=6),
            "hand_size": 2,
            "target": 20,
            "card_values": ALL_ONE,
        },
    ),
}


def combination(number: int) -> tuple[RuleSet, tuple[int, ...]]:
    """Every option drawn at random."""
    draw = random.Random(f"combination {number}")
    deal = draw.choice(("draft", "deal"))
    deck = draw.choice((UNO_DUO.deck, UNO_POCKET.deck, DUO_DIPS))
    return changed(
        UNO_DUO,
        {
            "deal": deal,
            "deck": deck,
            "max_players": 2 if deal == "draft" else 5,
            "hand_size": draw.randint(1, 7),
            "target": draw.choice((1, 30, 200, 250)),
            "card_values": draw.choice(
                (UNO_DUO.card_values, UNO_POCKET.card_values, ODD_VALUES, ALL_ONE)
            ),
            "scorer": draw.choice(("loser", "winner")),
            "draw_penalty": draw.randint(0, 3),
            "wild_draw_penalty": draw.randint(0, 4),
            "failed_challenge_extra": draw.randint(0, 3),
            "uno_penalty": draw.randint(0, 3),
            "recycle": draw.choice(("turn_over", "shuffle")),
            "stack_draws": draw.random() < 0.5,
            "reverse": draw.choice(("dump", "direction")),
            "lone_reverse": draw.choice(("plain", "again")),
            "reverse_last_opens": draw.random() < 0.7,
            "challenge_judges": draw.choice(("playable", "color")),
            "same_wild_draw_counts": draw.random() < 0.5,
            "after_won_challenge": draw.choice(("victim", "offender")),
            "last_card_draws": draw.random() < 0.7,
            "start_wild_named_by": draw.choice(("before", "starter")),
            "dip_gives": draw.choice(("any", "drawn", "other")),
            "uno_calls": draw.choice(("explicit", "explicit", "automatic")),
            "max_turns": draw.choice((25, 400, 10_000)),
        },
    )


@cache
def compared_preset(name: str) -> Situations:
    rules, num_players = PRESETS[name]
    return compare(rules, (num_players,), PRESET_ROUNDS, name, most_turns=100)


@cache
def compared_corner(name: str) -> Situations:
    rules, players = CORNERS[name]
    return compare(rules, players, OPTION_ROUNDS, name)


@cache
def compared_combination(number: int) -> Situations:
    rules, players = combination(number)
    return compare(rules, players, COMBINATION_ROUNDS, f"combination {number}")


def text(changes: dict[str, Any]) -> str:
    """A short id of a variant; decks and values by their sum."""
    short = {
        field: sum(value.values() if isinstance(value, dict) else value)
        for field, value in changes.items()
        if field in ("deck", "card_values")
    }
    return " ".join(f"{field}={value}" for field, value in (changes | short).items())


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_preset(name: str) -> None:
    assert compared_preset(name).rounds >= PRESET_ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_uniformly_random_rounds_to_their_end(name: str) -> None:
    rules, num_players = PRESETS[name]
    seed = f"uniform {name}"
    run = compare(rules, (num_players,), UNIFORM_ROUNDS, seed, most_turns=2000, uniform=True)
    assert run.counts["capped"] < run.rounds / 4


@pytest.mark.parametrize("name", PRESETS)
def test_own_deals(name: str) -> None:
    rules, num_players = PRESETS[name]
    run = compare(rules, (num_players,), OWN_DEAL_ROUNDS, f"own deals {name}", own_deals=True)
    assert run.rounds >= OWN_DEAL_ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("changes", DUO_OPTIONS, ids=text)
def test_duo_option(changes: dict[str, Any]) -> None:
    rules, players = changed(UNO_DUO, changes)
    assert compare(rules, players, OPTION_ROUNDS, text(changes)).rounds >= OPTION_ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("changes", POCKET_OPTIONS, ids=text)
def test_pocket_option(changes: dict[str, Any]) -> None:
    rules, players = changed(UNO_POCKET, changes)
    assert compare(rules, players, OPTION_ROUNDS, text(changes)).rounds >= OPTION_ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("name", CORNERS)
def test_corner(name: str) -> None:
    assert compared_corner(name).rounds >= OPTION_ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("number", range(COMBINATIONS))
def test_combination(number: int) -> None:
    assert compared_combination(number).rounds >= COMBINATION_ROUNDS


COMMON_SITUATIONS = {
    *("phase CHOOSE_COLOR", "phase TURN", "phase DRAWN", "phase CHALLENGE", "phase UNO"),
    *("phase CATCH", "phase ROUND_OVER", "phase GAME_OVER"),
    *("start card number", "start card Skip", "start card Reverse", "start card Draw"),
    *("start card Wild", "start card Wild Draw"),
    *("drawn card playable", "drawn card laid", "drawn card kept unasked"),
    *("recycled by a draw", "recycled in the middle of a penalty", "penalty partly forgiven"),
    *("pass", "a card after a pass", "blocked", "game ended by a blocked round", "capped"),
    *("caught", "silence that nobody catches", "challenge after a caught silence"),
    *("challenge won", "challenge lost", "bluff believed", "honest wild draw taken"),
    "only the cards of the penalty are playable",
    *("out with number", "out with Skip", "out with Reverse", "out with Draw", "out with Wild"),
    *("out with Wild Draw", "last card draws", "same player after Skip"),
}
DUO_SITUATIONS = COMMON_SITUATIONS | {
    *("phase DRAFT", "phase VOLLEY"),
    *("volley of three", "call due in a volley", "out in a volley"),
    *("owed dump", "open dump", "owed dump beside an open Reverse", "open Reverse left unused"),
    *("dump ending in number", "dump ending in Skip", "dump ending in Reverse"),
    *("dump ending in Draw", "dump ending in one of two copies", "dump of two Reverses"),
    *("dump begun by a drawn Reverse", "Reverse open after a dump", "out with a dump"),
}
POCKET_SITUATIONS = COMMON_SITUATIONS | {
    *("phase GIVE", "start card Dip", "start Dip without a card"),
    *("gift of a start card", "gift on a turn", "gift of the drawn card", "other gift"),
    *("recycled by a dip", "out with Dip", "blocked round that scores nobody"),
    *("direction turned", "same player after Reverse", "same player after Draw"),
    "caught by a later opponent",
}
OPTION_SITUATIONS = {
    "offender moves after a won challenge",
    *("volley of more than two players", "dump with more than two players"),
}


def missing(situations: set[str], runs: Iterable[Situations]) -> set[str]:
    """The situations that no run has met."""
    met: Counter[str] = Counter()
    for run in runs:
        met.update(run.counts)
    return situations - met.keys()


@pytest.mark.slow
def test_duo_runs_meet_every_situation() -> None:
    runs = [compared_preset("duo 2"), compared_corner("duo, few cards")]
    assert missing(DUO_SITUATIONS, runs[:1]) == set()
    assert missing({"tie at the target"}, runs) == set()


@pytest.mark.slow
def test_pocket_runs_meet_every_situation() -> None:
    runs = [compared_preset(name) for name in PRESETS if name.startswith("pocket")]
    corner = compared_corner("pocket, many wilds")
    assert missing(POCKET_SITUATIONS, [*runs, corner]) == set()


@pytest.mark.slow
def test_combinations_meet_every_situation() -> None:
    runs = [compared_combination(number) for number in range(COMBINATIONS)]
    assert missing(DUO_SITUATIONS | OPTION_SITUATIONS, runs) == set()
