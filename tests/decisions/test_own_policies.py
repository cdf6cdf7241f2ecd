"""Policies that observe their own are handed imagined worlds as they are, and see the same."""

from __future__ import annotations

import itertools

import numba
import pandas as pd
import pytest

from agents.greedy import choose_greedily
from tests.information.walks import WALKS, positions
from uno_sim import UNO_DUO, UNO_POCKET, make_agent, new_stream, policy, simulate
from uno_sim.observation import Observation
from uno_sim.policies import nth_legal, num_legal
from uno_sim.policy_calls import LEGAL_ONLY_DTYPE, OWN_DTYPE
from uno_sim.state import FIELDS, STATE_DTYPE

OWN = [make_agent(name) for name in ("greedy", "bluffer", "challenger", "drafter")]
greedily = choose_greedily.function


@policy
def all_seeing(observation, rules, params, memory, random):
    """Play as `greedy`, but with everything in the observation."""
    return greedily(observation, rules, params, memory, random)


@policy
def recalling(observation, rules, params, memory, random):
    """Let what is rare in the observation decide."""
    total = observation.seen.sum() + observation.pool.sum() + observation.known_gifts.sum()
    return nth_legal(observation, total % num_legal(observation))


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize("agent", OWN, ids=lambda agent: agent.name)
def test_a_state_and_an_observation_give_the_same_choice(agent, name):
    assert agent.policy.observes == "own"
    met = 0
    for game in positions(name, games=2, share=0.3):
        asked = game.current_player
        if asked is None:
            continue
        state = Observation(game.state, game.rules, asked)
        met += 1
        assert agent.choose(state, new_stream(1)) == agent.choose(
            game.observation(asked), new_stream(1)
        )
    assert met > 5


@pytest.mark.parametrize(("rules", "players"), [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 4)])
def test_a_policy_that_observes_everything_plays_the_same(rules, players):
    options = {"rounds": 60 * players, "seed": 8}
    own = simulate(rules, ["greedy"] * players, **options).rounds
    mixed = simulate(rules, ["greedy", *[all_seeing] * (players - 1)], **options).rounds
    pd.testing.assert_frame_equal(*(f.drop(columns="winner_agent") for f in (own, mixed)))


def test_what_is_not_written_for_an_own_policy_is_written_for_another():
    played = simulate(UNO_POCKET, ["greedy", recalling, "greedy"], rounds=60, seed=2)
    assert played.rounds["recyclings"].any()
    for row in range(60):  # alone, with an observation of its own, it plays the same
        assert played.replay(row).turns == played.rounds["turns"][row]


def test_the_draw_pile_cannot_be_named():
    @policy(observes="own")
    def cheating(observation, rules, params, memory, random):
        return observation.draw_pile[observation.draw_size - 1]

    with pytest.raises(ValueError, match="there is no field 'draw_pile' in what it is handed"):
        simulate(UNO_DUO, [cheating, "greedy"], rounds=2)


@pytest.mark.parametrize("field", [field.name for field in FIELDS if field.rare])
def test_rare_fields_cannot_be_named(field):
    assert field not in OWN_DTYPE.names


def test_all_other_fields_that_somebody_sees_can_be_named():
    hidden = {"random", "root", "draw_pile"}
    assert set(OWN_DTYPE.names) == {field.name for field in FIELDS if not field.rare} - hidden


def test_what_policies_are_handed_does_not_pass_for_something_else_in_numba():
    kinds = [numba.from_dtype(dtype) for dtype in (STATE_DTYPE, OWN_DTYPE, LEGAL_ONLY_DTYPE)]
    for one, other in itertools.permutations(kinds, 2):
        assert one.can_convert_to(None, other) is None
