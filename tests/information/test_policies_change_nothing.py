"""A policy changes its memory and its stream, and nothing else: no rules, no game, no record."""

import re

import numpy as np
import pytest

from tests.information.tampering_policies import (
    finding_all_as_it_was,
    finding_its_own_as_it_was,
    honest,
    passing_on_more_than_it_said,
    reading_more_than_it_said,
    writing_into_legal,
    writing_into_observation,
    writing_into_own,
    writing_into_params,
    writing_into_rules,
)
from uno_sim import UNO_DUO, UNO_POCKET, CompiledAgent, Game, Policy, make_agent, simulate
from uno_sim.agent_table import AgentTable
from uno_sim.compilation import JIT_DISABLED
from uno_sim.policy_calls import LEGAL_ONLY_DTYPE, legal_only
from uno_sim.simulation import driver
from uno_sim.state import STATE_DTYPE, allocate

TAMPERING = [writing_into_rules, writing_into_observation, writing_into_own, writing_into_legal]
GAMES = [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 5)]
REFUSED = ValueError if not JIT_DISABLED else (ValueError, AttributeError)


def rows(rules, policies: list[Policy]) -> list[str]:
    """Play some games between policies that all go by one name; return their rows as text."""
    agents = [CompiledAgent("same", one, np.zeros(1, np.float32)) for one in policies]
    results = simulate(rules, agents, games=4 * len(policies), seed=12)
    return [results.rounds.to_csv(), results.games.to_csv()]


@pytest.mark.parametrize(("rules", "num_players"), GAMES)
@pytest.mark.parametrize("tampering", TAMPERING, ids=lambda one: one.name)
def test_what_a_policy_writes_influences_no_row(tampering, rules, num_players):
    before = rules.record.tobytes()
    plain = rows(rules, [honest] * num_players)
    assert rows(rules, [tampering] * num_players) == plain
    assert rows(rules, [honest] * (num_players - 1) + [tampering]) == plain
    assert rules.record.tobytes() == before


@pytest.mark.parametrize("tampering", TAMPERING, ids=lambda one: one.name)
def test_what_a_policy_writes_is_gone_at_the_next_decision_of_anyone(tampering):
    plain = rows(UNO_POCKET, [honest] * 3)
    for finding in (finding_all_as_it_was, finding_its_own_as_it_was):
        assert rows(UNO_POCKET, [finding, tampering, finding]) == plain


@pytest.mark.parametrize("tampering", TAMPERING, ids=lambda one: one.name)
def test_choosing_for_an_observation_leaves_it_and_the_rules_alone(tampering):
    agent = make_agent(tampering)
    for rules in (UNO_DUO, UNO_POCKET):
        game = Game(rules, 2, seed=3)
        observation = game.observation(game.current_player)
        before = observation.record.tobytes(), rules.record.tobytes(), game.state.tobytes()
        actions = {agent.choose(observation, np.array([5], np.uint64)) for _ in range(3)}
        assert actions == {make_agent(honest).choose(observation, np.array([5], np.uint64))}
        after = observation.record.tobytes(), rules.record.tobytes(), game.state.tobytes()
        assert after == before


def test_the_record_of_a_rule_set_cannot_be_written():
    for write in ("target", "deck", "stack_draws"):
        with pytest.raises(ValueError, match="read-only"):
            UNO_DUO.record[write] = 1
    with pytest.raises(ValueError, match="read-only"):
        UNO_DUO.record.card_values[3] = 1


def test_writing_into_params_is_refused():
    params = np.zeros(1, np.float32)
    agent = CompiledAgent("writer", writing_into_params, params)
    with pytest.raises(ValueError, match=r"read-?only") as refusal:
        simulate(UNO_DUO, ["random", agent], rounds=2)
    if not JIT_DISABLED:
        assert str(refusal.value).startswith("policy 'writing_into_params' ")
    assert params[0] == 0 and agent.params[0] == 0


def test_the_params_of_an_agent_are_its_own():
    params = np.array([1, 2], np.float32)
    agent = CompiledAgent("mine", honest, params)
    params[0] = 9
    assert agent.params.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        agent.params[0] = 9


@pytest.mark.parametrize("reading", [reading_more_than_it_said, passing_on_more_than_it_said])
def test_a_policy_that_observes_the_legal_set_can_name_nothing_else(reading):
    # Also beside an agent that is handed the whole observation.
    for agents in ([reading, reading], ["greedy", reading], [reading, "greedy"]):
        with pytest.raises(REFUSED, match=r"'?(hands|held)'?") as refusal:
            simulate(UNO_DUO, agents, rounds=2)
        if not JIT_DISABLED:
            assert re.match(f"policy '{reading.name}': ", str(refusal.value))


def test_the_record_with_the_legal_set_alone_holds_nothing_else():
    game = Game(UNO_POCKET, 3, seed=4)
    observation = game.observation(game.current_player).record
    record = legal_only(observation)
    assert record.dtype.names == ("legal",) and record.legal.tolist() == observation.legal.tolist()
    rest = np.frombuffer(record.tobytes(), np.uint8).copy()
    start = STATE_DTYPE.fields["legal"][1]
    rest[start : start + observation.legal.nbytes] = 0
    assert not rest.any()
    # As long as a whole one, and at the same place, so that both are passed in the same way.
    assert LEGAL_ONLY_DTYPE.itemsize == STATE_DTYPE.itemsize
    assert LEGAL_ONLY_DTYPE.fields["legal"][1] == start


def test_in_a_batch_the_record_of_the_legal_set_stays_blank_but_for_it():
    agents = [make_agent("greedy"), make_agent("random")]
    table = AgentTable(agents)
    batch = driver.Batch(1, 2, table.memory_room)
    deals, rotations = np.zeros(1, np.int64), np.zeros(1, np.int64)
    states, memories, streams, tallies = batch.arguments[:4]
    driver.start_rounds(
        UNO_DUO.record, 2, np.uint64(1), deals, rotations, states, memories, streams, tallies
    )
    seats = np.array([[0, 1]])
    done = driver.advance(UNO_DUO.record, seats, *table.arguments, *batch.arguments)
    assert done == -1
    whole, legal = batch.scratch[0]
    assert whole.tobytes() != allocate(1)[0].tobytes()
    legal.legal[:] = 0
    assert legal.tobytes() == allocate(1)[0].tobytes()
