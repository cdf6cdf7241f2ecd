"""Opponents that fail: who and where is said, and what comes after is not played by mistake."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from tests.envs.batched_agents import Answering, BySeed
from tests.envs.playing import POCKET, game_of, make, make_many, play, play_many, same
from tests.policies import giving_up, illegal_from_turn_three, lowest_legal
from uno_sim import AgentError, CompiledAgent, Game, IllegalActionError, policy
from uno_sim.views import legal_mask


def raising(actions):
    raise RuntimeError("no more")


def stubborn():
    return CompiledAgent("stubborn", illegal_from_turn_three, np.array([-1], np.float32))


FAILING = {
    "compiled, illegal": (stubborn, IllegalActionError, r"agent 'stubborn' returned -1,"),
    "compiled, raising": (
        *(lambda: giving_up, AgentError),
        "agent 'giving_up' raised RuntimeError: this policy gives up: seed 1, episode 0, round 1;",
    ),
    "batched, illegal": (
        *(lambda: Answering(lambda actions: actions * 0 - 1), IllegalActionError),
        r"agent 'answering' returned -1,",
    ),
    "batched, raising": (
        *(lambda: Answering(raising), AgentError),
        r"agent 'answering' raised RuntimeError: no more \(\w+\.py:\d+\): seed 1, episode 0, ",
    ),
    "batched, float": (
        *(lambda: Answering(lambda actions: actions + 0.0), AgentError),
        r"agent 'answering' returned float64 of shape",
    ),
    "batched, short": (
        *(lambda: Answering(lambda actions: actions[:-1]), AgentError),
        r"agent 'answering' returned int64 of shape \(0,\)",
    ),
}
EVERY_FAILING = pytest.mark.parametrize("kind", FAILING)


@EVERY_FAILING
def test_the_error_of_an_opponent_comes_through(kind):
    make_opponent, error, message = FAILING[kind]
    env = make(POCKET, opponents=make_opponent(), seat=0)
    env.reset(seed=1)
    with pytest.raises(error, match=message):
        list(play(env, 300))
    many = make_many(1, POCKET, opponents=make_opponent(), seat=0)
    many.reset(seed=1)
    with pytest.raises(error, match=message):
        list(play_many(many, 300))


@pytest.mark.parametrize("kind", [kind for kind in FAILING if "illegal" in kind])
def test_an_illegal_action_of_an_opponent_names_seed_episode_and_what_is_legal(kind):
    env = make(POCKET, opponents=FAILING[kind][0](), seat=0)
    env.reset(seed=19)
    with pytest.raises(IllegalActionError) as refusal:
        list(play(env, 300))
    game = game_of(env)
    assert f"in {game.phase.name}: seed 19, episode 0, round 1; legal: " in str(refusal.value)
    assert str(refusal.value).endswith(" ".join(game.legal_names()))


@EVERY_FAILING
def test_the_error_of_an_opponent_has_its_decision_and_what_it_was_asked(kind):
    env = make(POCKET, opponents=FAILING[kind][0](), seat=0)
    env.reset(seed=19)
    with pytest.raises(AgentError) as failure:
        list(play(env, 300))
    error, game = failure.value, game_of(env)
    assert (error.seed, error.episode, error.round, error.deal, error.path) == (
        19,
        0,
        1,
        None,
        None,
    )
    assert error.legal == tuple(game.legal_names())
    again = Game.from_record(error.record)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.current_player == error.seat


@EVERY_FAILING
def test_after_an_error_the_learner_does_not_play_for_the_opponent(kind):
    """The episode is broken off in the middle; only a reset goes on."""
    make_opponent, error, _ = FAILING[kind]
    env = make(POCKET, opponents=make_opponent(), seat=0)
    env.reset(seed=1)
    with pytest.raises(error):
        list(play(env, 300))
    game = game_of(env)
    assert game.current_player == 1
    with pytest.raises(ValueError, match="reset"):
        env.step(game.legal_actions()[0])
    env.set_opponents("greedy")
    env.reset(seed=2)
    other = make(POCKET, opponents="greedy", seat=0)
    other.reset(seed=2)
    assert same(list(play(env, 80)), list(play(other, 80)))


@EVERY_FAILING
def test_nor_does_it_in_a_vector_environment(kind):
    make_opponent, error, _ = FAILING[kind]
    env = make_many(3, POCKET, opponents=make_opponent(), seat=0)
    env.reset(seed=1)
    with pytest.raises(error):
        list(play_many(env, 300))
    actions = [legal_mask(state.legal).argmax() for state in env._batch._batch.states]
    with pytest.raises(ValueError, match="reset"):
        env.step(np.array(actions))
    env.set_opponents("greedy")
    other = make_many(3, POCKET, opponents="greedy", seat=0)
    assert same(list(env.reset(seed=2)), list(other.reset(seed=2)))
    assert same(list(map(list, play_many(env, 80))), list(map(list, play_many(other, 80))))


@pytest.mark.parametrize("make_one", [make, partial(make_many, 1)], ids=["single", "vector"])
def test_after_an_error_in_a_reset_there_is_no_episode(make_one):
    # The reset itself fails where the opponent is asked first.
    env = make_one(name=POCKET, seat=0)
    env.reset(seed=1)
    env.set_opponents(Answering(raising, first_call=1))
    failed = 0
    for _ in range(6):
        try:
            env.reset()
        except AgentError:
            failed += 1
            action = int(legal_mask(env._batch._batch.states[0].legal).argmax())
            with pytest.raises(ValueError, match="reset"):
                env.step(action if make_one is make else [action])
    assert 0 < failed < 6


class RefusingRules(BySeed):
    def use_rules(self, rules):
        raise ValueError("not these rules")


def test_opponents_that_refuse_the_rules_change_nothing():
    env, twin = (make(POCKET, opponents="greedy") for _ in range(2))
    courses = []
    for each in (env, twin):
        each.reset(seed=3)
        if each is env:
            with pytest.raises(ValueError, match="not these rules"):
                each.set_opponents({RefusingRules(): 1, "random": 1})
        courses.append(list(play(each, 100)))
    assert same(*courses)


REFUSED = """
import numpy as np
from tests.envs.playing import POCKET, make, play, same
from tests.envs.test_errors_of_opponents import without_such_a_field
courses = []
for refused in (False, True):
    env = make(POCKET, opponents="greedy")
    env.reset(seed=3)
    if refused:
        try:
            env.set_opponents({without_such_a_field: 1, "random": 1})
        except ValueError as error:
            print(error)
    courses.append(list(play(env, 200)))
print(same(*courses))
"""


@policy
def without_such_a_field(observation, rules, params, memory, random):
    return observation.hand_of_the_other


def test_opponents_that_do_not_compile_change_nothing():
    # In another process: what is called by a wrong address may end it.
    done = subprocess.run([sys.executable, "-c", REFUSED], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    message, *rest = done.stdout.splitlines()
    assert message.startswith("policy 'without_such_a_field': ") and rest == ["True"]


def test_an_opponent_that_was_replaced_is_not_asked_again():
    agents = [BySeed(str(number)) for number in range(6)]
    env = make(POCKET, opponents=agents[0])
    env.reset(seed=1)
    for agent in agents[1:]:
        env.set_opponents([agent])
        env.reset()
    env.set_opponents(lowest_legal)
    env.reset()
    before = [agent.calls for agent in agents]
    list(play(env, 60))
    assert [agent.calls for agent in agents] == before
