"""N episodes side by side, as the environments use them: tables, arrays, and the calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.actions import NUM_ACTIONS
from uno_sim.agent_table import AgentTable
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
from uno_sim.envs.opponents import Lineups, OpponentsLike, read_lineup
from uno_sim.envs.settings import RENDER_MODES, Settings
from uno_sim.explanation import IllegalActionError, explain_illegal
from uno_sim.features import NUM_FEATURES
from uno_sim.game import Game
from uno_sim.observation import Observation, observe
from uno_sim.simulation.driver import OUTSIDE, Batch
from uno_sim.simulation.failures import AgentError, Decision, agent_error
from uno_sim.simulation.lockstep import (
    FailedAgentError,
    answer,
    compiled_failure,
    illegal_action,
    introduce,
)
from uno_sim.speed_hints import for_call
from uno_sim.state import allocate
from uno_sim.views import PublicView


class EpisodeBatch:
    """The episodes of N games; `play` carries out one order for each.

    What the learners see after it is in `features` (float32 `[N, F]`, a new array each time), and
    in `masks` (int8 `[N, A]`), `rewards`, `terminated` and `truncated` (`[N]`). `is_intact` is
    False until games were begun, and after an opponent has failed in the middle of a call: then
    all games must begin anew.
    """

    def __init__(self, num_games: int, settings: Settings, opponents: OpponentsLike) -> None:
        self.settings = settings
        self._settings_row = for_call(settings.record)
        self._rules_row = for_call(settings.rules.record.reshape(1))
        self._blank = for_call(allocate(1))
        lineup = read_lineup(opponents, settings.num_players - 1)
        self._lineups = Lineups([lineup] * num_games)
        self._table = AgentTable(self._lineups.agents)
        introduce(self._lineups.agents, settings.rules)
        self.is_intact = False
        self.episodes = np.zeros(num_games, EPISODE_DTYPE).view(np.recarray)
        self.episodes.number = -1
        self._episodes = for_call(self.episodes)
        columns = np.asarray(self.episodes)
        self.orders = columns["order"]
        """What `play` is to do in each game, to be written before it."""
        self.choices = columns["choice"]
        """The learners' actions, to be written before `play`."""
        self.learners = columns["learner"]
        """The learner's seat in each game."""
        self.numbers = columns["number"]
        """The number of each game's episode, from 0 since it was seeded."""
        self.rewards = columns["reward"]
        self.terminated = columns["terminated"]
        self.truncated = columns["truncated"]
        self.ended = columns["ended"]
        """Whether an episode was over, and another was begun in the same step."""
        self._reached = columns["reached"]
        self.seats = np.full((num_games, settings.num_players), OUTSIDE, np.int64)
        self._feature_buffers = Buffers((num_games, NUM_FEATURES), np.float32)
        self.features = self._feature_buffers.take()
        self.masks = np.zeros((num_games, NUM_ACTIONS), np.int8)
        self.last_features = np.zeros((0, NUM_FEATURES), np.float32)
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
        lineup = read_lineup(opponents, self.settings.num_players - 1)
        chosen = list(self._lineups.lineups)
        for game in games:
            chosen[game] = lineup
        before = self._lineups.agents
        playing = [before[number] for number in np.unique(self.seats[self.seats >= 0])]
        lineups = Lineups(chosen, playing)
        # All that can fail comes first.
        table = AgentTable(lineups.agents)
        introduce(lineups.agents, self.settings.rules)
        numbers = lineups.numbers_of(before)
        self._lineups, self._table = lineups, table
        self.seats = np.where(self.seats == OUTSIDE, OUTSIDE, numbers[self.seats])
        self._batch.make_room(table.memory_room)

    def play(self, same_step: bool = False) -> None:
        """Carry out the `orders`, with the learners' `choices`.

        Raises `IllegalActionError` where a learner's action is not legal, before anything was done,
        `AgentError` where an opponent fails in the middle, and `ValueError` where learners are
        never asked.
        """
        try:
            self._play(same_step)
        except FailedAgentError as failure:
            raise self._failed(failure) from failure.__cause__

    def _play(self, same_step: bool) -> None:
        features = self._feature_buffers.take()
        if same_step and not len(self.last_features):
            self.last_features = np.empty_like(features)
        was_intact, self.is_intact = self.is_intact, False
        done = self._call(same_step, features)
        if done == ILLEGAL:
            self.is_intact = was_intact
        while done == ALL_DONE and self._table.has_batched:
            waiting = self._reached == ASKS_BATCHED
            if not waiting.any():
                break
            answer(self._table, self.settings.rules, self.seats, self._batch)
            self.orders[:] = np.where(waiting, GO_ON, LEAVE)
            done = self._call(same_step, features)
        if done != ALL_DONE:
            raise self._error(done)
        self.features = features
        self.is_intact = True

    def _call(self, same_step: bool, features: Any) -> int:
        """Make the compiled call, and return what it reports."""
        try:
            return play_episodes(  # type: ignore[call-arg]
                same_step,
                self._settings_row,
                self._rules_row,
                self._blank,
                self.seats,
                self._lineups.members,
                self._lineups.chances,
                self._lineups.mixtures,
                self._episodes,
                *self._table.arguments,
                *self._batch.arguments,
                features,
                self.masks,
                self.last_features,
            )
        except Exception as error:
            raise compiled_failure(self._table, self.seats, self._batch, error) from error

    def _error(self, done: int) -> Exception:
        if done == UNASKED:
            return ValueError("with these rules episodes end before the learner is asked anything")
        if done != ILLEGAL:
            return illegal_action(self._batch, done)
        game = int(self._batch.fault[0])
        state = self._batch.states[game]
        legal = PublicView(state, self.settings.rules).legal_names()
        where = f"game {game}: " if len(self) > 1 else ""
        choice = int(self.choices[game])
        return IllegalActionError(
            where + explain_illegal(state, self.settings.rules, choice, legal)
        )

    def __reduce__(self) -> Any:
        """Refuse to be copied: a copy's arrays would not be views of each other any more."""
        raise TypeError("an environment cannot be copied or pickled; make another one")

    def _failed(self, failure: FailedAgentError) -> AgentError:
        """Return the error of an opponent's failure; its record begins where it was asked."""
        state, episode = self._batch.states[failure.game], self.episodes[failure.game]
        agent = self._table.agents[self.seats[failure.game, state.current_player]].name
        where = Decision.asked(agent, state, int(episode.seed), episode=int(episode.number))
        return agent_error(failure, where, Game.from_state(self.settings.rules, state).record)

    def bool_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return a copy of the masks, bool `[N, A]`; `ValueError` where there are none yet."""
        if not self.is_intact:
            raise ValueError("action_masks: there is no episode; call reset first")
        return self.masks.astype(np.bool_)

    def observation(self, game: int) -> Observation:
        """Return what the learner of a game knows, for people to read."""
        record, learner = allocate(1)[0], int(self.learners[game])
        observe(self._batch.states[game], learner, record)
        return Observation(record, self.settings.rules, learner)

    def render(self, game: int, mode: str | None) -> Any:
        """Return what the learner of a game sees, by one of `RENDER_MODES`.

        That is a text, or a picture, uint8 `[height, width, 3]`. Raises `ValueError` without one.
        """
        if not self.is_intact:
            raise ValueError("render: there is no episode; call reset first")
        if mode is None:
            choices = " or ".join(map(repr, RENDER_MODES))
            raise ValueError(f"render: make the environment with render_mode={choices}")
        if mode == "ansi":
            return str(self.observation(game))
        # Loaded when it is wanted: drawing takes another library.
        from uno_sim.envs.table_picture import draw_table

        return draw_table(self.observation(game))
