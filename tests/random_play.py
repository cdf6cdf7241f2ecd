"""Games to test with: rule sets of many kinds, random play, decks that run short."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import HealthCheck, settings, strategies

from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, parse_card
from uno_sim.cards import CARD_NAMES

MANY_WILDS = {**{color + "RSD59"[i]: 2 for color in "RYGB" for i in range(5)}, "W": 6, "WD": 8}
MANY_DIPS = {**{color + symbol: 1 for color in "RYGB" for symbol in "123RSD"}, "WP": 12, "WD": 4}
TINY = {"R1": 1, "R2": 2, "RR": 3, "RD": 2, "RS": 1, "Y1": 2, "YR": 1, "B2": 1, "W": 1, "WD": 2}

VARIANTS: dict[str, tuple[RuleSet, int]] = {
    "duo": (UNO_DUO, 2),
    "duo, calls automatic": (replace(UNO_DUO, uno_calls="automatic"), 2),
    "duo, shuffled": (replace(UNO_DUO, recycle="shuffle", max_turns=40), 2),
    "duo, three players": (replace(UNO_DUO, deal="deal", max_players=5), 3),
    "duo, five players": (
        replace(UNO_DUO, deal="deal", max_players=5, hand_size=3, reverse="direction"),
        5,
    ),
    "duo, official challenge": (
        replace(
            UNO_DUO,
            deck=MANY_WILDS,
            challenge_judges="color",
            same_wild_draw_counts=True,
            after_won_challenge="offender",
            start_wild_named_by="starter",
        ),
        2,
    ),
    "duo, nothing drawn": (
        replace(
            UNO_DUO,
            draw_penalty=0,
            wild_draw_penalty=0,
            uno_penalty=0,
            failed_challenge_extra=0,
        ),
        2,
    ),
    "duo, tiny deck": (
        replace(UNO_DUO, deck=TINY, deal="deal", hand_size=2, max_players=4),
        4,
    ),
    "pocket, two players": (UNO_POCKET, 2),
    "pocket, three players": (UNO_POCKET, 3),
    "pocket, four players": (UNO_POCKET, 4),
    "pocket, five players": (UNO_POCKET, 5),
    "pocket, turned over": (replace(UNO_POCKET, recycle="turn_over", hand_size=7), 4),
    "pocket, volley and dump": (
        replace(UNO_POCKET, stack_draws=True, reverse="dump", lone_reverse="plain", draw_penalty=3),
        3,
    ),
    "pocket, dips give others": (replace(UNO_POCKET, deck=MANY_DIPS, dip_gives="other"), 3),
    "pocket, dips give drawn": (replace(UNO_POCKET, deck=MANY_DIPS, dip_gives="drawn"), 2),
    "pocket, last card draws nothing": (
        replace(UNO_POCKET, last_card_draws=False, scorer="loser", max_turns=25, target=60),
        5,
    ),
    "pocket, drafted": (
        replace(UNO_POCKET, deal="draft", max_players=2, hand_size=4, reverse_last_opens=False),
        2,
    ),
}
"""Rule sets with a number of players; every player count of both games is among them."""

STEADY = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
"""The same examples in each run, however slow the machine is."""


def some_action(game: Game, source: random.Random) -> int:
    """Choose a legal action at random; drawing and passing are seldom chosen, so rounds end."""
    legal = game.legal_actions()
    laying = legal[:-1]
    if laying and game.phase in (Phase.TURN, Phase.DRAWN) and source.random() < 0.75:
        return source.choice(laying)
    return source.choice(legal)


def play_round(game: Game, source: random.Random) -> Iterator[Game]:
    """Yield the game before each of its actions, until the round is over."""
    while game.current_player is not None:
        yield game
        game.step(some_action(game, source))


def play_on(game: Game, source: random.Random, decisions: int) -> Game:
    """Play some decisions, through the ends of rounds, and return the same game."""
    for _ in range(decisions):
        if game.phase == Phase.GAME_OVER:
            break
        if game.phase == Phase.ROUND_OVER:
            game.next_round()
        game.step(some_action(game, source))
    return game


def all_cards(game: Game) -> list[str]:
    """Return every card of the game, wherever it is, sorted."""
    cards = [card for hand in game.hands for card in hand]
    cards += game.draw_pile + game.discard_pile
    if game.offered_card is not None:
        cards.append(game.offered_card)
    return sorted(cards)


def position_text(game: Game) -> str:
    """Return a game in phase TURN as the text of a position."""
    return "\n".join(
        [
            "hands: " + " | ".join(" ".join(hand) for hand in game.hands),
            "draw: " + " ".join(game.draw_pile),
            "discard: " + " ".join(game.discard_pile),
            f"color: {game.active_color}",
            f"to move: {game.current_player}",
            f"direction: {'left' if game.direction > 0 else 'right'}",
            f"open reverse: {'yes' if game.open_reverse else 'no'}",
            f"first: {game.first}",
            "scores: " + " ".join(map(str, game.scores)),
            f"turns: {game.turns}",
            f"round: {game.round_number}",
        ]
    )


def short_deck(rules: RuleSet, num_players: int, spare: int, source: random.Random) -> list[str]:
    """Return a deck of cards of the game with `spare` cards more than the deal takes."""
    kinds = [CARD_NAMES[kind] for kind, count in enumerate(rules.deck) if count]
    return source.choices(kinds, k=rules.cards_needed(num_players) + spare)


def random_position(rules: RuleSet, num_players: int, source: random.Random) -> Game:
    """Return a game that begins from a position in the middle of a round."""
    while True:
        game = Game(rules, num_players, seed=source.getrandbits(64))
        wanted = source.randrange(4, 40)
        for count, played in enumerate(play_round(game, source)):
            if count >= wanted and played.phase == Phase.TURN:
                return Game.from_position(rules, position_text(played), seed=source.getrandbits(64))


@strategies.composite
def games(draw: strategies.DrawFn, variants: dict[str, tuple[RuleSet, int]] = VARIANTS) -> Game:
    """Draw a game at its start: from a seed, from a short deck, or from a position."""
    rules, num_players = variants[draw(strategies.sampled_from(list(variants)))]
    seed = draw(strategies.integers(0, 2**64 - 1))
    start = draw(strategies.sampled_from(["seed", "short deck", "position"]))
    source = random.Random(seed)
    if start == "seed":
        return Game(rules, num_players, seed=seed)
    if start == "position":
        return random_position(rules, num_players, source)
    deck = short_deck(rules, num_players, draw(strategies.integers(0, 12)), source)
    first = draw(strategies.integers(0, num_players - 1))
    return Game.from_deck(rules, deck, num_players, first=first, seed=seed)


def kinds(cards: list[str]) -> list[int]:
    """Return cards as kinds."""
    return [parse_card(card) for card in cards]
