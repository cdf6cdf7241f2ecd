"""Which of two agents wins more often? Plans how many deals a wanted precision takes, then plays.

Run `python -m experiments.compare --help` for what is played and what is written.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import findings
from experiments.command_line import (
    GAMES,
    MOST_ROWS,
    Cast,
    CommandError,
    Parser,
    add_worker_options,
    check_worker_options,
    make_casts,
    one_line_errors,
    read_options,
    result_arguments,
    run_experiment,
    say,
    split_agents,
    whole_number,
)
from experiments.comparison_plan import CONFIDENCE, FEWEST_DEALS, Plan, make_plan
from experiments.matches import cast_title
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from uno_sim import Aggregates, Results
from uno_sim.simulation.aggregates import aggregates_of
from uno_sim.simulation.batches import play_plan
from uno_sim.simulation.plan import KEEPS
from uno_sim.simulation.plan import make_plan as make_batch_plan
from uno_sim.simulation.row_values import ROWS
from uno_sim.simulation.run_folder import run_key
from uno_sim.simulation.seating import unique_names
from uno_sim.simulation.tables import lead_in_wins

ANOTHER_SEED = 1 << 63
"""What is added to the seed for the pilot, round the end of its range."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    agent: str
    """The agent that is asked about."""
    opponent: str
    """The agent that has all other seats."""
    precision: float = 0.01
    """Half the width that the interval of the difference may have."""
    game: str = "duo"
    """`duo` or `pocket`."""
    players: int = 2
    """The number of players."""
    unit: str = "rounds"
    """`rounds` alone, or whole `games`."""
    pilot: int = 1000
    """How many deals the pilot plays."""
    seed: int = 0
    """What all deals and choices follow from."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the preset, as texts."""
    keep: str = "rows"
    """What is kept of the run, one of `KEEPS`; the result is the same."""
    workers: int = 1
    """How many play at once, -1 for as many as there are cores; the rows are the same."""
    executor: str = "local"
    """Where they play: here, on Ray, on Dask, or at the address of a cluster."""
    out: Path = Path("results/compare")
    """The folder that is written to."""
    dry_run: bool = False
    """Whether only the plan is made."""
    quiet: bool = False
    """Whether nothing is told on stderr but errors."""

    @property
    def pilot_seed(self) -> int:
        """The seed of the pilot, whose deals are others."""
        return (self.seed + ANOTHER_SEED) % (1 << 64)


HELP = f"""\
what is played:
  The first agent against the other, who takes all other seats; every deal once from every seat. The
  difference is the win rate of the first agent minus that of the other (the mean of its seats).
  A pilot on other deals, from another seed, measures how much the difference varies from deal to
  deal. From that follows how many deals give an interval of the wanted half-width. That many are
  then played, fixed in advance, and the pilot does not count. There are at least {FEWEST_DEALS},
  and at least as many as it takes where no deal differs from another.

  The plan allows for the errors of the variance, the pilot's and the run's own, so that nine runs
  of ten or more reach the precision. It also says by how much the pairing of the deals pays: how
  many unpaired rows would tell as much as a paired one.

what is written, always the same bytes for the same arguments and versions:
  comparison  the difference, its interval and p-value, as .csv (.parquet too with pyarrow)
  run.json    arguments, plan, seeds, versions, platform, commit
  rows/       the rows themselves, of the pilot and of the run, written as they are played: a run
              that was stopped goes on from there with the same command
  aggregates/ with --keep aggregates, sums instead of the rows of the run: memory does not grow
  failures/   where an agent fails, the game up to there

examples:
  python -m experiments.compare greedy random
  python -m experiments.compare greedy my_agents.py::bold --precision 0.005 --dry-run
  python -m experiments.compare greedy random --game pocket --players 4 --unit games
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("compare", str(__doc__).partition("\n")[0], HELP)
    add = parser.add_argument
    add("agent", metavar="A", help="a name, NAME:KEY=VALUE,..., or FILE.py::NAME")
    add("opponent", metavar="B", help="the other agent, likewise")
    add(
        "--precision",
        type=_half_width,
        metavar="H",
        help="half the width of the interval of the difference (default: 0.01)",
    )
    add("--game", choices=[*GAMES], help="the game (default: duo)")
    add("--players", type=whole_number, metavar="P", help="players; B fills up (default: 2)")
    add("--unit", choices=["rounds", "games"], help="single rounds (default), or whole games")
    add("--pilot", type=whole_number, metavar="N", help="deals of the pilot (default: 1000)")
    add("--seed", type=whole_number, help="what all deals and choices follow from (default: 0)")
    add(
        "--rule",
        action="append",
        metavar="FIELD=VALUE",
        help="an option of the rules, repeatable: target=500, deck=W:4,WP:2 (docs/rules.md)",
    )
    add("--keep", choices=KEEPS, help="what is kept of the run (default: rows)")
    add_worker_options(parser)
    add("--out", type=Path, metavar="DIR", help=f"the folder that is written to ({Settings.out})")
    add("--dry-run", action="store_true", help="make the plan only; write nothing")
    settings = Settings(**read_options(parser, argv))
    if settings.pilot < FEWEST_DEALS:
        raise CommandError(f"--pilot {settings.pilot}: must be at least {FEWEST_DEALS}")
    check_worker_options(settings.workers, settings.executor)
    return settings


def make_cast(settings: Settings) -> Cast:
    """Return the two agents in their seats, checked."""
    both = settings.agent, settings.opponent
    with one_line_errors(ValueError):
        several = [text for text in both if len(split_agents(text)) > 1]
    if several:
        raise CommandError(f"agent {several[0]!r}: is more than one")
    casts = make_casts(
        [settings.game], [",".join(both)], settings.players, settings.rule, settings.seed
    )
    return casts[0]


def play(cast: Cast, settings: Settings, seed: int, deals: int, keep: str = "rows") -> Any:
    """Play some deals, each from every seat, or go on with what was played of them before.

    Returns `Results`, or `Aggregates` where these are kept.
    """
    amount: dict[str, Any] = {settings.unit: deals * len(cast.agents)}
    with one_line_errors(ValueError, OSError):
        plan = make_batch_plan(
            cast.rules, cast.agents, seed=seed, keep=keep, sent_as=cast.specs, **amount
        )
        kept = not settings.dry_run
        return play_plan(
            plan,
            workers=settings.workers,
            executor=settings.executor,
            progress=not settings.quiet,
            out=settings.out / keep / run_key(plan) if kept else None,
            failures=settings.out / "failures" if kept else None,
        )


def plan_text(plan: Plan, cast: Cast, settings: Settings) -> str:
    """Return the plan as lines of text."""
    unit, players = settings.unit, len(cast.agents)
    if plan.gain is None:
        gain = "no deal of the pilot differed from another, so pairing leaves no variance"
    else:
        gain = (
            f"pairing: variance {plan.row_variance / players:.4f} for {players} {unit} with deals "
            f"of their own, so a paired one tells as much as {plan.gain:.2f} unpaired"
        )
    return "\n".join(
        [
            f"plan: {cast.rules.name}, {cast_title(cast.names)}, {unit}",
            f"  pilot: {plan.pilot_deals:,} deals, {plan.pilot_deals * players:,} {unit}, "
            f"from seed {plan.pilot_seed}",
            f"  variance of the difference of a deal: {plan.variance:.4f} "
            f"(allowed for: {plan.variance_limit:.4f})",
            f"  {gain}",
            f"  for an interval of +-{100 * settings.precision:g} percentage points: "
            f"{plan.deals:,} deals, {plan.deals * players:,} {unit}",
        ]
    )


def result_table(
    results: Results | Aggregates, names: Sequence[str], settings: Settings
) -> pd.DataFrame:
    """Return the result as a table of one row.

    Columns: `game`, `agent`, `opponent`, `players`, `deals`, `rounds` or `games`, `win_rate`,
    `win_rate_opponent` (of each seat), `difference`, `low`, `high`, `half_width`, `precision` (that
    was wanted), `p_value`, `resolved` (whether the p-value is below 5%).
    """
    sums = aggregates_of(results) if isinstance(results, Results) else results
    totals, opponents = sums.totals, range(1, results.num_players)
    found = lead_in_wins(totals, 0, opponents, CONFIDENCE)
    rows = totals.total(ROWS)
    lost = sum(totals.total(("wins", index)) for index in opponents)
    return pd.DataFrame(
        [
            {
                "game": results.rules.name,
                "agent": names[0],
                "opponent": names[1],
                "players": results.num_players,
                "deals": rows // results.num_players,
                settings.unit: rows,
                "win_rate": totals.total(("wins", 0)) / rows,
                "win_rate_opponent": lost / len(opponents) / rows,
                "difference": found.value,
                "low": found.low,
                "high": found.high,
                "half_width": (found.high - found.low) / 2,
                "precision": settings.precision,
                "p_value": found.p_value,
                "resolved": found.p_value < 1 - CONFIDENCE,
            }
        ]
    )


def result_text(row: Any) -> str:
    """Return the row of `result_table` as lines of text."""
    ends = f"{100 * row.low:+.2f} to {100 * row.high:+.2f}"
    verdict = "not resolved who is ahead"
    if row.resolved:
        verdict = f"resolved: {row.agent if row.difference > 0 else row.opponent} is ahead"
    return "\n".join(
        [
            f"result: {row.agent} wins {findings.percent(row.win_rate)}, "
            f"{row.opponent} {findings.percent(row.win_rate_opponent)}"
            + (" a seat" if row.players > 2 else ""),
            f"  difference in percentage points: {100 * row.difference:+.2f} (95%: {ends}), "
            f"+-{100 * row.half_width:.2f}",
            f"  {verdict} (p {_p_text(row.p_value)})",
        ]
    )


def experiment(argv: Sequence[str] | None) -> None:
    """Plan, play and write what the arguments say."""
    settings = read_settings(argv)
    cast = make_cast(settings)
    if not settings.dry_run:
        check_folder(settings.out)

    if not settings.quiet:
        say(f"pilot: {findings.count(settings.pilot, 'deals')}")
    plan = make_plan(play(cast, settings, settings.pilot_seed, settings.pilot), settings.precision)
    tell(plan_text(plan, cast, settings))
    if settings.dry_run:
        return
    if plan.deals * len(cast.agents) > MOST_ROWS:
        raise CommandError(f"--precision {settings.precision:g}: takes more than {MOST_ROWS} rows")

    names = unique_names(cast.names)
    played = play(cast, settings, settings.seed, plan.deals, settings.keep)
    table = result_table(played, names, settings)

    arguments = result_arguments(asdict(settings))
    del arguments["dry_run"]
    files = table_files("comparison", table)
    files["run.json"] = run_file({"experiment": "compare", **arguments, "plan": asdict(plan)})
    write_files(settings.out, files)

    tell(result_text(next(table.itertuples())))
    tell(written(settings.out, files))


def _p_text(value: float) -> str:
    return f"= {value:.4f}" if value >= 0.0001 else "< 0.0001"


def _half_width(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number between 0 and 1")
    return number


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    given = sys.argv if argv is None else argv
    return run_experiment("compare", experiment, argv, resumes="--dry-run" not in given)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
