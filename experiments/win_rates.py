"""How often does each agent win, rounds and whole games, and with how many points?

Run `python -m experiments.win_rates --help` for what is played and what is written.

Agents that differ play every deal once from every seat. Equal agents play every deal once, and are
compared by seat: with deals played from every seat each of them would win exactly its share.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pandas as pd

from experiments import charts, findings, measures
from experiments.command_line import (
    Cast,
    CommandError,
    Parser,
    add_match_options,
    add_worker_options,
    make_casts,
    one_line_errors,
    read_options,
    result_arguments,
    row_count,
    run_experiment,
    say,
)
from experiments.matches import Match
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from uno_sim.simulation.batches import play_plan
from uno_sim.simulation.plan import KEEPS, make_plan
from uno_sim.simulation.run_folder import run_key

ROUNDS_A_GAME = 10
"""How many rounds are played alone for each whole game, where only one number is given."""

CHARTS = {
    "win_rates": (measures.win_rates, charts.win_rate_chart),
    "round_points": (measures.round_points, charts.round_points_chart),
    "final_scores": (measures.final_scores, charts.final_scores_chart),
    "round_lengths": (measures.round_lengths, charts.round_length_chart),
}
"""The name of each pair of files, with what makes its table and what draws it."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: tuple[str, ...] = ()
    """`duo`, `pocket` or `both`; empty for all games that are for so many players."""
    agents: tuple[str, ...] = ("greedy,random", "greedy,greedy")
    """The agents of each match, as texts with commas."""
    players: int | None = None
    """The number of players; None for as many as agents, but at least two."""
    rounds: int | None = None
    """How many rounds each match plays alone; None for ten times the games, or the default."""
    games: int | None = None
    """How many games each match plays; None for a tenth of the rounds, or the default."""
    seed: int = 0
    """What all deals and choices follow from."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the presets, as texts."""
    out: Path = Path("results/win_rates")
    """The folder that is written to."""
    workers: int = 1
    """How many play at once, -1 for as many as there are cores; the rows are the same."""
    executor: str = "local"
    """Where they play: here, on Ray, on Dask, or at the address of a cluster."""
    keep: str = "rows"
    """What is kept of what is played, one of `KEEPS`; charts and tables are the same."""
    quiet: bool = False
    """Whether nothing is told on stderr but errors."""


DEFAULT_GAMES = 12_000
DEFAULT_ROUNDS = ROUNDS_A_GAME * DEFAULT_GAMES
"""Both divide by 2, 3, 4 and 5 players."""

HELP = f"""\
what is played:
  Each match is played as single rounds and as whole games up to the target score. Agents that
  differ play every deal once from every seat, so the numbers must divide by the players. Equal
  agents play every deal once, and are compared by seat: who starts, who deals. All matches of a
  game meet the same deals.
  A match is {DEFAULT_ROUNDS:,} rounds and {DEFAULT_GAMES:,} games by default. Given one of the two
  numbers, the other follows: {ROUNDS_A_GAME} rounds for each game, rounded up to whole deals. With
  --games 0 rounds are played only; with --rounds 0 the rounds are those of the games.

what is written, always the same bytes for the same arguments and versions:
  win_rates      how often each agent wins, of rounds and of games
  round_points   the points scored in a round
  final_scores   the totals at the end of a game
  round_lengths  the turns of a round
                 each as .png, .svg and .csv (.parquet too where pyarrow is installed)
  run.json       arguments, seed, versions, platform, commit
  rows/          the rows themselves, in a folder for each batch, written as they are played: a run
                 that was stopped, by whatever, goes on from there with the same command; rows of
                 other arguments or another version are not touched
  aggregates/    with --keep aggregates, sums instead of rows: for runs whose rows would fill memory
                 and disk; all other files are the same
  failures/      where an agent fails, the game up to there

what the intervals are:
  95%, with the deal as the unit, since rows of one deal are not independent. A share has Wilson's
  interval at the number of independent rows that would vary as much as the deals do, never more
  than the rows. A mean has the normal interval of the deals' means.

examples:
  python -m experiments.win_rates
  python -m experiments.win_rates --rounds 10
  python -m experiments.win_rates --game pocket --players 5 --agents greedy,random
  python -m experiments.win_rates --game duo --agents greedy,my_agents.py::bold --games 2000
  python -m experiments.win_rates --game duo --rule stack_draws=false --out results/no_volley
  python -m experiments.win_rates --rounds 10000000 --workers -1 --keep aggregates
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("win_rates", str(__doc__).partition("\n")[0], HELP)
    add_match_options(parser, Settings.agents, Settings.out)
    parser.add_argument("--rounds", type=row_count, metavar="N", help="rounds a match; see below")
    parser.add_argument("--games", type=row_count, metavar="N", help="games a match; see below")
    parser.add_argument(
        "--keep", choices=KEEPS, help="what is kept of what is played (default: rows)"
    )
    add_worker_options(parser)
    return Settings(**read_options(parser, argv))


def row_counts(settings: Settings, cast: Cast) -> dict[str, int]:
    """Return how many rounds and games a cast plays, whole deals of both.

    Raises `CommandError` where a given number does not fit.
    """
    given = {"rounds": settings.rounds, "games": settings.games}
    players = len(cast.specs)
    for kind, rows in given.items():
        if rows and rows % players and not cast.equal:
            below, above = rows - rows % players, rows + -rows % players
            raise CommandError(
                f"--{kind} {rows}: {','.join(cast.specs)} plays every deal {players} times, once "
                f"from each seat; try {f'{below} or {above}' if below else above}"
            )
    rounds, games = settings.rounds, settings.games
    if rounds is None:
        rounds = ROUNDS_A_GAME * games if games else DEFAULT_ROUNDS
    if games is None:
        whole_deals = -(-rounds // ROUNDS_A_GAME // players)
        games = players * whole_deals if rounds else DEFAULT_GAMES
    if not rounds + games:
        raise CommandError("--rounds 0 --games 0: there is nothing to play")
    return {"rounds": rounds, "games": games}


def play(cast: Cast, counts: dict[str, int], settings: Settings) -> Match:
    """Play the rounds and games of a cast, or go on with what was played of them before."""
    batches = {}
    for kind, rows in counts.items():
        if rows:
            if not settings.quiet:
                say(f"{cast.rules.name}, {','.join(cast.names)}: {findings.count(rows, kind)}")
            amount = {"rounds": None, "games": None, kind: rows}
            with one_line_errors(ValueError, OSError):
                plan = make_plan(
                    cast.rules,
                    cast.agents,
                    seed=settings.seed,
                    paired=not cast.equal,
                    keep=settings.keep,
                    sent_as=cast.specs,
                    **amount,
                )
                batches[kind] = play_plan(
                    plan,
                    workers=settings.workers,
                    executor=settings.executor,
                    progress=not settings.quiet,
                    out=settings.out / settings.keep / f"{kind}-{run_key(plan)}",
                    failures=settings.out / "failures",
                )
    return Match.of(**batches, names=cast.names)


def summary(table: pd.DataFrame) -> str:
    """Return the win rates as lines of text: a block a match, a line an agent or seat."""
    lines = []
    for (game, match), rows in table.groupby(["game", "match"], sort=False):
        lines += ["", f"{game}: {match}" + (", by seat" if rows["by"].iloc[0] == "seat" else "")]
        cells = [["", *rows["name"].unique()]]
        for unit, of_unit in rows.groupby("unit", sort=False):
            rates = map(findings.rate, of_unit["win_rate"], of_unit["low"], of_unit["high"])
            cells.append([f"of {of_unit['played'].iloc[0]:,} {unit}", *rates])
        widths = [max(map(len, column)) for column in cells]
        for line in zip(*cells, strict=True):
            padded = (f"{cell:{width}}" for cell, width in zip(line, widths, strict=True))
            lines.append("  " + "   ".join(padded).rstrip())
        for unit, of_unit in rows.groupby("unit", sort=False):
            nobody = int(of_unit["without_winner"].iloc[0])
            if nobody:
                lines.append(f"  {nobody:,} {unit} without a winner (blocked or capped)")
    return "\n".join([*lines, "", "In brackets: 95% intervals, with the deal as the unit."])


def experiment(argv: Sequence[str] | None) -> None:
    """Play, draw and write what the arguments say."""
    settings = read_settings(argv)
    casts = make_casts(
        settings.game, settings.agents, settings.players, settings.rule, settings.seed
    )
    counts = [row_counts(settings, cast) for cast in casts]
    check_folder(settings.out)

    matches = [play(cast, rows, settings) for cast, rows in zip(casts, counts, strict=True)]

    note = f"Seed {settings.seed}."
    if settings.rule:
        note += f" Rules: {', '.join(settings.rule)}."
    files: dict[str, bytes] = {}
    tables = {name: measure(matches) for name, (measure, _) in CHARTS.items()}
    for name, table in tables.items():
        chart = CHARTS[name][1](table, note)
        files |= {
            f"{name}.png": chart.png(),
            f"{name}.svg": chart.svg(),
            **table_files(name, table),
        }
    arguments = result_arguments(asdict(settings))
    played = [
        {"game": cast.rules.name, "agents": cast.specs, **rows}
        for cast, rows in zip(casts, counts, strict=True)
    ]
    files["run.json"] = run_file({"experiment": "win_rates", **arguments, "matches": played})
    write_files(settings.out, files)

    tell(summary(tables["win_rates"]))
    tell(written(settings.out, files))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("win_rates", experiment, argv, resumes=True)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
