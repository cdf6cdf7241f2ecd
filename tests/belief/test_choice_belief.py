"""`ChoiceBelief`: worlds weighed by the others' choices, for the values of actions."""

from typing import Any

import numpy as np
import pytest

from uno_sim import UNO_DUO, Game, believe, determinize, evaluate_actions
from uno_sim.belief.belief import Belief
from uno_sim.belief.choices import ChoiceBelief
from uno_sim.rules.challenge import is_guilty
from uno_sim.state import allocate

POSITION = "hands: WD R1 B2 B3 G4 G6 | G1 G2 Y3\ndiscard: R5\ndraw: " + " ".join(
    f"{color}{number}" for color in "RYGB" for number in range(1, 10)
)


def asked() -> Game:
    """Return a game whose player is asked whether to challenge a wild draw with 5 cards left."""
    game = Game.from_position(UNO_DUO, POSITION)
    game.step("WD:B")
    return game


def weighted_guilt(belief: Any, power: float = 1.0, count: int = 400) -> float:
    """Return the share of guilty worlds, with weights taken to a power."""
    observation = asked().observation(1)
    worlds = allocate(count)
    for number in range(count):
        worlds[number] = determinize(observation, number).state
    logs = np.zeros(count) if belief is None else belief.log_weights(observation, worlds)
    weights = np.exp(power * (logs - logs.max()))
    guilty = [is_guilty(world, UNO_DUO.record, world.actor) for world in worlds]
    return float(weights @ np.array(guilty, float) / weights.sum())


@pytest.mark.parametrize("model", ["greedy", "bluffer:rate=0.3", "random"])
def test_worlds_are_weighed_as_by_believe(model: str) -> None:
    expected = believe(asked().observation(1), model, worlds=4000)
    assert isinstance(expected, Belief)
    assert expected.guilt is not None
    guilt = weighted_guilt(ChoiceBelief(model), expected.power)
    assert guilt == pytest.approx(expected.guilt, abs=0.08)


def test_whoever_never_bluffs_is_believed() -> None:
    assert weighted_guilt(ChoiceBelief("greedy")) < 0.25 < 0.6 < weighted_guilt(None)


def test_a_challenge_is_worth_what_the_model_makes_of_the_offender() -> None:
    options = {"worlds": 2000, "games": False}
    challenge = {
        name: evaluate_actions(asked(), belief=belief, **options).set_index("action")  # type: ignore[arg-type]
        for name, belief in (("unknown", None), ("greedy", ChoiceBelief("greedy")))
    }
    assert challenge["unknown"]["difference_high"]["take"] < 0
    assert challenge["greedy"]["difference_high"]["challenge"] < 0
    effective = challenge["greedy"]["effective_worlds"].iloc[0]
    assert 20 < effective < 2000


def test_the_same_world_has_the_same_weight_whatever_else_is_weighed() -> None:
    observation = asked().observation(1)
    worlds = allocate(6)
    for number in range(6):
        worlds[number] = determinize(observation, number).state
    belief = ChoiceBelief("bluffer:rate=0.3")
    whole = belief.log_weights(observation, worlds)
    assert len(set(whole)) > 1
    assert whole[4:].tolist() == belief.log_weights(observation, worlds[4:]).tolist()


def test_a_model_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="3 entries for 2 seats"):
        ChoiceBelief(["greedy"] * 3).log_weights(asked().observation(1), allocate(1))
