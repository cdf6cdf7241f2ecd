"""The action space, the same for both games, and the text of an action.

| ids | text | meaning |
|---|---|---|
| 0-51 | `R7` | lay this card; a Reverse laid so is no dump |
| 52-103 | `R>R5` | lay a dump that ends in this card (D9) |
| 104-115 | `W:R` `WD:R` `WP:R` | lay this wild and name a color |
| 116 | `draw` | draw a card |
| 117 | `pass` | keep the card just drawn |
| 118, 119 | `keep` `reject` | the draft (D4) |
| 120, 121 | `take` `challenge` | answer a draw card (D8, C9) |
| 122, 123 | `uno` `silent` | say UNO, or not (C4) |
| 124, 125 | `catch` `ignore` | catch a silent player, or not (C4) |
| 126-129 | `color:R` | name the color of a start card (C13) |
| 130-184 | `give:R7` | give this card by a dip (P6) |
"""

from __future__ import annotations

from typing import Any

from uno_sim.cards import (
    CARD_NAMES,
    COLORS,
    NUM_COLORED_KINDS,
    NUM_COLORS,
    NUM_KINDS,
    SYMBOLS,
)
from uno_sim.compilation import compiled

LAY = 0
DUMP = 52
LAY_WILD = 104
DRAW = 116
PASS = 117
KEEP = 118
REJECT = 119
TAKE = 120
CHALLENGE = 121
UNO = 122
SILENT = 123
CATCH = 124
IGNORE = 125
NAME_COLOR = 126
GIVE = 130
NUM_ACTIONS = 185

ACTIONS_VERSION = 1
"""The version of what the ids mean; checked when weights are loaded."""

NUM_LEGAL_WORDS = 3
"""A set of actions is three 64-bit words, bit `a % 64` of word `a // 64` for action `a`."""

ACTION_NAMES: tuple[str, ...] = (
    *CARD_NAMES[:NUM_COLORED_KINDS],
    *(f"{color}>{color}{symbol}" for color in COLORS for symbol in SYMBOLS),
    *(f"{wild}:{color}" for wild in CARD_NAMES[NUM_COLORED_KINDS:] for color in COLORS),
    *("draw", "pass", "keep", "reject", "take", "challenge"),
    *("uno", "silent", "catch", "ignore"),
    *(f"color:{color}" for color in COLORS),
    *(f"give:{name}" for name in CARD_NAMES),
)
_ACTION_OF_NAME = {name: action for action, name in enumerate(ACTION_NAMES)}


def action_name(action: int) -> str:
    """Return the text of an action.

    >>> action_name(57), action_name(116)
    ('R>R5', 'draw')

    Raises `ValueError` where `action` is not an action (0 to 184).
    """
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"action {action}: an action is an integer from 0 to {NUM_ACTIONS - 1}")
    return ACTION_NAMES[action]


def parse_action(text: str) -> int:
    """Return the action that a text names.

    >>> parse_action("R>R5"), parse_action("WD:G")
    (57, 110)

    Raises `ValueError` where no action has this text.
    """
    try:
        return _ACTION_OF_NAME[text]
    except (KeyError, TypeError):
        raise ValueError(
            f"action {text!r}: an action is a card (R7), a dump (R>R5), a wild and a color (W:R), "
            "color:R, give:R7, or one of draw, pass, keep, reject, take, challenge, uno, silent, "
            "catch, ignore"
        ) from None


@compiled
def wild_action(kind: Any, color: Any) -> Any:
    """Return the action that lays the wild `kind` and names `color`."""
    return LAY_WILD + (kind - NUM_COLORED_KINDS) * NUM_COLORS + color


@compiled
def wild_of(action: Any) -> Any:
    """Return the kind that a wild's action lays."""
    return NUM_COLORED_KINDS + (action - LAY_WILD) // NUM_COLORS


@compiled
def color_named(action: Any) -> Any:
    """Return the color that a wild's action names."""
    return (action - LAY_WILD) % NUM_COLORS


assert len(ACTION_NAMES) == NUM_ACTIONS == GIVE + NUM_KINDS
