"""Positions and deals written as text, and legal actions read as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet, action_name

COLORS = "RYGB"
SYMBOLS = "0123456789SRD"
COLORED = [color + symbol for color in COLORS for symbol in SYMBOLS]
WILDS = ["W", "WD", "WP"]
DUO_KINDS = [*COLORED, "W", "WD"]
POCKET_KINDS = [card for card in COLORED if card[1] != "0"] + WILDS


def duo(text: str, seed: int = 0, **options: Any) -> Game:
    """Set up a position of Duo; `options` change fields of the rule set."""
    return Game.from_position(replace(UNO_DUO, **options), text, seed=seed)


def pocket(text: str, seed: int = 0, **options: Any) -> Game:
    """Set up a position of Pocket; `options` change fields of the rule set."""
    return Game.from_position(replace(UNO_POCKET, **options), text, seed=seed)


def duo_start(
    start: str,
    rest: str = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8",
    kept: tuple[str, str] = ("B1 B2 B3 B4 B5 B6 B7", "B1 B2 B3 B4 B5 B6 B7"),
    discards: str = "G0 " * 14,
    first: int = 0,
    **options: Any,
) -> Game:
    """Play a draft of Duo until `start` is turned up.

    `kept` are the hands of the first drafter and of the other one; `rest` lies in the draw pile
    above the `discards` of the draft.
    """
    hands = [kept[0].split(), kept[1].split()]
    deck: list[str] = []
    for pick, discard in enumerate(discards.split()):
        deck += [hands[pick % 2][pick // 2], discard]
    rules = replace(UNO_DUO, **options)
    game = Game.from_deck(rules, [*deck, start, *rest.split()], first=first)
    return play(game, *["keep"] * len(discards.split()))


def pocket_start(
    start: str,
    num_players: int = 3,
    rest: str = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8",
    hand: str = "B1 B2 B3 B4 B5",
    dealer: int = 0,
    **options: Any,
) -> Game:
    """Deal `hand` to everybody in a game of Pocket and turn up `start`."""
    deck = [card for card in hand.split() for _ in range(num_players)]
    deck += [start, *rest.split()]
    rules = replace(UNO_POCKET, **options)
    return Game.from_deck(rules, deck, num_players=num_players, first=dealer)


def play(game: Game, *actions: str) -> Game:
    """Take the actions one after the other; return the same game."""
    for action in actions:
        game.step(action)
    return game


def legal(game: Game) -> set[str]:
    """Return the legal actions as text."""
    return {action_name(action) for action in game.legal_actions()}


def dumps(game: Game) -> set[str]:
    """Return the legal dumps as text."""
    return {action for action in legal(game) if ">" in action}


def single_cards(game: Game) -> set[str]:
    """Return the cards that may be laid singly; a wild whatever color it names."""
    cards = {action.split(":")[0] for action in legal(game)}
    return {card for card in cards if card in COLORED or card in WILDS}


def named(card: str) -> set[str]:
    """Return the four actions that lay a wild."""
    return {f"{card}:{color}" for color in COLORS}


def sizes(game: Game) -> list[int]:
    """Return the numbers of cards in the hands."""
    return [len(hand) for hand in game.hands]


def cards(text: str) -> list[str]:
    """Split a text into cards."""
    return text.split()


def snapshot(game: Game) -> dict[str, Any]:
    """Return everything that a game shows of itself, and the bytes of its state."""
    attributes = (
        "hands draw_pile discard_pile top_card active_color offered_card drawn_card open_reverse "
        "current_player direction pending phase scores round_number turns first round_winner "
        "blocked capped winner"
    ).split()
    shown = {name: getattr(game, name) for name in attributes}
    return {**shown, "legal": game.legal_actions(), "state": game.state.tobytes()}


def deck_of(rules: RuleSet) -> list[str]:
    """Return the cards of a rule set's deck, in no special order."""
    kinds = [*COLORED, *WILDS]
    return [kind for kind, count in zip(kinds, rules.deck, strict=True) for _ in range(count)]
