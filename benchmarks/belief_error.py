"""How far beliefs are from Bayes' rule, on tiny decks, by dealing every order of the deck.

`greedy` and `random` play short games; what each believes of the other, taken for `greedy` with
slips, is held against the exact chances of each kind in the other's hand. Printed is the mean and
the largest difference, and the mean difference of the belief by cards alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from benchmarks.report import table
from tests.belief.exact import exact_chances
from tests.belief.test_exact_belief import DECKS, DRAFTED, SLIP, situations
from uno_sim import UNO_DUO, UNO_POCKET, RuleSet, believe, make_agent

CASES = [
    *(
        (f"{rules.name}, {name}", rules, cards, "deal")
        for rules in (UNO_DUO, UNO_POCKET)
        for name, cards in DECKS.items()
    ),
    *(
        (f"{UNO_DUO.name}, drafted, {name}", UNO_DUO, cards, "draft")
        for name, cards in DRAFTED.items()
    ),
]


def differences(rules: RuleSet, cards: str, deal: str, worlds: int) -> tuple[list[float], ...]:
    """Return the mean difference and the largest of each position, and the mean by cards alone."""
    greedy = make_agent("greedy")
    means, largest, by_cards = [], [], []
    for tiny, deck, script, game in situations(rules, cards.split(), deal):
        for player in range(2):
            exact = exact_chances(tiny, deck, script, greedy, player, SLIP)[1 - player]
            observation = game.observation(player)
            may_be = observation.record.deck > 0
            belief = believe(observation, greedy, worlds, slip=SLIP, floor=0)
            alone = believe(observation, None, worlds)
            error = np.abs(belief.chances[1 - player] - exact)[may_be]
            means.append(float(error.mean()))
            largest.append(float(error.max()))
            by_cards.append(float(np.abs(alone.chances[1 - player] - exact)[may_be].mean()))
    return means, largest, by_cards


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=20_000)
    arguments = parser.parse_args(argv)
    rows = []
    for name, rules, cards, deal in CASES:
        means, largest, by_cards = differences(rules, cards, deal, arguments.worlds)
        numbers = (np.mean(means), max(largest), np.mean(by_cards))
        rows.append([name, str(len(means)), *(f"{number:.4f}" for number in numbers)])
    print(table("case", ["positions", "mean", "largest", "by cards alone"], rows))


if __name__ == "__main__":
    main()
