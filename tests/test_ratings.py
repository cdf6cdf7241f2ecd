"""Ratings: values computed by hand, known strengths recovered, intervals that hold the truth."""

import itertools
import math

import numpy as np
import pytest

from uno_sim.ratings import POINTS, fit_strengths
from uno_sim.statistics import normal_quantile


def rows_of(wins: list[int]) -> list[list[int]]:
    """Return a deal a row, for how often each of a table won."""
    return [
        [int(place == winner) for place in range(len(wins))]
        for winner, count in enumerate(wins)
        for _ in range(count)
    ]


def test_two_agents_have_the_log_odds_and_their_textbook_error() -> None:
    found = fit_strengths([[0, 1]], [rows_of([75, 25])], prior=0)
    difference = found.ratings[0] - found.ratings[1]
    assert difference == pytest.approx(math.log(3))
    assert found.ratings.sum() == pytest.approx(0)
    # The variance of log odds is 1 / wins + 1 / losses; n / (n - 1) for the mean.
    contrast = np.array([1, -1])
    variance = contrast @ found.covariance @ contrast
    assert variance == pytest.approx((1 / 75 + 1 / 25) * 100 / 99)


def test_the_prior_is_half_a_win_to_each() -> None:
    found = fit_strengths([[0, 1]], [rows_of([75, 25])])
    assert found.ratings[0] - found.ratings[1] == pytest.approx(math.log(75.5 / 25.5))


def test_three_agents_whose_odds_agree() -> None:
    # Strengths 6 : 3 : 1 would win exactly so often.
    pairs = [[0, 1], [0, 2], [1, 2]]
    wins = np.zeros((3, 84, 2))
    for table, counts in enumerate([[56, 28], [72, 12], [63, 21]]):
        wins[table] = rows_of(counts)
    found = fit_strengths(pairs, wins, prior=0)
    expected = np.log([6, 3, 1])
    assert found.ratings == pytest.approx(expected - expected.mean())


def test_one_table_of_three_has_the_shares_as_strengths() -> None:
    found = fit_strengths([[0, 1, 2]], [rows_of([50, 30, 20])], prior=0)
    expected = np.log([50, 30, 20])
    assert found.ratings == pytest.approx(expected - expected.mean())
    contrast = np.array([1, -1, 0])
    variance = contrast @ found.covariance @ contrast
    assert variance == pytest.approx((1 / 50 + 1 / 30) * 100 / 99)


def test_at_the_largest_likelihood_expected_wins_are_the_wins() -> None:
    # A circle of wins, which no strengths explain, and tables of three with one another.
    lineups = list(itertools.combinations(range(4), 3))
    counts = [[9, 5, 2], [3, 8, 5], [1, 6, 9], [7, 7, 2]]
    wins = np.array([rows_of(of_table) for of_table in counts])
    found = fit_strengths(lineups, wins, prior=0)
    expected, actual = np.zeros(4), np.zeros(4)
    for lineup, of_table in zip(lineups, counts, strict=True):
        strengths = np.exp(found.ratings[list(lineup)])
        expected[list(lineup)] += 16 * strengths / strengths.sum()
        actual[list(lineup)] += of_table
    assert expected == pytest.approx(actual)


def test_rows_that_repeat_their_deal_count_once() -> None:
    once = fit_strengths([[0, 1]], [rows_of([60, 40])], prior=0)
    repeated = fit_strengths([[0, 1]], [np.multiply(rows_of([60, 40]), 3)], prior=0)
    assert repeated.ratings == pytest.approx(once.ratings)
    assert repeated.covariance == pytest.approx(once.covariance)


def test_deals_shared_by_tables_are_one_observation() -> None:
    # Agent 2 plays as agent 1 does: both tables always end alike.
    rows = rows_of([60, 40])
    found = fit_strengths([[0, 1], [0, 2]], [rows, rows], prior=0)
    contrast = np.array([0, 1, -1])
    assert contrast @ found.covariance @ contrast == pytest.approx(0, abs=1e-12)
    apart = np.zeros((2, 200, 2))
    apart[0, :100], apart[1, 100:] = rows, rows
    other = fit_strengths([[0, 1], [0, 2]], apart, prior=0)
    assert contrast @ other.covariance @ contrast > 0.05


def test_who_never_lost_has_a_finite_rating_and_a_wide_interval() -> None:
    found = fit_strengths([[0, 1]], [rows_of([1000, 0])])
    difference = found.ratings[0] - found.ratings[1]
    contrast = np.array([1, -1])
    half = normal_quantile(0.95) * math.sqrt(contrast @ found.covariance @ contrast)
    assert difference == pytest.approx(math.log(1000.5 / 0.5))
    # 1000 of 1000: a chance below 0.9963 is refuted (Clopper and Pearson), log odds 5.6.
    assert 4.5 < difference - half < 6


def test_without_a_prior_there_may_be_no_largest_likelihood() -> None:
    with pytest.raises(ValueError, match="never lost"):
        fit_strengths([[0, 1]], [rows_of([10, 0])], prior=0)
    # Agents 0 and 1 beat each other, and never lose to 2 and 3.
    pairs = [[0, 1], [2, 3], [0, 2]]
    wins = np.zeros((3, 4, 2))
    for table, counts in enumerate([[2, 2], [2, 2], [4, 0]]):
        wins[table] = rows_of(counts)
    with pytest.raises(ValueError, match="never lost"):
        fit_strengths(pairs, wins, prior=0)
    found = fit_strengths(pairs, wins)
    assert np.isfinite(found.ratings).all()
    assert found.ratings[0] > found.ratings[2]


def test_agents_that_never_met_cannot_be_rated() -> None:
    wins = np.array([rows_of([5, 5]), rows_of([5, 5])])
    with pytest.raises(ValueError, match="never lost"):
        fit_strengths([[0, 1], [2, 3]], wins)


def test_points_are_400_for_odds_of_ten_to_one() -> None:
    assert POINTS * math.log(10) == pytest.approx(400)


def luce_tournament(
    generator: np.random.Generator, ratings: np.ndarray, players: int, deals: int, alike: float
) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """Return lineups and wins of tables that choose by ratings and the luck of the deal.

    Winners by rating plus Gumbel luck are those of Luce's model. A part of the deals gives an agent
    the same luck in all rows, so that their rows and tables are not independent.
    """
    lineups = list(itertools.combinations(range(len(ratings)), players))
    wins = np.zeros((len(lineups), deals, players))
    shared = generator.gumbel(size=(deals, len(ratings)))
    is_alike = generator.random(deals) < alike
    for table, lineup in enumerate(lineups):
        for _ in range(players):
            luck = generator.gumbel(size=(deals, len(ratings)))
            luck[is_alike] = shared[is_alike]
            winners = (ratings + luck)[:, lineup].argmax(axis=1)
            wins[table, np.arange(deals), winners] += 1
    return lineups, wins


@pytest.mark.parametrize("players", [2, 3, 5])
def test_known_strengths_are_recovered(players: int) -> None:
    truth = np.array([1.5, 0.5, 0.0, -0.5, -1.5])
    generator = np.random.default_rng(1)
    found = fit_strengths(*luce_tournament(generator, truth, players, 20_000, 0.5))
    assert np.abs((found.ratings - truth) / found.deviations).max() < 3
    assert found.deviations.max() < 0.05


@pytest.mark.parametrize("players", [2, 3])
def test_intervals_hold_the_truth_about_as_often_as_they_say(players: int) -> None:
    truth = np.array([0.9, 0.3, -0.2, -1.0])
    generator = np.random.default_rng(2)
    held, independent = [], []
    for _ in range(300):
        lineups, wins = luce_tournament(generator, truth, players, 150, 0.6)
        found = fit_strengths(lineups, wins)
        held.append(np.abs(found.ratings - truth) <= 1.96 * found.deviations)
        naive = fit_strengths(lineups, _each_row_alone(wins))
        independent.append(np.abs(naive.ratings - truth) <= 1.96 * naive.deviations)
    assert 0.93 <= np.mean(held) <= 0.97
    assert np.mean(independent) < 0.88


def _each_row_alone(wins: np.ndarray) -> np.ndarray:
    """Return the rows of all tables with a deal each, as though they were independent."""
    tables, _, players = wins.shape
    rows = [rows_of(of_table.sum(axis=0).astype(int).tolist()) for of_table in wins]
    apart = np.zeros((tables, sum(map(len, rows)), players))
    start = 0
    for table, of_table in enumerate(rows):
        apart[table, start : start + len(of_table)] = of_table
        start += len(of_table)
    return apart
