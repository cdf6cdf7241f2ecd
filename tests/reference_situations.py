"""Which situations a run of the reference model has met: a run that meets few proves little."""

from collections import Counter

from tests.reference import ReferenceGame
from tests.reference_cards import is_colored_draw, matches

OVER = ("ROUND_OVER", "GAME_OVER")
SYMBOL_NAMES = {"S": "Skip", "R": "Reverse", "D": "Draw"}
WILD_NAMES = {"W": "Wild", "WD": "Wild Draw", "WP": "Dip"}


def card_class(card: str) -> str:
    """What sort of card it is, whatever its color or number."""
    return WILD_NAMES.get(card) or SYMBOL_NAMES.get(card[1], "number")


class Situations:
    """Counts situations by name. Call `round_begins`, then `before` and `after` each step."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.rounds = 0
        self.decisions = 0

    def round_begins(self, game: ReferenceGame) -> None:
        self.rounds += 1
        self.last_action = ""
        self.counts[f"phase {game.phase}"] += 1
        if game.top_card:
            self.start_card(game)

    def start_card(self, game: ReferenceGame) -> None:
        self.counts[f"start card {card_class(game.top_card)}"] += 1

    def before(self, game: ReferenceGame) -> None:
        self.phase = game.phase
        self.seat = game.current_player
        self.hand = list(game.hands[game.current_player])
        self.pile = len(game.draw_pile)
        self.top_card = game.top_card
        self.open_reverse = game.open_reverse
        self.drawn_card = game.drawn_card
        self.pending = game.pending
        self.passes = game.passes
        self.direction = game.direction
        self.starting = game.starting
        self.scores = list(game.scores)
        self.guilty = game.phase == "CHALLENGE" and game.is_guilty()
        if self.phase == "CHALLENGE":
            _, top, color = game.judged
            offender = [card for card in game.hands[game.layer] if card != "WD"]
            self.guilty_by_penalty = not self.guilty and any(
                matches(card, top, color) for card in offender
            )

    def after(self, game: ReferenceGame, action: str) -> None:
        self.decisions += 1
        names = [f"phase {game.phase}"]
        if self.phase == "DRAFT" and game.top_card:
            self.start_card(game)
        elif self.phase in ("TURN", "DRAWN", "VOLLEY") and action not in ("draw", "pass", "take"):
            names += self.laid(game, action)
        elif action == "draw":
            names += self.drawn(game)
        elif action in ("take", "challenge"):
            names += self.judged(game, action)
            names += self.penalty(game, action)
        elif self.phase == "CHOOSE_COLOR" and game.top_card == "WP" and game.phase == "TURN":
            names.append("start Dip without a card")
        elif self.phase == "GIVE":
            given = action.removeprefix("give:")
            names.append("gift of the drawn card" if given == self.drawn_card else "other gift")
            names.append("gift of a start card" if self.starting else "gift on a turn")
        elif action == "catch":
            names.append("caught")
            if self.last_action == "ignore":
                names.append("caught by a later opponent")
        elif action == "ignore" and game.phase != "CATCH":
            names.append("silence that nobody catches")
        if game.direction != self.direction:
            names.append("direction turned")
        if game.phase in OVER:
            names += self.ended(game)
        elif self.passes and not game.passes:
            names.append("a card after a pass")
        self.counts.update(names)
        self.last_action = action

    def laid(self, game: ReferenceGame, action: str) -> list[str]:
        names = []
        if self.phase == "DRAWN":
            names.append("drawn card laid")
        if ">" in action:
            names += self.dumped(game, action)
        if game.round_winner is not None:
            names.append(f"out with {card_class(game.top_card)}")
            if self.phase == "VOLLEY":
                names.append("out in a volley")
            if len(self.hand) > 1:
                names.append("out with a dump")
        if game.phase == "VOLLEY" and game.volley_total >= 3 * game.rules.draw_penalty:
            names.append("volley of three")
        if self.phase == "VOLLEY" and game.phase == "UNO":
            names.append("call due in a volley")
        if self.phase == "VOLLEY" and game.num_players > 2:
            names.append("volley of more than two players")
        if game.top_card == "WP" and game.phase == "GIVE" and self.pile == 0:
            names.append("recycled by a dip")
        if game.phase == "TURN" and game.current_player == self.seat:
            names.append(f"same player after {card_class(game.top_card)}")
        return names

    def dumped(self, game: ReferenceGame, action: str) -> list[str]:
        color, last = action[0], action[2:]
        opened = self.open_reverse and self.top_card == color + "R"
        names = ["open dump" if opened else "owed dump", f"dump ending in {card_class(last)}"]
        if self.open_reverse and not opened:
            names.append("owed dump beside an open Reverse")
        if self.phase == "DRAWN":
            names.append("dump begun by a drawn Reverse")
        if self.hand.count(color + "R") > 1:
            names.append("dump of two Reverses")
        if last[1] != "R" and self.hand.count(last) > 1:
            names.append("dump ending in one of two copies")
        if game.open_reverse:
            names.append("Reverse open after a dump")
        if game.num_players > 2:
            names.append("dump with more than two players")
        return names

    def drawn(self, game: ReferenceGame) -> list[str]:
        names = []
        if self.open_reverse:
            names.append("open Reverse left unused")
        if game.blocked or game.passes > self.passes:
            names.append("pass")
        elif self.pile == 0:
            names.append("recycled by a draw")
        names.append("drawn card playable" if game.phase == "DRAWN" else "drawn card kept unasked")
        return names

    def judged(self, game: ReferenceGame, action: str) -> list[str]:
        if self.phase != "CHALLENGE":
            return []
        if action == "take":
            return ["bluff believed" if self.guilty else "honest wild draw taken"]
        names = ["challenge won" if self.guilty else "challenge lost"]
        if self.guilty and game.current_player not in (self.seat, None):
            names.append("offender moves after a won challenge")
        if self.last_action == "catch":
            names.append("challenge after a caught silence")
        if self.guilty_by_penalty:
            names.append("only the cards of the penalty are playable")
        return names

    def penalty(self, game: ReferenceGame, action: str) -> list[str]:
        if self.guilty and action == "challenge":
            return []  # the offender drew
        number = self.pending
        if action == "challenge":
            number += game.rules.failed_challenge_extra
        grown = len(game.hands[self.seat]) - len(self.hand)
        names = []
        if grown > self.pile > 0:
            names.append("recycled in the middle of a penalty")
        if grown < number:
            names.append("penalty partly forgiven")
        return names

    def ended(self, game: ReferenceGame) -> list[str]:
        names = [name for name in ("blocked", "capped") if getattr(game, name)]
        if game.blocked and game.phase == "GAME_OVER":
            names.append("game ended by a blocked round")
        if game.blocked and game.scores == self.scores:
            names.append("blocked round that scores nobody")
        if game.phase == "ROUND_OVER" and max(game.scores) >= game.rules.target:
            names.append("tie at the target")
        if game.round_winner is not None and (
            is_colored_draw(game.top_card) or game.top_card == "WD"
        ):
            names.append("last card draws")
        return names
