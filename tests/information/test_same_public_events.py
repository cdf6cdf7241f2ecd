"""Other hidden cards, the same public events: the observer sees the same, at every public moment.

One game is played at random. Another begins with hidden cards exchanged, in its deck or in the
middle of the round, and the same actions are taken; where only one of them asks whether to lay a
drawn card, it is kept. As long as the observer is shown the same cards and the table looks the
same, observation, features and every agent's choice must be the same.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from tests.information.walks import (
    WALKS,
    Story,
    choices,
    deck_of,
    same_course,
    tell,
    view,
    with_exchanged_cards,
)
from uno_sim import Game, Phase


def compare(story: Story, other: Game, observer: int, met: Counter[str]) -> None:
    """Follow a pair of games; all must look alike."""
    for game, twin, asked_once in same_course(story, other, observer):
        ours, theirs = view(game, observer), view(twin, observer)
        assert ours == theirs, f"{game.render()}\n{twin.render()}"
        if game.current_player == observer:
            assert choices(game, observer) == choices(twin, observer)
            assert game.legal_actions() == twin.legal_actions()
            met["choices"] += 1
        if met["moments"] % 25 == 0:
            texts = [one.observation(observer) for one in (game, twin)]
            assert texts[0].information_state() == texts[1].information_state()
            assert str(texts[0]) == str(texts[1])
        met["moments"] += 1
        met["other cards"] += game.hands != twin.hands or game.draw_pile != twin.draw_pile
        met["other hands"] += game.hands != twin.hands
        met["asked once"] += asked_once
        met[game.phase.name] += 1


@cache
def other_decks(name: str) -> Counter[str]:
    """Compare games with others whose decks differ in a few places; return what was met."""
    rules, num_players = WALKS[name]
    source = random.Random(name)
    met: Counter[str] = Counter()
    for number in range(3):
        game = Game(rules, num_players, seed=source.getrandbits(64))
        deck, first = deck_of(game), game.first
        story = tell(Game.from_deck(rules, deck, num_players, first, number), source, 80)
        for observer in range(num_players):
            for _ in range(12 // num_players):
                twin_deck = list(deck)
                for _ in range(source.randrange(1, 4)):
                    one, other = source.sample(range(len(deck)), 2)
                    twin_deck[one], twin_deck[other] = twin_deck[other], twin_deck[one]
                twin = Game.from_deck(rules, twin_deck, num_players, first, number)
                compare(story, twin, observer, met)
    return met


@cache
def other_places(name: str) -> Counter[str]:
    """Compare games with others in which cards change places; return what was met."""
    rules, num_players = WALKS[name]
    source = random.Random(name)
    met: Counter[str] = Counter()
    for _ in range(5):
        game = Game(rules, num_players, seed=source.getrandbits(64))
        for _ in range(4):
            tell(game, source, source.randrange(5, 30))
            if game.current_player is None:
                break
            story = tell(game.clone(), source, 30)
            for observer in range(num_players):
                twin = with_exchanged_cards(game, observer, source, source.randrange(1, 4))
                compare(story, twin, observer, met)
    return met


@pytest.mark.parametrize("name", WALKS)
def test_decks_with_other_hidden_cards_look_the_same(name):
    met = other_decks(name)
    assert met["other cards"] > 50 and met["choices"] > 20, met


@pytest.mark.parametrize("name", WALKS)
def test_cards_that_changed_places_in_the_middle_of_a_round_look_the_same(name):
    met = other_places(name)
    assert met["other cards"] > 30 and met["other hands"] > 20 and met["choices"] > 20, met


def test_the_pairs_meet_every_question_and_hidden_ones():
    met = sum((other_decks(name) + other_places(name) for name in WALKS), Counter())
    for phase in set(Phase) - {Phase.ROUND_OVER, Phase.GAME_OVER}:
        assert met[phase.name] > 20, (phase, met)
    assert met["asked once"] > 50, met
    assert met["other hands"] > 5000, met
