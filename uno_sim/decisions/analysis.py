"""`evaluate_actions`: what each legal action is worth in a position, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from uno_sim.actions import action_name
from uno_sim.agent_table import AgentTable
from uno_sim.decisions.rollouts import ENDLESS, IS_OVER, fill_worlds, try_actions
from uno_sim.decisions.values import effective_number, means_and_errors
from uno_sim.decisions.weighing import Belief, Weighing
from uno_sim.determinization import new_plan, plan_worlds
from uno_sim.explanation import IllegalActionError
from uno_sim.game import Game
from uno_sim.moments import Moments
from uno_sim.observation import Observation
from uno_sim.policies import CompiledAgent
from uno_sim.random_stream import WORLDS, seed_key
from uno_sim.registry import AgentLike, make_agent
from uno_sim.rule_set import LOSER_SCORES, MAX_ROUNDS, RULES_DTYPE
from uno_sim.speed_hints import for_call
from uno_sim.state import allocate
from uno_sim.statistics import normal_quantile

SLICE = 64
"""How many worlds are drawn and weighed at once."""


def evaluate_actions(
    game_or_observation: Game | Observation,
    policy: AgentLike | Sequence[AgentLike] = "greedy",
    worlds: int = 1000,
    seed: int = 0,
    *,
    confidence: float = 0.95,
    games: bool = True,
    belief: Belief | None = None,
    memory: Any = None,
) -> pd.DataFrame:
    """Return what each legal action is worth to the player who is asked, the best one first.

    Worlds are drawn from what that player knows. In each of them every action is tried with the
    same random numbers, and `policy`, a compiled agent or one for each seat, plays on: to the end
    of the round, and, if `games`, of the game. `memory` is what the asked player's policy
    remembers of the round so far (nothing by default). `belief` says how likely worlds are (equally
    by default): a model of the others, such as `"greedy"`, whose choices then tell of their hands
    (as in `believe`; `docs/belief.md` says what differs), or a `Weigher`. The same arguments give
    the same table. Columns:

    * `action`, `action_id`: its text and its number.
    * `points`: expected points of the round, the reward `"points"` of the environments: own less
      the mean of the others', with the sign turned where points are bad, so that more is better.
    * `win`, `game`: chance to win the round, and the game (NaN without `games`).
    * `points_se`, `win_se`, `game_se`: standard errors. They and the interval are NaN where a
      belief leaves fewer than 30 effective worlds (`FEWEST_EFFECTIVE`).
    * `difference`, `difference_low`, `difference_high`: points less those of the first row, in the
      same worlds, and the interval of this confidence.
    * `worlds`, `effective_worlds`: how many were drawn, and how many equally likely ones would tell
      as much (fewer only with a belief).
    * `power`: the power that the weights were taken to, so that no few worlds have all of them; 1
      but with a model as the belief.

    Raises `ValueError` where nobody is asked or the observer is not, an argument does not fit, or a
    game would never end, and `IllegalActionError` where a policy, or the model of the others,
    returns an action that is not legal.
    """
    observation = _asked(game_or_observation)
    if not isinstance(worlds, int | np.integer) or isinstance(worlds, bool) or worlds < 2:
        raise ValueError(f"worlds={worlds!r}: must be an integer of at least 2")
    normal_quantile(confidence)
    if not isinstance(games, bool | np.bool_):
        raise ValueError(f"games={games!r}: must be True or False")
    rollouts = _Rollouts(observation, _seat_agents(policy, observation), seed, memory)
    weighing = Weighing(belief, observation, worlds)
    moments, outcomes, batches = Moments(), [], 0
    while not batches or weighing.is_worth_little(batches):
        for first in range(batches * worlds, (batches + 1) * worlds, SLICE):
            drawn = rollouts.draw_worlds(first, min(SLICE, (batches + 1) * worlds - first))
            weighing.add(drawn)
            for part in moments.slices(len(drawn)):
                outcomes.append(rollouts.play(first + part.start, drawn[part], bool(games)))
        batches += 1
    weights, power = weighing.weights()
    points, wins, game_wins = (np.concatenate(parts) for parts in zip(*outcomes, strict=True))
    table = _table(rollouts.actions, points, wins, game_wins, weights, confidence, games)
    return table.assign(power=power)


def _asked(game_or_observation: Game | Observation) -> Observation:
    """Return the observation of the player who is asked."""
    given = game_or_observation
    if not isinstance(given, Game | Observation):
        raise ValueError(f"game_or_observation={given!r}: must be a Game or an Observation")
    asked = given.current_player
    if asked is None:
        raise ValueError(f"nobody is asked: the phase is {given.phase.name}")
    if isinstance(given, Game):
        return given.observation(asked)
    if given.player != asked:
        raise ValueError(f"observation of seat {given.player}, but seat {asked} is asked")
    return given


def _seat_agents(
    policy: AgentLike | Sequence[AgentLike], observation: Observation
) -> list[CompiledAgent]:
    """Return the agent of each seat."""
    seats = observation.num_players
    if isinstance(policy, Sequence) and not isinstance(policy, str):
        given = [make_agent(agent) for agent in policy]
    else:
        given = [make_agent(policy)] * seats
    if len(given) != seats:
        raise ValueError(f"policy: {len(given)} for {seats} seats; must be one, or one for each")
    agents = []
    for agent in given:
        if not isinstance(agent, CompiledAgent):
            raise ValueError(f"policy {agent.name!r}: must be a compiled agent")
        agents.append(agent)
    return agents


class _Rollouts:
    """The arrays that the compiled calls for one decision take."""

    def __init__(
        self, observation: Observation, agents: list[CompiledAgent], seed: int, memory: Any
    ) -> None:
        self.observation = observation
        self.agents = agents
        self.key = seed_key(seed, 0, WORLDS)
        self.actions = np.array(observation.legal_actions())
        self.plan = new_plan()
        plan_worlds(observation.record, observation.player, self.plan)
        table = AgentTable(agents)
        seats = observation.num_players
        self.start_memories = np.zeros((seats, table.memory_room), np.float32)
        if memory is not None:
            size = agents[observation.player].policy.memory_size
            remembered = np.asarray(memory, np.float32)
            if remembered.shape != (size,):
                raise ValueError(f"memory: has shape {remembered.shape}, must be ({size},)")
            self.start_memories[observation.player, :size] = remembered
        self.streams = np.zeros(seats, np.uint64)
        self.fault = np.zeros(2, np.int64)
        self.arguments = (
            self.start_memories,
            *table.arguments,
            np.zeros_like(self.start_memories),
            self.streams,
            for_call(allocate(2)),
            for_call(np.zeros(1, RULES_DTYPE).view(np.recarray)),
        )

    def draw_worlds(self, first: int, count: int) -> Any:
        """Return the worlds from number `first` on, records `[W]`."""
        worlds = allocate(count)
        given = self.observation
        fill_worlds(
            given.record,
            given.player,
            given.rules.record,
            self.plan,
            self.key,
            first,
            for_call(worlds),
            np.zeros(1, np.uint64),
        )
        return worlds

    def play(self, first: int, worlds: Any, games: bool) -> tuple[Any, Any, Any]:
        """Return points, round wins and game wins of the player in some worlds, `[W, A]` each."""
        shape = len(worlds), len(self.actions)
        points = np.zeros((*shape, self.observation.num_players), np.int32)
        winners, game_winners = np.full(shape, -1, np.int8), np.full(shape, -1, np.int8)
        reached = try_actions(
            self.observation.rules.record,
            self.key,
            first,
            for_call(worlds),
            self.actions,
            games,
            *self.arguments,
            points,
            winners,
            game_winners,
            self.fault,
        )
        if reached != IS_OVER:
            raise self._failure(reached)
        player = self.observation.player
        rules = self.observation.rules.record
        others = (points.sum(axis=2) - points[:, :, player]) / (points.shape[2] - 1)
        lead = points[:, :, player] - others
        sign = -1.0 if rules.scorer == LOSER_SCORES else 1.0
        return sign * lead, (winners == player) * 1.0, (game_winners == player) * 1.0

    def _failure(self, reached: int) -> ValueError:
        tried = action_name(int(self.actions[self.fault[1]]))
        if reached == ENDLESS:
            return ValueError(
                f"games: after {tried} a game is not over after {MAX_ROUNDS:,} rounds; with these "
                f"rules they score too little for target={self.observation.rules.target}"
            )
        names = ", ".join(sorted({agent.name for agent in self.agents}))
        return IllegalActionError(
            f"policy {names}: after {tried} it returned action {self.fault[0]}, which is not legal"
        )


def _table(
    actions: Any,
    points: Any,
    wins: Any,
    game_wins: Any,
    weights: Any,
    confidence: float,
    games: bool,
) -> pd.DataFrame:
    """Return the table of `evaluate_actions`."""
    means, errors = means_and_errors(points, weights)
    best = int(means.argmax())
    differences, difference_errors = means_and_errors(points - points[:, [best]], weights)
    half = normal_quantile(confidence) * difference_errors
    win, win_errors = means_and_errors(wins, weights)
    game, game_errors = means_and_errors(game_wins, weights)
    frame = pd.DataFrame(
        {
            "action": [action_name(int(action)) for action in actions],
            "action_id": actions,
            "points": means,
            "points_se": errors,
            "win": win,
            "win_se": win_errors,
            "game": game if games else np.nan,
            "game_se": game_errors if games else np.nan,
            "difference": differences,
            "difference_low": differences - half,
            "difference_high": differences + half,
            "worlds": len(points),
            "effective_worlds": effective_number(weights),
        }
    )
    return frame.sort_values("points", ascending=False, kind="stable", ignore_index=True)
