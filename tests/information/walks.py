"""Random games to look into: positions in every phase, and pairs that look the same to a player."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from agents.network import network
from tests.networks import random_network
from tests.random_play import MANY_DIPS, MANY_WILDS, VARIANTS, play_round, some_action
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, action_name, make_agent
from uno_sim.cards import CARD_NAMES
from uno_sim.features import encode

WALKS: dict[str, tuple[RuleSet, int]] = {
    **VARIANTS,
    "duo, many wilds": (replace(UNO_DUO, deck=MANY_WILDS, hand_size=5), 2),
    "pocket, many dips": (replace(UNO_POCKET, deck=MANY_DIPS), 4),
    "pocket, short deck": (replace(UNO_POCKET, hand_size=10), 4),
    "pocket, two players, short deck": (replace(UNO_POCKET, hand_size=18), 2),
    "pocket, two players, turned over": (
        replace(UNO_POCKET, deck=MANY_DIPS, recycle="turn_over", hand_size=12),
        2,
    ),
}
"""Rule sets with a number of players: all of both games, with every option that hides cards."""

AGENTS = [
    *map(make_agent, ("greedy", "random", "bluffer:rate=0.5", "challenger", "drafter")),
    network(random_network([16]), sample=True),
    make_agent("search:simulations=40"),
]


def positions(name: str, games: int = 3, share: float = 0.1) -> Iterator[Game]:
    """Yield a share of the positions of some games of one walk; rare phases more often."""
    rules, num_players = WALKS[name]
    source = random.Random(name)
    for _ in range(games):
        game = Game(rules, num_players, seed=source.getrandbits(64))
        for played in play_round(game, source):
            rare = played.phase not in (Phase.TURN, Phase.DRAWN, Phase.DRAFT)
            chance = 3 * share if rare else share
            if source.random() < chance or played.phase == Phase.CHOOSE_COLOR:
                yield played
        yield game


def view(game: Game, player: int) -> tuple[bytes, bytes]:
    """Return the bytes of a player's observation and of its features."""
    observation = game.observation(player)
    return observation.record.tobytes(), encode(observation).tobytes()


def choices(game: Game, player: int) -> list[int]:
    """Return what every registered agent does for a player; nothing where it is not asked."""
    if game.current_player != player:
        return []
    observation = game.observation(player)
    return [agent.choose(observation, np.array([7], np.uint64)) for agent in AGENTS]


def is_hidden(game: Game, observer: int) -> bool:
    """Return whether the question is one that the observer knows nothing of (C3)."""
    return game.phase == Phase.DRAWN and game.current_player != observer


def sights(game: Game, observer: int) -> tuple[Any, ...]:
    """Return the cards that the observer looks at now, and what lies open to all."""
    offered = game.offered_card if game.current_player == observer else None
    return (
        *(game.hands[observer], game.discard_pile, offered, game.hand_sizes, game.draw_size),
        *(game.top_card, game.active_color, game.open_reverse, game.current_player, game.direction),
    )


@dataclass
class Story:
    """The actions of a game, as far as it was played, from a position on."""

    start: Game
    actions: list[str] = field(default_factory=list)


def tell(game: Game, source: random.Random, length: int) -> Story:
    """Play a game on at random, and return its story; the game itself is left where it ends."""
    story = Story(game.clone())
    while len(story.actions) < length and game.current_player is not None:
        action = some_action(game, source)
        story.actions.append(action_name(action))
        game.step(action)
    return story


def shown_by_challenge(game: Game, observer: int, action: str) -> list[str]:
    """Return the hand that the observer is about to be shown (C10)."""
    if action == "challenge" and game.current_player == observer:
        return game.hands[game.state.actor]
    return []


def same_course(story: Story, other: Game, observer: int) -> Iterator[tuple[Game, Game, bool]]:
    """Take a story's actions in its game and in another, as long as all looks the same.

    Yields both games at each public point, and whether since the last one a player of only one of
    them was asked whether to lay a drawn card. Ends where the observer is shown other cards, where
    the other game does not allow an action, and where a round is over: its points tell of hands.
    """
    game = story.start.clone()
    asked_once = False
    for action in story.actions:
        if is_hidden(game, observer):
            if is_hidden(other, observer):
                if not same_action(game, other, action, observer):
                    return
            elif action == "pass":
                game.step(action)
                asked_once = True
            else:
                return
            continue
        if is_hidden(other, observer):
            # There the drawn card could be laid, and its player keeps it.
            other.step("pass")
            asked_once = True
        if other.current_player is None or sights(game, observer) != sights(other, observer):
            return
        yield game, other, asked_once
        asked_once = False
        shown = [shown_by_challenge(one, observer, action) for one in (game, other)]
        if shown[0] != shown[1] or not same_action(game, other, action, observer):
            return
        if game.current_player is None or other.current_player is None:
            return


def same_action(game: Game, other: Game, action: str, observer: int) -> bool:
    """Take an action in both games, a gift between others with any card.

    Returns whether the other game allows it, and it lays and turns under the pile the same cards.
    """
    legal = other.legal_names()
    gift = action.startswith("give:")
    taken = action
    if action not in legal:
        if not gift or observer == game.current_player:
            return False
        taken = legal[0]
    before = [(one.phase, one.hands[one.current_player or 0]) for one in (game, other)]
    player = game.current_player or 0
    game.step(action)
    other.step(taken)
    opened = []
    for (phase, hand), one in zip(before, (game, other), strict=True):
        laid = Counter() if gift else Counter(hand) - Counter(one.hands[player])
        drafted = phase == Phase.DRAFT and one.phase != Phase.DRAFT
        opened.append((laid, one.draw_pile[-2 * one.rules.hand_size :] if drafted else None))
    return opened[0] == opened[1]


def with_exchanged_cards(game: Game, observer: int, source: random.Random, pairs: int) -> Game:
    """Return a copy in which cards unknown to the observer have changed places, in hands or pile.

    The deal's random stream and the question asked of another are exchanged too.
    """
    other = game.clone()
    state = other.state
    state.random[0] = source.getrandbits(64)
    state.root = source.getrandbits(64)
    for _ in range(pairs):
        places = unknown_places(other, observer)
        if len(places) > 1:
            exchange(state, *source.sample(places, 2))
    for seat in range(game.num_players):
        held = np.flatnonzero(state.hands[seat])
        state.held[seat] = np.uint64(sum(1 << int(kind) for kind in held))
    return other


Place = tuple[str, int, int]
"""`hand`, seat and kind; or `pile`, 0 and height; or `offered`, 0 and 0."""


def unknown_places(game: Game, observer: int) -> list[Place]:
    """Return a place for each card that the observer knows nothing of; not a drawn card."""
    state = game.state
    places: list[Place] = [("pile", 0, h) for h in range(state.known_size, state.draw_size)]
    if state.offered_card >= 0 and game.current_player != observer:
        places.append(("offered", 0, 0))
    for seat in range(game.num_players):
        if seat != observer:
            known = state.shown[seat] + state.seen[observer, seat]
            unknown = state.hands[seat].astype(int) - known
            if state.drawn_card >= 0 and seat == game.current_player:
                unknown[state.drawn_card] -= 1
            for kind in np.flatnonzero(unknown > 0):
                places += [("hand", seat, int(kind))] * int(unknown[kind])
    return places


def exchange(state: Any, one: Place, other: Place) -> None:
    """Let the cards at two places change places."""
    kinds = [take_from(state, place) for place in (one, other)]
    for place, kind in zip((one, other), reversed(kinds), strict=True):
        put_to(state, place, kind)


def take_from(state: Any, place: Place) -> int:
    where, seat, number = place
    if where == "hand":
        state.hands[seat, number] -= 1
        return number
    return int(state.draw_pile[number] if where == "pile" else state.offered_card)


def put_to(state: Any, place: Place, kind: int) -> None:
    where, seat, number = place
    if where == "hand":
        state.hands[seat, kind] += 1
    elif where == "pile":
        state.draw_pile[number] = kind
    else:
        state.offered_card = kind


def deck_of(game: Game) -> list[str]:
    """Return the deck that the first round of a game was dealt from."""
    return [CARD_NAMES[kind] for kind in game.record.rounds[0].deck]
