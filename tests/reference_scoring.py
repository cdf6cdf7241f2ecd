"""Points and the winner of a game, for the reference model."""

from typing import Any

from tests.reference_cards import KIND


def round_scores(
    rules: Any, hands: list[list[str]], went_out: int | None, blocked: bool
) -> list[int]:
    """What a finished round adds to each total.

    Either everyone scores the own hand, which is empty for who went out (D11, D12). Or who went out
    scores the others' hands (P9); in a blocked round the one hand lowest in points does, and a tie
    for the lowest scores nobody (P10).
    """
    points = [sum(int(rules.card_values[KIND[card]]) for card in hand) for hand in hands]
    if rules.scorer == "loser":
        return points
    scorer = went_out
    if blocked and points.count(min(points)) == 1:
        scorer = points.index(min(points))
    return [sum(points) - points[seat] if seat == scorer else 0 for seat in range(len(hands))]


def game_winner(rules: Any, totals: list[int]) -> int | None:
    """Who has won, once a total has reached the target (C14, D1, P1).

    None while the winning place is shared: then another round is played (D12).
    """
    if max(totals) < rules.target:
        return None
    best = min(totals) if rules.scorer == "loser" else max(totals)
    return totals.index(best) if totals.count(best) == 1 else None
