"""`evaluate`: how an agent does against others, one after another."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from uno_sim.registry import AgentLike, make_agent
from uno_sim.rule_set import UNO_DUO, RuleSet, check_rule_set
from uno_sim.simulation.batches import play_plan
from uno_sim.simulation.plan import make_plan

ROUNDS = 10_000
"""How many rounds are played against each opponent, or a few more so that all seats are equal."""


def evaluate(
    agent: AgentLike,
    against: Sequence[AgentLike] = ("random", "greedy"),
    *,
    rules: RuleSet = UNO_DUO,
    num_players: int | None = None,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int = 1,
    executor: str = "local",
    progress: bool = False,
) -> pd.DataFrame:
    """Return how often an agent wins against each of some others, a row an opponent.

    Each is a `simulate` of its own, on the same deals: the opponent takes all other seats, and
    every deal is played from every seat. Columns: `agent`, `opponent`, `players`, then those of
    `Results.summary` (`rounds` or `games`, `wins`, `win_rate` and its interval, mean points or
    score and its interval), and `even`, the win rate of equal agents. `workers`, `executor` and
    `progress` are those of `simulate`, and so is what is raised.
    """
    if isinstance(against, str):
        raise ValueError(f"against={against!r}: must be a list of agents")
    check_rule_set(rules)
    players = rules.min_players if num_players is None else num_players
    rules.check_players(players)
    if rounds is None and games is None:
        rounds = -(-ROUNDS // players) * players
    evaluated = make_agent(agent)
    rows = []
    for given in against:
        opponent = make_agent(given)
        plan = make_plan(
            rules,
            [evaluated, *[opponent] * (players - 1)],
            games=games,
            rounds=rounds,
            seed=seed,
            sent_as=[agent, *[given] * (players - 1)],
        )
        results = play_plan(plan, workers=workers, executor=executor, progress=progress)
        summary = results.summary(confidence).iloc[0]
        rows.append(
            {
                "agent": evaluated.name,
                "opponent": opponent.name,
                "players": players,
                **summary.drop("agent"),
                "even": 1 / players,
            }
        )
    return pd.DataFrame(rows)
