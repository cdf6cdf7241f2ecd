"""Ratings: how strong agents are, on one scale, from who won at which table.

The model is Luce's choice: at a table an agent wins with the probability `s_i / sum(s)` over the
strengths of all who sit there. For two it is the model of Bradley and Terry (Biometrika 39, 1952).
A rating is the logarithm of a strength; the mean rating is 0.

Ratings are fitted by maximum likelihood. Their covariance has the deal as the unit: the rows of a
deal, from all seats and at all tables, are one observation (the "sandwich" of cluster-robust
standard errors), since they are not independent and the model holds for each only on average.

Shapes: `[A]` agents, `[T]` tables, `[P]` players of a table, `[D]` deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

POINTS = 400 / math.log(10)
"""Elo-like points for a difference of 1 in rating: 400 points are odds of ten to one."""

PRIOR = 0.5
"""How many wins each agent is given at each table beside its own.

With it an agent that never lost has a finite rating. For two agents it is the correction of Haldane
and Anscombe, which takes most of the bias of small samples away.
"""

DEALS_AT_ONCE = 1 << 16
"""How many deals are looked at together, so that memory does not grow with all."""

_MOST_STEPS = 200


@dataclass(frozen=True)
class Strengths:
    """Fitted ratings: logarithms of strengths, mean 0."""

    ratings: Array
    """`[A]`"""
    covariance: Array
    """Between deals, `[A, A]`."""

    @property
    def deviations(self) -> Array:
        """The standard error of each rating, `[A]`."""
        return np.sqrt(np.diagonal(self.covariance))


def fit_strengths(lineups: Any, wins: Any, prior: float = PRIOR, nobody: Any = None) -> Strengths:
    """Return the ratings of the agents that won `wins` rows.

    `lineups` `[T, P]` are the agents of each table, as numbers from 0 without a gap; `wins` has of
    each table an array `[D, P]`, how many rows of each deal each of them won; `nobody` an array
    `[D]`, how many nobody won, which are shared by all at the table. Each agent is given `prior`
    wins more at each table; they enter the covariance as deals of their own, so that the interval
    of an agent that never lost is wide.

    Two agents with 30 and 10 wins have odds of three to one, without a prior:

    >>> found = fit_strengths([[0, 1]], [[[1, 0]] * 30 + [[0, 1]] * 10], prior=0)
    >>> round(float(np.exp(found.ratings[0] - found.ratings[1])), 6)
    3.0

    Raises `ValueError` where there is no largest likelihood: without a prior, where some agents
    never lost to the others, or never met them.
    """
    seats = np.asarray(lineups, np.int64)
    of_tables = [np.asarray(won) for won in wins]
    if nobody is None:
        nobody = [np.zeros(len(won)) for won in of_tables]
    num_agents = int(seats.max()) + 1
    shares = np.array([np.sum(shared) for shared in nobody]) / seats.shape[1]
    totals = np.stack([won.sum(axis=0) for won in of_tables]) + shares[:, None] + prior
    if not _is_connected(seats, totals, num_agents):
        raise ValueError("ratings: some agents never lost to the others; use a prior")
    rows = totals.sum(axis=1)

    ratings = _most_likely(seats, totals, num_agents)
    chances = _chances(ratings, seats)
    meat = _between_deals(seats, of_tables, nobody, chances)
    for agents, of_table in zip(seats, chances, strict=True):
        given = prior * (np.eye(len(agents)) - of_table)
        meat[np.ix_(agents, agents)] += given.T @ given
    bread = np.linalg.inv(_information(seats, rows, chances, num_agents))
    covariance = bread @ meat @ bread
    # The mean rating is 0 and has no variance.
    center = np.eye(num_agents) - 1 / num_agents
    return Strengths(ratings, center @ covariance @ center)


def _between_deals(
    seats: Array, wins: Sequence[Array], nobody: Sequence[Array], chances: Array
) -> Array:
    """Return the sum of the squared slopes of the deals' log likelihoods, `[A, A]`."""
    num_agents, players = int(seats.max()) + 1, seats.shape[1]
    squares = np.zeros((num_agents, num_agents))
    deals = 0
    for start in range(0, len(wins[0]), DEALS_AT_ONCE):
        part = slice(start, start + DEALS_AT_ONCE)
        slopes = np.zeros((len(wins[0][part]), num_agents))
        played = np.zeros(len(slopes))
        for agents, won, shared, of_table in zip(seats, wins, nobody, chances, strict=True):
            of_deals = won[part] + shared[part, None] / players
            rows = of_deals.sum(axis=1)
            slopes[:, agents] += of_deals - rows[:, None] * of_table
            played += rows
        squares += slopes.T @ slopes
        deals += int(np.count_nonzero(played))
    # One degree of freedom went into the mean, as for other means over deals.
    return squares * (deals / max(deals - 1, 1))


def _most_likely(seats: Array, totals: Array, num_agents: int) -> Array:
    """Return the ratings of largest likelihood, by Newton's method with steps halved at need."""
    rows = totals.sum(axis=1)
    ratings = np.zeros(num_agents)
    likelihood = _log_likelihood(ratings, seats, totals)
    rounding = 1e-12 * (1 + abs(likelihood))
    for _ in range(_MOST_STEPS):
        chances = _chances(ratings, seats)
        slope = np.zeros(num_agents)
        np.add.at(slope, seats, totals - rows[:, None] * chances)
        step = np.linalg.solve(_information(seats, rows, chances, num_agents), slope)
        if np.abs(step).max() < 1e-9:
            return ratings + step - (ratings + step).mean()
        while True:
            reached = _log_likelihood(ratings + step, seats, totals)
            if reached >= likelihood - rounding:
                break
            step /= 2
        ratings, likelihood = ratings + step, reached
    raise ValueError("ratings: no largest likelihood was found")


def _chances(ratings: Array, seats: Array) -> Array:
    """Return the probability of each agent of each table to win, `[T, P]`."""
    of_table = ratings[seats]
    strengths = np.exp(of_table - of_table.max(axis=1, keepdims=True))
    chances: Array = strengths / strengths.sum(axis=1, keepdims=True)
    return chances


def _log_likelihood(ratings: Array, seats: Array, totals: Array) -> float:
    of_table = ratings[seats]
    highest = of_table.max(axis=1)
    norms = highest + np.log(np.exp(of_table - highest[:, None]).sum(axis=1))
    return float((totals * (of_table - norms[:, None])).sum())


def _information(seats: Array, rows: Array, chances: Array, num_agents: int) -> Array:
    """Return minus the second derivatives, `[A, A]`, made regular in the direction of the mean."""
    information = np.full((num_agents, num_agents), 1.0)
    for agents, count, of_table in zip(seats, rows, chances, strict=True):
        curvature = np.diag(of_table) - np.outer(of_table, of_table)
        information[np.ix_(agents, agents)] += count * curvature
    return information


def _is_connected(seats: Array, totals: Array, num_agents: int) -> bool:
    """Return whether each agent has beaten each other one, if only by a chain of others."""
    reached = np.eye(num_agents, dtype=bool)
    for agents, wins in zip(seats, totals, strict=True):
        for agent, won in zip(agents, wins, strict=True):
            reached[agent, agents] |= won > 0
    for through in range(num_agents):
        reached |= np.outer(reached[:, through], reached[through])
    return bool(reached.all())
