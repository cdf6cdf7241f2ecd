"""The unknown cards of each epoch are as many as the places that they can be in (P8)."""

import random
from dataclasses import replace

import numpy as np
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet

MANY_DIPS = {**{f"{color}{symbol}": 1 for color in "RYGB" for symbol in "123SRD"}}
MANY_DIPS |= {"W": 2, "WP": 5, "WD": 1}

VARIANTS = {
    "duo": (UNO_DUO, (2,)),
    "pocket": (UNO_POCKET, (2, 3, 5)),
    **{
        f"many dips, {gives}, {recycle}": (
            replace(UNO_POCKET, deck=MANY_DIPS, hand_size=3, dip_gives=gives, recycle=recycle),
            (2, 3, 4),
        )
        for gives in ("any", "drawn", "other")
        for recycle in ("shuffle", "turn_over")
    },
}


def check_pools(game: Game) -> None:
    state = game.state
    cards = state.pool.astype(int).sum(axis=1)
    places = state.slots.astype(int).sum(axis=0)
    places[state.epoch] += state.draw_size - state.known_size
    if game.offered_card is not None:
        places[0] += 1
    assert cards.tolist() == places.tolist()
    held = state.slots.astype(int).sum(axis=1) + state.shown.astype(int).sum(axis=1)
    assert held.tolist() == state.hand_sizes.tolist()
    # What is in no pool is in the open, or shown to all.
    hidden = state.pool.astype(int).sum(axis=0) + state.shown.astype(int).sum(axis=0)
    np.add.at(hidden, state.discard_pile[: state.discard_size], 1)
    np.add.at(hidden, state.draw_pile[: state.known_size], 1)
    assert hidden.tolist() == state.deck.tolist()


@pytest.mark.parametrize(
    ("rules", "players"),
    [(rules, n) for rules, many in VARIANTS.values() for n in many],
    ids=lambda value: getattr(value, "name", value),
)
def test_pools_fit_their_places(rules: RuleSet, players: int) -> None:
    for seed in range(40):
        choices = random.Random(seed)
        game = Game(rules, players, seed)
        for _ in range(250):
            if game.current_player is None:
                break
            game.step(choices.choice(game.legal_actions()))
            check_pools(game)
