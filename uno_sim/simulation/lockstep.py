"""Lockstep: batched agents are asked once a step, each for all games that wait for it."""

from __future__ import annotations

import textwrap
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from uno_sim.actions import ACTION_NAMES, NUM_ACTIONS
from uno_sim.agent_table import IS_BATCHED, AgentTable
from uno_sim.policies import BatchedAgent, CompiledAgent
from uno_sim.rule_set import RuleSet
from uno_sim.rules.scoring import ROUND_OVER
from uno_sim.simulation.driver import OUTSIDE, Batch, observe_asked, take_actions
from uno_sim.speed_hints import for_call
from uno_sim.state import Phase, allocate

FAILURES = (Exception, SystemExit)
"""What an agent may raise that is its own failure."""

LONGEST_TEXT = 300
"""How much of an exception's text is told in another's."""

Answers = list[tuple[Any, Any]]
"""Games and the actions that were taken in them, step by step."""


class FailedAgentError(Exception):
    """An agent has failed in one game of a batch; the caller knows which it is.

    `game` is the number of the game in its batch, `problem` what was wrong, `is_illegal` whether
    the agent chose an action that is not legal. The cause is what the agent raised, if it did.
    """

    def __init__(self, game: int, problem: str, is_illegal: bool = False) -> None:
        super().__init__(game, problem)
        self.game = game
        self.problem = problem
        self.is_illegal = is_illegal


class WrongAnswerError(ValueError):
    """A batched agent has returned what are no actions, one an observation."""


def introduce(agents: Any, rules: RuleSet) -> None:
    """Tell the agents that want to know which rules are played.

    Raises `ValueError` where one raises, such as for rules that it cannot play by.
    """
    for agent in agents:
        use_rules = getattr(agent, "use_rules", None)
        if not isinstance(agent, CompiledAgent) and use_rules is not None:
            try:
                use_rules(rules)
            except FAILURES as error:
                raise ValueError(f"agent {agent.name!r}: use_rules raised {said(error)}") from error


def answer(
    table: AgentTable, rules: RuleSet, seats: Any, batch: Batch, given: Answers | None = None
) -> int:
    """Let each batched agent act once in all games that wait for it; return how many these are.

    `seats[g, p]` is the agent at seat p. What was answered is appended to `given`. Raises
    `FailedAgentError` where an agent raises, or returns no legal action a game.
    """
    states = np.asarray(batch.states)
    asked = states["current_player"]
    agents = seats[np.arange(len(seats)), np.maximum(asked, 0)]
    agents = np.where(states["phase"] < ROUND_OVER, agents, -1)
    moved = 0
    for number, agent in enumerate(table.agents):
        games = np.flatnonzero(agents == number)
        if len(games) and not isinstance(agent, CompiledAgent):
            actions = _actions_for(agent, rules, batch, games)
            refused = take_actions(
                rules.record,
                for_call(batch.states),
                for_call(batch.tallies),
                games,
                actions,
                batch.fault,
            )
            if refused >= 0:
                raise illegal_action(batch, int(games[refused]))
            if given is not None:
                # Every action is below 256, and there are millions of them.
                small = games.astype(np.min_scalar_type(len(seats))), actions.astype(np.uint8)
                given.append(small)
            moved += len(games)
    return moved


def _actions_for(agent: BatchedAgent, rules: RuleSet, batch: Batch, games: Any) -> Any:
    observations, seeds = allocate(len(games)), np.empty(len(games), np.uint64)
    observe_asked(for_call(batch.states), games, batch.streams, for_call(observations), seeds)
    handed = seeds.copy()
    try:
        return asked_actions(agent, rules, observations, handed)
    except FAILURES as error:
        failed = _fails_alone(agent, rules, batch, games, seeds)
        problem = problem_of(error)
        if failed is None:
            problem += f" (asked for {len(games)} decisions at once; this is the first)"
        raise FailedAgentError(int(games[failed or 0]), problem) from error


def problem_of(error: BaseException) -> str:
    """Return what was wrong where an agent was asked, in one line."""
    if isinstance(error, WrongAnswerError):
        return str(error)
    return f"raised {said(error)}{place_in(error)}"


def said(error: BaseException) -> str:
    """Return an exception in one line, its text cut where it is very long."""
    text = textwrap.shorten(str(error), LONGEST_TEXT, placeholder=" ...")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def place_in(error: BaseException) -> str:
    """Return the line that raised an exception, as ` (bot.py:31)`."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


def _fails_alone(
    agent: BatchedAgent, rules: RuleSet, batch: Batch, games: Any, seeds: Any
) -> int | None:
    """Return the place of a game that an agent fails in when it is asked for it alone.

    It is found by halves. None where it fails only for several at once.
    """

    def fails(start: int, end: int) -> bool:
        part = games[start:end]
        observations, unused = allocate(len(part)), np.empty(len(part), np.uint64)
        streams = batch.streams.copy()
        observe_asked(for_call(batch.states), part, streams, for_call(observations), unused)
        try:
            asked_actions(agent, rules, observations, seeds[start:end].copy())
        except FAILURES:
            return True
        return False

    start, end = 0, len(games)
    while end - start > 1:
        middle = (start + end) // 2
        if fails(start, middle):
            end = middle
        else:
            start = middle
    return start if len(games) == 1 or fails(start, end) else None


def asked_actions(agent: BatchedAgent, rules: RuleSet, observations: Any, seeds: Any) -> Any:
    """Return what an agent answers, int64 `[n]`; `WrongAnswerError` where it has not that shape.

    It is told the rules each time, since it may play elsewhere, by others, in between.
    """
    introduce([agent], rules)
    shape = seeds.shape
    given = agent.act(observations, seeds)
    answered = np.asarray(given)
    if answered.shape != shape or answered.dtype.kind not in "iu":
        told = "None" if given is None else f"{answered.dtype} of shape {answered.shape}"
        raise WrongAnswerError(
            f"returned {told} from act, must be integers of shape {shape}, "
            "one action an observation"
        )
    return answered.astype(np.int64)


def compiled_failure(
    table: AgentTable, seats: Any, batch: Batch, error: BaseException
) -> FailedAgentError:
    """Return the failure of the compiled agent that raised while a batch was played on.

    Games are played one after another, each until no compiled agent is asked any more; so it is
    the one that is asked in the first game where one is.
    """
    states = np.asarray(batch.states)
    asked = seats[np.arange(len(seats)), np.maximum(states["current_player"], 0)]
    is_compiled = (asked != OUTSIDE) & (np.asarray(table.rows)["call"][asked] != IS_BATCHED)
    game = int(np.argmax(is_compiled & (states["phase"] < ROUND_OVER)))
    return FailedAgentError(game, f"raised {said(error)}")


def illegal_action(batch: Batch, game: int) -> FailedAgentError:
    """Return the failure of an agent whose action, in `batch.fault`, is not legal in a game."""
    problem = illegal_answer(int(batch.fault[0]), Phase(int(batch.states[game].phase)))
    return FailedAgentError(game, problem, is_illegal=True)


def illegal_answer(action: int, phase: Phase) -> str:
    """Return what was wrong where an agent chose an action that is not legal."""
    named = f" ({ACTION_NAMES[action]})" if 0 <= action < NUM_ACTIONS else ""
    return f"returned {action}{named}, which is not legal in {phase.name}"
