"""What rows say was done in a round, counted again by hand: plainly, from a replayed game."""

from __future__ import annotations

import re
from collections import Counter

from uno_sim import Game, Phase, RuleSet, parse_card
from uno_sim.events import event_text
from uno_sim.state import NUM_EVENTS

LAYS_NOTHING = ("draw", "pass", "take")


def is_guilty(rest: list[str], top: str, color: str, rules: RuleSet) -> bool:
    """Return whether a card of `rest` could have been laid instead of the wild draw (C8)."""
    for card in rest:
        if card == "WD" and not rules.same_wild_draw_counts:
            continue
        if rules.challenge_judges == "color":
            if not card.startswith("W") and card[0] == color:
                return True
        elif card.startswith("W") or card[0] == color or (top[0] != "W" and card[1] == top[1]):
            return True
    return False


class Count:
    """Counts one round by hand, decision by decision."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.found: Counter[str] = Counter()
        self.seen_events = 0
        self.answers = 0
        self.was_bluff = False
        self.silent = -1

    def events(self, game: Game) -> None:
        """Add the cards that the new public events say were drawn."""
        total = int(game.state.num_events)
        assert total - self.seen_events < NUM_EVENTS
        for number in range(self.seen_events, total):
            text = event_text(game.state.events[number % NUM_EVENTS])
            forced = re.match(r"(\d) draws (\d+)", text)
            if forced:
                self.found[f"drawn_{forced[1]}"] += int(forced[2])
            elif re.fullmatch(r"\d draw( \(known\))?", text):
                self.found[f"drawn_{text[0]}"] += 1
        self.seen_events = total

    def before(self, game: Game, name: str) -> int:
        """Count the action of that text, about to be taken; return how many cards it lays."""
        seat, found, phase = game.current_player, self.found, game.phase
        assert seat is not None
        laid = 0
        if phase == Phase.CHALLENGE:
            found[f"wild_draws_faced_{seat}"] += 1
            found[f"challenges_{seat}"] += name == "challenge"
            found[f"challenges_won_{seat}"] += name == "challenge" and self.was_bluff
        elif phase == Phase.UNO:
            found[f"uno_asked_{seat}"] += 1
            found[f"uno_missed_{seat}"] += name == "silent"
            self.silent = seat
        elif phase == Phase.CATCH:
            found[f"uno_caught_{self.silent}"] += name == "catch"
        elif phase in (Phase.TURN, Phase.DRAWN, Phase.VOLLEY) and name not in LAYS_NOTHING:
            laid = 1
            if ">" in name:
                laid = sum(card[0] == name[0] for card in game.hands[seat] if card[0] != "W")
                found[f"dumps_{seat}"] += 1
                found[f"dumped_{seat}"] += laid
            if name.startswith("WD:"):
                rest = list(game.hands[seat])
                rest.remove("WD")
                self.was_bluff = is_guilty(rest, game.top_card, game.active_color, self.rules)
                found[f"wild_draws_{seat}"] += 1
                found[f"bluffs_{seat}"] += self.was_bluff
            found["dips"] += name.startswith("WP:")
            self.answers = self.answers + 1 if phase == Phase.VOLLEY else 0
            found["volleys"] += self.answers == 1
            found["longest_volley"] = max(found["longest_volley"], self.answers)
        return laid


def by_hand(game: Game) -> Counter[str]:
    """Count the last round of a finished game, all that `COUNTED` has."""
    rules, last = game.rules, game.round_number
    count = Count(rules)
    actions = iter(game.record.rounds[-1].actions)
    discards, was_draft, start = -1, True, ""
    for now in Game.replay(game.record):
        if now.round_number < last:
            continue
        count.events(now)
        if not was_draft:
            # All but the top one are gone where the discards have become the draw pile.
            count.found["recyclings"] += len(now.discard_pile) < discards
        if not start and now.phase != Phase.DRAFT:
            start = now.discard_pile[0]
            count.found["start_card"] = parse_card(start)
        if now.current_player is not None:
            name = now.legal_names()[now.legal_actions().index(next(actions))]
            was_draft = now.phase == Phase.DRAFT
            discards = len(now.discard_pile) + count.before(now, name)
    assert next(actions, None) is None
    return count.found
