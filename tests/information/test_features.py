"""The layout of the features, and what each block holds on positions worked out by hand."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.information.walks import WALKS, positions
from tests.rules.positions import duo, play, pocket
from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet, parse_action, parse_card
from uno_sim.compilation import JIT_DISABLED
from uno_sim.feature_layout import LAST_EVENTS
from uno_sim.features import (
    BLOCKS,
    FEATURES_VERSION,
    NUM_FEATURES,
    STARTS,
    encode,
    feature_name,
    write_features,
)
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import FIELDS, Phase, Visibility, allocate, copy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {block.name: block.size for block in BLOCKS}
EVENT_SIZE = SIZES["events"] // LAST_EVENTS
TYPES = "lay dump wild draw draft take challenge uno silent catch other forced".split()


def block(game: Game, player: int, name: str) -> np.ndarray[Any, Any]:
    """Return one block of the features of a player."""
    return encode(game.observation(player))[STARTS[name] :][: SIZES[name]]


def nonzero(game: Game, player: int, name: str) -> dict[int, float]:
    """Return the features of a block that are not zero, rounded, by their place in it."""
    values = block(game, player, name)
    return {int(place): round(float(values[place]), 4) for place in np.flatnonzero(values)}


def kinds(cards: str, value: float = 1.0) -> dict[int, float]:
    return {parse_card(card): value for card in cards.split()}


def card_of(text: str) -> dict[int, float]:
    """Return the features of one card: its color and its symbol, or which wild it is."""
    if text in ("W", "WD", "WP"):
        return {17 + ["W", "WD", "WP"].index(text): 1.0}
    return {"RYGB".index(text[0]): 1.0, 4 + "0123456789SRD".index(text[1]): 1.0}


def test_the_blocks_follow_each_other_without_gap_or_overlap():
    place = 0
    for one in BLOCKS:
        assert STARTS[one.name] == place and one.size > 0 and one.meaning
        place += one.size
    assert place == NUM_FEATURES and len(STARTS) == len(BLOCKS)
    assert isinstance(FEATURES_VERSION, int) and FEATURES_VERSION >= 1


def test_every_feature_has_a_name():
    names = [feature_name(index) for index in range(NUM_FEATURES)]
    assert len(set(names)) == NUM_FEATURES
    assert (names[0], names[-1]) == ("legal[0]", f"options[{SIZES['options'] - 1}]")
    for one in BLOCKS:
        assert names[STARTS[one.name]] == f"{one.name}[0]"
    for index in (-1, NUM_FEATURES):
        with pytest.raises(ValueError, match=f"feature {index}: must be from 0 to"):
            feature_name(index)


@pytest.mark.parametrize("name", WALKS)
def test_features_are_finite_float32_and_written_anew(name):
    for game in positions(name, games=1, share=0.05):
        for player in range(game.num_players):
            observation = game.observation(player)
            before = observation.record.tobytes()
            features = encode(observation)
            assert features.shape == (NUM_FEATURES,) and features.dtype == np.float32
            # No count has wrapped around: every feature is a small number.
            assert np.isfinite(features).all()
            own = features[: STARTS["scores"]]
            assert own.min() >= -1 and own.max() <= 15, feature_name(int(own.argmax()))
            written = np.full(NUM_FEATURES, np.nan, np.float32)
            write_features(observation.record, player, game.rules.record, written)
            assert written.tobytes() == features.tobytes()
            assert observation.record.tobytes() == before


@pytest.mark.parametrize("name", WALKS)
def test_the_features_say_what_the_observation_says(name):
    for game in positions(name, games=1, share=0.05):
        for player in range(game.num_players):
            observation = game.observation(player)
            seats = [(player + step) % game.num_players for step in range(game.num_players)]
            legal = dict.fromkeys(observation.legal_actions(), 1.0)
            assert nonzero(game, player, "legal") == legal
            unseen = {parse_card(card): n / 2 for card, n in observation.unseen.items()}
            assert nonzero(game, player, "unseen") == unseen
            known = block(game, player, "known_hands").reshape(MAX_PLAYERS - 1, -1)
            for row, seat in zip(known, seats[1:], strict=False):
                counts = np.zeros(len(row), np.float32)
                for card in observation.known_hands[seat]:
                    counts[parse_card(card)] += 0.5
                assert row.tolist() == counts.tolist()
            sizes = [game.hand_sizes[seat] / 10 for seat in seats]
            assert block(game, player, "hand_sizes")[: len(seats)].tolist() == pytest.approx(sizes)
            next_cards = [set(card_of(c)) if c else set() for c in observation.known_pile[:4]]
            rows = block(game, player, "next_cards").reshape(4, -1)
            next_cards += [set()] * (4 - len(next_cards))
            assert [set(np.flatnonzero(row)) for row in rows] == next_cards


def test_question_and_cards_on_a_position_made_by_hand():
    text = """
    hands: R3 R3 RR W | G5 WD B9
    draw: Y1 Y2
    discard: B4 R5
    scores: 50 100
    turns: 7
    round: 3
    first: 1
    """
    game = duo(text)
    legal = "R3 RR R>R3 W:R W:Y W:G W:B draw".split()
    assert nonzero(game, 0, "legal") == {parse_action(action): 1.0 for action in legal}
    assert nonzero(game, 1, "legal") == {}
    assert nonzero(game, 0, "phase") == {int(Phase.TURN): 1.0}
    assert nonzero(game, 0, "hand") == {**kinds("RR W", 0.5), **kinds("R3", 1.0)}
    assert nonzero(game, 1, "hand") == kinds("G5 WD B9", 0.5)
    assert nonzero(game, 0, "unseen") == kinds("G5 WD B9 Y1 Y2", 0.5)
    assert nonzero(game, 1, "unseen") == {**kinds("RR W Y1 Y2", 0.5), **kinds("R3", 1.0)}
    assert nonzero(game, 0, "top_card") == card_of("R5")
    assert nonzero(game, 0, "active_color") == {0: 1.0}
    assert nonzero(game, 0, "to_move") == {0: 1.0} and nonzero(game, 1, "to_move") == {1: 1.0}
    assert nonzero(game, 0, "first") == {1: 1.0} and nonzero(game, 1, "first") == {0: 1.0}
    # Direction, two cards to draw, two discards, turn 7.
    assert nonzero(game, 0, "table") == {0: 1.0, 5: 0.02, 7: 0.02, 8: 0.07}
    assert nonzero(game, 0, "hand_sizes") == {0: 0.4, 1: 0.3}
    assert nonzero(game, 0, "scores") == {0: 0.25, 1: 0.5}
    assert nonzero(game, 1, "scores") == {0: 0.5, 1: 0.25}
    assert nonzero(game, 0, "game") == {0: 1.0, 1: 0.3}
    assert nonzero(game, 0, "players") == {0: 1.0}
    for name in ("own_card", "known_hands", "next_cards", "drew_on", "events"):
        assert nonzero(game, 0, name) == {}


def test_the_table_after_a_dump_and_in_a_volley():
    text = "hands: RR R3 RD B9 | G5 YD B9\ndraw: Y1 Y2\ndiscard: B4 R5\ncolor: R"
    game = play(duo(text), "R>RD", "uno")
    assert game.phase == Phase.VOLLEY
    # Last was a dump, pending 2, five discards.
    assert nonzero(game, 1, "table") == {0: 1.0, 2: 1.0, 3: 0.2, 5: 0.02, 7: 0.05, 8: 0.01}
    assert nonzero(game, 1, "top_before") == card_of("R5")
    wild = play(duo("hands: W WD R1 | G5 Y3 B9\ndraw: Y1 Y2\ndiscard: B4"), "W:R")
    assert nonzero(wild, 1, "top_card") == card_of("W") == {17: 1.0}
    assert nonzero(game, 1, "color_before") == {0: 1.0}
    assert nonzero(game, 0, "actor") == {0: 1.0} and nonzero(game, 1, "actor") == {1: 1.0}
    assert nonzero(game, 1, "phase") == {int(Phase.VOLLEY): 1.0}


def test_direction_open_reverse_and_passes():
    text = "hands: R1 R2 | B1 B2 | G1 G2\ndiscard: {}\ndirection: {}\nopen reverse: {}"
    assert block(pocket(text.format("R9", "right", "no")), 0, "table")[0] == -1
    game = duo(text.replace(" | G1 G2", "").format("RR", "left", "yes"))
    assert nonzero(game, 1, "table") == {0: 1.0, 1: 1.0, 7: 0.01, 8: 0.01}
    passed = play(pocket(text.format("R9", "right", "no")), "draw")
    assert passed.state.passes == 1 and nonzero(passed, 0, "table")[4] == 0.2


def event(game: Game, player: int, number: int) -> dict[str, Any]:
    """Return one event of the features by name, the newest is number 0."""
    start = number * EVENT_SIZE
    row = block(game, player, "events")[start : start + EVENT_SIZE]
    places = {"seat": 5, "type": 12, "color": 4, "symbol": 13}
    found: dict[str, Any] = {}
    for name, size in places.items():
        (marked,) = np.nonzero(row[:size])
        found[name] = [int(one) for one in marked]
        row = row[size:]
    found["type"] = [TYPES[one] for one in found["type"]]
    return {**found, "numbers": [round(float(one), 4) for one in row]}


def test_the_last_events_newest_first():
    text = "hands: RR R3 RD B9 | G5 YD WD B9\ndraw: B8 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9\ndiscard: B4 R5"
    game = play(duo(text), "R>RD", "silent", "catch", "take", "draw", "WD:G", "challenge")
    newest = [event(game, 0, number) for number in range(8)]
    assert [one["type"][0] for one in newest] == (
        "forced challenge wild draw forced take forced catch".split()
    )
    forced, challenge, wild, draw, victim = newest[:5]
    # Seat 1 held a Draw Two, and RD was on top: guilty, it draws four.
    assert challenge == {
        "seat": [0], "type": ["challenge"], "color": [], "symbol": [], "numbers": [0.25, 0.0, 1.0],
    }  # fmt: skip
    assert forced["seat"] == [1] and forced["numbers"] == [1.0, 0.0, 0.0]
    assert wild == {
        "seat": [1], "type": ["wild"], "color": [2], "symbol": [1], "numbers": [0.25, 0.0, 0.0],
    }  # fmt: skip
    assert draw["seat"] == [0] and draw["numbers"] == [0.25, 0.0, 0.0]
    assert victim["seat"] == [1] and victim["numbers"] == [0.5, 0.0, 0.0]
    assert event(game, 1, 2)["seat"] == [0]


def test_a_dump_a_known_draw_and_a_card_just_drawn_among_the_events():
    game = play(duo("hands: RR R3 RD B9 | G5 B9\ndraw: Y1\ndiscard: B4 R5"), "R>RD")
    assert event(game, 1, 0) == {
        "seat": [1], "type": ["dump"], "color": [0], "symbol": [12], "numbers": [0.75, 0.0, 0.0],
    }  # fmt: skip
    game = play(duo("hands: B1 B2 | G1 G2\ndiscard: R4 R6 R5"), "draw", "R4")
    assert event(game, 0, 0) == {
        "seat": [0], "type": ["lay"], "color": [0], "symbol": [4], "numbers": [0.25, 0.25, 1.0],
    }  # fmt: skip
    assert event(game, 0, 1)["type"] == ["draw"] and event(game, 0, 1)["numbers"][1] == 0.25
    recycling = event(game, 0, 2)
    assert recycling["seat"] == [] and recycling["type"] == ["other"]
    assert recycling["numbers"] == [0.02, 0.02, 0.0]
    assert event(game, 0, 3)["type"] == []


def test_who_drew_on_which_color_and_how_long_ago():
    game = pocket("hands: R1 R2 | B1 B2 | G1 G2\ndraw: Y1 Y2 Y3 Y4\ndiscard: R9\nturns: 5")
    play(game, "draw")
    # Seat 0 drew on red on turn 5, this is turn 6.
    assert nonzero(game, 1, "drew_on") == {2 * 4 + 0: 0.5}
    assert nonzero(game, 0, "drew_on") == {0: 0.5}
    play(game, "draw", "draw")
    assert nonzero(game, 0, "drew_on") == {0: 0.25, 4: 0.3333, 8: 0.5}


OPTION_CHANGES: list[tuple[str, RuleSet, dict[str, Any], dict[int, float]]] = [
    ("deal", UNO_DUO, {"deal": "deal"}, {0: 0.0}),
    ("hand size", UNO_POCKET, {"hand_size": 6}, {1: 6 / 7}),
    ("scorer", UNO_POCKET, {"scorer": "loser"}, {2: 1.0}),
    ("draw penalty", UNO_POCKET, {"draw_penalty": 3}, {3: 0.75}),
    ("wild draw penalty", UNO_DUO, {"wild_draw_penalty": 6}, {4: 1.5}),
    ("failed challenge", UNO_DUO, {"failed_challenge_extra": 4}, {5: 1.0}),
    ("UNO penalty", UNO_DUO, {"uno_penalty": 4}, {6: 1.0}),
    ("recycling", UNO_DUO, {"recycle": "shuffle"}, {7: 1.0}),
    ("volley", UNO_DUO, {"stack_draws": False}, {8: 0.0}),
    ("dumps", UNO_DUO, {"reverse": "direction"}, {9: 0.0}),
    ("lone Reverse", UNO_DUO, {"lone_reverse": "again"}, {10: 1.0}),
    ("last Reverse", UNO_DUO, {"reverse_last_opens": False}, {11: 0.0}),
    ("judged by color", UNO_DUO, {"challenge_judges": "color"}, {12: 1.0}),
    ("same wild draw", UNO_DUO, {"same_wild_draw_counts": True}, {13: 1.0}),
    ("offender moves", UNO_DUO, {"after_won_challenge": "offender"}, {14: 1.0}),
    ("last card draws", UNO_DUO, {"last_card_draws": False}, {15: 0.0}),
    ("starter names", UNO_DUO, {"start_wild_named_by": "starter"}, {16: 1.0}),
    ("dip gives drawn", UNO_POCKET, {"dip_gives": "drawn"}, {17: 1.0}),
    ("dip gives other", UNO_POCKET, {"dip_gives": "other"}, {18: 1.0}),
    ("calls", UNO_DUO, {"uno_calls": "automatic"}, {19: 0.0}),
    ("value of Skip", UNO_DUO, {"card_values": {"RS": 25, "WD": 20}}, {20: 0.5}),
    ("value of Wild Draw", UNO_DUO, {"card_values": {"RS": 10, "WD": 30}}, {21: 0.6}),
]


@pytest.mark.parametrize(
    ("rules", "change", "expected"),
    [one[1:] for one in OPTION_CHANGES],
    ids=[one[0] for one in OPTION_CHANGES],
)
def test_each_option_has_its_feature(rules, change, expected):
    text = "hands: R1 R2 | B1 B2\ndraw: Y1\ndiscard: R9"
    plain = block(Game.from_position(rules, text), 0, "options")
    changed = block(Game.from_position(replace(rules, **change), text), 0, "options")
    assert {int(place) for place in np.flatnonzero(plain != changed)} == set(expected)
    for place, value in expected.items():
        assert changed[place] == pytest.approx(value)


def test_every_feature_of_the_options_is_changed_by_one():
    assert sorted(place for one in OPTION_CHANGES for place in one[3]) == list(
        range(SIZES["options"])
    )


def rotated(state: Any, steps: int) -> Any:
    """Return a record in which each player sits `steps` seats further to the left."""
    record = copy(state)
    count = int(state.num_players)
    seats = [(seat + steps) % count for seat in range(count)]
    for field in FIELDS:
        value = np.array(state[field.name])
        if field.shape[:1] == (MAX_PLAYERS,):
            moved = value.copy()
            moved[seats] = value[:count]
            if field.name == "seen":
                inner = moved.copy()
                inner[:, seats] = moved[:, :count]
                moved = inner
            record[field.name] = moved
    for name in ("current_player", "first", "actor", "round_winner", "winner"):
        if state[name] >= 0:
            record[name] = (state[name] + steps) % count
    record.events[:, 0] = (state.events[:, 0] + steps) % count
    return record


@pytest.mark.parametrize("name", WALKS)
def test_seats_are_counted_from_the_observer_on(name):
    for game in positions(name, games=1, share=0.04):
        for steps in range(1, game.num_players):
            twin = Game.from_state(game.rules, rotated(game.state, steps))
            for player in range(game.num_players):
                moved = (player + steps) % game.num_players
                ours, theirs = game.observation(player), twin.observation(moved)
                assert encode(ours).tobytes() == encode(theirs).tobytes()


def test_unused_seats_and_things_that_are_not_there_are_zero():
    game = Game(UNO_DUO, seed=5)
    for name in ("top_card", "active_color", "top_before", "color_before", "actor"):
        assert nonzero(game, 0, name) == {}
    for name in ("known_hands", "next_cards", "drew_on", "events", "scores"):
        assert nonzero(game, 0, name) == {}
    for rules, num_players in ((UNO_DUO, 2), (UNO_POCKET, 3)):
        game = Game(rules, num_players, seed=5)
        for name in ("hand_sizes", "scores", "to_move", "actor", "first"):
            assert not block(game, 0, name)[num_players:].any()
        assert not block(game, 0, "known_hands")[(num_players - 1) * 55 :].any()


def features_of_walks() -> list[str]:
    """Return the features of some positions as text; the same in both ways of running."""
    found = []
    for name in ("duo", "pocket, three players", "pocket, turned over", "duo, five players"):
        rules, num_players = WALKS[name]
        game = Game(rules, num_players, seed=31)
        for number in range(70):
            if game.current_player is None:
                break
            legal = game.legal_actions()
            game.step(legal[number * 7 % len(legal)])
            if number % 5 == 0:
                views = [encode(game.observation(seat)) for seat in range(num_players)]
                found.append(b"".join(one.tobytes() for one in views).hex())
    return found


SCRIPT = """
from numba.core import config
from tests.information.test_features import features_of_walks
assert config.DISABLE_JIT
print("\\n".join(features_of_walks()))
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_plain_python_gives_the_same_features():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ROOT},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    expected = features_of_walks()
    assert len(expected) > 30 and done.stdout.split() == expected


def test_the_fields_of_a_blank_record_that_have_a_block_are_zero():
    # Two players and nothing else: only their number, the phase and the direction say something.
    record = allocate(1)[0]
    record.num_players = 2
    record.round_number = 0
    features = np.empty(NUM_FEATURES, np.float32)
    write_features(record, 0, UNO_DUO.record, features)
    marked = {feature_name(int(place)) for place in np.flatnonzero(features[: STARTS["game"]])}
    assert marked == {"phase[0]", "table[0]"}
    assert {field.visibility for field in FIELDS} == set(Visibility)


def test_cards_at_other_depths_of_a_known_pile_give_other_features():
    game = Game(UNO_DUO, seed=3)
    while game.phase == Phase.DRAFT:
        game.step("keep")
    observation = game.observation(game.current_player)
    size = int(observation.record.known_size)
    assert size >= 4
    found = set()
    for order in itertools.permutations(["R5", "R5", "G7", "G7"]):
        observation.record.draw_pile[:4] = [parse_card(card) for card in order]
        found.add(encode(observation).tobytes())
    assert len(found) == 6
