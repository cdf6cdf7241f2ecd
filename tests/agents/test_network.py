"""The agent `network` plays what its network says, legally, in both games."""

import re
from dataclasses import replace

import numpy as np
import pytest

from agents.network import network
from tests.chi_square import assert_shares
from tests.networks import observations_of, plain_logits, random_layers, random_network
from tests.random_play import VARIANTS
from uno_sim import UNO_DUO, UNO_POCKET, make_agent, new_stream, simulate
from uno_sim.features import FEATURES_VERSION, encode
from uno_sim.networks import flatten, save_network

VARIED = ("duo", "duo, five players", "pocket, two players", "pocket, dips give others")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "trained net.npy"
    save_network(path, random_network([8]))
    return path


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("variant", VARIED)
def test_the_legal_action_of_the_highest_logit_is_chosen(variant, activation):
    params = random_network([32, 16], seed=1, activation=activation)
    agent = network(params)
    checked = 0
    for observation in observations_of(variant, 200):
        legal = observation.legal_actions()
        logits = plain_logits(params, encode(observation))[legal]
        chosen = agent.choose(observation, new_stream(1))
        if len(legal) > 1 and np.diff(np.sort(logits)[-2:])[0] > 1e-4:
            assert chosen == legal[logits.argmax()]
            checked += 1
        assert chosen in legal
    assert checked > 100


def test_ties_go_to_the_lowest_action():
    layers = [(weights * 0, biases * 0) for weights, biases in random_layers([4])]
    agent = network(flatten(layers))
    for observation in observations_of("duo", 200):
        assert agent.choose(observation, new_stream(1)) == observation.legal_actions()[0]


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_choice_is_legal_and_repeats(variant, sample):
    rules, num_players = VARIANTS[variant]
    rules = replace(rules, max_turns=min(rules.max_turns, 300))
    agent = network(random_network([16, 16], seed=2), sample)
    cast = [agent, *["greedy", "random", "greedy", "random"][: num_players - 1]]
    once = simulate(rules, cast, rounds=60, seed=9, paired=False).rounds
    again = simulate(rules, cast, rounds=60, seed=9, paired=False).rounds
    assert once.equals(again)
    assert once["decisions"].sum() > 300


def test_samples_follow_the_softmax():
    params = random_network([16], seed=3)
    agent = network(params, sample=True)
    source = new_stream(11)
    tried = 0
    for observation in observations_of("duo", 200):
        legal = observation.legal_actions()
        logits = plain_logits(params, encode(observation))[legal] if len(legal) == 3 else []
        shares = np.exp(logits) / np.exp(logits).sum()
        if len(shares) and shares.min() > 0.03:
            drawn = [agent.choose(observation, source) for _ in range(2000)]
            assert_shares([drawn.count(action) for action in legal], shares.tolist())
            tried += 1
    assert tried >= 3


def test_networks_of_many_sizes_play_each_other():
    cast = [network(random_network(hidden)) for hidden in ([], [600], [5, 4, 3], [64, 64])]
    rows = simulate(replace(UNO_POCKET, max_turns=200), cast, rounds=40, seed=3).rounds
    assert len(rows) == 40 and rows["decisions"].min() > 5


def test_a_file_makes_an_agent(file):
    agent = make_agent(f"network:weights={file}")
    assert agent.name == "network trained net"
    assert np.array_equal(agent.params, random_network([8]))
    sampling = make_agent(f"network:weights={file},sample=true")
    assert sampling.name == "network trained net sampled"
    assert sampling.policy is not agent.policy
    assert network(file, sample=False).policy is agent.policy
    assert network(random_network([8]), sample=True).name == "network sampled"


def test_a_path_may_hold_colons_and_equals_signs(file):
    odd = file.rename(file.with_name("a:b=c.npy"))
    assert make_agent(f"network:weights={odd}").name == "network a:b=c"


def test_an_agent_keeps_its_own_weights():
    params = random_network([8])
    agent = network(params)
    params[:] = 0
    assert np.array_equal(agent.params, random_network([8]))


@pytest.mark.parametrize("name", ["network", "network_numpy"])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("", "missing 1 required positional argument: 'weights'"),
        (":weights=absent.npy", "weights='absent.npy': No such file or directory"),
        (":weights=12", "weights=12: must be a file or a vector"),
        (":weights=FILE,sample=2", "sample=2: must be true or false"),
        (":weights=FILE,hidden=2", "unexpected keyword argument 'hidden'"),
        (
            ":weights=OLD",
            f"network for version {FEATURES_VERSION + 1} of the features: this version of "
            f"uno_sim has {FEATURES_VERSION}",
        ),
    ],
)
def test_what_makes_no_agent_is_named(name, parameters, message, file, tmp_path):
    other = random_network([8])
    other[2] += 1
    np.save(tmp_path / "old.npy", other)
    parameters = parameters.replace("FILE", str(file)).replace("OLD", str(tmp_path / "old.npy"))
    with pytest.raises(ValueError, match=re.escape(message)):
        make_agent(name + parameters)


def test_a_vector_that_is_no_network_is_refused():
    with pytest.raises(ValueError, match="not a network: must be a float32 vector"):
        network(np.zeros(20))


def test_a_network_that_never_draws_by_choice_beats_the_random_agent():
    # Weights by hand: all logits are 0 but that of a draw.
    weights, biases = np.zeros_like(random_layers([])[0][0]), np.zeros(185)
    biases[116] = -1
    laying = network(flatten([(weights, biases)]))
    rows = simulate(UNO_DUO, [laying, "random"], rounds=400, seed=1).rounds
    assert (rows["winner_index"] == 0).mean() > 0.8
