"""Record files: whole or refused, with one line that names the file and the fault."""

import copy
import dataclasses
import json
import os
import random
import re
import resource
import stat

import pytest

from tests.random_play import play_on
from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    Game,
    GameRecord,
    Phase,
    RecordError,
    determinize,
    load_record,
)

POSITION = "hands: R1 RR R5 | W G2\ndraw: Y1 Y2 Y3\ndiscard: B1 R9\nscores: 3 4"


def a_game() -> Game:
    """Return a game with a few short rounds."""
    rules = dataclasses.replace(UNO_POCKET, max_turns=6)
    game = play_on(Game(rules, num_players=3, seed=3), random.Random(1), 40)
    assert game.round_number > 2 and game.phase < Phase.ROUND_OVER
    return game


def from_a_position() -> Game:
    return play_on(Game.from_position(UNO_DUO, POSITION), random.Random(0), 12)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a game.txt"


def refuse(path, text: str | bytes, *patterns: str) -> str:
    """Assert that a file with this text is refused; return the message without the file's name."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RecordError) as refusal:
        Game.load(path)
    message = str(refusal.value)
    assert isinstance(refusal.value, ValueError)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    for pattern in patterns:
        assert re.search(pattern, message), message
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("game", [a_game, from_a_position])
def test_a_whole_file_is_read(game, path):
    played = game()
    played.save(path)
    assert path.read_text(encoding="utf-8") == played.record.to_text()
    assert Game.load(path).state.tobytes() == played.state.tobytes()


@pytest.mark.parametrize("game", [a_game, from_a_position])
def test_a_file_cut_short_at_any_line_is_refused(game, path):
    lines = game().record.to_text().splitlines(keepends=True)
    for count in range(len(lines)):
        message = refuse(path, "".join(lines[:count]))
        assert re.search("cut short|first line", message), message


@pytest.mark.parametrize("game", [a_game, from_a_position])
def test_a_file_cut_short_at_any_byte_is_refused(game, path):
    whole = game().record.to_text().encode()
    # Without the last line's end the file is still whole.
    path.write_bytes(whole[:-1])
    assert load_record(path).to_text().encode() == whole
    for size in [*range(0, len(whole) - 1, 7), *range(len(whole) - 300, len(whole) - 1)]:
        refuse(path, whole[:size])


@pytest.mark.parametrize("game", [a_game, from_a_position])
def test_a_file_with_a_line_left_out_is_refused(game, path):
    lines = game().record.to_text().splitlines(keepends=True)
    for left_out in range(len(lines)):
        if lines[left_out].startswith(("position: scores", "position: draw")):
            continue
        refuse(path, "".join(lines[:left_out] + lines[left_out + 1 :]))


def test_what_follows_the_end_is_refused(path):
    whole = a_game().record.to_text()
    refuse(path, whole + "actions: draw\n", "after")
    refuse(path, whole + whole, "after")


@pytest.mark.parametrize("first_line", ["uno-sim record 2", "uno-sim record 10", "uno-sim record"])
def test_another_version_is_refused(first_line, path):
    lines = a_game().record.to_text().splitlines()
    text = "\n".join([first_line, *lines[1:]]) + "\n"
    message = refuse(path, text)
    assert message == f"version {first_line!r}: this version reads 'uno-sim record 1'"


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"hello\n", b"\x00" * 50, b"\xff\xfe\x00\x01", b"\x93NUMPY\x01\x00v\x00", b"{}\n"],
    ids=repr,
)
def test_garbage_is_refused(content, path):
    message = refuse(path, content)
    assert message in (
        "not a text file",
        "not a game record: the first line must be 'uno-sim record 1'",
    )


def test_garbage_in_the_middle_is_refused(path):
    whole = a_game().record.to_text().encode()
    source = random.Random(2)
    name = whole.index(b"UNO Pocket Pizza Pizza")
    for _ in range(300):
        damaged = bytearray(whole)
        place = source.randrange(len(whole))
        damaged[place] = source.choice(b"\x00\xff#@~")
        # A name may be any text, and a file may end without the end of its last line.
        if not name <= place < name + 22 and place < len(whole) - 1:
            refuse(path, bytes(damaged))


def edited(game: Game, old: str, new: str, count: int = 1) -> str:
    """Return the game's text with a part replaced."""
    text = game.record.to_text()
    assert old in text
    return text.replace(old, new, count)


def test_an_illegal_action_is_named_with_its_round_place_and_reason(path):
    game = Game.from_position(UNO_DUO, POSITION)
    for action in ("R1", "draw", "pass", "RR"):
        game.step(action)
    text = edited(game, "actions: R1 draw pass RR", "actions: R1 draw pass G5")
    message = refuse(path, text)
    assert message.startswith(
        "round 1, action 4: G5 is not legal for seat 0 in TURN: no G5 is held"
    )
    assert "; legal: " in message


def test_an_action_after_the_end_of_a_round_is_named(path):
    game = Game.from_position(UNO_DUO, "hands: R1 | W G2\ndiscard: R9")
    game.step("R1")
    assert game.phase == Phase.ROUND_OVER
    text = edited(game, "actions: R1\nend: 1", "actions: R1 draw\nend: 2")
    refuse(path, text, r"round 1, action 2: draw is not legal: the round is over \(ROUND_OVER\)")


def test_a_word_that_is_no_action_is_named_with_its_line(path):
    game = from_a_position()
    lines = game.record.to_text().splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("actions: "))
    lines[place] = "actions: R1 jump"
    refuse(path, "\n".join(lines) + "\n", rf"line {place + 1}: action 'jump': an action is")


def test_another_number_of_actions_is_refused(path):
    game = a_game()
    number = game.record.num_actions()
    text = edited(game, f"end: {number}", f"end: {number + 1}")
    refuse(path, text, rf"{number} actions, but the end line says {number + 1}")
    refuse(path, edited(game, f"end: {number}", "end: many"), "end: 'many' is not a number")
    refuse(path, edited(game, f"end: {number}", "end:"), "end: '' is not a number")


def with_rules(game: Game, **changes) -> str:
    """Return the game's text with some fields of the rules changed; None leaves one out."""
    lines = game.record.to_text().splitlines()
    fields = {**json.loads(lines[1].removeprefix("rules: ")), **changes}
    kept = {name: value for name, value in fields.items() if value is not None}
    lines[1] = "rules: " + json.dumps(kept)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("changes", "pattern"),
    [
        ({"target": 0}, "rules: target=0: must be an integer of at least 1"),
        ({"target": "many"}, "rules: target='many'"),
        ({"hand_size": 2.5}, "rules: hand_size=2.5"),
        ({"deal": "thrown"}, "rules: deal='thrown': must be 'deal' or 'draft'"),
        ({"stack_draws": "yes"}, "rules: stack_draws='yes'"),
        ({"max_turns": None, "hand_size": None}, "rules: .*hand_size"),
        ({"odd_field": 1}, "rules: .*odd_field"),
        ({"deck": {"XX": 4}}, "rules: deck: card 'XX'"),
        ({"deck": [1, 2]}, "rules: deck: 2 numbers"),
        ({"deck": 5}, "rules: deck"),
        ({"card_values": {"R1": -3}}, "rules: card_values: -3 for R1"),
        ({"name": 5}, "rules: name=5"),
    ],
    ids=repr,
)
def test_rules_that_do_not_fit_are_named(changes, pattern, path):
    refuse(path, with_rules(a_game(), **changes), pattern)


@pytest.mark.parametrize("rules", ["", "{", "[]", "3", '"text"', "null", "nan", "{}"])
def test_rules_that_are_no_object_are_refused(rules, path):
    lines = a_game().record.to_text().splitlines()
    lines[1] = f"rules: {rules}"
    refuse(path, "\n".join(lines) + "\n", "rules: ")


def test_a_changed_option_gives_another_game_or_is_refused(path):
    # The text is what counts: the same actions under other rules.
    game = from_a_position()
    path.write_text(with_rules(game, target=500), encoding="utf-8")
    assert Game.load(path).rules.target == 500


@pytest.mark.parametrize(
    ("old", "new", "pattern"),
    [
        ("players: 3", "players: 6", "num_players=6"),
        ("players: 3", "players: three", "players: 'three' is not a number"),
        ("players: 3", "players: -3", "players: '-3' is not a number"),
        ("players: 3", "player: 3", "line 3: 'player' where 'players' must be"),
        ("root: ", "root: xyz", "root: '?xyz"),
        ("root: ", "root: -", "root: "),
        ("root: ", "root: f00000000000000000", "root: "),
        ("first 0", "first 7", "first=7: must be a seat"),
        ("first 0", "first x", "first: 'x' is not a number"),
        ("round: 1 first", "round: 2 first", "line 5"),
        ("round: 2 first", "round: 4 first", "must be `2 first SEAT stream HEXADECIMAL`"),
        ("stream ", "stream z", "stream: "),
        ("stream ", "stream -1", "stream: "),
        ("stream ", "stream f00000000000000000", "stream: "),
        ("deck: ", "deck: XX ", "line 6: card 'XX'"),
        ("deck: ", "deck: R0 ", "has no card R0"),
        ("deck: ", "deck: R1\ncards: ", "line 7: 'cards' is not a key of a round"),
        ("deck: ", "deck: R1\ndeck: ", "line 7: 'deck' is given twice"),
    ],
    ids=repr,
)
def test_a_line_that_does_not_fit_is_named(old, new, pattern, path):
    game = a_game()
    assert game.record.rounds[0].first == 0
    refuse(path, edited(game, old, new), pattern)


def test_a_deck_too_short_is_refused(path):
    lines = a_game().record.to_text().splitlines()
    lines[5] = "deck: R1 R2 R3"
    refuse(path, "\n".join(lines) + "\n", "round 1: deck: 3 cards, but dealing hands")


def test_a_position_that_does_not_fit_is_refused(path):
    game = from_a_position()
    refuse(path, edited(game, "hands: R1 RR R5", "hands: R1 XX"), "round 1: hands: card 'XX'")
    refuse(path, edited(game, "W G2", "W G2 | B1"), "round 1: num_players=3")


def test_a_round_that_begins_too_early_is_refused(path):
    record = a_game().record
    record.rounds[0].actions.pop()
    path.write_text(record.to_text(), encoding="utf-8")
    with pytest.raises(ValueError, match=r"round 2: the round before is not over \(phase \w+\)"):
        Game.load(path)


def test_a_round_that_begins_at_the_wrong_seat_is_refused(path):
    record = a_game().record
    record.rounds[1].first = 2
    refuse(path, record.to_text(), "round 2: first 2, but it is the round of seat 1")


def test_a_round_after_the_end_of_the_game_is_refused(path):
    game = Game.from_position(UNO_DUO, "hands: R1 | W WD\ndiscard: R9\nscores: 0 190")
    game.step("R1")
    assert game.phase == Phase.GAME_OVER
    record = game.record
    record.rounds.append(dataclasses.replace(Game(UNO_DUO).record.rounds[0], first=1))
    refuse(path, record.to_text(), r"round 2: the round before is not over \(phase GAME_OVER\)")


def test_a_record_without_rounds_is_refused(path):
    empty = GameRecord(UNO_DUO, 2, 0, [])
    refuse(path, empty.to_text(), "the record has no round")


@pytest.mark.parametrize("end", ["\r\n", "\n"], ids=repr)
def test_other_line_ends_are_read(end, path):
    game = a_game()
    path.write_bytes(game.record.to_text().replace("\n", end).encode())
    assert Game.load(path).state.tobytes() == game.state.tobytes()


def test_a_missing_file_is_an_os_error(path):
    with pytest.raises(FileNotFoundError):
        Game.load(path)


def test_a_folder_that_is_not_there_is_left_alone(tmp_path):
    with pytest.raises(OSError):
        a_game().save(tmp_path / "no such folder" / "game.txt")
    assert list(tmp_path.iterdir()) == []


def files_in(folder) -> dict[str, bytes]:
    """Return the contents of all files of a folder by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_nothing_half_written_is_left_where_a_folder_cannot_be_written(tmp_path):
    game = a_game()
    game.save(tmp_path / "game.txt")
    before = files_in(tmp_path)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(OSError):
            play_on(game, random.Random(1), 3).save(tmp_path / "game.txt")
    finally:
        tmp_path.chmod(stat.S_IRWXU)
    assert files_in(tmp_path) == before


def test_nothing_half_written_is_left_where_a_folder_has_the_name(tmp_path):
    (tmp_path / "game.txt").mkdir()
    with pytest.raises(OSError):
        a_game().save(tmp_path / "game.txt")
    assert files_in(tmp_path) == {}


@pytest.mark.parametrize("before", [{}, {"a game.txt": b"what was there"}], ids=["new", "old"])
def test_nothing_half_written_is_left_where_there_is_no_room(before, path):
    game = a_game()
    for name, content in before.items():
        (path.parent / name).write_bytes(content)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(game.record.to_text()) // 2, hard))
    try:
        with pytest.raises(OSError):
            game.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files_in(path.parent) == before


def test_a_text_path_will_do(path):
    game = a_game()
    game.save(str(path))
    assert Game.load(str(path)).state.tobytes() == game.state.tobytes()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_world_is_saved_and_a_changed_one_is_refused(tmp_path):
    game = determinize(Game(UNO_POCKET, 3, seed=4).observation(1), seed=9)
    game.step(game.legal_actions()[0])
    path = tmp_path / "world.txt"
    game.save(path)
    assert Game.load(path).state.tobytes() == game.state.tobytes()
    text = path.read_text(encoding="utf-8")
    word = re.search(r"state: \S+", text).group()
    for changed in (
        text.replace(word, word[:-12] + "A" * 12),
        text.replace(word, word[:-40]),
        text.replace('"target": 250', '"target": 300'),
        text.replace(word, "state: 0" + word[8:]),
    ):
        path.write_text(changed, encoding="utf-8")
        with pytest.raises(RecordError, match=r"world\.txt: .*state: "):
            Game.load(path)


def test_deeply_nested_rules_are_refused(tmp_path):
    path = tmp_path / "deep.txt"
    path.write_text("uno-sim record 1\nrules: " + "[" * 100_000, encoding="utf-8")
    with pytest.raises(RecordError, match="not JSON"):
        Game.load(path)


def test_a_mark_of_the_byte_order_and_empty_lines_at_the_end_do_not_matter(tmp_path):
    path = tmp_path / "game.txt"
    game = Game(UNO_DUO, seed=2)
    game.save(path)
    path.write_text(path.read_text(encoding="utf-8") + "\n\n", encoding="utf-8-sig")
    assert Game.load(path).state.tobytes() == game.state.tobytes()


def test_a_shallow_copy_is_independent():
    game = Game(UNO_DUO, seed=2)
    before = game.state.tobytes(), game.record
    copy.copy(game).step("keep")
    assert (game.state.tobytes(), game.record) == before
