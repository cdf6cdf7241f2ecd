"""An episode is a row of `simulate`: same seed, the deal of its number, the seat as rotation."""

from typing import Any

import pytest

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, POCKET, game_of, make
from tests.policies import by_memory, lowest_legal
from uno_sim import make_agent, new_stream, simulate

GREEDY = make_agent("greedy")
CASES = [
    (DUO, ["random"]),
    (DUO, [BySeed()]),
    (POCKET, ["greedy"]),
    (POCKET, ["random", by_memory]),
    (POCKET, [BySeed(), "random", "greedy"]),
    (POCKET, ["greedy", "random", BySeed(), by_memory]),
]


def played_by_greedy(env: Any, episodes: int, seed: int) -> dict[int, tuple[float, Any]]:
    """Let greedy, which draws no random numbers, play the learner's seat.

    Returns the sum of the rewards of each deal, and the game at its end.
    """
    found = {}
    _, info = env.reset(seed=seed)
    while info["deal"] < episodes:
        total, over = 0.0, False
        while not over:
            seat = info["seat"]
            action = GREEDY.choose(game_of(env).observation(seat), new_stream(0))
            _, reward, terminated, truncated, info = env.step(action)
            total, over = total + reward, terminated or truncated
        found[info["deal"]] = total, game_of(env)
        _, info = env.reset()
    return found


@pytest.mark.parametrize(("name", "opponents"), CASES)
@pytest.mark.parametrize("unit", ["round", "game"])
def test_an_episode_is_a_row(name, opponents, unit):
    num_players = len(opponents) + 1
    deals = 12 if unit == "round" else 3
    rules = make(name).settings.rules
    rows = simulate(rules, [GREEDY, *opponents], seed=51, **{f"{unit}s": deals * num_players})
    frame = rows.rounds if unit == "round" else rows.games
    for seat in range(num_players):
        keywords = {"opponents": opponents, "num_players": num_players, "seat": seat}
        of_seat = frame[frame["rotation"] == seat].set_index("deal")
        wins = played_by_greedy(make(name, episode=unit, **keywords), deals, 51)
        leads = played_by_greedy(make(name, episode=unit, reward="points", **keywords), deals, 51)
        assert wins.keys() == leads.keys() and len(wins) > deals - 3
        for deal, (reward, game) in wins.items():
            row = of_seat.loc[deal]
            won = {0: 1.0, -1: 0.0}.get(row["winner_index"], -1.0)
            assert reward == won
            points = row.filter(regex="points_|score_").tolist()
            assert points == (game.points if unit == "round" else game.scores)
            lead = points[seat] - (sum(points) - points[seat]) / (num_players - 1)
            expected = -lead if name == DUO else lead
            assert leads[deal][0] == pytest.approx(expected, abs=1e-9)


def test_a_random_seat_is_the_rotation_of_its_row():
    env = make(POCKET, opponents=["random", lowest_legal], num_players=3, reward="points")
    rows = simulate(env.settings.rules, [GREEDY, "random", lowest_legal], rounds=90, seed=52).rounds
    rows = rows.set_index(["deal", "rotation"])
    seats = []
    _, info = env.reset(seed=52)
    while info["deal"] < 30:
        seats.append(info["seat"])
        over = False
        while not over:
            observation = game_of(env).observation(info["seat"])
            _, _, terminated, truncated, info = env.step(GREEDY.choose(observation, new_stream(0)))
            over = terminated or truncated
        row = rows.loc[(info["deal"], info["seat"])]
        assert row.filter(like="points_").tolist() == game_of(env).points
        assert row["turns"] == game_of(env).turns
        _, info = env.reset()
    assert set(seats) == {0, 1, 2}
