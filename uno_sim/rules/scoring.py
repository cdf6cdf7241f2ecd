"""The end of a round, its scores, and the end of the game (C5, C12, C14, D11, D12, P9, P10)."""

from __future__ import annotations

from typing import Any

from uno_sim.compilation import compiled
from uno_sim.rule_set import LOSER_SCORES
from uno_sim.rules.hands import hand_points
from uno_sim.state import NO_SEAT, Phase

GAME_OVER = int(Phase.GAME_OVER)
ROUND_OVER = int(Phase.ROUND_OVER)


@compiled
def end_won_round(state: Any, rules: Any, winner: Any) -> None:
    """End the round that `winner` went out of, and score it (C5).

    The others score their own hands (D11), or the winner scores all of them (P9).
    """
    state.round_winner = winner
    for player in range(state.num_players):
        points = hand_points(state, rules, player)
        if rules.scorer == LOSER_SCORES:
            state.points[player] = points
        else:
            state.points[winner] += points
    finish_round(state, rules)


@compiled(apart=True)
def end_blocked_round(state: Any, rules: Any) -> None:
    """End a round in which nobody can draw or wants to lay (C12); it has no winner.

    Each scores the own hand (D12), or the one lowest hand scores the others' (P10).
    """
    state.blocked = True
    lowest_player = NO_SEAT
    lowest_points = 0
    total = 0
    for player in range(state.num_players):
        points = hand_points(state, rules, player)
        total += points
        if rules.scorer == LOSER_SCORES:
            state.points[player] = points
        if player == 0 or points < lowest_points:
            lowest_points = points
            lowest_player = player
        elif points == lowest_points:
            lowest_player = NO_SEAT
    if rules.scorer != LOSER_SCORES and lowest_player != NO_SEAT:
        state.points[lowest_player] = total - lowest_points
    finish_round(state, rules)


@compiled(apart=True)
def end_capped_round(state: Any, rules: Any) -> None:
    """End a round that takes too many turns (C12): no winner, no points."""
    state.capped = True
    finish_round(state, rules)


@compiled
def finish_round(state: Any, rules: Any) -> None:
    """Add the points to the totals, and end the game where one has reached the target (C14)."""
    reached = False
    for player in range(state.num_players):
        state.scores[player] += state.points[player]
        reached |= state.scores[player] >= rules.target
    state.winner = leading_player(state, rules) if reached else NO_SEAT
    state.phase = GAME_OVER if state.winner != NO_SEAT else ROUND_OVER
    state.current_player = NO_SEAT


@compiled
def leading_player(state: Any, rules: Any) -> Any:
    """Return the one seat with the lowest total (D1) or the highest (P1).

    `NO_SEAT` where several share it: another round is played then (D12).
    """
    sign = -1 if rules.scorer == LOSER_SCORES else 1
    leader = 0
    tied = False
    for player in range(1, state.num_players):
        lead = sign * (state.scores[player] - state.scores[leader])
        if lead > 0:
            leader = player
            tied = False
        elif lead == 0:
            tied = True
    return NO_SEAT if tied else leader


@compiled
def lead_in_points(state: Any, rules: Any, player: Any) -> Any:
    """Return what a player scored in a round, less what the others did on average.

    Where low scores win (D11) the sign is turned, so that more is better.
    """
    others = 0
    for seat in range(state.num_players):
        others += state.points[seat] if seat != player else 0
    lead = state.points[player] - others / (state.num_players - 1)
    return -lead if rules.scorer == LOSER_SCORES else lead
