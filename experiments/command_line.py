"""What the command lines of experiments share: options, checks, one-line errors, exit codes.

An experiment ends with 0, with 2 after an error (one line on stderr), or with 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from experiments import hear_interrupts, ignore_interrupts
from uno_sim import RuleSet, make_agent
from uno_sim.envs.settings import RULES as GAMES
from uno_sim.policies import Agent, CompiledAgent
from uno_sim.random_stream import check_seed
from uno_sim.rule_set import MAX_PLAYERS, with_option
from uno_sim.simulation.failures import AgentError
from uno_sim.simulation.workers import WorkerDiedError, check_executor, check_workers

MOST_ROWS = 10**9


class CommandError(Exception):
    """An error that the user can mend; its text is one line."""


class StoppedError(KeyboardInterrupt):
    """Ctrl-C in an experiment that itself says, in one line, what is kept."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are `CommandError`s; options cannot be abbreviated."""

    def __init__(self, name: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=f"python -m experiments.{name}",
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of printing the usage."""
        raise CommandError(f"{message} (see --help)")


@dataclass(frozen=True)
class Cast:
    """Agents at one game, each by the text that the user gave."""

    rules: RuleSet
    specs: tuple[str, ...]
    names: tuple[str, ...]
    """The specs as charts show them: files without their folders."""
    agents: tuple[Agent, ...]

    @property
    def equal(self) -> bool:
        """Whether all agents are the same."""
        return len(set(self.specs)) == 1


def run_experiment(
    name: str,
    experiment: Callable[[Sequence[str] | None], None],
    argv: Sequence[str] | None,
    resumes: bool = False,
) -> int:
    """Run an experiment with the arguments of its command line; return the exit code.

    `resumes` tells whether the same command goes on where an earlier one was stopped.
    """
    try:
        hear_interrupts()
        experiment(argv)
    except CommandError as error:
        return _failed(name, str(error))
    except (AgentError, WorkerDiedError) as error:
        return _failed(name, " ".join(str(error).split()))
    except MemoryError:
        return _failed(name, "not enough memory for so many rows")
    except StoppedError as stopped:
        return _interrupted(name, str(stopped))
    except KeyboardInterrupt:
        what = "no file is left half written, and nothing is kept"
        if resumes:
            what = "finished units of rows are kept; the same command goes on from there"
        return _interrupted(name, what)
    return 0


def _interrupted(name: str, what: str) -> int:
    ignore_interrupts()
    print(f"{name}: interrupted; {what}", file=sys.stderr)
    # Python remembers a Ctrl-C inside an `exec` of text, as when a dataclass is made, though it was
    # caught, and would end by the signal instead of our code; the next `exec` makes it forget.
    exec("")
    return 130


def _failed(name: str, error: str) -> int:
    print(f"{name}: error: {error}", file=sys.stderr)
    return 2


@contextmanager
def one_line_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors of these kinds into `CommandError`s of one line."""
    try:
        yield
    except kinds as error:
        raise CommandError(" ".join(str(error).split())) from error


def add_match_options(parser: argparse.ArgumentParser, agents: Sequence[str], out: Path) -> None:
    """Add the options that say what is played, from which seed, and where results go.

    `agents` and `out` are the experiment's defaults, for the help.
    """
    parser.add_argument(
        "--game",
        action="append",
        choices=[*GAMES, "both"],
        help="the game, repeatable (default: all that are for so many players)",
    )
    parser.add_argument(
        "--agents",
        action="append",
        metavar="A,B",
        help="the agents of a match, repeatable: names, NAME:KEY=VALUE,..., or FILE.py::NAME; "
        "if fewer than players, the last one takes the other seats "
        f"(default: {' and '.join(agents)})",
    )
    parser.add_argument(
        "--players",
        type=whole_number,
        metavar="P",
        help="the number of players (default: as many as agents, at least 2)",
    )
    parser.add_argument(
        "--seed", type=whole_number, help="what all deals and choices follow from (default: 0)"
    )
    parser.add_argument(
        "--rule",
        action="append",
        metavar="FIELD=VALUE",
        help="an option of the rules, repeatable: target=500, deck=W:4,WP:2 (docs/rules.md)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help=f"the folder that is written to (default: {out})"
    )


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who plays; the rows do not depend on them."""
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="how many play at once, -1 for as many as there are cores (default: 1)",
    )
    parser.add_argument(
        "--executor",
        metavar="WHERE",
        help="local, ray, dask, or the address of a cluster (ray://..., tcp://...)",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="do not tell on stderr what goes on, and how far it is"
    )


def check_worker_options(workers: int, executor: str) -> None:
    """Raise `CommandError` where what `add_worker_options` has read does not fit."""
    with one_line_errors(ValueError):
        check_workers(workers)
        check_executor(executor)


def result_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that results depend on: not who plays, what is told, and where it goes.

    So the same run has the same bytes wherever it is played and written.
    """
    apart = ("workers", "executor", "quiet", "keep", "out")
    return {name: value for name, value in arguments.items() if name not in apart}


def read_options(parser: Parser, argv: Sequence[str] | None) -> dict[str, Any]:
    """Return the options that were given, those that can be repeated as tuples."""
    given = vars(parser.parse_args(argv))
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if value is not None
    }


def whole_number(text: str) -> int:
    """Return the integer of a text, of at least 0; for the options of a parser."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number of at least 0")
    return number


def row_count(text: str) -> int:
    """Return a number of rounds or games; for the options of a parser."""
    number = whole_number(text)
    if number > MOST_ROWS:
        raise argparse.ArgumentTypeError(f"{text!r} must be at most {MOST_ROWS}")
    return number


def make_casts(
    game: Sequence[str], agents: Sequence[str], players: int | None, rule: Sequence[str], seed: int
) -> list[Cast]:
    """Return what the options of `add_match_options` ask for, checked: a cast a game and match.

    Raises `CommandError` where something is unknown or does not fit.
    """
    with one_line_errors(ValueError):
        check_seed(seed)
        rule_sets = {name: with_options(GAMES[name], rule) for name in _chosen_games(game)}
        if len({rules.name for rules in rule_sets.values()}) < len(rule_sets):
            raise ValueError("rule name=...: two games cannot have the same name")
        filled = (fill_seats(split_agents(text), players) for text in agents)
        matches = list(dict.fromkeys(filled))
        specs = list(dict.fromkeys(spec for match in matches for spec in match))
        made = {spec: make_agent(spec) for spec in specs}
        names = short_names(specs)
        casts = []
        for rules in rule_sets.values():
            for match in matches:
                left_out = not rules.min_players <= len(match) <= rules.max_players
                if left_out and not game:
                    continue
                rules.check_players(len(match))
                rules.check_deal(rules.num_cards, len(match))
                cast = tuple(made[spec] for spec in match)
                casts.append(Cast(rules, match, tuple(names[spec] for spec in match), cast))
        if not casts:
            raise ValueError(f"no game is for {len(matches[0])} players")
    return casts


def split_agents(text: str) -> tuple[str, ...]:
    """Return the agents of a list with commas, which agents' own parameters may hold too.

    >>> split_agents("tuned:depth=2,width=3,random")
    ('tuned:depth=2,width=3', 'random')
    """
    specs: list[str] = []
    for part in text.split(","):
        key, equals, _ = part.partition("=")
        if equals and key.strip().isidentifier() and specs and "=" in specs[-1]:
            specs[-1] += f",{part.strip()}"
        else:
            specs.append(part.strip())
    if not all(specs):
        raise ValueError(f"agents {text!r}: a name is missing")
    return tuple(specs)


def read_model(option: str, text: str) -> dict[CompiledAgent, float]:
    """Return the mixture of the compiled agents of an option, each of them as likely.

    Raises `CommandError` where one is unknown or not compiled.
    """
    mixture = {}
    with one_line_errors(ValueError):
        for spec in dict.fromkeys(split_agents(text)):
            agent = make_agent(spec)
            if not isinstance(agent, CompiledAgent):
                raise ValueError(f"{option} {spec}: must be a compiled agent")
            mixture[agent] = 1.0
    return mixture


def model_name(model: Iterable[CompiledAgent]) -> str:
    """Return what a model is called: `greedy`, or `greedy or random`."""
    return " or ".join(agent.name for agent in model)


def fill_seats(specs: tuple[str, ...], num_players: int | None) -> tuple[str, ...]:
    """Return an agent a player: the last one takes the seats that are left.

    Raises `ValueError` where there are more agents than players, or too many players.
    """
    players = max(len(specs), 2) if num_players is None else num_players
    if players > MAX_PLAYERS:
        raise ValueError(f"players={players}: no game is for more than {MAX_PLAYERS}")
    if len(specs) > players:
        raise ValueError(f"players={players}: fewer than the agents {','.join(specs)}")
    return specs + specs[-1:] * (players - len(specs))


def short_names(specs: Sequence[str]) -> dict[str, str]:
    """Return each agent's text, with its file's folder left out where that is still unique."""
    short = {spec: _without_folder(spec) for spec in specs}
    shown = list(short.values())
    return {spec: name if shown.count(name) == 1 else spec for spec, name in short.items()}


def with_options(rules: RuleSet, options: Sequence[str]) -> RuleSet:
    """Return rules with the options of `--rule`; `ValueError` where one does not fit."""
    for option in options:
        rules = with_option(rules, option)
    return rules


def say(text: str) -> None:
    """Tell the user what goes on, on stderr as the progress bars."""
    print(text, file=sys.stderr, flush=True)


def _chosen_games(chosen: Sequence[str]) -> list[str]:
    if not chosen or "both" in chosen:
        return list(GAMES)
    return [game for game in GAMES if game in chosen]


def _without_folder(spec: str) -> str:
    file, colons, rest = spec.partition("::")
    return Path(file).name + colons + rest if colons else spec
