"""Perfect recall: what a player was shown and did determines the text of its information state.

Many games are played with a tiny deck, so that the same things happen to a player again and again.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from tests.information.walks import is_hidden, shown_by_challenge, sights
from tests.random_play import some_action
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, action_name
from uno_sim.features import encode

DECK = {"R1": 2, "RR": 1, "Y1": 2, "WD": 1}
TINY: dict[str, tuple[RuleSet, int]] = {
    "duo": (replace(UNO_DUO, deck=DECK, deal="deal", hand_size=2), 2),
    "duo, drafted": (replace(UNO_DUO, deck={**DECK, "W": 3}, hand_size=2), 2),
    "pocket": (replace(UNO_POCKET, deck={**DECK, "WP": 1}, hand_size=2), 2),
    "pocket, three players": (replace(UNO_POCKET, deck={**DECK, "WP": 2}, hand_size=2), 3),
}
GAMES = 150
LENGTH = 8


def experiences(name: str) -> Iterator[tuple[Game, int, str]]:
    """Yield, at each moment of many games, a game, a seat, and all that this seat met so far."""
    rules, num_players = TINY[name]
    source = random.Random(name)
    for _ in range(GAMES):
        game = Game(rules, num_players, seed=source.getrandbits(64))
        met: list[list[str]] = [[] for _ in range(num_players)]
        while game.current_player is not None and game.record.num_actions() < LENGTH:
            hidden = [is_hidden(game, seat) for seat in range(num_players)]
            for seat in range(num_players):
                if not hidden[seat]:
                    met[seat].append(repr(sights(game, seat)))
                    yield game, seat, "\n".join(met[seat])
            action = action_name(some_action(game, source))
            player = game.current_player
            public = "give" if action.startswith("give:") else action
            for seat in range(num_players):
                told = action if seat == player else public
                if not hidden[seat]:
                    shown = shown_by_challenge(game, seat, action)
                    met[seat].append(f"{told} {shown}")
                elif action != "pass":
                    met[seat].append(action)
            before = game.phase
            game.step(action)
            if before == Phase.DRAFT != game.phase:
                for seat in range(num_players):
                    met[seat].append(repr(game.draw_pile[-2 * rules.hand_size :]))


@dataclass(frozen=True)
class Moment:
    """What a seat met until one moment, and what it knows then."""

    seat: int
    met: str
    text: str
    observed_legal: tuple[int, ...]
    legal: tuple[int, ...]
    features: bytes
    world: str


@cache
def moments(name: str) -> list[Moment]:
    """Return all moments of the games of one rule set."""
    found = []
    for game, seat, met in experiences(name):
        observation = game.observation(seat)
        legal = game.legal_actions() if game.current_player == seat else []
        found.append(
            Moment(
                seat,
                met,
                observation.information_state(),
                tuple(observation.legal_actions()),
                tuple(legal),
                encode(observation).tobytes(),
                repr((game.hands, game.draw_pile)),
            )
        )
    return found


@pytest.mark.parametrize("name", TINY)
def test_what_a_player_met_determines_its_information_state(name):
    texts: dict[tuple[int, str], str] = {}
    again = 0
    for moment in moments(name):
        key = moment.seat, moment.met
        again += key in texts
        assert texts.setdefault(key, moment.text) == moment.text, moment.met
    assert again > 100


@pytest.mark.parametrize("name", TINY)
def test_equal_information_states_have_equal_legal_sets_and_features(name):
    found: dict[str, Moment] = {}
    worlds: defaultdict[str, set[str]] = defaultdict(set)
    again = 0
    for moment in moments(name):
        again += moment.text in found
        assert moment.observed_legal == moment.legal
        first = found.setdefault(moment.text, moment)
        assert (first.legal, first.features) == (moment.legal, moment.features), moment.text
        worlds[moment.text].add(moment.world)
    # They were met again, often with other hidden cards.
    assert again > 100
    assert sum(len(different) > 1 for different in worlds.values()) > 30
