"""Observations: the state's record with only what one player knows written into it.

What is written follows from the visibility of each field (`state.FIELDS`): everything public, the
player's own rows, the known bottom of the draw pile, and, for the player who is asked, the
question. The rest stays blank. To the others the phase DRAWN shows as TURN, since it would tell
that the drawn card was playable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.cards import CARD_NAMES, MAX_CARDS, parse_card
from uno_sim.compilation import JIT_DISABLED, compiled
from uno_sim.events import event_texts
from uno_sim.rule_set import MAX_PLAYERS, RULES_DTYPE, RuleSet
from uno_sim.state import (
    BLANK_BYTES,
    COMMON_BYTES,
    FIELDS,
    STATE_DTYPE,
    Phase,
    Visibility,
    allocate,
    fields_seen_by,
)
from uno_sim.views import PublicView, cards_of_counts, hand_text

DRAWN = int(Phase.DRAWN)
TURN = int(Phase.TURN)


def _place(name: str) -> tuple[int, int]:
    """Return the first byte and the number of bytes of a field."""
    assert STATE_DTYPE.fields is not None
    dtype, start = STATE_DTYPE.fields[name][:2]
    return start, dtype.itemsize


def _block(visibility: Visibility, rare: bool) -> tuple[int, int]:
    """Return the first byte and the number of bytes that some fields take."""
    names = [field.name for field in fields_seen_by(visibility, rare)]
    first = _place(names[0])[0]
    return first, sum(_place(names[-1])) - first


def _rows(rare: bool) -> Any:
    """Return the first byte of each OWN field, and the bytes of one seat's row."""
    places = [_place(field.name) for field in fields_seen_by(Visibility.OWN, rare)]
    return np.array([(start, size // MAX_PLAYERS) for start, size in places])


_ALL_BYTES = STATE_DTYPE.itemsize
_RARE_BYTES = _ALL_BYTES - COMMON_BYTES
_RULES_BYTES = RULES_DTYPE.itemsize
_PRIVATE_BYTES = _block(Visibility.PUBLIC, rare=False)[0]
_PUBLIC_BYTES = COMMON_BYTES - _PRIVATE_BYTES
_RARE_PUBLIC_BYTES = sum(_block(Visibility.PUBLIC, rare=True)) - COMMON_BYTES
_ASKED_START, _ASKED_BYTES = _block(Visibility.ASKED, rare=False)
_ROWS, _RARE_ROWS = _rows(rare=False), _rows(rare=True)
_BOTTOM_START, _BOTTOM_BYTES = _block(Visibility.BOTTOM, rare=False)
_BOTTOM_ITEM_BYTES = _BOTTOM_BYTES // MAX_CARDS


@compiled
def is_rare(state: Any) -> Any:
    """Return whether the rare fields of a record may hold anything."""
    return state.num_players > 2 or state.epoch > 0


if JIT_DISABLED:

    def copy_record(target: Any, source: Any) -> None:
        """Copy a whole record."""
        for field in FIELDS:
            target[field.name] = source[field.name]

    def copy_rules(target: Any, source: Any) -> None:
        """Copy a rule set's record."""
        for name in RULES_DTYPE.names or ():
            target[name] = source[name]

    def copy_known(state: Any, player: Any, observation: Any) -> None:
        """Write into a record what `player` may see of the fields, and blanks elsewhere."""
        blank = allocate(1)[0]
        for field in FIELDS:
            name, visibility = field.name, field.visibility
            observation[name] = blank[name]
            if visibility == Visibility.PUBLIC:
                observation[name] = state[name]
            elif visibility == Visibility.OWN:
                observation[name][player] = state[name][player]
            elif visibility == Visibility.ASKED and player == state.current_player:
                observation[name] = state[name]
            elif visibility == Visibility.BOTTOM:
                observation[name][: state.known_size] = state[name][: state.known_size]

    copy_common = copy_known

else:
    from uno_sim.record_bytes import copy_bytes, copy_from_array

    @compiled
    def copy_record(target: Any, source: Any) -> None:
        """Copy a whole record."""
        copy_bytes(target, source, 0, _ALL_BYTES)

    @compiled
    def copy_rules(target: Any, source: Any) -> None:
        """Copy a rule set's record."""
        copy_bytes(target, source, 0, _RULES_BYTES)

    @compiled
    def copy_own_rows(state: Any, player: Any, rows: Any, observation: Any) -> None:
        """Copy the player's rows of some fields."""
        for field in range(len(rows)):
            size = rows[field, 1]
            copy_bytes(observation, state, rows[field, 0] + player * size, size)

    @compiled
    def copy_common(state: Any, player: Any, observation: Any) -> None:
        """Do the same as `copy_known`, but leave the rare fields as they are."""
        copy_from_array(observation, BLANK_BYTES, 0, _PRIVATE_BYTES)
        copy_bytes(observation, state, _BOTTOM_START, state.known_size * _BOTTOM_ITEM_BYTES)
        if player == state.current_player:
            copy_bytes(observation, state, _ASKED_START, _ASKED_BYTES)
        copy_own_rows(state, player, _ROWS, observation)
        copy_bytes(observation, state, _PRIVATE_BYTES, _PUBLIC_BYTES)

    @compiled
    def copy_known(state: Any, player: Any, observation: Any) -> None:
        """Write into a record what `player` may see of the fields, and blanks elsewhere."""
        copy_common(state, player, observation)
        copy_from_array(observation, BLANK_BYTES, COMMON_BYTES, _RARE_BYTES)
        if is_rare(state):
            copy_bytes(observation, state, COMMON_BYTES, _RARE_PUBLIC_BYTES)
            copy_own_rows(state, player, _RARE_ROWS, observation)


@compiled
def observe(state: Any, player: Any, observation: Any) -> None:
    """Write what `player` knows into the record `observation`, all of which is overwritten."""
    copy_known(state, player, observation)
    if observation.phase == DRAWN and player != state.current_player:
        observation.phase = TURN


@compiled
def observe_common(state: Any, observation: Any) -> None:
    """Write what the asked player knows, but leave the rare fields as they are.

    It is for policies that cannot name these.
    """
    copy_common(state, state.current_player, observation)


@compiled
def observe_legal_only(state: Any, observation: Any) -> None:
    """Write only the legal set into `observation`, for policies that look at nothing else."""
    for word in range(len(state.legal)):
        observation.legal[word] = state.legal[word]


class Observation(PublicView):
    """What one player knows of a game, for people to read.

    `record` is the NumPy record that policies get, `rules` the `RuleSet`, `player` the seat.
    """

    def __init__(self, record: Any, rules: RuleSet, player: int) -> None:
        super().__init__(record, rules)
        self.record = record
        self.player = player

    def __eq__(self, other: object) -> bool:
        """Return whether the same player of the same rules knows the same."""
        if not isinstance(other, Observation):
            return NotImplemented
        mine, others = ((one.player, one.rules, one.record.tobytes()) for one in (self, other))
        return mine == others

    def __hash__(self) -> int:
        """Return a number that is the same for equal observations, so that they can be keys."""
        return hash((self.player, self.record.tobytes()))

    @property
    def hand(self) -> list[str]:
        """The own cards, ascending by kind."""
        return self._hand(self.player)

    @property
    def offered_card(self) -> str | None:
        """The card offered to this player in the draft (D4)."""
        return self._card(self._record.offered_card)

    @property
    def drawn_card(self) -> str | None:
        """The card this player has just drawn (C3, P6)."""
        return self._card(self._record.drawn_card)

    @property
    def known_hands(self) -> list[list[str]]:
        """The cards that this player knows in each hand; all of its own."""
        record = self._record
        hands = []
        for seat in range(self.num_players):
            known = record.shown[seat] + record.seen[self.player][seat]
            counts = record.hands[seat] if seat == self.player else known
            hands.append(cards_of_counts(counts))
        return hands

    @property
    def known_pile(self) -> list[str | None]:
        """The draw pile, the next to be drawn first; None for each card that is not known."""
        pile = self._record.draw_pile[: self.draw_size][::-1]
        return [self._card(kind) for kind in pile]

    @property
    def unseen(self) -> dict[str, int]:
        """How many cards of each kind lie where this player does not know of them."""
        record = self._record
        counts = record.deck.astype(int)
        np.subtract.at(counts, record.discard_pile[: record.discard_size], 1)
        np.subtract.at(counts, record.draw_pile[: record.known_size], 1)
        for hand in self.known_hands:
            np.subtract.at(counts, [parse_card(card) for card in hand], 1)
        if self.offered_card is not None:
            counts[record.offered_card] -= 1
        return {CARD_NAMES[kind]: int(counts[kind]) for kind in np.flatnonzero(counts)}

    @property
    def events(self) -> list[str]:
        """The last public events of the round (at most 64), the oldest first."""
        return event_texts(self._record)

    def information_state(self) -> str:
        """Return all that this player knows as text; equal texts are equal observations.

        One line a field that is not blank: its name and its numbers.
        """
        blank = allocate(1)[0]
        lines = [f"seat {self.player} of {self.rules.name}"]
        for field in FIELDS:
            value = self._record[field.name]
            if not np.array_equal(value, blank[field.name]):
                numbers = " ".join(str(int(number)) for number in np.ravel(value))
                lines.append(f"{field.name} {numbers}")
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return the observation as a few lines of text."""
        hands = []
        for hand, size in zip(self.known_hands, self.hand_sizes, strict=True):
            unknown = [f"{size - len(hand)} unknown"] if size > len(hand) else []
            hands.append(hand_text([*hand, *unknown]))
        known = [card for card in self.known_pile if card is not None]
        lines = [self._table(hands, self.offered_card, self.drawn_card)]
        if known:
            above = self.draw_size - len(known)
            hidden = f"{above} unknown, then " if above else ""
            lines.append(f"draw pile: {hidden}{' '.join(known)}")
        if self.events:
            lines.append("last: " + ", ".join(self.events[-6:]))
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return a short name: the game, the seat, the phase."""
        return f"<Observation of seat {self.player}, {self.rules.name}, {self.phase.name}>"
