"""What is each card worth in the draft, and does a draft rule made from the answer win?

Run `python -m experiments.draft_value --help` for what is played and what is written.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agents.drafter import dump_table, greedy_table, of_table
from experiments import draft_charts as charts
from experiments import draft_measures as measures
from experiments import findings
from experiments.command_line import (
    GAMES,
    CommandError,
    Parser,
    make_casts,
    read_options,
    row_count,
    run_experiment,
    say,
    whole_number,
)
from experiments.drafts import picks
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from experiments.situations import worth_to_first
from uno_sim import CompiledAgent, RuleSet, make_agent, simulate
from uno_sim.simulation.progress import Progress
from uno_sim.simulation.results import Results
from uno_sim.simulation.tables import lead_in_wins
from uno_sim.statistics import Array, mean_by_deal, totals_by_deal

ANOTHER_SEED = 1 << 63
"""What is added to the seed for the matches, round the end of its range."""
ROUNDS_A_DEAL, DEALS_A_GAME = 4, 2
"""How many rounds a match plays for each deal that is drafted, and how many deals for a game."""
FEWEST_DEALS = 100
"""How many deals are drafted at least: with fewer the intervals do not hold."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: str = "duo"
    """`duo`, or `pocket` with rules that have a draft."""
    deals: int = 60_000
    """How many deals are drafted for each table; the matches follow from it."""
    tables: int = 2
    """How many tables are made, each from drafts by the one before."""
    seed: int = 0
    """What all deals and choices follow from."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the preset, as texts."""
    out: Path = Path("results/draft_value")
    """The folder that is written to."""


HELP = f"""\
what is played:
  Two players who draft alike and play as greedy. At each pick the offered card is kept, and
  rejected, in copies of the same world with the same random numbers, and draft and round are played
  on. The difference in round points (the own score less the other's, more is better) is what
  keeping is worth there. In the first table they draft as greedy: actions and wilds are kept. From
  it comes a draft rule, keep what is worth more than nothing; the next table is measured in drafts
  by that rule, on other deals.
  On further deals, from another seed, each rule then plays greedy, and so does a rule of one
  sentence, the dump rule: actions, wilds, and numbers of whose color a Reverse is held.
  --deals scales all of it ({Settings.deals:,} by default: a minute or two). A match is
  {ROUNDS_A_DEAL} rounds a deal, and a game for every {DEALS_A_GAME} deals.

what is written, always the same bytes for the same arguments and versions:
  worth_N    what keeping is worth, by pick, by what is held of the color, by what else is held;
             the data are by_pick, by_color, by_specials and overall, with the number of the table
  matches    how the rules do against greedy
             charts as .png and .svg, data as .csv (.parquet too where pyarrow is installed)
  table_N    the rule number N, as a table:
             --agents drafter:table=results/draft_value/table_1.csv plays it
  run.json   arguments, seed, versions, platform, commit

examples:
  python -m experiments.draft_value
  python -m experiments.draft_value --deals 2000 --tables 1
  python -m experiments.draft_value --rule lone_reverse=again
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("draft_value", str(__doc__).partition("\n")[0], HELP)
    add = parser.add_argument
    add("--game", choices=[*GAMES], help="the game (default: duo)")
    add("--deals", type=row_count, metavar="N", help="deals a table; see below")
    add("--tables", type=whole_number, metavar="N", help="how many tables (default: 2)")
    add("--seed", type=whole_number, help="what all deals and choices follow from (default: 0)")
    add(
        "--rule",
        action="append",
        metavar="FIELD=VALUE",
        help="an option of the rules, repeatable: target=500, deck=W:4,WP:2 (docs/rules.md)",
    )
    add("--out", type=Path, metavar="DIR", help=f"the folder that is written to ({Settings.out})")
    settings = Settings(**read_options(parser, argv))
    if settings.deals < FEWEST_DEALS:
        raise CommandError(f"--deals {settings.deals}: must be at least {FEWEST_DEALS}")
    if not settings.tables:
        raise CommandError("--tables 0: must be at least 1")
    return settings


def read_rules(settings: Settings) -> RuleSet:
    """Return the rules, checked."""
    (cast,) = make_casts([settings.game], ["greedy"], 2, settings.rule, settings.seed)
    if cast.rules.deal != "draft":
        raise CommandError(f"--game {settings.game}: has no draft; --rule deal=draft makes one")
    return cast.rules


def measure(rules: RuleSet, table: Array, number: int, settings: Settings) -> pd.DataFrame:
    """Return the picks of table number `number`, which is measured in drafts by `table`."""
    say(f"{rules.name}: table {number}, {findings.count(settings.deals, 'deals')}")
    first = (number - 1) * settings.deals
    frames = []
    with Progress(settings.deals, "deals", True) as bar:
        for played, frame in picks(
            rules, table, range(first, first + settings.deals), settings.seed
        ):
            frames.append(frame)
            bar.add(played)
    return pd.concat(frames, ignore_index=True)


def play_matches(
    rules: RuleSet, drafters: Sequence[CompiledAgent], settings: Settings
) -> pd.DataFrame:
    """Return how each drafter does against greedy, and the last table against the first.

    Columns: `game`, `unit`, `agent`, `opponent`, `played`, `win_rate`, `difference` of the win
    rates, `low`, `high`, and of rounds `gain` (points a round by which the player did better than
    the opponent), `gain_low`, `gain_high`.
    """
    greedy = make_agent("greedy")
    pairs: list[tuple[Any, Any]] = [(drafter, greedy) for drafter in drafters]
    if len(drafters) > 2:
        pairs.append((drafters[-2], drafters[0]))
    amounts = {
        "rounds": ROUNDS_A_DEAL * settings.deals,
        "games": 2 * (settings.deals // DEALS_A_GAME // 2),
    }
    rows = []
    for unit, amount in amounts.items():
        for player, opponent in pairs:
            say(f"{rules.name}: {player.name} against {opponent.name}, {unit}")
            results = simulate(
                rules,
                [player, opponent],
                rounds=amount if unit == "rounds" else None,
                games=amount if unit == "games" else None,
                seed=(settings.seed + ANOTHER_SEED) % (1 << 64),
                progress=True,
            )
            names = {"agent": player.name, "opponent": opponent.name}
            rows.append({"game": rules.name, "unit": unit, **names, **compared(results)})
    return pd.DataFrame(rows)


def compared(results: Results) -> dict[str, Any]:
    """Return how the first of two agents did against the other; see `play_matches`."""
    frame = results.rounds if results.unit == "rounds" else results.games
    totals = results.totals
    found = lead_in_wins(totals, 0, [1])
    row: dict[str, Any] = {
        "played": len(frame),
        "win_rate": totals.total(("wins", 0)) / len(frame),
        **dict(zip(("difference", "low", "high"), found[:3], strict=True)),
    }
    if results.unit == "rounds":
        deals = frame["deal"].to_numpy()
        lead = totals_by_deal(deals, worth_to_first(results))
        gain = mean_by_deal(lead, np.bincount(deals))
        row |= dict(zip(("gain", "gain_low", "gain_high"), gain, strict=True))
    return row


def experiment(argv: Sequence[str] | None) -> None:
    """Play, draw and write what the arguments say."""
    settings = read_settings(argv)
    rules = read_rules(settings)
    check_folder(settings.out)

    note = f"Seed {settings.seed}."
    if settings.rule:
        note += f" Rules: {', '.join(settings.rule)}."
    files: dict[str, bytes] = {}
    said = []
    table = greedy_table()
    drafters = []
    for number in range(1, settings.tables + 1):
        frame = measure(rules, table, number, settings)
        table = measures.worth_table(frame)
        drafters.append(of_table(f"table {number}", table))
        files |= table_files(f"table_{number}", measures.table_frame(table, frame))
        found = {
            "by_pick": measures.by_pick(frame),
            "by_color": measures.by_color(frame),
            "by_specials": measures.by_specials(frame),
            "overall": measures.overall(frame),
        }
        drafted = "greedy's rule" if number == 1 else f"table {number - 1}"
        about = (
            f"{rules.name}: {findings.count(len(frame), 'picks')} in "
            f"{findings.count(settings.deals, 'deals')}, drafts by {drafted}"
        )
        chart = charts.worth_chart(found, about, note)
        files |= {f"worth_{number}.png": chart.png(), f"worth_{number}.svg": chart.svg()}
        for name, rows in found.items():
            files |= table_files(f"{name}_{number}", rows)
        said += [
            "",
            about,
            f"  {charts.what_to_keep(found['overall'])}",
            f"  {charts.what_a_reverse_does(found['overall'])}",
            f"  {charts.what_specials_do(found['by_specials'])}",
        ]
    drafters.append(of_table("dump rule", dump_table()))
    matches = play_matches(rules, drafters, settings)
    chart = charts.match_chart(matches, note)
    files |= {"matches.png": chart.png(), "matches.svg": chart.svg()}
    files |= table_files("matches", matches)
    arguments = asdict(settings)
    del arguments["out"]  # the same run has the same bytes wherever it is written
    files["run.json"] = run_file({"experiment": "draft_value", **arguments})
    write_files(settings.out, files)

    said.append("")
    for _, row in matches.iterrows():
        lead = charts.difference_text(row)
        said.append(f"{charts.who_drafts_better(row)}: difference {lead} percentage points")
    tell("\n".join([*said, "", "In brackets: 95% intervals, with the deal as the unit."]))
    tell(written(settings.out, files))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("draft_value", experiment, argv)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
