"""What must hold at every moment of every game, whatever is played."""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies

from tests.random_play import (
    STEADY,
    VARIANTS,
    all_cards,
    games,
    kinds,
    play_round,
    random_position,
    short_deck,
)
from uno_sim import NUM_ACTIONS, UNO_DUO, UNO_POCKET, Game, Phase, simulate
from uno_sim.cards import CARD_NAMES, NO_CARD

OVER = (Phase.ROUND_OVER, Phase.GAME_OVER)
ROUNDS_PER_VARIANT = 4
DECISIONS_A_TURN = 40
"""More than any turn can take: a drawn card, a dip, calls, catches, a volley or a challenge."""


def starts(name: str) -> Iterator[Game]:
    """Yield games of a variant: from seeds, from short decks, from positions."""
    rules, num_players = VARIANTS[name]
    source = random.Random(name)
    for number in range(ROUNDS_PER_VARIANT):
        yield Game(rules, num_players, seed=source.getrandbits(64))
        deck = short_deck(rules, num_players, spare=number, source=source)
        yield Game.from_deck(rules, deck, num_players, first=number % num_players, seed=number)
        yield random_position(rules, num_players, source)


def check(game: Game, deck: list[str]) -> None:
    """Check everything that holds at any moment; `deck` is all its cards, sorted."""
    check_cards(game, deck)
    check_hands(game)
    check_piles(game)
    check_question(game)


def check_cards(game: Game, deck: list[str]) -> None:
    """Every card is somewhere, exactly once."""
    assert all_cards(game) == deck
    assert game.state.deck.tolist() == np.bincount(kinds(deck), minlength=55).tolist()


def check_hands(game: Game) -> None:
    """The counts, the sets of kinds and the sizes say the same; unused seats hold nothing."""
    state = game.state
    for seat in range(len(state.hands)):
        counts = state.hands[seat].tolist()
        assert int(state.held[seat]) == sum(1 << kind for kind in range(55) if counts[kind])
        assert int(state.hand_sizes[seat]) == sum(counts)
        assert seat < game.num_players or sum(counts) == 0
    assert game.hand_sizes == [len(hand) for hand in game.hands]


def check_piles(game: Game) -> None:
    """Cards lie in the places that are counted and in no others."""
    state = game.state
    assert (state.draw_pile[: game.draw_size] != NO_CARD).all()
    assert (state.draw_pile[game.draw_size :] == NO_CARD).all()
    discards = len(game.discard_pile)
    assert (state.discard_pile[:discards] != NO_CARD).all()
    assert (state.discard_pile[discards:] == NO_CARD).all()
    if game.phase == Phase.DRAFT:
        assert game.top_card is None and game.active_color is None
    else:
        assert game.top_card == game.discard_pile[-1]
        if game.active_color is None:
            assert game.phase == Phase.CHOOSE_COLOR
        else:
            assert game.top_card.startswith(("W", game.active_color))


def check_question(game: Game) -> None:
    """Exactly one player is asked and has an answer; nobody when the round is over."""
    state, phase = game.state, game.phase
    legal = game.legal_actions()
    asked = [seat for seat in range(game.num_players) if game.observation(seat).legal_actions()]
    if phase in OVER:
        assert (legal, asked, game.current_player) == ([], [], None)
        outcomes = [game.blocked, game.capped, game.round_winner is not None]
        assert sum(outcomes) == 1
        assert (game.winner is not None) == (phase == Phase.GAME_OVER)
        empty = [seat for seat, hand in enumerate(game.hands) if not hand]
        assert empty == ([] if game.round_winner is None else [game.round_winner])
    else:
        assert legal and asked == [game.current_player]
        assert phase == Phase.DRAFT or all(game.hands)
        assert (game.blocked, game.capped, game.round_winner, game.winner) == (
            False,
            False,
            None,
            None,
        )
    assert np.flatnonzero(game.action_mask()).tolist() == legal == sorted(set(legal))
    assert game.action_mask().shape == (NUM_ACTIONS,)
    words = sum(int(word) << 64 * place for place, word in enumerate(state.legal))
    assert words == sum(1 << action for action in legal)
    assert (game.drawn_card is not None) == (phase in (Phase.DRAWN, Phase.GIVE))
    assert game.drawn_card is None or game.drawn_card in game.hands[game.current_player]
    assert (game.offered_card is not None) == (phase == Phase.DRAFT)
    assert game.pending == 0 or phase in (Phase.VOLLEY, Phase.CHALLENGE)
    assert game.direction in (1, -1)
    assert game.turns <= game.rules.max_turns


@settings(STEADY, max_examples=50)
@given(games(), strategies.integers(0, 2**32))
def test_everything_holds_from_any_start(game: Game, choices: int):
    deck = all_cards(game)
    for played in play_round(game, random.Random(choices)):
        check(played, deck)
    check(game, deck)


@pytest.mark.parametrize("name", VARIANTS)
def test_everything_holds_in_every_variant(name):
    source = random.Random(1)
    for game in starts(name):
        deck = all_cards(game)
        for played in play_round(game, source):
            check(played, deck)
        check(game, deck)


@pytest.mark.parametrize("name", ["duo", "pocket, three players", "duo, tiny deck"])
def test_everything_holds_over_a_whole_game(name):
    rules, num_players = VARIANTS[name]
    deck = sorted(card for kind, card in enumerate(CARD_NAMES) for _ in range(rules.deck[kind]))
    source = random.Random(name)
    game = Game(rules, num_players, seed=5)
    totals = [0] * num_players
    for number in range(1, 1000):
        assert game.round_number == number
        for played in play_round(game, source):
            assert played.scores == totals
            check(played, deck)
        check(game, deck)
        totals = [total + points for total, points in zip(totals, game.points, strict=True)]
        assert game.scores == totals
        assert (max(totals) >= rules.target) or game.phase == Phase.ROUND_OVER
        if game.phase == Phase.GAME_OVER:
            break
        game.next_round()
    assert game.phase == Phase.GAME_OVER
    assert number > 1


def test_the_random_games_reach_every_phase_and_every_outcome():
    phases, outcomes, recycled = set(), set(), 0
    for name in VARIANTS:
        source = random.Random(2)
        for game in starts(name):
            pile = game.draw_size
            for played in play_round(game, source):
                phases.add(played.phase)
                recycled += played.phase != Phase.DRAFT and played.draw_size > pile
                pile = played.draw_size
            outcome = "blocked" if game.blocked else "capped" if game.capped else "won"
            outcomes.add((outcome, game.rules.name))
    assert phases == set(Phase) - set(OVER)
    games_of_both = {UNO_DUO.name, UNO_POCKET.name}
    assert outcomes == {
        (how, name) for how in ("won", "blocked", "capped") for name in games_of_both
    }
    assert recycled > 80


@pytest.mark.parametrize("name", VARIANTS)
def test_every_round_ends(name):
    rules, num_players = VARIANTS[name]
    rules = replace(rules, max_turns=60)
    rows = simulate(rules, ["random"] * num_players, rounds=1000, seed=1, paired=False).rounds
    assert len(rows) == 1000
    assert rows["turns"].max() <= 60
    assert (rows["turns"][rows["capped"]] == 60).all()
    assert (rows["decisions"] <= DECISIONS_A_TURN * 60).all()
    outcomes = rows["blocked"].astype(int) + rows["capped"] + (rows["winner"] >= 0)
    assert (outcomes == 1).all()
    assert (rows.filter(like="points_")[rows["capped"]] == 0).all(axis=None)


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
def test_a_round_in_which_nobody_ever_lays_is_blocked(rules):
    answers = {
        Phase.DRAFT: "keep",
        Phase.CHOOSE_COLOR: "color:R",
        Phase.TURN: "draw",
        Phase.DRAWN: "pass",
    }
    game = Game(rules, seed=3)
    while game.current_player is not None:
        game.step(answers[game.phase])
    assert game.blocked and not game.capped and game.turns < 200


def test_next_round_is_possible_only_when_a_round_is_over():
    seen = set()
    for name in VARIANTS:
        source = random.Random(4)
        for game in starts(name):
            for played in play_round(game, source):
                if (name, played.phase) not in seen:
                    seen.add((name, played.phase))
                    check_no_next_round(played)
            if game.phase == Phase.GAME_OVER:
                check_no_next_round(game)
                seen.add((name, game.phase))
            else:
                number = game.round_number
                game.next_round()
                assert game.round_number == number + 1 and game.current_player is not None
    assert {phase for _, phase in seen} == set(Phase) - {Phase.ROUND_OVER}


def check_no_next_round(game: Game) -> None:
    before, record = game.state.tobytes(), game.record
    with pytest.raises(ValueError, match=rf"next_round: the phase is {game.phase.name}"):
        game.next_round()
    assert game.state.tobytes() == before and game.record == record
