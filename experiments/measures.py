"""From batches to the tables that are drawn and written: what a chart shows is in its table.

Agents that differ are compared by agent. For equal agents a win rate by agent would be one over
the number of players whatever the game is like, so they are compared by seat instead: how much it
helps to start.

Shapes: `[N]` rows, `[P]` players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from experiments.bins import Bins, even_bins, growing_bins
from experiments.matches import Match, check_distinct, seat_names
from uno_sim import Results
from uno_sim.statistics import Array, mean_by_deal, share_by_deal, totals_by_deal


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
        for unit, results, frame in _units(match):
            winners = _winning_places(match, results, unit, frame)
            names = seat_names(match.rules, match.num_players) if match.equal else match.names
            deals = frame["deal"].to_numpy()
            trials = np.bincount(deals)
            for place, name in enumerate(names):
                hits = totals_by_deal(deals, winners == place)
                share, low, high = share_by_deal(hits, trials)
                rows.append(
                    {
                        **_match_columns(match),
                        "unit": unit,
                        "by": "seat" if match.equal else "agent",
                        "name": name,
                        "deals": len(trials),
                        "played": len(frame),
                        "without_winner": int((winners < 0).sum()),
                        "wins": int(hits.sum()),
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
        results, frame = match.round_rows
        deals = frame["deal"].to_numpy()
        points = results.by_agent(frame, "points_")
        for name, members in match.groups:
            deal_of = np.repeat(deals, len(members))
            values = points[:, members].ravel()
            scored = values > 0
            trials, sums = np.bincount(deal_of), totals_by_deal(deal_of, values)
            columns = {
                "scorer": match.rules.scorer,
                "rounds": len(frame),
                "played": len(values),
                "scored": int(scored.sum()),
                **_interval_columns("mean", mean_by_deal(sums, trials)),
                **_interval_columns(
                    "mean_scored", mean_by_deal(sums, totals_by_deal(deal_of, scored))
                ),
            }
            series.append(_Series(match, name, values[scored], deal_of[scored], columns))
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
        if match.games is None:
            continue
        frame = match.games.games
        deals = frame["deal"].to_numpy()
        scores = match.games.by_agent(frame, "score_")
        named = [(name, scores[:, members]) for name, members in match.groups]
        if match.equal:
            winner = frame["winner_index"].to_numpy()[:, None]
            won = np.arange(match.num_players) == winner
            others = scores[~won].reshape(len(frame), -1)
            named = [("winner", scores[won][:, None]), (_others(match.num_players), others)]
        for name, values in named:
            deal_of = np.repeat(deals, values.shape[1])
            means = mean_by_deal(totals_by_deal(deal_of, values.ravel()), np.bincount(deal_of))
            columns = {
                "by": "outcome" if match.equal else "agent",
                "scorer": match.rules.scorer,
                "target": match.rules.target,
                "games": len(frame),
                **_interval_columns("mean", means),
            }
            series.append(_Series(match, name, values.ravel(), deal_of, columns))
    return _distribution(series, start=0)


def round_lengths(matches: Sequence[Match]) -> pd.DataFrame:
    """Return the distribution of the number of turns of a round, a series a match.

    Columns: those of every distribution (`_distribution`), with `rounds`, `mean` with `mean_low`,
    `mean_high`, `median`, `longest`, `mean_decisions`, and how many were `blocked` and `capped`.
    """
    check_distinct(matches)
    series = []
    for match in matches:
        _, frame = match.round_rows
        deals, turns = frame["deal"].to_numpy(), frame["turns"].to_numpy()
        means = mean_by_deal(totals_by_deal(deals, turns), np.bincount(deals))
        columns = {
            "rounds": len(frame),
            **_interval_columns("mean", means),
            "median": float(np.median(turns)),
            "longest": int(turns.max()),
            "mean_decisions": float(frame["decisions"].mean()),
            "blocked": int(frame["blocked"].sum()),
            "capped": int(frame["capped"].sum()),
        }
        series.append(_Series(match, match.title, turns, deals, columns))
    return _distribution(series, start=1)


_NO_ROWS = ["game", "match", "players", "name", "lower", "upper", "count", "share", "low", "high"]


@dataclass(frozen=True)
class _Series:
    """Values to be counted in bins, with the deal of each, and what else its rows say."""

    match: Match
    name: str
    values: Array
    deals: Array
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
        bins = _shared_bins([one.values for one in of_game], start, target)
        for one in of_game:
            trials = np.bincount(one.deals)
            places = bins.places(one.values)
            for place, (lower, upper) in enumerate(bins.ranges()):
                hits = totals_by_deal(one.deals, places == place)
                share, low, high = share_by_deal(hits, trials)
                rows.append(
                    {
                        **_match_columns(one.match),
                        "name": one.name,
                        "lower": lower,
                        "upper": upper,
                        "beyond": bins.is_beyond(place),
                        "count": int(hits.sum()),
                        "share": share,
                        "low": low,
                        "high": high,
                        **one.columns,
                    }
                )
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=_NO_ROWS)


def _shared_bins(values: list[Array], start: int, edge: int | None) -> Bins:
    """Return bins for several series: of one width, or growing where their scales differ much.

    Growing bins need values from 1 on, and cannot begin one at an `edge`.
    """
    filled = [one for one in values if len(one)]
    if not filled:
        return even_bins(start, start, start, 1)
    top = max(int(np.quantile(one, 0.99)) for one in filled)
    largest = max(int(one.max()) for one in filled)
    smallest_median = min(float(np.median(one)) for one in filled)
    if start == 1 and edge is None and top > 20 * smallest_median:
        return growing_bins(largest)
    most = 2 * max(len(one) for one in filled) ** (1 / 3)  # the rule of Rice
    return even_bins(start, top, largest, most, edge)


def _units(match: Match) -> Iterator[tuple[str, Results, pd.DataFrame]]:
    yield ("rounds", *match.round_rows)
    if match.games is not None:
        yield "games", match.games, match.games.games


def _winning_places(match: Match, results: Results, unit: str, frame: pd.DataFrame) -> Array:
    """Return who won each row, int `[N]`: the agent, or the place from the starter; -1 for none."""
    if not match.equal:
        return frame["winner_index"].to_numpy()
    if unit == "games":
        openings = results.rounds[results.rounds["round"] == 1]
        openings = openings[["deal", "rotation", "first"]]
        frame = frame.merge(openings, on=["deal", "rotation"], validate="one_to_one")
    winner = frame["winner"].to_numpy()
    places = (winner - frame["first"].to_numpy() - 1) % match.num_players
    return np.where(winner < 0, -1, places)


def _others(num_players: int) -> str:
    return "loser" if num_players == 2 else "others"


def _match_columns(match: Match) -> dict[str, Any]:
    return {"game": match.game, "match": match.title, "players": match.num_players}


def _interval_columns(name: str, interval: tuple[float, ...]) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), interval, strict=True))
