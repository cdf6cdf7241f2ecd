"""What is raced in `benchmarks.speed`, each with fixed seeds and a fixed number of rounds."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, compiled, make_agent, simulate
from uno_sim.agent_table import AgentTable
from uno_sim.policies import random_legal_action
from uno_sim.rules.dealing import begin_game
from uno_sim.rules.scoring import ROUND_OVER
from uno_sim.rules.transition import start_round, step
from uno_sim.simulation.driver import Batch, advance, start_rounds
from uno_sim.simulation.seating import row_plan, seat_tables
from uno_sim.state import allocate

GAMES_AT_ONCE = 512
"""How many games are side by side in a batch, as many as `simulate` has."""


class Sample(NamedTuple):
    """One measurement."""

    decisions: int
    seconds: float
    """CPU time."""


@dataclass(frozen=True)
class Contender:
    """Something that makes decisions: `play(seed)` makes them and returns how many."""

    name: str
    play: Callable[[int], int]
    is_random_duo: bool = False
    """Whether it plays what the plain C program plays: two random players, Duo."""

    def measure(self, seed: int) -> Sample:
        """Return how many decisions a seed makes, and the CPU time of this process for it."""
        start = time.process_time()
        decisions = self.play(seed)
        return Sample(decisions, time.process_time() - start)


@compiled
def play_at_random(state: Any, rules: Any, players: Any, root: Any, rounds: Any) -> Any:
    """Play rounds in which all act uniformly at random, and return the number of decisions."""
    begin_game(state, root, players)
    stream = np.full(1, root, np.uint64)
    decisions = 0
    for _ in range(rounds):
        start_round(state, rules)
        while state.phase < ROUND_OVER:
            step(state, rules, random_legal_action(state, stream))
            decisions += 1
    return decisions


def engine(rules: RuleSet, players: int, rounds: int) -> Contender:
    """The rules alone: one compiled loop, no observation, no agent, no rows."""

    def play(seed: int) -> int:
        state = allocate(1)[0]
        return int(play_at_random(state, rules.record, players, np.uint64(seed), rounds))

    name = f"engine alone, random, {players} players, {rules.name}"
    return Contender(name, play, rules is UNO_DUO)


def bare_driver(rules: RuleSet, agent: str, batches: int) -> Contender:
    """The driver as `simulate` calls it, but without rows: observations and agents are in."""
    players = 2
    table = AgentTable([make_agent(agent)] * players)
    batch = Batch(GAMES_AT_ONCE, players, table.memory_room)
    seats = seat_tables(players, True)
    deals, rotations = row_plan(0, batches * GAMES_AT_ONCE, len(seats), True)

    def play(seed: int) -> int:
        decisions = 0
        for start in range(0, len(deals), GAMES_AT_ONCE):
            part = slice(start, start + GAMES_AT_ONCE)
            batch.clear()
            states, memories, streams, tallies = batch.arguments[:4]
            start_rounds(
                rules.record,
                players,
                np.uint64(seed),
                deals[part],
                rotations[part],
                states,
                memories,
                streams,
                tallies,
            )
            advance(rules.record, seats[rotations[part]], *table.arguments, *batch.arguments)
            decisions += int(batch.tallies.decisions.sum())
        return decisions

    name = f"driver alone, {agent} against {agent}, {rules.name}"
    return Contender(name, play, rules is UNO_DUO and agent == "random")


def simulation(rules: RuleSet, agent: str, batches: int) -> Contender:
    """`simulate`, from the call to the finished frames, with the same rounds."""

    def play(seed: int) -> int:
        rounds = batches * GAMES_AT_ONCE
        results = simulate(rules, [agent, agent], rounds=rounds, seed=seed)
        return int(results.rounds["decisions"].sum())

    name = f"simulate, {agent} against {agent}, {rules.name}"
    return Contender(name, play, rules is UNO_DUO and agent == "random")


def python_loop(rounds: int) -> Contender:
    """Single games stepped from Python: the legal actions as a list, one of them taken."""

    def play(seed: int) -> int:
        decisions = 0
        generator = random.Random(seed)
        for number in range(rounds):
            game = Game(UNO_DUO, seed=seed * rounds + number)
            while game.phase < Phase.ROUND_OVER:
                legal = game.legal_actions()
                game.step(legal[int(generator.random() * len(legal))])
                decisions += 1
        return decisions

    return Contender(f"Game, stepped from Python, {UNO_DUO.name}", play)


def engines(scale: float) -> Sequence[Contender]:
    """Return the engine in both games; a measurement takes some 0.3 s at scale 1."""
    return [
        engine(UNO_DUO, 2, int(20_000 * scale)),
        engine(UNO_POCKET, 2, int(10_000 * scale)),
        engine(UNO_POCKET, 4, int(10_000 * scale)),
    ]


def drivers_and_simulations(scale: float) -> Sequence[tuple[Contender, Contender]]:
    """Return pairs that play the same rounds: the driver alone, and `simulate`."""
    return [
        (bare_driver(rules, agent, batches), simulation(rules, agent, batches))
        for rules in (UNO_DUO, UNO_POCKET)
        for agent, batches in (("random", int(40 * scale)), ("greedy", int(200 * scale)))
    ]
