"""The state of a game: one NumPy record, each field declared once with who may see it.

`FIELDS` is the one table: the dtype and the redaction of observations are made from it. An
observation has the same dtype; what its player does not know holds the field's blank value.
A batch of games is an array of records; a copy is an assignment.

Shapes: `[P]` players (5, unused seats stay blank), `[K]` card kinds (55), `[C]` cards (128).
"""

from __future__ import annotations

import enum
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from uno_sim.actions import NUM_LEGAL_WORDS
from uno_sim.cards import MAX_CARDS, NO_CARD, NO_COLOR, NUM_COLORS, NUM_KINDS
from uno_sim.files import write_whole
from uno_sim.rule_set import MAX_PLAYERS

NO_SEAT = -1

NUM_EVENTS = 64
"""How many public events a record remembers."""
MAX_EPOCHS = 8
"""How many shuffled piles the unknown cards are told apart by."""
MAX_DOUBTS = 8
"""How many moved cards of unsure epoch are kept in mind."""
MAX_WAYS = 32
"""How many ways to say of which epochs they were are followed."""
MAX_GIFTS = 8
"""How many of the last gifts that not all saw are kept in mind."""
MAX_TRACES = 6
"""How many cards that may have been given away unseen a seat keeps in mind."""


class Phase(enum.IntEnum):
    """What the player to act is asked, or that nobody is."""

    DRAFT = 0
    """Keep the offered card, or reject it (D4)."""
    CHOOSE_COLOR = 1
    """Name the color of the wild turned up at the start (C13)."""
    TURN = 2
    """Lay a card or draw one (C2)."""
    DRAWN = 3
    """Lay the card just drawn, or keep it (C3)."""
    VOLLEY = 4
    """Answer the draw card, or take (D8)."""
    CHALLENGE = 5
    """Challenge the wild draw, or take (C9)."""
    GIVE = 6
    """Choose the gift of a dip (P6)."""
    UNO = 7
    """Say UNO, or stay silent (C4)."""
    CATCH = 8
    """Catch the silent player, or not (C4)."""
    ROUND_OVER = 9
    GAME_OVER = 10


class Visibility(enum.IntEnum):
    """Who may see a field."""

    HIDDEN = 0
    """Nobody."""
    BOTTOM = 1
    """Everybody, but only the first `known_size` entries."""
    ASKED = 2
    """The player who is asked for a decision."""
    OWN = 3
    """Shape `[P, ...]`; each seat sees its row."""
    PUBLIC = 4
    """Everybody."""


@dataclass(frozen=True)
class Field:
    """One field of the record."""

    name: str
    dtype: Any
    shape: tuple[int, ...]
    visibility: Visibility
    blank: int
    """What stands in it where nothing is known, or nothing is there."""
    meaning: str
    rare: bool = False
    """Whether it is blank as long as two play and nothing was shuffled yet; the first epoch of
    `pool` is not."""


def _public(
    name: str, dtype: Any, meaning: str, blank: int = 0, shape: Any = (), rare: bool = False
) -> Field:
    return Field(name, dtype, shape, Visibility.PUBLIC, blank, meaning, rare)


FIELDS: tuple[Field, ...] = (
    _public(
        "scores", np.int32, "totals of the game, the finished round included", 0, (MAX_PLAYERS,)
    ),
    _public("points", np.int32, "scored in this round, once it is over", 0, (MAX_PLAYERS,)),
    _public("turns", np.int32, "turns begun in this round (C12)"),
    _public("passes", np.int32, "turns that brought no card, in a row (C12)"),
    _public("pending", np.int32, "cards that `take` would draw (D8, C9)"),
    _public("round_number", np.int32, "from 1"),
    _public("discard_size", np.int16, "cards on the discard pile"),
    _public("draw_size", np.int16, "cards in the draw pile"),
    _public("num_players", np.int8, "seats in use"),
    _public("phase", np.int8, "a `Phase`; DRAWN shows as TURN to the others"),
    _public("current_player", np.int8, "the seat that is asked", NO_SEAT),
    _public("direction", np.int8, "+1 left, -1 right", 1),
    _public("first", np.int8, "the first drafter, or the dealer (D3, P3)", NO_SEAT),
    _public("top_card", np.int8, "kind of the card to match (C1)", NO_CARD),
    _public("active_color", np.int8, "color to match (C1)", NO_COLOR),
    _public("open_reverse", np.bool_, "whether the top Reverse is open (D9)"),
    _public("actor", np.int8, "the seat that laid the top card", NO_SEAT),
    _public("dumped", np.bool_, "whether the top card was the last of a dump (D9)"),
    _public("top_before", np.int8, "top card before the last laying (C8)", NO_CARD),
    _public("color_before", np.int8, "active color before the last laying (C8)", NO_COLOR),
    _public("round_winner", np.int8, "the seat that went out", NO_SEAT),
    _public("winner", np.int8, "the seat that won the game (D1, P1)", NO_SEAT),
    _public("blocked", np.bool_, "whether the round was blocked (C12)"),
    _public("capped", np.bool_, "whether the round was capped (C12)"),
    _public("hand_sizes", np.uint8, "cards in each hand", 0, (MAX_PLAYERS,)),
    _public("deck", np.uint8, "cards of each kind in the whole deck", 0, (NUM_KINDS,)),
    _public("discard_pile", np.int8, "kinds, oldest first", NO_CARD, (MAX_CARDS,)),
    _public("known_size", np.int16, "cards at the bottom of the draw pile that all know (D5, D7)"),
    _public("epoch", np.int8, "the current epoch (P8); see `knowledge.memory`"),
    _public("drawn_shown", np.int8, "the card last drawn, if all knew it (D5, D7)", NO_CARD),
    _public("judged_apart", np.bool_, "whether a challenge judges `judged_card` alone (C8)"),
    _public("judged_shown", np.int8, "the judged card, if all know it", NO_CARD),
    _public("num_events", np.int32, "public events in this round"),
    _public(
        "events",
        np.uint8,
        "ring: seat, action id or code, cards, known cards (`knowledge.memory`)",
        0,
        (NUM_EVENTS, 4),
    ),
    _public(
        "event_notes",
        np.uint8,
        "ring: what a challenge was judged by, who got a gift (`knowledge.memory`)",
        0,
        (NUM_EVENTS,),
    ),
    _public(
        "drew_on",
        np.int32,
        "the last turn on which a seat drew while a color was active; 0 for none",
        0,
        (MAX_PLAYERS, NUM_COLORS),
    ),
    _public("shown", np.uint8, "cards in a hand that all others know", 0, (MAX_PLAYERS, NUM_KINDS)),
    _public("slots", np.uint8, "unknown cards in a hand by epoch", 0, (MAX_PLAYERS, MAX_EPOCHS)),
    _public("pool", np.uint8, "unknown cards of an epoch", 0, (MAX_EPOCHS, NUM_KINDS), rare=True),
    _public("num_doubts", np.int8, "moves of cards of an unsure epoch (`knowledge.ways`)"),
    _public("num_ways", np.int8, "ways to say of which they were"),
    _public("doubts", np.int8, "giver, taker, kind", 0, (MAX_DOUBTS, 3), rare=True),
    _public(
        "way_epochs", np.int8, "epochs of the doubts, by way", 0, (MAX_WAYS, MAX_DOUBTS), rare=True
    ),
    _public("way_weights", np.uint16, "how likely each way is", 0, (MAX_WAYS,), rare=True),
    _public("next_gift", np.int8, "place of the next gift in `gifts`"),
    _public(
        "gifts",
        np.int8,
        "ring of the last that not all saw: giver, taker, move (`knowledge.traces`)",
        NO_SEAT,
        (MAX_GIFTS, 3),
        rare=True,
    ),
    Field("held", np.uint64, (MAX_PLAYERS,), Visibility.OWN, 0, "set of the kinds in the hand"),
    Field("hands", np.uint8, (MAX_PLAYERS, NUM_KINDS), Visibility.OWN, 0, "cards of each kind"),
    Field(
        "possible_ways",
        np.uint64,
        (MAX_PLAYERS,),
        Visibility.OWN,
        0,
        "set of the ways that this seat could not rule out (`knowledge.ways`)",
        rare=True,
    ),
    Field(
        "not_from",
        np.uint64,
        (MAX_PLAYERS, MAX_EPOCHS),
        Visibility.OWN,
        0,
        "by epoch, set of the kinds of which this seat holds none from it (`knowledge.memory`)",
        rare=True,
    ),
    Field(
        "known_gifts",
        np.uint64,
        (MAX_PLAYERS,),
        Visibility.OWN,
        0,
        "set of the last gifts of which this seat knows what they were (`knowledge.traces`)",
        rare=True,
    ),
    Field(
        "traces",
        np.int8,
        (MAX_PLAYERS, MAX_TRACES, 3),
        Visibility.OWN,
        NO_CARD,
        "cards seen by this seat, in hands that gave one away since (`knowledge.traces`)",
        rare=True,
    ),
    Field(
        "seen",
        np.uint8,
        (MAX_PLAYERS, MAX_PLAYERS, NUM_KINDS),
        Visibility.OWN,
        0,
        "cards in a hand that this seat knows and not all others (three and more players)",
        rare=True,
    ),
    Field(
        "judged_card",
        np.int8,
        (MAX_PLAYERS,),
        Visibility.OWN,
        NO_CARD,
        "the one card left when a wild draw was laid, if a caught silence has added others (C8)",
    ),
    Field("offered_card", np.int8, (), Visibility.ASKED, NO_CARD, "the draft's top card (D4)"),
    Field(
        "drawn_card",
        np.int8,
        (),
        Visibility.ASKED,
        NO_CARD,
        "the card just drawn, in DRAWN (C3) and GIVE (P6)",
    ),
    # Not the first that an asked player sees: Numba would take what begins with it for a record of
    # the legal set alone, and warn (`policy_calls`).
    Field(
        "legal",
        np.uint64,
        (NUM_LEGAL_WORDS,),
        Visibility.ASKED,
        0,
        "set of the legal actions",
    ),
    Field("random", np.uint64, (1,), Visibility.HIDDEN, 0, "the deal's random stream"),
    Field("root", np.uint64, (), Visibility.HIDDEN, 0, "the key of the game's deals"),
    Field(
        "draw_pile",
        np.int8,
        (MAX_CARDS,),
        Visibility.BOTTOM,
        NO_CARD,
        "kinds, the bottom first, the next to be drawn last",
    ),
)


def fields_seen_by(visibility: Visibility, rare: bool) -> tuple[Field, ...]:
    """Return the rare or the other fields of one visibility, in the table's order."""
    return tuple(f for f in FIELDS if f.visibility == visibility and f.rare == rare)


_RECORD_ORDER = (
    *(field for visibility in Visibility for field in fields_seen_by(visibility, rare=False)),
    *fields_seen_by(Visibility.PUBLIC, rare=True),
    *fields_seen_by(Visibility.OWN, rare=True),
)

STATE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype([(f.name, f.dtype, f.shape) for f in _RECORD_ORDER], align=True),
    )
)
"""The dtype of states and observations alike.

The fields of one visibility stand together, so that each is copied as one block; the rare ones
stand at the end, `pool` first, so that most games can do without them.
"""

assert STATE_DTYPE.fields is not None
COMMON_BYTES = int(STATE_DTYPE.fields["pool"][1]) + NUM_KINDS
"""Where the rare part of a record begins: after the first epoch of `pool`."""


def _blank_bytes() -> np.ndarray[Any, np.dtype[np.uint8]]:
    blank = np.zeros(1, STATE_DTYPE)
    for field in FIELDS:
        blank[field.name] = field.blank
    return blank.view(np.uint8)


BLANK_BYTES = _blank_bytes()
"""The bytes of a record in which every field holds its blank value."""


def allocate(count: int) -> Any:
    """Return an array of `count` blank records, shape `[count]`."""
    records = np.empty((count, STATE_DTYPE.itemsize), np.uint8)
    records[:] = BLANK_BYTES
    return records.reshape(-1).view(STATE_DTYPE).view(np.recarray)


def copy(state: Any) -> Any:
    """Return an independent copy of one record."""
    # Through bytes, so that the unused ones between fields are equal too.
    return np.frombuffer(bytearray(state.tobytes()), STATE_DTYPE).view(np.recarray)[0]


def save(path: str | os.PathLike[str], states: Any) -> None:
    """Write an array of records to a `.npy` file, whole or not at all.

    Raises `ValueError` where `states` is no array of states.
    """
    if not isinstance(states, np.ndarray) or states.dtype != STATE_DTYPE:
        raise ValueError("states: must be an array of the dtype of states")
    file = io.BytesIO()
    np.save(file, np.asarray(states), allow_pickle=False)
    write_whole(path, file.getvalue())


def load(path: str | os.PathLike[str]) -> Any:
    """Read an array of records that `save` wrote.

    Raises `ValueError` where the file does not hold records of this version.
    """
    with Path(path).open("rb") as file:
        try:
            plain = np.lib.format.read_array(file, allow_pickle=False)
        except Exception as error:  # a damaged head raises whatever Python's own parser does
            raise ValueError(f"{os.fspath(path)}: not an array of states ({error})") from None
    if plain.dtype != STATE_DTYPE:
        raise ValueError(f"{os.fspath(path)}: states of another version")
    return plain.view(STATE_DTYPE).view(np.recarray)
