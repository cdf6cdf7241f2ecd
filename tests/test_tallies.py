"""What rows say was done in a round is what one counts by hand in the replayed round."""

import importlib.util
import math
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.counts_by_hand import by_hand
from tests.envs.batched_agents import BySeed
from tests.policies import by_memory, highest_legal, lowest_legal
from tests.random_play import VARIANTS
from tests.rules.positions import duo, pocket
from uno_sim import UNO_DUO, UNO_POCKET, Game, Results, evaluate, parse_action, simulate
from uno_sim.simulation.driver import Batch
from uno_sim.simulation.tallies import (
    BY_SEAT,
    GAME_COLUMNS,
    OF_THE_ROUND,
    ROUND_COLUMNS,
    as_columns,
    counts_of,
    step_and_tally,
)
from uno_sim.speed_hints import for_call

DOCS = Path(__file__).parents[1] / "docs"
COUNTED = (*BY_SEAT, *OF_THE_ROUND)
CASTS: dict[str, list[Any]] = {
    "compiled": ["greedy", "random", by_memory, lowest_legal, "random"],
    "by chance": ["random"] * 5,
    "batched": [BySeed("one"), BySeed("two"), "random", highest_legal, BySeed("three")],
}
CASES = [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 3), (UNO_POCKET, 4), (UNO_POCKET, 5)]


@cache
def batch_of(name: str, cast: str) -> Results:
    """Return some rounds of a variant, with not too many turns."""
    rules, num_players = VARIANTS[name]
    rules = replace(rules, max_turns=min(rules.max_turns, 150))
    return simulate(rules, CASTS[cast][:num_players], rounds=2 * num_players, seed=101)


def check_row(batch: Results, row: int) -> None:
    """Compare a row with its round, counted by hand."""
    expected = by_hand(batch.replay(row))
    names = [name for column in COUNTED for name in column.names(batch.num_players)]
    assert set(expected) <= set(names)
    assert {name: int(batch.rounds[name].iloc[row]) for name in names} == {
        name: expected[name] for name in names
    }


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("name", VARIANTS)
def test_rows_are_as_counted_by_hand(name, cast):
    batch = batch_of(name, cast)
    for row in range(len(batch.rounds)):
        check_row(batch, row)


def test_all_that_is_counted_happens_in_these_rows():
    met: Counter[str] = Counter()
    for name in VARIANTS:
        for cast in CASTS:
            batch = batch_of(name, cast)
            for column in COUNTED:
                met[column.name] += batch.rounds[column.names(batch.num_players)].sum(axis=None)
    assert len(met) == len(COUNTED) and min(met.values()) >= 10


@pytest.mark.parametrize(("rules", "num_players"), CASES)
@pytest.mark.parametrize("cast", ["compiled", "batched"])
def test_games_are_the_sums_of_their_rounds(rules, num_players, cast):
    rules = replace(rules, max_turns=100, target=100)
    batch = simulate(rules, CASTS[cast][:num_players], games=num_players, seed=102)
    # The rounds before a round are played again each time.
    for row in range(0, len(batch.rounds), 4):
        check_row(batch, row)
    by_game = batch.rounds.groupby(["deal", "rotation"])
    for column in COUNTED:
        for name in column.names(num_players):
            if name == "start_card":
                assert name not in batch.games
                continue
            values = by_game[name].max() if name == "longest_volley" else by_game[name].sum()
            assert batch.games[name].tolist() == values.tolist()
    assert batch.games["rounds"].max() > 1


def test_counts_do_not_depend_on_the_workers():
    options = {"rules": UNO_POCKET, "agents": ["greedy", "random", "random"], "seed": 103}
    alone = simulate(rounds=30_000, **options)
    assert simulate(rounds=30_000, workers=2, **options).rounds.equals(alone.rounds)


def tallied(game: Game, *names: str) -> dict[str, int]:
    """Play actions from a position whose hands are all `hand_size`, and return the counts."""
    batch = Batch(1, game.num_players, 0)
    batch.states[0] = game.state
    states, tallies = for_call(batch.states), for_call(batch.tallies)
    for name in names:
        action = parse_action(name)
        assert name in game.legal_names()
        step_and_tally(states[0], game.rules.record, action, tallies[0])
        game.step(action)
    assert states[0].tobytes() == game.state.tobytes()
    numbers = counts_of(np.arange(1), tallies, states, game.rules.record, game.num_players)
    columns = as_columns(numbers, game.num_players)
    counted = {name: int(column[0]) for name, column in columns.items() if column[0]}
    assert tallies[0]["decisions"] == len(names)
    return counted


def test_a_volley_of_three_answers():
    game = duo(
        """
        hands: RD YD R1 | BD GD G1
        draw: Y5 Y6 Y7 Y8 Y9 Y1 Y2 Y3 Y4 R1
        discard: R9
        """,
        hand_size=3,
    )
    found = tallied(game, "RD", "BD", "YD", "uno", "GD", "silent", "catch", "take")
    assert found == {
        "drawn_0": 8,
        "drawn_1": 2,
        "uno_asked_0": 1,
        "uno_asked_1": 1,
        "uno_missed_1": 1,
        "uno_caught_1": 1,
        "volleys": 1,
        "longest_volley": 3,
    }


def test_two_volleys_and_a_draw_card_without_answer():
    game = duo(
        """
        hands: RD YD BD Y2 Y3 | BD GD G1 G2 G3
        draw: Y5 Y6 Y7 Y8 Y9 Y1 Y2 Y3 Y4 R1 R2 R3 R4
        discard: R9
        """,
        hand_size=5,
    )
    found = tallied(game, "RD", "BD", "take", "GD", "YD", "take", "BD", "take")
    assert found == {"drawn_0": 4, "drawn_1": 6, "volleys": 2, "longest_volley": 1}


def test_a_bluff_that_is_taken_and_one_that_is_challenged():
    game = duo(
        """
        hands: WD R1 R2 | WD G1 B2
        draw: Y5 Y6 Y7 Y8 Y9 Y1 Y2 Y3 Y4 R1 R3
        discard: R9
        """,
        hand_size=3,
    )
    found = tallied(game, "WD:G", "take", "draw", "WD:R", "challenge")
    assert found == {
        "drawn_0": 1,
        "drawn_1": 8,
        "wild_draws_0": 1,
        "bluffs_0": 1,
        "wild_draws_1": 1,
        "bluffs_1": 1,
        "wild_draws_faced_0": 1,
        "wild_draws_faced_1": 1,
        "challenges_0": 1,
        "challenges_won_0": 1,
    }


def test_a_challenge_judges_the_rules_own_way():
    position = """
        hands: WD W R2 | B2 G1 G2
        draw: Y5 Y6 Y7 Y8 Y9 Y1 Y2
        discard: B9
        """
    guilty = tallied(duo(position, hand_size=3), "WD:R", "challenge")
    assert (guilty["bluffs_0"], guilty["challenges_won_1"], guilty["drawn_0"]) == (1, 1, 4)
    innocent = tallied(duo(position, hand_size=3, challenge_judges="color"), "WD:R", "challenge")
    assert "bluffs_0" not in innocent and innocent["drawn_1"] == 6


def test_what_a_caught_silence_draws_is_no_bluff():
    position = """
        hands: WD B2 | G3 G1
        draw: Y5 R6 Y7 Y8 Y9 Y1 Y2 Y3
        discard: R9
        """
    game = duo(position, hand_size=2)
    found = tallied(game, "WD:R", "silent", "catch", "challenge")
    assert found == {
        "drawn_0": 2,
        "drawn_1": 6,
        "wild_draws_0": 1,
        "wild_draws_faced_1": 1,
        "challenges_1": 1,
        "uno_asked_0": 1,
        "uno_missed_0": 1,
        "uno_caught_0": 1,
    }


def test_a_wild_draw_laid_last_is_laid_but_not_faced():
    game = duo("hands: WD | G3\ndraw: Y5 R6 Y7 Y8 Y9\ndiscard: R9", hand_size=1)
    assert tallied(game, "WD:R") == {"drawn_1": 4, "wild_draws_0": 1}


def test_owed_and_open_dumps():
    game = duo(
        """
        hands: RR R3 R5 B1 B2 | R7 RR R8 G1 G2
        draw: Y5 Y6
        discard: R9
        """,
        hand_size=5,
    )
    assert tallied(game.clone(), "R>R5") == {"dumps_0": 1, "dumped_0": 3}
    game = duo(
        """
        hands: RR R3 RR B1 B2 | R7 RR R8 G1 G2
        draw: Y5 Y6
        discard: R9
        """,
        hand_size=5,
    )
    found = tallied(game, "R>RR", "R>R8")
    assert found == {"dumps_0": 1, "dumped_0": 3, "dumps_1": 1, "dumped_1": 3}


def test_a_dip_is_drawn_by_its_layer_and_a_gift_is_not_drawn():
    game = pocket(
        """
        hands: WP R1 R2 | G1 G2 G3 | B1 B2 B3
        draw: Y5 Y6 Y7
        discard: B9
        """,
        hand_size=3,
    )
    assert tallied(game, "WP:R", "give:R1") == {"drawn_0": 1, "dips": 1}


@pytest.mark.parametrize("recycle", ["turn_over", "shuffle"])
def test_discards_that_become_the_draw_pile_within_a_draw(recycle):
    game = duo(
        """
        hands: RD R2 R7 | G1 G2 G3
        draw: Y5
        discard: B1 B2 B3 R4
        """,
        hand_size=3,
        recycle=recycle,
        draw_penalty=3,
    )
    found = tallied(game, "RD", "take", "R2", "uno", "draw")
    assert found == {"drawn_1": 4, "uno_asked_0": 1, "recyclings": 1}


def test_a_draw_that_brings_nothing_is_no_card():
    game = duo("hands: R1 R2 | G1 G2\ndiscard: R4", hand_size=2)
    assert tallied(game, "draw", "draw") == {}
    game = duo("hands: R1 R2 | G1 G2\ndiscard: B1 R4", hand_size=2)
    assert tallied(game, "draw", "draw") == {"drawn_0": 1, "recyclings": 1}


@pytest.mark.parametrize("hand_size", [1, 2, 7])
def test_the_start_card_of_a_draft_that_uses_up_the_deck_is_its_first_discard(hand_size):
    kinds = [color + symbol for color in "RYGB" for symbol in "1234567"]
    deck = dict.fromkeys(kinds[: 4 * hand_size], 1)
    rules = replace(UNO_DUO, deck=deck, hand_size=hand_size, max_turns=20)
    batch = simulate(rules, ["random", "random"], rounds=8, seed=105)
    for row in range(8):
        check_row(batch, row)


def test_numbers_too_large_for_small_columns_are_kept():
    batch = Batch(2, 2, 0)
    batch.tallies["counts"][1, 0] = 40_000
    arrays = for_call(batch.tallies), for_call(batch.states)
    large = counts_of(np.arange(2), *arrays, UNO_DUO.record, 2)
    assert (large.dtype, large.max()) == (np.int32, 6 * 40_000 - 7)
    assert as_columns(large, 2)["bluffs_0"].tolist() == [0, 40_000]
    assert counts_of(np.arange(1), *arrays, UNO_DUO.record, 2).dtype == np.int16


@pytest.mark.parametrize(("rules", "num_players"), CASES)
def test_the_columns_are_those_declared(rules, num_players):
    batch = simulate(rules, ["greedy"] * num_players, games=2 * num_players, seed=1)
    for frame, columns in ((batch.rounds, ROUND_COLUMNS), (batch.games, GAME_COLUMNS)):
        declared = {name: column.dtype for column in columns for name in column.names(num_players)}
        assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == declared
        assert list(frame.columns) == list(declared)


MEASURES = {
    "drawn": ("drawn", None),
    "dumps": ("dumps", None),
    "cards_a_dump": ("dumped", "dumps"),
    "bluff_rate": ("bluffs", "wild_draws"),
    "challenge_rate": ("challenges", "wild_draws_faced"),
    "challenge_success": ("challenges_won", "challenges"),
    "silence_rate": ("uno_missed", "uno_asked"),
    "caught_rate": ("uno_caught", "uno_missed"),
}


@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_behavior_is_what_one_computes_by_hand(unit):
    agents = ["random", BySeed(), "greedy"]
    batch = simulate(UNO_POCKET, agents, seed=104, **{unit: 90 if unit == "rounds" else 12})
    table, rows = batch.behavior(), batch.rounds
    assert table["agent"].tolist() == ["random", "by seed", "greedy"]
    assert (table["rounds"] == len(rows)).all()
    assert list(table.columns) == ["agent", "rounds"] + [
        name + end for name in MEASURES for end in ("", "_low", "_high")
    ]
    for index, line in table.iterrows():
        for name, (numbers, occasions) in MEASURES.items():
            found, trials = of_agent(rows, numbers, index), np.ones(len(rows))
            if occasions is not None:
                trials = of_agent(rows, occasions, index)
            if not trials.sum():
                assert math.isnan(line[name]) and math.isnan(line[f"{name}_low"])
                continue
            assert line[name] == pytest.approx(found.sum() / trials.sum())
            assert line[f"{name}_low"] <= line[name] <= line[f"{name}_high"]
            if occasions is None:
                assert half_of(rows["deal"], found) == pytest.approx(
                    line[f"{name}_high"] - line[name]
                )
    assert table["silence_rate"].iloc[0] == pytest.approx(0.5, abs=0.2)
    assert table["silence_rate"].iloc[2] == table["bluff_rate"].iloc[2] == 0
    narrow = batch.behavior(confidence=0.5)
    assert (narrow["drawn_low"] > table["drawn_low"]).all()


def of_agent(rows: pd.DataFrame, name: str, index: int) -> Any:
    """Return a column by seat as that of an agent, which sits in seat (index + rotation) mod P."""
    return np.array([row[f"{name}_{(index + row.rotation) % 3}"] for _, row in rows.iterrows()])


def half_of(deals: pd.Series, values: Any) -> float:
    """Return half of the interval of a mean whose deals hang together."""
    sums = pd.Series(values - values.mean()).groupby(deals).sum()
    spread = math.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / len(values)
    return 1.959963984540054 * spread


def script():
    spec = importlib.util.spec_from_file_location("make_tables", DOCS / "make_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_columns_by_agent_that_are_not_there_are_told_with_those_that_are():
    batch = simulate(UNO_DUO, ["greedy", "random"], rounds=2)
    assert batch.by_agent(batch.rounds, "drawn_").shape == (2, 2)
    with pytest.raises(ValueError, match="prefix='drawn': must be one of 'points_', 'drawn_', "):
        batch.by_agent(batch.rounds, "drawn")


def test_the_page_lists_the_columns_of_the_code():
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    assert script().with_tables(page) == page, "run python docs/make_tables.py"
    assert re.findall(r"<!-- table: (\w+) -->", page) == list(script().PAGES["results.md"])
    for column in (*ROUND_COLUMNS, *GAME_COLUMNS):
        name = f"`{column.name}_0`.." if column.by_seat else f"`{column.name}`"
        assert f"\n| {name} | {column.dtype} | {column.meaning} |" in page
    for name in MEASURES:
        assert f"| `{name}` |" in page


def test_the_page_lists_the_columns_of_a_summary_and_of_an_evaluation():
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    section = page.partition("## Tables by agent")[2].partition("`results.behavior()`")[0]
    of_rounds = evaluate("random", ["random"], rounds=2)
    of_games = simulate(UNO_DUO, ["random", "random"], games=2).summary()
    for column in (*of_rounds, *of_games):
        if column.endswith(("_low", "_high")):
            assert column.rpartition("_")[0] in {*of_rounds, *of_games}
        else:
            assert f"`{column}`" in section


def test_the_examples_of_the_page_run(capsys):
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec("\n".join(blocks), {})
    printed = capsys.readouterr().out
    for word in ("recyclings", "challenge_rate", "win_rate", "count"):
        assert word in printed
