"""`SeatedAgents`: agents at the seats of one game, asked for one decision at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.failing_agents import FailingLate, raising_late
from uno_sim import UNO_DUO, UNO_POCKET, AgentError, Game, policy
from uno_sim.policies import nth_legal, num_legal
from uno_sim.simulation.failures import IllegalAnswerError
from uno_sim.simulation.results import play_round
from uno_sim.simulation.seated_agents import SeatedAgents

LONG_POCKET = replace(UNO_POCKET, target=10_000)


@policy(memory=1)
def counting(observation, rules, params, memory, random):
    """Choose by how often it was asked in the round."""
    memory[0] += 1
    return nth_legal(observation, int(memory[0]) % num_legal(observation))


def play_out(game: Game, seated: SeatedAgents, rounds: int = 1) -> None:
    """Play until so many more rounds are over."""
    for number in range(rounds):
        if number:
            game.next_round()
        while seated.is_asked():
            game.step(seated.choose())


@pytest.mark.parametrize("agents", [["greedy", "random"], [counting, BySeed()]])
def test_a_round_is_played_as_in_a_batch_of_the_game_s_key(agents: list[object]) -> None:
    game, other = Game(UNO_DUO, seed=5), Game(UNO_DUO, seed=5)
    seated = SeatedAgents(game, agents)
    play_out(game, seated)
    play_round(other, seated.agents, int(other.state.root), 0, 0)
    assert game.record == other.record
    assert game.turns > 10


def test_a_game_saved_in_the_middle_of_a_round_goes_on_as_it_would_have(tmp_path: Path) -> None:
    agents = ["random", counting, BySeed(), "greedy"]
    game = Game(LONG_POCKET, 4, seed=3)
    seated = SeatedAgents(game, agents)
    play_out(game, seated)
    game.next_round()
    for _ in range(15):
        game.step(seated.choose())
    game.save(tmp_path / "game.txt")
    loaded = Game.load(tmp_path / "game.txt")
    play_out(loaded, SeatedAgents(loaded, agents), rounds=2)
    play_out(game, seated, rounds=2)
    assert loaded.record == game.record
    forgotten = Game.load(tmp_path / "game.txt")
    seated = SeatedAgents(Game(LONG_POCKET, 4, seed=3), agents)
    seated.game, seated._round = forgotten, forgotten.round_number
    play_out(forgotten, seated, rounds=2)
    assert forgotten.record != game.record


def test_only_seats_with_an_agent_are_asked() -> None:
    game = Game(UNO_POCKET, 3, seed=1)
    person = game.current_player
    assert person is not None
    seated = SeatedAgents(game, ["greedy" if seat != person else None for seat in range(3)])
    assert not seated.is_asked()
    with pytest.raises(ValueError, match=f"no agent is asked: current_player is {person}"):
        seated.choose()
    game.step("draw")
    while game.current_player == person:
        game.step(game.legal_actions()[-1])
    assert seated.is_asked()
    assert seated.choose() in game.legal_actions()


def test_there_must_be_an_agent_or_none_for_each_seat() -> None:
    with pytest.raises(ValueError, match="agents: 1 for 2 seats"):
        SeatedAgents(Game(UNO_DUO), ["greedy"])
    with pytest.raises(ValueError, match="agent 'gredy': unknown"):
        SeatedAgents(Game(UNO_DUO), ["gredy", None])


@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        (raising_late, "raised "),
        (FailingLate("raises"), "raised ValueError: "),
        (FailingLate("leaves"), "raised SystemExit: bye"),
        (FailingLate("answers in floats"), "returned float64"),
        (FailingLate("answers what is not legal"), "returned 200, which is not legal in TURN"),
    ],
)
def test_a_failing_agent_is_named_with_its_decision_and_game(agent, problem: str) -> None:
    game = Game(UNO_DUO, seed=2)
    seated = SeatedAgents(game, [agent, BySeed()])
    with pytest.raises(AgentError, match="decision") as caught:
        play_out(game, seated)
    error = caught.value
    assert error.problem.startswith(problem)
    assert isinstance(error, IllegalAnswerError) == ("not legal" in problem)
    assert (error.agent, error.seat) == (seated.agents[0].name, 0)
    assert (error.seed, error.round, error.decision) == (None, 1, game.record.num_actions() + 1)
    assert np.array_equal(Game.from_record(error.record).state, game.state)
