"""Many determinizations of one observation, counted and held against the exact shares."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.posterior import Belief, Cell
from uno_sim import Game, Observation, Phase, RuleSet
from uno_sim.cards import CARD_NAMES, NUM_KINDS
from uno_sim.determinization import fill_world, new_plan, plan_worlds
from uno_sim.random_stream import WORLDS, seed_key
from uno_sim.rules.challenge import is_guilty
from uno_sim.state import allocate

RARE = 1e-6
"""How often a true hypothesis may be rejected."""
_NORMAL = 4.753
"""What a standard normal number exceeds with the chance `RARE`."""


def sample_worlds(observation: Observation, count: int, seed: int) -> Any:
    """Return an array of worlds, as `determinize` makes them."""
    worlds, plan = allocate(count), new_plan()
    stream = np.array([seed_key(seed, 0, WORLDS)], np.uint64)
    record, player = observation.record, observation.player
    plan_worlds(record, player, plan)
    for world in worlds:
        fill_world(record, player, observation.rules.record, plan, world, stream)
    return worlds


def cells_of(observation: Observation, worlds: Any) -> Counter[Cell]:
    """Return how many of the worlds are in each cell."""
    count, players = len(worlds), observation.num_players
    hands = worlds.hands[:, :players].reshape(count, -1)
    blank = np.full(count, -1)
    ahead = worlds.draw_pile[:, observation.draw_size - 1] if observation.draw_size else blank
    secrets = blank
    if observation.phase == Phase.DRAFT:
        secrets = worlds.offered_card
    elif observation.phase == Phase.GIVE:
        secrets = worlds.drawn_card
    elif observation.phase == Phase.CHALLENGE:
        rules = observation.rules.record
        secrets = np.array([int(is_guilty(world, rules, world.actor)) for world in worlds])
    rows = np.column_stack([hands.astype(int), ahead, secrets])
    cells: Counter[Cell] = Counter()
    for row, number in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
        counts = row[:-2].reshape(players, NUM_KINDS)
        held = tuple(
            tuple(sorted(CARD_NAMES[kind] for kind in np.repeat(np.arange(NUM_KINDS), hand)))
            for hand in counts
        )
        secret = text(row[-1])
        if observation.phase == Phase.CHALLENGE:
            secret = "guilty" if row[-1] else "innocent"
        cells[held, text(row[-2]), secret] += int(number)
    return cells


def text(kind: int) -> str:
    """Return a kind as text, empty for none."""
    return CARD_NAMES[kind] if kind >= 0 else ""


@dataclass
class Comparison:
    """Sampled worlds against the exact shares."""

    impossible: dict[Any, int]
    """Worlds that cannot be."""
    statistic: float
    critical: float
    """What Pearson's statistic exceeds with the chance `RARE` where the worlds are exact."""
    distance: float
    """Half the sum of the differences of the shares: the total variation, sampling error too."""


def compare(counts: Mapping[Any, int], exact: Mapping[Any, float]) -> Comparison:
    """Compare by Pearson's chi-square test; cells that are too rare for it are one cell."""
    total = sum(counts.values())
    statistic, cells = 0.0, 0
    rare, rare_counted = 0.0, 0
    for cell, share in exact.items():
        expected, counted = share * total, counts.get(cell, 0)
        if expected < 5:
            rare += expected
            rare_counted += counted
        else:
            statistic += (counted - expected) ** 2 / expected
            cells += 1
    if rare >= 5:
        statistic += (rare_counted - rare) ** 2 / rare
        cells += 1
    differences = [
        abs(counts.get(cell, 0) / total - exact.get(cell, 0.0)) for cell in {*counts, *exact}
    ]
    impossible = {cell: count for cell, count in counts.items() if cell not in exact}
    return Comparison(impossible, statistic, critical(cells - 1), sum(differences) / 2)


def critical(freedom: int) -> float:
    """Return the critical value of chi-square (Wilson and Hilferty's approximation)."""
    if freedom < 1:
        return 1.0
    part = 2 / (9 * freedom)
    return freedom * (1 - part + _NORMAL * part**0.5) ** 3


def assert_exact(belief: Belief, count: int = 3000, seed: int = 1) -> None:
    """Assert that worlds have the exact distribution, and that none is impossible.

    Tested twice: all cells, and the hands alone, which are fewer, so that less goes unnoticed.
    """
    observation = belief.game.observation(belief.observer)
    counts = cells_of(observation, sample_worlds(observation, count, seed))
    exact = belief.cells()
    for one, other in ((counts, exact), (hands_alone(counts), hands_alone(exact))):
        found = compare(one, other)
        assert not found.impossible, f"{belief.game.render()}\n{found.impossible}"
        assert found.statistic < found.critical, f"{belief.game.render()}\n{found}"


def hands_alone(cells: Mapping[Cell, Any]) -> Counter[Any]:
    """Return the sums over all cells with the same hands."""
    sums: Counter[Any] = Counter()
    for (hands, _, _), number in cells.items():
        sums[hands] += number
    return sums


def begin(rules: RuleSet, deck: list[str], num_players: int, first: int, observer: int) -> Belief:
    """Return what an observer believes when the deck has just been dealt."""
    return Belief(Game.from_deck(rules, deck, num_players, first=first), observer, deck)


def some_lively_action(game: Game, source: random.Random) -> str:
    """Choose an action: dumps and other layings that leave cards in the hand are preferred."""
    legal = game.legal_names()
    assert game.current_player is not None
    last = len(game.hands[game.current_player]) == 1
    layings = [action for action in legal if action[0] in "RYGBW" and not last]
    dumps = [action for action in layings if ">" in action]
    if dumps and source.random() < 0.7:
        return source.choice(dumps)
    if layings and source.random() < 0.6:
        return source.choice(layings)
    return "draw" if "draw" in legal else source.choice(legal)
