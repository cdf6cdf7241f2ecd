"""One number a card kind, such as a deck: taken from what users give, and told in short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from uno_sim.cards import (
    CARD_NAMES,
    COLORS,
    NUM_COLORED_KINDS,
    NUM_KINDS,
    NUM_SYMBOLS,
    SYMBOLS,
    card_kind,
)

KindCounts = Mapping[Any, int] | Sequence[int]
"""One number a card kind: 55 numbers, or a mapping from a card's text or kind (others 0)."""

LARGEST = 1_000_000
"""The greatest number of a kind."""


def is_integer(value: Any) -> bool:
    """Return whether a value is an integer, and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def kind_counts(field: str, given: KindCounts) -> tuple[int, ...]:
    """Return 55 checked numbers, one a kind; `ValueError`, naming the field, where one is none."""
    if isinstance(given, Mapping):
        counts = [0] * NUM_KINDS
        for card, number in given.items():
            try:
                counts[card_kind(card)] = number
            except ValueError as error:
                raise ValueError(f"{field}: {error}") from None
    elif isinstance(given, Iterable) and not isinstance(given, str):
        counts = list(given)
    else:
        raise ValueError(f"{field}: {given!r}, must be {NUM_KINDS} numbers or a mapping of cards")
    if len(counts) != NUM_KINDS:
        raise ValueError(f"{field}: {len(counts)} numbers, must be {NUM_KINDS}, one a card kind")
    for name, number in zip(CARD_NAMES, counts, strict=True):
        if not is_integer(number) or number < 0:
            raise ValueError(f"{field}: {number!r} for {name}, must be an integer of at least 0")
        if number > LARGEST:
            raise ValueError(f"{field}: {number} for {name}, must be at most {LARGEST:,}")
    return tuple(int(number) for number in counts)


def kinds_text(numbers: Sequence[int]) -> str:
    """Return the numbers of 55 card kinds in short: what is alike in each color stands once.

    >>> kinds_text([0, 2, *[0] * 11] * 4 + [8, 4, 0])
    'each color 1:2; W:8 WD:4'
    """
    by_color = [numbers[color * NUM_SYMBOLS :][:NUM_SYMBOLS] for color in range(len(COLORS))]
    each, single = [], []
    for symbol, alike in enumerate(zip(*by_color, strict=True)):
        if len(set(alike)) == 1:
            each += [f"{SYMBOLS[symbol]}:{alike[0]}"] * (alike[0] > 0)
        else:
            kinds = range(symbol, NUM_COLORED_KINDS, NUM_SYMBOLS)
            single += [f"{CARD_NAMES[kind]}:{numbers[kind]}" for kind in kinds if numbers[kind]]
    wilds = range(NUM_COLORED_KINDS, len(numbers))
    single += [f"{CARD_NAMES[kind]}:{numbers[kind]}" for kind in wilds if numbers[kind]]
    parts = [f"each color {' '.join(each)}"] * bool(each) + [" ".join(single)] * bool(single)
    return "; ".join(parts) or "none"
