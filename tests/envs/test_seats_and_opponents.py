"""Who sits where: the learner's seat, and opponents that are fixed, listed or drawn."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.chi_square import assert_shares, assert_uniform
from tests.envs.batched_agents import BySeed, KnowingRules
from tests.envs.playing import (
    DUO,
    POCKET,
    game_of,
    make,
    make_many,
    play,
    play_many,
    same,
    states_of,
)
from tests.networks import random_network
from tests.policies import by_memory, lowest_legal
from uno_sim import UNO_POCKET, CompiledAgent, make_agent, policy
from uno_sim.networks import save_network
from uno_sim.policies import nth_legal, num_legal


def cast_of(env: Any) -> list[list[str]]:
    """Return for each game the names of the agents, in the order of the seats after the learner."""
    batch = env._batch
    found = []
    for game, seats in enumerate(batch.seats):
        order = np.roll(seats, -int(batch.learners[game]) - 1)[:-1]
        found.append([batch._lineups.agents[number].name for number in order])
    return found


def casts(opponents: Any, episodes: int, num_players: int = 3, **keywords: Any) -> Any:
    """Yield the casts of many episodes, all at their starts."""
    env = make_many(200, POCKET, num_players=num_players, opponents=opponents, **keywords)
    env.reset(seed=17)
    for _ in range(episodes // 200):
        yield from cast_of(env)
        env.reset()


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_a_random_seat_is_any_equally_often(num_players):
    env = make_many(200, POCKET, num_players=num_players)
    counts: Counter[int] = Counter()
    for seed in (1, None, None, None, 50_000, None):
        counts.update(env.reset(seed=seed)[1]["seat"].tolist())
    assert sorted(counts) == list(range(num_players))
    assert_uniform([counts[seat] for seat in range(num_players)])


def test_the_seats_of_one_environment_are_any_equally_often():
    env = make(POCKET, num_players=4)
    seats = [env.reset(seed=3)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(799))]
    assert_uniform([seats.count(seat) for seat in range(4)])
    pairs = Counter(zip(seats[::2], seats[1::2], strict=True))
    assert_uniform([pairs[one, other] for one in range(4) for other in range(4)])


def test_the_seat_says_nothing_about_who_begins():
    env = make_many(800, DUO)
    seats = env.reset(seed=5)[1]["seat"]
    firsts = np.asarray(states_of(env))["first"]
    assert_uniform([int(((seats == s) & (firsts == f)).sum()) for s in (0, 1) for f in (0, 1)])


@pytest.mark.parametrize("num_players", [2, 5])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_fixed_seat_stays(num_players, seat):
    env = make(POCKET, num_players=num_players, seat=seat)
    infos = [env.reset(seed=1)[1], *(found[-1] for found in play(env, 100))]
    assert {info["seat"] for info in infos} == {seat}
    many = make_many(3, POCKET, num_players=num_players, seat=seat)
    many.reset(seed=1)
    for found in play_many(many, 20):
        assert found[-1]["seat"].tolist() == [seat] * 3


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_the_learner_is_the_one_who_is_asked(num_players):
    env = make(POCKET, num_players=num_players)
    found = env.reset(seed=2)
    assert game_of(env).num_players == num_players
    assert game_of(env).current_player == found[-1]["seat"]
    for found in play(env, 150):
        if len(found) == 2 or not (found[2] or found[3]):
            assert game_of(env).current_player == found[-1]["seat"]


GREEDY = make_agent("greedy")


@pytest.mark.parametrize(
    "opponents",
    [
        "greedy",
        GREEDY,
        GREEDY.policy,
        ["greedy", "greedy"],
        ("greedy", GREEDY),
        {"greedy": 2},
        [{"greedy": 1, GREEDY.policy: 2}, GREEDY],
    ],
    ids=str,
)
def test_all_ways_to_name_an_opponent_are_the_same(opponents):
    courses = []
    for each in (opponents, ["greedy", "greedy"]):
        env = make(POCKET, num_players=3, opponents=each)
        courses.append([env.reset(seed=4), *play(env, 60)])
    assert same(*courses)


def test_an_agent_may_be_a_key_of_a_mapping():
    numbers = CompiledAgent("with numbers", lowest_legal, np.zeros(3, np.float32))
    found = Counter(cast[0] for cast in casts({GREEDY: 1, numbers: 1}, 200, 2))
    assert found.keys() == {"greedy", "with numbers"}


def test_listed_opponents_sit_in_order_after_the_learner():
    opponents = ["greedy", BySeed(), "random", lowest_legal]
    for cast in casts(opponents, 200, 5):
        assert cast == ["greedy", "by seed", "random", "lowest_legal"]


def test_a_mixture_is_drawn_for_each_episode_by_its_weights():
    weights = {"greedy": 1, "random": 3.5, BySeed(): 0.5}
    found = Counter(cast[0] for cast in casts(weights, 1000, 2))
    assert_shares([found["greedy"], found["random"], found["by seed"]], [1, 3.5, 0.5])


def test_every_opponent_is_drawn_for_itself():
    found = Counter(map(tuple, casts({"greedy": 1, "random": 2}, 1000)))
    names = ["greedy", "random"]
    counts = [found[one, other] for one in names for other in names]
    assert_shares(counts, [1, 2, 2, 4])
    found = Counter(
        map(tuple, casts([{"greedy": 1, "random": 3}, {"random": 1, BySeed(): 1}], 800))
    )
    counts = [found[one, other] for one in names for other in ("random", "by seed")]
    assert_shares(counts, [1, 1, 3, 3])


def test_who_is_drawn_says_nothing_about_the_seat():
    env = make_many(1000, DUO, opponents={"greedy": 1, "random": 1})
    seats = env.reset(seed=6)[1]["seat"].tolist()
    found = Counter(zip(seats, (cast[0] for cast in cast_of(env)), strict=True))
    assert_uniform([found[seat, name] for seat in (0, 1) for name in ("greedy", "random")])


@pytest.mark.parametrize("weights", [(1e308, 1e308), (1e-308, 1e-308), (10**300, 10**300)])
def test_extreme_weights_are_weights(weights):
    found = Counter(
        cast[0] for cast in casts(dict(zip(["greedy", "random"], weights, strict=True)), 400, 2)
    )
    assert_uniform([found["greedy"], found["random"]])


@policy(memory=50)
def by_long_memory(observation, rules, params, memory, random):
    """Take turns over the legal actions, by a count kept in the last place of a long memory."""
    memory[49] += 1
    return nth_legal(observation, int(memory[49]) % num_legal(observation))


def test_opponents_change_with_the_next_episode_and_not_before():
    before, after = BySeed("before"), BySeed("after")
    keywords = {"num_players": 3, "seat": 1, "opponents": [by_memory, before]}
    env, twin = (make(POCKET, **keywords) for _ in range(2))
    assert same(env.reset(seed=9), twin.reset(seed=9))
    assert same(list(play(env, 6, 1)), list(play(twin, 6, 1)))
    env.set_opponents([after, by_long_memory])
    steps = 0
    for ours, theirs in zip(play(env, 400, 2), play(twin, 400, 2), strict=True):
        if len(ours) == 2:
            break
        assert same(ours, theirs) and after.calls == 0
        assert cast_of(env) == [["by_memory", "before"]]
        steps += 1
    assert steps > 3 and cast_of(env) == [["after", "by_long_memory"]]
    calls = before.calls
    ours = [ours, *play(env, 60)]
    assert before.calls == calls and after.calls > 0
    other = make(POCKET, num_players=3, seat=1, opponents=[BySeed(), by_long_memory])
    other.reset(seed=9)
    assert same([other.reset(), *play(other, 60)], ours)


def test_who_is_drawn_does_not_depend_on_who_played_before():
    one, other = BySeed("one"), BySeed("other")
    mixture = {one: 1, other: 1}
    found = []
    for before in (mixture, one, other, "greedy"):
        env = make_many(50, opponents=before)
        env.reset(seed=1)
        env.set_opponents(mixture)
        env.reset(seed=2)
        found.append(cast_of(env))
    assert found[1:] == found[:1] * 3


def test_opponents_may_be_changed_before_the_first_reset_and_often():
    env = make(POCKET, num_players=2)
    for opponents in ("greedy", BySeed(), lowest_legal, {"greedy": 1}, "greedy"):
        env.set_opponents(opponents)
    other = make(POCKET, num_players=2, opponents="greedy")
    courses = [[each.reset(seed=2), *play(each, 50)] for each in (env, other)]
    assert same(*courses)


def test_in_a_vector_environment_some_games_may_have_others():
    env, twin = (make_many(4, POCKET, num_players=2, opponents="random") for _ in range(2))
    assert same(list(env.reset(seed=2)), list(twin.reset(seed=2)))
    env.set_opponents("greedy", games=[1, np.int64(3)])
    assert [cast[0] for cast in cast_of(env)] == ["random"] * 4
    changed = np.zeros(4, bool)
    for ours, theirs in zip(play_many(env, 400, 3), play_many(twin, 400, 3), strict=True):
        for game in range(4):
            playing = ours[-1]["deal"][game]
            name = "greedy" if playing > 0 and game in (1, 3) else "random"
            assert cast_of(env)[game] == [name]
            changed[game] |= name == "greedy"
        if changed.any():
            break
        assert same(list(ours), list(theirs))
    for _ in play_many(env, 600):
        changed |= env._batch.numbers > 0
    assert [cast[0] for cast in cast_of(env)] == ["random", "greedy", "random", "greedy"]


def test_the_agent_itself_plays_not_a_copy_of_it():
    agent = BySeed()
    make(opponents=agent).reset(seed=1)
    env = make_many(2, opponents={agent: 1})
    env.reset(seed=1)
    list(play_many(env, 10))
    assert agent.calls > 5


def test_agents_are_told_the_rules():
    for make_one in (make, lambda *args, **keywords: make_many(2, *args, **keywords)):
        agent, later = KnowingRules(), KnowingRules()
        env = make_one(POCKET, opponents=agent)
        assert agent.rules == [UNO_POCKET]
        env.set_opponents({later: 1, "greedy": 1})
        assert later.rules == [UNO_POCKET]


def test_the_same_text_names_what_its_file_holds_now(tmp_path):
    path = tmp_path / "self.npy"
    courses = []
    for number in (1, 2):
        save_network(path, random_network([8], seed=number))
        text = f"network:weights={path}"
        if number == 1:
            env = make(opponents=text, seat=0)
        else:
            env.unwrapped.set_opponents(text)
        fresh = make(opponents=text, seat=0)
        courses.append([[each.reset(seed=3), *play(each, 80)] for each in (env, fresh)])
    for ours, expected in courses:
        assert same(ours, expected)
    assert not same(courses[0][0], courses[1][0])
