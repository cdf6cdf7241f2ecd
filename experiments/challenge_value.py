"""When is a challenge of a wild draw worth it, and does a rule made from the answer win?

Run `python -m experiments.challenge_value --help` for what is played and what is written.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from agents.challenger import RULE_SHAPE, of_rule
from experiments import cells, findings
from experiments import challenge_charts as charts
from experiments import challenge_measures as measures
from experiments.challenge_measures import Faced
from experiments.challenges import wild_draws
from experiments.command_line import (
    CommandError,
    Parser,
    add_match_options,
    make_casts,
    read_options,
    row_count,
    run_experiment,
    say,
)
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from experiments.situations import worth_to_first
from uno_sim import CompiledAgent, RuleSet, simulate
from uno_sim.simulation.progress import Progress
from uno_sim.statistics import Array, difference_by_deal, totals_by_deal

ANOTHER_SEED = 1 << 63
"""What is added to the seed for the matches, round the end of its range."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: tuple[str, ...] = ()
    """`duo`, `pocket` or `both`; empty for all games that are for so many players."""
    agents: tuple[str, ...] = ("bluffer:rate=0.3", "random")
    """The opponents, one after another; each takes all seats but the first."""
    players: int | None = None
    """The number of players; None for two."""
    rounds: int = 200_000
    """How many rounds are looked through, and how many each match plays."""
    seed: int = 0
    """What all deals and choices follow from."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the presets, as texts."""
    out: Path = Path("results/challenge_value")
    """The folder that is written to."""


HELP = f"""\
what is played:
  greedy, who takes every wild draw, against each opponent, every deal once from every seat. Each
  wild draw that it could challenge is settled in several ways in copies of the same world with the
  same random numbers, and the round played on by the same players. What an answer is worth is in
  round points: the own score less the mean of the others', so that more is better.
  From that comes a rule: challenge where the guilt, by what the table saw of the offender and by
  its hand, exceeds the guilt from which a challenge pays with these hand sizes. On other deals,
  from another seed, three players that differ in nothing else then meet the opponent, and greedy
  itself, who never bluffs: greedy, one that challenges each wild draw, and the rule.
  --rounds scales all of it ({Settings.rounds:,} by default: a minute or two).

what is written, always the same bytes for the same arguments and versions:
  guilt       how often a wild draw is a bluff, by history and the offender's hand
  worth       what a challenge is worth against taking, by both hands, and its break-even guilt
  break_even  the guilt from which a challenge pays, by formula and by simulation
  matches     what each way of challenging gains over greedy
              each as .png, .svg and .csv (.parquet too where pyarrow is installed)
  overall     the worth over all hand sizes; parts: what the formula is made of; both as tables
  rule_N      the rule from game and opponent number N, as a table:
              --agents challenger:rule=results/challenge_value/rule_1.csv plays it
  run.json    arguments, seed, versions, platform, commit

examples:
  python -m experiments.challenge_value
  python -m experiments.challenge_value --rounds 20000 --game pocket
  python -m experiments.challenge_value --agents bluffer:rate=0.1 --agents bluffer:rate=1
  python -m experiments.challenge_value --game pocket --players 4 --rule challenge_judges=color
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("challenge_value", str(__doc__).partition("\n")[0], HELP)
    add_match_options(parser, Settings.agents, Settings.out)
    parser.add_argument("--rounds", type=row_count, metavar="N", help="rounds; see below")
    return Settings(**read_options(parser, argv))


def make_tables(settings: Settings) -> list[tuple[RuleSet, tuple[CompiledAgent, ...], str]]:
    """Return rules, agents and the opponent's name for each game and opponent, checked."""
    casts = make_casts(
        settings.game,
        [f"greedy,{opponent}" for opponent in settings.agents],
        settings.players,
        settings.rule,
        settings.seed,
    )
    tables = []
    for cast in casts:
        rules, players = cast.rules, len(cast.agents)
        if len(set(cast.specs[1:])) > 1:
            raise CommandError(f"--agents {','.join(cast.specs[1:])}: must be one opponent")
        compiled = [agent for agent in cast.agents if isinstance(agent, CompiledAgent)]
        if len(compiled) < players:
            raise CommandError(f"--agents {cast.specs[1]}: must be a compiled agent")
        if not rules.wild_draw_penalty * rules.failed_challenge_extra:
            raise CommandError(
                "--rule wild_draw_penalty, failed_challenge_extra: must both be at least 1, or "
                "there is nothing to challenge for"
            )
        if settings.rounds < players or settings.rounds % players:
            below = settings.rounds - settings.rounds % players
            near = f"{below} or {below + players}" if below else f"{players}"
            raise CommandError(
                f"--rounds {settings.rounds}: every deal is played {players} times, once from each "
                f"seat; try {near}"
            )
        tables.append((rules, tuple(compiled), cast.names[1]))
    return tables


def face(
    rules: RuleSet, agents: Sequence[CompiledAgent], opponent: str, settings: Settings
) -> Faced:
    """Return the wild draws that greedy faces."""
    say(f"{rules.name}: wild draws of {opponent} in {findings.count(settings.rounds, 'rounds')}")
    frames = []
    with Progress(settings.rounds, "rounds", True) as bar:
        for played, frame in wild_draws(rules, list(agents), settings.rounds, settings.seed):
            frames.append(frame)
            bar.add(played)
    frame = pd.concat(frames, ignore_index=True)
    if frame.empty:
        raise CommandError(
            f"--rounds {settings.rounds}: {opponent} laid no wild draw that could be challenged"
        )
    return Faced(rules, opponent, settings.rounds, measures.with_worths(frame))


def play_matches(
    faced: Faced, agents: Sequence[CompiledAgent], rule: Array, settings: Settings
) -> pd.DataFrame:
    """Return how greedy, one that always challenges, and the rule do against each of two opponents.

    They are the opponent of the wild draws, and greedy. Columns: `game`, `opponent`, `bluffs_of`
    (whom the rule was made from), `agent`, `rounds`, `win_rate`, `gain` (round points more than
    greedy's in the same deals), `low`, `high`, `win_gain`, `win_low`, `win_high` (of win rates).
    """
    greedy, opponent = agents[0], agents[1]
    always = np.ones(RULE_SHAPE, np.float32)
    always_challenges, by_rule = of_rule("always", always), of_rule("rule", rule)
    seed = (settings.seed + ANOTHER_SEED) % (1 << 64)
    rows = []
    for name, other in {faced.opponent: opponent, "greedy": greedy}.items():
        totals = {}
        for player in (greedy, always_challenges, by_rule):
            say(f"{faced.rules.name}: {player.name} against {name}")
            cast = [player, *[other] * (len(agents) - 1)]
            totals[player.name] = _totals(faced.rules, cast, settings.rounds, seed)
        base_worth, base_wins = totals["greedy"]
        trials = np.full(len(base_worth), len(agents))
        for player_name, (worth, wins) in totals.items():
            points = difference_by_deal(worth, base_worth, trials, cells.CONFIDENCE)
            won = difference_by_deal(wins, base_wins, trials, cells.CONFIDENCE, limit=1)
            rows.append(
                {
                    "game": faced.rules.name,
                    "opponent": name,
                    "bluffs_of": faced.opponent,
                    "agent": player_name,
                    "rounds": settings.rounds,
                    "win_rate": wins.sum() / trials.sum(),
                    **dict(zip(("gain", "low", "high"), points[:3], strict=True)),
                    **dict(zip(("win_gain", "win_low", "win_high"), won[:3], strict=True)),
                }
            )
    return pd.DataFrame(rows)


def _totals(
    rules: RuleSet, cast: Sequence[CompiledAgent], rounds: int, seed: int
) -> tuple[Array, Array]:
    """Return what the rounds of each deal were worth to the first agent, and how many it won."""
    results = simulate(rules, cast, rounds=rounds, seed=seed, progress=True)
    deals = results.rounds["deal"].to_numpy()
    won = results.rounds["winner_index"].to_numpy() == 0
    return totals_by_deal(deals, worth_to_first(results)), totals_by_deal(deals, won)


def summary(overall: pd.DataFrame, even: pd.DataFrame, matches: pd.DataFrame) -> str:
    """Return the findings as lines of text."""
    lines = []
    for _, row in overall.iterrows():
        said = charts.what_it_is_worth(row["worth"], row["low"], row["high"])
        lines += [
            "",
            f"{row['game']}, wild draws of {row['opponent']} ({row['n']:,}):",
            f"  {said}",
        ]
        of_both = (even["game"] == row["game"]) & (even["opponent"] == row["opponent"])
        lines.append(f"  {charts.where_it_pays(even[of_both])}")
        played = (matches["game"] == row["game"]) & (matches["bluffs_of"] == row["opponent"])
        for _, rows in matches[played].groupby("opponent", sort=False):
            lines.append(f"  {charts.which_rule_pays(rows)}")
    return "\n".join([*lines, "", "In brackets: 95% intervals, with the deal as the unit."])


def experiment(argv: Sequence[str] | None) -> None:
    """Play, draw and write what the arguments say."""
    settings = read_settings(argv)
    tables = make_tables(settings)
    check_folder(settings.out)

    files: dict[str, bytes] = {}
    found: dict[str, list[pd.DataFrame]] = {}
    for number, (rules, agents, opponent) in enumerate(tables, start=1):
        faced = face(rules, agents, opponent, settings)
        rule = measures.rule_table(faced.frame)
        answers = rule["challenge"].to_numpy()
        for name, table in (
            ("guilt", measures.guilt(faced)),
            ("worth", measures.worth(faced)),
            ("overall", measures.overall(faced)),
            ("parts", measures.parts(faced)),
            ("break_even", measures.break_even(faced)),
            ("matches", play_matches(faced, agents, answers, settings)),
        ):
            found.setdefault(name, []).append(table)
        files |= table_files(f"rule_{number}", rule)
    whole = {name: pd.concat(parts, ignore_index=True) for name, parts in found.items()}

    note = f"Seed {settings.seed}."
    if settings.rule:
        note += f" Rules: {', '.join(settings.rule)}."
    drawn = {
        "guilt": charts.guilt_chart(whole["guilt"], note),
        "worth": charts.worth_chart(whole["worth"], whole["overall"], note),
        "break_even": charts.break_even_chart(whole["break_even"], note),
        "matches": charts.match_chart(whole["matches"], note),
    }
    for name, chart in drawn.items():
        files |= {f"{name}.png": chart.png(), f"{name}.svg": chart.svg()}
    for name, table in whole.items():
        files |= table_files(name, table)
    arguments = asdict(settings)
    del arguments["out"]  # the same run has the same bytes wherever it is written
    played = [
        {"rule": f"rule_{number}", "game": rules.name, "agents": [agent.name for agent in agents]}
        for number, (rules, agents, _) in enumerate(tables, start=1)
    ]
    files["run.json"] = run_file({"experiment": "challenge_value", **arguments, "tables": played})
    write_files(settings.out, files)

    tell(summary(whole["overall"], whole["break_even"], whole["matches"]))
    tell(written(settings.out, files))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("challenge_value", experiment, argv)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
