"""How likely worlds are by the choices of the others, for `evaluate_actions(belief=...)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.belief.likelihood import log_likelihood
from uno_sim.belief.models import SeatModel, make_model
from uno_sim.belief.past import MAX_RECORDS, new_past, plan_past
from uno_sim.belief.walk_back import new_walk
from uno_sim.belief.worlds import SLIP
from uno_sim.compilation import compiled
from uno_sim.moments import Moments
from uno_sim.observation import Observation, copy_rules
from uno_sim.random_stream import split
from uno_sim.rule_set import new_rules_record

_ASKING = 1
"""The branch of a world's key that policies which draw random numbers are asked by."""


class ChoiceBelief:
    """A belief that weighs worlds by what the others chose in them.

    `model`, `depth` and `slip` are those of `believe`: how the others are thought to play, how many
    of the last choices are looked at, how often a player does something else. `floor` is what share
    of the worlds `evaluate_actions` makes the weights worth; with 0 it leaves them as they are.
    """

    def __init__(
        self,
        model: SeatModel | Sequence[SeatModel | None] = "greedy",
        *,
        depth: int = MAX_RECORDS,
        slip: float = SLIP,
        floor: float = 0.0,
    ) -> None:
        self.model = model
        self.depth = depth
        self.slip = slip
        self.floor = floor

    def log_weights(self, observation: Observation, worlds: Any) -> Any:
        """Return the logarithms of the weights of some worlds, float64 `[W]`, up to a constant.

        The worlds are records that the observation allows. Raises `ValueError` where the model
        does not fit the players, and `IllegalActionError` where it takes an action not legal.
        """
        player = observation.player
        made = make_model(self.model, observation.num_players, player, self.slip)
        rules = new_rules_record()
        copy_rules(rules, observation.rules.record)
        past, steps, records = new_past()
        plan_past(observation.record, player, rules, self.depth, past, steps, records)
        log_weights = np.zeros(len(worlds))
        for part in Moments().slices(len(worlds)):
            weigh_all(
                worlds[part],
                rules,
                past,
                steps,
                records,
                new_walk(),
                made.arguments,
                np.zeros(made.shares.shape),
                log_weights[part],
            )
            made.check()
        return log_weights


@compiled(announce="uno_sim: compiling the belief, once: about 10 s")
def weigh_all(
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
    """Write the log weight of each world; `log_likelihood` says what the arguments are.

    The random numbers that it takes follow from the world's own key.
    """
    stream = np.empty(1, np.uint64)
    for number in range(len(worlds)):
        world = worlds[number]
        stream[0] = split(world.root, _ASKING)
        log_weights[number] = log_likelihood(
            world, rules, past, steps, records, walk, model, logs, stream
        )
