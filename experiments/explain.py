"""What did each decision of a saved game cost, against the best that the player could know of?

Run `python -m experiments.explain --help` for what is tried and what is written.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import explain_charts as charts
from experiments.command_line import (
    CommandError,
    Parser,
    model_name,
    one_line_errors,
    read_model,
    read_options,
    run_experiment,
    whole_number,
)
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from uno_sim import CompiledAgent, Game, GameRecord, action_name, load_record, make_agent
from uno_sim.decisions.analysis import evaluate_actions
from uno_sim.random_stream import check_seed
from uno_sim.simulation.progress import Progress

LEVEL = 0.05
"""How often at most a choice as good as any other is called a mistake."""
FEWEST_WORLDS = 30
"""Of fewer worlds, or of weighed ones that are worth fewer, intervals do not hold."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    record: Path
    """The saved game."""
    seat: int | None = None
    """The seat whose decisions are looked at; None for all."""
    decision: int | None = None
    """The one decision that is looked at closely; None for all."""
    worlds: int = 1000
    """How many worlds each action of a decision is tried in."""
    policy: str = "greedy"
    """The compiled agent that plays on for all players."""
    model: str | None = None
    """The compiled agents, with commas, each of which the others are thought to be with the same
    chance; None for nothing told by choices."""
    seed: int = 0
    """What the worlds follow from."""
    out: Path = Path("results/explain")
    """The folder that is written to."""


HELP = f"""\
what is tried:
  The record is replayed (`Game.save` writes one), whether its last round is over or not. At each
  decision worlds are drawn from what the asked player knew; in each of them every legal action is
  tried with the same random numbers, and the policy plays on for all. The cost of a choice is the
  mean round points of the best action less those of the chosen one, in the same worlds. Decisions
  with one legal action are left out. Decisions are numbered from 1 through the whole record.

  All worlds are equally likely. With --model they are weighed by what the others chose in the
  round so far, if they are such players: then a wild draw of a player who never bluffs is believed.
  Of several agents each other player is one, each as likely before the round.

what the costs mean:
  They hold for players who go on as the policy does. The best is the best of what was measured, so
  small costs are rather too high; where the interval holds 0 no mistake is shown. Intervals are
  95%, corrected for the number of alternatives: they are made so that a choice as good as any other
  is called a mistake in {LEVEL:.0%} of decisions at most. Where the weighed worlds are worth fewer
  than {FEWEST_WORLDS} equal ones, no mistake is claimed.

what is written, always the same bytes for the same arguments and versions:
  explain     the cost of each decision, as .png, .svg and .csv (.parquet too with pyarrow); with
              --decision N it is decision_N: every action of that one, with the chances to win the
              round and the game
  run.json    arguments, seed, versions, platform, commit

examples:
  python -m experiments.explain game.txt
  python -m experiments.explain game.txt --seat 0 --worlds 4000
  python -m experiments.explain game.txt --decision 31
  python -m experiments.explain game.txt --model greedy,random,bluffer:rate=0.5
"""


@dataclass(frozen=True)
class Choice:
    """A choice out of several: what was known, and what was done."""

    number: int
    round_number: int
    game: Game
    action: int


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("explain", str(__doc__).partition("\n")[0], HELP)
    add = parser.add_argument
    add("record", type=Path, metavar="RECORD", help="the file that Game.save wrote")
    add("--seat", type=whole_number, metavar="N", help="this seat's decisions only, from 0")
    add("--decision", type=whole_number, metavar="N", help="all actions of this decision only")
    add(
        "--worlds",
        type=whole_number,
        metavar="W",
        help="worlds a decision, 30 or more (default: 1000)",
    )
    add("--policy", metavar="AGENT", help="the agent that plays on (default: greedy)")
    add(
        "--model",
        metavar="A,B",
        help="weigh worlds by the others' choices, if they are such, each as likely",
    )
    add("--seed", type=whole_number, help="what the worlds follow from (default: 0)")
    add("--out", type=Path, metavar="DIR", help=f"the folder that is written to ({Settings.out})")
    settings = Settings(**read_options(parser, argv))
    if settings.worlds < FEWEST_WORLDS:
        raise CommandError(
            f"--worlds {settings.worlds}: must be at least {FEWEST_WORLDS}; intervals of fewer do "
            "not hold, so no mistake could be claimed"
        )
    with one_line_errors(ValueError):
        check_seed(settings.seed)
    return settings


def read_record(settings: Settings) -> GameRecord:
    """Return the record, checked against the settings; it is played through once."""
    with one_line_errors(OSError, ValueError):
        record = load_record(settings.record)
        Game.from_record(record)
    if settings.seat is not None and settings.seat >= record.num_players:
        raise CommandError(
            f"--seat {settings.seat}: must be from 0 to {record.num_players - 1}; the game has "
            f"{record.num_players} players"
        )
    if settings.decision is not None and not 1 <= settings.decision <= record.num_actions():
        raise CommandError(
            f"--decision {settings.decision}: must be from 1 to {record.num_actions()}"
        )
    return record


def read_agent(option: str, text: str) -> CompiledAgent:
    """Return the compiled agent of an option."""
    with one_line_errors(ValueError):
        agent = make_agent(text)
    if not isinstance(agent, CompiledAgent):
        raise CommandError(f"{option} {text}: must be a compiled agent")
    return agent


def choices_of(record: GameRecord, settings: Settings) -> list[Choice]:
    """Return the decisions to look at: copies of the game before each.

    Raises `CommandError` where there is none.
    """
    actions = [
        (number, action)
        for number, played in enumerate(record.rounds, start=1)
        for action in played.actions
    ]
    choices = []
    for number, (game, (round_number, action)) in enumerate(
        zip(Game.replay(record), actions, strict=False), start=1
    ):
        wanted = settings.decision in (None, number)
        if not wanted or settings.seat not in (None, game.current_player):
            continue
        if len(game.legal_actions()) > 1:
            choices.append(Choice(number, round_number, game.clone(), action))
        elif settings.decision == number:
            raise CommandError(
                f"--decision {number}: only {action_name(action)} was legal, so there was no choice"
            )
    if not choices:
        asked = "" if settings.seat is None else f" of seat {settings.seat}"
        raise CommandError(f"{settings.record}: holds no decision{asked} with a choice")
    return choices


def values(
    choice: Choice,
    policy: CompiledAgent,
    model: Mapping[CompiledAgent, float] | None,
    settings: Settings,
    games: bool,
) -> pd.DataFrame:
    """Return what each action was worth; see `evaluate_actions`.

    The differences have intervals that hold for all of them together.
    """
    alternatives = len(choice.game.legal_actions()) - 1
    return evaluate_actions(
        choice.game,
        policy,
        settings.worlds,
        settings.seed,
        confidence=1 - LEVEL / alternatives,
        games=games,
        belief=model,
    )


def cost(choice: Choice, table: pd.DataFrame) -> dict[str, Any]:
    """Return what a choice cost, as a row of `explain.csv`.

    Columns: `decision`, `round`, `seat`, `phase`, `card` (offered in the draft, or just drawn),
    `chosen`, `best`, `actions` (how many were legal), `cost` in round points with its `low` and
    `high` (NaN where the worlds are worth too few), `mistake` (whether the interval is above 0, of
    enough worlds), `points` expected after the choice,
    `worlds`, and `effective_worlds`, as many equally likely ones would tell as much.
    """
    best = table.iloc[0]
    chosen = table[table["action_id"] == choice.action].iloc[0]
    low, high = 0.0 - chosen["difference_high"], 0.0 - chosen["difference_low"]
    return {
        "decision": choice.number,
        "round": choice.round_number,
        "seat": choice.game.current_player,
        "phase": choice.game.phase.name,
        "card": choice.game.offered_card or choice.game.drawn_card or "",
        "chosen": chosen["action"],
        "best": best["action"],
        "actions": len(table),
        "cost": 0.0 - chosen["difference"],
        "low": low,
        "high": high,
        "mistake": bool(low > 0 and effective_enough(best)),
        "points": chosen["points"],
        "worlds": int(best["worlds"]),
        "effective_worlds": best["effective_worlds"],
    }


def effective_enough(row: Any) -> bool:
    """Return whether the worlds are worth enough equal ones for an interval to hold."""
    return bool(round(row["effective_worlds"], 6) >= FEWEST_WORLDS)


def experiment(argv: Sequence[str] | None) -> None:
    """Replay, try and write what the arguments say."""
    settings = read_settings(argv)
    record, policy = read_record(settings), read_agent("--policy", settings.policy)
    model = None
    told = "choices tell nothing"
    if settings.model is not None:
        model = read_model("--model", settings.model)
        told = f"worlds weighed by the others' choices, as of {model_name(model)}"
    choices = choices_of(record, settings)
    check_folder(settings.out)

    note = (
        f"{record.rules.name}, {settings.record.name}; {policy.name} plays on; {told}; "
        f"{settings.worlds:,} worlds a decision; seed {settings.seed}."
    )
    if settings.decision is None:
        rows = []
        with Progress(len(choices), "decisions", True) as bar:
            for choice in choices:
                rows.append(cost(choice, values(choice, policy, model, settings, games=False)))
                bar.add(1)
        name, table = "explain", pd.DataFrame(rows)
        chart = charts.cost_chart(table, note, model is not None)
        text = charts.report(table, model is not None)
    else:
        (choice,) = choices
        table = values(choice, policy, model, settings, games=True)
        row = cost(choice, table)
        name = f"decision_{choice.number}"
        chart = charts.action_chart(row, table, note, model is not None)
        text = f"{choice.game.observation(row['seat'])}\n\n"
        text += charts.action_text(row, table, model is not None)
    arguments = {**asdict(settings), "record": settings.record.name}
    del arguments["out"]  # the same run has the same bytes wherever it is written
    files = {
        f"{name}.png": chart.png(),
        f"{name}.svg": chart.svg(),
        **table_files(name, table),
        "run.json": run_file({"experiment": "explain", **arguments}),
    }
    write_files(settings.out, files)

    tell(text)
    tell(written(settings.out, files))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("explain", experiment, argv)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
