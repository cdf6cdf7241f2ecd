"""Are beliefs about hidden hands true as often as they say, also when the model is wrong?

Run `python -m experiments.belief_calibration --help` for what is played and what is written.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from experiments import belief_charts as charts
from experiments import belief_measures as measures
from experiments import findings
from experiments.beliefs import CARDS_ALONE, MOST_OF_DEAL, STATEMENTS, Models, statements
from experiments.command_line import (
    CommandError,
    Parser,
    add_match_options,
    make_casts,
    read_options,
    row_count,
    run_experiment,
    say,
    whole_number,
)
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from uno_sim import CompiledAgent, RuleSet
from uno_sim.simulation.progress import Progress

OPPONENTS = ("greedy", "random", "bluffer:rate=0.5")
TURN_SHARE = 0.1
"""How often a turn of the observer is a situation."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: tuple[str, ...] = ()
    """`duo`, `pocket` or `both`; empty for all games that are for so many players."""
    agents: tuple[str, ...] = OPPONENTS
    """The opponents, one after another; each takes all seats but the first."""
    players: int | None = None
    """The number of players; None for two."""
    deals: int = 100
    """How many deals are played with each opponent."""
    worlds: int = 1000
    """How many worlds a belief is made of."""
    seed: int = 0
    """What all deals, choices and worlds follow from."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the presets, as texts."""
    out: Path = Path("results/belief_calibration")
    """The folder that is written to."""


HELP = f"""\
what is played:
  greedy against each opponent, every deal once. Of wild draws that greedy could challenge guilt is
  believed, and at {TURN_SHARE:.0%} of greedy's turns what the next player holds: each kind, and any
  card of the active color; up to {MOST_OF_DEAL} of both a deal. The models are:
    cards alone  choices tell nothing
    right        the opponent itself
    wrong        greedy; random where the opponent is greedy
    mixture      {", ".join(OPPONENTS)}, each as likely before the round
  --deals scales all of it ({Settings.deals:,} by default: a minute or two).

what is written, always the same bytes for the same arguments and versions:
  guilt, color, kind  how often statements are true, by how likely they are believed
  brier               by how much each model is better than cards alone
                      each as .png and .svg
  reliability, brier  the tables, as .csv (.parquet too where pyarrow is installed)
  run.json            arguments, seed, versions, platform, commit

examples:
  python -m experiments.belief_calibration
  python -m experiments.belief_calibration --deals 2000 --game duo
  python -m experiments.belief_calibration --players 3 --game pocket --agents greedy
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("belief_calibration", str(__doc__).partition("\n")[0], HELP)
    add_match_options(parser, Settings.agents, Settings.out)
    parser.add_argument("--deals", type=row_count, metavar="N", help="deals; see below")
    parser.add_argument(
        "--worlds", type=whole_number, metavar="N", help="worlds a belief (default: 1000)"
    )
    settings = Settings(**read_options(parser, argv))
    for name in ("deals", "worlds"):
        if not getattr(settings, name):
            raise CommandError(f"--{name} 0: must be at least 1")
    return settings


def make_tables(
    settings: Settings,
) -> list[tuple[RuleSet, tuple[CompiledAgent, ...], str, Models]]:
    """Return rules, agents, the opponent's name and the models, for each game and opponent."""
    agents = [f"greedy,{opponent}" for opponent in settings.agents]
    tables = []
    for cast in make_casts(settings.game, agents, settings.players, settings.rule, settings.seed):
        if len(set(cast.specs[1:])) > 1:
            raise CommandError(f"--agents {','.join(cast.specs[1:])}: must be one opponent")
        compiled = tuple(agent for agent in cast.agents if isinstance(agent, CompiledAgent))
        if len(compiled) < len(cast.agents):
            raise CommandError(f"--agents {cast.specs[1]}: must be a compiled agent")
        opponent = cast.specs[1]
        models: Models = {
            CARDS_ALONE: None,
            "right": compiled[1],
            "wrong": "random" if opponent == "greedy" else "greedy",
            "mixture": dict.fromkeys(OPPONENTS, 1.0),
        }
        tables.append((cast.rules, compiled, cast.names[1], models))
    return tables


def gather(
    rules: RuleSet,
    agents: tuple[CompiledAgent, ...],
    opponent: str,
    models: Models,
    settings: Settings,
) -> pd.DataFrame:
    """Return all statements about one opponent at one game."""
    say(f"{rules.name}, {opponent}: {findings.count(settings.deals, 'deals')}")
    frames: list[pd.DataFrame] = []
    with Progress(settings.deals, "deals", True) as bar:
        for deal in range(settings.deals):
            one = np.array([deal])
            frames += statements(
                rules, agents, models, one, settings.seed, settings.worlds, TURN_SHARE
            )
            bar.add(1)
    if not frames:
        raise CommandError(
            f"--deals {settings.deals}: too few; against {opponent} no turn was chosen and no wild "
            "draw could be challenged"
        )
    return pd.concat(frames, ignore_index=True).assign(game=rules.name, opponent=opponent)


def summary(scores: pd.DataFrame) -> str:
    """Return the findings as lines of text."""
    lines = []
    for (game, opponent), rows in scores.groupby(["game", "opponent"], sort=False):
        lines += ["", f"{game}, {opponent}:"]
        for about, of_statement in rows.groupby("about", sort=False):
            count = findings.count(of_statement["n"].iloc[0], "statements")
            true = findings.percent(of_statement["true"].iloc[0])
            if few := charts.too_few(of_statement):
                lines.append(f"  {about}: {few[0].lower()}{few[1:]}")
                continue
            lines.append(f"  {about} ({count}, {true} true)")
            for model in of_statement["model"]:
                lines.append(f"    {charts.what_is_it(of_statement, model)}")
    return "\n".join([*lines, "", f"In brackets: {charts.INTERVALS}"])


def experiment(argv: Sequence[str] | None) -> None:
    """Play, draw and write what the arguments say."""
    settings = read_settings(argv)
    tables = make_tables(settings)
    check_folder(settings.out)

    frame = pd.concat([gather(*table, settings) for table in tables], ignore_index=True)
    reliability, scores = measures.reliability(frame), measures.brier_scores(frame)

    note = f"{settings.worlds:,} worlds a belief. Seed {settings.seed}."
    if settings.rule:
        note += f" Rules: {', '.join(settings.rule)}."
    drawn = {"brier": charts.brier_chart(scores, note)}
    for name, about in zip(("guilt", "color", "kind"), STATEMENTS, strict=True):
        if (scores["about"] == about).any():
            drawn[name] = charts.reliability_chart(reliability, scores, about, note)
    files: dict[str, bytes] = {}
    for name, chart in drawn.items():
        files |= {f"{name}.png": chart.png(), f"{name}.svg": chart.svg()}
    files |= table_files("reliability", reliability) | table_files("brier", scores)
    arguments = asdict(settings)
    del arguments["out"]  # the same run has the same bytes wherever it is written
    files["run.json"] = run_file({"experiment": "belief_calibration", **arguments})
    write_files(settings.out, files)

    tell(summary(scores))
    tell(written(settings.out, files))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("belief_calibration", experiment, argv)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
