"""The layout of the features: what stands where in the float32 vector of an observation.

The layout is the same for both games, all players and all rule sets. Seats are counted from the
observer on: 0 is the observer, 1 the next seat to the left. `BLOCKS` is the table of what stands
where; docs/observations.md is made from it. `FEATURES_VERSION` changes whenever the layout or a
meaning does, so that weights trained on another layout can be refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uno_sim import actions
from uno_sim.cards import NUM_COLORED_KINDS, NUM_COLORS, NUM_KINDS, NUM_SYMBOLS, NUM_WILDS
from uno_sim.knowledge.memory import FORCED_DRAW
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import Phase

FEATURES_VERSION = 1
"""The version of the layout and of the meanings; checked when weights are loaded."""

NEXT_CARDS = 4
"""How many of the next cards of the draw pile are shown, as far as they are known."""
LAST_EVENTS = 8
"""How many of the last public events are shown."""
EVENT_TYPES = (
    "lay",
    "dump",
    "wild",
    "draw",
    "draft",
    "take",
    "challenge",
    "uno",
    "silent",
    "catch",
    "other",
    "forced draw",
)
CARD_SIZE = NUM_COLORS + NUM_SYMBOLS + NUM_WILDS
"""A card is shown by 1 for its color and 1 for its symbol, or 1 for which wild it is."""
EVENT_SIZE = MAX_PLAYERS + len(EVENT_TYPES) + NUM_COLORS + NUM_SYMBOLS + 3
_OPTIONS = 22


@dataclass(frozen=True)
class Block:
    """A run of features with one meaning."""

    name: str
    size: int
    meaning: str


BLOCKS: tuple[Block, ...] = (
    Block("legal", actions.NUM_ACTIONS, "1 for each legal action"),
    Block("phase", len(Phase), "1 for the phase"),
    Block("hand", NUM_KINDS, "own cards of each kind, in halves"),
    Block("own_card", CARD_SIZE, "offered or drawn card: color (4), symbol (13), wild (3)"),
    Block("top_card", CARD_SIZE, "the top card: color, symbol, wild"),
    Block("active_color", NUM_COLORS, "1 for the active color"),
    Block("top_before", CARD_SIZE, "the top card before the last laying: color, symbol, wild"),
    Block("color_before", NUM_COLORS, "1 for the color before the last laying"),
    Block("to_move", MAX_PLAYERS, "1 for the seat that is asked"),
    Block("actor", MAX_PLAYERS, "1 for the seat that laid the top card"),
    Block("first", MAX_PLAYERS, "1 for the first drafter or the dealer"),
    Block("table", 9, "direction, open Reverse, last was a dump, pending / 10, passes / 5, "
          "draw pile / 100, known part of it / 100, discards / 100, turns / 100"),
    Block("hand_sizes", MAX_PLAYERS, "cards in each hand, / 10"),
    Block("unseen", NUM_KINDS, "cards of each kind that the observer knows nothing of, in halves"),
    Block("known_hands", (MAX_PLAYERS - 1) * NUM_KINDS, "known cards in other hands, in halves"),
    Block("next_cards", NEXT_CARDS * CARD_SIZE, "each of the next cards that is known: color, "
          "symbol, wild"),
    Block("known_pile", NUM_KINDS, "known cards of the draw pile: sum of 0.97 ** depth / 2"),
    Block("drew_on", MAX_PLAYERS * NUM_COLORS, "1 / (1 + turns since) a seat drew on a color, "
          "by seat, then color"),
    Block("events", LAST_EVENTS * EVENT_SIZE, "the last events, newest first; each: seat (5), "
          f"type ({len(EVENT_TYPES)}: {', '.join(EVENT_TYPES)}), color (4), symbol (13), "
          "cards / 4, known cards / 4 (of a recycling / 100), just drawn or guilty"),
    Block("scores", MAX_PLAYERS, "totals by seat, / target"),
    Block("game", 2, "target / 200, round number / 10"),
    Block("players", MAX_PLAYERS - 1, "1 for the number of players, 2 to 5"),
    Block("options", _OPTIONS, "the rules: draft, hand size / 7, loser scores, draw penalty / 4, "
          "wild draw penalty / 4, failed challenge extra / 4, UNO penalty / 4, shuffled recycling, "
          "volley, dumps, lone Reverse again, last Reverse opens, challenge by color only, same "
          "wild draw counts, offender moves, last card draws, starter names, dip gives drawn, dip "
          "gives other, explicit calls, value of Skip / 50, value of Wild Draw / 50"),
)  # fmt: skip


def _starts() -> dict[str, int]:
    starts, place = {}, 0
    for block in BLOCKS:
        starts[block.name] = place
        place += block.size
    return starts


STARTS = _starts()
"""The index of the first feature of each block."""
NUM_FEATURES = sum(block.size for block in BLOCKS)


def _event_type(code: int) -> str:
    """Return the type of the events of a code."""
    for end, name in ((actions.DUMP, "lay"), (actions.LAY_WILD, "dump"), (actions.DRAW, "wild")):
        if code < end:
            return name
    return {
        actions.DRAW: "draw",
        actions.KEEP: "draft",
        actions.REJECT: "draft",
        actions.TAKE: "take",
        actions.CHALLENGE: "challenge",
        actions.UNO: "uno",
        actions.SILENT: "silent",
        actions.CATCH: "catch",
        FORCED_DRAW: "forced draw",
    }.get(code, "other")


_CODES = np.arange(256)
_LAYS = _CODES < actions.LAY_WILD
_LAYS_WILD = (_CODES >= actions.LAY_WILD) & (_CODES < actions.DRAW)
TYPE_OF_CODE = np.array([EVENT_TYPES.index(_event_type(code)) for code in range(256)])
COLOR_OF_CODE = np.select(
    [_LAYS, _LAYS_WILD],
    [_CODES % NUM_COLORED_KINDS // NUM_SYMBOLS, (_CODES - actions.LAY_WILD) % NUM_COLORS],
    -1,
)
"""The color that the events of a code lay or name, or -1."""
SYMBOL_OF_CODE = np.select(
    [_LAYS, _LAYS_WILD], [_CODES % NUM_SYMBOLS, (_CODES - actions.LAY_WILD) // NUM_COLORS], -1
)
"""The symbol, or the number of the wild, that the events of a code lay, or -1."""


def feature_table() -> str:
    """Return the layout as a Markdown table."""
    lines = ["| index | block | meaning |", "|---|---|---|"]
    for block in BLOCKS:
        start = STARTS[block.name]
        lines.append(f"| {start}-{start + block.size - 1} | `{block.name}` | {block.meaning} |")
    return "\n".join(lines) + "\n"


def feature_name(index: int) -> str:
    """Return the name of one feature, block and place in it.

    >>> feature_name(0)
    'legal[0]'

    Raises `ValueError` where there is no such feature.
    """
    for block in reversed(BLOCKS):
        if STARTS[block.name] <= index < NUM_FEATURES:
            return f"{block.name}[{index - STARTS[block.name]}]"
    raise ValueError(f"feature {index}: must be from 0 to {NUM_FEATURES - 1}")
