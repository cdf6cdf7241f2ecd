"""From batches to the tables that are drawn and written: what a chart shows is in its table.

Agents that differ are compared by agent. For equal agents a win rate by agent would be one over
the number of players whatever the game is like, so they are compared by seat instead: how much it
helps to start.

All comes of sums (`uno_sim.simulation.sums`), which rows are reduced to where they were kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from experiments.bins import Bins, even_bins, growing_bins
from experiments.matches import Match, check_distinct, seat_names
from uno_sim.simulation.row_values import ROWS, Number
from uno_sim.simulation.sums import Histogram, Sums
from uno_sim.statistics import Ratio, mean_of_ratio, share_of_ratio

TURNS: Number = ("turns", 0)


def win_rates(matches: Sequence[Match]) -> pd.DataFrame:
    """Return how often each agent won, or each seat where the agents are equal.

    A row a match, unit (`rounds` or `games`) and agent or seat. Columns: `game`, `match`,
    `players`, `unit`, `by` (`agent` or `seat`), `name`, `deals`, `played`, `without_winner`,
    `wins`, `win_rate`, `low`, `high` (`statistics.share_by_deal`), `even` (one over the players).
    The seat of a whole game is that of its first round.
    """
    check_distinct(matches)
    rows = []
    for match in matches:
        name_of = seat_names(match.rules, match.num_players) if match.equal else match.names
        number = "places" if match.equal else "wins"
        for unit, sums in (("rounds", match.round_sums), ("games", match.game_sums)):
            if sums is None:
                continue
            played = sums.total(ROWS)
            wins = [sums.total((number, place)) for place in range(match.num_players)]
            for place, name in enumerate(name_of):
                share, low, high = share_of_ratio(sums.ratio((number, place), ROWS))
                rows.append(
                    {
                        **_match_columns(match),
                        "unit": unit,
                        "by": "seat" if match.equal else "agent",
                        "name": name,
                        "deals": sums.deals(ROWS),
                        "played": played,
                        "without_winner": played - sum(wins),
                        "wins": wins[place],
                        "win_rate": share,
                        "low": low,
                        "high": high,
                        "even": 1 / match.num_players,
                    }
                )
    return pd.DataFrame(rows)


def round_points(matches: Sequence[Match]) -> pd.DataFrame:
    """Return the distribution of the points that an agent scored in the rounds it scored in.

    Agents that are the same are taken together. Columns: those of every distribution
    (`_distribution`), with `scorer` (who scores: `winner`, `loser`), `rounds`, `played` (times the
    agents that are taken together), `scored` (in how many of these any points were scored), `mean`
    with `mean_low`, `mean_high` (of all rounds), and `mean_scored` with its ends.
    """
    check_distinct(matches)
    series = []
    for match in matches:
        sums = match.round_sums
        for place, (name, _) in enumerate(match.groups):
            points, scored = ("group_points", place), ("group_scored", place)
            plays = "group_plays", place
            columns = {
                "scorer": match.rules.scorer,
                "rounds": sums.total(ROWS),
                "played": sums.total(plays),
                "scored": sums.total(scored),
                **_mean_columns("mean", sums.ratio(points, plays)),
                **_mean_columns("mean_scored", sums.ratio(points, scored)),
            }
            series.append(_Series(match, name, sums, points, columns))
    return _distribution(series, start=1)


def final_scores(matches: Sequence[Match]) -> pd.DataFrame:
    """Return the distribution of final totals, by agent; of equal agents, of winner and others.

    Agents that are the same are taken together. Columns: those of every distribution
    (`_distribution`), with `by` (`agent` or `outcome`), `scorer`, `target`, `games`, and `mean`
    with `mean_low`, `mean_high`. No rows where no whole games were played.
    """
    check_distinct(matches)
    series = []
    for match in matches:
        sums = match.game_sums
        if sums is None:
            continue
        names = [name for name, _ in match.groups]
        score, trials = "group_score", "group_plays"
        if match.equal:
            names = ["winner", "loser" if match.num_players == 2 else "others"]
            score, trials = "outcome_score", "outcome_rows"
        for place, name in enumerate(names):
            columns = {
                "by": "outcome" if match.equal else "agent",
                "scorer": match.rules.scorer,
                "target": match.rules.target,
                "games": sums.total(ROWS),
                **_mean_columns("mean", sums.ratio((score, place), (trials, place))),
            }
            series.append(_Series(match, name, sums, (score, place), columns))
    return _distribution(series, start=0)


def round_lengths(matches: Sequence[Match]) -> pd.DataFrame:
    """Return the distribution of the number of turns of a round, a series a match.

    Columns: those of every distribution (`_distribution`), with `rounds`, `mean` with `mean_low`,
    `mean_high`, `median`, `longest`, `mean_decisions`, and how many were `blocked` and `capped`.
    """
    check_distinct(matches)
    series = []
    for match in matches:
        sums = match.round_sums
        turns, rounds = sums.histogram(TURNS), sums.total(ROWS)
        columns = {
            "rounds": rounds,
            **_mean_columns("mean", sums.ratio(TURNS, ROWS)),
            "median": turns.quantile(0.5),
            "longest": int(turns.values[-1]),
            "mean_decisions": sums.total(("decisions", 0)) / rounds,
            "blocked": sums.total(("blocked", 0)),
            "capped": sums.total(("capped", 0)),
        }
        series.append(_Series(match, match.title, sums, TURNS, columns))
    return _distribution(series, start=1)


_NO_ROWS = ["game", "match", "players", "name", "lower", "upper", "count", "share", "low", "high"]


@dataclass(frozen=True)
class _Series:
    """A number whose values are counted in bins, and what else its rows say."""

    match: Match
    name: str
    sums: Sums
    number: Number
    columns: dict[str, Any]


def _distribution(series: Sequence[_Series], start: int) -> pd.DataFrame:
    """Return the share of each bin of each series, in bins that the series of a game share.

    Columns: `game`, `match`, `players`, `name`, `lower` and `upper` (the whole numbers that a bin
    begins and ends with), `beyond` (whether it only gathers what lies beyond the chart), `count`,
    `share`, `low`, `high`, and the columns of the series, the same in each of its rows.
    """
    rows: list[dict[str, Any]] = []
    for game in dict.fromkeys(one.match.game for one in series):
        of_game = [one for one in series if one.match.game == game]
        target = of_game[0].columns.get("target")
        met = [one.sums.histogram(one.number).above(start) for one in of_game]
        bins = _shared_bins(met, start, target)
        for one, histogram in zip(of_game, met, strict=True):
            for place, (lower, upper) in enumerate(bins.ranges()):
                beyond = bins.is_beyond(place)
                ratio = one.sums.share_in(one.number, lower, None if beyond else upper)
                share, low, high = share_of_ratio(ratio)
                rows.append(
                    {
                        **_match_columns(one.match),
                        "name": one.name,
                        "lower": lower,
                        "upper": upper,
                        "beyond": beyond,
                        "count": histogram.between(lower, upper),
                        "share": share,
                        "low": low,
                        "high": high,
                        **one.columns,
                    }
                )
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=_NO_ROWS)


def _shared_bins(met: list[Histogram], start: int, edge: int | None) -> Bins:
    """Return bins for several series: of one width, or growing where their scales differ much.

    Growing bins need values from 1 on, and cannot begin one at an `edge`.
    """
    filled = [one for one in met if one.size]
    if not filled:
        return even_bins(start, start, start, 1)
    top = max(int(one.quantile(0.99)) for one in filled)
    largest = max(int(one.values[-1]) for one in filled)
    smallest_median = min(one.quantile(0.5) for one in filled)
    if start == 1 and edge is None and top > 20 * smallest_median:
        return growing_bins(largest)
    most = 2 * max(one.size for one in filled) ** (1 / 3)  # the rule of Rice
    return even_bins(start, top, largest, most, edge)


def _match_columns(match: Match) -> dict[str, Any]:
    return {"game": match.game, "match": match.title, "players": match.num_players}


def _mean_columns(name: str, ratio: Ratio) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), mean_of_ratio(ratio), strict=True))
