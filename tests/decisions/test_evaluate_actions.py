"""`evaluate_actions` against exact enumeration, and what it may and may not depend on."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from tests.decisions.exact import GREEDY, exact_values, outcome, position
from tests.information.walks import with_exchanged_cards
from tests.policies import lowest_legal
from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    Game,
    IllegalActionError,
    evaluate_actions,
    make_agent,
    new_stream,
    policy,
)

SMALL = {
    "lay or draw": {"hand": "R1 G5 W", "other": "B7 Y2", "pile": "R9 GS"},
    "bluff": {"hand": "RS WD B4", "other": "R8 G2", "pile": "BD R3 W"},
    "dump": {"hand": "RR R3 RS G9", "other": "R7 Y5 W", "pile": "B1 G4"},
}


@pytest.mark.parametrize("name", SMALL)
def test_means_are_those_of_all_orders_of_the_hidden_cards(name):
    exact = exact_values(**SMALL[name])
    table = evaluate_actions(position(**SMALL[name]), worlds=6000, games=False)
    assert sorted(table["action"]) == sorted(exact)
    for row in table.itertuples():
        points, win = exact[row.action]
        assert abs(row.points - points) <= 4.5 * row.points_se + 1e-9
        assert abs(row.win - win) <= 4.5 * row.win_se + 1e-9


@pytest.mark.slow
def test_intervals_of_95_percent_hold_the_exact_value_95_times_of_100():
    situation = SMALL["lay or draw"]
    exact = exact_values(**situation)
    game = position(**situation)
    best = max(exact, key=lambda name: exact[name][0])
    hits: dict[str, list[bool]] = {name: [] for name in exact}
    differences: list[bool] = []
    tables = 400
    for seed in range(tables):
        table = evaluate_actions(game, GREEDY, worlds=100, seed=seed, games=False)
        for row in table.itertuples():
            miss = abs(row.points - exact[row.action][0])
            if row.points_se > 1e-9:  # else it is the same in all worlds
                hits[row.action].append(miss <= 1.96 * row.points_se)
            if table["action"][0] == best and row.difference_high - row.difference_low > 1e-9:
                truth = exact[row.action][0] - exact[best][0]
                differences.append(row.difference_low <= truth <= row.difference_high)
    counted = [found for found in hits.values() if len(found) == tables]
    assert len(counted) >= 3
    spread = 4 * np.sqrt(0.95 * 0.05 / tables)
    for found in counted:
        assert abs(np.mean(found) - 0.95) < spread
    assert len(differences) > 2 * tables
    assert abs(np.mean(differences) - 0.95) < spread


def test_the_game_is_won_with_the_round_where_any_point_ends_it():
    game = Game(replace(UNO_DUO, target=1), seed=24)
    while game.turns < 6:
        game.step(GREEDY.choose(game.observation(game.current_player), new_stream(1)))
    table = evaluate_actions(game, worlds=200)
    assert (abs(table["game"] - table["win"]) < 0.02).all()
    assert 0 < table["game"].max() < 1


def test_a_player_far_behind_rarely_wins_the_game_but_as_often_the_round():
    game = Game.from_position(
        UNO_DUO, "hands: R1 G5 | B7 Y2\ndiscard: R5\ndraw: R9 GS YD\nscores: 190 0"
    )
    even = evaluate_actions(position("R1 G5", "B7 Y2", "R9 GS YD"), worlds=300)
    behind = evaluate_actions(game, worlds=300)
    assert behind["points"].tolist() == even["points"].tolist()
    assert behind["game"].max() < 0.25 < 0.4 < even["game"].min()


def some_games() -> list[Game]:
    """Return positions of both games, in several phases."""
    games = []
    greedy = make_agent("greedy")
    for rules, players, length in ((UNO_DUO, 2, 5), (UNO_DUO, 2, 24), (UNO_POCKET, 3, 7)):
        game = Game(rules, players, seed=length)
        stream = new_stream(1)
        for _ in range(length):
            game.step(greedy.choose(game.observation(game.current_player), stream))
        games.append(game)
    return games


def test_the_same_seed_gives_the_same_table_and_another_one_another():
    for game in some_games():
        table = evaluate_actions(game, worlds=150, seed=3)
        pd.testing.assert_frame_equal(table, evaluate_actions(game, worlds=150, seed=3))
        other = evaluate_actions(game, worlds=150, seed=4)
        assert table["points"].tolist() != other["points"].tolist()


def test_only_the_observation_is_used():
    source = random.Random(5)
    for game in some_games():
        asked = game.current_player
        table = evaluate_actions(game, worlds=100)
        exchanged = with_exchanged_cards(game, asked, source, 8)
        assert exchanged.hands != game.hands or exchanged.draw_pile != game.draw_pile
        impossible = game.clone()
        for seat in range(game.num_players):
            if seat != asked:
                impossible.state.hands[seat] = 0
                impossible.state.hands[seat, 52] = game.hand_sizes[seat]
                impossible.state.held[seat] = 1 << 52
        known = game.state.known_size
        impossible.state.draw_pile[known : game.draw_size] = 0
        for other in (exchanged, impossible, game.observation(asked)):
            pd.testing.assert_frame_equal(table, evaluate_actions(other, worlds=100))


def test_the_best_comes_first_and_differences_are_to_it():
    table = evaluate_actions(some_games()[1], worlds=300)
    assert table["points"].is_monotonic_decreasing
    assert table.loc[0, ["difference", "difference_low", "difference_high"]].tolist() == [0, 0, 0]
    assert np.allclose(table["difference"], table["points"] - table["points"][0])
    assert (table["effective_worlds"].round(6) == 300).all()


def test_each_seat_may_have_a_policy_of_its_own():
    game = some_games()[1]
    alike = evaluate_actions(game, worlds=200, games=False)
    other = evaluate_actions(game, ["greedy", lowest_legal], worlds=200, games=False)
    assert alike["points"].tolist() != other["points"].tolist()


class OnlyReds:
    """Believes in worlds in which the other hand has a red card."""

    def log_weights(self, observation, worlds):
        reds = worlds.hands[:, 1 - observation.player, :13].sum(axis=1)
        return np.where(reds > 0, 0.0, -np.inf)


def test_a_belief_weighs_the_worlds():
    game = position("R1 G5", "B7 Y2", "R9 GS")
    table = evaluate_actions(game, worlds=4000, games=False, belief=OnlyReds())
    share = table["effective_worlds"][0] / 4000
    assert abs(share - 1 / 2) < 0.05
    exact = [exact_given(other) for other in ("B7", "Y2", "GS")]
    for row in table.itertuples():
        mean = np.mean([values[row.action] for values in exact])
        assert abs(row.points - mean) <= 4.5 * row.points_se + 1e-9


def exact_given(other: str) -> dict[str, float]:
    """Return the points of each action where the other hand is R9 and a given card."""
    rest = [card for card in ("B7", "Y2", "GS") if card != other]
    games = [position("R1 G5", f"R9 {other}", " ".join(pile)) for pile in permutations(rest)]
    return {
        name: float(np.mean([outcome(game.clone(), name)[0] for game in games]))
        for name in games[0].legal_names()
    }


@policy
def illegal(observation, rules, params, memory, random):
    """Return no action."""
    return -1


class Batched:
    """An agent in plain Python."""

    name = "batched"

    def act(self, observations, seeds):
        return np.zeros(len(observations), int)


def test_wrong_arguments_are_refused():
    game = position("R1 G5 W", "B7 Y2", "R9 GS YD")
    over = position("R1", "B7", "Y2")
    over.step("R1")
    with pytest.raises(ValueError, match="nobody is asked: the phase is ROUND_OVER"):
        evaluate_actions(over)
    with pytest.raises(ValueError, match="observation of seat 1, but seat 0 is asked"):
        evaluate_actions(game.observation(1))
    with pytest.raises(ValueError, match="must be a Game or an Observation"):
        evaluate_actions("R1")
    for worlds in (1, 0, 2.5, True):
        with pytest.raises(ValueError, match=r"worlds=.*: must be an integer of at least 2"):
            evaluate_actions(game, worlds=worlds)
    with pytest.raises(ValueError, match="agent 'nobody': unknown"):
        evaluate_actions(game, "nobody")
    with pytest.raises(ValueError, match="policy 'batched': must be a compiled agent"):
        evaluate_actions(game, Batched())
    with pytest.raises(ValueError, match="3 for 2 seats"):
        evaluate_actions(game, ["greedy"] * 3)
    with pytest.raises(ValueError, match="confidence"):
        evaluate_actions(game, confidence=1.0)
    with pytest.raises(ValueError, match="seed"):
        evaluate_actions(game, seed=-1)
    with pytest.raises(ValueError, match=r"memory: has shape \(3,\), must be \(0,\)"):
        evaluate_actions(game, memory=[0, 0, 0])
    with pytest.raises(IllegalActionError, match="it returned action -1, which is not legal"):
        evaluate_actions(game, illegal, worlds=2)


def test_a_game_that_cannot_end_is_refused():
    worthless = replace(UNO_DUO, card_values=(0,) * 55)
    game = position("R1 G5 W", "B7 Y2", "R9 GS YD", rules=worthless)
    with pytest.raises(ValueError, match="a game is not over after 10,000 rounds"):
        evaluate_actions(game, worlds=2)
    assert (evaluate_actions(game, worlds=2, games=False)["points"] == 0).all()
