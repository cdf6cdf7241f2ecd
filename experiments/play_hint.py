"""A hint: what each legal action is worth, as far as the asked player can know."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from experiments.command_line import model_name
from experiments.findings import percent
from experiments.play_screen import wrapped
from uno_sim import Observation
from uno_sim.decisions.analysis import evaluate_actions
from uno_sim.policies import CompiledAgent

POLICY = "greedy"
"""Who plays on in the worlds that are imagined."""


def hint(
    observation: Observation,
    worlds: int,
    games: bool,
    model: Mapping[CompiledAgent, float] | None = None,
) -> list[str]:
    """Return the actions as lines of a table, the best one first.

    `games` says whether the chance to win the game is wanted, `model` how the others play, where
    their choices are to tell of their hands. The worlds differ from decision to
    decision, by what everybody has seen: a number of all actions would tell of hidden ones.
    """
    seed = observation.round_number << 32 | int(observation.record.num_events)
    table = evaluate_actions(observation, POLICY, worlds, seed, games=games, belief=model)
    lines = [_row("action", ["points", "", "win round", "", "win game", ""][: 6 if games else 4])]
    for row in table.to_dict("records"):
        cells = [f"{row['points']:+.1f}", _error(row["points_se"])]
        for name in ("win", "game") if games else ("win",):
            cells += [percent(round(row[name], 9)), _error(100 * row[f"{name}_se"])]
        lines.append(_row(row["action"], cells))
    if model is not None:
        drawn, worth = (table[name].iloc[0] for name in ("worlds", "effective_worlds"))
        lines.append(f"  ({drawn:,.0f} deals, weighed: worth {worth:,.0f} equal ones)")
    return lines


def meaning(worlds: int, model: Mapping[CompiledAgent, float] | None = None) -> list[str]:
    """Return what the numbers of a hint are, as lines."""
    told = "that the others' choices tell nothing of their hands (with --model AGENT they do)"
    deals = f"{worlds:,} deals"
    if model is not None:
        told = f"that the others choose as {model_name(model)} does"
        deals = f"{worlds:,} or more deals"
    return wrapped(
        f"From {deals} that fit what you know, each played on by {POLICY} in all seats. "
        f"It is assumed {told}. Points are those by which you are better off than the others in "
        "this round; in brackets standard errors."
    )


def _error(number: float) -> str:
    """Return a standard error; there is none where few deals fit what the others chose."""
    return "(?)" if np.isnan(number) else f"({number:.1f})"


def _row(first: str, cells: list[str]) -> str:
    widths = (8, 7, 11, 7, 11, 7)
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=False))
    return f"  {first:<10}{''.join(padded)}".rstrip()
