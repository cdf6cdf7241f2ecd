"""The keywords that all environments share, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from uno_sim.rule_set import UNO_DUO, UNO_POCKET, RuleSet, check_rule_set

RULES = {"duo": UNO_DUO, "pocket": UNO_POCKET}
"""The rule sets that the keyword `rules` knows by name."""

EPISODES = ("round", "game")
REWARDS = ("win", "points")
ILLEGAL_ACTIONS = ("raise", "terminate", "random")
RAISE, TERMINATE, RANDOM = range(3)
RENDER_MODES = ("ansi", "rgb_array")

ANY_SEAT = -1

SETTINGS_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("num_players", np.int64),
                ("seat", np.int64),
                ("illegal_action", np.int64),
                ("illegal_reward", np.float64),
                ("whole_games", np.bool_),
                ("points", np.bool_),
                ("skip_forced", np.bool_),
            ],
            align=True,
        ),
    )
)


@dataclass(frozen=True)
class Settings:
    """What an episode is, and what it rewards; see `uno_sim.envs.single.UnoEnv`."""

    rules: RuleSet
    num_players: int
    episode: str
    reward: str
    seat: int | str
    illegal_action: str
    skip_forced: bool

    def __post_init__(self) -> None:
        check_rule_set(self.rules)
        self.rules.check_players(self.num_players)
        self.rules.check_deal(self.rules.num_cards, self.num_players)
        check_choice("episode", self.episode, EPISODES)
        check_choice("reward", self.reward, REWARDS)
        check_choice("illegal_action", self.illegal_action, ILLEGAL_ACTIONS)
        is_number = isinstance(self.seat, int | np.integer) and not isinstance(self.seat, bool)
        is_seat = is_number and 0 <= int(self.seat) < self.num_players
        if not is_seat and not (isinstance(self.seat, str) and self.seat == "random"):
            raise ValueError(
                f"seat={self.seat!r}: must be a seat from 0 to {self.num_players - 1}, or 'random'"
            )
        if not isinstance(self.skip_forced, bool):
            raise ValueError(f"skip_forced={self.skip_forced!r}: must be True or False")

    @property
    def record(self) -> Any:
        """The settings as an array of one record, for compiled code."""
        row = np.zeros(1, SETTINGS_DTYPE).view(np.recarray)
        row.num_players = self.num_players
        row.seat = ANY_SEAT if self.seat == "random" else self.seat
        row.illegal_action = ILLEGAL_ACTIONS.index(self.illegal_action)
        row.illegal_reward = -1.0 if self.reward == "win" else -float(self.rules.target)
        row.whole_games = self.episode == "game"
        row.points = self.reward == "points"
        row.skip_forced = self.skip_forced
        return row


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise `ValueError` where a keyword has none of its values."""
    if value not in choices:
        raise ValueError(f"{name}={value!r}: must be {' or '.join(map(repr, choices))}")


def find_rules(rules: RuleSet | str) -> RuleSet:
    """Return the rule set of a name, or a rule set as it is; `ValueError` for anything else."""
    if isinstance(rules, str):
        check_choice("rules", rules, tuple(RULES))
        return RULES[rules]
    return rules
