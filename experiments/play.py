"""Play a game yourself, in a terminal, against any agents, a trained one too.

Run `python -m experiments.play --help` for how it is played and what is written.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from experiments.command_line import (
    GAMES,
    CommandError,
    Parser,
    StoppedError,
    fill_seats,
    one_line_errors,
    read_model,
    read_options,
    run_experiment,
    short_names,
    split_agents,
    whole_number,
    with_options,
)
from experiments.play_colors import in_color
from experiments.play_loop import Person, play
from experiments.play_screen import wrapped
from uno_sim import AgentError, Game, GameRecord, Phase, load_record
from uno_sim.policies import Agent
from uno_sim.random_stream import EPISODES, random_below, seed_key
from uno_sim.registry import make_agent
from uno_sim.simulation.seated_agents import SeatedAgents

FEWEST_WORLDS = 30
FRESH_SEEDS = 10**9
ANY_SEAT = "random"


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: str | None = None
    """The game, by its name in `GAMES`; None for Duo, or that of a loaded game."""
    players: int | None = None
    """How many play; None for one more than the opponents that are named, at least 2."""
    opponents: str | None = None
    """The agents at the other seats, from the person's left on; the last one takes those left.
    None for greedy."""
    seat: str | None = None
    """The person's seat, or `random`; None for the first."""
    seed: int | None = None
    """What the deals and the choices of the agents follow from; None for a fresh one."""
    rule: tuple[str, ...] = ()
    """Options of the rules."""
    episode: str = "game"
    """What is played: a `round`, or a whole `game`."""
    load: Path | None = None
    """A saved game that is gone on with."""
    save: Path | None = None
    """The file of the game; None for that of a loaded one, or a new one in `FOLDER`."""
    hints: bool = False
    """Whether a hint is shown at each decision."""
    worlds: int = 1000
    """How many worlds each action of a hint is tried in."""
    model: str | None = None
    """The agents, with commas, each of which a hint takes the others for with the same chance; None
    where their choices tell it nothing."""


FOLDER = Path("results/play")
"""Where games are saved if nothing else is said."""

HELP = """\
how it is played:
  You are shown what your seat knows, and asked for an action: type its number, or its text (r7,
  w:b, draw). `help` explains the texts, `known` lists what you know of hidden cards, `hint` says
  what each action is worth as far as you can know, `quit`, Ctrl-D or Ctrl-C saves and leaves. What
  happened since your last decision is told first. What is the only legal action is done for you.

what is written:
  The game as a text record, after each of your decisions; it holds all cards, so do not look, and
  not who sat where. The same seed, seats and agents deal and play the same for the same answers,
  and a game that was saved in the middle goes on as it would have, in the same file. Afterwards
  `python -m experiments.explain FILE` says what each decision cost.

examples:
  python -m experiments.play
  python -m experiments.play --game pocket --players 4 --opponents search,greedy,bluffer
  python -m experiments.play --opponents greedy --seat random --hints --model greedy
  python -m experiments.play --opponents network:weights=results/train_ppo/network.npy
  python -m experiments.play --load results/play/duo-7.txt --seat 0 --opponents greedy
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("play", str(__doc__).partition("\n")[0], HELP)
    add = parser.add_argument
    add("--game", choices=list(GAMES), help="the game (default: duo)")
    add("--players", type=whole_number, metavar="P", help="the number of players (default: 2)")
    add(
        "--opponents",
        metavar="A,B",
        help="the agents at the other seats, from your left on: names, NAME:KEY=VALUE,..., or "
        "FILE.py::NAME; the last one takes the seats that are left (default: greedy)",
    )
    add("--seat", metavar="N", help="your seat, from 0, or random (default: 0)")
    add("--seed", type=whole_number, help="what deals and choices follow from (default: a new one)")
    add(
        "--rule",
        action="append",
        metavar="FIELD=VALUE",
        help="an option of the rules, repeatable: target=500, deck=W:4,WP:2 (docs/rules.md)",
    )
    add("--episode", choices=["round", "game"], help="play a round or a whole game (default: game)")
    add("--load", type=Path, metavar="FILE", help="go on with this saved game")
    add(
        "--save",
        type=Path,
        metavar="FILE",
        help=f"write the game here (default: the file of --load, or a new one in {FOLDER})",
    )
    add("--hints", action="store_true", default=None, help="show a hint at each decision")
    add("--worlds", type=whole_number, metavar="W", help="worlds for a hint (default: 1000)")
    add(
        "--model",
        metavar="A,B",
        help="what a hint takes the others for, each as likely, so that their choices tell of "
        "their hands (default: they tell nothing)",
    )
    settings = Settings(**read_options(parser, argv))
    if settings.worlds < FEWEST_WORLDS:
        raise CommandError(f"--worlds {settings.worlds}: must be at least {FEWEST_WORLDS}")
    if settings.load is not None:
        _check_load(settings)
    return settings


def _check_load(settings: Settings) -> None:
    """Raise `CommandError` where an option is not for a saved game, or one is missing."""
    for option in ("game", "players", "seed", "rule"):
        if getattr(settings, option) not in (None, ()):
            raise CommandError(f"--{option}: does not go with --load; the saved game says it")
    if settings.seat in (None, ANY_SEAT) or settings.opponents is None:
        raise CommandError(
            "--load: needs --seat N and --opponents A,B as well; the saved game does not say who "
            "sat where"
        )


def begin(settings: Settings, seed: int) -> Game:
    """Return a new game, or the one that is gone on with.

    Raises `CommandError` where something does not fit.
    """
    with one_line_errors(OSError, ValueError):
        if settings.load is not None:
            record = load_record(settings.load)
            game = Game.from_record(record)
            if game.phase == Phase.GAME_OVER:
                raise CommandError(f"--load {settings.load}: this game is over")
            if game.phase == Phase.ROUND_OVER and settings.episode == "round":
                game.next_round()
            return game
        rules = with_options(GAMES[settings.game or "duo"], settings.rule)
        players = settings.players
        if players is None:
            players = max(2, 1 + len(split_agents(opponents_of(settings))))
        return Game(rules, players, seed)


def choose_seat(settings: Settings, players: int, seed: int) -> int:
    """Return the person's seat, checked; a random one follows from the seed."""
    if settings.seat == ANY_SEAT:
        return int(random_below(np.array([seed_key(seed, 0, EPISODES)]), players))
    seat = settings.seat or "0"
    if seat not in map(str, range(players)):
        raise CommandError(f"--seat {seat}: must be a seat from 0 to {players - 1}, or {ANY_SEAT}")
    return int(seat)


def opponents_of(settings: Settings) -> str:
    """Return the opponents that are meant."""
    return settings.opponents or "greedy"


def seat_agents(
    settings: Settings, players: int, seat: int
) -> tuple[list[Agent | None], list[str]]:
    """Return the agent of each seat, None for the person, and what they are called.

    Raises `CommandError` where there are too many opponents, or one is unknown.
    """
    with one_line_errors(ValueError):
        given = split_agents(opponents_of(settings))
        if len(given) > players - 1:
            raise ValueError(
                f"--opponents {opponents_of(settings)}: {len(given)}, but {players - 1} of the "
                f"{players} seats are left"
            )
        specs = fill_seats(given, players - 1)
        made = {spec: make_agent(spec) for spec in dict.fromkeys(specs)}
    shown = short_names(specs)
    agents: list[Agent | None] = [None] * players
    names = ["you"] * players
    for place, spec in enumerate(specs, start=seat + 1):
        agents[place % players], names[place % players] = made[spec], shown[spec]
    return agents, names


def open_file(settings: Settings, seed: int, record: GameRecord) -> Path:
    """Write the record to the file of the game, and return its path.

    A file that is there is never overwritten, but the one that is gone on with: all that it holds
    stays in it. Raises `CommandError` where that cannot be.
    """
    with one_line_errors(OSError):
        path = settings.save or settings.load or _new_file(settings, seed)
        is_loaded = settings.load is not None and path.resolve() == settings.load.resolve()
        if path.exists() and not is_loaded:
            raise CommandError(
                f"--save {path}: is there already, and not overwritten (--load goes on with a game)"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        record.save(path)
    return path


def _new_file(settings: Settings, seed: int) -> Path:
    """Return a file of `FOLDER` that is not there: `duo-7.txt`, then `duo-7.2.txt`, and so on."""
    stem = f"{settings.game or 'duo'}-{seed}"
    path, number = FOLDER / f"{stem}.txt", 2
    while path.exists():
        path, number = FOLDER / f"{stem}.{number}.txt", number + 1
    return path


def use_colors() -> bool:
    """Return whether the terminal shows colors, and the user wants them (no-color.org)."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def how_to_go_on(settings: Settings, seat: int, path: Path) -> str:
    """Return the command that goes on with the game."""
    words = ["--load", str(path), "--seat", str(seat), "--opponents", opponents_of(settings)]
    if settings.episode != Settings.episode:
        words += ["--episode", settings.episode]
    if settings.hints:
        words += ["--hints"]
    if settings.model is not None:
        words += ["--model", settings.model]
    return "python -m experiments.play " + shlex.join(words)


def experiment(
    argv: Sequence[str] | None,
    read: Callable[[str], str] = input,
    write: Callable[[str], None] = print,
) -> None:
    """Play as the arguments say; `read` and `write` are the person's."""
    settings = read_settings(argv)
    if sys.stdin is None or sys.stdout is None:
        raise CommandError("there is nowhere to ask and answer: stdin or stdout is closed")
    seed = secrets.randbelow(FRESH_SEEDS) if settings.seed is None else settings.seed
    game = begin(settings, seed)
    seat = choose_seat(settings, game.num_players, seed)
    agents, names = seat_agents(settings, game.num_players, seat)
    with one_line_errors(ValueError):
        seated = SeatedAgents(game, agents)
    model = None if settings.model is None else read_model("--model", settings.model)
    path = open_file(settings, seed, game.record)

    def save() -> None:
        with one_line_errors(OSError):
            game.save(path)

    def ask(prompt: str) -> str:
        with one_line_errors(OSError):
            return read(prompt)

    def show(line: str) -> None:
        with one_line_errors(OSError):
            write(in_color(line) if use_colors() else line)

    dealt = "" if settings.load is not None else f" The seed is {seed}."
    for line in wrapped(f"You are seat {seat}.{dealt} Type help for what you can type."):
        show(line)
    person = Person(seat, names, ask, show, settings.hints, settings.worlds, model)
    go_on = how_to_go_on(settings, seat, path)
    try:
        is_over = play(game, seated, person, save, settings.episode == "game")
    except KeyboardInterrupt:
        save()
        write("")
        raise StoppedError(f"the game is saved; to go on: {go_on}") from None
    except AgentError as error:
        with one_line_errors(OSError):
            error.save_as(path)
        raise
    save()
    if is_over:
        write(f"Saved: {path}\nWhat each of your decisions cost:")
        write(f"  python -m experiments.explain {shlex.quote(str(path))} --seat {seat}")
        if game.phase == Phase.ROUND_OVER:
            write(f"The next round:\n  {go_on}")
    else:
        write(f"\nSaved: {path}\nTo go on:\n  {go_on}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("play", experiment, argv)


if __name__ == "__main__":
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # it lets `input` edit a line
    sys.exit(main())
