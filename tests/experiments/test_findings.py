"""Titles follow the data, and say so where nothing is resolved."""

import math

import pandas as pd
import pytest

from experiments import findings


def win_rates(*rows: tuple[str, str, float, float, float], by: str = "agent") -> pd.DataFrame:
    """Return a table of (unit, name, rate, low, high)."""
    table = pd.DataFrame(rows, columns=["unit", "name", "win_rate", "low", "high"])
    return table.assign(by=by, even=1 / table["name"].nunique(), played=100)


def test_the_agent_that_wins_most_is_named() -> None:
    rows = [("rounds", "a", 0.4, 0.38, 0.42), ("rounds", "b", 0.6, 0.58, 0.62)]
    assert findings.who_wins(win_rates(*rows)) == "b wins 60.0% of rounds"
    rows = [("rounds", "a", 0.7, 0.68, 0.72), ("rounds", "b", 0.3, 0.28, 0.32)]
    assert findings.who_wins(win_rates(*rows)) == "a wins 70.0% of rounds"


def test_a_rate_that_may_be_even_is_not_resolved() -> None:
    table = win_rates(
        ("rounds", "a", 0.6, 0.58, 0.62),
        ("rounds", "b", 0.4, 0.38, 0.42),
        ("games", "a", 0.52, 0.45, 0.6),
        ("games", "b", 0.48, 0.4, 0.55),
    )
    assert findings.who_wins(table) == "a wins 60.0% of rounds and 52.0% of games (not resolved)"
    unresolved = findings.who_wins(table[table["unit"] == "games"])
    assert unresolved == "No difference resolved: a wins 52.0% of games"


def test_two_equal_agents_are_told_about_the_starter() -> None:
    rows = [("rounds", "starter", 0.45, 0.44, 0.46), ("rounds", "dealer", 0.55, 0.54, 0.56)]
    assert findings.who_wins(win_rates(*rows, by="seat")) == "The starter wins 45.0% of rounds"
    rows = [("rounds", "starter", 0.51, 0.4, 0.6), ("rounds", "dealer", 0.49, 0.4, 0.6)]
    said = findings.who_wins(win_rates(*rows, by="seat"))
    assert said.startswith("No advantage of a seat resolved")


def series(name: str, mean: float, half: float, **more: object) -> dict[str, object]:
    """Return a row of a distribution."""
    ends = {"mean_low": mean - half, "mean_high": mean + half}
    return {"name": name, "mean": mean, **ends, "scorer": "loser", **more}


def test_points_are_compared_where_the_intervals_are_apart() -> None:
    apart = pd.DataFrame([series("a", 10, 1), series("b", 50, 1)])
    assert findings.who_scores(apart) == "b takes 50.0 points a round, a 10.0"
    near = pd.DataFrame([series("a", 49.5, 1), series("b", 50, 1)])
    assert findings.who_scores(near).startswith("No difference resolved: b takes 50.0")
    several = pd.DataFrame([series("a", 10, 1), series("b", 50, 1), series("c", 3, 1)])
    assert findings.who_scores(several) == "b takes most, 50.0 points a round; c least, 3.00"


def test_final_totals_are_by_agent_or_by_outcome() -> None:
    rows = [series("winner", 90, 1, by="agent"), series("b", 230, 1, by="agent")]
    by_agent = findings.final_totals(pd.DataFrame(rows))
    assert by_agent == "b ends with 230.0 points on average, winner 90.0"
    rows = [series("winner", 90, 1, by="outcome"), series("loser", 230, 1, by="outcome")]
    by_outcome = findings.final_totals(pd.DataFrame(rows))
    assert by_outcome == "The winner ends with 90.0 points on average, the loser with 230.0"


def test_one_series_of_points_is_about_rounds() -> None:
    table = pd.DataFrame([series("any", 20, 1, mean_scored=44.0)])
    assert findings.who_scores(table) == "A lost round costs 44.0 points"
    assert findings.who_scores(table.assign(scorer="winner")) == "A won round earns 44.0 points"
    assert findings.who_scores(table.assign(mean_scored=math.nan)).startswith("Nobody")


@pytest.mark.parametrize(
    ("medians", "said"),
    [
        ([16.0], "Half of the rounds are over within 16 turns"),
        ([22.0, 16.0], "Half of the rounds are over within 16 turns (m1) and 22 (m0)"),
        ([22.0, 16.0, 30.0], "Half of the rounds are over within 16 turns (m1) to 30 (m2)"),
    ],
)
def test_lengths_go_from_the_shortest_to_the_longest(medians: list[float], said: str) -> None:
    table = pd.DataFrame({"median": medians, "match": [f"m{n}" for n in range(len(medians))]})
    assert findings.how_long(table) == said
