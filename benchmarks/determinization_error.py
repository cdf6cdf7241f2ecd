"""How far determinizations are from the exact posterior, on tiny decks, by enumeration.

For each case many short games are played at random; at every few decisions an observer's worlds are
enumerated, and sampled. Printed is the total variation distance (half the sum of the differences of
the shares) over what sampling alone would give, and how many sampled worlds cannot be at all.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchmarks.report import table
from tests.posterior import Belief
from tests.world_samples import cells_of, compare, sample_worlds, some_lively_action
from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet

MOST_CELLS = 400
"""Positions with more cells than this are left out."""
MOST_WORLDS = 3000
"""A game is followed no further once this many worlds are possible."""


@dataclass
class Case:
    """A tiny deck and who plays with it."""

    rules: RuleSet
    num_players: int
    deck: str


@dataclass
class Error:
    """What was measured in one case."""

    positions: int = 0
    distances: list[float] = field(default_factory=list)
    impossible: int = 0
    worlds: int = 0

    @property
    def mean(self) -> float:
        """Return the mean distance of a position."""
        return sum(self.distances) / len(self.distances)

    @property
    def share_impossible(self) -> float:
        """Return the share of the worlds that cannot be."""
        return self.impossible / self.worlds


def _dealt(rules: RuleSet, size: int, recycle: str | None = None) -> RuleSet:
    return replace(
        rules, deal="deal", hand_size=size, max_players=3, recycle=recycle or rules.recycle
    )


CASES = {
    "Duo, dealt, different cards": Case(_dealt(UNO_DUO, 4), 2, "R1 R2 RR RS G2 GR G3 W Y1 YR Y2"),
    "Duo, dealt, equal cards": Case(_dealt(UNO_DUO, 4), 2, "R1 R1 RR RR G2 GR G2 GR Y1 YR Y1"),
    "Duo, drafted": Case(replace(UNO_DUO, hand_size=2), 2, "R1 R2 RR RS G2 GR G3 W WD"),
    "Duo, volleys and challenges": Case(_dealt(UNO_DUO, 2), 2, "R1 R2 RR RD GD GR G1 WD W"),
    "Pocket, two players, different cards": Case(
        _dealt(UNO_POCKET, 2), 2, "R1 R2 RR G2 GS G1 WP WD RD"
    ),
    "Pocket, three players, different cards": Case(
        _dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD GS W"
    ),
    "two equal Wilds, shuffled apart": Case(_dealt(UNO_POCKET, 2), 2, "R1 R2 R3 G2 G1 W W RD GS"),
    "many equal cards, shuffled apart": Case(_dealt(UNO_POCKET, 2), 2, "R1 R1 R2 G2 G2 G1 W W WD"),
    "a verdict that a third player heard": Case(
        _dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD GS WD"
    ),
    "unseen gifts, three players": Case(_dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD WP"),
    "many unseen gifts, three players": Case(
        _dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD GS WP WP B1"
    ),
    "dumps, three players": Case(_dealt(UNO_DUO, 3), 3, "R1 R2 RR G2 GR G3 Y1 YR Y2 YS B1 W"),
    "dumps, and shuffles": Case(
        _dealt(UNO_DUO, 3, recycle="shuffle"), 2, "R1 R2 RR G2 GR G3 W GS Y1"
    ),
}
"""Tiny decks on which determinizations are exact, and others."""
EXACT = list(CASES)[:6]


def measure(case: Case, games: int, samples: int, seed: int = 0) -> Error:
    """Play a case at random and measure at every few decisions."""
    error = Error()
    for number in range(games):
        source = random.Random(f"{seed} {number}")
        deck = case.deck.split()
        source.shuffle(deck)
        first = source.randrange(case.num_players)
        game = Game.from_deck(case.rules, deck, case.num_players, first=first, seed=number)
        belief = Belief(game, source.randrange(case.num_players), deck)
        for decision in range(60):
            if len(belief.worlds) > MOST_WORLDS:
                break
            belief.step(some_lively_action(game, source))
            if game.current_player is None:
                break
            if source.random() < 0.3:
                add_position(error, belief, samples, 100 * number + decision)
    return error


def add_position(error: Error, belief: Belief, samples: int, seed: int) -> None:
    """Measure one position, if it has few enough cells."""
    exact = belief.cells()
    if len(exact) > MOST_CELLS:
        return
    observation = belief.game.observation(belief.observer)
    counts = cells_of(observation, sample_worlds(observation, samples, seed))
    found = compare(counts, exact)
    # The mean distance of a sample of this size from its own distribution (normal approximation).
    noise = sum((share * (1 - share)) ** 0.5 for share in exact.values())
    error.positions += 1
    error.distances.append(max(0.0, found.distance - 0.4 * noise / samples**0.5))
    error.impossible += sum(found.impossible.values())
    error.worlds += samples


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="games of each case (default 60)")
    parser.add_argument("--samples", type=int, default=2000, help="worlds of each position")
    options = parser.parse_args(arguments)
    rows: list[list[str]] = []
    for name, case in CASES.items():
        error = measure(case, options.games, options.samples)
        rows.append(
            [
                name,
                str(error.positions),
                f"{error.mean:.4f}",
                f"{max(error.distances):.3f}",
                f"{error.share_impossible:.2%}",
            ]
        )
    columns = ["positions", "mean distance", "largest", "impossible worlds"]
    print(table("case", columns, rows))


if __name__ == "__main__":
    main()
