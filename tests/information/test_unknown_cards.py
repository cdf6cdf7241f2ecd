"""Permute all that a player cannot know: what it observes and does stays the same.

Every observer is looked at, not only the one who is asked. The other cards come from a world that
`determinize` deals, and, independent of it, from exchanging unknown cards between hands and pile.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest

from tests.information.walks import WALKS, choices, positions, view, with_exchanged_cards
from uno_sim import Game, Phase, determinize
from uno_sim.features import encode
from uno_sim.state import FIELDS, Visibility, allocate

BLANK = allocate(1)[0]


def must_look_the_same(game: Game, twin: Game, observer: int) -> None:
    """Compare all that an observer sees and does in two games."""
    assert view(game, observer) == view(twin, observer), game.render()
    ours, theirs = game.observation(observer), twin.observation(observer)
    assert ours.legal_actions() == theirs.legal_actions()
    assert ours.known_hands == theirs.known_hands and ours.known_pile == theirs.known_pile
    assert ours.unseen == theirs.unseen and str(ours) == str(theirs)
    assert choices(game, observer) == choices(twin, observer)


def pools_must_add_up(game: Game) -> None:
    """Check that each epoch has as many unknown cards as places for them (P8)."""
    state = game.state
    places = state.slots.sum(axis=0, dtype=int)
    places[state.epoch] += state.draw_size - state.known_size + (state.offered_card >= 0)
    assert state.pool.sum(axis=1, dtype=int).tolist() == places.tolist(), game.render()


@cache
def look_at_all(name: str) -> Counter[str]:
    """Compare many positions of a walk with permuted ones; return what was met."""
    met: Counter[str] = Counter()
    source = random.Random(name)
    for game in positions(name, games=3, share=0.08):
        pools_must_add_up(game)
        for observer in range(game.num_players):
            met[game.phase.name] += 1
            twin = with_exchanged_cards(game, observer, source, 40)
            must_look_the_same(game, twin, observer)
            met["exchanged"] += twin.hands != game.hands or twin.draw_pile != game.draw_pile
            if game.current_player is not None:
                world = determinize(game.observation(observer), source.getrandbits(64))
                must_look_the_same(game, world, observer)
                met["dealt anew"] += world.hands != game.hands
                met["asked"] += game.current_player == observer
    return met


@pytest.mark.parametrize("name", WALKS)
def test_permuting_what_is_unknown_changes_nothing(name):
    met = look_at_all(name)
    assert min(met["exchanged"], met["dealt anew"], met["asked"]) > 4, met


def test_the_positions_are_of_every_phase():
    met = sum((look_at_all(name) for name in WALKS), Counter())
    assert min(met[phase.name] for phase in Phase) > 10, met


def test_other_questions_of_others_change_nothing():
    source = np.random.default_rng(3)
    met = Counter()
    for name in ("duo", "pocket, three players", "pocket, dips give drawn"):
        for game in positions(name, games=12, share=0.2):
            for observer in range(game.num_players):
                if game.current_player in (None, observer):
                    continue
                twin = game.clone()
                twin.state.legal[:] = source.integers(2**63, size=3)
                for question in ("drawn_card", "offered_card"):
                    if twin.state[question] >= 0:
                        met[question] += 1
                        twin.state[question] = source.integers(52)
                assert view(game, observer) == view(twin, observer)
                assert game.observation(observer).legal_actions() == []
    assert min(met.values()) > 20 and len(met) == 2


def test_hidden_fields_are_blank_in_every_observation():
    hidden = [field.name for field in FIELDS if field.visibility == Visibility.HIDDEN]
    count = 0
    for name in WALKS:
        for game in positions(name, games=1, share=0.03):
            for observer in range(game.num_players):
                record = game.observation(observer).record
                for field in hidden:
                    assert np.array_equal(record[field], BLANK[field])
                    assert not np.array_equal(game.state[field], BLANK[field])
                count += 1
    assert hidden == ["random", "root"] and count > 200


def test_features_are_made_of_nothing_but_the_observation():
    # A record with the observer's own view alone gives the same features as the game would.
    game = Game(*WALKS["pocket, three players"], seed=2)
    observation = game.observation(1)
    first = encode(observation)
    game.step(game.legal_actions()[0])
    assert encode(observation).tobytes() == first.tobytes()
