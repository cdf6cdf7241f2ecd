"""N episodes side by side, as the environments use them: tables, arrays, and the calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.actions import NUM_ACTIONS
from uno_sim.envs.buffers import Buffers
from uno_sim.envs.episodes import (
    ALL_DONE,
    ASKS_BATCHED,
    EPISODE_DTYPE,
    GO_ON,
    ILLEGAL,
    LEAVE,
    UNASKED,
    play_episodes,
)
from uno_sim.envs.opponents import Lineups, OpponentsLike
from uno_sim.envs.settings import RENDER_MODES, Settings
from uno_sim.explanation import IllegalActionError, explain_illegal
from uno_sim.features import NUM_FEATURES
from uno_sim.observation import Observation, observe
from uno_sim.simulation.driver import OUTSIDE, AgentTable, Batch, for_call
from uno_sim.simulation.lockstep import RefusedActionError, answer, introduce, refusal
from uno_sim.state import allocate
from uno_sim.views import PublicView


class EpisodeBatch:
    """The episodes of N games; `play` carries out one order for each.

    What the learners see after it is in `features` (float32 `[N, F]`) and `masks` (int8 `[N, A]`),
    both new arrays each time, and in `rewards`, `terminated` and `truncated` (`[N]`).
    """

    def __init__(self, num_games: int, settings: Settings, opponents: OpponentsLike) -> None:
        self.settings = settings
        self._settings_row = for_call(settings.record)
        self._rules_row = for_call(settings.rules.record.reshape(1))
        self._blank = for_call(allocate(1))
        self._lineups = Lineups(num_games, settings.num_players - 1, opponents)
        self.episodes = np.zeros(num_games, EPISODE_DTYPE).view(np.recarray)
        self.episodes.number = -1
        self._episodes = for_call(self.episodes)
        self.learners = np.asarray(self.episodes)["learner"]
        """The learner's seat in each game."""
        self.numbers = np.asarray(self.episodes)["number"]
        """The number of each game's episode, from 0 since it was seeded."""
        self.seats = np.full((num_games, settings.num_players), OUTSIDE, np.int64)
        self.rewards = np.zeros(num_games)
        self.terminated = np.zeros(num_games, np.bool_)
        self.truncated = np.zeros(num_games, np.bool_)
        self.ended = np.zeros(num_games, np.bool_)
        self._feature_buffers = Buffers((num_games, NUM_FEATURES), np.float32)
        self._mask_buffers = Buffers((num_games, NUM_ACTIONS), np.int8)
        self.features = self._feature_buffers.take()
        self.masks = self._mask_buffers.take()
        self.last_features = np.zeros((0, NUM_FEATURES), np.float32)
        self._table = AgentTable(self._lineups.agents)
        introduce(self._lineups.agents, settings.rules)
        self._batch = Batch(num_games, settings.num_players, self._table.memory_room)

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.episodes)

    def seed(self, game: int, seed: int) -> None:
        """Let the episodes of a game begin with number 0 of a seed."""
        self.episodes.seed[game] = seed
        self.episodes.number[game] = -1

    def set_opponents(self, opponents: OpponentsLike, games: Sequence[int]) -> None:
        """Give some games other opponents, from their next episodes on."""
        places = self._lineups.change(opponents, games, np.unique(self.seats[self.seats >= 0]))
        self.seats = np.where(self.seats == OUTSIDE, OUTSIDE, places[self.seats])
        self._table = AgentTable(self._lineups.agents)
        introduce(self._lineups.agents, self.settings.rules)
        self._batch.make_room(self._table.memory_room)

    def play(self, orders: Any, choices: Any, same_step: bool = False) -> None:
        """Carry out an order for each game (int8 `[N]`), with the learners' actions (int64 `[N]`).

        Raises `IllegalActionError` where an action is not legal: a learner's before anything was
        done, an opponent's in the middle. Raises `ValueError` where learners are never asked.
        """
        features, masks = self._feature_buffers.take(), self._mask_buffers.take()
        if same_step and not len(self.last_features):
            self.last_features = np.empty_like(features)
        self._call(orders, choices, same_step, features, masks)
        while self._table.has_batched:
            waiting = np.asarray(self.episodes)["reached"] == ASKS_BATCHED
            if not waiting.any():
                break
            try:
                answer(self._table, self.settings.rules, self.seats, self._batch)
            except RefusedActionError as error:
                raise self._refused(error.game) from None
            orders = np.where(waiting, GO_ON, LEAVE).astype(np.int8)
            self._call(orders, choices, same_step, features, masks)
        self.features, self.masks = features, masks

    def _call(self, orders: Any, choices: Any, same_step: bool, features: Any, masks: Any) -> None:
        """Make the compiled call, and raise what it reports."""
        done = play_episodes(  # type: ignore[call-arg]
            orders,
            choices,
            same_step,
            self._settings_row,
            self._rules_row,
            self._blank,
            self.seats,
            self._lineups.chances,
            self._lineups.mixtures,
            self._episodes,
            *self._table.arguments,
            *self._batch.arguments,
            features,
            masks,
            self.rewards,
            self.terminated,
            self.truncated,
            self.last_features,
            self.ended,
        )
        if done != ALL_DONE:
            raise self._error(done, choices)

    def _error(self, done: int, choices: Any) -> ValueError:
        if done == UNASKED:
            return ValueError("with these rules episodes end before the learner is asked anything")
        if done != ILLEGAL:
            return self._refused(done)
        game = int(self._batch.fault[0])
        state = self._batch.states[game]
        legal = PublicView(state, self.settings.rules).legal_names()
        where = f"game {game}: " if len(self) > 1 else ""
        return IllegalActionError(where + explain_illegal(state, int(choices[game]), legal))

    def _refused(self, game: int) -> IllegalActionError:
        state, episode = self._batch.states[game], self.episodes[game]
        return refusal(
            self._table.agents[self.seats[game, state.current_player]],
            state,
            int(self._batch.fault[0]),
            f"seed {episode.seed}, episode {episode.number}, round {state.round_number}",
        )

    def observation(self, game: int) -> Observation:
        """Return what the learner of a game knows, for people to read."""
        record, learner = allocate(1)[0], int(self.learners[game])
        observe(self._batch.states[game], learner, record)
        return Observation(record, self.settings.rules, learner)

    def render(self, game: int, mode: str | None) -> Any:
        """Return what the learner of a game sees, by one of `RENDER_MODES`.

        That is a text, or a picture, uint8 `[height, width, 3]`. Raises `ValueError` without one.
        """
        if mode is None:
            choices = " or ".join(map(repr, RENDER_MODES))
            raise ValueError(f"render: make the environment with render_mode={choices}")
        if mode == "ansi":
            return str(self.observation(game))
        # Loaded when it is wanted: drawing takes another library.
        from uno_sim.envs.table_picture import draw_table

        return draw_table(self.observation(game))
