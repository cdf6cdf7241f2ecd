"""What happened at the table in words, as one player has seen it.

All is taken from two observations of that player, so nothing can be told that is not known: that an
opponent could have laid the card just drawn leaves no event, and is not told.
"""

from __future__ import annotations

from collections import Counter

from uno_sim import Observation, Phase, actions
from uno_sim.actions import ACTION_NAMES
from uno_sim.cards import CARD_NAMES, COLORS, NUM_SYMBOLS
from uno_sim.knowledge.memory import ALL_KNEW, FORCED_DRAW, JUST_DRAWN, RECYCLING
from uno_sim.state import NUM_EVENTS
from uno_sim.views import cards_of_counts

COLOR_WORDS = dict(zip(COLORS, ("red", "yellow", "green", "blue"), strict=True))

NOTHING_LEFT = " nothing: no card is left."

Event = tuple[int, int, int, int]
"""Seat, code, cards, flags; see docs/observations.md."""


def seat_name(seat: int | None, person: int) -> str:
    """Return how a seat is called in the middle of a sentence.

    >>> seat_name(1, person=0), seat_name(0, person=0)
    ('seat 1', 'you')
    """
    return "you" if seat == person else f"seat {seat}"


def does(seat: int, person: int, verb: str) -> str:
    """Return the beginning of a sentence: who, and the verb in its form.

    >>> does(0, 0, "catch"), does(1, 0, "catch"), does(1, 0, "have")
    ('You catch', 'Seat 1 catches', 'Seat 1 has')
    """
    if seat != person:
        verb = "has" if verb == "have" else verb
        verb += "" if verb == "has" else "es" if verb.endswith(("ch", "s", "o")) else "s"
    return f"{seat_name(seat, person).capitalize()} {verb}"


def cards_text(count: int) -> str:
    """Return a number of cards as text.

    >>> cards_text(1), cards_text(4)
    ('1 card', '4 cards')
    """
    return f"{count} card{'' if count == 1 else 's'}"


def news(before: Observation | None, after: Observation, action: int | None = None) -> list[str]:
    """Return what has happened between two observations of a player, a sentence each.

    `before` is None where the player has seen nothing of the round. `action` is what the player did
    in between, if anything; between the two there is one decision of somebody at most.
    """
    return _Step(before, after, action).sentences()


class Story:
    """What a player has seen since the last decision of their own, told as the game goes on.

    An action that was the only legal one is no decision.
    """

    def __init__(self, observation: Observation) -> None:
        """Begin with what is seen at the start of a round."""
        self.seen = observation
        self.sentences = news(None, observation)

    def add(self, observation: Observation, action: int) -> None:
        """Tell on: somebody did this, and now the player sees that.

        What others did is taken from `observation` alone.
        """
        own = self.seen.current_player == self.seen.player
        forced = own and len(self.seen.legal_actions()) == 1
        if own and not forced:
            self.sentences = []
        told = news(self.seen, observation, action if own else None)
        for sentence in told:
            if forced and sentence.startswith("You "):
                sentence = sentence.removesuffix(".") + " (no choice)."
                forced = False
            self.sentences.append(sentence)
        self.seen = observation


class _Step:
    """What lies between two observations of one player."""

    def __init__(self, before: Observation | None, after: Observation, action: int | None) -> None:
        self.before = before
        self.after = after
        self.person = after.player
        self.action = action
        self.got = [] if before is None else _cards_got(before, after, action)

    def sentences(self) -> list[str]:
        """Return a sentence an event; the cards that the player got stand with the first."""
        record, told = self.after.record, []
        numbers = range(int(record.num_events))
        if self.before is None:
            told = self._start_card()
            if not told or record.events[0][1] in (actions.KEEP, actions.REJECT):
                return []  # it is looked at from the middle on
        else:
            numbers = numbers[int(self.before.record.num_events) :]
        for place in (number % NUM_EVENTS for number in numbers):
            seat, code, cards, flags = (int(each) for each in record.events[place])
            told += self._event((seat, code, cards, flags), int(record.event_notes[place]))
        return told

    def _event(self, event: Event, note: int) -> list[str]:
        seat, code, cards, _ = event
        if code == RECYCLING:
            how = "shuffled" if self.after.rules.recycle == "shuffle" else "turned over"
            return [f"{cards_text(cards).capitalize()} are {how} and become the draw pile."]
        if code in (FORCED_DRAW, actions.DRAW):
            # A round that ends has the last card act even where nobody is to draw (C5).
            ends = self.after.current_player is None and code == FORCED_DRAW
            return [] if ends and cards == 0 else [self._draw(event)]
        if code == actions.GIVE:
            receiver = seat_name(note % ALL_KNEW, self.person)
            shown = self._shown() if note % ALL_KNEW == self.person else ""
            if seat == self.person and self.action is not None:
                shown = f": {CARD_NAMES[self.action - actions.GIVE]}"
            return [self._does(seat, "give") + f" {receiver} a card{shown}."]
        if code == actions.CHALLENGE:
            return self._challenge(seat, guilty=cards > 0)
        if code in (actions.KEEP, actions.REJECT):
            return [self._draft(seat, code), *self._start_card()]
        if code < actions.DRAW:
            return [self._laying(event)]
        return [self._answer(seat, code)]

    def _does(self, seat: int, verb: str) -> str:
        return does(seat, self.person, verb)

    def _shown(self) -> str:
        """Return the cards that the player got, to be told once."""
        shown = f": {' '.join(self.got)}" if self.got else ""
        self.got = []
        return shown

    def _draw(self, event: Event) -> str:
        seat, _, cards, flags = event
        if cards == 0:
            # A penalty may be none by the rules.
            is_left = self.after.draw_size + len(self.after.discard_pile) > 1
            return self._does(seat, "draw") + (" nothing." if is_left else NOTHING_LEFT)
        told = self._does(seat, "draw") + f" {cards_text(cards)}"
        known = flags % JUST_DRAWN
        if seat == self.person and len(self.got) > cards:
            # The last pick of the draft is among them; which it was cannot be told any more.
            told += f"; new in your hand{self._shown()}"
        elif seat == self.person:
            told += self._shown()
        elif known:
            told += f" ({self._known(seat, known)})"
        return f"{told}."

    def _known(self, seat: int, known: int) -> str:
        """Return which of the cards that another player drew all know."""
        found: list[str] = []
        if self.before is not None:
            new = Counter(self.after.known_hands[seat]) - Counter(self.before.known_hands[seat])
            found = list(new.elements())
        # After a challenge the player may know of more cards than those that were drawn.
        return f"all know {' '.join(found)}" if len(found) == known else f"all know {known} of them"

    def _laying(self, event: Event) -> str:
        seat, code, cards, flags = event
        drawn = ", just drawn" if flags >= JUST_DRAWN else ""
        if code < actions.DUMP:
            return self._does(seat, "lay") + f" {CARD_NAMES[code]}{drawn}."
        if code >= actions.LAY_WILD:
            card, _, color = ACTION_NAMES[code].partition(":")
            and_ = ", and" if drawn else " and"
            name = "name" if seat == self.person else "names"
            return self._does(seat, "lay") + f" {card}{drawn}{and_} {name} {COLOR_WORDS[color]}."
        color = COLOR_WORDS[COLORS[(code - actions.DUMP) // NUM_SYMBOLS]]
        pile = self.after.discard_pile
        laid = f": {' '.join(pile[-cards:])}" if len(pile) >= cards else ""
        return self._does(seat, "dump") + f" {cards_text(cards)} of {color}{laid}."

    def _challenge(self, seat: int, guilty: bool) -> list[str]:
        offender = int(self.after.record.actor)
        verdict = "it was a bluff" if guilty else "it was no bluff"
        told = [self._does(seat, "challenge") + f" {seat_name(offender, self.person)}: {verdict}."]
        if seat == self.person:
            hand = " ".join(self.after.known_hands[offender])
            told.append(f"You are shown the hand of seat {offender}; now you know there: {hand}.")
        return told

    def _start_card(self) -> list[str]:
        """Return which card was turned up, if the round has only begun."""
        pile = self.after.discard_pile
        begins = self.after.turns <= 1 and self.after.phase != Phase.DRAFT and pile
        return [f"The start card is {pile[0]}."] if begins else []

    def _draft(self, seat: int, code: int) -> str:
        discarded = self._last_of_draft()
        if code == actions.KEEP:
            what = "the card looked at"
            if seat == self.person and self.before is not None:
                what = str(self.before.offered_card)
                self.got.remove(what)
            return self._does(seat, "keep") + f" {what}; the next, {discarded}, is discarded."
        shown = self._shown() if seat == self.person and len(self.got) == 1 else ""
        return self._does(seat, "reject") + f" {discarded} for the next card{shown}."

    def _last_of_draft(self) -> str:
        """Return the draft's last discard; when it is over, that lies lowest in the pile (D5)."""
        seen = self.after
        if seen.phase == Phase.DRAFT:
            return seen.discard_pile[-1]
        if seen.draw_size:
            return str(seen.known_pile[-1])
        # The start card made somebody draw the whole pile; all know the discards among the cards.
        public = Counter(seen.discard_pile)
        for counts in seen.record.shown:
            public.update(cards_of_counts(counts))
        new = public - Counter([] if self.before is None else self.before.discard_pile)
        if new.total() > 1:
            new -= Counter(seen.discard_pile)
        return next(new.elements())

    def _answer(self, seat: int, code: int) -> str:
        if code == actions.TAKE:
            return self._does(seat, "take") + " the cards."
        if code == actions.UNO:
            return self._does(seat, "say") + " UNO."
        if code == actions.SILENT:
            return self._does(seat, "do") + " not say UNO."
        if code == actions.CATCH:
            silent = seat_name(int(self.after.record.actor), self.person)
            return self._does(seat, "catch") + f" {silent}."
        if code == actions.IGNORE:
            return self._does(seat, "let") + " it pass."
        color = ACTION_NAMES[code].partition(":")[2]
        return self._does(seat, "name") + f" {COLOR_WORDS[color]} for the start card."


def _cards_got(before: Observation, after: Observation, action: int | None) -> list[str]:
    """Return the cards that came into the player's hand; `action` may have taken one out."""
    gone: list[str] = []
    if action is not None and action < actions.DUMP:
        gone = [CARD_NAMES[action]]
    elif action is not None and actions.LAY_WILD <= action < actions.DRAW:
        gone = [ACTION_NAMES[action].partition(":")[0]]
    elif action is not None and action >= actions.GIVE:
        gone = [CARD_NAMES[action - actions.GIVE]]
    got = Counter(after.hand) + Counter(gone) - Counter(before.hand)
    return list(got.elements())
