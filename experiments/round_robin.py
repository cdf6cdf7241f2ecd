"""Who wins against whom, and how strong is each agent, of several that all play each other?

Run `python -m experiments.round_robin --help` for what is played and what is written.
"""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import findings
from experiments.command_line import (
    GAMES,
    Cast,
    CommandError,
    Parser,
    add_worker_options,
    check_worker_options,
    make_casts,
    one_line_errors,
    read_options,
    result_arguments,
    row_count,
    run_experiment,
    say,
    split_agents,
    whole_number,
)
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from experiments.round_robin_charts import Standing, rating_text, ratings_chart, wins_chart
from experiments.sheet import Chart
from uno_sim import Tournament
from uno_sim.simulation.plan import KEEPS
from uno_sim.simulation.tournament import tournament_of
from uno_sim.simulation.tournament_tables import plan_tables, play_tables

DEFAULT_ROUNDS = 60_000
"""The rounds of a table; they divide by 2, 3, 4 and 5 players."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: tuple[str, ...] = ()
    """`duo`, `pocket` or `both`; empty for all games that are for so many players."""
    agents: str = "greedy,random"
    """All agents, as a text with commas."""
    players: int = 2
    """How many of them sit at a table."""
    rounds: int | None = None
    """How many rounds each table plays; None for the default, where no games are played."""
    games: int | None = None
    """How many whole games each table plays instead."""
    seed: int = 0
    """What all deals and choices follow from."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the presets, as texts."""
    keep: str = "rows"
    """What is kept of what is played, one of `KEEPS`; charts and tables are the same."""
    workers: int = 1
    """How many play at once, -1 for as many as there are cores; the rows are the same."""
    executor: str = "local"
    """Where they play: here, on Ray, on Dask, or at the address of a cluster."""
    out: Path = Path("results/round_robin")
    """The folder that is written to."""
    quiet: bool = False
    """Whether nothing is told on stderr but errors."""

    @property
    def unit(self) -> str:
        """What is played: `games`, or single `rounds`."""
        return "rounds" if self.games is None else "games"

    @property
    def rows(self) -> int:
        """How many of them each table plays."""
        return self.games or self.rounds or DEFAULT_ROUNDS


HELP = f"""\
what is played:
  Every two agents play a table, or every --players of them, as single rounds or as whole games.
  All tables have the same deals, and play every deal once from every seat, so the number must
  divide by the players. It is {DEFAULT_ROUNDS:,} rounds by default. Ten agents make 45 tables of 2
  and 252 of 5.

what is written, always the same bytes for the same arguments and versions:
  wins         how often each agent wins against each other one, as .png, .svg and .csv
  ratings      how strong each agent is on one scale, as .png, .svg and .csv
  comparisons  for every two agents whether one is ahead, as .csv
  points       the points that each agent scores, as .csv
               (.parquet too where pyarrow is installed)
  run.json     arguments, seed, versions, platform, commit
  rows/        the rows themselves, in a folder for each tournament, written as they are played: a
               run that was stopped, by whatever, goes on from there with the same command; rows of
               other arguments or another version are not touched
  aggregates/  with --keep aggregates, sums instead of rows: for runs whose rows would fill memory
  failures/    where an agent fails, the game up to there

what the numbers mean: see docs/statistics.md
  Intervals are 95%, with the deal as the unit, since rows of one deal are not independent. Two
  agents are resolved at 5% after Holm's correction for the number of comparisons. Ratings are the
  logarithms of strengths in Luce's model of choice (Bradley and Terry's for two).

examples:
  python -m experiments.round_robin
  python -m experiments.round_robin --agents greedy,random,my_agents.py::bold --rounds 20000
  python -m experiments.round_robin --game pocket --players 3 --agents greedy,random,a.py::b,a.py::c
  python -m experiments.round_robin --game duo --games 2000 --workers 2
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line, the numbers checked."""
    parser = Parser("round_robin", str(__doc__).partition("\n")[0], HELP)
    add = parser.add_argument
    add(
        "--game",
        action="append",
        choices=[*GAMES, "both"],
        help="the game, repeatable (default: all that are for so many players)",
    )
    add(
        "--agents",
        metavar="A,B,...",
        help="all agents: names, NAME:KEY=VALUE,..., or FILE.py::NAME "
        f"(default: {Settings.agents})",
    )
    add("--players", type=whole_number, metavar="P", help="players of a table (default: 2)")
    rows = parser.add_mutually_exclusive_group()
    rows.add_argument("--rounds", type=row_count, metavar="N", help="rounds a table")
    rows.add_argument("--games", type=row_count, metavar="N", help="whole games a table, instead")
    add("--seed", type=whole_number, help="what all deals and choices follow from (default: 0)")
    add(
        "--rule",
        action="append",
        metavar="FIELD=VALUE",
        help="an option of the rules, repeatable: target=500, deck=W:4,WP:2 (docs/rules.md)",
    )
    add("--keep", choices=KEEPS, help="what is kept of what is played (default: rows)")
    add_worker_options(parser)
    add("--out", type=Path, metavar="DIR", help=f"the folder that is written to ({Settings.out})")
    settings = Settings(**read_options(parser, argv))
    if 0 in (settings.rounds, settings.games):
        raise CommandError(f"--{settings.unit} 0: there is nothing to play")
    check_worker_options(settings.workers, settings.executor)
    return settings


def make_fields(settings: Settings) -> list[Cast]:
    """Return all agents for each game, checked; `CommandError` where something does not fit."""
    with one_line_errors(ValueError):
        specs = split_agents(settings.agents)
    players = settings.players
    twice = [spec for spec in specs if specs.count(spec) > 1]
    if twice:
        raise CommandError(f"--agents: {twice[0]} is there twice")
    if not 2 <= players <= len(specs):
        raise CommandError(f"--players {players}: must be from 2 to the agents, {len(specs)}")
    tables = [",".join(lineup) for lineup in itertools.combinations(specs, players)]
    casts = make_casts(settings.game, tables, None, settings.rule, settings.seed)
    if settings.rows % players:
        below, above = settings.rows // players * players, -(-settings.rows // players) * players
        raise CommandError(
            f"--{settings.unit} {settings.rows}: a table plays every deal {players} times, once "
            f"from each seat; try {f'{below} or {above}' if below else above}"
        )
    fields = []
    for rules in dict.fromkeys(cast.rules for cast in casts):
        of_game = [cast for cast in casts if cast.rules == rules]
        made = {
            spec: (name, agent)
            for cast in of_game
            for spec, name, agent in zip(cast.specs, cast.names, cast.agents, strict=True)
        }
        names, agents = zip(*(made[spec] for spec in specs), strict=True)
        fields.append(Cast(rules, specs, names, agents))
    return fields


def play(field: Cast, settings: Settings) -> Tournament:
    """Play the tables of a game, or go on with what was played of them before."""
    if not settings.quiet:
        say(f"{field.rules.name}: {findings.count(settings.rows, settings.unit)} a table")
    amount: dict[str, Any] = {settings.unit: settings.rows}
    with one_line_errors(ValueError, OSError):
        plan = plan_tables(
            field.rules,
            field.agents,
            num_players=settings.players,
            seed=settings.seed,
            keep=settings.keep,
            sent_as=field.specs,
            **amount,
        )
        tables = play_tables(
            plan,
            settings.workers,
            settings.executor,
            not settings.quiet,
            settings.out / settings.keep / plan.key(),
            settings.out / "failures",
        )
    return replace(tournament_of(plan, tables), names=field.names)


def summary(standings: Sequence[Standing]) -> str:
    """Return wins, ratings and what is resolved as lines of text."""
    lines = []
    for standing in standings:
        agents = standing.agents
        wins: Any = standing.wins.itertuples()
        rates = {(row.agent, row.opponent): findings.percent(row.win_rate) for row in wins}
        rows: Any = standing.ratings.itertuples()
        numbered = [f"{number} {agent}" for number, agent in enumerate(agents, start=1)]
        cells = [["", *numbered], ["rating (95% interval)"]]
        cells[1] += [
            rating_text(row.points, row.points_low, row.points_high)
            + (f", {row.extreme}" if row.extreme else "")
            for row in rows
        ]
        for number, other in enumerate(agents, start=1):
            column = [rates.get((agent, other), "") for agent in agents]
            cells.append([f"wins against {number}", *column])
        lines += ["", standing.about, *_aligned(cells), ""]
        comparison: Any
        for comparison in standing.comparisons.itertuples():
            ends = f"({100 * comparison.low:+.1f} to {100 * comparison.high:+.1f})"
            lines.append(
                f"  {comparison.agent} against {comparison.opponent}: difference "
                f"{100 * comparison.difference:+.1f} percentage points {ends}; "
                + (f"{comparison.verdict} ahead" if comparison.resolved else comparison.verdict)
            )
    return "\n".join([*lines, "", "In brackets: 95% intervals, with the deal as the unit."])


def _aligned(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, indented."""
    widths = [max(map(len, column)) for column in columns]
    return [
        "  " + "   ".join(f"{cell:{w}}" for cell, w in zip(line, widths, strict=True)).rstrip()
        for line in zip(*columns, strict=True)
    ]


def experiment(argv: Sequence[str] | None) -> None:
    """Play, draw and write what the arguments say."""
    settings = read_settings(argv)
    fields = make_fields(settings)
    check_folder(settings.out)

    standings = [Standing.of(play(field, settings)) for field in fields]

    note = f"Seed {settings.seed}."
    if settings.rule:
        note += f" Rules: {', '.join(settings.rule)}."
    files: dict[str, bytes] = {}
    charts: dict[str, Callable[..., Chart]] = {"wins": wins_chart, "ratings": ratings_chart}
    for name in ("wins", "ratings", "comparisons", "points"):
        if name in charts:
            chart = charts[name](standings, note)
            files |= {f"{name}.png": chart.png(), f"{name}.svg": chart.svg()}
        tables = []
        for standing in standings:
            table = getattr(standing, name).copy()
            table.insert(0, "game", standing.game)
            tables.append(table)
        files |= table_files(name, pd.concat(tables, ignore_index=True))
    arguments = result_arguments(asdict(settings))
    arguments |= {"rounds": None, "games": None, settings.unit: settings.rows}
    played = [field.rules.name for field in fields]
    files["run.json"] = run_file({"experiment": "round_robin", **arguments, "played": played})
    write_files(settings.out, files)

    tell(summary(standings))
    tell(written(settings.out, files))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("round_robin", experiment, argv, resumes=True)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
