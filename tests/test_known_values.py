"""UNO with numbers only has published shares of wins by seat; the engine reproduces them.

80 cards, 0 to 9 twice in four colors, seven dealt, a fixed starter; each player lays whenever they
can, else draws one card and lays it if it is playable. The published players lay the newest card
they can; hands have no order here, so others are tried, which change the shares very little.
"""

import math
from functools import cache

import numpy as np
import pytest

from uno_sim import Policy, RuleSet, policy, simulate
from uno_sim.actions import DRAW, PASS
from uno_sim.bit_sets import lowest, without_lowest
from uno_sim.cards import COLORS, NUM_COLORED_KINDS
from uno_sim.random_stream import random_below
from uno_sim.state import Phase

NUMBERS_ONLY = RuleSet(
    name="UNO with numbers only",
    deck={f"{color}{number}": 2 for color in COLORS for number in range(10)},
    card_values={f"{color}{number}": number for color in COLORS for number in range(10)},
    deal="deal",
    hand_size=7,
    min_players=2,
    max_players=5,
    target=500,
    scorer="winner",
    draw_penalty=2,
    wild_draw_penalty=4,
    recycle="shuffle",
    stack_draws=False,
    reverse="direction",
    lone_reverse="again",
    uno_calls="automatic",
)
PUBLISHED = {2: (0.5176, 0.4824), 4: (0.2796, 0.2602, 0.2397, 0.2204)}
"""The shares of wins, the starter's first, for two and for four players."""
COMPUTED = {
    ("lays_lowest", 2): (0.5153,),
    ("lays_at_random", 2): (0.5200,),
    ("lays_at_random", 4): (0.2782, 0.2595, 0.2408, 0.2215),
}
"""The same from other code, 100,000 games each, for the cards that are laid here."""
ROUNDS = 100_000
ERRORS = 4
"""How many standard errors are allowed."""

DRAWN = int(Phase.DRAWN)
NUMBERS = np.uint64((1 << NUM_COLORED_KINDS) - 1)


@policy
def lays_lowest(observation, rules, params, memory, random):
    playable = observation.legal[0] & NUMBERS
    if playable != np.uint64(0):
        return lowest(playable)
    return PASS if observation.phase == DRAWN else DRAW


@policy
def lays_at_random(observation, rules, params, memory, random):
    """Lay a random card of those that can be laid: of two alike, each counts."""
    hand = observation.hands[observation.current_player]
    playable = observation.legal[0] & NUMBERS
    if observation.phase == DRAWN or playable == np.uint64(0):
        return lowest(playable) if playable != np.uint64(0) else DRAW
    count = 0
    rest = playable
    while rest != np.uint64(0):
        count += hand[lowest(rest)]
        rest = without_lowest(rest)
    chosen = random_below(random, count)
    while True:
        kind = lowest(playable)
        chosen -= hand[kind]
        if chosen < 0:
            return kind
        playable = without_lowest(playable)


@cache
def shares(player: Policy, num_players: int) -> list[float]:
    """Return the shares of wins by seat, the starter's first."""
    agents = [player] * num_players
    rows = simulate(NUMBERS_ONLY, agents, rounds=ROUNDS, seed=2026, paired=False).rounds
    assert (rows["winner"] >= 0).all()
    # The dealer is `first`; the player to the left starts.
    place = (rows["winner"] - rows["first"] - 1) % num_players
    return [float((place == seat).mean()) for seat in range(num_players)]


@pytest.mark.parametrize("num_players", PUBLISHED)
@pytest.mark.parametrize("player", [lays_lowest, lays_at_random], ids=lambda one: one.name)
def test_the_shares_of_wins_are_the_published_ones(player, num_players):
    found = shares(player, num_players)
    assert sum(found) == pytest.approx(1)
    for share, published in zip(found, PUBLISHED[num_players], strict=True):
        error = math.sqrt(published * (1 - published) / ROUNDS)
        assert abs(share - published) < ERRORS * error, (found, PUBLISHED[num_players])


@pytest.mark.parametrize(("name", "num_players"), COMPUTED)
def test_the_shares_of_wins_are_those_of_other_code(name, num_players):
    found = shares(
        {"lays_lowest": lays_lowest, "lays_at_random": lays_at_random}[name], num_players
    )
    expected = COMPUTED[name, num_players]
    for share, computed in zip(found[: len(expected)], expected, strict=True):
        # Both are estimates from as many games.
        error = math.sqrt(2 * computed * (1 - computed) / ROUNDS)
        assert abs(share - computed) < ERRORS * error, (found, expected)
