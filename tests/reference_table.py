"""The table of the reference model: what lies where, who sits next, and drawing from the pile."""

from bisect import insort
from typing import Any

from tests.reference_cards import KIND, shuffle

LEFT = 1  # the next player is the next seat; to the right it is the one before


class ReferenceTable:
    """The public attributes of a game, and the few things a table remembers besides.

    `random` is the state of the random stream, an int of 64 bits. It serves recycling by shuffle
    alone: every deck comes ready from outside. `first` is the first drafter or the dealer.
    """

    def __init__(self, rules: Any, num_players: int) -> None:
        self.rules = rules
        self.num_players = num_players
        self.scores = [0] * num_players
        self.winner: int | None = None
        self.round_number = 0

    def clear(self, deck: list[str], first: int, stream: int) -> None:
        """Put a deck on the empty table; every round begins in the left direction (P3)."""
        self.round_number += 1
        self.first = first
        self.random = stream
        self.draw_pile = list(deck)  # the first is drawn next
        self.discard_pile: list[str] = []  # the last is the top
        self.hands: list[list[str]] = [[] for _ in range(self.num_players)]  # each ascending
        self.top_card: str | None = None
        self.active_color: str | None = None
        self.offered_card: str | None = None
        self.drawn_card: str | None = None
        self.open_reverse = False
        self.phase = ""
        self.current_player: int | None = None
        self.direction = LEFT
        self.pending = 0
        self.turns = 0
        self.round_winner: int | None = None
        self.blocked = False
        self.capped = False

        self.starting = True  # the start card is still at work
        self.layer = first  # who laid last
        self.dumped = False  # whether that was a dump
        self.volley_total = 0  # what the draw cards of one volley add up to
        self.passes = 0  # passes that followed each other
        self.judged: tuple[list[str], str, str] | None = None  # hand, top card and color of C8

    def next_seat(self, seat: int) -> int:
        """The next player in the direction that holds now."""
        return (seat + self.direction) % self.num_players

    def deal_hands(self) -> None:
        """One card at a time, from the left of the dealer on (P3)."""
        for _ in range(self.rules.hand_size):
            for distance in range(1, self.num_players + 1):
                seat = (self.first + distance) % self.num_players
                self.take_into_hand(seat, self.draw_pile.pop(0))

    def take_into_hand(self, seat: int, card: str) -> None:
        """A hand lies in ascending order."""
        insort(self.hands[seat], card, key=KIND.__getitem__)

    def draw_cards(self, seat: int, number: int) -> list[str]:
        """Draw one by one; what is not there is forgiven (C11). Returns the cards drawn."""
        drawn = []
        for _ in range(number):
            if not self.draw_pile:
                self.recycle()
            if self.draw_pile:
                drawn.append(self.draw_pile.pop(0))
                self.take_into_hand(seat, drawn[-1])
        return drawn

    def recycle(self) -> None:
        """Make a draw pile of all discards but the top (C11), turned over (D7) or shuffled (P8)."""
        others = self.discard_pile[:-1]
        self.discard_pile = self.discard_pile[-1:]
        if self.rules.recycle == "shuffle":
            self.random = shuffle(others, self.random)
        self.draw_pile = others
