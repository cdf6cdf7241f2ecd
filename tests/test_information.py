"""Nothing leaks: the same public events over other hidden cards give the same observations.

A game is played with a deck in which every card is different. For one observer, all cards that
this player never saw are then exchanged with each other, and the same actions are taken again.
The observer must see the same at every decision, to the last byte, and every agent must choose
alike. (Once a round is over its points tell of the hands; so no story is told to the end.)
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest

from tests.random_play import VARIANTS, play_round, some_action
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, action_name, make_agent
from uno_sim.cards import CARD_NAMES

ONE_OF_EACH = dict.fromkeys([name for name in CARD_NAMES if name != "R0"], 1)
DUO = replace(UNO_DUO, deck=ONE_OF_EACH)
POCKET = replace(UNO_POCKET, deck=ONE_OF_EACH)
GAMES: dict[str, tuple[RuleSet, int]] = {
    "duo": (DUO, 2),
    "duo, three players": (replace(DUO, deal="deal", max_players=5), 3),
    "pocket, two players": (POCKET, 2),
    "pocket, four players": (POCKET, 4),
    "pocket, turned over": (replace(POCKET, recycle="turn_over", hand_size=9), 3),
    "pocket, drawn cards given": (replace(POCKET, dip_gives="drawn"), 3),
}
STORIES = 70
LONGEST = 90
AGENTS = [make_agent("greedy"), make_agent("random")]


@dataclass
class Step:
    """One action of a story, and what the whole table saw of it."""

    action: str
    hidden: bool
    """Whether only the player knew of the question: a drawn card that could be laid."""
    hand_sizes: list[int] = field(default_factory=list)
    """After the action."""


@dataclass
class Story:
    """A game as far as it was played, and as one observer met it."""

    rules: RuleSet
    num_players: int
    deck: list[str]
    first: int
    seed: int
    observer: int
    steps: list[Step] = field(default_factory=list)
    views: list[tuple[bytes, str, tuple[int, ...]]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    shuffled: bool = False

    def begin(self) -> Game:
        return Game.from_deck(self.rules, self.deck, self.num_players, self.first, self.seed)

    def look(self, game: Game) -> None:
        """Note what the observer sees, and what agents would do there."""
        observation = game.observation(self.observer)
        choices = []
        if game.current_player == self.observer:
            choices = [agent.choose(observation, np.array([3], np.uint64)) for agent in AGENTS]
        self.views.append((observation.record.tobytes(), str(observation), tuple(choices)))
        self.seen |= {*game.hands[self.observer], *game.discard_pile}
        if game.offered_card and game.current_player == self.observer:
            self.seen.add(game.offered_card)

    def is_hidden(self, game: Game) -> bool:
        return game.phase == Phase.DRAWN and game.current_player != self.observer


@cache
def tell(name: str, seed: int) -> Story:
    """Play a game at random for a while."""
    rules, num_players = GAMES[name]
    source = random.Random(seed)
    deck = source.sample(list(ONE_OF_EACH), len(ONE_OF_EACH))
    places = source.randrange(num_players), source.randrange(num_players)
    story = Story(rules, num_players, deck, places[0], seed, observer=places[1])
    game = story.begin()
    for _ in range(source.randrange(10, LONGEST)):
        action = some_action(game, source)
        before = game.clone()
        game.step(action)
        if game.current_player is None:
            break
        if not story.is_hidden(before):
            story.look(before)
        story.steps.append(Step(action_name(action), story.is_hidden(before), game.hand_sizes))
        note_what_was_shown(story, before, game, action_name(action))
    return story


def note_what_was_shown(story: Story, before: Game, after: Game, action: str) -> None:
    """Note the cards that one step shows to the observer, also those that are gone at its end."""
    player = before.current_player
    if not action.startswith("give:"):
        story.seen |= set(before.hands[player]) - set(after.hands[player])
    if action == "challenge" and player == story.observer:
        story.seen |= set(before.hands[before.state.actor])
    if before.phase == Phase.DRAFT != after.phase:
        # The discards of the draft lie under the pile, above nothing (D5).
        story.seen |= set(after.draw_pile[-2 * story.rules.hand_size :])
    elif after.discard_pile[: len(before.discard_pile)] != before.discard_pile:
        story.shuffled |= before.phase != Phase.DRAFT and story.rules.recycle == "shuffle"


def exchanged(story: Story, source: random.Random) -> dict[str, str]:
    """Return for every card the one that takes its place."""
    unseen = [card for card in story.deck if card not in story.seen]
    others = source.sample(unseen, len(unseen))
    return {**{card: card for card in story.deck}, **dict(zip(unseen, others, strict=True))}


def retell(story: Story, places: dict[str, str], seed: int) -> tuple[Story, Game] | None:
    """Take the same actions over other hidden cards.

    Returns None where a challenge ends otherwise, or a dump lays more or fewer cards: that shows.
    """
    deck = [places[card] for card in story.deck]
    again = replace(story, deck=deck, seed=seed, views=[], seen=set())
    game = again.begin()
    for step in story.steps:
        if not step.hidden:
            if again.is_hidden(game):
                # Here the drawn card could be laid, and the player keeps it.
                game.step("pass")
            again.look(game)
        elif step.action == "pass" and not again.is_hidden(game):
            # Here it cannot, and nobody is asked.
            continue
        kind, colon, card = step.action.partition(":")
        game.step(f"give:{places[card]}" if kind + colon == "give:" else step.action)
        shows = step.action == "challenge" or ">" in step.action
        if shows and game.hand_sizes != step.hand_sizes:
            return None
    return again, game


@pytest.mark.parametrize("name", GAMES)
def test_an_observer_cannot_tell_hidden_cards_apart(name):
    source = random.Random(name)
    counts: Counter[str] = Counter()
    for seed in range(STORIES):
        story = tell(name, seed)
        places = exchanged(story, source)
        other_seed = seed if story.shuffled else seed + 10**6
        told = retell(story, places, other_seed)
        if told is None:
            counts["another course"] += 1
            continue
        again, game = told
        for number, (view, other_view) in enumerate(zip(story.views, again.views, strict=True)):
            assert other_view == view, f"story {seed}, decision {number}"
        counts["alike"] += 1
        counts["exchanged"] += sum(card != other for card, other in places.items())
        counts["choices"] += sum(len(view[2]) > 0 for view in story.views)
        hidden = [
            card for seat, hand in enumerate(game.hands) if seat != story.observer for card in hand
        ]
        counts["other cards held"] += sum(places[card] != card for card in hidden)
    assert counts["alike"] > STORIES / 2, counts
    assert counts["exchanged"] > 5 * STORIES and counts["other cards held"] > STORIES, counts
    assert counts["choices"] > 5 * STORIES, counts


@pytest.mark.parametrize("name", GAMES)
def test_the_holders_of_exchanged_cards_can_tell(name):
    # The other side: with nothing exchanged nobody can tell, else whoever holds such a card can.
    source = random.Random(name)
    noticed = 0
    for seed in range(20):
        story = tell(name, seed)
        same, game = retell(story, {card: card for card in story.deck}, seed)
        assert same.views == story.views
        told = retell(story, exchanged(story, source), seed)
        for seat in range(story.num_players if told else 0):
            views = [one.observation(seat).record.tobytes() for one in (game, told[1])]
            noticed += seat != story.observer and views[0] != views[1]
    assert noticed > 10


def test_the_stories_hold_every_event():
    actions: Counter[str] = Counter()
    shuffled_stories = 0
    for name in GAMES:
        for seed in range(STORIES):
            story = tell(name, seed)
            shuffled_stories += story.shuffled
            actions.update(step.action.partition(":")[0] for step in story.steps)
            actions.update("hidden " + step.action for step in story.steps if step.hidden)
            actions.update("dump" for step in story.steps if ">" in step.action)
    for action in ("keep", "reject", "draw", "take", "challenge", "give", "catch", "dump"):
        assert actions[action] >= 20, (action, actions)
    assert actions["hidden pass"] >= 20 and actions["uno"] >= 20 and actions["color"] >= 5
    assert shuffled_stories >= 10


@pytest.mark.parametrize("name", VARIANTS)
def test_what_a_player_knows_is_true_and_the_rest_is_unseen(name):
    rules, num_players = VARIANTS[name]
    source = random.Random(name)
    for _ in range(4):
        game = Game(rules, num_players, seed=source.getrandbits(64))
        for number, played in enumerate(play_round(game, source)):
            if number % 3 == 0:
                for player in range(num_players):
                    check_knowledge(played, player)


def check_knowledge(game: Game, player: int) -> None:
    """Compare what a player knows with where the cards really are."""
    observation = game.observation(player)
    known, hands = observation.known_hands, game.hands
    assert known[player] == hands[player] == observation.hand
    hidden: Counter[str] = Counter()
    for ours, theirs in zip(known, hands, strict=True):
        assert Counter(ours) <= Counter(theirs)
        hidden += Counter(theirs) - Counter(ours)
    pile = zip(observation.known_pile, game.draw_pile, strict=True)
    for seen, lying in pile:
        assert seen in (None, lying)
        hidden[lying] += seen is None
    if game.offered_card is not None and game.current_player != player:
        hidden[game.offered_card] += 1
    assert Counter(observation.unseen) == hidden
