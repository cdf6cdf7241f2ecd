"""How well does a network learn to play? Train one with MaskablePPO, and keep it.

Run `python -m experiments.train_ppo --help` for what is trained, what is written, and how to play
the result. The training itself is `experiments.training.train`.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import io
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agents.network import network
from experiments import findings
from experiments.command_line import (
    GAMES,
    CommandError,
    Parser,
    one_line_errors,
    read_options,
    row_count,
    run_experiment,
    say,
    short_names,
    split_agents,
    whole_number,
)
from experiments.learning_chart import learning_chart
from experiments.output import check_folder, run_file, table_files, tell, write_files, written
from experiments.training import (
    CHECKPOINTS,
    HIDDEN,
    NUM_ENVS,
    PPO,
    STEPS,
    Progress,
    missing_packages,
    saved,
    train,
)
from uno_sim import RuleSet, evaluate, make_agent
from uno_sim.envs.settings import REWARDS
from uno_sim.networks import MAX_LAYERS, MAX_WIDTH, Vector
from uno_sim.random_stream import check_seed
from uno_sim.rule_set import with_option

CHECKPOINT_ROUNDS = 2_400
FINAL_ROUNDS = 24_000
"""How many rounds an evaluation plays against each opponent. Both divide by 2, 3, 4 and 5 players,
since each deal is played from every seat."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; each is an option of the command line."""

    game: str = "duo"
    """`duo` or `pocket`."""
    players: int | None = None
    """The number of players; None for as few as the game allows."""
    opponents: str = "greedy"
    """Whom it trains against: agents with commas, one of which is drawn for each seat and round."""
    steps: int = STEPS
    """How many decisions it learns from, rounded up to whole rollouts."""
    envs: int = NUM_ENVS
    """How many games are played side by side."""
    hidden: tuple[int, ...] = HIDDEN
    """The units of each hidden layer."""
    reward: str = "win"
    """`win`, or `points`."""
    against: str = "random,greedy"
    """Whom it is evaluated against."""
    seed: int = 0
    """What all follows from: first weights, deals, choices."""
    rule: tuple[str, ...] = ()
    """Options of the rules that differ from the presets, as texts."""
    out: Path = Path("results/train_ppo")
    """The folder that is written to."""


HELP = f"""\
needs the extra `train`:
  pip install torch==2.13.0
  pip install -e ".[train]"

what is trained:
  A network that sees the features of what its player knows (docs/observations.md) and gives a
  number for each action; illegal actions are masked. sb3-contrib's MaskablePPO trains it from
  random weights in many games side by side, on single rounds, in a random seat each. A step is a
  decision of the learner with a choice; decisions with one legal action are skipped. The reward
  is 1 for a win and -1 for a loss, or with --reward points the points of the round.
  With several --opponents one is drawn for each seat and round, each as likely. Networks can be
  opponents too: --opponents greedy,network:weights=results/train_ppo/network.npy

what is measured:
  The network's best action against each of --against, every deal from every seat:
  before the training and at {CHECKPOINTS} checkpoints in {CHECKPOINT_ROUNDS:,} rounds,
  at the end in {FINAL_ROUNDS:,}. Nothing is chosen by these numbers; what is kept is the
  network at the end.

what is written, all at the end or not at all:
  model.zip      the model, which Stable-Baselines3 can load and train on
  network.npy    its policy for the agent `network`, which needs no PyTorch
  learning       win rates over steps, as .csv, .png and .svg
  evaluation     win rates at the end, as .csv
                 (both tables as .parquet too where pyarrow is installed)
  run.json       arguments, seed, versions, threads, platform, commit

how to play it:
  python -m experiments.win_rates --game duo --agents \\
      network:weights=results/train_ppo/network.npy,greedy
  python -m experiments.win_rates --game duo --rounds 2000 --agents \\
      ppo:model=results/train_ppo/model.zip,greedy
  Both choose the same actions but where two are as good to within rounding. `network` is faster.

the same again:
  The same arguments give the same network on the same machine, with the same versions and number
  of threads of PyTorch (OMP_NUM_THREADS=1 sets it). Nobody can promise more: elsewhere numbers are
  added in another order. On a busy machine a single thread is faster than two.

examples:
  python -m experiments.train_ppo
  python -m experiments.train_ppo --steps 100000 --hidden 64,64
  python -m experiments.train_ppo --game pocket --players 3 --opponents greedy,random
  python -m experiments.train_ppo --rule stack_draws=false --out results/no_volley
"""


def read_settings(argv: Sequence[str] | None) -> Settings:
    """Return the settings of a command line."""
    parser = Parser("train_ppo", str(__doc__).partition("\n")[0], HELP)
    add = parser.add_argument
    add("--game", choices=GAMES, help="the game (default: duo)")
    add("--players", type=whole_number, metavar="P", help="the number of players (default: 2)")
    add("--opponents", metavar="A,B", help="whom it trains against (default: greedy)")
    add("--steps", type=_positive, metavar="N", help=f"how many steps (default: {STEPS:,})")
    add("--envs", type=_positive, metavar="N", help=f"games side by side (default: {NUM_ENVS})")
    sizes = ",".join(map(str, HIDDEN))
    add("--hidden", type=_sizes, metavar="N,N", help=f"units of the layers (default: {sizes})")
    add("--reward", choices=REWARDS, help="what is learned for (default: win)")
    add("--against", metavar="A,B", help="whom it is evaluated against (default: random,greedy)")
    add("--seed", type=whole_number, help="what all follows from (default: 0)")
    add(
        "--rule",
        action="append",
        metavar="FIELD=VALUE",
        help="an option of the rules, repeatable: target=500, deck=W:4,WP:2 (docs/rules.md)",
    )
    add("--out", type=Path, metavar="DIR", help=f"where files go (default: {Settings.out})")
    given = read_options(parser, argv)
    if "hidden" in given:
        given["hidden"] = tuple(given["hidden"])
    return Settings(**given)


def _positive(text: str) -> int:
    number = row_count(text)
    if not number:
        raise argparse.ArgumentTypeError("'0' must be at least 1")
    return number


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(map(whole_number, text.split(",")))
    if len(sizes) >= MAX_LAYERS or not all(1 <= size <= MAX_WIDTH for size in sizes):
        raise argparse.ArgumentTypeError(
            f"{text!r} must be at most {MAX_LAYERS - 1} numbers from 1 to {MAX_WIDTH}"
        )
    return sizes


def read_rules(settings: Settings) -> tuple[RuleSet, int]:
    """Return the rules and the number of players, checked."""
    rules = GAMES[settings.game]
    with one_line_errors(ValueError):
        check_seed(settings.seed)
        for option in settings.rule:
            rules = with_option(rules, option)
        players = rules.min_players if settings.players is None else settings.players
        rules.check_players(players)
        rules.check_deal(rules.num_cards, players)
    return rules, players


def network_file(params: Vector) -> bytes:
    """Return a network as the bytes of a `.npy` file."""
    file = io.BytesIO()
    np.save(file, params, allow_pickle=False)
    return file.getvalue()


def libraries() -> dict[str, str | int]:
    """Return what else the numbers depend on: versions of what trains, and the threads."""
    import torch

    names = ("torch", "stable_baselines3", "sb3_contrib", "gymnasium")
    return {
        **{name: importlib.metadata.version(name) for name in names},
        "torch_threads": torch.get_num_threads(),
    }


def progress_line(progress: Progress) -> str:
    """Return what is said at a checkpoint."""
    table = progress.table
    rates = [
        f"{findings.percent(rate)} against {opponent}"
        for rate, opponent in zip(table["win_rate"], table["opponent"], strict=True)
    ]
    speed = f" ({progress.steps_a_second:,.0f} a second)" if progress.steps else ""
    return f"{findings.count(progress.steps, 'steps')}{speed}: wins {', '.join(rates)}"


def summary(evaluation: pd.DataFrame) -> str:
    """Return the final win rates as lines of text."""
    width = max(map(len, evaluation["opponent"]))
    lines = []
    row: Any
    for row in evaluation.itertuples():
        rate = findings.rate(row.win_rate, row.win_rate_low, row.win_rate_high)
        rounds = findings.count(row.rounds, "rounds")
        lines.append(f"  against {row.opponent:{width}}   {rate} of {rounds}")
    return "\n".join([*lines, "", "In brackets: 95% intervals, with the deal as the unit."])


def how_to_play(settings: Settings, players: int) -> str:
    """Return the commands that play what was written."""
    options = ["--game", settings.game, "--players", str(players)]
    for option in settings.rule:
        options += ["--rule", option]
    lines = ["", "to play it:"]
    for more, agent in (
        ([], f"network:weights={settings.out / 'network.npy'}"),
        (["--rounds", str(FINAL_ROUNDS // 10)], f"ppo:model={settings.out / 'model.zip'}"),
    ):
        command = shlex.join([*options, *more, "--agents", f"{agent},greedy"])
        lines.append(f"  python -m experiments.win_rates {command}")
    return "\n".join(lines)


def experiment(argv: Sequence[str] | None) -> None:
    """Train, evaluate and write what the arguments say."""
    settings = read_settings(argv)
    rules, players = read_rules(settings)
    with one_line_errors(ValueError):
        opponents = Counter(split_agents(settings.opponents))
        names = short_names(tuple(dict.fromkeys(split_agents(settings.against))))
        against = [make_agent(spec) for spec in names]
        for spec in opponents:
            make_agent(spec)
    check_folder(settings.out)
    missing = missing_packages()
    if missing:
        raise CommandError(missing)

    def named(table: pd.DataFrame) -> pd.DataFrame:
        """Return a table with the opponents called as the user did."""
        repeats = len(table) // len(names)
        return table.assign(opponent=[*names.values()] * repeats)

    def report(progress: Progress) -> None:
        say(progress_line(Progress(progress.steps, progress.steps_a_second, named(progress.table))))

    game = f"{rules.name}, {findings.count(players, 'players')}"
    say(f"{game}: training against {settings.opponents}")
    with one_line_errors(ValueError):
        trained = train(
            rules,
            players,
            opponents,
            steps=settings.steps,
            seed=settings.seed,
            num_envs=settings.envs,
            hidden=settings.hidden,
            reward=settings.reward,
            against=against,
            rounds=CHECKPOINT_ROUNDS,
            report=report,
        )
        evaluation = evaluate(
            network(trained.network),
            against,
            rules=rules,
            num_players=players,
            rounds=FINAL_ROUNDS,
            seed=settings.seed,
        )
    learning, evaluation = named(trained.learning), named(evaluation)

    about = (
        f"{game}; trained against {settings.opponents}; hidden layers of "
        f"{', '.join(map(str, settings.hidden))}; reward: {settings.reward}"
    )
    note = f"Seed {settings.seed}."
    if settings.rule:
        note += f" Rules: {', '.join(settings.rule)}."
    chart = learning_chart(learning, about, note)
    arguments = asdict(settings)
    del arguments["out"]  # the same run has the same record wherever it is written
    files = {
        "model.zip": saved(trained.model),
        "network.npy": network_file(trained.network),
        "learning.png": chart.png(),
        "learning.svg": chart.svg(),
        **table_files("learning", learning),
        **table_files("evaluation", evaluation),
        "run.json": run_file(
            {"experiment": "train_ppo", **arguments, "ppo": PPO, "libraries": libraries()}
        ),
    }
    write_files(settings.out, files)

    tell(f"\n{game}, after {findings.count(trained.model.num_timesteps, 'steps')} it wins")
    tell(summary(evaluation))
    tell(written(settings.out, files))
    tell(how_to_play(settings, players))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit code."""
    return run_experiment("train_ppo", experiment, argv)


if __name__ == "__main__":
    gc.freeze()  # modules stay until the end; looking at them once more at exit takes 0.3 s
    sys.exit(main())
