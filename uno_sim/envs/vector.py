"""The native vector environment: N games in one compiled call a step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from uno_sim.actions import NUM_ACTIONS
from uno_sim.envs.episode_batch import EpisodeBatch
from uno_sim.envs.episodes import ACT, BEGIN, LOOK
from uno_sim.envs.opponents import OpponentsLike
from uno_sim.envs.settings import RENDER_MODES, Settings, check_choice, find_rules
from uno_sim.envs.single import observation_space
from uno_sim.random_stream import check_seed
from uno_sim.rule_set import RuleSet

_MODES = tuple(mode.value for mode in AutoresetMode)


class UnoVectorEnv(VectorEnv[dict[str, Any], Any, Any]):
    """N games, each as in `UnoEnv`, which has the keywords and what they mean.

    Made by `gymnasium.make_vec("uno_sim/UnoDuo-v0", num_envs=N, ...)`. Game i of a seed is what
    `UnoEnv` plays with seed + i, whatever N is; `SyncVectorEnv` of N single ones gives the same,
    step by step. Observations are dicts of arrays `[N, ...]`, new ones at each step.
    """

    metadata = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: RuleSet | str = "duo",
        num_players: int = 2,
        opponents: OpponentsLike = "random",
        episode: str = "round",
        reward: str = "win",
        seat: int | str = "random",
        illegal_action: str = "raise",
        skip_forced: bool = False,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """Set up N environments; `reset` deals.

        Parameters
        ----------
        autoreset_mode
            What follows an episode that is over. `NEXT_STEP`: the next step begins another and
            ignores the action. `SAME_STEP`: the same step returns the first observation of the
            next, and the last one in `info["final_obs"]`. `DISABLED`: the caller resets with
            `options={"reset_mask": ...}`.

        Raises
        ------
        ValueError
            Where a keyword does not fit; the message names it.
        """
        if not _is_integer(num_envs) or num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r}: must be an integer of at least 1")
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self.num_envs = int(num_envs)
        self.render_mode = render_mode
        if autoreset_mode not in list(AutoresetMode) and autoreset_mode not in _MODES:
            raise ValueError(
                f"autoreset_mode={autoreset_mode!r}: must be {' or '.join(map(repr, _MODES))}"
            )
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.settings = Settings(
            find_rules(rules), num_players, episode, reward, seat, illegal_action, skip_forced
        )
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._batch = EpisodeBatch(self.num_envs, self.settings, opponents)
        self._seeded = np.zeros(self.num_envs, np.bool_)
        self._all_games = np.ones(self.num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next episode of all games, or of those in `options["reset_mask"]`.

        `seed` is one for game 0, the others having those that follow, or a list. Raises
        `ValueError` where seeds or mask do not fit.
        """
        chosen = self._reset_mask(options)
        seeds = self._seeds(seed)
        for game in map(int, np.flatnonzero(chosen)):
            own_seed = seeds[game]
            if own_seed is None and not self._seeded[game]:
                own_seed = int(self.np_random.integers(2**63))
            if own_seed is not None:
                self._batch.seed(game, own_seed)
        self._seeded |= chosen
        batch = self._batch
        batch.orders[:] = np.where(chosen, BEGIN, LOOK)
        batch.play()
        masks = np.where(chosen[:, None], batch.masks, np.int8(0))
        return self._observations(), _infos(masks, batch.learners, batch.numbers, chosen)

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Apply the learners' actions, integers `[N]`, and play on until they are asked again.

        Raises `IllegalActionError` as `illegal_action` says, with the number of the game, and
        `ValueError` where the shape is wrong or a game waits for its reset.
        """
        batch = self._batch
        choices = np.asarray(actions)
        if choices.shape != (self.num_envs,) or choices.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {choices.dtype} of shape {choices.shape}, must be integers of shape "
                f"({self.num_envs},)"
            )
        if choices.max() >= 2**63:
            raise ValueError(f"actions: {choices.max()}, must be from 0 to {NUM_ACTIONS - 1}")
        over = batch.terminated | batch.truncated
        if not batch.is_intact:
            raise ValueError("step: there is no episode; call reset first")
        orders = np.full(self.num_envs, ACT)
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        if not same_step and over.any():
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise ValueError(
                    f"step: game {int(np.argmax(over))} is over; reset it first, with "
                    'options={"reset_mask": ...}'
                )
            orders[over] = BEGIN
        learners, numbers = batch.learners.copy(), batch.numbers.copy()
        batch.orders[:] = orders
        batch.choices[:] = choices
        batch.play(same_step)
        infos = _infos(batch.masks.copy(), batch.learners, batch.numbers, self._all_games)
        if same_step and batch.ended.any():
            infos.update(self._final_infos(learners, numbers))
        return (
            self._observations(),
            batch.rewards.copy(),
            batch.terminated.copy(),
            batch.truncated.copy(),
            infos,
        )

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the masks as bool `[N, NUM_ACTIONS]`, True is legal."""
        return self._batch.bool_masks()

    def set_opponents(self, opponents: OpponentsLike, games: Sequence[int] | None = None) -> None:
        """Play against others from the next episode on, in all games or in some (numbers).

        Raises `ValueError` where opponents or games do not fit.
        """
        if games is not None and not isinstance(games, Iterable):
            raise ValueError(f"games: {games!r} must be a list of numbers of games")
        chosen = range(self.num_envs) if games is None else list(games)
        for game in chosen:
            if not _is_integer(game) or not 0 <= game < self.num_envs:
                raise ValueError(f"games: {game!r} must be from 0 to {self.num_envs - 1}")
        self._batch.set_opponents(opponents, chosen)

    def render(self) -> tuple[Any, ...]:
        """Return what each learner sees, one text or picture a game; see `UnoEnv.render`."""
        return tuple(self._batch.render(game, self.render_mode) for game in range(self.num_envs))

    def _reset_mask(self, options: dict[str, Any] | None) -> np.ndarray[Any, np.dtype[np.bool_]]:
        if options is not None and not isinstance(options, dict):
            raise ValueError(f"options={options!r}: must be a dict")
        if options is None or "reset_mask" not in options:
            return self._all_games
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError("reset_mask: must be a bool array with at least one True")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask: shape {mask.shape}, must be ({self.num_envs},)")
        if not mask.all() and not self._batch.is_intact:
            raise ValueError("reset_mask: the first reset must be of all games")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if _is_integer(seed):
            check_seed(seed)
            super().reset(seed=int(seed))
            return self._seeds([int(seed) + game for game in range(self.num_envs)])
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str | bytes):
            raise ValueError(f"seed={seed!r}: must be an integer, a list of them, or None")
        if isinstance(seed, np.ndarray):
            seed = list(np.atleast_1d(seed))
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} in a list, must be {self.num_envs}")
        for each in seeds:
            if each is not None:
                check_seed(each)
        return seeds

    def _observations(self) -> dict[str, Any]:
        return {"observation": self._batch.features, "action_mask": self._batch.masks.copy()}

    def _final_infos(self, learners: Any, numbers: Any) -> dict[str, Any]:
        """Return the last observations and infos of the episodes that have just ended."""
        ended = self._batch.ended.copy()
        masks = np.zeros_like(self._batch.masks)
        masks[ended] = 1
        final_obs = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            features = self._batch.last_features[game].copy()
            final_obs[game] = {"observation": features, "action_mask": masks[game].copy()}
        return {
            "final_obs": final_obs,
            "_final_obs": ended,
            "final_info": _infos(masks, learners, numbers, ended),
            "_final_info": ended.copy(),
        }


def _is_integer(value: Any) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _infos(masks: Any, learners: Any, numbers: Any, games: Any) -> dict[str, Any]:
    """Return the infos of some games (bool `[N]`) as Gymnasium batches them."""
    return {
        "action_mask": masks,
        "_action_mask": games.copy(),
        "seat": np.where(games, learners, 0),
        "_seat": games.copy(),
        "deal": np.where(games, numbers, 0),
        "_deal": games.copy(),
    }
