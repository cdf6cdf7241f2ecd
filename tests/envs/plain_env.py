"""The environment again, in plain obvious Python over `Game`, one episode at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim import Game, Phase, RuleSet, make_agent
from uno_sim.features import encode
from uno_sim.policies import Agent, CompiledAgent
from uno_sim.random_stream import AGENTS, DEALS, seed_key, split
from uno_sim.simulation.seated_agents import ask


class PlainEnv:
    """One seat is played from outside, agents play the others; `begin`, then `step`.

    `opponents` is one agent for each seat after the learner's.
    """

    def __init__(
        self,
        rules: RuleSet,
        opponents: Sequence[Any],
        episode: str = "round",
        reward: str = "win",
        skip_forced: bool = False,
    ) -> None:
        self.rules = rules
        self.agents: list[Agent] = [make_agent(each) for each in opponents]
        self.whole_games = episode == "game"
        self.points = reward == "points"
        self.skip_forced = skip_forced

    def begin(self, seed: int, deal: int, seat: int) -> bool:
        """Begin the episode of a deal; return whether the learner is asked anything in it."""
        self.seat = seat
        root = int(seed_key(seed, deal, DEALS))
        self.key = np.uint64(split(seed_key(seed, deal, AGENTS), seat))
        self.game = Game.from_root(self.rules, len(self.agents) + 1, root)
        self._begin_round()
        self.earned = 0.0
        self._play_others()
        return not self.over

    @property
    def over(self) -> bool:
        """Whether the episode is over."""
        return self.game.current_player is None

    @property
    def mask(self) -> Any:
        """The legal actions as int8; all ones when the episode is over."""
        mask = self.game.action_mask().astype(np.int8)
        return np.ones_like(mask) if self.over else mask

    @property
    def features(self) -> Any:
        """The features of what the learner knows."""
        return encode(self.game.observation(self.seat))

    def step(self, action: int) -> tuple[float, bool, bool]:
        """Apply a legal action; return reward, terminated and truncated."""
        self.game.step(action)
        self._play_others()
        reward, self.earned = self.earned, 0.0
        truncated = self.over and self.game.capped and not self.whole_games
        if not self.points:
            winner = self.game.winner if self.whole_games else self.game.round_winner
            reward = 0.0
            if self.over and winner is not None:
                reward = 1.0 if winner == self.seat else -1.0
        return reward, self.over and not truncated, truncated

    def _begin_round(self) -> None:
        key = np.uint64(split(self.key, self.game.round_number))
        seats = range(self.game.num_players)
        self.streams = [np.array([split(key, seat)], np.uint64) for seat in seats]
        self.memories = [
            self._agent(seat).new_memory()
            if seat != self.seat and isinstance(self._agent(seat), CompiledAgent)
            else None
            for seat in seats
        ]

    def _agent(self, seat: int) -> Any:
        return self.agents[(seat - self.seat - 1) % self.game.num_players]

    def _play_others(self) -> None:
        """Play on until the learner has something to choose, or the episode is over."""
        while True:
            seat = self.game.current_player
            if seat is None:
                self._earn()
                if not self.whole_games or self.game.phase == Phase.GAME_OVER:
                    return
                self.game.next_round()
                self._begin_round()
            elif seat != self.seat:
                self.game.step(self._choice(seat))
            elif self.skip_forced and len(self.game.legal_actions()) == 1:
                self.game.step(self.game.legal_actions()[0])
            else:
                return

    def _choice(self, seat: int) -> int:
        observation = self.game.observation(seat)
        return ask(self._agent(seat), observation, self.streams[seat], self.memories[seat])

    def _earn(self) -> None:
        others = [points for seat, points in enumerate(self.game.points) if seat != self.seat]
        lead = self.game.points[self.seat] - sum(others) / len(others)
        self.earned += -lead if self.rules.scorer == "loser" else lead
