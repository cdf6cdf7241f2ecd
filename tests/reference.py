"""The rules of both games a second time, in slow and obvious Python.

The engine is compared with this model, decision by decision (`test_reference.py`). The two share no
code: nothing here is imported from the package. Cards, colors and actions are texts (`R7`, `WD`,
`R`, `W:G`, `R>R5`), hands and piles are lists of texts. Options are read from the rule set that is
handed over. The order is that of the rule book; each method cites the ids of the rules it states.
"""

from typing import Any

from tests.reference_cards import COLORS, distinct, is_colored_draw, is_wild, matches
from tests.reference_scoring import game_winner, round_scores
from tests.reference_table import ReferenceTable

ALWAYS_BOTH = {  # decisions whose choices never change
    "DRAFT": ["keep", "reject"],
    "CHALLENGE": ["take", "challenge"],
    "UNO": ["uno", "silent"],
    "CATCH": ["catch", "ignore"],
}


class ReferenceGame(ReferenceTable):
    """One game, with the public names of the engine's game; phases are plain texts."""

    def __init__(
        self, rules: Any, deck: list[str], num_players: int = 2, first: int = 0, stream: int = 0
    ) -> None:
        super().__init__(rules, num_players)
        self.start_round(deck, first, stream)

    def next_round(self, deck: list[str], stream: int) -> None:
        """Deal again; the roles pass one seat to the left, however the round ended (D3, P3)."""
        if self.phase != "ROUND_OVER":
            raise ValueError(f"no round is due in phase {self.phase}")
        self.start_round(deck, (self.first + 1) % self.num_players, stream)

    # ---------------------------------------------------------------- dealing, draft, start card

    def start_round(self, deck: list[str], first: int, stream: int) -> None:
        """Put the deck on the table, then draft (D4) or deal (P3)."""
        self.clear(deck, first, stream)
        if self.rules.deal == "draft":
            self.offer_card(first)
        else:
            self.deal_hands()
            self.turn_up_start_card()

    def offer_card(self, seat: int) -> None:
        """The drafter looks at the top card (D4)."""
        self.phase = "DRAFT"
        self.current_player = seat
        self.offered_card = self.draw_pile.pop(0)

    def draft(self, seat: int, choice: str) -> None:
        """One card of the two is kept, the other lies face up; the drafters alternate (D4)."""
        looked_at, following = self.offered_card, self.draw_pile.pop(0)
        self.offered_card = None
        if choice == "keep":
            self.take_into_hand(seat, looked_at)
            self.discard_pile.append(following)
        else:
            self.discard_pile.append(looked_at)
            self.take_into_hand(seat, following)
        if all(len(hand) == self.rules.hand_size for hand in self.hands):
            self.draw_pile += self.discard_pile  # the first discarded comes first, unshuffled (D5)
            self.discard_pile = []
            self.turn_up_start_card()
        else:
            self.offer_card(self.next_seat(seat))

    def turn_up_start_card(self) -> None:
        """The start card acts as though the one before the starter had laid it (C13, D6, P4)."""
        self.top_card = self.draw_pile.pop(0)
        self.discard_pile.append(self.top_card)
        if is_wild(self.top_card):
            self.phase = "CHOOSE_COLOR"
            by_starter = self.rules.start_wild_named_by == "starter"
            self.current_player = self.next_seat(self.first) if by_starter else self.first
        else:
            self.active_color = self.top_card[0]
            self.effect(self.first)

    def name_start_color(self, color: str) -> None:
        """Whoever names the color, a dip is drawn and given by the one before the starter (P4)."""
        self.active_color = color
        if self.top_card == "WP":
            self.dip(self.first)
        else:
            self.effect(self.first)

    # ---------------------------------------------------------------- a turn

    def begin_turn(self, seat: int, open_reverse: bool = False) -> None:
        """Ask a player in phase TURN, unless this turn is one too many (C12)."""
        self.starting = False
        self.open_reverse = open_reverse  # for this one decision (D9)
        if self.turns == self.rules.max_turns:
            self.capped = True
            self.end_round()
            return
        self.turns += 1
        self.phase = "TURN"
        self.current_player = seat
        self.pending = 0
        self.volley_total = 0

    def is_playable(self, card: str) -> bool:
        """Wild, or of the active color, or of the symbol on top (C1)."""
        return matches(card, self.top_card, self.active_color)

    def lay_actions(self, cards: list[str]) -> list[str]:
        """How the given cards may be laid now, in the order of the action ids (C1, C2, D9)."""
        cards = [card for card in distinct(cards) if self.is_playable(card)]
        single = [card for card in cards if not is_wild(card)]
        wild = [f"{card}:{color}" for card in cards if is_wild(card) for color in COLORS]
        return single + self.dump_actions(cards) + wild

    def draw_on_turn(self, seat: int) -> None:
        """Draw a card; a playable one may be laid (C2, C3). Where none is left, pass (C12)."""
        self.open_reverse = False
        drawn = self.draw_cards(seat, 1)
        if not drawn:
            self.passes += 1
            if self.passes == self.num_players:
                self.blocked = True
                self.end_round()
            else:
                self.begin_turn(self.next_seat(seat))
            return
        self.passes = 0
        if self.is_playable(drawn[0]):
            self.phase = "DRAWN"
            self.drawn_card = drawn[0]
        else:
            self.begin_turn(self.next_seat(seat))  # the one case that asks no question

    # ---------------------------------------------------------------- laying cards

    def lay(self, seat: int, cards: list[str], color: str, dumped: bool = False) -> None:
        """Events in the order of C4; a round ends as soon as a hand is empty (C5)."""
        hand = self.hands[seat]
        top_before, color_before = self.top_card, self.active_color
        for card in cards:
            hand.remove(card)
            self.discard_pile.append(card)
        self.top_card = cards[-1]
        self.active_color = color
        self.judged = (list(hand), top_before, color_before)  # C8
        self.layer = seat
        self.dumped = dumped
        self.drawn_card = None
        self.open_reverse = False
        self.pending = 0
        self.passes = 0
        if is_colored_draw(self.top_card):
            self.volley_total += self.rules.draw_penalty
        if not hand:
            self.go_out(seat)
        elif self.top_card == "WP":
            self.dip(seat)
        else:
            self.uno_call(seat)

    def dip(self, seat: int) -> None:
        """Draw one, then give one to the next player; without a card drawn none is given (P6)."""
        drawn = self.draw_cards(seat, 1)
        if drawn:
            self.phase = "GIVE"
            self.current_player = seat
            self.drawn_card = drawn[0]
        else:
            self.uno_call(seat)

    def gifts(self, seat: int) -> list[str]:
        """The cards that may be given: any, or only the drawn one, or any but that (P6)."""
        cards = list(self.hands[seat])
        if self.rules.dip_gives == "drawn":
            cards = [self.drawn_card]
        elif self.rules.dip_gives == "other":
            cards.remove(self.drawn_card)
        return distinct(cards)

    def give(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.take_into_hand(self.next_seat(seat), card)
        self.drawn_card = None
        self.uno_call(seat)

    # ---------------------------------------------------------------- the UNO call

    def uno_call(self, seat: int) -> None:
        """Due with exactly one card left, before the effect; never by a start card (C4)."""
        explicit = self.rules.uno_calls == "explicit"
        if len(self.hands[seat]) == 1 and explicit and not self.starting:
            self.phase = "UNO"
            self.current_player = seat
        else:
            self.effect(seat)

    def ask_to_catch(self, opponent: int) -> None:
        """Each opponent in turn, in the direction that held until now (C4)."""
        if opponent == self.layer:  # all have been asked
            self.effect(self.layer)
        else:
            self.phase = "CATCH"
            self.current_player = opponent

    def caught(self) -> None:
        """The first catch ends it, the silent player draws (C4)."""
        self.draw_cards(self.layer, self.rules.uno_penalty)
        self.effect(self.layer)

    # ---------------------------------------------------------------- the effect of the last card

    def effect(self, seat: int) -> None:
        """Only the last card counts (D9); a start card meets no reply (C13)."""
        following = self.next_seat(seat)
        if self.top_card == "WD" and self.starting:
            self.draw_and_lose_turn(following, self.rules.wild_draw_penalty)
        elif self.top_card == "WD":  # D10, P7
            self.phase = "CHALLENGE"
            self.current_player = following
            self.pending = self.rules.wild_draw_penalty
        elif is_wild(self.top_card):  # D10, P6
            self.begin_turn(following)
        elif self.top_card[1] == "S":  # D10, P5
            self.begin_turn(self.next_seat(following))
        elif self.top_card[1] == "R":
            self.reverse(seat)
        elif self.top_card[1] == "D" and self.rules.stack_draws and not self.starting:  # D8
            self.phase = "VOLLEY"
            self.current_player = following
            self.pending = self.volley_total
        elif self.top_card[1] == "D":  # P5
            self.draw_and_lose_turn(following, self.rules.draw_penalty)
        else:
            self.begin_turn(following)

    def draw_and_lose_turn(self, victim: int, number: int) -> None:
        self.draw_cards(victim, number)
        self.begin_turn(self.next_seat(victim))

    def volley_actions(self, seat: int) -> list[str]:
        """A colored draw card of any color answers, nothing else does (D8)."""
        return [*distinct([card for card in self.hands[seat] if is_colored_draw(card)]), "take"]

    def reverse(self, seat: int) -> None:
        """Turn the direction (P5), open for the next player (D6, D9), or be plain (D9)."""
        if self.rules.reverse == "direction":
            self.direction = -self.direction
        elif self.starting:
            self.begin_turn(self.next_seat(seat), open_reverse=True)
            return
        elif self.dumped:
            self.begin_turn(self.next_seat(seat), open_reverse=self.rules.reverse_last_opens)
            return
        again = self.num_players == 2 and self.rules.lone_reverse == "again"
        self.begin_turn(seat if again else self.next_seat(seat))

    def dump_actions(self, cards: list[str]) -> list[str]:
        """The dumps that may be laid, given the playable cards that may be laid first (D9)."""
        if self.rules.reverse != "dump":
            return []
        actions = []
        for color in COLORS:
            others = [card for card in self.hands[self.current_player] if card[0] == color]
            if not self.is_open(color):
                if color + "R" not in cards:
                    continue
                others.remove(color + "R")
            actions += [f"{color}>{last}" for last in distinct(others)]
        return actions

    def is_open(self, color: str) -> bool:
        return self.open_reverse and self.top_card == color + "R"

    def dump_cards(self, seat: int, last: str) -> list[str]:
        """The owed Reverse first, the others ascending, one card of the named kind last (D9a)."""
        color = last[0]
        others = [card for card in self.hands[seat] if card[0] == color]
        owed = [] if self.is_open(color) else [color + "R"]
        for card in [*owed, last]:
            others.remove(card)
        return [*owed, *others, last]

    # ---------------------------------------------------------------- challenge

    def is_guilty(self) -> bool:
        """Whether the offender held a playable card, judged as things were before (C8)."""
        hand, top, color = self.judged
        if self.rules.challenge_judges == "color":
            return any(card[0] == color for card in hand)
        if not self.rules.same_wild_draw_counts:
            hand = [card for card in hand if card != "WD"]
        return any(matches(card, top, color) for card in hand)

    def challenge(self, victim: int) -> None:
        """The offender draws, or the victim draws the cards and more (C9)."""
        if self.is_guilty():
            self.draw_cards(self.layer, self.pending)
            to_victim = self.rules.after_won_challenge == "victim"
            self.begin_turn(victim if to_victim else self.layer)
        else:
            number = self.pending + self.rules.failed_challenge_extra
            self.draw_and_lose_turn(victim, number)

    # ---------------------------------------------------------------- going out, scoring, the end

    def go_out(self, seat: int) -> None:
        """A draw card laid last still hits the next player, who cannot answer (C6)."""
        if self.rules.last_card_draws:
            if self.top_card == "WD":
                self.draw_cards(self.next_seat(seat), self.rules.wild_draw_penalty)
            elif is_colored_draw(self.top_card):
                self.draw_cards(self.next_seat(seat), self.volley_total)
        self.round_winner = seat
        self.end_round()

    def end_round(self) -> None:
        """A capped round scores nobody (C12); the totals are checked after every round (C14)."""
        self.current_player = None
        self.pending = 0
        if not self.capped:
            added = round_scores(self.rules, self.hands, self.round_winner, self.blocked)
            self.scores = [total + points for total, points in zip(self.scores, added, strict=True)]
        self.winner = game_winner(self.rules, self.scores)
        self.phase = "ROUND_OVER" if self.winner is None else "GAME_OVER"

    # ---------------------------------------------------------------- decisions

    def legal_actions(self) -> list[str]:
        """What the player to move may do, in the order of the action ids; empty after a round."""
        seat = self.current_player
        if self.phase == "CHOOSE_COLOR":
            return [f"color:{color}" for color in COLORS]
        if self.phase == "TURN":
            return [*self.lay_actions(self.hands[seat]), "draw"]
        if self.phase == "DRAWN":
            return [*self.lay_actions([self.drawn_card]), "pass"]
        if self.phase == "VOLLEY":
            return self.volley_actions(seat)
        if self.phase == "GIVE":
            return [f"give:{card}" for card in self.gifts(seat)]
        return ALWAYS_BOTH.get(self.phase, [])

    def step(self, text: str) -> None:
        """Carry out one action of the player to move."""
        if text not in self.legal_actions():
            raise ValueError(f"{text} is not legal in phase {self.phase}")
        seat = self.current_player
        word, _, detail = text.partition(":")
        if text in ("keep", "reject"):
            self.draft(seat, text)
        elif word == "color":
            self.name_start_color(detail)
        elif word == "give":
            self.give(seat, detail)
        elif text == "draw":
            self.draw_on_turn(seat)
        elif text == "pass":
            self.drawn_card = None
            self.begin_turn(self.next_seat(seat))
        elif text == "take":
            self.draw_and_lose_turn(seat, self.pending)  # D8, C9
        elif text == "challenge":
            self.challenge(seat)
        elif text == "uno":
            self.effect(seat)
        elif text in ("silent", "ignore"):
            self.ask_to_catch(self.next_seat(seat))
        elif text == "catch":
            self.caught()
        elif ">" in text:
            last = text[2:]
            self.lay(seat, self.dump_cards(seat, last), last[0], dumped=True)
        else:
            self.lay(seat, [word], detail or word[0])
