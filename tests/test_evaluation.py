"""`evaluate`: an agent against others, each a batch of its own on the same deals."""

import pandas as pd
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, evaluate, simulate


def test_a_row_is_what_simulate_sums_up_for_the_first_agent():
    table = evaluate("greedy", ["random", "greedy"], rounds=60, seed=4)
    assert list(table["opponent"]) == ["random", "greedy"] and set(table["agent"]) == {"greedy"}
    for _, row in table.iterrows():
        results = simulate(UNO_DUO, ["greedy", row["opponent"]], rounds=60, seed=4)
        expected = results.summary().iloc[0]
        pd.testing.assert_series_equal(row[expected.index], expected, check_names=False)
        assert (row["players"], row["even"]) == (2, 1 / 2)


def test_an_opponent_takes_all_other_seats():
    table = evaluate("random", ["greedy"], rules=UNO_POCKET, num_players=3, games=6, seed=1)
    results = simulate(UNO_POCKET, ["random", "greedy", "greedy"], games=6, seed=1)
    assert table["wins"][0] == results.summary()["wins"][0] and table["even"][0] == 1 / 3


def test_workers_change_nothing():
    alone = evaluate("greedy", ["random"], rounds=400, seed=2)
    pd.testing.assert_frame_equal(
        alone, evaluate("greedy", ["random"], rounds=400, seed=2, workers=2)
    )


def test_one_text_is_no_list_of_opponents():
    with pytest.raises(ValueError, match="against='greedy': must be a list of agents"):
        evaluate("random", "greedy", rounds=2)
