"""The agent `search`: legal everywhere, repeatable, and blind to what it cannot know."""

from __future__ import annotations

import random

import pytest

from agents.search import search
from tests.decisions.exact import position
from tests.information.walks import WALKS, positions, with_exchanged_cards
from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    Game,
    Phase,
    make_agent,
    new_stream,
    parse_action,
    simulate,
)
from uno_sim.actions import CHALLENGE
from uno_sim.cards import WILD_DRAW

SEARCH = search(simulations=150)


def choice(game: Game, seed: int = 3) -> int:
    """Return what `search` does for the player who is asked."""
    return SEARCH.choose(game.observation(game.current_player), new_stream(seed))


def asked_positions(name: str) -> list[Game]:
    """Return some positions of a walk in which there is a choice."""
    games = positions(name, games=1, share=0.15)
    return [game.clone() for game in games if len(game.legal_actions()) > 1][:25]


@pytest.mark.parametrize("name", WALKS)
def test_the_choice_is_legal_and_does_not_change_with_what_cannot_be_known(name):
    source = random.Random(name)
    games = asked_positions(name)
    assert games
    for game in games:
        chosen = choice(game)
        assert chosen in game.legal_actions()
        assert chosen == choice(with_exchanged_cards(game, game.current_player, source, 6))


def test_the_true_state_is_never_read():
    for name in ("duo", "duo, three players", "pocket, many dips"):
        for game in asked_positions(name):
            impossible = game.clone()
            state = impossible.state
            for seat in range(game.num_players):
                if seat != game.current_player:
                    state.hands[seat] = 0
                    state.hands[seat, WILD_DRAW] = game.hand_sizes[seat]
                    state.held[seat] = 1 << WILD_DRAW
            state.draw_pile[state.known_size : state.draw_size] = WILD_DRAW
            state.random[0], state.root = 1, 2
            assert choice(game) == choice(impossible)


def test_every_question_of_both_games_is_answered():
    met = set()
    for name in WALKS:
        met |= {game.phase for game in asked_positions(name)}
    # With one legal action nothing is searched; a volley may be one of these.
    assert met >= {phase for phase in Phase if phase < Phase.ROUND_OVER} - {Phase.VOLLEY}


def test_rows_are_the_same_for_any_number_of_workers():
    agents = [SEARCH, "greedy"]
    one = simulate(UNO_DUO, agents, rounds=40, seed=5)
    two = simulate(UNO_DUO, agents, rounds=40, seed=5, workers=2)
    assert one.rounds.equals(two.rounds)


def test_a_bluff_that_is_surely_guilty_is_challenged():
    game = Game.from_position(
        UNO_DUO,
        "hands: G2 G3 B4 | R7 R8 WD\ndiscard: R5\ndraw: R1 R2 R3 R4 R6 R9 R0\nto move: 1",
    )
    game.step("WD:B")
    assert game.legal_names() == ["take", "challenge"]
    assert {choice(game, seed) for seed in range(5)} == {CHALLENGE}


def test_it_goes_out_when_it_can():
    game = position("G5", "B7 Y2 GD GS Y9 Y8", "R9 GR YD Y1 Y3 Y4 Y5 B1 B2 B3", discard="R5 G4")
    assert game.legal_names() == ["G5", "draw"]
    assert {choice(game, seed) for seed in range(5)} == {parse_action("G5")}


def test_a_budget_of_time_gives_legal_choices_in_every_phase():
    agent = search(milliseconds=2)
    assert agent.name == "search:milliseconds=2"
    results = simulate(UNO_POCKET, [agent, "greedy", "greedy"], rounds=3, seed=2)
    assert len(results.rounds) == 3


@pytest.mark.slow
def test_it_beats_the_player_that_it_thinks_with():
    agents = [search(simulations=400), "greedy"]
    results = simulate(UNO_DUO, agents, rounds=400, seed=8)
    assert results.summary()["win_rate_low"][0] > 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:simulations=0", "simulations=0: must be an integer from 1 to"),
        ("search:simulations=1.5", "simulations=1.5: must be an integer from 1 to"),
        ("search:simulations=true", "simulations=True: must be an integer from 1 to"),
        ("search:keep=true", "keep=True: must be a number of at least 0"),
        ("search:simulations=10,milliseconds=5", "simulations=10, milliseconds=5: must be one of"),
        ("search:milliseconds=-1", "milliseconds=-1: must be a number above 0"),
        ("search:keep=-1", "keep=-1: must be a number of at least 0"),
        ("search:slip=0", "slip=0: must be a number above 0 and at most 1"),
        ("search:aim=match", "aim='match': must be 'round' or 'game'"),
        ("search:depth=3", "unexpected keyword argument 'depth'"),
    ],
)
def test_wrong_parameters_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        make_agent(text)


@pytest.mark.parametrize("name", ["duo", "pocket, many dips"])
def test_the_same_seed_gives_the_same_choice(name):
    for game in asked_positions(name):
        assert choice(game, 1) == choice(game, 1)
