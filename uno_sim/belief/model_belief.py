"""Weights for worlds that somebody else has drawn, such as those of `evaluate_actions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.belief.likelihood import log_likelihood
from uno_sim.belief.models import SeatModel, make_model
from uno_sim.belief.past import MAX_RECORDS, new_past, plan_past
from uno_sim.belief.walk_back import new_walk
from uno_sim.belief.worlds import SLIP, tempered
from uno_sim.compilation import compiled
from uno_sim.observation import Observation, copy_rules
from uno_sim.random_stream import split
from uno_sim.rule_set import new_rules_record

FLOOR_OF_GIVEN = 0.02
"""What share of the worlds the weights must be worth."""


class ModelBelief:
    """How likely worlds are if the others play as a model says; see `believe` for the arguments."""

    def __init__(
        self,
        model: SeatModel | Sequence[SeatModel | None] = "greedy",
        *,
        depth: int = MAX_RECORDS,
        slip: float = SLIP,
        floor: float = FLOOR_OF_GIVEN,
    ) -> None:
        self.model = model
        self.depth = depth
        self.slip = slip
        self.floor = floor

    def log_weights(self, observation: Observation, worlds: Any) -> Any:
        """Return the log weights of worlds of an observation, records `[W]`, float64 `[W]`.

        A world's weight follows from the observation and the world alone.
        """
        given, player = observation.record, observation.player
        model = make_model(self.model, observation.num_players, player, self.slip)
        rules = new_rules_record()
        copy_rules(rules, observation.rules.record)
        past, steps, records = new_past()
        plan_past(given, player, rules, self.depth, past, steps, records)
        log_weights = np.zeros(len(worlds))
        weigh_given_worlds(
            worlds,
            rules,
            past,
            steps,
            records,
            new_walk(),
            model.arguments,
            np.zeros(model.shares.shape),
            log_weights,
        )
        return log_weights

    def temper(self, log_weights: Any) -> Any:
        """Return the logarithms of the weights of all worlds, taken to the power that they need."""
        return log_weights * tempered(log_weights, self.floor * len(log_weights))[1]


@compiled(announce="uno_sim: compiling the belief, once: about 10 s")
def weigh_given_worlds(
    worlds: Any,
    rules: Any,
    past: Any,
    steps: Any,
    records: Any,
    walk: Any,
    model: Any,
    logs: Any,
    log_weights: Any,
) -> None:
    """Write the log weights `[W]` of worlds; each is walked back with a stream of its own."""
    stream = np.empty(1, np.uint64)
    for number in range(len(worlds)):
        # Its deals to come are drawn from its own stream, which is left as it is.
        stream[0] = split(worlds[number].random[0], 0)
        log_weights[number] = log_likelihood(
            worlds[number], rules, past, steps, records, walk, model, logs, stream
        )
