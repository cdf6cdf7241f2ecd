"""Cards in their colors on a terminal: marks around words of a line that change nothing else."""

from __future__ import annotations

import re

_RED, _YELLOW, _GREEN, _BLUE, _WILD = "31", "33", "32", "34", "35"
_CODES = {
    "R": _RED,
    "Y": _YELLOW,
    "G": _GREEN,
    "B": _BLUE,
    "red": _RED,
    "yellow": _YELLOW,
    "green": _GREEN,
    "blue": _BLUE,
}
_WORDS = re.compile(
    r"\b(?:[RYGB]>[RYGB][0-9SRD]|[RYGB][0-9SRD]|W[DP]?:[RYGB]|W[DP]?|color:[RYGB]|red|yellow|green|blue)\b\*?"
)
"""Cards and actions, with the mark of those that can be laid; the names of colors."""


def in_color(line: str) -> str:
    """Return a line with its cards and colors marked for a terminal, the playable ones bold."""
    return _WORDS.sub(_colored, line)


def _colored(match: re.Match[str]) -> str:
    word = match[0]
    card, _, named = word.partition(":")
    if named:
        card = named
    code = _CODES.get(card) or _CODES.get(card[0], _WILD)
    bold = "1;" if word.endswith("*") else ""
    return f"\x1b[{bold}{code}m{word}\x1b[0m"
