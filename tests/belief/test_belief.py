"""`believe`: what it returns, what it refuses, and that it reads the observation alone."""

import numpy as np
import pandas as pd
import pytest

import uno_sim
from tests.information import tampering_policies
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, believe, make_agent, new_stream
from uno_sim.belief.worlds import effective_worlds, tempered
from uno_sim.determinization import fill_world, new_plan, plan_worlds
from uno_sim.state import allocate


def played(rules, names, seed, decisions):
    """Return a game after some decisions."""
    agents = [make_agent(name) for name in names]
    game = Game(rules, len(agents), seed=seed)
    streams = [new_stream(100 * seed + seat) for seat in range(len(agents))]
    for _ in range(decisions):
        seat = game.current_player
        game.step(agents[seat].choose(game.observation(seat), streams[seat]))
    return game


@pytest.fixture(scope="module")
def duo():
    return played(UNO_DUO, ["greedy", "greedy"], 5, 26)


@pytest.fixture(scope="module")
def pocket():
    return played(UNO_POCKET, ["greedy", "random", "greedy"], 2, 14)


def test_the_own_hand_is_known_and_every_hand_has_its_size(duo, pocket):
    for game in (duo, pocket):
        for player in range(game.num_players):
            belief = believe(game.observation(player), worlds=300)
            assert np.array_equal(belief.counts[player], game.state.hands[player])
            sizes = game.state.hand_sizes[: game.num_players]
            assert belief.counts.sum(axis=1) == pytest.approx(sizes)
            assert ((belief.chances <= belief.counts + 1e-9) & (belief.chances >= 0)).all()


def test_the_frame_lists_what_may_be_held(duo):
    belief = believe(duo.observation(0), worlds=300)
    frame = belief.frame
    assert list(frame.columns) == ["seat", "card", "expected", "at_least_one"]
    own = frame[frame.seat == 0]
    assert sorted(own.card.repeat(own.expected.astype(int))) == sorted(duo.hands[0])
    assert frame[frame.seat == 1].expected.sum() == pytest.approx(len(duo.hands[1]))


def test_the_same_seed_gives_the_same_belief_and_another_seed_another(duo):
    one, same, other = (believe(duo.observation(0), worlds=200, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.weights, same.weights)
    assert np.array_equal(one.hands, same.hands)
    assert not np.array_equal(one.hands, other.hands)


def test_without_a_model_all_worlds_weigh_the_same(duo):
    belief = believe(duo.observation(0), None, worlds=200)
    assert np.ptp(belief.weights) == 0.0
    assert belief.effective_worlds == pytest.approx(200)


def test_hidden_cards_that_are_permuted_change_nothing(duo, pocket):
    for game in (duo, pocket):
        for player in range(game.num_players):
            observation = game.observation(player)
            plan, world = new_plan(), allocate(1)[0]
            plan_worlds(observation.record, player, plan)
            for seed in range(3):
                rules = observation.rules.record
                fill_world(observation.record, player, rules, plan, world, new_stream(seed))
                other = game.clone()
                other._record = world
                one = believe(observation, {"greedy": 1, "random": 1}, worlds=50)
                two = believe(other.observation(player), {"greedy": 1, "random": 1}, worlds=50)
                assert np.array_equal(one.weights, two.weights)
                assert np.array_equal(one.counts, two.counts)


def test_the_observation_is_not_changed(duo):
    observation = duo.observation(0)
    before = observation.record.tobytes()
    believe(observation, worlds=50)
    assert observation.record.tobytes() == before


def test_a_mixture_learns_who_plays():
    for names, likelier in ((["greedy", "greedy"], "greedy"), (["greedy", "random"], "random")):
        game = played(UNO_DUO, names, 5, 26)
        model = believe(game.observation(0), {"greedy": 0.5, "random": 0.5}).model
        assert list(model.seat.unique()) == [1]
        assert model.posterior.sum() == pytest.approx(1)
        assert model.set_index("policy").posterior[likelier] > 0.8


def test_each_seat_may_have_a_model_of_its_own(pocket):
    models = [None, {"greedy": 3, "random": 1}, "greedy"]
    model = believe(pocket.observation(0), models, worlds=100).model
    assert list(zip(model.seat, model.policy, model.prior, strict=True)) == [
        (1, "greedy", 0.75),
        (1, "random", 0.25),
        (2, "greedy", 1.0),
    ]


def test_a_seat_without_a_model_is_judged_by_nothing(pocket):
    belief = believe(pocket.observation(0), [None, None, None], worlds=100)
    assert belief.effective_worlds == pytest.approx(100)
    assert isinstance(belief.model, pd.DataFrame)


def test_a_depth_of_zero_looks_at_no_choice(duo):
    belief = believe(duo.observation(0), worlds=100, depth=0)
    assert belief.choices == 0
    assert np.ptp(belief.weights) == 0.0
    assert believe(duo.observation(0), worlds=100, depth=3).choices <= 4


def test_guilt_is_believed_where_a_challenge_is_asked():
    believed = []
    for seed in range(30):
        game = Game(UNO_DUO, seed=seed)
        agents = [make_agent("greedy"), make_agent("random")]
        streams = [new_stream(seed), new_stream(seed + 99)]
        while game.phase < Phase.ROUND_OVER and len(believed) < 8:
            seat = game.current_player
            if game.phase == Phase.CHALLENGE:
                belief = believe(game.observation(seat), agents)
                assert belief.guilt_seat == 1 - seat
                assert 0 <= belief.guilt <= 1
                # Greedy lays a wild draw where it has nothing else.
                if seat == 1:
                    believed.append(belief.guilt)
            game.step(agents[seat].choose(game.observation(seat), streams[seat]))
    assert len(believed) == 8
    assert np.mean(believed) < 0.15


def test_a_verdict_that_was_heard_is_believed():
    game = Game.from_position(UNO_DUO, "hands: WD R7 Y1 | B1 B2 B3\ndiscard: R5\ndraw: Y2 Y3 Y4 Y5")
    game.step("WD:B")
    game.step("challenge")
    belief = believe(game.observation(1), worlds=100)
    assert (belief.guilt, belief.guilt_seat) == (1.0, 0)


def test_weights_are_tempered_down_to_the_floor():
    log_weights = np.linspace(0, 50, 100)
    weights, power = tempered(log_weights, 10)
    assert power < 1
    assert effective_worlds(weights) == pytest.approx(10, rel=0.01)
    weights, power = tempered(log_weights, 1)
    assert power == 1
    assert weights[-1] / weights[-2] == pytest.approx(np.exp(50 / 99))


def test_more_worlds_are_drawn_where_few_have_most_of_the_weight(duo):
    observation = duo.observation(0)
    once = believe(observation, worlds=100, floor=0.9, batches=1)
    often = believe(observation, worlds=100, floor=0.9, batches=4)
    assert (len(once.weights), len(often.weights)) == (100, 400)
    assert once.power < often.power < 1
    assert often.effective_worlds == pytest.approx(90, rel=0.01)
    assert np.array_equal(once.hands, often.hands[:100])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"worlds": 0}, "worlds=0: must be an integer of at least 1"),
        ({"depth": -1}, "depth=-1: must be an integer of at least 0"),
        ({"batches": 0}, "batches=0: must be an integer of at least 1"),
        ({"slip": 0.0}, "slip=0.0: must be a number between 0 and 1"),
        ({"floor": 2}, "floor=2: must be a number from 0 to 1"),
        ({"model": {}}, "model: a mixture must name at least one agent"),
        ({"model": {"greedy": -1}}, "model: the share of 'greedy' is -1, must be above 0"),
        ({"model": ["greedy"]}, "model: 1 entries for 2 seats"),
        ({"model": "nobody"}, "nobody"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_wrong_arguments_are_named(duo, arguments, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        believe(duo.observation(0), **arguments)


def test_a_batched_agent_is_no_model(duo):
    class Batched:
        name = "batched"

        def act(self, observations, seeds):
            raise AssertionError

    with pytest.raises(ValueError, match="'batched' is asked in batches"):
        believe(duo.observation(0), Batched())


def test_a_round_that_is_over_leaves_nothing_to_believe():
    game = Game(UNO_DUO, seed=1)
    agent, stream = make_agent("greedy"), new_stream(1)
    while game.phase < Phase.ROUND_OVER:
        game.step(agent.choose(game.observation(game.current_player), stream))
    with pytest.raises(ValueError, match="the round is over"):
        believe(game.observation(0))
    with pytest.raises(ValueError, match="must be what"):
        believe(game)


def test_it_is_a_name_of_the_package():
    assert uno_sim.believe is believe
    assert uno_sim.Belief.__name__ == "Belief"


def test_a_policy_that_writes_into_its_observation_changes_nothing(duo):
    honest, writing = (
        believe(duo.observation(0), model, worlds=50, batches=1)
        for model in (tampering_policies.honest, tampering_policies.writing_into_observation)
    )
    assert honest.choices > 10
    assert np.ptp(honest.weights) > 0
    assert np.array_equal(honest.weights, writing.weights)
