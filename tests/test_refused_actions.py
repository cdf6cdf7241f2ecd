"""An action that is not legal is refused with its reason, and changes nothing."""

import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.random_play import VARIANTS, play_round
from uno_sim import (
    NUM_ACTIONS,
    UNO_DUO,
    UNO_POCKET,
    Game,
    IllegalActionError,
    Phase,
    action_name,
    parse_action,
)

PHASES = set(Phase)
OVER = (Phase.ROUND_OVER, Phase.GAME_OVER)
SAMPLED = 61
"""One decision in so many is tried, besides the first of each phase."""

NO_INTEGERS = [-1, -2, NUM_ACTIONS, 1000, 2**31, 2**63 - 1, -(2**63), np.int8(-1), np.int64(999)]
HUGE_INTEGERS = [2**63, 2**64 - 1, 2**64, 2**200, -(2**63) - 1, -(2**200), np.uint64(2**64 - 1)]
NO_ACTIONS: list[Any] = [
    *(None, True, False, 1.0, 116.0, float("nan"), np.float64(116), np.bool_(True), b"draw"),
    *([116], (116,), {116}, np.array(116), np.array([116]), Phase, object(), 1j),
]
NO_TEXTS = [
    *("", " ", "R", "7", "R7 ", " R7", "r7", "R10", "X3", "R>", "R>Y5", ">R5", "R>WD", "W", "WD"),
    *("W:", "W:X", "W:R ", "WD:r", "WX:R", "Draw", "DRAW", "draw\n", "116", "give", "give:"),
    *("give:X1", "color", "color:X", "color: R", "uno!", "pass draw", "\u0660", "R7\x00"),
]


def contents(game: Game) -> tuple[bytes, int, str]:
    """Return all that a refused action must not change: state, random stream, record."""
    return game.state.tobytes(), int(game.state.random[0]), game.record.to_text()


def refuse_all(game: Game) -> None:
    """Try every action that is not legal."""
    before = contents(game)
    legal = set(game.legal_actions())
    phase, seat = game.phase.name, game.current_player
    for action in set(range(NUM_ACTIONS)) - legal:
        name = re.escape(action_name(action))
        with pytest.raises(IllegalActionError) as refusal:
            game.step(action if action % 2 else action_name(action))
        message = str(refusal.value)
        if game.phase in OVER:
            assert re.fullmatch(rf"{name} is not legal: the round is over \({phase}\)", message)
        else:
            shape = rf"{name} is not legal for seat {seat} in {phase}: (.+); legal: (.+)"
            parts = re.fullmatch(shape, message)
            assert parts, message
            check_reason(parts[1])
            assert {parse_action(text) for text in parts[2].split()} == legal
        assert contents(game) == before
    assert set(game.legal_actions()) == legal


def check_reason(reason: str) -> None:
    """A reason names a card, a phase or a rule; none is left unexplained."""
    rule = re.search(r"\(([CDP]\d+a?(, )?)+\)$", reason)
    held = re.fullmatch(r"no [RYGBWP0-9SD]+ is held", reason)
    elsewhere = re.fullmatch(r"it answers (\w+)( or \w+)*, not \w+", reason)
    assert rule or held or elsewhere, reason
    if elsewhere:
        assert set(re.findall(r"[A-Z_]{3,}", reason)) <= {phase.name for phase in PHASES}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_action_that_is_not_legal_is_refused(name):
    rules, num_players = VARIANTS[name]
    source = random.Random(name)
    met: Counter[Phase] = Counter()
    for _ in range(6):
        game = Game(rules, num_players, seed=source.getrandbits(64))
        for number, played in enumerate(play_round(game, source)):
            if met[played.phase] < 2 or number % SAMPLED == 0:
                met[played.phase] += 1
                refuse_all(played)
        refuse_all(game)
    assert {Phase.TURN, Phase.DRAWN} < set(met)


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
@pytest.mark.parametrize("action", NO_INTEGERS, ids=repr)
def test_integers_out_of_range_are_refused(rules, action):
    check_refused(rules, action, f"action {action}: an action is an integer from 0 to 184")


@pytest.mark.parametrize("action", HUGE_INTEGERS, ids=repr)
def test_integers_too_large_for_a_word_are_refused(action):
    check_refused(UNO_DUO, action, f"action {action}: an action is an integer from 0 to 184")


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_other_types_are_refused(action):
    check_refused(UNO_DUO, action, f"action {action!r}: must be an integer or a text")


def check_refused(rules, action, message):
    game = Game(rules, seed=1)
    source = random.Random(0)
    for number, played in enumerate(play_round(game, source)):
        if number in (4, 30):
            expect_refusal(played, action, message)
    expect_refusal(game, action, message)


def expect_refusal(game, action, message):
    before = contents(game)
    with pytest.raises(IllegalActionError) as refusal:
        game.step(action)
    assert str(refusal.value) == message
    assert contents(game) == before


@pytest.mark.parametrize("text", NO_TEXTS, ids=repr)
def test_texts_that_name_no_action_are_refused(text):
    game = Game(UNO_POCKET, num_players=3, seed=2)
    before = contents(game)
    with pytest.raises(ValueError, match=re.escape(f"action {text!r}: an action is")):
        game.step(text)
    assert contents(game) == before


def test_an_illegal_action_is_a_value_error():
    assert issubclass(IllegalActionError, ValueError)


def test_numpy_integers_are_actions():
    game, twin = Game(UNO_DUO, seed=3), Game(UNO_DUO, seed=3)
    for number_type in (np.int64, np.uint8, np.int32, np.int16):
        action = twin.legal_actions()[0]
        twin.step(action)
        game.step(number_type(action))
        assert contents(game) == contents(twin)


def test_a_reverse_just_drawn_starts_no_dump_of_itself_alone():
    game = Game.from_position(UNO_DUO, "hands: R5 G1 | B1\ndiscard: R9\ndraw: RR Y1")
    game.step("draw")
    with pytest.raises(IllegalActionError) as refusal:
        game.step("R>RR")
    assert "only a Reverse just drawn" not in str(refusal.value)
