"""When a challenge is worth it, measured from the wild draws of `challenges.wild_draws`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agents.challenger import HISTORIES, MOST_CARDS, RULE_SHAPE
from experiments import cells
from uno_sim.rule_set import RuleSet
from uno_sim.statistics import Array

CARDS_ALONE = "counting cards"
FORMULA = "formula"
SAME_WORLDS = "both verdicts"
KNOWN_CASES = "true verdicts"

GUILT_PRIOR = 20
"""How many wild draws of the history's mean rate a cell's guilt is mixed with, for the rule."""
EVEN_PRIOR = 500
"""How many wild draws of all sizes a cell's break-even guilt is mixed with, for the rule."""


@dataclass(frozen=True)
class Faced:
    """The wild draws that greedy faced from one opponent at one game."""

    rules: RuleSet
    opponent: str
    rounds: int
    frame: pd.DataFrame
    """As `challenges.wild_draws` yields it, and the columns of `with_worths`."""

    @property
    def labels(self) -> dict[str, Any]:
        """The columns that say which they are."""
        return {"game": self.rules.name, "opponent": self.opponent}

    def labeled(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a table with these columns in front."""
        return pd.concat([pd.DataFrame(self.labels, index=table.index), table], axis=1)


def with_worths(frame: pd.DataFrame) -> pd.DataFrame:
    """Add what a challenge is worth against taking, in round points.

    `gain`: if it succeeds; `loss`: how much less if it fails; `worth`: as the case is.
    """
    gain = frame["won"] - frame["take"]
    loss = frame["take"] - frame["lost"]
    return frame.assign(gain=gain, loss=loss, worth=np.where(frame["guilty"], gain, -loss))


def guilt(faced: Faced) -> pd.DataFrame:
    """Return how often the offender was guilty, by history and by the size of its hand.

    Columns: `game`, `opponent`, `history`, `offender`, `n`, `guilty`, `low`, `high`.
    """
    table = cells.share_cells(faced.frame, ["history", "offender"], "guilty")
    names = table["history"].map(dict(enumerate(HISTORIES)))
    return faced.labeled(table.assign(history=names))


def worth(faced: Faced) -> pd.DataFrame:
    """Return what challenging is worth against taking, by the sizes of both hands.

    Columns: `game`, `opponent`, `own`, `offender`, `n`, `worth`, `low`, `high`, then the guilt from
    which a challenge pays with these hands, `break_even` with its `break_even_low` and `_high`.
    """
    by = ["own", "offender"]
    table = cells.mean_cells(faced.frame, by, "worth")
    even = [
        cells.ratio(cell, cell["loss"].to_numpy(), (cell["gain"] + cell["loss"]).to_numpy())
        for _, cell in faced.frame.groupby(by, sort=True)
    ]
    names = ["break_even", "break_even_low", "break_even_high"]
    ends = pd.DataFrame(even, columns=names, index=table.index)
    return faced.labeled(pd.concat([table, ends], axis=1))


def overall(faced: Faced) -> pd.DataFrame:
    """Return what challenging each wild draw is worth, over all hand sizes.

    Columns: `game`, `opponent`, `rounds` looked through, `n`, `guilty` (their share), `worth`,
    `low`, `high`.
    """
    frame = faced.frame
    row = {
        "rounds": faced.rounds,
        "n": len(frame),
        "guilty": frame["guilty"].mean(),
        **dict(
            zip(("worth", "low", "high"), cells.mean(frame, frame["worth"].to_numpy()), strict=True)
        ),
    }
    return faced.labeled(pd.DataFrame([row]))


def parts(faced: Faced) -> pd.DataFrame:
    """Return what the formula is made of, and what it stands for: points by part, with intervals.

    The parts are one change to `take` each: of all the cards of a wild draw, by their number, and
    of the turn. Beside them is what a won challenge gains, and what a failed one costs.

    Columns: `game`, `opponent`, `part`, `n`, `points`, `low`, `high`.
    """
    frame, penalty = faced.frame, faced.rules.wild_draw_penalty
    values = {
        "a card that the victim draws": (frame["spared"] - frame["take"]) / penalty,
        "a card that the offender draws": (frame["offender_draws"] - frame["take"]) / penalty,
        "the next turn": frame["victim_moves"] - frame["take"],
        "a won challenge": frame["gain"],
        "a failed challenge": -frame["loss"],
    }
    rows = [
        (name, len(frame), *cells.mean(frame, value.to_numpy())) for name, value in values.items()
    ]
    return faced.labeled(pd.DataFrame(rows, columns=["part", "n", "points", "low", "high"]))


def break_even_formula(rules: RuleSet, own_card: float, offender_card: float, turn: float) -> float:
    """Return the guilt from which a challenge pays, from the worth of a card and of the turn.

    A challenge that fails costs the extra cards. One that succeeds saves the victim the cards of
    the wild draw, gives as many to the offender, and gives the victim the turn.
    """
    loss = rules.failed_challenge_extra * own_card
    gain = rules.wild_draw_penalty * (own_card + offender_card) + turn
    return loss / (loss + gain)


def break_even(faced: Faced) -> pd.DataFrame:
    """Return the guilt from which a challenge pays, found in four ways.

    Columns: `game`, `opponent`, `method`, `n`, `break_even`, `low`, `high`:

    * counting cards: each worth the same, the turn nothing;
    * formula: from `parts`;
    * both verdicts, tried in the same worlds whether the offender was guilty or not;
    * true verdicts: the gains of guilty cases, the losses of innocent ones, at equal hand sizes.
    """
    frame, rules = faced.frame, faced.rules
    penalty, extra = rules.wild_draw_penalty, rules.failed_challenge_extra
    spared = (frame["spared"] - frame["take"]) / penalty
    given = (frame["offender_draws"] - frame["take"]) / penalty
    loss = extra * spared
    whole = loss + penalty * (spared + given) + frame["victim_moves"] - frame["take"]
    by_cards = break_even_formula(rules, 1, 1, 0)
    rows = [
        (CARDS_ALONE, len(frame), by_cards, by_cards, by_cards),
        (FORMULA, len(frame), *cells.ratio(frame, loss.to_numpy(), whole.to_numpy())),
        (
            SAME_WORLDS,
            len(frame),
            *cells.ratio(
                frame, frame["loss"].to_numpy(), (frame["loss"] + frame["gain"]).to_numpy()
            ),
        ),
        (KNOWN_CASES, len(frame), *known_cases(frame)),
    ]
    return faced.labeled(pd.DataFrame(rows, columns=["method", "n", "break_even", "low", "high"]))


def known_cases(frame: pd.DataFrame) -> tuple[float, ...]:
    """Return the break-even guilt of the losses of the innocent and the gains of the guilty.

    Guilty offenders hold more cards. So the cases are weighted until, for each pair of hand sizes,
    both kinds weigh the same: as much as the pair tells of their difference. NaN where fewer than
    `cells.FEWEST` cases of a kind have some of the other beside them.
    """
    sizes = frame["own"] * (MOST_CARDS + 1) + frame["offender"]
    guilty = frame["guilty"].to_numpy()
    of_kind = [
        np.bincount(sizes[guilty == kind], minlength=(MOST_CARDS + 1) ** 2) for kind in (0, 1)
    ]
    innocents, guilties = (counts[sizes].astype(float) for counts in of_kind)
    total = innocents + guilties
    innocent_weight = np.where(guilty, 0, guilties / total)
    guilty_weight = np.where(guilty, innocents / total, 0)
    if min((weight > 0).sum() for weight in (innocent_weight, guilty_weight)) < cells.FEWEST:
        return math.nan, math.nan, math.nan
    return cells.share_of(
        (
            cells.by_deal(frame, innocent_weight * frame["loss"])[0],
            cells.by_deal(frame, innocent_weight)[0],
        ),
        (
            cells.by_deal(frame, guilty_weight * frame["gain"])[0],
            cells.by_deal(frame, guilty_weight)[0],
        ),
    )


def rule_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rule that challenges where the guilt exceeds the break-even guilt.

    A row a place of `RULE_SHAPE`, in its order: `history`, `offender`, `own`, `guilt`,
    `break_even`, `challenge` (1 or 0). Guilt is by history and the offender's hand, the break-even
    guilt by the sizes of both hands. Cells of few cases are drawn to the mean: guilt to that of the
    history, the break-even guilt to that of all.
    """
    guilt_table = np.zeros(RULE_SHAPE[:2])
    for history in range(len(HISTORIES)):
        of_history = frame[frame["history"] == history]
        rate = of_history["guilty"].mean() if len(of_history) else 0.0
        for size in range(1, MOST_CARDS + 1):
            cell = of_history[of_history["offender"] == size]
            hits = cell["guilty"].sum() + GUILT_PRIOR * rate
            guilt_table[history, size - 1] = hits / (len(cell) + GUILT_PRIOR)
    even = np.zeros(RULE_SHAPE[1:])
    losses, gains = frame["loss"].mean(), frame["gain"].mean()
    for offender in range(1, MOST_CARDS + 1):
        for own in range(1, MOST_CARDS + 1):
            cell = frame[(frame["offender"] == offender) & (frame["own"] == own)]
            loss = cell["loss"].sum() + EVEN_PRIOR * losses
            even[offender - 1, own - 1] = loss / (loss + cell["gain"].sum() + EVEN_PRIOR * gains)
    places: Array = np.indices(RULE_SHAPE).reshape(3, -1)
    chances = guilt_table[places[0], places[1]]
    evens = even[places[1], places[2]]
    return pd.DataFrame(
        {
            "history": [HISTORIES[history] for history in places[0]],
            "offender": places[1] + 1,
            "own": places[2] + 1,
            "guilt": chances,
            "break_even": evens,
            "challenge": (chances > evens).astype(int),
        }
    )
