"""Batched agents in `simulate`: asked in lockstep, they play as each game alone would have it."""

import re
from dataclasses import replace
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.envs.batched_agents import Answering, BySeed, KnowingRules, Recording, Writing
from tests.policies import by_memory, lowest_legal
from uno_sim import UNO_DUO, UNO_POCKET, Game, IllegalActionError, Results, make_agent, simulate
from uno_sim.random_stream import AGENTS, DEALS, next_word, seed_key, split
from uno_sim.simulation import plan
from uno_sim.state import FIELDS, Visibility, allocate

CASES: dict[str, tuple[Any, list[Any]]] = {
    "duo": (UNO_DUO, [BySeed(), "greedy"]),
    "duo, both batched": (UNO_DUO, [BySeed("one"), BySeed("two")]),
    "pocket, two players": (UNO_POCKET, ["random", BySeed()]),
    "pocket, three players": (UNO_POCKET, [BySeed(), by_memory, BySeed("other")]),
    "pocket, four players": (UNO_POCKET, ["greedy", BySeed(), "random", BySeed()]),
    "pocket, five players": (UNO_POCKET, [BySeed(), lowest_legal, "random", BySeed(), by_memory]),
}
EVERY_CASE = pytest.mark.parametrize("case", CASES)


def same_rows(one: Results, other: Results) -> bool:
    return one.rounds.equals(other.rounds) and one.games.equals(other.games)


@EVERY_CASE
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_rows_do_not_depend_on_how_many_are_in_lockstep(case, unit, monkeypatch):
    rules, agents = CASES[case]
    count = (6 if unit == "rounds" else 1) * len(agents)
    found = []
    for at_once in (1, 7, 4096) if unit == "rounds" else (1, 4096):
        monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", at_once)
        found.append(simulate(rules, agents, seed=61, **{unit: 2 * count}))
    assert all(same_rows(found[0], other) for other in found)
    smaller = simulate(rules, agents, seed=61, **{unit: count})
    assert found[0].rounds.iloc[: len(smaller.rounds)].equals(smaller.rounds)


@EVERY_CASE
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_each_row_is_what_the_game_alone_gives(case, unit):
    rules, agents = CASES[case]
    count = 4 * len(agents) if unit == "rounds" else len(agents)
    batch = simulate(rules, agents, seed=62, **{unit: count})
    for row in range(0, len(batch.rounds), 1 if unit == "rounds" else 9):
        game, played = batch.replay(row), batch.rounds.iloc[row]
        assert len(game.record.rounds[-1].actions) == played["decisions"]
        assert game.points == [played[f"points_{seat}"] for seat in range(len(agents))]
        winner = -1 if game.round_winner is None else game.round_winner
        assert (winner, game.turns) == (played["winner"], played["turns"])


@pytest.mark.parametrize("paired", [True, False, "permutations"])
def test_all_pairings_can_be_played_in_lockstep(paired):
    agents = [BySeed(), "greedy", "random"]
    batch = simulate(UNO_POCKET, agents, rounds=18, seed=63, paired=paired)
    for row in range(18):
        batch.replay(row)


def test_a_batched_agent_beside_others_changes_no_deal():
    deals = []
    for agents in ([BySeed(), "greedy"], ["greedy", "greedy"]):
        batch = simulate(UNO_DUO, agents, rounds=10, seed=64)
        deals.append([batch.replay(row).record.rounds[0].deck for row in range(10)])
    assert deals[0] == deals[1]


def test_an_agent_is_asked_for_all_games_that_wait_in_one_call():
    agent = Recording()
    simulate(UNO_DUO, [agent, "greedy"], rounds=100, seed=65)
    # At the start nearly all games wait; in the end one or two.
    assert max(agent.sizes) > 90 and min(agent.sizes) < 10
    assert len(agent.sizes) < sum(agent.sizes) / 10


def decisions_of(batch: Results, agent: Recording) -> list[tuple[bytes, int]]:
    """Return the observation and the seed of each decision of an agent, from games played again."""
    found = []
    number = batch.agents.index(agent)
    for row, played in batch.rounds.iterrows():
        deal, rotation = int(played["deal"]), int(played["rotation"])
        seat = list(batch.seats[rotation]).index(number)
        root = np.uint64(split(seed_key(batch.seed, deal, AGENTS), rotation))
        stream = np.array([split(np.uint64(split(root, 1)), seat)], np.uint64)
        for game in Game.replay(batch.replay(row).record):
            if game.current_player == seat:
                observation = game.observation(seat).record.tobytes()
                found.append((observation, int(next_word(stream))))
    return found


@pytest.mark.parametrize(("rules", "num_players"), [(UNO_DUO, 2), (UNO_POCKET, 4)])
def test_an_agent_is_handed_what_the_asked_player_knows_and_a_seed_of_its_own(rules, num_players):
    agent = Recording()
    others = ["greedy", "random", BySeed()][: num_players - 1]
    batch = simulate(rules, [agent, *others], rounds=3 * num_players, seed=66)
    handed = list(zip(agent.observations, agent.seeds, strict=True))
    assert len({seed for _, seed in handed}) == len(handed) > 50
    assert sorted(handed) == sorted(decisions_of(batch, agent))


def test_nothing_hidden_is_in_what_an_agent_is_handed():
    agent = Recording()
    simulate(UNO_POCKET, [agent, "greedy", agent], rounds=12, seed=67)
    blank = allocate(1)[0]
    for data in agent.observations:
        record = np.frombuffer(data, blank.dtype)[0]
        asked = record["current_player"]
        for field in FIELDS:
            if field.visibility == Visibility.HIDDEN:
                assert np.array_equal(record[field.name], blank[field.name])
            elif field.visibility == Visibility.OWN:
                others = np.delete(record[field.name], asked, axis=0)
                assert np.array_equal(others, np.delete(blank[field.name], asked, axis=0))


@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_what_an_agent_writes_into_what_it_is_handed_changes_nothing(unit):
    found = []
    for kind in (BySeed, Writing):
        agents = [kind("same"), "random", kind("same")]
        found.append(simulate(UNO_POCKET, agents, seed=68, **{unit: 6 if unit == "rounds" else 3}))
    assert same_rows(*found)
    for row in range(min(6, len(found[1].rounds))):
        found[1].replay(row)


def test_agents_are_told_the_rules_before_they_act():
    agent = KnowingRules()
    rules = replace(UNO_DUO, max_turns=50)
    batch = simulate(rules, [agent, "greedy"], rounds=4, seed=69)
    assert set(agent.rules) == {rules}
    agent.rules.clear()
    batch.replay(1)
    assert set(agent.rules) == {rules}


def test_an_agent_that_refuses_the_rules_is_named():
    class DuoOnly(BySeed):
        def use_rules(self, rules: Any) -> None:
            if rules.name != UNO_DUO.name:
                raise KeyError("these rules")

    simulate(UNO_DUO, [DuoOnly("narrow"), "greedy"], rounds=2)
    with pytest.raises(ValueError, match=r"^agent 'narrow': use_rules raised KeyError: 'these "):
        simulate(UNO_POCKET, [DuoOnly("narrow"), "greedy"], rounds=2)


def test_an_agent_that_plays_elsewhere_in_between_is_told_the_rules_anew():
    agent = KnowingRules()
    env = gymnasium.make("uno_sim/UnoDuo-v0", opponents=agent)
    env.reset(seed=1)
    simulate(UNO_POCKET, [agent, "greedy"], rounds=2)
    agent.rules.clear()
    for _ in range(20):
        legal = np.flatnonzero(env.get_wrapper_attr("action_masks")())
        if any(env.step(int(legal[0]))[2:4]):
            env.reset()
    assert set(agent.rules) == {UNO_DUO}


def act_returning(answer: Any, first_call: int = 1) -> list[Any]:
    return ["greedy", Answering(answer, first_call)]


@pytest.mark.parametrize(
    "answer",
    [
        lambda actions: actions[:-1],
        lambda actions: np.append(actions, 0),
        lambda actions: actions[:, None],
        lambda actions: int(actions[0]),
        lambda actions: actions.astype(float),
        lambda actions: actions.astype(bool),
        lambda actions: actions.astype(object),
        lambda actions: [str(action) for action in actions],
        lambda actions: None,
    ],
)
def test_answers_of_a_wrong_shape_or_type_are_refused(answer):
    with pytest.raises(
        ValueError, match=r"^agent 'answering' returned (None |\S+ of shape \()"
    ) as no:
        simulate(UNO_DUO, act_returning(answer), rounds=10, seed=70)
    assert re.search(
        r"must be integers of shape \(\d+,\), one action an observation: seed 70, ", str(no.value)
    )


@pytest.mark.parametrize(
    "answer",
    [
        lambda actions: list(actions),
        lambda actions: tuple(map(int, actions)),
        lambda actions: actions.astype(np.uint8),
        lambda actions: actions.astype(np.uint64),
    ],
)
def test_all_kinds_of_integers_are_answers(answer):
    plain = simulate(UNO_DUO, ["greedy", BySeed("answering")], rounds=6, seed=70)
    assert same_rows(simulate(UNO_DUO, act_returning(answer), rounds=6, seed=70), plain)


@pytest.mark.parametrize("number", [-1, 185, 10**15, "illegal"])
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_an_illegal_answer_is_reported_with_agent_seed_deal_and_decision(number, unit):
    def answer(actions: Any) -> Any:
        # Naming a color answers the start card alone.
        return actions * 0 + (126 if number == "illegal" else number)

    with pytest.raises(IllegalActionError) as refusal:
        simulate(UNO_DUO, act_returning(answer, first_call=30), seed=71, **{unit: 10})
    shape = (
        r"agent 'answering' returned (-?\d+)(?: \(color:R\))?, which is not legal in (\w+): "
        r"seed 71, deal (\d+), rotation (\d+), round (\d+), decision (\d+); legal: (.+); to look"
    )
    parts = re.match(shape, str(refusal.value))
    assert parts, refusal.value
    returned, phase, *numbers, legal = parts.groups()
    deal, rotation, round_number, decision = map(int, numbers)
    assert int(returned) == (126 if number == "illegal" else number)
    batch = simulate(UNO_DUO, ["greedy", BySeed("answering")], seed=71, **{unit: 10})
    rows = batch.rounds
    row = rows[(rows["deal"] == deal) & (rows["rotation"] == rotation)].index[round_number - 1]
    record = batch.replay(int(row)).record
    assert record.root == int(seed_key(71, deal, DEALS))
    before = sum(len(played.actions) for played in record.rounds[:-1])
    game = next(islice(Game.replay(record), before + decision - 1, None))
    assert (game.phase.name, game.legal_names()) == (phase, legal.split())
    assert game.current_player == (1 + rotation) % 2


def test_a_replay_tells_where_an_agent_depends_on_what_else_it_is_asked():
    class ByCompany(BySeed):
        def act(self, observations: Any, seeds: Any) -> Any:
            if len(seeds) > 1:
                return super().act(observations, seeds)
            return super().act(observations, seeds * np.uint64(0))

    batch = simulate(UNO_DUO, [ByCompany(), "greedy"], rounds=10, seed=73)
    with pytest.raises(ValueError, match=r"^row \d: an agent does not play it again as it did"):
        for row in range(10):
            batch.replay(row)


def test_an_agent_needs_a_name_and_an_act():
    class Nameless:
        def act(self, observations: Any, seeds: Any) -> Any:
            return seeds

    for wrong in (Nameless(), BySeed, object()):
        with pytest.raises(ValueError, match="must be a name, an agent or a policy"):
            simulate(UNO_DUO, [wrong, "greedy"], rounds=2)
    agent = BySeed()
    assert make_agent(agent) is agent
