"""A hint: what each legal action is worth, as far as the asked player can know."""

from __future__ import annotations

from experiments.findings import percent
from experiments.play_screen import wrapped
from uno_sim import Observation
from uno_sim.decisions.analysis import evaluate_actions

POLICY = "greedy"
"""Who plays on in the worlds that are imagined."""


def hint(observation: Observation, worlds: int, games: bool) -> list[str]:
    """Return the actions as lines of a table, the best one first.

    `games` says whether the chance to win the game is wanted. The worlds differ from decision to
    decision, by what everybody has seen: a number of all actions would tell of hidden ones.
    """
    seed = observation.round_number << 32 | int(observation.record.num_events)
    table = evaluate_actions(observation, POLICY, worlds, seed, games=games)
    lines = [_row("action", ["points", "", "win round", "", "win game", ""][: 6 if games else 4])]
    for row in table.to_dict("records"):
        cells = [f"{row['points']:+.1f}", f"({row['points_se']:.1f})"]
        for name in ("win", "game") if games else ("win",):
            cells += [percent(round(row[name], 9)), f"({100 * row[f'{name}_se']:.1f})"]
        lines.append(_row(row["action"], cells))
    return lines


def meaning(worlds: int) -> list[str]:
    """Return what the numbers of a hint are, as lines."""
    return wrapped(
        f"From {worlds:,} deals that fit what you know, each played on by {POLICY} in all seats. "
        "Points are those by which you are better off than the others in this round; in brackets "
        "standard errors."
    )


def _row(first: str, cells: list[str]) -> str:
    widths = (8, 7, 11, 7, 11, 7)
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=False))
    return f"  {first:<10}{''.join(padded)}".rstrip()
