"""What wild draws were laid in many rounds, whether by guilty hands, and what each answer cost.

A row a wild draw that could be challenged. The question is settled in several ways, all in the same
world with the same random numbers, and the round played on; see `SETTLEMENTS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from agents.challenger import bounded_size, offender_history
from experiments.situations import Tables
from uno_sim.actions import TAKE
from uno_sim.cards import NO_CARD
from uno_sim.compilation import compiled
from uno_sim.policies import CompiledAgent
from uno_sim.rule_set import RuleSet
from uno_sim.rules.challenge import is_guilty
from uno_sim.rules.legal import CHALLENGE, write_legal
from uno_sim.rules.piles import draw_cards
from uno_sim.rules.turn_order import begin_turn, next_player

ROUNDS_AT_ONCE = 10_000

SETTLEMENTS = ("take", "won", "lost", "spared", "offender_draws", "victim_moves")
"""The ways: take the cards; the challenge succeeds; it fails. And, for a formula, `take` with one
thing changed: the victim draws nothing; the offender draws as many too; the victim moves next."""


@compiled
def settle(
    rules: Any, states: Any, victim_draws: Any, offender_draws: Any, victim_moves: Any
) -> None:
    """End the question of a wild draw in each state so, whoever is guilty."""
    for g in range(len(states)):
        state = states[g]
        victim, offender = state.current_player, state.actor
        state.judged_card[offender] = NO_CARD
        state.judged_apart = False
        state.judged_shown = NO_CARD
        draw_cards(state, rules, offender, offender_draws)
        draw_cards(state, rules, victim, victim_draws)
        state.pending = 0
        begin_turn(state, rules, victim if victim_moves else next_player(state, victim))
        write_legal(state, rules)


@compiled
def describe(rules: Any, states: Any, described: Any) -> None:
    """Write a row a state: guilt, history, the sizes of the offender's hand and of the own."""
    for g in range(len(states)):
        state = states[g]
        described[g, 0] = is_guilty(state, rules, state.actor)
        described[g, 1] = offender_history(state)
        described[g, 2] = bounded_size(state, state.actor)
        described[g, 3] = bounded_size(state, state.current_player)


def draws(rules: RuleSet) -> dict[str, tuple[int, int, bool]]:
    """Return of each settlement: cards of the victim, of the offender, whether the victim moves."""
    penalty = rules.wild_draw_penalty
    return {
        "take": (penalty, 0, False),
        "won": (0, penalty, True),
        "lost": (penalty + rules.failed_challenge_extra, 0, False),
        "spared": (0, 0, False),
        "offender_draws": (penalty, penalty, False),
        "victim_moves": (penalty, 0, True),
    }


def wild_draws(
    rules: RuleSet, agents: list[CompiledAgent], rounds: int, seed: int
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield how many rounds were played, and a frame of the wild draws that the first agent faced.

    Columns: `deal`, `guilty`, `history` (a place in `challenger.HISTORIES`), `offender` and `own`
    (hand sizes), and a column each of `SETTLEMENTS`: what the round was worth to the first agent.
    It takes them all, so that later ones of the round follow from that.
    """
    players = len(agents)
    deals = rounds // players
    at_once = max(1, ROUNDS_AT_ONCE // players)
    for start in range(0, deals, at_once):
        chunk = np.arange(start, min(start + at_once, deals))
        tables = Tables.deal(rules, agents, seed, chunk)
        of_deal = np.repeat(chunk, players)
        frames = [_frame(tables.take(np.arange(0)), of_deal[:0])]
        while len(waiting := tables.play_to(CHALLENGE)):
            tables, of_deal = tables.take(waiting), of_deal[waiting]
            frames.append(_frame(tables, of_deal))
            tables.answer(np.full(len(waiting), TAKE))
        yield len(chunk) * players, pd.concat(frames, ignore_index=True)


def _frame(tables: Tables, deals: Any) -> pd.DataFrame:
    """Return the rows of tables that all wait for an answer to a wild draw."""
    games = np.arange(len(deals))
    described = np.zeros((len(deals), 4), np.int64)
    describe(tables.rules.record, tables.states, described)
    columns: dict[str, Any] = {
        "deal": deals,
        "guilty": described[:, 0].astype(bool),
        **dict(zip(("history", "offender", "own"), described.T[1:], strict=True)),
    }
    victims = tables.states.current_player.astype(np.int64)
    for name, (victim, offender, moves) in draws(tables.rules).items():
        copies = tables.take(games)
        settle(tables.rules.record, copies.states, victim, offender, moves)
        columns[name] = copies.finish()[games, victims]
    return pd.DataFrame(columns)
