"""Policies that observe their own are handed imagined worlds as they are, and see the same."""

from __future__ import annotations

import pytest

from tests.information.walks import WALKS, positions
from uno_sim import UNO_DUO, make_agent, new_stream, policy, simulate
from uno_sim.observation import Observation

OWN = [make_agent("greedy")]


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


def test_the_draw_pile_cannot_be_named():
    @policy(observes="own")
    def cheating(observation, rules, params, memory, random):
        return observation.draw_pile[observation.draw_size - 1]

    with pytest.raises(ValueError, match="there is no field 'draw_pile' in what it is handed"):
        simulate(UNO_DUO, [cheating, "greedy"], rounds=2)
