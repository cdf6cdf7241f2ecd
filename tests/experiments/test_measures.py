"""Tables agree with the rows that they are made of."""

import numpy as np
import pytest

from experiments import measures
from experiments.matches import Match, cast_title, seat_names
from uno_sim import UNO_DUO, UNO_POCKET, simulate


@pytest.fixture(scope="module")
def unequal() -> Match:
    """Greedy against random at Pocket, rounds and games."""
    agents = ["greedy", "random"]
    return Match.of(
        rounds=simulate(UNO_POCKET, agents, rounds=400),
        games=simulate(UNO_POCKET, agents, games=20),
    )


@pytest.fixture(scope="module")
def equal() -> Match:
    """Three greedy agents at Pocket, rounds and games."""
    agents = ["greedy"] * 3
    return Match.of(
        rounds=simulate(UNO_POCKET, agents, rounds=300, paired=False),
        games=simulate(UNO_POCKET, agents, games=30, paired=False),
    )


def test_different_agents_are_counted_by_agent(unequal: Match) -> None:
    table = measures.win_rates([unequal])
    assert table["name"].tolist() == ["greedy", "random"] * 2
    assert set(table["by"]) == {"agent"}
    for unit, rows in (("rounds", unequal.rounds.rounds), ("games", unequal.games.games)):
        for index, name in enumerate(("greedy", "random")):
            row = table[(table["unit"] == unit) & (table["name"] == name)].iloc[0]
            assert row["wins"] == (rows["winner_index"] == index).sum()
            assert row["played"] == len(rows) == 2 * row["deals"]
            assert row["win_rate"] == row["wins"] / len(rows)
            assert row["low"] <= row["win_rate"] <= row["high"]


def test_equal_agents_are_counted_by_seat(equal: Match) -> None:
    table = measures.win_rates([equal])
    assert set(table["by"]) == {"seat"}
    rounds = equal.rounds.rounds
    counted = table[table["unit"] == "rounds"].set_index("name")["wins"]
    assert counted.index.tolist() == ["starter", "2nd to move", "dealer"]
    assert counted["dealer"] == (rounds["winner"] == rounds["first"]).sum()
    assert counted["starter"] == (rounds["winner"] == (rounds["first"] + 1) % 3).sum()
    assert counted.sum() == (rounds["winner"] >= 0).sum()


def test_the_seat_of_a_game_is_that_of_its_first_round(equal: Match) -> None:
    table = measures.win_rates([equal])
    games, rounds = equal.games.games, equal.games.rounds
    dealers = rounds[rounds["round"] == 1]["first"].to_numpy()
    row = table[(table["unit"] == "games") & (table["name"] == "dealer")].iloc[0]
    assert row["wins"] == (games["winner"].to_numpy() == dealers).sum()


def test_rounds_without_a_winner_are_won_by_nobody() -> None:
    from dataclasses import replace

    capped = replace(UNO_DUO, max_turns=12)
    match = Match.of(rounds=simulate(capped, ["greedy", "random"], rounds=200))
    table = measures.win_rates([match])
    without = table["without_winner"].iloc[0]
    assert 0 < without < 200
    assert table["wins"].sum() + without == 200
    lengths = measures.round_lengths([match])
    assert lengths["capped"].iloc[0] == without


def test_seats_are_named_in_the_order_of_moving() -> None:
    assert seat_names(UNO_DUO, 2) == ("starter", "first drafter")
    assert seat_names(UNO_POCKET, 2) == ("starter", "dealer")
    assert len(set(seat_names(UNO_POCKET, 5))) == 5


@pytest.mark.parametrize("measure", [measures.round_points, measures.round_lengths])
def test_shares_of_a_distribution_make_a_whole(measure, unequal: Match, equal: Match) -> None:
    table = measure([unequal, equal])
    sums = table.groupby(["match", "name"])["share"].sum()
    assert sums.to_numpy() == pytest.approx(1)


def test_points_are_of_the_rounds_in_which_any_were_scored(unequal: Match) -> None:
    table = measures.round_points([unequal])
    points = unequal.rounds.by_agent(unequal.rounds.rounds, "points_")
    for index, name in enumerate(("greedy", "random")):
        row = table[table["name"] == name].iloc[0]
        own = points[:, index]
        assert row["scored"] == (own > 0).sum() == table[table["name"] == name]["count"].sum()
        assert row["mean"] == pytest.approx(own.mean())
        assert row["mean_scored"] == pytest.approx(own[own > 0].mean())


def test_agents_that_are_the_same_are_taken_together() -> None:
    results = simulate(UNO_POCKET, ["greedy", "random", "random"], rounds=90)
    table = measures.round_points([Match.of(rounds=results)])
    assert table["name"].unique().tolist() == ["greedy", "each random"]
    points = results.by_agent(results.rounds, "points_")[:, 1:]
    assert table["mean"].iloc[-1] == pytest.approx(points.mean())


def test_final_scores_of_equal_agents_are_of_winner_and_others(equal: Match) -> None:
    table = measures.final_scores([equal]).drop_duplicates("name").set_index("name")
    scores = equal.games.games[["score_0", "score_1", "score_2"]].to_numpy()
    assert table.index.tolist() == ["winner", "others"]
    assert table["mean"]["winner"] == pytest.approx(scores.max(axis=1).mean())
    rest = scores.sum() - scores.max(axis=1).sum()
    assert table["mean"]["others"] == pytest.approx(rest / (2 * len(scores)))


def test_a_bin_of_final_scores_begins_at_the_target(unequal: Match) -> None:
    assert 250 in measures.final_scores([unequal])["lower"].tolist()


def test_without_games_there_are_no_final_scores() -> None:
    match = Match.of(rounds=simulate(UNO_DUO, ["greedy", "random"], rounds=2))
    table = measures.final_scores([match])
    assert table.empty
    assert "share" in table.columns


def test_without_rounds_they_are_those_of_the_games(unequal: Match) -> None:
    table = measures.win_rates([Match.of(games=unequal.games)])
    row = table[table["unit"] == "rounds"].iloc[0]
    assert row["played"] == len(unequal.games.rounds)
    assert row["deals"] == 10


def test_lengths_are_counted_in_turns(unequal: Match) -> None:
    table = measures.round_lengths([unequal])
    turns = unequal.rounds.rounds["turns"]
    first = table.iloc[0]
    assert first["mean"] == pytest.approx(turns.mean())
    assert first["median"] == np.median(turns)
    assert first["longest"] == turns.max()
    for row in table.itertuples():
        assert row.count == turns.between(row.lower, row.upper).sum()


def test_casts_in_words() -> None:
    assert cast_title(["greedy", "greedy"]) == "greedy against greedy"
    assert cast_title(["greedy"] * 3) == "3 \N{MULTIPLICATION SIGN} greedy"
    assert cast_title(["a", "b", "b"]) == "a against 2 \N{MULTIPLICATION SIGN} b"
    assert cast_title(["a", "b", "c"]) == "a, b, c"


def test_batches_must_belong_together(unequal: Match, equal: Match) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Match.of()
    with pytest.raises(ValueError, match="the same agents and rules"):
        Match.of(rounds=unequal.rounds, games=equal.games)
    with pytest.raises(ValueError, match="greedy against random"):
        measures.win_rates([unequal, unequal])
