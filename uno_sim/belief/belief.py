"""`believe`: what an observer should think of the hidden hands, given how the others played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from uno_sim import state as states
from uno_sim.belief.models import Model, SeatModel, make_model
from uno_sim.belief.past import MAX_RECORDS, NO_STEP, NO_VERDICT, new_past, plan_past
from uno_sim.belief.walk_back import UNTOLD, new_walk
from uno_sim.belief.worlds import BATCHES, FLOOR, SLIP, effective_worlds, tempered, weigh_worlds
from uno_sim.cards import CARD_NAMES, NUM_KINDS
from uno_sim.determinization import new_plan, plan_worlds
from uno_sim.moments import Moments
from uno_sim.observation import Observation, copy_rules
from uno_sim.random_stream import WORLDS, seed_key
from uno_sim.rule_set import new_rules_record
from uno_sim.state import Phase


@dataclass(frozen=True, eq=False)
class Belief:
    """What an observer believes: arrays by seat and kind, and the worlds that they are means of."""

    observation: Observation
    counts: Any
    """Expected cards of each kind in each hand, float64 `[P, K]`; the own hand is known."""
    chances: Any
    """Probability that a hand holds at least one card of a kind, float64 `[P, K]`."""
    guilt: float | None
    """Probability that the last wild draw of another player was a bluff (C8); None without one."""
    guilt_seat: int | None
    """Who laid that wild draw."""
    model: pd.DataFrame
    """Shares of the policies by seat, before (`prior`) and after (`posterior`) what was seen."""
    hands: Any
    """The hands of the worlds, uint8 `[W, P, K]`."""
    weights: Any
    """Their weights, float64 `[W]`, which sum to 1."""
    effective_worlds: float
    """How many worlds of one weight tell as much."""
    power: float
    """The power that the weights were taken to; below 1 where too few worlds had most of them."""
    choices: int
    """How many choices of the others were weighed."""

    @property
    def frame(self) -> pd.DataFrame:
        """One row a seat and kind that may be held: `seat, card, expected, at_least_one`."""
        seats, kinds = np.nonzero(self.counts > 0.0)
        return pd.DataFrame(
            {
                "seat": seats,
                "card": [CARD_NAMES[kind] for kind in kinds],
                "expected": self.counts[seats, kinds],
                "at_least_one": self.chances[seats, kinds],
            }
        )

    def chance_of_any(self, seat: int, kinds: Sequence[int]) -> float:
        """Return the probability that a hand holds a card of any of some kinds."""
        holds = self.hands[:, seat][:, list(kinds)].any(axis=1)
        return min(1.0, float(self.weights @ holds))

    def __repr__(self) -> str:
        """Return a short name."""
        return (
            f"<Belief of seat {self.observation.player} from {len(self.weights)} worlds, "
            f"worth {self.effective_worlds:.0f}>"
        )


def believe(
    observation: Observation,
    model: SeatModel | Sequence[SeatModel | None] | None = "greedy",
    worlds: int = 2000,
    seed: int = 0,
    *,
    depth: int = MAX_RECORDS,
    slip: float = SLIP,
    floor: float = FLOOR,
    batches: int = BATCHES,
) -> Belief:
    """Return what the observer should believe of the hidden hands.

    Worlds are drawn uniformly from all that the observation allows, and weighed by how likely the
    choices of the others are in them (`likelihood`). `model` tells how the others play: a compiled
    agent (a name, an agent, a policy); a mixture, agents with their shares; a list with one of
    these for each seat (None: nothing is told); or None, so that choices tell nothing. `depth` is
    how many of the last choices are looked at, `slip` how often a player does something else.
    Where the weights are worth fewer worlds than the share `floor` of them, as many worlds are
    drawn again, up to so many `batches`. Where that is not enough a power below 1 is taken of the
    weights, and the belief is that much nearer to the one without a model.

    The same arguments give the same belief. Raises `ValueError` where an argument does not fit, or
    the round is over, and `IllegalActionError` where the model takes an action not legal.
    """
    if not isinstance(observation, Observation):
        raise ValueError(f"observation {observation!r}: must be what `Game.observation` returns")
    if observation.phase in (Phase.ROUND_OVER, Phase.GAME_OVER):
        raise ValueError("observation: the round is over, nothing is left to believe")
    _check_count("worlds", worlds, 1)
    _check_count("depth", depth, 0)
    _check_count("batches", batches, 1)
    if not isinstance(floor, int | float) or not 0.0 <= floor <= 1.0:
        raise ValueError(f"floor={floor!r}: must be a number from 0 to 1")
    key = seed_key(seed, 0, WORLDS)
    player, num_players = observation.player, observation.num_players
    made = make_model([None] * num_players if model is None else model, num_players, player, slip)
    rules = new_rules_record()
    copy_rules(rules, observation.rules.record)
    plan = new_plan()
    plan_worlds(observation.record, player, plan)
    past, steps, records = new_past()
    plan_past(observation.record, player, rules, depth, past, steps, records)
    if not made.agents:
        # Nothing is told by choices, so no card is preferred.
        steps.spared = 0
    shape = made.shares.shape
    drawn: list[tuple[Any, ...]] = []
    weights, moments = np.zeros(0), Moments()
    while not drawn or (effective_worlds(weights) < floor * worlds and len(drawn) < batches):
        batch = (
            np.zeros((worlds, num_players, NUM_KINDS), np.uint8),
            np.full(worlds, UNTOLD, np.int8),
            np.zeros(worlds),
            np.zeros((worlds, *shape)),
        )
        for part in moments.slices(worlds):
            weigh_worlds(
                observation.record,
                player,
                rules,
                plan,
                past,
                steps,
                records,
                new_walk(),
                made.arguments,
                states.allocate(1)[0],
                key,
                worlds * len(drawn) + part.start,
                *(array[part] for array in batch),
            )
            made.check()
        drawn.append(batch)
        weights = tempered(np.concatenate([one[2] for one in drawn]), 0.0)[0]
    hands, guilty, log_weights, logs = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    weights, power = tempered(log_weights, floor * worlds)
    counts, chances = (np.einsum("w,wpk->pk", weights, array) for array in (hands, hands > 0))
    chances = np.minimum(chances, 1.0)  # the weights sum to 1 but for the last bits
    counts[player] = observation.record.hands[player]
    chances[player] = counts[player] > 0
    guilt, guilt_seat = _guilt(observation, past, guilty, weights)
    return Belief(
        observation,
        counts,
        chances,
        guilt,
        guilt_seat,
        _posterior(made, logs, weights, num_players, player),
        hands,
        weights,
        effective_worlds(weights),
        power,
        int(past.num_records),
    )


def _guilt(
    observation: Observation, past: Any, guilty: Any, weights: Any
) -> tuple[float | None, int | None]:
    asked = observation.phase == Phase.CHALLENGE and observation.record.actor != observation.player
    if asked:
        seat = int(observation.record.actor)
    elif past.wild_draw_step != NO_STEP:
        seat = int(past.wild_draw_seat)
        if past.verdict != NO_VERDICT:
            return float(past.verdict), seat
    else:
        return None, None
    told = guilty != UNTOLD
    return min(1.0, float(weights[told] @ guilty[told] / weights[told].sum())), seat


def _posterior(made: Model, logs: Any, weights: Any, num_players: int, player: int) -> pd.DataFrame:
    rows = []
    for seat in range(num_players):
        prior = made.shares[seat]
        if seat == player or not prior.any():
            continue
        chances = prior * np.exp(logs[:, seat] - logs[:, seat][:, prior > 0].max(axis=1)[:, None])
        posterior = weights @ (chances / chances.sum(axis=1)[:, None])
        rows += [
            (seat, name, before, after)
            for name, before, after in zip(made.names, prior, posterior, strict=True)
            if before > 0
        ]
    return pd.DataFrame(rows, columns=["seat", "policy", "prior", "posterior"])


def _check_count(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}={value!r}: must be an integer of at least {least}")
