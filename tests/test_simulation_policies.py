"""What a policy is given in a batch, and what happens when it fails."""

import re

import numpy as np
import pytest

from agents.greedy import greedy
from tests.policies import (
    by_memory,
    by_params,
    checking_memory,
    giving_up,
    highest_legal,
    illegal_from_turn_three,
    lowest_illegal_from_turn_three,
    lowest_legal,
    lowest_legal_of_legal_only,
    seeing_own_hand_only,
)
from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    AgentError,
    CompiledAgent,
    Game,
    IllegalActionError,
    parse_action,
    policy,
    simulate,
)
from uno_sim.random_stream import DEALS, seed_key

ROWS = ["winner", "winner_index", "points_0", "points_1", "decisions", "turns"]


@pytest.mark.parametrize("number", [-1, 185, 10**9, -(2**62), parse_action("keep")])
def test_an_illegal_action_names_agent_seed_deal_decision_and_what_is_legal(number):
    agent = CompiledAgent("stubborn", illegal_from_turn_three, np.array([number], np.float32))
    with pytest.raises(IllegalActionError) as refusal:
        simulate(UNO_DUO, ["greedy", agent], rounds=10, seed=31)
    check_fault(str(refusal.value), "stubborn", int(np.float32(number)), UNO_DUO)


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_an_action_that_is_not_legal_now_is_a_fault(rules, unit):
    with pytest.raises(IllegalActionError) as refusal:
        simulate(rules, ["greedy", lowest_illegal_from_turn_three], seed=31, **{unit: 10})
    check_fault(str(refusal.value), "lowest_illegal_from_turn_three", None, rules)


def check_fault(message: str, name: str, number: int | None, rules) -> None:
    """Play the deal that the message names up to the decision, and compare."""
    shape = (
        rf"agent '{name}' returned (-?\d+)(?: \(\S+\))?, which is not legal in [A-Z_]+: "
        r"seed 31, deal (\d+), rotation (\d+), round 1, decision (\d+); legal: (.+); to look"
    )
    parts = re.match(shape, message)
    assert parts, message
    returned, deal, rotation, decision = (int(part) for part in parts.groups()[:4])
    game = Game.from_root(rules, 2, int(seed_key(31, deal, DEALS)))
    seat = (1 + rotation) % 2
    while game.turns < 3 or game.current_player != seat:
        game.step(choice(game, seat))
    assert game.record.num_actions() + 1 == decision
    assert parts[5].split() == game.legal_names()
    assert returned not in game.legal_actions()
    assert number is None or returned == number


def choice(game: Game, seat: int) -> int:
    """Return what the policy under test does before its fault, or what greedy does."""
    if game.current_player == seat:
        return game.legal_actions()[0]
    return greedy().choose(game.observation(game.current_player), np.zeros(1, np.uint64))


def test_the_first_faulty_row_is_reported():
    agent = CompiledAgent("stubborn", illegal_from_turn_three, np.array([-1], np.float32))
    messages = []
    for rows in (2, 40, 1200):
        with pytest.raises(IllegalActionError) as refusal:
            simulate(UNO_DUO, [agent, agent], rounds=rows, seed=2)
        messages.append(str(refusal.value).partition("; to look")[0])
    assert len(set(messages)) == 1 and "deal 0, rotation 0" in messages[0]


def test_the_exception_of_a_policy_comes_through():
    before = simulate(UNO_DUO, ["greedy", "random"], rounds=10, seed=3).rounds
    with pytest.raises(
        AgentError, match=r"^agent 'giving_up' raised RuntimeError: this "
    ) as failure:
        simulate(UNO_DUO, ["greedy", giving_up], rounds=10, seed=3)
    assert isinstance(failure.value.__cause__, RuntimeError)
    assert simulate(UNO_DUO, ["greedy", "random"], rounds=10, seed=3).rounds.equals(before)


def test_memory_is_private_to_a_seat_and_zeroed_each_round():
    agents = [checking_memory, CompiledAgent("other", checking_memory)]
    batch = simulate(UNO_DUO, agents, games=40, seed=4)
    assert batch.games["rounds"].max() > 3
    # Beside an agent with a longer memory, and one with none.
    for other in (by_memory, "greedy"):
        assert len(simulate(UNO_DUO, [checking_memory, other], games=10, seed=5).games) == 10
        assert len(simulate(UNO_DUO, [other, checking_memory], games=10, seed=5).games) == 10


def test_memory_is_used_and_does_not_depend_on_the_other_agents_memory():
    rows = simulate(UNO_DUO, [by_memory, "greedy"], games=20, seed=6).rounds
    plain = simulate(UNO_DUO, [lowest_legal, "greedy"], games=20, seed=6).rounds
    assert rows[ROWS].to_numpy().tolist() != plain[ROWS].to_numpy().tolist()


def test_params_reach_the_policy_each_agents_its_own():
    lowest = CompiledAgent("lowest", by_params, np.array([2, 0], np.float32))
    highest = CompiledAgent("highest", by_params, [4, 9, 9, -1])
    empty = "greedy"
    for agents, plain in (
        ([lowest, highest], [lowest_legal, highest_legal]),
        ([highest, lowest], [highest_legal, lowest_legal]),
        ([highest, empty], [highest_legal, empty]),
        ([empty, lowest], [empty, lowest_legal]),
    ):
        found = simulate(UNO_DUO, agents, rounds=30, seed=7)
        expected = simulate(UNO_DUO, plain, rounds=30, seed=7)
        assert found.rounds[ROWS].equals(expected.rounds[ROWS])
        for row in range(0, 30, 7):
            replayed = found.replay(row).record.rounds
            assert replayed == expected.replay(row).record.rounds


def test_params_are_one_dimensional_float32():
    agent = CompiledAgent("listed", by_params, [1, 2.5])
    assert agent.params.dtype == np.float32 and agent.params.tolist() == [1, 2.5]
    with pytest.raises(ValueError, match="agent square: params must be one-dimensional"):
        CompiledAgent("square", by_params, np.zeros((2, 2)))


def test_a_policy_may_observe_the_legal_set_alone():
    whole = simulate(UNO_POCKET, [lowest_legal, "greedy", "random"], rounds=30, seed=8)
    legal = simulate(
        UNO_POCKET, [lowest_legal_of_legal_only, "greedy", "random"], rounds=30, seed=8
    )
    assert whole.rounds[ROWS].equals(legal.rounds[ROWS])
    assert legal.replay(7).record.rounds == whole.replay(7).record.rounds


def test_a_policy_sees_no_other_hand_and_no_pile():
    others = ["random", seeing_own_hand_only, "greedy"]
    batch = simulate(UNO_POCKET, [seeing_own_hand_only, *others], games=8, seed=10)
    batch.replay(3)


def test_an_agent_is_its_policy_with_a_name():
    named = simulate(UNO_DUO, [lowest_legal, CompiledAgent("mine", lowest_legal)], rounds=20)
    assert named.summary()["agent"].tolist() == ["lowest_legal", "mine"]
    assert set(named.rounds["winner_agent"].dropna()) == {"lowest_legal", "mine"}


@pytest.mark.parametrize("observes", ["all", "", None, "hand"])
def test_a_policy_observes_everything_or_the_legal_set(observes):
    message = f"observes={observes!r}: must be 'everything' or 'own' or 'legal'"
    with pytest.raises(ValueError, match=re.escape(message)):
        policy(observes=observes)


@pytest.mark.parametrize("memory", [-1, 1.5, "3", None])
def test_the_length_of_a_memory_is_checked(memory):
    message = f"memory={memory!r}: must be an integer of at least 0"
    with pytest.raises(ValueError, match=re.escape(message)):
        policy(memory=memory)


def test_a_policy_takes_the_name_of_its_function_or_another():
    assert (lowest_legal.name, lowest_legal.memory_size) == ("lowest_legal", 0)
    assert policy(lowest_legal.function.py_func, name="mine").name == "mine"
    assert by_memory.memory_size == 3


def test_an_index_out_of_range_in_a_policy_is_an_error():
    @policy(memory=1)
    def writing_before(observation, rules, params, memory, random):
        memory[-2] = 1
        return 0

    @policy
    def reading_after(observation, rules, params, memory, random):
        return int(params[3])

    @policy
    def writing_without_memory(observation, rules, params, memory, random):
        memory[0] += 1
        return 0

    for agent in (writing_before, reading_after, writing_without_memory):
        with pytest.raises(AgentError, match=f"^agent '{agent.name}' raised IndexError: "):
            simulate(UNO_DUO, [agent, "greedy"], rounds=2)


def test_a_policy_takes_five_arguments():
    with pytest.raises(ValueError, match=r"'short': takes 1 arguments, must take five"):

        @policy
        def short(observation):
            return 0


def test_a_policy_that_does_not_compile_is_named():
    @policy
    def calling_what_is_not_there(observation, rules, params, memory, random):
        return observation.legal_actions()

    with pytest.raises(ValueError, match="policy 'calling_what_is_not_there'"):
        simulate(UNO_DUO, [calling_what_is_not_there, "greedy"], rounds=2)


def test_an_agent_chooses_for_the_seat_that_is_asked():
    game = Game(UNO_DUO, seed=1)
    other = 1 - game.current_player
    with pytest.raises(ValueError, match=f"observation of seat {other}, but seat"):
        greedy().choose(game.observation(other), np.zeros(1, np.uint64))
