"""Observations: the state's record with only what one player knows written into it.

What is written follows from the visibility of each field (`state.FIELDS`): everything public, the
player's own rows, the known bottom of the draw pile, and, for the player who is asked, the
question. The rest stays blank. To the
others the phase DRAWN shows as TURN, since it would tell that the drawn card was playable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.cards import MAX_CARDS
from uno_sim.compilation import JIT_DISABLED, compiled
from uno_sim.rule_set import MAX_PLAYERS, RuleSet
from uno_sim.state import (
    BLANK_BYTES,
    STATE_DTYPE,
    Phase,
    Visibility,
    allocate,
    fields_seen_by,
)
from uno_sim.views import PublicView, hand_text

DRAWN = int(Phase.DRAWN)
TURN = int(Phase.TURN)


def _place(name: str) -> tuple[int, int]:
    """Return the first byte and the number of bytes of a field."""
    assert STATE_DTYPE.fields is not None
    dtype, start = STATE_DTYPE.fields[name][:2]
    return start, dtype.itemsize


def _block(visibility: Visibility) -> tuple[int, int]:
    """Return the first byte and the number of bytes that the fields of a visibility take."""
    names = [field.name for field in fields_seen_by(visibility)]
    first = _place(names[0])[0]
    return first, sum(_place(names[-1])) - first


_PUBLIC_BYTES = _block(Visibility.PUBLIC)[1]
_PRIVATE_BYTES = STATE_DTYPE.itemsize - _PUBLIC_BYTES
_ASKED_START, _ASKED_BYTES = _block(Visibility.ASKED)
_OWN_FIELDS = fields_seen_by(Visibility.OWN)
_OWN_STARTS = np.array([_place(field.name)[0] for field in _OWN_FIELDS])
_OWN_ROW_BYTES = np.array([_place(field.name)[1] // MAX_PLAYERS for field in _OWN_FIELDS])

_BOTTOM_START, _BOTTOM_BYTES = _block(Visibility.BOTTOM)
_BOTTOM_ITEM_BYTES = _BOTTOM_BYTES // MAX_CARDS

if JIT_DISABLED:

    def copy_known(state: Any, player: Any, observation: Any) -> None:
        """Write into a record what `player` may see of the fields, and blanks elsewhere."""
        blank = allocate(1)[0]
        for visibility in Visibility:
            for field in fields_seen_by(visibility):
                name = field.name
                observation[name] = blank[name]
                if visibility == Visibility.PUBLIC:
                    observation[name] = state[name]
                elif visibility == Visibility.OWN:
                    observation[name][player] = state[name][player]
                elif visibility == Visibility.ASKED and player == state.current_player:
                    observation[name] = state[name]
                elif visibility == Visibility.BOTTOM:
                    observation[name][: state.known_size] = state[name][: state.known_size]

else:
    from uno_sim.record_bytes import copy_bytes, copy_from_array

    @compiled
    def copy_known(state: Any, player: Any, observation: Any) -> None:
        """Write into a record what `player` may see of the fields, and blanks elsewhere."""
        copy_bytes(observation, state, 0, _PUBLIC_BYTES)
        copy_from_array(observation, BLANK_BYTES, _PUBLIC_BYTES, _PRIVATE_BYTES)
        for field in range(len(_OWN_STARTS)):
            size = _OWN_ROW_BYTES[field]
            copy_bytes(observation, state, _OWN_STARTS[field] + player * size, size)
        if player == state.current_player:
            copy_bytes(observation, state, _ASKED_START, _ASKED_BYTES)
        copy_bytes(observation, state, _BOTTOM_START, state.known_size * _BOTTOM_ITEM_BYTES)


@compiled
def observe(state: Any, player: Any, observation: Any) -> None:
    """Write what `player` knows into the record `observation`, all of which is overwritten."""
    copy_known(state, player, observation)
    if observation.phase == DRAWN and player != state.current_player:
        observation.phase = TURN


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

    def __str__(self) -> str:
        """Return the observation as a few lines of text."""
        sizes = [str(size) for size in self.hand_sizes]
        sizes[self.player] = hand_text(self.hand)
        return self._table(sizes, self.offered_card, self.drawn_card)

    def __repr__(self) -> str:
        """Return a short name: the game, the seat, the phase."""
        return f"<Observation of seat {self.player}, {self.rules.name}, {self.phase.name}>"
