"""Round robins: tables, who wins against whom, ratings, comparisons, points."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    AgentError,
    CompiledAgent,
    Tournament,
    round_robin,
    simulate,
)
from uno_sim.ratings import POINTS, fit_strengths
from uno_sim.simulation.tables import NOT_RESOLVED
from uno_sim.statistics import holm, mean_by_deal

LOWEST = "tests/policies.py::lowest_legal"
AGENTS = ["random", "greedy", LOWEST]


@pytest.fixture(scope="module")
def pairs() -> Tournament:
    return round_robin(UNO_DUO, AGENTS, rounds=400, seed=3)


@pytest.fixture(scope="module")
def threes() -> Tournament:
    return round_robin(UNO_POCKET, [*AGENTS, "random"], num_players=3, rounds=120, seed=4)


def test_every_pair_plays_a_batch_of_its_own_on_the_same_deals(pairs: Tournament) -> None:
    assert pairs.lineups == ((0, 1), (0, 2), (1, 2))
    for lineup, results in zip(pairs.lineups, pairs.tables, strict=True):
        again = simulate(UNO_DUO, [AGENTS[agent] for agent in lineup], rounds=400, seed=3)
        assert results.rounds.equals(again.rounds)


def test_tables_of_three_are_every_choice_of_three(threes: Tournament) -> None:
    assert threes.lineups == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    assert threes.num_players == 3
    assert all(len(results.rounds) == 120 for results in threes.tables)


def test_names_are_unique(threes: Tournament) -> None:
    assert threes.names == ("random (1)", "greedy", "lowest_legal", "random (2)")


def test_wins_are_those_of_the_tables(pairs: Tournament) -> None:
    table = pairs.wins().set_index(["agent", "opponent"])
    assert len(table) == 6
    for lineup, results in zip(pairs.lineups, pairs.tables, strict=True):
        one, other = (pairs.names[agent] for agent in lineup)
        counts = results.rounds["winner_index"].value_counts()
        row, reverse = table.loc[(one, other)], table.loc[(other, one)]
        assert row["wins"] == reverse["losses"] == counts.get(0, 0)
        assert row["losses"] == reverse["wins"] == counts.get(1, 0)
        assert row["rounds"] == 400
        assert row["deals"] == 200
        assert row["win_rate"] + reverse["win_rate"] == pytest.approx(1)
        assert row["low"] == pytest.approx(1 - reverse["high"])
        assert row["low"] <= row["win_rate"] <= row["high"]


def test_at_larger_tables_rows_that_a_third_won_do_not_count(threes: Tournament) -> None:
    wins = losses = nobody = rounds = 0
    for lineup, results in zip(threes.lineups, threes.tables, strict=True):
        if {1, 2} <= set(lineup):
            winners = [*lineup, -1]
            won = [winners[index] for index in results.rounds["winner_index"]]
            wins, losses, nobody = (
                wins + won.count(1),
                losses + won.count(2),
                nobody + won.count(-1),
            )
            rounds += len(won)
    row = threes.wins().set_index(["agent", "opponent"]).loc[("greedy", "lowest_legal")]
    assert (row["wins"], row["losses"], row["without_winner"]) == (wins, losses, nobody)
    assert row["rounds"] == rounds == 240
    assert row["win_rate"] == pytest.approx((wins + nobody / 2) / (wins + losses + nobody))
    comparison = threes.comparisons().set_index(["agent", "opponent"])
    difference = comparison.loc[("greedy", "lowest_legal"), "difference"]
    assert difference == pytest.approx((wins - losses) / rounds)


def test_comparisons_of_pairs_say_what_the_win_rates_say(pairs: Tournament) -> None:
    wins = pairs.wins().set_index(["agent", "opponent"])
    for row in pairs.comparisons().itertuples():
        rate = wins.loc[(row.agent, row.opponent)]
        assert row.difference == pytest.approx(2 * rate["win_rate"] - 1)
        assert row.low == pytest.approx(2 * rate["low"] - 1)
        assert row.high == pytest.approx(2 * rate["high"] - 1)
        assert row.p_corrected >= row.p_value
        assert row.resolved
        assert row.verdict == (row.agent if row.difference > 0 else row.opponent)


def test_agents_that_are_the_same_are_not_resolved() -> None:
    same = round_robin(UNO_DUO, ["greedy", "random", "greedy"], rounds=200)
    comparisons = same.comparisons().set_index(["agent", "opponent"])
    row = comparisons.loc[("greedy (1)", "greedy (2)")]
    assert row["verdict"] == NOT_RESOLVED
    assert not row["resolved"]
    assert row["low"] < 0 < row["high"]
    assert comparisons.loc[("greedy (1)", "random"), "verdict"] == "greedy (1)"


def test_many_comparisons_are_corrected_for_their_number() -> None:
    agents = ["greedy", LOWEST, "tests/policies.py::by_memory", "random"]
    table = round_robin(UNO_POCKET, agents, rounds=24, seed=1).comparisons()
    assert len(table) == 6
    assert table["p_corrected"].tolist() == pytest.approx(holm(table["p_value"]).tolist())
    assert (table["resolved"] == (table["p_corrected"] < 0.05)).all()
    # Alone this one would be called resolved.
    lost = (table["p_value"] < 0.05) & ~table["resolved"]
    assert lost.any()
    assert (table.loc[lost, "verdict"] == NOT_RESOLVED).all()


def test_ratings_are_fitted_to_the_wins_by_deal(pairs: Tournament) -> None:
    table = pairs.ratings()
    wins = np.zeros((3, 200, 2))
    for number, results in enumerate(pairs.tables):
        frame = results.rounds
        for deal, winner in zip(frame["deal"], frame["winner_index"], strict=True):
            wins[number, deal] += np.eye(2)[winner] if winner >= 0 else 0.5
    expected = fit_strengths(pairs.lineups, wins)
    found = table.set_index("agent").loc[list(pairs.names)]
    assert found["rating"].to_numpy() == pytest.approx(expected.ratings)
    assert table["rating"].is_monotonic_decreasing
    assert table["rating"].sum() == pytest.approx(0)
    assert found["points"].to_numpy() == pytest.approx(POINTS * expected.ratings)
    half = found["rating_high"] - found["rating"]
    assert half.to_numpy() == pytest.approx(1.959964 * expected.deviations)
    assert found["rounds"].tolist() == [800, 800, 800]


def test_ratings_of_larger_tables_order_the_agents(threes: Tournament) -> None:
    ratings = threes.ratings()
    assert ratings["agent"].tolist()[:2] == ["greedy", "lowest_legal"]
    assert set(ratings["extreme"]) == {""}
    assert ratings["wins"].sum() == sum(
        (results.rounds["winner_index"] >= 0).sum() for results in threes.tables
    )


def test_who_never_lost_is_said_so() -> None:
    found = round_robin(UNO_DUO, ["greedy", "random"], games=40).ratings()
    assert found["extreme"].tolist() == ["never lost", "never won"]
    assert np.isfinite(found[["rating", "rating_low", "rating_high"]]).all(axis=None)
    assert found["rating_high"].iloc[0] - found["rating_low"].iloc[0] > 1.5


def test_rounds_without_a_winner_count_half_for_each() -> None:
    rules = replace(UNO_DUO, max_turns=12)
    capped = round_robin(rules, ["greedy", "random"], rounds=200)
    table = capped.wins().set_index("agent")
    greedy = table.loc["greedy"]
    assert greedy["without_winner"] > 20
    assert greedy["wins"] + greedy["losses"] + greedy["without_winner"] == 200
    share = (greedy["wins"] + greedy["without_winner"] / 2) / 200
    assert greedy["win_rate"] == pytest.approx(share)
    ratings = capped.ratings().set_index("agent")["rating"]
    odds = (200 * share + 0.5) / (200 - 200 * share + 0.5)
    assert ratings["greedy"] - ratings["random"] == pytest.approx(math.log(odds))


@pytest.mark.parametrize(("unit", "name"), [("rounds", "points"), ("games", "score")])
def test_points_are_means_over_all_tables(unit: str, name: str) -> None:
    rows = 60
    found = round_robin(UNO_POCKET, AGENTS, seed=2, **{unit: rows})  # type: ignore[arg-type]
    assert found.unit == unit
    table = found.points().set_index("agent")
    totals = np.zeros(rows // 2)
    for lineup, results in zip(found.lineups, found.tables, strict=True):
        if 1 in lineup:
            frame = getattr(results, unit)
            of_agents = results.by_agent(frame, f"{name}_")[:, lineup.index(1)]
            totals += np.bincount(frame["deal"], weights=of_agents)
    expected = mean_by_deal(totals, np.full(rows // 2, 4))
    assert table.loc["greedy", [name, f"{name}_low", f"{name}_high"]].tolist() == pytest.approx(
        list(expected)
    )
    assert table.loc["greedy", unit] == 2 * rows


def test_several_workers_and_pairings_change_nothing_else(pairs: Tournament) -> None:
    again = round_robin(UNO_DUO, AGENTS, rounds=400, seed=3, workers=2)
    pd.testing.assert_frame_equal(again.ratings(), pairs.ratings())
    alone = round_robin(UNO_DUO, AGENTS, rounds=60, paired=False)
    assert alone.wins()["deals"].tolist() == [60] * 6
    orders = round_robin(UNO_POCKET, AGENTS, rounds=60, num_players=3, paired="permutations")
    assert orders.wins()["deals"].tolist() == [10] * 6


def test_a_wider_confidence_has_wider_intervals() -> None:
    usual = round_robin(UNO_DUO, AGENTS[:2], rounds=40)
    wide = round_robin(UNO_DUO, AGENTS[:2], rounds=40, confidence=0.99)
    for table in ("wins", "comparisons"):
        one, other = getattr(usual, table)(), getattr(wide, table)()
        assert (other["high"] - other["low"] > one["high"] - one["low"]).all()


@pytest.mark.parametrize(
    ("agents", "options", "said"),
    [
        ("greedy", {"rounds": 2}, "list of agents"),
        (["greedy"], {"rounds": 2}, "too few for a table of 2"),
        (AGENTS, {"rounds": 2, "num_players": 3}, "2 players"),
        (AGENTS, {"rounds": 3}, "must divide by the 2 rotations"),
        (AGENTS, {}, "exactly one of them"),
        (AGENTS, {"rounds": 2, "confidence": 95}, "confidence=95"),
        (AGENTS, {"rounds": 2, "paired": "twice"}, "paired="),
        (["greedy", "nobody"], {"rounds": 2}, "unknown"),
    ],
)
def test_what_does_not_fit_is_refused(agents: list[str], options: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        round_robin(UNO_DUO, agents, **options)


def test_agents_that_are_given_may_be_made_already(pairs: Tournament) -> None:
    assert all(isinstance(agent, CompiledAgent) for agent in pairs.agents)
    again = round_robin(UNO_DUO, pairs.agents, rounds=400, seed=3)
    assert again.names == pairs.names
    pd.testing.assert_frame_equal(again.wins(), pairs.wins())


def same_tables(one: Tournament, other: Tournament) -> bool:
    pairs = zip(one.tables, other.tables, strict=True)
    return all(a.rounds.equals(b.rounds) and a.games.equals(b.games) for a, b in pairs)


def test_a_tournament_goes_on_in_its_folder(tmp_path: Path, pairs: Tournament) -> None:
    arguments: dict[str, Any] = {"rounds": 400, "seed": 3, "out": tmp_path / "run"}
    assert same_tables(round_robin(UNO_DUO, AGENTS, **arguments), pairs)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("run/*/unit-*.rows")}
    assert {path.parent.name for path in files} == {"table-0-1", "table-0-2", "table-1-2"}
    gone = min(files)
    gone.unlink()
    assert same_tables(round_robin(UNO_DUO, AGENTS, **arguments, workers=2), pairs)
    again = {path: path.stat().st_mtime_ns for path in files}
    assert {path for path in files if files[path] != again[path]} == {gone}


DIFFERENT: dict[str, dict[str, Any]] = {
    "seed": {"seed": 4},
    "rows": {"rounds": 60},
    "agents": {"agents": ["random", "greedy", "tests/policies.py::highest_legal"]},
    "rules": {"rules": replace(UNO_DUO, uno_penalty=4)},
}


@pytest.mark.parametrize("key", DIFFERENT)
def test_another_tournament_in_the_folder_is_refused(key: str, tmp_path: Path) -> None:
    arguments = {"rules": UNO_DUO, "agents": AGENTS, "rounds": 20, "seed": 3, "out": tmp_path}
    round_robin(**arguments)
    with pytest.raises(ValueError, match=f"holds another run: {key}: "):
        round_robin(**{**arguments, **DIFFERENT[key]})


def test_a_batch_and_a_tournament_do_not_share_a_folder(tmp_path: Path) -> None:
    simulate(UNO_DUO, AGENTS[:2], rounds=20, seed=3, out=tmp_path / "batch")
    with pytest.raises(ValueError, match="holds another run: agents: "):
        round_robin(UNO_DUO, AGENTS, rounds=20, seed=3, out=tmp_path / "batch")
    round_robin(UNO_DUO, AGENTS[:2], rounds=20, seed=3, out=tmp_path / "tables")
    with pytest.raises(ValueError, match="holds another run: players: 2 there, None now"):
        simulate(UNO_DUO, AGENTS[:2], rounds=20, seed=3, out=tmp_path / "tables")


def test_an_agent_that_fails_at_a_table_is_saved_in_the_folder(tmp_path: Path) -> None:
    failing = "tests/failing_agents.py::raising_late"
    with pytest.raises(AgentError, match=r"^agent 'raising_late' raised ") as failure:
        round_robin(UNO_DUO, ["greedy", failing, "random"], rounds=100, out=tmp_path)
    assert failure.value.path is not None
    assert Path(failure.value.path).parent == tmp_path / "failures"


@pytest.mark.slow
def test_batched_agents_of_a_file_play_in_processes(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from tests.envs.batched_agents import BySeed\nclass Mine(BySeed):\n    pass\n")
    agents = [f"{file}::Mine", "greedy", "random"]
    alone = round_robin(UNO_DUO, agents, rounds=40)
    assert same_tables(round_robin(UNO_DUO, agents, rounds=40, workers=2), alone)
