"""Reading a record as text and Python values: what games and observations share."""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.actions import ACTION_NAMES, NUM_ACTIONS
from uno_sim.cards import CARD_NAMES, COLORS
from uno_sim.rule_set import RuleSet
from uno_sim.state import Phase


def legal_mask(words: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return a legal set, three 64-bit words, as a bool array of shape `[A]` (185)."""
    bits = np.unpackbits(np.asarray(words, "<u8").view(np.uint8), bitorder="little")
    return bits[:NUM_ACTIONS].astype(bool)


def cards_of_counts(counts: Any) -> list[str]:
    """Return the cards of a hand, given as one count a kind, ascending."""
    return [CARD_NAMES[kind] for kind in np.repeat(np.arange(len(counts)), counts)]


def hand_text(cards: list[str]) -> str:
    """Return cards as text, `-` where there are none."""
    return " ".join(cards) or "-"


PHASES = tuple(Phase)
"""All phases, by their number."""


class PublicView:
    """The public fields of a record as text (`R7`, `WD`; colors `R`) and Python values."""

    def __init__(self, record: Any, rules: RuleSet) -> None:
        self._record = record
        self.rules = rules

    def _card(self, kind: int) -> str | None:
        return CARD_NAMES[kind] if kind >= 0 else None

    def _hand(self, player: int) -> list[str]:
        return cards_of_counts(self._record["hands"][player])

    def _seat(self, seat: int) -> int | None:
        return int(seat) if seat >= 0 else None

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return int(self._record["num_players"])

    @property
    def phase(self) -> Phase:
        """What the current player is asked."""
        return PHASES[self._record["phase"]]

    @property
    def current_player(self) -> int | None:
        """The seat that is asked; None when the round is over."""
        return self._seat(self._record["current_player"])

    @property
    def direction(self) -> int:
        """+1 for left (seat i+1 follows seat i), -1 for right."""
        return int(self._record["direction"])

    @property
    def first(self) -> int:
        """The first drafter (D3), or the dealer (P3)."""
        return int(self._record["first"])

    @property
    def discard_pile(self) -> list[str]:
        """The discards, oldest first, the top last."""
        size = int(self._record["discard_size"])
        return [CARD_NAMES[kind] for kind in self._record["discard_pile"][:size]]

    @property
    def draw_size(self) -> int:
        """How many cards the draw pile has."""
        return int(self._record["draw_size"])

    @property
    def hand_sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return [int(size) for size in self._record["hand_sizes"][: self.num_players]]

    @property
    def top_card(self) -> str | None:
        """The card to match; None until the start card is turned up."""
        return self._card(self._record["top_card"])

    @property
    def active_color(self) -> str | None:
        """The color to match; None until there is one."""
        color = int(self._record["active_color"])
        return COLORS[color] if color >= 0 else None

    @property
    def open_reverse(self) -> bool:
        """Whether the top Reverse is open (D9)."""
        return bool(self._record["open_reverse"])

    @property
    def pending(self) -> int:
        """The cards that `take` would draw, in VOLLEY and CHALLENGE; else 0."""
        asked = self.phase in (Phase.VOLLEY, Phase.CHALLENGE)
        return int(self._record["pending"]) if asked else 0

    @property
    def scores(self) -> list[int]:
        """The totals by seat, the finished round included."""
        return [int(score) for score in self._record["scores"][: self.num_players]]

    @property
    def points(self) -> list[int]:
        """What each seat scored in this round; all 0 until it is over."""
        return [int(points) for points in self._record["points"][: self.num_players]]

    @property
    def round_number(self) -> int:
        """The number of the round, from 1."""
        return int(self._record["round_number"])

    @property
    def turns(self) -> int:
        """The turns begun in this round, the current one included (C12)."""
        return int(self._record["turns"])

    @property
    def round_winner(self) -> int | None:
        """The seat that went out; None before, and after a blocked or capped round."""
        return self._seat(self._record["round_winner"])

    @property
    def winner(self) -> int | None:
        """The seat that won the game; None until GAME_OVER."""
        return self._seat(self._record["winner"])

    @property
    def blocked(self) -> bool:
        """Whether the round ended because all passed (C12)."""
        return bool(self._record["blocked"])

    @property
    def capped(self) -> bool:
        """Whether the round ended because it took too many turns (C12)."""
        return bool(self._record["capped"])

    def action_mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the legal actions as a bool array of shape `[A]` (185); True is legal."""
        return legal_mask(self._record["legal"])

    def legal_actions(self) -> list[int]:
        """Return the legal actions, ascending; empty when the round is over."""
        return [int(action) for action in np.flatnonzero(self.action_mask())]

    def legal_names(self) -> list[str]:
        """Return the texts of the legal actions."""
        return [ACTION_NAMES[action] for action in self.legal_actions()]

    def _table(self, hands: list[str], offered: str | None, drawn: str | None) -> str:
        """Return the position as lines of text; `hands` is one text a seat."""
        top = self.top_card or "-"
        if self.open_reverse:
            top += " (open)"
        lines = [
            f"{self.rules.name}, round {self.round_number}, turn {self.turns}",
            f"top {top}, color {self.active_color or '-'}, "
            f"draw pile {self.draw_size}, discards {len(self.discard_pile)}, "
            f"direction {'left' if self.direction > 0 else 'right'}",
        ]
        for seat, hand in enumerate(hands):
            mark = ">" if seat == self.current_player else " "
            lines.append(f"{mark} seat {seat} ({self.scores[seat]} points): {hand}")
        question = self.phase.name
        if self.pending:
            question += f", {self.pending} pending"
        if offered:
            question += f", offered {offered}"
        if drawn:
            question += f", drawn {drawn}"
        legal = self.legal_names()
        lines.append(f"{question}: {' '.join(legal)}" if legal else question)
        return "\n".join(lines)
