"""`python -m experiments.play`: the command, its file, and how it ends."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import explain, play
from experiments.command_line import CommandError, StoppedError, run_experiment
from tests.experiments.people import Script
from tests.experiments.test_interrupts import hear_interrupts
from uno_sim import UNO_DUO, AgentError, Game

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let each test play in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(*arguments: str, lines: list[str]) -> str:
    """Play with some arguments, typing some lines; return all that was shown."""
    script = Script(lines)
    play.experiment(list(arguments), script.read, script.write)
    return script.text


def error_of(*arguments: str) -> str:
    """Return what is wrong with some arguments, a line."""
    with pytest.raises(CommandError) as caught:
        played(*arguments, lines=[])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def all_of(file: Path | str) -> list[int]:
    """Return all actions of a saved game."""
    return [action for one in Game.load(file).record.rounds for action in one.actions]


def test_the_end_of_the_input_saves_and_says_how_to_go_on(own_folder: Path) -> None:
    shown = played("--seed", "7", "--opponents", "bluffer:rate=0.5", lines=["1", "1"])
    assert shown.startswith("You are seat 0. The seed is 7.")
    file = Path("results/play/duo-7.txt")
    assert shown.endswith(
        f"Saved: {file}\nTo go on:\n  python -m experiments.play --load {file} "
        "--seat 0 --opponents bluffer:rate=0.5"
    )
    assert len(all_of(file)) >= 3
    assert [path.name for path in own_folder.rglob("*.txt")] == ["duo-7.txt"]


SEATED = ["--seat", "0", "--opponents", "greedy"]


@pytest.mark.parametrize("game", [["duo"], ["pocket", "--players", "4"]])
def test_a_game_that_was_left_goes_on_to_the_same_end(game: list[str]) -> None:
    arguments = ["--game", *game, "--seed", "3", "--opponents", "random"]
    lines = (["1"] * 10 + [""]) * 200
    whole = played(*arguments, "--save", "whole.txt", lines=lines)
    assert "The game is over." in whole
    played(*arguments, "--save", "part.txt", lines=[*lines[:15], "quit"])
    assert 0 < len(all_of("part.txt")) < len(all_of("whole.txt"))
    # Empty lines at a decision and numbers between rounds do nothing, so all goes on alike.
    played("--load", "part.txt", "--seat", "0", "--opponents", "random", lines=lines)
    assert Game.load("part.txt").record == Game.load("whole.txt").record


def test_the_command_that_is_told_goes_on_with_the_game() -> None:
    options = ["--opponents", "greedy,random", "--seat", "2", "--episode", "round", "--hints"]
    options += ["--model", "greedy,random"]
    first = played("--game", "pocket", "--seed", "5", *options, "--worlds", "40", lines=["1"])
    command = shlex.split(first.splitlines()[-1])
    assert command[:3] == ["python", "-m", "experiments.play"]
    assert sorted(command[5:]) == sorted(options)
    left = all_of("results/play/pocket-5.txt")
    again = played(*command[3:], "--worlds", "40", lines=[])
    assert again.startswith("You are seat 2. Type help")
    assert "Saved: results/play/pocket-5.txt" in again
    assert all_of("results/play/pocket-5.txt") == left
    assert [file.name for file in Path("results/play").iterdir()] == ["pocket-5.txt"]


def test_after_a_round_the_next_one_can_be_played() -> None:
    options = ["--episode", "round"]
    shown = played("--seed", "4", *options, "--save", "a.txt", lines=["1"] * 300)
    command = shlex.split(shown.splitlines()[-1])
    going_on = "--load a.txt --seat 0 --opponents greedy --episode round"
    assert command == ["python", "-m", "experiments.play", *going_on.split()]
    again = played(*command[3:], lines=["1"] * 300)
    assert "UNO Duo, round 2: " in again and "Round 2 is over: " in again
    assert "Round 1 is over" not in again and len(Game.load("a.txt").record.rounds) == 2


def test_a_new_game_never_overwrites_another() -> None:
    for number in ("", ".2", ".3"):
        played("--seed", "7", lines=[])
        assert Path(f"results/play/duo-7{number}.txt").exists()
    assert "is there already" in error_of("--save", "results/play/duo-7.txt")


def test_each_decision_is_saved_at_once() -> None:
    class Looking(Script):
        def read(self, prompt: str) -> str:
            saved.append(len(all_of("game.txt")))
            return super().read(prompt)

    saved: list[int] = []
    script = Looking(["1"] * 5)
    play.experiment(["--seed", "7", "--save", "game.txt"], script.read, script.write)
    assert len(saved) == 6 and sorted(set(saved)) == saved


def test_a_fresh_seed_is_told_and_deals_the_same_again() -> None:
    first = played("--save", "one.txt", lines=["1"] * 5)
    found = re.match(r"You are seat 0\. The seed is (\d+)\.", first)
    assert found is not None
    again = played("--seed", found[1], "--save", "two.txt", lines=["1"] * 5)
    assert Game.load("one.txt").record == Game.load("two.txt").record
    assert again.splitlines()[:20] == first.splitlines()[:20]
    other = played("--save", "three.txt", lines=[])
    assert other.splitlines()[0] != first.splitlines()[0]


def test_a_random_seat_follows_from_the_seed() -> None:
    seats = []
    for seed in range(12):
        arguments = "--game", "pocket", "--players", "3", "--seed", str(seed), "--seat", "random"
        texts = {played(*arguments, "--save", f"{seed}.{n}", lines=[])[:18] for n in range(2)}
        (text,) = texts
        seats.append(text)
    assert len(set(seats)) == 3


def test_opponents_sit_from_the_left_on_and_the_last_one_takes_the_rest(tmp_path: Path) -> None:
    shown = played(
        *("--game", "pocket", "--players", "5", "--seat", "3", "--seed", "1"),
        *("--opponents", "greedy,bluffer:rate=0.1,random"),
        lines=[],
    )
    for seat, name in enumerate(["bluffer:rate=0.1", "random", "random", "you", "greedy"]):
        assert re.search(rf"  seat {seat}  {re.escape(name)} ", shown)


def test_rules_can_be_chosen() -> None:
    played("--rule", "target=50", "--rule", "stack_draws=false", "--save", "a.txt", lines=[])
    rules = Game.load("a.txt").rules
    assert (rules.target, rules.stack_draws, rules.deck) == (50, False, UNO_DUO.deck)


def test_the_saved_game_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["1"] * 300
    shown = played("--seed", "4", "--episode", "round", "--save", "a.txt", lines=lines)
    command = shlex.split(shown.splitlines()[-3])
    assert command == "python -m experiments.explain a.txt --seat 0".split()
    assert explain.main([*command[3:], "--worlds", "30", "--out", "explained"]) == 0
    assert "round 1, decision" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "duo", "--players", "3"], "UNO Duo is for 2 players"),
        (["--game", "pocket", "--players", "6"], "Pizza is for 2 to 5 players"),
        (["--opponents", "gredy"], "agent 'gredy': unknown; known are"),
        (["--opponents", "greedy,,random"], "a name is missing"),
        (
            ["--game", "pocket", "--players", "2", "--opponents", "greedy,random"],
            "--opponents greedy,random: 2, but 1 of the 2 seats are left",
        ),
        (["--seat", "2"], "--seat 2: must be a seat from 0 to 1, or random"),
        (["--seat", "x"], "--seat x: must be a seat from 0 to 1, or random"),
        (["--seed", str(2**64)], f"seed={2**64}: must be"),
        (["--worlds", "3"], "--worlds 3: must be at least 30"),
        (["--load", "nothing.txt", *SEATED], "No such file or directory: 'nothing.txt'"),
        (["--load", "a.txt"], "--load: needs --seat N and --opponents A,B as well"),
        (["--load", "a.txt", "--seat", "0"], "--load: needs --seat N and --opponents A,B as well"),
        (["--model", "nobody"], "agent 'nobody': unknown"),
        (["--load", "a.txt", "--seed", "3"], "--seed: does not go with --load"),
        (["--load", "a.txt", "--game", "duo"], "--game: does not go with --load"),
        (["--load", "a.txt", "--rule", "target=9"], "--rule: does not go with --load"),
        (["--load", "a.txt", "--seat", "random"], "--load: needs --seat N"),
        (["--rule", "taget=50"], "rule 'taget=50': must be FIELD=VALUE"),
        (["--save", "file/of/a/file.txt"], "file"),
    ],
)
def test_what_does_not_fit_is_told_in_a_line(arguments: list[str], said: str) -> None:
    Path("file").touch()
    assert said in error_of(*arguments)
    assert not Path("results").exists()


def test_a_file_that_is_no_game_and_a_game_that_is_over_are_not_gone_on_with() -> None:
    Path("a.txt").write_text("hello\n")
    assert "a.txt: not a game record" in error_of("--load", "a.txt", *SEATED)
    position = "scores: 0 190\nhands: R7 | B1 W\ndiscard: R5\ndraw: Y1 Y2"
    game = Game.from_position(UNO_DUO, position)
    game.step("R7")
    game.save("over.txt")
    assert error_of("--load", "over.txt", *SEATED) == "--load over.txt: this game is over"


FAILING = """
import uno_sim

@uno_sim.policy
def cheating(observation, rules, params, memory, random):
    if observation.turns > 2:
        return 200
    return uno_sim.policies.random_legal_action(observation, random)

class Raising:
    name = "raising"

    def act(self, observations, seeds):
        raise RuntimeError("no idea")
"""


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("cheating", "agent 'cheating' returned 200, which is not legal in "),
        ("Raising", "agent 'raising' raised RuntimeError: no idea (bot.py:14): "),
    ],
)
def test_an_opponent_that_fails_is_named_and_the_game_is_kept(
    agent: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bot.py").write_text(FAILING)
    arguments = ["--opponents", f"bot.py::{agent}", "--seed", "2", "--save", "a.txt"]
    with pytest.raises(AgentError) as caught:
        played(*arguments, lines=["1"] * 300)
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith("the game up to there: uno_sim.Game.load('a.txt')")
    asked = Game.load("a.txt")
    assert asked.current_player == 1
    # Against others it goes on from there.
    shown = played("--load", "a.txt", *SEATED, lines=["quit"])
    assert "Saved: a.txt" in shown


def test_what_the_system_refuses_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "File name too long" in error_of("--save", "a" * 400)
    assert error_of("--seat", "9" * 5000).endswith("must be a seat from 0 to 1, or random")

    def refuse(line: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(CommandError, match="Broken pipe"):
        play.experiment(["--seed", "7", "--save", "a.txt"], lambda prompt: "1", refuse)
    assert Game.load("a.txt").current_player == 0
    monkeypatch.setattr(sys, "stdin", None)
    assert "stdin or stdout is closed" in error_of("--seed", "7")


def test_ctrl_c_saves_and_ends_with_130(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = iter(["1", "1"])

    def read(prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    with pytest.raises(StoppedError, match=r"the game is saved; to go on: python -m exp"):
        play.experiment(["--seed", "7", "--save", "a.txt"], read, lambda line: None)
    assert len(all_of("a.txt")) >= 3
    arguments = ["--seed", "7", "--save", "b.txt"]
    assert run_experiment("play", lambda given: play.experiment(given, read), arguments) == 130
    out, err = capsys.readouterr()
    assert err == (
        "play: interrupted; the game is saved; to go on: "
        "python -m experiments.play --load b.txt --seat 0 --opponents greedy\n"
    )
    assert "\x1b" not in out, "there is no terminal"


@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colors_are_for_terminals_whose_user_wants_them(
    environment: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in played("--seed", "7", lines=["1"])) == colored


@pytest.mark.slow
def test_the_command_runs_with_a_pipe_and_ctrl_c(own_folder: Path) -> None:
    command = [sys.executable, "-m", "experiments.play", "--seed", "7"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=hear_interrupts,
    )
    assert process.stdin is not None and process.stdout is not None
    while "2 reject" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    assert "the game is saved; to go on" in err
