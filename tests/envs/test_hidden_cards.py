"""Whatever the learner cannot know is exchanged: what it is shown stays the same, byte for byte."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, POCKET, any_action, game_of, make, make_many, states_of
from tests.information.walks import with_exchanged_cards
from uno_sim import determinize
from uno_sim.envs.episodes import LOOK

CASES: list[tuple[str, dict[str, Any]]] = [
    (DUO, {"opponents": {"greedy": 1, "random": 1}}),
    (POCKET, {"num_players": 2}),
    (POCKET, {"num_players": 4, "opponents": ["greedy", BySeed(), "random"], "episode": "game"}),
    (POCKET, {"num_players": 5, "skip_forced": True, "reward": "points"}),
]


def look(env: Any) -> None:
    """Let the environment write anew what its learners see."""
    env._batch.orders[:] = LOOK
    env._batch.play()


def sight(env: Any, modes: tuple[str, ...]) -> list[Any]:
    """Return all that a single environment shows of its position, rendered in some modes."""
    look(env)
    observation, info = env._observation(), env._info()
    pictures = []
    for env.render_mode in modes:
        picture = env.render()
        pictures.append(picture if isinstance(picture, str) else picture.tobytes())
    arrays = [*observation.values(), info.pop("action_mask"), env.action_masks()]
    return [*(array.tobytes() for array in arrays), info, *pictures]


def disturb(env: Any, state: Any, source: random.Random) -> None:
    """Put another state in the game's place, and change all that is kept beside it."""
    batch = env._batch
    states_of(env)[0] = state
    batch._batch.streams[:] = source.getrandbits(64)
    batch._batch.memories[:] = source.random()
    batch._batch.tallies["decisions"] = 7
    learner = int(batch.learners[0])
    for seat in set(range(env.settings.num_players)) - {learner}:
        batch.seats[0, seat] = source.randrange(len(batch._lineups.agents))


@pytest.mark.parametrize(("name", "keywords"), CASES)
def test_what_the_learner_cannot_know_changes_nothing_that_it_sees(name, keywords):
    env = make(name, **keywords)
    source, choices = random.Random(3), np.random.default_rng(3)
    _, info = env.reset(seed=3)
    met: Counter[str] = Counter()
    for number in range(160):
        if number % 4 == 0:
            game = game_of(env)
            # Pictures take long.
            modes = ("ansi", "rgb_array") if number % 32 == 0 else ("ansi",)
            expected = sight(env, modes)
            kept = [states_of(env)[:1].copy(), env._batch.seats.copy()]
            arrays = [env._batch._batch.streams, env._batch._batch.memories]
            kept_arrays = [array.copy() for array in arrays]
            twins = [with_exchanged_cards(game, info["seat"], source, 30)]
            twins.append(determinize(game.observation(info["seat"]), source.getrandbits(64)))
            for twin in twins:
                disturb(env, twin.state, source)
                assert sight(env, modes) == expected, game.render()
                met["other hands"] += twin.hands != game.hands
            met[game.phase.name] += 1
            states_of(env)[:1], env._batch.seats[:] = kept
            for array, before in zip(arrays, kept_arrays, strict=True):
                array[:] = before
        env.render_mode = None
        _, _, terminated, truncated, info = env.step(int(any_action(choices, env.action_masks())))
        if terminated or truncated:
            _, info = env.reset()
    assert met["other hands"] > 40 and met["TURN"] > 10, met


def test_in_a_vector_environment_neither():
    env = make_many(6, POCKET, num_players=3)
    infos = env.reset(seed=4)[1]
    source, choices = random.Random(4), np.random.default_rng(4)
    for _ in range(15):
        look(env)
        batch = env._batch
        before = batch.features.tobytes(), batch.masks.tobytes()
        originals = states_of(env).copy()
        for game in range(6):
            seat = int(infos["seat"][game])
            if game_of(env, game).current_player == seat:
                twin = with_exchanged_cards(game_of(env, game), seat, source, 30)
                states_of(env)[game] = twin.state
        assert states_of(env).tobytes() != originals.tobytes()
        look(env)
        assert (batch.features.tobytes(), batch.masks.tobytes()) == before
        states_of(env)[:] = originals
        for _ in range(4):
            infos = env.step(any_action(choices, env.action_masks()))[-1]


@pytest.mark.parametrize("name", [DUO, POCKET])
def test_the_info_holds_the_mask_the_seat_and_the_deal_and_nothing_else(name):
    env = make(name, illegal_action="random")
    expected = {"action_mask", "seat", "deal"}
    assert set(env.reset(seed=1)[1]) == expected
    infos = [env.step(0)[-1] for _ in range(3)]
    assert all(set(info) == expected for info in infos)
    assert {type(infos[0][key]) for key in ("seat", "deal")} == {int}
    many = make_many(3, name, illegal_action="terminate", autoreset_mode="SameStep")
    expected |= {"_" + key for key in expected}
    assert set(many.reset(seed=1)[1]) == expected
    info = many.step([-1] * 3)[-1]
    assert set(info) == expected | {"final_obs", "_final_obs", "final_info", "_final_info"}
    assert set(info["final_info"]) == expected
