"""The chance to win the game from the totals, in closed form.

With two players the game is a race of two totals to the target, in which each round adds to one or
the other. With `a` and `b` what is missing of the target, in mean rounds' points, the total `a`
arrives first with the chance `Phi((b - a) / sqrt(a + b + c))`; c was fitted to the exact chances,
by dynamic programming over the points that `greedy` scores against itself. With more players
the chances of each pair are put together as odds.
"""

from __future__ import annotations

import math
from typing import Any

from uno_sim.cards import NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.rule_set import LOSER_SCORES
from uno_sim.rules.scoring import GAME_OVER

SPREAD = 2.5
"""The constant c of the module."""
LEFT_BY_LOSER = 0.89
LEFT_BY_EACH = 0.40
"""Points that a round scores, as a share of what the hands dealt are worth."""


@compiled
def mean_points(rules: Any, num_players: Any) -> Any:
    """Return about how many points a round scores for one player."""
    cards = 0
    values = 0
    for kind in range(NUM_KINDS):
        cards += rules.deck[kind]
        values += rules.deck[kind] * rules.card_values[kind]
    dealt = max(values / cards, 1.0) * max(rules.hand_size, 1)
    if rules.scorer == LOSER_SCORES:
        return LEFT_BY_LOSER * dealt
    return LEFT_BY_EACH * dealt * (num_players - 1)


@compiled
def chance_to_win(state: Any, rules: Any, player: Any, round_points: Any) -> Any:
    """Return the chance to win the game after a round that is over.

    `round_points` is from `mean_points`.
    """
    if state.phase == GAME_OVER:
        return 1.0 if state.winner == player else 0.0
    own = (rules.target - state.scores[player]) / round_points
    odds_against = 0.0
    for seat in range(state.num_players):
        if seat == player:
            continue
        other = (rules.target - state.scores[seat]) / round_points
        spread = math.sqrt(max(own + other, 0.0) + SPREAD)
        before = 0.5 * math.erfc((own - other) / spread / math.sqrt(2.0))
        if rules.scorer == LOSER_SCORES:
            before = 1.0 - before
        odds_against += 1.0 / max(before, 1e-9) - 1.0
    return 1.0 / (1.0 + odds_against)
