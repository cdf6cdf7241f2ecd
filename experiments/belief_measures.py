"""How well beliefs agree with the truth: reliability, and Brier scores."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments import cells
from experiments.beliefs import CARDS_ALONE, STATEMENTS

BINS = 10
"""Bins of what is believed, of equal width."""
FEWEST = 10
"""Of fewer statements nothing is said: no share of a bin, no score of a model."""


def reliability(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how often statements are true, by what is believed.

    Columns: those of `keys`, `about`, `model`, `bin`, `n`, `believed` (the mean in the bin), `true`
    (the share), `low`, `high` (its interval by deal).
    """
    by = ["game", "opponent", "about", "model", "bin"]
    places = np.minimum((frame["believed"] * BINS).astype(int), BINS - 1)
    frame = frame.assign(bin=places)
    shares = cells.share_cells(frame, by, "true")
    means = frame.groupby(by, sort=True)["believed"].mean().reset_index()
    return shares.merge(means, on=by)


def brier_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the Brier score of each model, and by how much it is better than cards alone.

    The score is the mean squared difference of belief and truth. Columns: `game`, `opponent`,
    `about`, `model`, `n`, `brier`, `low`, `high`, `better`, `better_low`, `better_high` (paired, by
    deal), `believed` and `true` (means), `worth` (mean of the effective worlds). No interval goes
    beyond what is possible: 0 to 1, and -1 to 1 for `better`.
    """
    rows = []
    frame = frame.assign(order=frame["about"].map(STATEMENTS.index))
    frame = frame.sort_values(["game", "order"], kind="stable")
    for key, part in frame.groupby(["game", "opponent", "about"], sort=False):
        squares = {
            name: of_model.assign(square=np.square(of_model["believed"] - of_model["true"]))
            for name, of_model in part.groupby("model", sort=False)
        }
        base = squares[CARDS_ALONE]["square"].to_numpy()
        for name, of_model in squares.items():
            score = np.clip(cells.mean(of_model, of_model["square"].to_numpy()), 0, 1)
            better = np.clip(cells.mean(of_model, base - of_model["square"].to_numpy()), -1, 1)
            means = of_model[["believed", "true", "worth"]].mean()
            rows.append((*key, name, len(of_model), *score, *better, *means))
    columns = ["game", "opponent", "about", "model", "n", "brier", "low", "high"]
    columns += ["better", "better_low", "better_high", "believed", "true", "worth"]
    return pd.DataFrame(rows, columns=columns)
