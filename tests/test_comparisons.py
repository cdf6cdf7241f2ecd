"""`Results.comparisons`: whether one of two agents is better, with the deal as the unit."""

import numpy as np
import pandas as pd
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Results, simulate
from uno_sim.simulation.tables import NOT_RESOLVED, lead_in_wins
from uno_sim.statistics import difference_by_deal, holm, mean_interval

CASES = {
    "rounds": {"rounds": 300},
    "games": {"games": 60},
    "permutations": {"rounds": 120, "paired": "permutations"},
    "unpaired": {"rounds": 100, "paired": False},
}


@pytest.fixture(params=CASES)
def threes(request: pytest.FixtureRequest) -> Results:
    """Return what three agents, two of them the same, have played."""
    return simulate(UNO_POCKET, ["greedy", "random", "greedy"], seed=4, **CASES[request.param])


def test_each_two_agents_are_compared_by_the_differences_of_their_deals(threes: Results) -> None:
    frame = threes.games if threes.unit == "games" else threes.rounds
    name = "score" if threes.unit == "games" else "points"
    scored = threes.by_agent(frame, f"{name}_")
    table = threes.comparisons()
    assert list(table["agent"]) == ["greedy (1)", "greedy (1)", "random"]
    assert list(table["opponent"]) == ["random", "greedy (2)", "greedy (2)"]
    for (one, other), row in zip([(0, 1), (0, 2), (1, 2)], table.itertuples(), strict=True):
        won = [
            (frame["winner_index"] == index).groupby(frame["deal"]).sum().to_numpy(float)
            for index in (one, other)
        ]
        rows = frame.groupby("deal").size().to_numpy()
        found = difference_by_deal(*won, rows, limit=1)
        assert (row.difference, row.low, row.high, row.p_value) == pytest.approx(tuple(found))
        lead = pd.Series(scored[:, one] - scored[:, other]).groupby(frame["deal"]).mean()
        expected = lead.mean(), *mean_interval(lead)
        ends = getattr(row, f"{name}_low"), getattr(row, f"{name}_high")
        assert (getattr(row, name), *ends) == pytest.approx(expected)
    assert (table["deals"] == frame["deal"].nunique()).all()
    assert (table[threes.unit] == len(frame)).all()


def test_verdicts_are_corrected_for_the_number_of_comparisons(threes: Results) -> None:
    table = threes.comparisons(0.9)
    assert table["p_corrected"].tolist() == holm(table["p_value"]).tolist()
    assert (table["resolved"] == (table["p_corrected"] < 0.1)).all()
    for row in table.itertuples():
        ahead = row.agent if row.difference > 0 else row.opponent
        assert row.verdict == (ahead if row.resolved else NOT_RESOLVED)
    assert table["verdict"][0] == "greedy (1)"


def test_equal_agents_split_every_paired_deal() -> None:
    (row,) = simulate(UNO_DUO, ["greedy", "greedy"], rounds=200).comparisons().itertuples()
    assert (row.difference, row.p_value, row.points) == (0, 1, 0)
    assert row.verdict == NOT_RESOLVED


def test_an_agent_is_compared_with_the_mean_of_several(threes: Results) -> None:
    rates = threes.summary()["win_rate"]
    lead = lead_in_wins(threes.totals, 1, [0, 2])
    assert lead.value == pytest.approx(rates[1] - (rates[0] + rates[2]) / 2)
    assert lead.low < lead.value < lead.high < 0


def test_the_interval_holds_the_truth_in_about_95_of_100_batches() -> None:
    truth = simulate(UNO_DUO, ["greedy", "random"], rounds=40_000, seed=99).summary()["win_rate"]
    differences = []
    for seed in range(200):
        batch = simulate(UNO_DUO, ["greedy", "random"], rounds=120, seed=seed)
        (row,) = batch.comparisons().itertuples()
        differences.append(row.low <= truth[0] - truth[1] <= row.high)
    assert np.mean(differences) >= 0.9
