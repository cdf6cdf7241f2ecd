"""Batches: the plan of the rows, who won what, the summary, and wrong arguments."""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, simulate

CASES = [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 3), (UNO_POCKET, 4), (UNO_POCKET, 5)]
NAMES = ["duo-2", "pocket-2", "pocket-3", "pocket-4", "pocket-5"]
EVERY_GAME = pytest.mark.parametrize(("rules", "num_players"), CASES, ids=NAMES)
QUANTILE = 1.959963984540054
"""How many standard errors a two-sided 95 % interval spans each way."""


def cast(num_players: int) -> list[str]:
    """Return greedy and random agents in turn."""
    return ["greedy", "random", "greedy", "random", "greedy"][:num_players]


@EVERY_GAME
def test_every_deal_is_played_in_every_rotation(rules, num_players):
    rows = simulate(rules, cast(num_players), rounds=6 * num_players, seed=1).rounds
    assert rows["deal"].tolist() == [deal for deal in range(6) for _ in range(num_players)]
    assert rows["rotation"].tolist() == list(range(num_players)) * 6
    assert (rows["round"] == 1).all()
    assert (rows.groupby("deal")["first"].nunique() == 1).all()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_permutations_play_every_order_of_the_seats(num_players):
    orders = math.factorial(num_players)
    batch = simulate(
        UNO_POCKET, cast(num_players), rounds=2 * orders, seed=1, paired="permutations"
    )
    assert batch.rounds["deal"].tolist() == [0] * orders + [1] * orders
    assert batch.rounds["rotation"].tolist() == list(range(orders)) * 2
    assert sorted(map(tuple, batch.seats)) == list(itertools.permutations(range(num_players)))


@EVERY_GAME
def test_unpaired_each_row_has_a_deal_of_its_own(rules, num_players):
    rows = simulate(rules, cast(num_players), rounds=7, seed=1, paired=False).rounds
    assert rows["deal"].tolist() == list(range(7))
    assert rows["rotation"].tolist() == [row % num_players for row in range(7)]


@EVERY_GAME
def test_the_winner_is_named_by_seat_index_and_agent(rules, num_players):
    batch = simulate(rules, cast(num_players), rounds=40 * num_players, seed=2)
    check_winners(batch.rounds, cast(num_players))
    points = batch.rounds.filter(like="points_").to_numpy()
    assert points.shape == (40 * num_players, num_players)
    for row, (winner, scored) in enumerate(zip(batch.rounds["winner"], points, strict=True)):
        others = np.delete(scored, winner) if winner >= 0 else scored
        if winner >= 0 and rules.scorer == "loser":
            assert scored[winner] == 0 and (others > 0).any(), row
        elif winner >= 0:
            assert scored[winner] > 0 and (others == 0).all(), row


def check_winners(frame: pd.DataFrame, agents: list[str]) -> None:
    """Agent i sits in seat (i + rotation) mod P."""
    for row in frame.itertuples():
        if row.winner < 0:
            assert row.winner_index == -1 and pd.isna(row.winner_agent)
        else:
            assert row.winner == (row.winner_index + row.rotation) % len(agents)
            assert row.winner_agent == agents[row.winner_index]
    assert (frame["winner"] >= 0).any()


def test_the_stronger_agent_wins_wherever_it_sits():
    rows = simulate(UNO_DUO, ["random", "greedy"], rounds=200, seed=3).rounds
    for _, part in rows.groupby("rotation"):
        assert (part["winner_agent"] == "greedy").mean() > 0.8


def test_permutations_name_the_right_winner():
    agents = ["random", "greedy", "random"]
    batch = simulate(UNO_POCKET, agents, rounds=600, seed=3, paired="permutations")
    for row in batch.rounds.itertuples():
        if row.winner >= 0:
            assert batch.seats[row.rotation][row.winner] == row.winner_index
            assert row.winner_agent == agents[row.winner_index]
    won = batch.rounds["winner_index"].value_counts()
    assert won[1] > won[0] and won[1] > won[2]


@EVERY_GAME
def test_a_game_is_its_rounds(rules, num_players):
    batch = simulate(rules, cast(num_players), games=5 * num_players, seed=4)
    games, rounds = batch.games, batch.rounds
    check_winners(games, cast(num_players))
    keys = ["deal", "rotation"]
    assert not games.duplicated(keys).any() and not rounds.duplicated([*keys, "round"]).any()
    assert rounds[keys].drop_duplicates().to_numpy().tolist() == games[keys].to_numpy().tolist()
    for (_, part), game in zip(rounds.groupby(keys), games.itertuples(), strict=True):
        assert part["round"].tolist() == list(range(1, game.rounds + 1))
        assert part["decisions"].sum() == game.decisions
        firsts = part["first"].tolist()
        assert firsts == [(firsts[0] + i) % num_players for i in range(len(firsts))]
        totals = part.filter(like="points_").cumsum().to_numpy()
        final = [getattr(game, f"score_{seat}") for seat in range(num_players)]
        assert totals[-1].tolist() == final
        assert (totals[:-1].max(axis=1) < rules.target).all() and max(final) >= rules.target
        best = min(final) if rules.scorer == "loser" else max(final)
        assert final[game.winner] == best and final.count(best) == 1


def test_rounds_played_alone_have_no_games():
    batch = simulate(UNO_DUO, ["greedy", "greedy"], rounds=4, seed=1)
    assert batch.games.empty and batch.unit == "rounds"
    assert simulate(UNO_DUO, ["greedy", "greedy"], games=2, seed=1).unit == "games"


def by_deal(deals, values):
    """Return the mean of values and its variance, where all values of a deal hang together."""
    mean = sum(values) / len(values)
    errors = dict.fromkeys(deals, 0.0)
    for deal, value in zip(deals, values, strict=True):
        errors[deal] += value - mean
    return mean, sum(error**2 for error in errors.values()) / len(values) ** 2


@EVERY_GAME
@pytest.mark.parametrize("unit", ["rounds", "games"])
def test_the_summary_is_what_one_computes_by_hand(rules, num_players, unit):
    rules = replace(rules, max_turns=300)
    agents = cast(num_players)
    batch = simulate(rules, agents, seed=5, **{unit: 30 * num_players})
    frame = batch.games if unit == "games" else batch.rounds
    name, prefix = ("score", "score_") if unit == "games" else ("points", "points_")
    table = batch.summary()
    assert table["agent"].tolist() == agents
    for index, line in table.iterrows():
        trials = len(frame)
        wins = sum(winner == index for winner in frame["winner_index"])
        assert (line[unit], line["wins"]) == (trials, wins)
        assert line["win_rate"] == pytest.approx(wins / trials)
        hits = [winner == index for winner in frame["winner_index"]]
        _, spread = by_deal(frame["deal"], hits)
        share = wins / trials
        # As many trials as would have this variance, but no more than there were.
        if 0 < share < 1:
            effective = min(trials, share * (1 - share) / spread if spread else trials)
        else:
            effective = frame["deal"].nunique()
        low, high = wilson(share * effective, effective)
        assert (line["win_rate_low"], line["win_rate_high"]) == pytest.approx((low, high))
        scored = [
            getattr(row, f"{prefix}{(index + row.rotation) % num_players}")
            for row in frame.itertuples()
        ]
        mean, variance = by_deal(frame["deal"], scored)
        deals = frame["deal"].nunique()
        half = QUANTILE * math.sqrt(variance * deals / (deals - 1))
        found = (line[name], line[f"{name}_low"], line[f"{name}_high"])
        assert found == pytest.approx((mean, mean - half, mean + half))
    nobody = sum(winner < 0 for winner in frame["winner_index"])
    assert table["wins"].sum() + nobody == len(frame)


def wilson(wins: int, trials: int) -> tuple[float, float]:
    """The two roots of (p - share)^2 = z^2 p (1 - p) / trials."""
    square = QUANTILE**2 / trials
    share = wins / trials
    root = math.sqrt((2 * share + square) ** 2 - 4 * (1 + square) * share**2)
    return tuple((2 * share + square + sign * root) / (2 * (1 + square)) for sign in (-1, 1))


def test_a_wider_confidence_is_a_wider_interval():
    batch = simulate(UNO_DUO, ["greedy", "random"], rounds=100, seed=5)
    narrow, wide = batch.summary(confidence=0.5), batch.summary(confidence=0.99)
    for name in ("win_rate", "points"):
        assert (wide[f"{name}_low"] < narrow[f"{name}_low"]).all()
        assert (wide[f"{name}_high"] > narrow[f"{name}_high"]).all()


TWO = ["greedy", "random"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 2, "agents": ["greedy", "nobody"]}, "agent 'nobody': unknown; known are "),
        ({"rounds": 2, "agents": ["greedy", 5]}, "agent 5: must be a name, an agent or a policy"),
        ({"rounds": 2, "agents": []}, "num_players=0: UNO Duo is for "),
        ({"rounds": 2, "agents": ["greedy"]}, "num_players=1: UNO Duo is for "),
        ({"rounds": 3, "agents": ["greedy"] * 3}, "num_players=3: UNO Duo is for "),
        ({"rounds": 2, "num_players": 3}, "num_players=3, but agents has 2: one a player"),
        ({}, "games, rounds: exactly one of them must be given"),
        ({"rounds": 2, "games": 2}, "games, rounds: exactly one of them must be given"),
        ({"rounds": 0}, "rounds=0: must be an integer of at least 1"),
        ({"games": -2}, "games=-2: must be an integer of at least 1"),
        ({"rounds": 2.0}, "rounds=2.0: must be an integer of at least 1"),
        ({"rounds": True}, "rounds=True: must be an integer of at least 1"),
        ({"rounds": "2"}, "rounds='2': must be an integer of at least 1"),
        ({"rounds": 3}, "rounds=3: must divide by the 2 rotations of paired deals"),
        ({"games": 7}, "games=7: must divide by the 2 rotations of paired deals"),
        ({"rounds": 2, "paired": "both"}, "paired='both': must be True, False or 'permutations'"),
        ({"rounds": 2, "paired": None}, "paired=None: must be True, False or 'permutations'"),
    ],
    ids=repr,
)
def test_wrong_arguments_are_named(options, message):
    agents = options.pop("agents", TWO)
    with pytest.raises(ValueError, match=re.escape(message)):
        simulate(UNO_DUO, agents, **options)


@pytest.mark.parametrize("agents", [3, 5])
@pytest.mark.parametrize("rows", [1, 2, 7, 100, 119])
@pytest.mark.parametrize("paired", [True, "permutations"])
def test_rows_that_do_not_divide_are_refused_with_rows_that_do(agents, rows, paired):
    orders = math.factorial(agents) if paired == "permutations" else agents
    if rows % orders == 0:
        assert len(simulate(UNO_POCKET, ["greedy"] * agents, rounds=rows, paired=paired).rounds)
        return
    with pytest.raises(ValueError) as refusal:
        simulate(UNO_POCKET, ["greedy"] * agents, rounds=rows, paired=paired)
    offered = str(refusal.value).partition(" such as ")[2].split(" or ")
    numbers = [int(number) for number in offered]
    assert numbers and all(number > 0 and number % orders == 0 for number in numbers)
    assert len(set(numbers)) == len(numbers)
    assert any(rows < number < rows + orders for number in numbers)


def test_a_deck_too_small_for_the_players_is_refused():
    small = replace(UNO_POCKET, deck={"R1": 12, "B1": 3})
    assert len(simulate(small, TWO, rounds=2).rounds) == 2
    with pytest.raises(ValueError, match=r"deck: 15 cards, but dealing hands .* to 3 players"):
        simulate(small, ["greedy"] * 3, rounds=3)


def test_a_matching_number_of_players_may_be_given():
    rows = simulate(UNO_DUO, TWO, rounds=2, num_players=2, seed=8).rounds
    assert rows.equals(simulate(UNO_DUO, TWO, rounds=2, seed=8).rounds)


def test_a_game_that_would_never_end_is_given_up():
    rules = replace(UNO_POCKET, max_turns=1)
    with pytest.raises(ValueError, match=r"deal 0 is not over after 10,000 rounds.*target=250"):
        simulate(rules, TWO, games=2)
