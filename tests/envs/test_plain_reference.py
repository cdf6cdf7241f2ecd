"""Step by step the same as the environment in plain Python: masks, observations, rewards, ends."""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.envs.batched_agents import BySeed
from tests.envs.plain_env import PlainEnv
from tests.envs.playing import DUO, POCKET, any_action, make, make_many
from tests.policies import by_memory
from tests.random_play import VARIANTS
from uno_sim import UNO_DUO, UNO_POCKET

SEED = 41
SHORT_DUO = replace(UNO_DUO, max_turns=25)
SHORT_POCKET = replace(UNO_POCKET, max_turns=3)
UNMATCHED = replace(UNO_POCKET, deck={"R1": 1, "Y2": 1, "G3": 1, "B4": 1}, hand_size=1)
"""Nobody can ever lay a card, so that every round is blocked (C12)."""
LOW_TARGET = replace(UNO_POCKET, target=90)

CASES: dict[str, tuple[str, Any, list[Any], dict[str, Any]]] = {
    "duo": (DUO, UNO_DUO, ["greedy"], {}),
    "duo, points": (DUO, UNO_DUO, ["random"], {"reward": "points"}),
    "duo, games": (DUO, UNO_DUO, ["greedy"], {"episode": "game"}),
    "duo, points of games": (DUO, UNO_DUO, ["greedy"], {"episode": "game", "reward": "points"}),
    "duo, forced skipped": (DUO, UNO_DUO, [BySeed()], {"skip_forced": True}),
    "duo, capped": (DUO, SHORT_DUO, ["greedy"], {}),
    "pocket, two players": (POCKET, UNO_POCKET, ["greedy"], {"reward": "points"}),
    "pocket, three players": (POCKET, UNO_POCKET, ["greedy", BySeed()], {"reward": "points"}),
    "pocket, games": (
        *(POCKET, LOW_TARGET, ["random", by_memory, "greedy"]),
        {"episode": "game", "reward": "points", "skip_forced": True},
    ),
    "pocket, games to win": (POCKET, LOW_TARGET, ["random", "greedy"], {"episode": "game"}),
    "pocket, five players": (POCKET, UNO_POCKET, ["greedy", by_memory, BySeed(), "greedy"], {}),
    "pocket, hardly asked": (
        *(POCKET, SHORT_POCKET, ["greedy", BySeed(), "random", "greedy"]),
        {"seat": 2},
    ),
    "pocket, blocked": (POCKET, UNMATCHED, ["greedy"], {}),
    "pocket, points of blocked": (POCKET, UNMATCHED, ["greedy"], {"reward": "points"}),
}
EVERY_CASE = pytest.mark.parametrize("case", CASES)


class Follower:
    """A plain environment that follows one game of an environment."""

    def __init__(self, case: str, seed: int) -> None:
        _, rules, opponents, keywords = CASES[case]
        keywords = {name: value for name, value in keywords.items() if name != "seat"}
        self.plain = PlainEnv(rules, opponents, **keywords)
        self.seed, self.deal = seed, -1
        self.met: Counter[str] = Counter()

    def begin(self, info: dict[str, Any]) -> None:
        """Follow to the next episode in which the learner is asked."""
        self.deal += 1
        while not self.plain.begin(self.seed, self.deal, int(info["seat"])):
            self.deal += 1
            self.met["never asked"] += 1
        assert info["deal"] == self.deal

    def look(self, features: Any, mask: Any) -> None:
        assert features.tobytes() == self.plain.features.tobytes()
        assert mask.dtype == np.int8 and np.array_equal(mask, self.plain.mask)

    def step(self, action: int, reward: float, terminated: bool, truncated: bool) -> None:
        player = self.plain.game.current_player
        assert player == self.plain.seat
        assert (reward, terminated, truncated) == self.plain.step(action)
        self.met["terminated"] += terminated
        self.met["truncated"] += truncated
        self.met["won"] += reward > 0
        self.met["lost"] += reward < 0
        self.met["drawn"] += reward == 0 and terminated
        self.met["others ended it"] += self.plain.over and self.plain.game.round_winner != player


def arguments(case: str) -> tuple[str, dict[str, Any]]:
    """Return the id and the keywords of a case."""
    name, rules, opponents, keywords = CASES[case]
    num_players = len(opponents) + 1
    return name, {"rules": rules, "num_players": num_players, "opponents": opponents, **keywords}


@cache
def follow(case: str, steps: int = 500) -> Counter[str]:
    """Play one environment and its plain twin; return what was met."""
    name, keywords = arguments(case)
    env, follower = make(name, **keywords), Follower(case, SEED)
    source = np.random.default_rng(1)
    observation, info = env.reset(seed=SEED)
    follower.begin(info)
    for _ in range(steps):
        follower.look(observation["observation"], observation["action_mask"])
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        assert info["action_mask"].dtype == np.int8
        masks = env.action_masks()
        assert masks.dtype == bool and np.array_equal(masks, info["action_mask"])
        action = int(any_action(source, masks))
        observation, reward, terminated, truncated, info = env.step(action)
        follower.step(action, reward, terminated, truncated)
        assert info["deal"] == follower.deal and info["seat"] == follower.plain.seat
        if terminated or truncated:
            follower.look(observation["observation"], observation["action_mask"])
            assert observation["action_mask"].all() and env.action_masks().all()
            observation, info = env.reset()
            follower.begin(info)
    return follower.met


@EVERY_CASE
def test_a_single_environment_does_what_the_plain_one_does(case):
    met = follow(case)
    assert met["terminated"] + met["truncated"] > 2, met


def test_all_ways_to_end_were_met():
    assert min(follow("duo, capped")[each] for each in ("truncated", "lost")) > 2
    assert follow("pocket, hardly asked")["never asked"] > 10
    assert follow("pocket, blocked")["drawn"] > 10
    assert follow("pocket, points of blocked")["won"] > 10
    assert min(follow("pocket, five players")[each] for each in ("lost", "others ended it")) > 5


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_kind_of_rules_does_what_the_plain_one_does(variant):
    rules, num_players = VARIANTS[variant]
    opponents = ["greedy", "random", by_memory, BySeed()][: num_players - 1]
    for number, unit in enumerate(("round", "game")):
        keywords = {"seat": number, "episode": unit, "reward": "points", "skip_forced": True}
        CASES[f"{variant}, {unit}"] = DUO, rules, opponents, keywords
        follow(f"{variant}, {unit}", 250)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("case", ["duo", "duo, capped", "pocket, games", "pocket, hardly asked"])
def test_a_vector_environment_does_what_plain_ones_do(case, mode):
    name, keywords = arguments(case)
    env = make_many(4, name, autoreset_mode=mode, **keywords)
    followers = [Follower(case, SEED + game) for game in range(4)]
    source = np.random.default_rng(2)
    observations, infos = env.reset(seed=SEED)
    for game, follower in enumerate(followers):
        follower.begin(info_of(infos, game))
    over = np.zeros(4, bool)
    for _ in range(250):
        masks = observations["action_mask"]
        assert np.array_equal(env.action_masks(), masks) and env.action_masks().dtype == bool
        for game, follower in enumerate(followers):
            follower.look(observations["observation"][game], masks[game])
        actions = any_action(source, masks)
        before = over
        observations, rewards, terminated, truncated, infos = env.step(actions)
        over = terminated | truncated
        assert np.array_equal(infos["action_mask"], observations["action_mask"])
        for game, follower in enumerate(followers):
            if before[game] and mode == AutoresetMode.NEXT_STEP:
                assert (rewards[game], over[game]) == (0, False)
                follower.begin(info_of(infos, game))
                continue
            ends = float(rewards[game]), bool(terminated[game]), bool(truncated[game])
            follower.step(int(actions[game]), *ends)
            if over[game] and mode == AutoresetMode.SAME_STEP:
                last = infos["final_obs"][game]
                follower.look(last["observation"], last["action_mask"])
                assert last["action_mask"].all()
                follower.begin(info_of(infos, game))
        if over.any() and mode == AutoresetMode.DISABLED:
            assert observations["action_mask"][over].all()
            observations, infos = env.reset(options={"reset_mask": over})
            for game in np.flatnonzero(over):
                followers[game].begin(info_of(infos, game))
    assert all(follower.deal > 1 for follower in followers)


def info_of(infos: dict[str, Any], game: int) -> dict[str, Any]:
    return {name: infos[name][game] for name in ("seat", "deal")}
