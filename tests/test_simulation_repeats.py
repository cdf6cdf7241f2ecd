"""The same rows again: from the seed alone, in any process, in any batch, and one by one."""

import hashlib
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.policies import by_memory, lowest_legal, lowest_legal_burning_numbers
from uno_sim import UNO_DUO, UNO_POCKET, CompiledAgent, Phase, Results, make_agent, simulate
from uno_sim.simulation.tallies import counted_names

CASES = [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 3), (UNO_POCKET, 4), (UNO_POCKET, 5)]
NAMES = ["duo-2", "pocket-2", "pocket-3", "pocket-4", "pocket-5"]
EVERY_GAME = pytest.mark.parametrize(("rules", "num_players"), CASES, ids=NAMES)


def cast(num_players: int) -> list:
    """Return agents of three kinds: by chance, by rule, and with a memory."""
    return ["greedy", "random", by_memory, "random", "greedy"][:num_players]


def decks(batch: Results) -> list[tuple[int, ...]]:
    """Return the deck of the first round of every row."""
    return [batch.replay(row).record.rounds[0].deck for row in range(len(batch.rounds))]


@EVERY_GAME
@pytest.mark.parametrize("paired", [True, False])
def test_a_replayed_round_is_its_row(rules, num_players, paired):
    batch = simulate(rules, cast(num_players), rounds=12 * num_players, seed=11, paired=paired)
    for row in range(len(batch.rounds)):
        check_row(batch, row)


@EVERY_GAME
def test_a_replayed_game_is_its_rows(rules, num_players):
    batch = simulate(rules, cast(num_players), games=2 * num_players, seed=12)
    for row in range(0, len(batch.rounds), 3):
        check_row(batch, row)
    ends = batch.rounds.groupby(["deal", "rotation"]).tail(1).index
    for row, played in zip(ends, batch.games.itertuples(), strict=True):
        game = check_row(batch, int(row))
        assert game.phase == Phase.GAME_OVER and game.winner == played.winner
        assert game.scores == [getattr(played, f"score_{seat}") for seat in range(num_players)]
        assert game.record.num_actions() == played.decisions


def check_row(batch: Results, row: int):
    """Replay a row and compare all of it; return the game."""
    game, expected = batch.replay(row), batch.rounds.iloc[row]
    found = {
        "round": game.round_number,
        "first": game.first,
        "starter": (game.first + 1) % game.num_players,
        "winner": -1 if game.round_winner is None else game.round_winner,
        "decisions": len(game.record.rounds[-1].actions),
        "turns": game.turns,
        "blocked": game.blocked,
        "capped": game.capped,
        **{f"points_{seat}": points for seat, points in enumerate(game.points)},
    }
    assert found == {name: expected[name] for name in found}
    compared = {*found, "deal", "rotation", "winner_index", "winner_agent"}
    # What is counted in a round has a test of its own.
    assert compared | set(counted_names(game.num_players)) == set(expected.index)
    return game


def test_permutations_replay_too():
    batch = simulate(UNO_POCKET, cast(3), rounds=24, seed=13, paired="permutations")
    for row in range(24):
        check_row(batch, row)


def test_a_replayed_record_is_whole(tmp_path):
    batch = simulate(UNO_POCKET, cast(4), games=4, seed=14)
    game = batch.replay(len(batch.rounds) - 1)
    game.save(tmp_path / "game.txt")
    assert type(game).load(tmp_path / "game.txt").state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize("row", [-1, 6, 10**9])
def test_a_row_that_is_not_there_is_refused(row):
    batch = simulate(UNO_DUO, ["greedy", "random"], rounds=6, seed=1)
    with pytest.raises(ValueError, match=f"row {row}: must be from 0 to 5"):
        batch.replay(row)


@EVERY_GAME
def test_all_rotations_of_a_deal_have_the_same_cards_and_no_two_deals_do(rules, num_players):
    batch = simulate(rules, cast(num_players), rounds=8 * num_players, seed=15)
    of_deal: dict[int, set[tuple[int, ...]]] = {}
    for deal, deck in zip(batch.rounds["deal"], decks(batch), strict=True):
        of_deal.setdefault(deal, set()).add(deck)
    assert all(len(found) == 1 for found in of_deal.values())
    assert len(set.union(*of_deal.values())) == 8


def test_different_seeds_have_different_deals():
    found = []
    for seed in (0, 1, 2, 2**32, 2**63, 2**64 - 1):
        batch = simulate(UNO_DUO, ["greedy", "greedy"], rounds=20, seed=seed, paired=False)
        found += decks(batch)
    assert len(set(found)) == len(found) == 120


def test_seed_0_is_the_default_and_works():
    given = simulate(UNO_DUO, ["greedy", "random"], rounds=20, seed=0).rounds
    assert given.equals(simulate(UNO_DUO, ["greedy", "random"], rounds=20).rounds)
    other = simulate(UNO_DUO, ["greedy", "random"], rounds=20, seed=1).rounds
    assert not given.equals(other)


SCRIPT = """
import hashlib, sys
from uno_sim import UNO_DUO, UNO_POCKET, simulate
for rules, agents, unit in (
    (UNO_DUO, ["greedy", "random"], "games"), (UNO_POCKET, ["random", "greedy", "random"], "rounds")
):
    batch = simulate(rules, agents, seed=16, **{unit: 60})
    text = batch.rounds.to_csv() + batch.games.to_csv() + batch.summary().to_csv()
    print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_another_process_has_the_same_rows():
    outputs = set()
    for hash_seed in ("0", "4000"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    here = []
    for rules, agents, unit in (
        (UNO_DUO, ["greedy", "random"], "games"),
        (UNO_POCKET, ["random", "greedy", "random"], "rounds"),
    ):
        batch = simulate(rules, agents, seed=16, **{unit: 60})
        text = batch.rounds.to_csv() + batch.games.to_csv() + batch.summary().to_csv()
        here.append(hashlib.sha256(text.encode()).hexdigest())
    assert outputs == {"\n".join(here) + "\n"}


@EVERY_GAME
def test_the_rows_of_a_smaller_batch_are_the_first_of_a_larger_one(rules, num_players):
    # More than the 512 rows that are played side by side.
    sizes = [num_players * (size // num_players) for size in (30, 520, 1300)]
    batches = [simulate(rules, cast(num_players), rounds=size, seed=17) for size in sizes]
    small, middle, large = (batch.rounds for batch in batches)
    assert large.iloc[: sizes[0]].equals(small)
    assert large.iloc[: sizes[1]].equals(middle)
    assert large["deal"].tolist() == [row // num_players for row in range(sizes[2])]
    for row in (509, 516, 1034, sizes[2] - 1):
        check_row(batches[2], row)


def test_the_games_of_a_smaller_batch_are_the_first_of_a_larger_one():
    small = simulate(UNO_DUO, ["greedy", "random"], games=10, seed=18)
    large = simulate(UNO_DUO, ["greedy", "random"], games=600, seed=18)
    assert large.games.iloc[:10].equals(small.games)
    assert large.rounds.iloc[: len(small.rounds)].equals(small.rounds)


def test_the_first_round_of_a_game_is_the_round_played_alone():
    games = simulate(UNO_POCKET, cast(3), games=30, seed=19).rounds
    alone = simulate(UNO_POCKET, cast(3), rounds=30, seed=19).rounds
    assert games[games["round"] == 1].reset_index(drop=True).equals(alone)


def test_batches_do_not_influence_each_other():
    alone = simulate(UNO_DUO, [by_memory, "random"], games=30, seed=20)
    simulate(UNO_POCKET, cast(5), rounds=50, seed=21)
    simulate(UNO_DUO, ["random", by_memory], rounds=10, seed=20)
    again = simulate(UNO_DUO, [by_memory, "random"], games=30, seed=20)
    assert again.rounds.equals(alone.rounds) and again.games.equals(alone.games)


@pytest.mark.parametrize(("rules", "num_players"), [(UNO_DUO, 2), (UNO_POCKET, 3)], ids=["d", "p"])
def test_what_an_agent_draws_changes_neither_deals_nor_others(rules, num_players):
    # Both policies choose alike, but one draws random numbers for nothing.
    silent = CompiledAgent("one", lowest_legal)
    burning = CompiledAgent("one", lowest_legal_burning_numbers)
    others = [make_agent("random"), make_agent("greedy")][: num_players - 1]
    batches = [
        simulate(rules, [agent, *others], games=10 * num_players, seed=22)
        for agent in (silent, burning)
    ]
    assert batches[0].rounds.equals(batches[1].rounds)
    assert batches[0].games.equals(batches[1].games)


def test_other_agents_meet_the_same_deals():
    rules = replace(UNO_DUO, max_turns=30)
    batches = [
        simulate(rules, agents, rounds=20, seed=23)
        for agents in (["greedy", "greedy"], ["random", "random"], [by_memory, "random"])
    ]
    assert decks(batches[0]) == decks(batches[1]) == decks(batches[2])
    firsts = [batch.rounds["first"].tolist() for batch in batches]
    assert firsts[0] == firsts[1] == firsts[2]


def test_agents_of_one_kind_at_two_seats_do_not_draw_the_same_numbers():
    # With one stream for both seats every draft would be answered in step.
    rules = replace(UNO_DUO, max_turns=1)
    batch = simulate(rules, ["random", "random"], rounds=200, seed=24, paired=False)
    alike = 0
    for row in range(200):
        picks = batch.replay(row).record.rounds[0].actions[:14]
        alike += picks[0::2] == picks[1::2]
    assert alike < 10
