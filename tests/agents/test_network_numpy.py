"""The agent `network_numpy` chooses what `network` does, for many observations at once."""

from dataclasses import replace

import numpy as np
import pytest

from agents.network import network
from agents.network_numpy import network_numpy
from tests.networks import observations_of, plain_logits, random_network
from tests.random_play import VARIANTS
from uno_sim import make_agent, simulate
from uno_sim.features import NUM_FEATURES, encode, write_many_features
from uno_sim.networks import save_network
from uno_sim.state import STATE_DTYPE, allocate

VARIED = ("duo", "duo, five players", "pocket, two players", "pocket, dips give others")
COUNT = 300


def batch_of(variant, count=COUNT):
    """Return the records of some observations as one array."""
    observations = observations_of(variant, COUNT)[:count]
    records = allocate(count)
    for number, observation in enumerate(observations):
        records[number] = observation.record
    return records


def introduced(params, variant, sample=False):
    agent = network_numpy(params, sample)
    agent.use_rules(VARIANTS[variant][0])
    return agent


@pytest.mark.parametrize("variant", VARIED)
def test_features_of_many_are_those_of_each(variant):
    features = np.full((COUNT, NUM_FEATURES), np.float32(7))
    write_many_features(batch_of(variant), VARIANTS[variant][0].record, features)
    for row, observation in zip(features, observations_of(variant, COUNT), strict=True):
        assert np.array_equal(row, encode(observation))


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("variant", VARIED)
def test_choices_are_those_of_the_compiled_network(variant, activation):
    params = random_network([32, 16], seed=1, activation=activation)
    compiled, batched = network(params), introduced(params, variant)
    actions = batched.act(batch_of(variant), np.zeros(COUNT, np.uint64))
    assert actions.dtype == np.int64 and actions.shape == (COUNT,)
    checked = 0
    for observation, action in zip(observations_of(variant, COUNT), actions, strict=True):
        legal = observation.legal_actions()
        assert action in legal
        best = np.sort(plain_logits(params, encode(observation))[legal])[-2:]
        if len(legal) == 1 or best[1] - best[0] > 1e-5:
            assert action == compiled.choose(observation, np.zeros(1, np.uint64))
            checked += 1
    assert checked > 0.9 * COUNT


@pytest.mark.parametrize("variant", VARIED)
def test_samples_are_drawn_from_the_seeds(variant):
    params = random_network([16], seed=3)
    compiled, batched = network(params, sample=True), introduced(params, variant, sample=True)
    seeds = np.random.default_rng(8).integers(0, 2**64, COUNT, np.uint64)
    actions = batched.act(batch_of(variant), seeds)
    singles = [
        compiled.choose(observation, np.array([seed], np.uint64))
        for observation, seed in zip(observations_of(variant, COUNT), seeds, strict=True)
    ]
    assert actions.tolist() == singles
    assert batched.act(batch_of(variant), seeds + np.uint64(1)).tolist() != singles


def test_a_batch_may_be_of_any_size():
    agent = introduced(random_network([16, 16]), "duo")
    records, seeds = batch_of("duo"), np.zeros(COUNT, np.uint64)
    whole = agent.act(records, seeds)
    assert agent.act(records[:0], seeds[:0]).shape == (0,)
    assert agent.act(records[5:6], seeds[5:6]).tolist() == [whole[5]]
    assert agent.act(records[::7], seeds[::7]).tolist() == whole[::7].tolist()
    plain = np.asarray(records).view(STATE_DTYPE)
    assert agent.act(plain, seeds).tolist() == whole.tolist()


def test_logits_tell_of_the_rules_in_use():
    params = random_network([16])
    agent = introduced(params, "duo")
    before = agent.logits(batch_of("duo"))
    features = [encode(observation) for observation in observations_of("duo", COUNT)]
    assert np.abs(before - plain_logits(params, features)).max() < 1e-4
    agent.use_rules(replace(VARIANTS["duo"][0], target=50))
    assert np.abs(agent.logits(batch_of("duo")) - before).max() > 1e-3


def test_an_agent_that_does_not_know_the_rules_says_so():
    agent = network_numpy(random_network([4]))
    with pytest.raises(ValueError, match="agent 'network_numpy': use_rules must be called first"):
        agent.act(batch_of("duo"), np.zeros(COUNT, np.uint64))


def test_it_plays_the_rounds_that_the_compiled_network_plays(tmp_path):
    save_network(tmp_path / "net.npy", random_network([32, 32], seed=5))
    for variant in ("duo", "pocket, three players"):
        rules, num_players = VARIANTS[variant]
        rules = replace(rules, max_turns=100)
        frames = []
        for name in ("network", "network_numpy"):
            agent = make_agent(f"{name}:weights={tmp_path / 'net.npy'}")
            assert agent.name == f"{name} net"
            cast = [agent, *["greedy"] * (num_players - 1)]
            rows = simulate(rules, cast, rounds=60, seed=4).rounds
            frames.append(rows.drop(columns="winner_agent"))
        assert frames[0].equals(frames[1])
        assert frames[0]["winner_index"].nunique() > 1
