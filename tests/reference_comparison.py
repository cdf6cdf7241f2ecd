"""Play the engine and the reference model in lockstep and compare them at every decision."""

import dataclasses
import random

import pytest

from tests.reference import ReferenceGame
from tests.reference_cards import CARDS
from tests.reference_situations import Situations, card_class
from uno_sim import NUM_ACTIONS, UNO_DUO, Game, IllegalActionError, RuleSet, action_name

ACTIONS = [action_name(action) for action in range(NUM_ACTIONS)]

# What both call by the same name and hold in the same form: changed by decisions, or by the end.
FIELDS = (
    *("current_player", "hands", "draw_pile", "discard_pile", "top_card", "active_color"),
    *("pending", "turns", "drawn_card", "offered_card", "open_reverse", "direction"),
)
FIELDS_OF_A_ROUND = (
    *("first", "round_number", "scores", "round_winner", "blocked", "capped", "winner"),
)

# Random choices make some rounds very long: a few go on for long, most are cut off.
LONG_ROUND = 400  # turns
RANDOM_ROUND = 20


def difference(game: Game, legal: list[int], reference: ReferenceGame, whole: bool) -> str:
    """Name the first field in which the two differ, with both values; empty where none does.

    `whole`: look at the fields of a round too.
    """
    if game.phase.name != reference.phase:
        return f"phase: engine {game.phase.name}, reference {reference.phase}"
    ours, theirs = [ACTIONS[action] for action in legal], reference.legal_actions()
    if ours != theirs:
        return f"legal actions: engine {ours}, reference {theirs}"
    for field in (*FIELDS, *FIELDS_OF_A_ROUND) if whole else FIELDS:
        ours, theirs = getattr(game, field), getattr(reference, field)
        if ours != theirs:
            return f"{field}: engine {ours!r}, reference {theirs!r}"
    if int(game.state.random[0]) != reference.random:
        return f"random: engine {int(game.state.random[0])}, reference {reference.random}"
    return ""


def changed_options(rules: RuleSet) -> str:
    """The game's name and the options that differ from UNO Duo, for messages."""
    changes = [
        f"{field.name}={getattr(rules, field.name)!r}"
        for field in dataclasses.fields(rules)
        if getattr(rules, field.name) != getattr(UNO_DUO, field.name)
        and field.name not in ("name", "deck", "card_values")
    ]
    return ", ".join([rules.name, *changes])


class Lockstep:
    """One game played by both, from a seed text that fixes decks and choices.

    `eagerness` is the chance that a choice keeps to habits: never to draw or pass where a card can
    be laid (or, on short decks, to hoard: always to draw and pass), to save wilds or not, and
    always to call UNO or never. Otherwise it is uniformly random. `style` says what the decks are
    like (see `make_deck`).
    """

    def __init__(
        self,
        rules: RuleSet,
        num_players: int,
        seed: str,
        situations: Situations,
        most_turns: int,
        uniform: bool = False,
    ) -> None:
        self.random = random.Random(seed)
        self.eagerness = self.random.choice((0.0, 0.8, 0.9, 0.95, 1.0))
        self.style = self.random.choice(("full", "full", "short", "lively"))
        self.avoided = {"draw", "pass", "silent" if self.random.random() < 0.7 else "uno"}
        if self.random.random() < 0.7:
            self.avoided |= {action for action in ACTIONS if action.startswith("W")}
        if self.style == "short" and self.random.random() < 0.3:
            self.avoided = set(ACTIONS) - {"draw", "pass"}
        if uniform:
            self.eagerness = 0.0
        elif self.random.random() < 0.1:
            most_turns = LONG_ROUND
        elif self.eagerness == 0.0:
            most_turns = RANDOM_ROUND
        rules = dataclasses.replace(rules, max_turns=min(rules.max_turns, most_turns))
        self.rules = rules
        self.num_players = num_players
        self.seed = seed
        self.situations = situations
        self.full_deck = [
            card for card, count in zip(CARDS, rules.deck, strict=True) for _ in range(count)
        ]

    def make_deck(self) -> list[str]:
        """A deck that suffices for the deal, often with a start card that acts.

        `full`: every card. `short`: what the deal takes, or few more, so that piles run out.
        `lively`: a random number of cards, most of them not numbers, in any counts.
        """
        drafted = self.rules.deal == "draft"
        dealt = self.rules.hand_size * self.num_players * (2 if drafted else 1)
        least = dealt if drafted else dealt + 1
        deck = list(self.full_deck)
        if self.style == "lively":
            kinds = sorted(set(deck))
            weights = [1 if card_class(card) == "number" else 4 for card in kinds]
            deck = self.random.choices(kinds, weights, k=least + self.random.randrange(40))[:128]
        self.random.shuffle(deck)
        if self.style == "short":
            deck = deck[: least + max(0, self.random.randrange(-3, 12))]
        if len(deck) > dealt and self.random.random() < 0.5:
            sort = self.random.choice(sorted({card_class(card) for card in deck}))
            place = self.random.choice(
                [place for place, card in enumerate(deck) if card_class(card) == sort]
            )
            deck[place], deck[dealt] = deck[dealt], deck[place]
        return deck

    def choose(self, legal: list[int]) -> str:
        actions = [ACTIONS[action] for action in legal]
        if self.random.random() < self.eagerness:
            actions = [action for action in actions if action not in self.avoided] or actions
        return self.random.choice(actions)

    def play(self, most_rounds: int, own_deals: bool = False) -> None:
        """Play until the game is over, or for so many rounds.

        `own_deals`: the engine shuffles its decks, and the reference gets them from there.
        """
        seed = self.random.getrandbits(32)
        if own_deals:
            self.game = Game(self.rules, self.num_players, seed)
            self.deck = self.deck_dealt()
        else:
            first = self.random.randrange(self.num_players)
            self.deck = self.make_deck()
            self.game = Game.from_deck(self.rules, self.deck, self.num_players, first, seed)
            assert self.game.first == first
        stream = int(self.game.state.random[0])
        self.reference = ReferenceGame(
            self.rules, self.deck, self.num_players, self.game.first, stream
        )
        self.play_round()
        for _ in range(most_rounds - 1):
            if self.reference.phase == "GAME_OVER":
                break
            if own_deals:
                self.game.next_round()
                self.deck = self.deck_dealt()
            else:
                self.deck = self.make_deck()
                self.game.next_round(self.deck)
            self.reference.next_round(self.deck, int(self.game.state.random[0]))
            self.play_round()

    def deck_dealt(self) -> list[str]:
        """The deck that the engine has just dealt, the order within a hand aside."""
        game, size = self.game, self.rules.hand_size
        if game.offered_card:
            deck = [game.offered_card, *game.draw_pile]
        else:
            left_of_dealer = game.hands[game.first + 1 :] + game.hands[: game.first + 1]
            dealt = [hand[place] for place in range(size) for hand in left_of_dealer]
            penalty = [card for hand in game.hands for card in hand[size:]]  # by the start card
            deck = [*dealt, *game.discard_pile, *penalty, *game.draw_pile]
        assert sorted(deck) == sorted(self.full_deck)
        return deck

    def play_round(self) -> None:
        game, reference, situations = self.game, self.reference, self.situations
        self.history: list[str] = []
        self.scores = list(reference.scores)
        situations.round_begins(reference)
        legal = game.legal_actions()
        self.check(legal)
        self.check_refusal(legal)
        while reference.current_player is not None:
            action = self.choose(legal)
            self.history.append(action)
            situations.before(reference)
            game.step(action)
            reference.step(action)
            situations.after(reference, action)
            legal = game.legal_actions()
            self.check(legal)

    def check(self, legal: list[int]) -> None:
        whole = not self.history or self.reference.current_player is None
        found = difference(self.game, legal, self.reference, whole)
        if found:
            pytest.fail(f"{found}\n{self.report()}", pytrace=False)

    def check_refusal(self, legal: list[int]) -> None:
        """An illegal action is refused and changes nothing."""
        action = self.random.choice([a for a in range(NUM_ACTIONS) if a not in legal])
        with pytest.raises(IllegalActionError):
            self.game.step(action)
        self.check(self.game.legal_actions())

    def report(self) -> str:
        """All that is needed to play this round again by hand."""
        return (
            f"seed {self.seed!r}, {self.num_players} players, {changed_options(self.rules)}\n"
            f"round {self.reference.round_number}, first {self.reference.first}, "
            f"scores before {self.scores}\ndeck: {' '.join(self.deck)}\n"
            f"actions: {' '.join(self.history)}"
        )


def compare(
    rules: RuleSet,
    players: tuple[int, ...],
    rounds: int,
    seed: str,
    most_turns: int = 50,
    own_deals: bool = False,
    uniform: bool = False,
) -> Situations:
    """Compare over at least so many rounds, in games of each number of players in turn.

    Most rounds are capped at `most_turns` or earlier. With `uniform` all choices are uniformly
    random, and every round may take `most_turns`.
    """
    situations = Situations()
    number = 0
    while situations.rounds < rounds:
        num_players = players[number % len(players)]
        lockstep = Lockstep(rules, num_players, f"{seed} {number}", situations, most_turns, uniform)
        lockstep.play(most_rounds=12, own_deals=own_deals)
        number += 1
    return situations
