"""A position as text: a turn in the middle of a round, made by hand.

Lines of `key: value`, in any order; blank lines and `#` comments are ignored:

    hands: R3 RR RS RD B9 | G5 WD    one hand a seat, each of at least one card
    discard: R5 R4                   the discard pile, oldest first, the top last
    draw: Y1 Y2                      the draw pile, the next to be drawn first (default empty)
    color: G                         the active color; needed when the top card is wild
    to move: 0                       the seat whose turn it is (default 0)
    direction: left                  or right (default left)
    open reverse: no                 or yes (default no)
    first: 0                         the first drafter or the dealer (default 0)
    scores: 10 20                    totals (default all 0)
    turns: 1                         turns begun in this round (default 1)
    round: 1                         number of the round (default 1)
"""

from __future__ import annotations

from typing import Any

from uno_sim.cards import (
    CARD_NAMES,
    COLORS,
    MAX_CARDS,
    NUM_COLORED_KINDS,
    NUM_SYMBOLS,
    REVERSE,
    parse_card,
)
from uno_sim.knowledge.memory import came_into_hand, clear_knowledge, turned_up
from uno_sim.rule_set import DUMPS, RuleSet
from uno_sim.rules.hands import add_card
from uno_sim.rules.legal import write_legal
from uno_sim.rules.piles import discard
from uno_sim.rules.turn_order import TURN
from uno_sim.state import allocate

KEYS = tuple(
    "hands|discard|draw|color|to move|direction|open reverse|first|scores|turns|round".split("|")
)


class PositionError(ValueError):
    """A position that cannot be read, or that cannot be in this game."""


def parse_position(rules: RuleSet, text: str) -> Any:
    """Return the state of a position.

    Raises `PositionError` (a `ValueError`), naming the line, where the text does not fit.
    """
    values = _values(text)
    hands = [_cards(rules, "hands", part) for part in _needed(values, "hands").split("|")]
    rules.check_players(len(hands))
    if not all(hands):
        raise PositionError("hands: each hand must hold at least one card")
    discards = _cards(rules, "discard", _needed(values, "discard"))
    draw_pile = _cards(rules, "draw", values.get("draw", ""))
    if not discards:
        raise PositionError("discard: at least the top card must lie")
    every_card = [*discards, *draw_pile, *(kind for hand in hands for kind in hand)]
    if len(every_card) > MAX_CARDS:
        raise PositionError(f"{len(every_card)} cards, at most {MAX_CARDS} are possible")

    state = allocate(1)[0]
    state.num_players = len(hands)
    for kind in every_card:
        state.deck[kind] += 1
    clear_knowledge(state)
    for seat, hand in enumerate(hands):
        for kind in hand:
            add_card(state, seat, kind)
            came_into_hand(state, seat, kind, False)
    for kind in discards:
        turned_up(state, kind)
        discard(state, kind)
    state.draw_pile[: len(draw_pile)] = draw_pile[::-1]
    state.draw_size = len(draw_pile)
    state.top_card = discards[-1]
    state.active_color = _color(values, discards[-1])
    state.open_reverse = _open_reverse(values, rules, discards[-1])
    state.direction = _choice(values, "direction", {"left": 1, "right": -1}, "left")
    state.phase = TURN
    state.current_player = _seat(values, "to move", len(hands))
    state.first = _seat(values, "first", len(hands))
    scores = [_integer("scores", word) for word in values.get("scores", "").split()]
    if scores and len(scores) != len(hands):
        raise PositionError(f"scores: {len(scores)} totals for {len(hands)} players")
    state.scores[: len(scores)] = scores
    state.turns = _integer("turns", values.get("turns", "1"), least=1, most=rules.max_turns)
    state.round_number = _integer("round", values.get("round", "1"), least=1)
    write_legal(state, rules.record)
    return state


def _values(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if not content:
            continue
        key, colon, value = content.partition(":")
        key = key.strip()
        if not colon or key not in KEYS:
            raise PositionError(
                f"{content!r}: must be `key: value` with a key of {', '.join(KEYS)}"
            )
        if key in values:
            raise PositionError(f"{key}: given twice")
        values[key] = value.strip()
    return values


def _needed(values: dict[str, str], key: str) -> str:
    if key not in values:
        raise PositionError(f"{key}: this line is needed")
    return values[key]


def _cards(rules: RuleSet, key: str, text: str) -> list[int]:
    try:
        kinds = [parse_card(card) for card in text.split()]
    except ValueError as error:
        raise PositionError(f"{key}: {error}") from None
    for kind in kinds:
        if rules.deck[kind] == 0:
            raise PositionError(f"{key}: {rules.name} has no card {CARD_NAMES[kind]}")
    return kinds


def _color(values: dict[str, str], top: int) -> int:
    if top >= NUM_COLORED_KINDS:
        return _choice(values, "color", {name: color for color, name in enumerate(COLORS)}, "none")
    shown = COLORS[top // NUM_SYMBOLS]
    if values.get("color", shown) != shown:
        raise PositionError(f"color: {values['color']!r}, but the top card is {CARD_NAMES[top]}")
    return top // NUM_SYMBOLS


def _open_reverse(values: dict[str, str], rules: RuleSet, top: int) -> bool:
    is_open = _choice(values, "open reverse", {"yes": True, "no": False}, "no")
    is_reverse = top < NUM_COLORED_KINDS and top % NUM_SYMBOLS == REVERSE
    if is_open and not (is_reverse and rules.record.reverse == DUMPS):
        raise PositionError("open reverse: the top card must be a Reverse, in a game of dumps")
    return is_open


def _choice(values: dict[str, str], key: str, choices: dict[str, Any], default: str) -> Any:
    value = values.get(key, default)
    if value not in choices:
        raise PositionError(f"{key}: {value!r}, must be {' or '.join(choices)}")
    return choices[value]


def _seat(values: dict[str, str], key: str, num_players: int) -> int:
    return _integer(key, values.get(key, "0"), most=num_players - 1)


def _integer(key: str, text: str, least: int = 0, most: int = 2**31 - 1) -> int:
    try:
        number = int(text)
    except ValueError:
        raise PositionError(f"{key}: {text!r} is not an integer") from None
    if not least <= number <= most:
        raise PositionError(f"{key}: {number}, must be from {least} to {most}")
    return number
