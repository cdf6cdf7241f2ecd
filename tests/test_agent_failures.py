"""An agent that fails stops the run, with its game saved up to that decision."""

import pickle
import re
from itertools import islice

import numpy as np
import pytest

from tests.failing_agents import LATE, FailingLate, illegal_late, raising_late
from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    AgentError,
    Game,
    IllegalActionError,
    make_agent,
    policy,
    simulate,
)
from uno_sim.random_stream import DEALS, seed_key
from uno_sim.simulation import plan

WRONG = {
    "raises": r"raised ValueError: \.\.\. \(failing_agents\.py:\d+\): ",
    "raises what cannot be sent": r"raised LostError: lost",
    "leaves": r"raised SystemExit: bye",
    "answers too little": r"returned int64 of shape \(\d+,\) from act, must be integers of shape ",
    "answers in floats": r"returned float64 of shape \(\d+,\) from act, must be integers of shape ",
    "answers illegally": r"returned 200, which is not legal in [A-Z]+",
}
COMPILED = {
    raising_late: r"raised ValueError: too late",
    illegal_late: r"returned 200, which is not legal in [A-Z]+",
}
BATCHED = {FailingLate(way): said for way, said in WRONG.items()}
CASES = [(make_agent(agent), said) for agent, said in {**COMPILED, **BATCHED}.items()]
EVERY_WAY = pytest.mark.parametrize(("agent", "said"), CASES, ids=[a.name for a, _ in CASES])


def failure_of(agent, rules=UNO_DUO, **options) -> AgentError:
    """Return the error of a run in which an agent fails."""
    options = {"rounds": 60, "seed": 5} | options
    with pytest.raises(AgentError) as failure:
        simulate(rules, ["greedy", agent, "random"][: rules.min_players], **options)
    return failure.value


def check_record(failure: AgentError) -> Game:
    """Check that the saved game leads to the decision that the error names; return it."""
    game = Game.load(failure.path)
    assert game.record.root == int(seed_key(failure.seed, failure.deal, DEALS))
    assert game.round_number == failure.round
    assert len(game.record.rounds[-1].actions) == failure.decision - 1
    assert game.current_player == failure.seat == (1 + failure.rotation) % game.num_players
    assert tuple(game.legal_names()) == failure.legal
    assert game.turns >= LATE
    return game


@EVERY_WAY
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_the_game_is_saved_up_to_the_decision(agent, said, unit, tmp_path):
    failure = failure_of(agent, **{"rounds": None, unit: 20}, out=tmp_path / "run")
    game = check_record(failure)
    where = (
        f"seed 5, deal {failure.deal}, rotation {failure.rotation}, round {failure.round}, "
        f"decision {failure.decision}; legal: {' '.join(game.legal_names())}; "
    )
    assert where in str(failure)
    assert f"uno_sim.Game.load({failure.path!r})" in str(failure)
    assert [str(path) for path in (tmp_path / "run" / "failures").iterdir()] == [failure.path]


@EVERY_WAY
def test_it_is_told_who_failed_and_how(agent, said):
    failure = failure_of(agent)
    assert failure.agent == agent.name
    assert re.match(f"agent '{agent.name}' {said}", str(failure))
    assert isinstance(failure, ValueError)
    assert isinstance(failure, IllegalActionError) == ("not legal" in said)


def test_the_agent_would_see_in_the_saved_game_what_it_failed_on():
    for rules in (UNO_DUO, UNO_POCKET):
        failure = failure_of(FailingLate(), rules)
        seen = bytes.fromhex(str(failure.__cause__))
        game = check_record(failure)
        assert game.observation(failure.seat).record.tobytes() == seen


def test_a_compiled_agent_fails_again_in_the_saved_game():
    failure = failure_of(raising_late)
    game = check_record(failure)
    with pytest.raises(ValueError, match=r"^too late$"):
        make_agent(raising_late).choose(game.observation(failure.seat), np.zeros(1, np.uint64))


def test_the_saved_game_is_the_one_of_the_row():
    class FailingOnce(FailingLate):
        """Fails late, and plays as if nothing were once it is forgiven."""

        forgiven = False

        def act(self, observations, seeds):
            if self.forgiven:
                self.late = 10**6
            return super().act(observations, seeds)

    agent = FailingOnce()
    failure = failure_of(agent)
    agent.forgiven = True
    batch = simulate(UNO_DUO, ["greedy", agent], rounds=60, seed=5)
    row = 2 * failure.deal + failure.rotation
    whole = batch.replay(row).record.rounds[-1].actions
    assert list(islice(whole, failure.decision - 1)) == failure.record.rounds[-1].actions


def test_a_file_of_another_failure_is_kept(tmp_path):
    first = failure_of(raising_late, out=tmp_path)
    text = (tmp_path / "failures").joinpath(first.path).read_text()
    again = failure_of(raising_late, out=tmp_path)
    assert again.path == first.path
    (tmp_path / "failures").joinpath(first.path).write_text("mine")
    other = failure_of(raising_late, out=tmp_path)
    assert other.path != first.path
    files = {path.read_text() for path in (tmp_path / "failures").iterdir()}
    assert files == {"mine", text}


def test_a_folder_that_cannot_be_written_loses_nothing(tmp_path):
    failure = failure_of(raising_late)
    (tmp_path / "file").touch()
    failure.save(tmp_path / "file" / "below")
    assert check_record(failure) and not failure.path.startswith(str(tmp_path))


@pytest.mark.parametrize("count", [1, 2, 7])
def test_the_game_that_an_agent_fails_in_is_found_among_those_asked_for_at_once(count, monkeypatch):
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", count)
    failure = failure_of(FailingLate("answers too little"))
    check_record(failure)
    assert "at once" not in str(failure)


def test_an_agent_that_fails_only_for_several_at_once_is_reported_as_such():
    class Crowded(FailingLate):
        def act(self, observations, seeds):
            if len(seeds) > 5:
                raise RuntimeError("so many")
            return super().act(observations, seeds)

    failure = failure_of(Crowded())
    assert "raised RuntimeError: so many (test_agent_failures.py:" in str(failure)
    assert ") (asked for 60 decisions at once; this is the first): " in str(failure)


@pytest.mark.parametrize("agent", [raising_late, illegal_late], ids=lambda agent: agent.name)
def test_threads_tell_the_same(agent, monkeypatch, tmp_path):
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(plan, "BATCHES_IN_A_UNIT", 1)
    check_record(failure_of(agent, rounds=4000, workers=2, out=tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["raises", "raises what cannot be sent", "answers illegally"])
def test_processes_tell_the_same(way, monkeypatch, tmp_path):
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 10)
    failure = failure_of(FailingLate(way), rounds=100, workers=2, out=tmp_path)
    game = check_record(failure)
    if way == "raises":
        seen = bytes.fromhex(str(failure.__cause__))
        assert game.observation(failure.seat).record.tobytes() == seen
        assert "in act" in "".join(failure.__cause__.__notes__)


def test_an_error_can_be_sent_and_still_tells_all():
    failure = failure_of(raising_late)
    other = pickle.loads(pickle.dumps(failure))
    assert str(other) == str(failure) and type(other) is type(failure)
    assert other.record == failure.record and other.where == failure.where
    assert str(other.original) == "too late"


@policy
def returning_a_float(observation, rules, params, memory, random):
    return observation.legal[0] * 0.0 + 116


@policy
def returning_a_truth(observation, rules, params, memory, random):
    return observation.turns > 3


@pytest.mark.parametrize("agent", [returning_a_float, returning_a_truth], ids=lambda a: a.name)
def test_a_compiled_policy_that_returns_no_integer_is_refused_each_time(agent):
    for _ in range(2):
        with pytest.raises(ValueError, match=f"policy '{agent.name}': it returns (float64|bool)"):
            simulate(UNO_DUO, [agent, "greedy"], rounds=2)
    game = Game(UNO_DUO, seed=1)
    with pytest.raises(TypeError, match="must return an integer"):
        make_agent(agent).choose(game.observation(game.current_player), np.zeros(1, np.uint64))
