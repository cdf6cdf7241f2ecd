"""The state's record: its table of fields, its file, and what an observation leaves out."""

import random
import resource
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.random_play import VARIANTS, play_round
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, make_agent, simulate
from uno_sim import state as states
from uno_sim.observation import is_rare
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import FIELDS, STATE_DTYPE, Field, Visibility

OVER = {Phase.ROUND_OVER, Phase.GAME_OVER}
NOT_PUBLIC = {
    Visibility.OWN: {
        *("held", "hands", "seen", "judged_card"),
        *("possible_ways", "not_from", "known_gifts", "traces"),
    },
    Visibility.ASKED: {"legal", "offered_card", "drawn_card"},
    Visibility.BOTTOM: {"draw_pile"},
    Visibility.HIDDEN: {"random", "root"},
}
"""All fields that not everybody may see. Whoever adds one says so here as well."""


def test_every_field_of_the_record_has_a_visibility_and_a_blank():
    assert sorted(field.name for field in FIELDS) == sorted(STATE_DTYPE.names)
    blank = states.allocate(1)[0]
    for field in FIELDS:
        assert isinstance(field.visibility, Visibility)
        assert field.meaning
        dtype = STATE_DTYPE[field.name]
        assert (dtype.base, dtype.shape) == (np.dtype(field.dtype), field.shape)
        assert (np.asarray(blank[field.name]) == field.blank).all()


def test_the_fields_that_not_everybody_may_see():
    for visibility, names in NOT_PUBLIC.items():
        assert {field.name for field in FIELDS if field.visibility == visibility} == names
    assert set(NOT_PUBLIC) | {Visibility.PUBLIC} == set(Visibility)
    for field in FIELDS:
        if field.visibility == Visibility.OWN:
            assert field.shape[0] == MAX_PLAYERS


def positions() -> Iterator[Game]:
    """Yield games in every phase, for every variant."""
    for name, (rules, num_players) in VARIANTS.items():
        source = random.Random(name)
        for _ in range(4):
            game = Game(rules, num_players, seed=source.getrandbits(64))
            for played in play_round(game, source):
                if source.random() < 0.1 or played.phase in (Phase.GIVE, Phase.CHOOSE_COLOR):
                    yield played
            yield game


def what_is_known(field: Field, state: Any, player: int) -> Any:
    """Return what `player` may see in a field; blanks elsewhere."""
    known = np.full(field.shape, field.blank, field.dtype)
    value = np.asarray(state[field.name])
    asked = player == state.current_player
    if field.visibility == Visibility.PUBLIC or (field.visibility == Visibility.ASKED and asked):
        known[...] = value
    elif field.visibility == Visibility.OWN:
        known[player] = value[player]
    elif field.visibility == Visibility.BOTTOM:
        known[: state.known_size] = value[: state.known_size]
    if field.name == "phase" and not asked and state.phase == Phase.DRAWN:
        known[...] = Phase.TURN
    return known


def test_an_observation_holds_what_its_player_may_know_and_blanks():
    met = set()
    for game in positions():
        met.add(game.phase)
        before = game.state.tobytes()
        for player in range(game.num_players):
            expected = states.allocate(1)[0]
            for field in FIELDS:
                expected[field.name] = what_is_known(field, game.state, player)
            found = game.observation(player).record
            if found.tobytes() != expected.tobytes():
                different = [
                    name for name in STATE_DTYPE.names if (found[name] != expected[name]).any()
                ]
                raise AssertionError(f"seat {player} in {game.phase.name}: {different}")
        assert game.state.tobytes() == before
    assert met == set(Phase)


def test_the_rare_fields_are_blank_while_two_play_and_nothing_was_shuffled():
    met = set()
    blank = np.frombuffer(states.BLANK_BYTES, STATE_DTYPE).view(np.recarray)[0]
    for game in positions():
        rare = game.num_players > 2 or game.state.epoch > 0
        met.add(rare)
        found, nothing = (
            np.frombuffer(record.tobytes(), np.uint8)[states.COMMON_BYTES :]
            for record in (game.state, blank)
        )
        assert rare or (found == nothing).all()
        assert is_rare(game.state) == rare
    assert met == {False, True}


def test_hidden_fields_change_no_observation_no_legal_set_and_no_choice():
    agents = [make_agent("greedy"), make_agent("random")]
    source = np.random.default_rng(5)
    for game in positions():
        for player in range(game.num_players):
            other = game.clone()
            scramble_what_is_hidden(other.state, player, source)
            ours, theirs = game.observation(player), other.observation(player)
            assert ours.record.tobytes() == theirs.record.tobytes()
            assert str(ours) == str(theirs)
            if player == game.current_player:
                assert game.legal_actions() == other.legal_actions()
                for agent in agents:
                    stream = [np.array([9], np.uint64) for _ in range(2)]
                    choices = [
                        agent.choose(one, random)
                        for one, random in zip((ours, theirs), stream, strict=True)
                    ]
                    assert choices[0] == choices[1]


def scramble_what_is_hidden(state: Any, player: int, source: np.random.Generator) -> None:
    """Put other cards into the other hands, the unknown pile and the other player's question."""
    state.random[0] = source.integers(2**63)
    state.root = source.integers(2**63)
    unknown = slice(state.known_size, state.draw_size)
    state.draw_pile[unknown] = source.permutation(state.draw_pile[unknown])
    for seat in range(state.num_players):
        if seat != player:
            state.hands[seat] = source.permutation(state.hands[seat])
            held = np.flatnonzero(state.hands[seat])
            state.held[seat] = np.uint64(sum(1 << int(kind) for kind in held))
    if player != state.current_player:
        for name in ("offered_card", "drawn_card"):
            if state[name] >= 0:
                state[name] = source.integers(55)
        state.legal[:] = source.integers(2**63, size=3)


def batch_of_states() -> Any:
    """Return the states of a few games, an array of records."""
    games = [Game(UNO_DUO, seed=1), Game(UNO_POCKET, 5, seed=2), Game(UNO_POCKET, 2, seed=3)]
    array = states.allocate(len(games))
    for place, game in enumerate(games):
        array[place] = game.state
    return array


def test_a_file_gives_the_same_records_back(tmp_path):
    array = batch_of_states()
    states.save(tmp_path / "states.npy", array)
    loaded = states.load(str(tmp_path / "states.npy"))
    assert loaded.dtype == STATE_DTYPE and loaded.dtype.type is np.record
    assert isinstance(loaded, np.recarray) and loaded.shape == (3,)
    assert loaded.tobytes() == array.tobytes()
    # The type of a record, which a plain load loses: fields are attributes.
    assert loaded[1].num_players == 5 and loaded[0].phase == Phase.DRAFT
    assert [file.name for file in tmp_path.iterdir()] == ["states.npy"]


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 1)])
def test_a_file_keeps_the_shape(shape, tmp_path):
    array = np.resize(batch_of_states(), shape)
    states.save(tmp_path / "states.npy", array)
    loaded = states.load(tmp_path / "states.npy")
    assert loaded.shape == shape and loaded.tobytes() == array.tobytes()


def test_loaded_records_can_be_changed(tmp_path):
    states.save(tmp_path / "states.npy", batch_of_states())
    loaded = states.load(tmp_path / "states.npy")
    loaded[0].turns = 7
    assert loaded["turns"].tolist() == [7, *batch_of_states()["turns"][1:]]


def refuse(path: Any, pattern: str) -> None:
    with pytest.raises(ValueError, match=pattern) as refusal:
        states.load(path)
    assert str(refusal.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"\x00" * 200,
        b"PK\x03\x04 no archive",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00v\x00",
    ],
    ids=repr,
)
def test_a_file_that_is_no_array_is_refused(content, tmp_path):
    (tmp_path / "states.npy").write_bytes(content)
    refuse(tmp_path / "states.npy", "not an array of states")


def test_a_file_cut_short_is_refused(tmp_path):
    path = tmp_path / "states.npy"
    states.save(path, batch_of_states())
    whole = path.read_bytes()
    for size in [*range(0, 200), *range(200, len(whole), 211), len(whole) - 1]:
        path.write_bytes(whole[:size])
        refuse(path, "not an array of states")


def test_a_file_with_a_damaged_head_is_refused(tmp_path):
    path = tmp_path / "states.npy"
    states.save(path, batch_of_states())
    whole = path.read_bytes()
    end = whole.index(b"}")
    for place in range(0, end, 5):
        path.write_bytes(whole[:place] + b"\x00" + whole[place + 1 :])
        refuse(path, "not an array of states|states of another version")


def without_a_field() -> Any:
    names = list(STATE_DTYPE.names)[:-1]
    return np.zeros(2, [(name, STATE_DTYPE[name]) for name in names])


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(3),
        np.zeros((2, STATE_DTYPE.itemsize), np.uint8),
        np.zeros(2, [("turns", np.int32)]),
        without_a_field(),
        np.zeros(2, np.dtype(STATE_DTYPE.descr).newbyteorder()),
    ],
    ids=["floats", "bytes", "one field", "a field less", "other byte order"],
)
def test_records_of_another_kind_are_refused(array, tmp_path):
    np.save(tmp_path / "states.npy", array)
    refuse(tmp_path / "states.npy", "states of another version")


def test_other_files_of_numpy_are_refused(tmp_path):
    np.savez(tmp_path / "states.npz", states=np.zeros(3))
    refuse(tmp_path / "states.npz", "not an array of states")
    np.save(tmp_path / "objects.npy", np.array([{}, []], object), allow_pickle=True)
    refuse(tmp_path / "objects.npy", "not an array of states")


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        states.load(tmp_path / "states.npy")


def test_nothing_half_written_is_left_where_there_is_no_room(tmp_path):
    path = tmp_path / "states.npy"
    states.save(path, batch_of_states())
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        with pytest.raises(OSError):
            states.save(path, batch_of_states()[::-1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["states.npy"]


def test_what_is_no_array_of_states_is_not_saved(tmp_path):
    with pytest.raises((TypeError, ValueError)):
        states.save(tmp_path / "states.npy", np.zeros(3))
    assert list(tmp_path.iterdir()) == []


def test_copies_are_independent():
    array = batch_of_states()
    one = states.copy(array[1])
    assert one.tobytes() == array[1].tobytes() and one.dtype == STATE_DTYPE
    one.turns = 99
    one.hands[0][:] = 7
    assert array.tobytes() == batch_of_states().tobytes()
    array[1].scores[:] = 5
    assert one.scores.tolist() == [0] * MAX_PLAYERS


def test_blank_records_are_blank_whatever_was_there_before():
    simulate(UNO_DUO, ["random", "random"], rounds=20)
    for count in (0, 1, 50):
        array = states.allocate(count)
        assert array.shape == (count,)
        assert array.tobytes() == states.BLANK_BYTES.tobytes() * count
