"""Wrong arguments are refused, and the message names what is wrong."""

from functools import partial

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.envs.playing import DUO, POCKET, make, make_many
from uno_sim.envs.single import UnoEnv
from uno_sim.envs.vector import UnoVectorEnv

WRONG = [
    ("rules", ["uno", 5, None, "", ["duo"]]),
    ("num_players", [0, 1, 6, 2.0, True, "2", None]),
    ("episode", ["rounds", None, 1, []]),
    ("reward", ["score", None, 1]),
    ("seat", [3, -1, 0.0, None, True, "0", [0]]),
    ("illegal_action", ["ignore", None, True]),
    ("skip_forced", [1, None, "yes"]),
    ("render_mode", ["human", 1, "", ["ansi"]]),
    (
        "opponents",
        [
            {},
            [],
            ["greedy"] * 3,
            {"greedy": 0, "random": 1},
            {"greedy": -1},
            {"greedy": np.nan},
            {"greedy": np.inf},
            {"greedy": True},
            {"greedy": "1"},
            {"greedy": None},
        ],
    ),
]
EVERY_WRONG = pytest.mark.parametrize(
    ("keyword", "value"),
    [(keyword, value) for keyword, values in WRONG for value in values],
    ids=repr,
)

EVERY_KIND = pytest.mark.parametrize(
    "make_one", [make, partial(make_many, 2)], ids=["single", "vector"]
)


@EVERY_WRONG
@pytest.mark.parametrize("kind", [UnoEnv, UnoVectorEnv])
def test_wrong_keywords_are_named(keyword, value, kind):
    given = {"rules": "pocket", "num_players": 3, keyword: value}
    with pytest.raises(ValueError, match=keyword):
        kind(**given)


@pytest.mark.parametrize(
    "opponent", [None, 5, "nobody", object(), BySeed, {"greedy"}, [["greedy"]]]
)
@EVERY_KIND
def test_what_is_no_agent_is_named_and_changes_no_opponents(opponent, make_one):
    with pytest.raises(ValueError, match=r"^(agent|opponents)"):
        make_one(opponents=opponent)
    env = make_one(opponents="greedy")
    with pytest.raises(ValueError, match=r"^(agent|opponents)"):
        env.set_opponents(opponent)
    with pytest.raises(ValueError, match=r"^(agent|opponents)"):
        env.set_opponents({"random": 1, "nobody": 1})
    env.reset(seed=1)
    env.reset()
    assert [agent.name for agent in env._batch._lineups.agents] == ["greedy"]


@pytest.mark.parametrize("num_envs", [0, -1, 1.0, "2", None, True])
def test_wrong_numbers_of_games_are_named(num_envs):
    with pytest.raises(ValueError, match="num_envs="):
        UnoVectorEnv(num_envs)


@pytest.mark.parametrize("mode", ["next_step", None, 1, "Never"])
def test_wrong_autoreset_modes_are_named(mode):
    with pytest.raises(ValueError, match=r"[Aa]uto_?reset_?[Mm]ode"):
        UnoVectorEnv(2, autoreset_mode=mode)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "3", True, [3], np.int32(-1)], ids=repr)
def test_wrong_seeds_of_a_single_environment_are_named_and_begin_nothing(seed):
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="seed="):
        env.reset(seed=seed)
    assert env.reset()[1]["deal"] == 1


@pytest.mark.parametrize("seed", [np.int64(5), np.uint64(5), np.int8(5)], ids=repr)
def test_integers_of_numpy_are_seeds(seed):
    expected = make().reset(seed=5)[0]["observation"]
    assert np.array_equal(make().reset(seed=seed)[0]["observation"], expected)
    many = make_many(2).reset(seed=seed)[0]["observation"]
    assert np.array_equal(many[0], expected)
    many = make_many(2).reset(seed=[1, seed])[0]["observation"]
    assert np.array_equal(many[1], expected)


@pytest.mark.parametrize(
    "seed",
    [
        *(-1, 2**64, 2**64 - 1, 1.0, "33", True, np.array(3)),
        *([1], [1, 2, 3], [1, -1], [1, True], [1, 2.0], ["1", "2"], np.array([1.0, 2.0])),
    ],
    ids=repr,
)
def test_wrong_seeds_of_a_vector_environment_are_named_and_begin_nothing(seed):
    env = make_many(2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert env.reset()[1]["deal"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "mask",
    [
        *(None, True, [True, False], np.zeros(2, bool), np.ones(3, bool), np.ones(2)),
        *(np.ones((2, 1), bool), np.array([0, 1])),
    ],
    ids=repr,
)
def test_wrong_reset_masks_are_named_and_begin_nothing(mask):
    env = make_many(2, autoreset_mode="Disabled")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})
    assert env.reset()[1]["deal"].tolist() == [1, 1]


def test_the_first_reset_is_of_all_games():
    env = make_many(2, autoreset_mode="Disabled")
    with pytest.raises(ValueError, match="reset_mask: the first reset"):
        env.reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize("games", [[2], [-1], [0.0], ["0"], [None], [True]])
def test_wrong_numbers_of_games_to_change_are_named(games):
    env = make_many(2)
    with pytest.raises(ValueError, match="games: "):
        env.set_opponents("greedy", games=games)


@EVERY_KIND
def test_there_is_no_step_without_an_episode(make_one):
    env = make_one()
    with pytest.raises(ValueError, match=r"^step: there is no episode; call reset first$"):
        env.step(118 if make_one is make else [118, 118])


def test_there_is_no_step_after_the_end():
    env = make(illegal_action="terminate")
    env.reset(seed=1)
    env.step(-1)
    with pytest.raises(ValueError, match="call reset"):
        env.step(118)
    many = make_many(2, illegal_action="terminate", autoreset_mode="Disabled")
    many.reset(seed=1)
    many.step([int(np.argmax(many.action_masks()[0])), -1])
    with pytest.raises(ValueError, match="game 1 is over"):
        many.step([118, 118])


@pytest.mark.parametrize("name", [DUO, POCKET])
@EVERY_KIND
def test_there_is_nothing_to_see_before_the_first_reset(name, make_one):
    for mode in ("ansi", "rgb_array"):
        with pytest.raises(ValueError, match="reset"):
            make_one(name=name, render_mode=mode).render()
    with pytest.raises(ValueError, match="reset"):
        make_one(name=name).action_masks()


@EVERY_KIND
def test_rendering_needs_a_mode(make_one):
    env = make_one()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="render_mode='ansi' or 'rgb_array'"):
        env.render()
