"""The Gymnasium environment: one seat is the learner's, agents play the others."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from uno_sim.actions import NUM_ACTIONS
from uno_sim.envs.episode_batch import EpisodeBatch
from uno_sim.envs.episodes import ACT, BEGIN
from uno_sim.envs.opponents import OpponentsLike
from uno_sim.envs.settings import RENDER_MODES, Settings, check_choice, find_rules
from uno_sim.features import NUM_FEATURES
from uno_sim.random_stream import check_seed
from uno_sim.rule_set import RuleSet


def features_space() -> spaces.Box:
    """Return the space of the features, see docs/observations.md."""
    return spaces.Box(-1.0, 2.0**31, (NUM_FEATURES,), np.float32)


def observation_space() -> spaces.Dict:
    """Return the space of the features and the mask: 1 is legal; all ones when all is over."""
    mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
    return spaces.Dict({"observation": features_space(), "action_mask": mask})


class UnoEnv(gymnasium.Env[dict[str, Any], Any]):
    """UNO for one learner.

    * Observation: a dict of `observation`, the features of what the learner knows, float32
      `[NUM_FEATURES]`, and `action_mask`, int8 `[NUM_ACTIONS]`, 1 is legal. The mask is also in
      `info`, and `action_masks()` returns it as bool. When the episode is over it is all ones.
    * Action: an integer, see `uno_sim.action_name`.
    * Reward: with `reward="win"` 1 for a win, -1 for a loss, 0 else; with `"points"` what the
      learner scored in a round, less what the others did on average, the sign such that more is
      better. It arrives with the learner's last step, whoever ended the round.
    * `terminated`: the round, or the game with `episode="game"`, is over. `truncated`: the round
      was capped (C12), or a whole game was given up after 10,000 rounds.
    * `info`: `action_mask`; `seat`, the learner's; `deal`, the number of the episode since the last
      seeded reset. With the same seed, `uno_sim.simulate` plays it as this deal.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rules: RuleSet | str = "duo",
        num_players: int = 2,
        opponents: OpponentsLike = "random",
        episode: str = "round",
        reward: str = "win",
        seat: int | str = "random",
        illegal_action: str = "raise",
        skip_forced: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Set up an environment; `reset` deals.

        Parameters
        ----------
        rules
            A rule set, or `"duo"` or `"pocket"`.
        opponents
            An agent (a name, an agent or a policy) for all other seats; or a list with one for
            each, in the order of the seats after the learner's; or in place of an agent a mapping
            of agents to weights, from which one is drawn for each seat and episode.
        episode
            `"round"`, or `"game"` to the target.
        seat
            The learner's seat, or `"random"`: drawn for each episode.
        illegal_action
            What an illegal action does: `"raise"` an `IllegalActionError`, changing nothing;
            `"terminate"` the episode, with reward -1, or minus the target with `reward="points"`;
            or be replaced by a `"random"` legal one.
        skip_forced
            Whether the learner is spared decisions with a single legal action.

        Raises
        ------
        ValueError
            Where a keyword does not fit; the message names it.
        """
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.settings = Settings(
            find_rules(rules), num_players, episode, reward, seat, illegal_action, skip_forced
        )
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self._batch = EpisodeBatch(1, self.settings, opponents)
        self._seeded = False
        self._playing = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next episode; with a seed the first of its own. `options` are not used."""
        if seed is not None:
            check_seed(seed)
            seed = int(seed)
        super().reset(seed=seed)
        if seed is not None:
            self._batch.seed(0, seed)
        elif not self._seeded:
            self._batch.seed(0, int(self.np_random.integers(2**63)))
        self._seeded = True
        self._batch.orders[0] = BEGIN
        self._playing = False
        self._batch.play()
        self._playing = True
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Apply the learner's action, and play on until it is asked again or all is over.

        Raises `IllegalActionError` as `illegal_action` says, and `ValueError` where there is no
        episode to play.
        """
        if not self._playing or not self._batch.is_intact:
            raise ValueError("step: there is no episode; call reset first")
        self._batch.choices[0] = _action_number(action)
        self._batch.orders[0] = ACT
        self._batch.play()
        terminated, truncated = bool(self._batch.terminated[0]), bool(self._batch.truncated[0])
        self._playing = not (terminated or truncated)
        return (
            self._observation(),
            float(self._batch.rewards[0]),
            terminated,
            truncated,
            self._info(),
        )

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the mask as bool `[NUM_ACTIONS]`, True is legal, as sb3-contrib wants it."""
        return self._batch.bool_masks()[0]

    def set_opponents(self, opponents: OpponentsLike) -> None:
        """Play against others from the next episode on; `ValueError` where they do not fit."""
        self._batch.set_opponents(opponents, [0])

    def render(self) -> Any:
        """Return what the learner sees: text, or a picture uint8 `[height, width, 3]`."""
        return self._batch.render(0, self.render_mode)

    def _observation(self) -> dict[str, Any]:
        return {"observation": self._batch.features[0], "action_mask": self._batch.masks[0].copy()}

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._batch.masks[0].copy(),
            "seat": int(self._batch.learners[0]),
            "deal": int(self._batch.numbers[0]),
        }


def _action_number(action: Any) -> int:
    """Return an action as an integer that an array holds; `ValueError` where it is none."""
    try:
        number = operator.index(action)
    except TypeError:
        number = None
    if number is None or isinstance(action, bool | np.bool_):
        raise ValueError(f"action {action!r}: must be an integer")
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"action {number}: must be from 0 to {NUM_ACTIONS - 1}")
    return number
