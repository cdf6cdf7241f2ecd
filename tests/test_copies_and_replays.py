"""Copies are independent, and a record gives the same game again, to the last byte."""

import copy
import dataclasses
import pickle
import random
import re

import pytest
from hypothesis import given, settings, strategies

from tests.random_play import (
    STEADY,
    VARIANTS,
    games,
    play_on,
    play_round,
    position_text,
    short_deck,
    some_action,
)
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, load_record
from uno_sim.record import parse_record

CHECKED = 23
"""One moment in so many is saved and replayed."""


def same(game: Game, other: Game) -> None:
    """Two games are the same: state, record, rules, and what they show."""
    assert game.state.tobytes() == other.state.tobytes()
    assert game.record.to_text() == other.record.to_text()
    assert game.rules == other.rules
    assert game.render() == other.render()
    assert game.legal_actions() == other.legal_actions()


@settings(STEADY, max_examples=50)
@given(games(), strategies.integers(0, 2**32))
def test_a_clone_and_its_parent_are_independent(game: Game, choices: int):
    source = random.Random(choices)
    play_on(game, source, source.randrange(60))
    clone = game.clone()
    same(clone, game)
    kept, kept_record = game.state.tobytes(), game.record.to_text()
    play_on(clone, source, 30)
    assert (game.state.tobytes(), game.record.to_text()) == (kept, kept_record)
    moved, moved_record = clone.state.tobytes(), clone.record.to_text()
    play_on(game, source, 30)
    assert (clone.state.tobytes(), clone.record.to_text()) == (moved, moved_record)


@settings(STEADY, max_examples=40)
@given(games(), strategies.integers(0, 2**32))
def test_a_clone_goes_on_as_its_parent_does(game: Game, choices: int):
    source = random.Random(choices)
    play_on(game, source, source.randrange(60))
    clone = game.clone()
    play_on(game, random.Random(choices), 80)
    play_on(clone, random.Random(choices), 80)
    same(clone, game)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_python_copies_and_pickles_a_game_as_clone_does(copied):
    game = Game(UNO_DUO, seed=1)
    play_on(game, random.Random(1), 40)
    other = copied(game)
    same(other, game)
    kept = game.state.tobytes()
    play_on(other, random.Random(2), 30)
    assert game.state.tobytes() == kept != other.state.tobytes()
    play_on(game, random.Random(2), 30)
    same(other, game)


def test_a_copy_of_the_record_is_the_readers_own():
    game = Game(UNO_DUO, seed=1)
    game.step("keep")
    taken = game.record
    taken.rounds[0].actions.append(99)
    taken.rounds.clear()
    assert len(game.record.rounds) == 1 and game.record.num_actions() == 1


def check_replay(game: Game, path) -> None:
    """Save, load and compare; the loaded game goes on in the same way."""
    game.save(path)
    loaded = Game.load(path)
    same(loaded, game)
    assert load_record(path).to_text() == game.record.to_text()
    same(Game.from_record(game.record), game)
    further, as_far = game.clone(), loaded.clone()
    play_on(further, random.Random(9), 40)
    play_on(as_far, random.Random(9), 40)
    same(as_far, further)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_record_replays_at_any_moment_of_a_game(name, tmp_path):
    rules, num_players = VARIANTS[name]
    source = random.Random(name)
    game = Game(rules, num_players, seed=source.getrandbits(64))
    moments = 0
    for number_of_round in range(4):
        for played in play_round(game, source):
            moments += 1
            if moments % CHECKED == 1 and moments < 600:
                check_replay(played, tmp_path / "game.txt")
        check_replay(game, tmp_path / "game.txt")
        if game.phase == Phase.GAME_OVER:
            break
        game.next_round(short_deck(rules, num_players, 5, source) if number_of_round else None)
        check_replay(game, tmp_path / "game.txt")
    assert list(tmp_path.iterdir()) == [tmp_path / "game.txt"]


@settings(STEADY, max_examples=50)
@given(games(), strategies.integers(0, 2**32))
def test_a_record_replays_from_any_start(tmp_path_factory, game: Game, choices: int):
    source = random.Random(choices)
    path = tmp_path_factory.getbasetemp() / "start.txt"
    check_replay(game, path)
    play_on(game, source, source.randrange(100))
    check_replay(game, path)


def test_a_record_replays_whole_games_of_both_kinds(tmp_path):
    for rules, num_players in ((UNO_DUO, 2), (UNO_POCKET, 4)):
        game = Game(rules, num_players, seed=2**64 - 1)
        play_on(game, random.Random(3), 100_000)
        assert game.phase == Phase.GAME_OVER and game.round_number > 2
        check_replay(game, tmp_path / "game.txt")


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_record_keeps_the_first_seat_of_a_given_deck(first, tmp_path):
    deck = short_deck(UNO_POCKET, 3, 20, random.Random(1))
    game = Game.from_deck(UNO_POCKET, deck, 3, first=first, seed=8)
    assert game.first == first
    check_replay(game, tmp_path / "game.txt")


POSITION = "hands: R1 W | G2 B3{end}{end}# a comment: kept{end}discard: R9 R8 R7 {end}draw: B1"


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=repr)
@pytest.mark.parametrize("tail", ["", "\n", "\n\n  \n"], ids=repr)
def test_a_loaded_record_equals_the_one_that_was_saved(end, tail, tmp_path):
    position = Game.from_position(UNO_DUO, POSITION.format(end=end) + tail)
    deck = short_deck(UNO_POCKET, 2, 9, random.Random(2))
    for game in (Game(UNO_DUO, seed=6), Game.from_deck(UNO_POCKET, deck), position):
        play_on(game, random.Random(8), 15)
        game.save(tmp_path / "game.txt")
        assert load_record(tmp_path / "game.txt") == game.record
        assert parse_record(game.record.to_text()) == game.record
        same(Game.load(tmp_path / "game.txt"), game)


def test_replay_shows_the_game_before_each_action():
    game = Game(UNO_DUO, seed=4)
    shown = [(played.phase, played.legal_actions(), played.turns) for played in playing(game)]
    shown.append((game.phase, game.legal_actions(), game.turns))
    again = [(one.phase, one.legal_actions(), one.turns) for one in Game.replay(game.record)]
    assert again == shown
    assert len(again) == game.record.num_actions() + 1


def playing(game: Game):
    source = random.Random(5)
    yield from play_round(game, source)
    if game.phase == Phase.ROUND_OVER:
        game.next_round()
        yield from play_round(game, source)


def test_a_position_written_as_text_is_that_position():
    source = random.Random(6)
    compared = 0
    for name in ("duo", "pocket, three players", "pocket, volley and dump"):
        rules, num_players = VARIANTS[name]
        for seed in range(20):
            game = Game(rules, num_players, seed=seed)
            for played in play_round(game, source):
                if played.phase == Phase.TURN and source.random() < 0.1:
                    again = Game.from_position(rules, position_text(played), seed=seed)
                    assert without_past(again) == without_past(played)
                    compared += 1
    assert compared > 200


def without_past(game: Game) -> str:
    """Return the picture of a game, its piles and its color."""
    piles = f"{game.draw_pile} {game.discard_pile} {game.open_reverse} {game.first}"
    return game.render() + piles


def test_the_same_seed_gives_the_same_game_and_another_seed_another():
    for rules in (UNO_DUO, UNO_POCKET):
        states = [Game(rules, seed=seed).state.tobytes() for seed in (0, 1, 2**64 - 1, 7, 7)]
        assert states[3] == states[4]
        assert len(set(states)) == 4


def test_actions_are_recorded_as_they_were_taken():
    game = Game(UNO_POCKET, num_players=5, seed=9)
    source = random.Random(9)
    taken = []
    while game.current_player is not None:
        action = some_action(game, source)
        taken.append(action)
        game.step(action)
    assert game.record.rounds[0].actions == taken
    assert re.search(rf"^end: {len(taken)}\n\Z", game.record.to_text(), re.MULTILINE)


def test_a_record_holds_every_option_of_the_rules(tmp_path):
    for rules, num_players in VARIANTS.values():
        game = Game(rules, num_players, seed=1)
        game.save(tmp_path / "game.txt")
        loaded = Game.load(tmp_path / "game.txt").rules
        for field in dataclasses.fields(rules):
            assert getattr(loaded, field.name) == getattr(rules, field.name)
