"""What a table says, in a sentence: the titles of the charts, and numbers as text."""

from __future__ import annotations

import math

import pandas as pd


def percent(share: float) -> str:
    """Return a share as text; 0% and 100% only where it is exactly so.

    >>> percent(0.98335), percent(1.0), percent(0.99996), percent(0.0001)
    ('98.3%', '100%', '>99.9%', '<0.1%')
    """
    if share in (0, 1):
        return f"{share:.0%}"
    if share > 0.9995:
        return ">99.9%"
    if share < 0.0005:
        return "<0.1%"
    return f"{share:.1%}"


def count(value: float, what: str) -> str:
    """Return a count with its noun, which ends in s.

    >>> count(12000, "rounds"), count(1, "rounds")
    ('12,000 rounds', '1 round')
    """
    return f"{int(value):,} {what if value != 1 else what.removesuffix('s')}"


def number(value: float) -> str:
    """Return a mean as text, with one decimal, two below 10.

    >>> number(53.148), number(0.4225), number(1234.56), number(0.0)
    ('53.1', '0.42', '1,234.6', '0')
    """
    return f"{value:,.{2 if abs(value) < 10 else 1}f}" if value else "0"


def mean(value: float, low: float, high: float) -> str:
    """Return a mean with its interval, if it has one: a single value, or equal ones, give none.

    >>> mean(53.148, 52.96, 53.34), mean(53.148, math.nan, math.nan)
    ('53.1 (53.0 to 53.3)', '53.1')
    """
    if math.isnan(low) or low == high:
        return number(value)
    return f"{number(value)} ({number(low)} to {number(high)})"


def rate(share: float, low: float, high: float) -> str:
    """Return a share with its interval.

    >>> rate(0.98335, 0.9826, 0.9840)
    '98.3% (98.3% to 98.4%)'
    """
    return f"{percent(share)} ({percent(low)} to {percent(high)})"


def who_wins(table: pd.DataFrame) -> str:
    """Say who wins, from the rows of `measures.win_rates` of one match.

    It is the agent that wins most, or of two equal agents the starter. A rate whose interval holds
    the even share is not resolved.
    """
    rows = table[table["unit"] == table["unit"].iloc[0]]
    by_seat = rows["by"].iloc[0] == "seat"
    two = len(rows) == 2
    best = rows.iloc[0] if by_seat and two else rows.loc[rows["win_rate"].idxmax()]
    rates, resolved = [], []
    for row in table[table["name"] == best["name"]].itertuples():
        resolved.append(not row.low <= row.even <= row.high)
        rates.append(f"{percent(row.win_rate)} of {row.unit}")
    if any(resolved):
        marks = ["" if one else " (not resolved)" for one in resolved]
        rates = [rate + mark for rate, mark in zip(rates, marks, strict=True)]
    name = f"the {best['name']}" if by_seat else best["name"]
    said = f"{name} wins {'' if two else 'most, '}{' and '.join(rates)}"
    if not any(resolved):
        what = "advantage of a seat" if by_seat else "difference"
        return f"No {what} resolved: {said}"
    return _sentence(said) if by_seat else said


def who_scores(table: pd.DataFrame) -> str:
    """Say who scores how much, from the rows of `measures.round_points` of one match."""
    series = table.drop_duplicates("name")
    against = series["scorer"].iloc[0] == "loser"
    if len(series) == 1:
        value = series["mean_scored"].iloc[0]
        if math.isnan(value):
            return "Nobody scored in any round"
        return f"A {'lost round costs' if against else 'won round earns'} {number(value)} points"
    verb = "takes" if against else "earns"
    return _most_and_least(series, f"{verb}{{}} {{}} points a round")


def final_totals(table: pd.DataFrame) -> str:
    """Say with what totals games end, from the rows of `measures.final_scores` of one match."""
    series = table.drop_duplicates("name")
    if series["by"].iloc[0] == "outcome":
        winner, others = (series.iloc[place] for place in (0, 1))
        return (
            f"The winner ends with {number(winner['mean'])} points on average, "
            f"the {others['name']} with {number(others['mean'])}"
        )
    return _most_and_least(series, "ends with{} {} points on average")


def how_long(table: pd.DataFrame) -> str:
    """Say how long rounds are, from the rows of `measures.round_lengths` of one game."""
    series = table.drop_duplicates("match").sort_values("median", kind="stable")
    first, last = series.iloc[0], series.iloc[-1]
    if first["median"] == last["median"]:
        return f"Half of the rounds are over within {first['median']:.0f} turns"
    return (
        f"Half of the rounds are over within {first['median']:.0f} turns ({first['match']}) "
        f"{'and' if len(series) == 2 else 'to'} {last['median']:.0f} ({last['match']})"
    )


def _most_and_least(series: pd.DataFrame, phrase: str) -> str:
    """Compare the highest with the lowest mean, and say so where their intervals overlap."""
    ordered = series.sort_values("mean", ascending=False, kind="stable")
    most, least = ordered.iloc[0], ordered.iloc[-1]
    highest, lowest = number(most["mean"]), number(least["mean"])
    if len(series) == 2:
        said = f"{most['name']} {phrase.format('', highest)}, {least['name']} {lowest}"
    else:
        said = f"{most['name']} {phrase.format(' most,', highest)}; {least['name']} least, {lowest}"
    resolved = most["mean_low"] > least["mean_high"]
    return said if resolved else f"No difference resolved: {said}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
