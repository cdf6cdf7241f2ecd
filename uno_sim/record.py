"""A game as text: rules, decks and actions, enough to replay it to the identical state.

The format is lines of `key: value`:

    uno-sim record 1
    rules: {"name": "UNO Duo", ...}      all fields of the rule set, as JSON
    players: 2
    root: 1b2c...                        the key of the game's deals, hexadecimal
    round: 1 first 0 stream 77aa...      first seat, and the stream that recycling goes on with
    deck: R7 WD ...                      the top card first; or lines `position: ...`
    actions: keep reject R7 ...          as many lines as it takes
    end: 57                              how many actions there are: the file is whole
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from uno_sim.actions import action_name, parse_action
from uno_sim.cards import CARD_NAMES, card_name, parse_card
from uno_sim.rule_set import RuleSet

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
            if played.position:
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
        partial = Path(f"{os.fspath(path)}.partial")
        partial.write_text(self.to_text(), encoding="utf-8")
        partial.replace(path)


def load_record(path: str | os.PathLike[str]) -> GameRecord:
    """Read a record from a file.

    Raises `RecordError` (a `ValueError`) where the file is no whole record of this version.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RecordError(f"{os.fspath(path)}: not a text file") from None
    try:
        return parse_record(text)
    except RecordError as error:
        raise RecordError(f"{os.fspath(path)}: {error}") from None


def parse_record(text: str) -> GameRecord:
    """Return the record that a text holds; see `load_record` for the errors."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith("uno-sim record"):
        raise RecordError("not a game record: the first line must be " + repr(FORMAT))
    if lines[0] != FORMAT:
        raise RecordError(f"version {lines[0]!r}: this version reads {FORMAT!r}")
    entries = _entries(lines[1:])
    rules = rules_from_dict(_json(_expect(entries, "rules")))
    num_players = _number(_expect(entries, "players"), "players", 10)
    root = _number(_expect(entries, "root"), "root", 16)
    record = GameRecord(rules, num_players, root, [])
    for number, key, value in entries:
        if key == "round":
            record.rounds.append(_round_header(value, number, len(record.rounds) + 1))
        elif key == "end":
            _check_end(record, value)
            return record
        elif not record.rounds:
            raise RecordError(f"line {number}: {key!r} before the first round")
        else:
            _add_line(record.rounds[-1], key, value, number)
    raise RecordError("cut short: the last line, `end: NUMBER`, is missing")


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
    except json.JSONDecodeError as error:
        raise RecordError(f"rules: not JSON ({error})") from None


def _number(text: str, what: str, base: int) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise RecordError(f"{what}: {text!r} is not a number in base {base}") from None


def _round_header(value: str, number: int, expected: int) -> RoundRecord:
    words = value.split()
    if len(words) != 5 or words[1::2] != ["first", "stream"] or words[0] != str(expected):
        raise RecordError(
            f"line {number}: {value!r} must be `{expected} first SEAT stream HEXADECIMAL`"
        )
    return RoundRecord(_number(words[2], "first", 10), _number(words[4], "stream", 16))


def _add_line(played: RoundRecord, key: str, value: str, number: int) -> None:
    try:
        if key == "deck":
            played.deck = tuple(parse_card(card) for card in value.split())
        elif key == "position":
            played.position += value + "\n"
        elif key == "actions":
            played.actions += [parse_action(name) for name in value.split()]
        else:
            raise RecordError(f"{key!r} is not a key of a round")
    except ValueError as error:
        raise RecordError(f"line {number}: {error}") from None


def _check_end(record: GameRecord, value: str) -> None:
    expected = _number(value, "end", 10)
    if record.num_actions() != expected:
        raise RecordError(
            f"cut short: {record.num_actions()} actions, but the end line says {expected}"
        )
