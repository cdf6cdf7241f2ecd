"""What an observer may believe, by enumeration: every place where every physical card can be.

Plain Python that shares nothing with the simulator's own book-keeping. A *belief* maps worlds to
the number of ways in which they come about. It follows a real game step by step: a drawn card may
be each of those that can lie next, a card that was laid must have been in the hand, and what the
observer then sees must be what lies on the table. Cards are numbered, so that two of a kind are two
cards. Choices tell nothing: one that the observer does not see, such as a dip's gift, may have been
each that is possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from uno_sim import Game, Phase, RuleSet

Cards = frozenset[int]
OVER = (Phase.ROUND_OVER, Phase.GAME_OVER)
SYMBOLS = "0123456789SRD"

Cell = tuple[tuple[tuple[str, ...], ...], str, str]
"""All hands by seat, the next card of the draw pile, and the secret of the phase (`secret_of`)."""


@dataclass(frozen=True)
class World:
    """Where every card is."""

    hands: tuple[Cards, ...]
    loose: Cards
    """The cards of the draw pile that lie in any order, above the block."""
    block: tuple[int, ...] = ()
    """The turned-over cards at the bottom of the draw pile, the next first."""
    discards: tuple[int, ...] = ()
    known: Cards = frozenset()
    """Cards in hands that the observer has seen there, or on their way there."""
    drawn: int = -1
    """The card just drawn, where a question is asked about it."""
    offered: int = -1
    judged: Cards = frozenset()
    """What whoever laid a wild draw held then."""

    def give(self, seat: int, card: int) -> World:
        """Return this world with a card more in a hand."""
        return self._with_hand(seat, self.hands[seat] | {card})

    def take(self, seat: int, card: int) -> World:
        """Return this world with a card less in a hand."""
        taken = self._with_hand(seat, self.hands[seat] - {card})
        return replace(taken, known=self.known - {card})

    def _with_hand(self, seat: int, hand: Cards) -> World:
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))


class Belief:
    """All worlds that one observer holds possible, while a game is played."""

    def __init__(self, game: Game, observer: int, deck: list[str]) -> None:
        """Begin with a game that has just been dealt from `deck`."""
        self.game = game
        self.rules: RuleSet = game.rules
        self.observer = observer
        self.kinds = sorted(deck)
        self.before: tuple[str | None, str | None] = (None, None)
        """The top card and the color before the last card was laid (C8)."""
        self.judged: list[str] = []
        """What whoever laid last held then, in truth."""
        seats = range(len(game.hands))
        self.worlds: dict[World, int] = {
            World((frozenset(),) * len(seats), frozenset(range(len(deck)))): 1
        }
        if game.phase == Phase.DRAFT:
            self.each(self.offer)
        else:
            dealt = self.rules.hand_size
            # Who is dealt first makes no difference; the observer's hand leaves the fewest worlds.
            for seat in sorted(seats, key=lambda one: one != observer):
                self.draw(seat, dealt)
            self.each(self.turn_up)
            for seat in seats:
                self.draw(seat, len(game.hands[seat]) - dealt)
        self.look()

    def cells(self) -> dict[Cell, float]:
        """Return the exact share of every cell."""
        shares: Counter[Cell] = Counter()
        whole = sum(self.worlds.values())
        for world, ways in self.worlds.items():
            hands = tuple(tuple(sorted(self.texts(hand))) for hand in world.hands)
            ahead: tuple[int, ...] = tuple(world.loose) or world.block[:1] or (-1,)
            for card in ahead:
                cell = hands, self.text(card), self.secret_of(world)
                shares[cell] += ways / len(ahead) / whole
        return dict(shares)

    def secret_of(self, world: World) -> str:
        """Return the offered card, a dip's drawn card, or the verdict of a challenge."""
        phase = self.game.phase
        if phase == Phase.DRAFT:
            return self.text(world.offered)
        if phase == Phase.GIVE:
            return self.text(world.drawn)
        if phase == Phase.CHALLENGE:
            return "guilty" if self.is_guilty(self.texts(world.judged)) else "innocent"
        return ""

    def text(self, card: int) -> str:
        return "" if card < 0 else self.kinds[card]

    def texts(self, cards: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.kinds[card] for card in cards)

    # What can become of each world.

    def each(self, change: Callable[[World], Iterable[World]]) -> None:
        """Replace every world by those that it may become."""
        changed: Counter[World] = Counter()
        for world, ways in self.worlds.items():
            for result in change(world):
                changed[result] += ways
        self.worlds = dict(changed)

    def keep(self, is_true: Callable[[World], bool]) -> None:
        """Leave out the worlds that the observer knows to be false."""
        self.worlds = {world: ways for world, ways in self.worlds.items() if is_true(world)}
        assert self.worlds, f"no world is possible: {self.game!r}"

    def next_cards(self, world: World) -> Iterator[tuple[int, World, bool]]:
        """Take the next card of the draw pile in each way, recycling first where it is empty.

        The last value tells whether all know the card.
        """
        if not world.loose and not world.block:
            *rest, top = world.discards
            world = replace(world, discards=(top,))
            if self.rules.recycle == "shuffle":
                world = replace(world, loose=frozenset(rest))
            else:
                world = replace(world, block=tuple(rest))
        for card in world.loose:
            yield card, replace(world, loose=world.loose - {card}), False
        if not world.loose:
            yield world.block[0], replace(world, block=world.block[1:]), True

    def turn_up(self, world: World) -> Iterator[World]:
        for card, rest, _ in self.next_cards(world):
            yield replace(rest, discards=(*rest.discards, card))

    def offer(self, world: World) -> Iterator[World]:
        for card, rest, _ in self.next_cards(world):
            yield replace(rest, offered=card)

    def draw(self, seat: int, count: int) -> None:
        def draw_one(world: World) -> Iterator[World]:
            for card, rest, known in self.next_cards(world):
                sure = rest.known | {card} if known else rest.known
                asked = card if self.about_drawn() else -1
                yield replace(rest.give(seat, card), drawn=asked, known=sure)

        own = Counter(self.game.hands[self.observer])
        for _ in range(count):
            self.each(draw_one)
            if seat == self.observer:
                self.keep(lambda world: Counter(self.texts(world.hands[seat])) <= own)

    def lay(self, seat: int, kind: str, just_drawn: bool) -> None:
        """Lay a card of this kind: of equal ones a known one, else each may have been it."""

        def lay_one(world: World) -> Iterator[World]:
            held = {world.drawn} if just_drawn else world.hands[seat]
            equal = [card for card in held if self.kinds[card] == kind]
            known = [card for card in equal if card in world.known][:1]
            for card in known or equal:
                laid = world.take(seat, card)
                yield replace(laid, discards=(*laid.discards, card))

        self.each(lay_one)

    def about_drawn(self) -> bool:
        """Return whether a question is asked about a card that was just drawn (C3, P6)."""
        return self.game.phase in (Phase.DRAWN, Phase.GIVE)

    # What happens at the table.

    def look(self) -> None:
        """Keep what agrees with the table and with the observer's own cards; forget the rest."""
        game, observer = self.game, self.observer
        hand = sorted(game.hands[observer])
        discards = tuple(game.discard_pile)
        own = game.current_player == observer
        about_drawn = self.about_drawn()
        about_judged = game.phase in (Phase.UNO, Phase.CATCH, Phase.CHALLENGE)

        def agrees(world: World) -> bool:
            return (
                self.texts(world.discards) == discards
                and sorted(self.texts(world.hands[observer])) == hand
                and not (own and game.offered_card not in (None, self.text(world.offered)))
                and not (own and about_drawn and game.drawn_card != self.text(world.drawn))
            )

        def tidy(world: World) -> Iterator[World]:
            drawn = world.drawn if about_drawn else -1
            yield replace(world, drawn=drawn, judged=world.judged if about_judged else frozenset())

        self.keep(agrees)
        self.each(tidy)

    def step(self, action: str) -> None:
        """Let the player who is asked take an action, in the game and in all worlds."""
        game = self.game
        seat, phase, actor = game.current_player, game.phase, int(game.state.actor)
        assert seat is not None
        hands = [list(hand) for hand in game.hands]
        before = (game.top_card, game.active_color)
        open_color = game.active_color if game.open_reverse else None
        rejected = game.offered_card if action == "reject" else game.draw_pile[:1]
        game.step(action)
        if game.phase in OVER:
            return
        moved = [0] * len(hands)
        if phase == Phase.DRAFT:
            self.draft(seat, action, "".join(rejected or ""))
            moved[seat] = 1
        elif action == "challenge":
            self.challenge(seat, actor, hands[actor])
        elif action.startswith("give:"):
            receiver = (seat + game.direction) % len(hands)
            self.gift(seat, receiver, action.removeprefix("give:"))
            moved[seat], moved[receiver] = -1, 1
        elif action[0] in "RYGBW":
            laid = laid_cards(action, hands[seat], open_color)
            for number, kind in enumerate(laid):
                self.lay(seat, kind, phase == Phase.DRAWN and number == 0)
            if ">" in action:
                self.keep(
                    lambda world: all(c[0] != action[0] for c in self.texts(world.hands[seat]))
                )
            moved[seat] = -len(laid)
            self.before = before
            self.each(lambda world: [replace(world, judged=world.hands[seat])])
            self.judged = sorted((Counter(hands[seat]) - Counter(laid)).elements())
        # A caught player draws before the card acts.
        first = actor if action == "catch" else seat
        for other in sorted(range(len(hands)), key=lambda one: one != first):
            self.draw(other, len(game.hands[other]) - len(hands[other]) - moved[other])
        self.look()

    def draft(self, seat: int, action: str, rejected: str) -> None:
        """Keep or reject the offered card (D4); at the end turn the discards over (D5).

        `rejected` is the card that is discarded.
        """
        if action == "keep":
            self.each(lambda world: [replace(world.give(seat, world.offered), offered=-1)])
            self.each(self.turn_up)
        else:

            def reject(world: World) -> Iterator[World]:
                yield replace(world, discards=(*world.discards, world.offered), offered=-1)

            self.each(reject)
            self.draw(seat, 1)
        self.keep(lambda world: self.text(world.discards[-1]) == rejected)
        if self.game.phase == Phase.DRAFT:
            self.each(self.offer)
        else:
            self.each(lambda world: [replace(world, block=world.discards, discards=())])
            self.each(self.turn_up)

    def gift(self, seat: int, receiver: int, kind: str) -> None:
        """A card passes; only giver and receiver see which (P6)."""
        sees = self.observer in (seat, receiver)
        gives = self.rules.dip_gives

        def pass_one(world: World) -> Iterator[World]:
            gifts = world.hands[seat]
            if gives == "drawn":
                gifts = gifts & {world.drawn}
            elif gives == "other":
                gifts = gifts - {world.drawn}
            if sees:
                gifts = frozenset(card for card in gifts if self.kinds[card] == kind)
                gifts = frozenset(sorted(gifts & world.known)[:1]) or gifts
            for card in gifts:
                passed = world.take(seat, card).give(receiver, card)
                yield replace(passed, known=passed.known | {card}) if sees else passed

        self.each(pass_one)

    def challenge(self, seat: int, offender: int, hand: list[str]) -> None:
        """The challenger sees the hand, all see the verdict (C8, C10)."""
        if seat == self.observer:
            shown = sorted(hand)
            self.keep(lambda world: sorted(self.texts(world.hands[offender])) == shown)
            self.each(lambda world: [replace(world, known=world.known | world.hands[offender])])
        verdict = self.is_guilty(self.judged)
        self.keep(lambda world: self.is_guilty(self.texts(world.judged)) == verdict)

    def is_guilty(self, cards: Iterable[str]) -> bool:
        """Return whether another of these cards could have been laid, not the wild draw (C8)."""
        return any(self.could_be_laid(card) for card in cards)

    def could_be_laid(self, card: str) -> bool:
        top, color = self.before
        assert top is not None
        if self.rules.challenge_judges == "color":
            return card[0] == color
        if card == "WD":
            return self.rules.same_wild_draw_counts
        return card[0] in ("W", color) or (top[0] != "W" and card[1] == top[1])


def laid_cards(action: str, hand: list[str], open_color: str | None) -> list[str]:
    """Return the cards that an action lays, in order; all of them are seen (D9, D9a)."""
    if ">" not in action:
        return [action.split(":")[0]]
    color, last = action.split(">")
    laid = [card for card in hand if card[0] == color]
    laid.sort(key=lambda card: SYMBOLS.index(card[1]))
    laid.remove(last)
    if color == open_color:
        return [*laid, last]
    if last == color + "R" and last not in laid:
        raise AssertionError(f"{action} from {hand}: one Reverse cannot be the first and the last")
    laid.remove(color + "R")
    return [color + "R", *laid, last]
