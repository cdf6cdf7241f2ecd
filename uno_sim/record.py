"""A game as text: rules, decks and actions, enough to replay it to the identical state.

The format is lines of `key: value`:

    uno-sim record 1
    rules: {"name": "UNO Duo", ...}      all fields of the rule set, as JSON
    players: 2
    root: 1b2c...                        the key of the game's deals, hexadecimal
    round: 1 first 0 stream 77aa...      first seat, and the stream that recycling goes on with
    deck: R7 WD ...                      the top card first; or lines `position: ...`, or a line
                                         `state: ...` where the round began in the middle
    actions: keep reject R7 ...          as many lines as it takes
    end: 57                              how many actions there are: the file is whole
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from uno_sim.actions import action_name, parse_action
from uno_sim.cards import CARD_NAMES, card_name, parse_card
from uno_sim.files import write_whole
from uno_sim.rule_set import RuleSet
from uno_sim.state import STATE_DTYPE

FORMAT = "uno-sim record 1"
_ACTIONS_PER_LINE = 16


class RecordError(ValueError):
    """A record that cannot be read or replayed."""


@dataclass
class RoundRecord:
    """One round: where it began and what was done."""

    first: int
    stream: int
    deck: tuple[int, ...] = ()
    """Kinds, the top card first; empty where the round began from a position."""
    position: str = ""
    state: str = ""
    """A whole state as text; set where the round began in the middle, unseen by the record."""
    actions: list[int] = field(default_factory=list)


@dataclass
class GameRecord:
    """A whole game, or the part of it that was played."""

    rules: RuleSet
    num_players: int
    root: int
    rounds: list[RoundRecord]

    def num_actions(self) -> int:
        """Return how many actions the record holds."""
        return sum(len(played.actions) for played in self.rounds)

    def copy(self) -> GameRecord:
        """Return an independent copy."""
        rounds = [dataclasses.replace(one, actions=list(one.actions)) for one in self.rounds]
        return dataclasses.replace(self, rounds=rounds)

    def to_text(self) -> str:
        """Return the record as text."""
        lines = [
            FORMAT,
            f"rules: {json.dumps(rules_to_dict(self.rules))}",
            f"players: {self.num_players}",
            f"root: {self.root:016x}",
        ]
        for number, played in enumerate(self.rounds, start=1):
            lines.append(f"round: {number} first {played.first} stream {played.stream:016x}")
            if played.state:
                lines.append(f"state: {played.state}")
            elif played.position:
                lines += [f"position: {line}" for line in played.position.splitlines()]
            else:
                lines.append("deck: " + " ".join(map(card_name, played.deck)))
            names = [action_name(action) for action in played.actions]
            for start in range(0, len(names), _ACTIONS_PER_LINE):
                lines.append("actions: " + " ".join(names[start : start + _ACTIONS_PER_LINE]))
        lines.append(f"end: {self.num_actions()}")
        return "\n".join(lines) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, whole or not at all."""
        write_whole(path, self.to_text().encode())


def load_record(path: str | os.PathLike[str]) -> GameRecord:
    """Read a record from a file.

    Raises `RecordError` (a `ValueError`) where the file is no whole record of this version.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(f"{os.fspath(path)}: not a text file") from None
    try:
        return parse_record(text)
    except RecordError as error:
        raise RecordError(f"{os.fspath(path)}: {error}") from None


def parse_record(text: str) -> GameRecord:
    """Return the record that a text holds; see `load_record` for the errors."""
    lines = text.rstrip().splitlines()
    if not lines or not lines[0].startswith("uno-sim record"):
        raise RecordError("not a game record: the first line must be " + repr(FORMAT))
    if lines[0] != FORMAT:
        raise RecordError(f"version {lines[0]!r}: this version reads {FORMAT!r}")
    entries = _entries(lines[1:])
    rules = rules_from_dict(_json(_expect(entries, "rules")))
    num_players = _number(_expect(entries, "players"), "players")
    root = _word(_expect(entries, "root"), "root")
    record = GameRecord(rules, num_players, root, [])
    for number, key, value in entries:
        if key == "round":
            record.rounds.append(_round_header(value, number, len(record.rounds) + 1))
        elif key == "end":
            _check_end(record, value)
            if number < len(lines):
                raise RecordError(f"line {number + 1}: {lines[number]!r} after the end")
            return record
        elif not record.rounds:
            raise RecordError(f"line {number}: {key!r} before the first round")
        else:
            _add_line(record.rounds[-1], key, value, number)
    raise RecordError("cut short: the last line, `end: NUMBER`, is missing")


def state_to_text(state: Any, rules: RuleSet) -> str:
    """Return a state as one word: digests of layout and content, and its packed bytes."""
    content = np.asarray(state).tobytes()
    packed = base64.b64encode(zlib.compress(content, 9)).decode()
    return f"{_layout_digest()}:{_content_digest(content, rules)}:{packed}"


def state_from_text(text: str, rules: RuleSet) -> Any:
    """Return the state that `state_to_text` wrote.

    Raises `RecordError` where it is of another version, damaged, or of other rules.
    """
    layout, _, rest = text.partition(":")
    digest, _, packed = rest.partition(":")
    if layout != _layout_digest():
        raise RecordError("state: written by another version")
    try:
        content = zlib.decompress(base64.b64decode(packed, validate=True))
    except (ValueError, zlib.error) as error:
        raise RecordError(f"state: damaged ({error})") from None
    if len(content) != STATE_DTYPE.itemsize or digest != _content_digest(content, rules):
        raise RecordError("state: changed, or of other rules")
    return np.frombuffer(bytearray(content), STATE_DTYPE).view(np.recarray)[0]


def _content_digest(content: bytes, rules: RuleSet) -> str:
    return hashlib.sha256(content + json.dumps(rules_to_dict(rules)).encode()).hexdigest()[:16]


def _layout_digest() -> str:
    return hashlib.sha256(repr(STATE_DTYPE.descr).encode()).hexdigest()[:12]


def rules_to_dict(rules: RuleSet) -> dict[str, Any]:
    """Return all fields of a rule set, counts by card text, ready for JSON."""
    fields = {one.name: getattr(rules, one.name) for one in dataclasses.fields(rules)}
    for name in ("deck", "card_values"):
        counts = zip(CARD_NAMES, fields[name], strict=True)
        fields[name] = {card: number for card, number in counts if number}
    return fields


def rules_from_dict(fields: Any) -> RuleSet:
    """Return the rule set with these fields; raises `RecordError` where they do not fit."""
    if not isinstance(fields, dict):
        raise RecordError("rules: must be a JSON object")
    try:
        return RuleSet(**fields)
    except (TypeError, ValueError) as error:
        raise RecordError(f"rules: {error}") from None


Entry = tuple[int, str, str]


def _entries(lines: list[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, start=2):
        key, colon, value = line.partition(": ")
        if not colon and line.rstrip().endswith(":"):
            key = line.rstrip()[:-1]
        elif not colon:
            raise RecordError(f"line {number}: {line!r} is not `key: value` (cut short?)")
        yield number, key, value


def _expect(entries: Iterator[Entry], wanted: str) -> str:
    number, key, value = next(entries, (0, "", ""))
    if key != wanted:
        raise RecordError(f"cut short: no line `{wanted}: ...`" if not key else
                          f"line {number}: {key!r} where {wanted!r} must be")  # fmt: skip
    return value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"rules: not JSON, perhaps cut short ({error})") from None


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RecordError(f"{what}: {text!r} is not a number of up to nine digits")
    return int(text)


def _word(text: str, what: str) -> int:
    """Return a 64-bit word, written in hexadecimal."""
    if not 0 < len(text) <= 16 or not set(text) <= set("0123456789abcdef"):
        raise RecordError(f"{what}: {text!r} is not a number of up to 16 hexadecimal digits")
    return int(text, 16)


def _round_header(value: str, number: int, expected: int) -> RoundRecord:
    words = value.split()
    if len(words) != 5 or words[1::2] != ["first", "stream"] or words[0] != str(expected):
        raise RecordError(
            f"line {number}: {value!r} must be `{expected} first SEAT stream HEXADECIMAL`"
        )
    return RoundRecord(_number(words[2], "first"), _word(words[4], "stream"))


def _add_line(played: RoundRecord, key: str, value: str, number: int) -> None:
    try:
        if key in ("deck", "state") and (played.deck or played.state):
            raise RecordError(f"{key!r} is given twice")
        if key == "deck":
            played.deck = tuple(parse_card(card) for card in value.split())
        elif key == "state":
            played.state = value
        elif key == "position":
            played.position += value + "\n"
        elif key == "actions":
            played.actions += [parse_action(name) for name in value.split()]
        else:
            raise RecordError(f"{key!r} is not a key of a round")
    except ValueError as error:
        raise RecordError(f"line {number}: {error}") from None


def _check_end(record: GameRecord, value: str) -> None:
    expected = _number(value, "end")
    if record.num_actions() != expected:
        raise RecordError(
            f"cut short: {record.num_actions()} actions, but the end line says {expected}"
        )
