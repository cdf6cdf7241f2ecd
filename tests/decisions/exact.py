"""The worth of each action by enumeration: every order of the cards that a player does not know."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from uno_sim import UNO_DUO, Game, RuleSet, make_agent, new_stream

GREEDY = make_agent("greedy")


def position(
    hand: str, other: str, pile: str, discard: str = "R5", rules: RuleSet = UNO_DUO
) -> Game:
    """Return a position with seat 0 to move; seat 0 knows neither `other` nor `pile`."""
    return Game.from_position(rules, f"hands: {hand} | {other}\ndiscard: {discard}\ndraw: {pile}")


def exact_values(hand: str, other: str, pile: str, **more: str) -> dict[str, tuple[float, float]]:
    """Return points and chance to win of each action of seat 0, over all orders of hidden cards."""
    hidden, held = [*other.split(), *pile.split()], len(other.split())
    names = position(hand, other, pile, **more).legal_names()
    values: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for order in permutations(hidden):
        dealt = position(hand, " ".join(order[:held]), " ".join(order[held:]), **more)
        for name in names:
            values[name].append(outcome(dealt.clone(), name))
    means = {name: np.mean(played, axis=0) for name, played in values.items()}
    return {name: (float(mean[0]), float(mean[1])) for name, mean in means.items()}


def outcome(game: Game, action: str) -> tuple[float, float]:
    """Return the reward in points of seat 0 and whether it wins, with `greedy` after an action."""
    game.step(action)
    random = new_stream(0)
    while game.current_player is not None:
        game.step(GREEDY.choose(game.observation(game.current_player), random))
    points = game.state.points
    return float(points[1] - points[0]), float(game.round_winner == 0)
