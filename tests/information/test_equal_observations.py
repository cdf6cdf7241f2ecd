"""Observations are equal where the same player knows the same, and can be keys of a dict."""

from dataclasses import replace

import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Game, determinize, make_agent, new_stream


def middle_of(game: Game) -> Game:
    """Return a game after fifteen decisions of greedy players."""
    greedy, stream = make_agent("greedy"), new_stream(1)
    for _ in range(15):
        game.step(greedy.choose(game.observation(game.current_player), stream))
    return game


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
def test_a_world_has_an_equal_observation_for_its_player_alone(rules):
    game = middle_of(Game(rules, seed=5))
    mine = game.observation(game.current_player)
    world = determinize(mine, seed=3)
    assert world.observation(mine.player) == mine == game.observation(mine.player)
    assert hash(world.observation(mine.player)) == hash(mine)
    assert {mine: "known"}[world.observation(mine.player)] == "known"
    other = 1 - mine.player
    assert world.observation(other) != game.observation(other)


def test_players_rules_and_times_tell_observations_apart():
    game = Game(UNO_POCKET, seed=5)
    before = game.observation(0)
    assert before != game.observation(1)
    assert before != Game(replace(UNO_POCKET, target=99), seed=5).observation(0)
    assert before != "an observation"
    game.step(game.legal_actions()[0])
    assert before != game.observation(0)
