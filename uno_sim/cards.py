"""Colors, symbols and the 55 card kinds of both games, and their text (D2, P2).

A kind is an integer: `color * 13 + symbol` for the 52 colored kinds, then the three wilds.
Its text is a color letter and a symbol (`R7`, `GS`, `BR`, `YD`), or `W`, `WD`, `WP`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import NUM_INDICES, as_index
from uno_sim.compilation import compiled

COLORS = ("R", "Y", "G", "B")
SYMBOLS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "D")

NUM_COLORS = 4
NUM_SYMBOLS = 13
NUM_COLORED_KINDS = 52
NUM_WILDS = 3
NUM_KINDS = NUM_COLORED_KINDS + NUM_WILDS
MAX_CARDS = 128
"""The most cards a deck may have: the piles of a state have this much room."""

SKIP = 10
REVERSE = 11
DRAW = 12
WILD = 52
WILD_DRAW = 53
WILD_DIP = 54

NO_CARD = -1
NO_COLOR = -1

CARD_NAMES: tuple[str, ...] = (
    *(color + symbol for color in COLORS for symbol in SYMBOLS),
    "W",
    "WD",
    "WP",
)
_KIND_OF_NAME = {name: kind for kind, name in enumerate(CARD_NAMES)}

WILDS = np.uint64(0b111 << NUM_COLORED_KINDS)
"""The three wild kinds, as a set."""

_ONE_COLOR = np.uint64((1 << NUM_SYMBOLS) - 1)
_ONE_SYMBOL = np.uint64(sum(1 << (NUM_SYMBOLS * color) for color in range(NUM_COLORS)))

_OF_COLOR = np.zeros(NUM_INDICES, np.uint64)
for _color in range(NUM_COLORS):
    _OF_COLOR[_color] = _ONE_COLOR << np.uint64(NUM_SYMBOLS * _color)
_LIKE = np.zeros(NUM_INDICES, np.uint64)
for _kind in range(NUM_COLORED_KINDS):
    _LIKE[_kind] = _ONE_SYMBOL << np.uint64(_kind % NUM_SYMBOLS)


def card_name(kind: int) -> str:
    """Return the text of a card kind.

    >>> card_name(7), card_name(53)
    ('R7', 'WD')

    Raises `ValueError` where `kind` is not a kind (0 to 54).
    """
    if not 0 <= kind < NUM_KINDS:
        raise ValueError(f"card kind {kind}: a kind is an integer from 0 to {NUM_KINDS - 1}")
    return CARD_NAMES[kind]


def parse_card(text: str) -> int:
    """Return the kind that a text names.

    >>> parse_card("R7"), parse_card("WD")
    (7, 53)

    Raises `ValueError` where no card has this text.
    """
    try:
        return _KIND_OF_NAME[text]
    except (KeyError, TypeError):
        raise ValueError(
            f"card {text!r}: a card is a color (R, Y, G, B) and a symbol (0 to 9, S, R, D), "
            "or W, WD, WP"
        ) from None


def card_kind(card: str | int) -> int:
    """Return the kind of a card that is given by its text or its kind.

    Raises `ValueError` where it is neither.
    """
    if isinstance(card, str):
        return parse_card(card)
    if isinstance(card, bool) or not isinstance(card, int | np.integer):
        raise ValueError(f"card {card!r}: must be a text or a kind")
    return parse_card(card_name(int(card)))


@compiled
def is_wild(kind: Any) -> Any:
    """Return whether a kind is one of the three wilds."""
    return kind >= NUM_COLORED_KINDS


@compiled
def color_of(kind: Any) -> Any:
    """Return the color (0 to 3) of a colored kind."""
    return kind // NUM_SYMBOLS


@compiled
def symbol_of(kind: Any) -> Any:
    """Return the symbol (0 to 12) of a colored kind."""
    return kind % NUM_SYMBOLS


@compiled
def kind_of(color: Any, symbol: Any) -> Any:
    """Return the kind with this color and symbol."""
    return color * NUM_SYMBOLS + symbol


@compiled(inlined=True)
def kinds_of_color(color: Any) -> Any:
    """Return the thirteen kinds of a color as a set; none for `NO_COLOR`."""
    return _OF_COLOR[as_index(color)]


@compiled(inlined=True)
def kinds_like(kind: Any) -> Any:
    """Return the four kinds that have the symbol of a colored kind, as a set.

    None for a wild, nor for `NO_CARD`.
    """
    return _LIKE[as_index(kind)]


@compiled
def kinds_of_symbol(symbol: Any) -> Any:
    """Return the four kinds of a symbol as a set."""
    return _ONE_SYMBOL << np.uint64(symbol)
