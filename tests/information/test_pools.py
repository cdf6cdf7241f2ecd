"""The unknown cards of each epoch are as many as the places that they can be in (P8)."""

import random
from dataclasses import replace

import numpy as np
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, determinize

MANY_DIPS = {**{f"{color}{symbol}": 1 for color in "RYGB" for symbol in "123SRD"}}
MANY_DIPS |= {"W": 2, "WP": 5, "WD": 1}

VARIANTS = {
    "duo": (UNO_DUO, (2,)),
    "pocket": (UNO_POCKET, (2, 3, 5)),
    **{
        f"many dips, {gives}, {recycle}": (
            replace(UNO_POCKET, deck=MANY_DIPS, hand_size=3, dip_gives=gives, recycle=recycle),
            (2, 3, 4),
        )
        for gives in ("any", "drawn", "other")
        for recycle in ("shuffle", "turn_over")
    },
}


def check_pools(game: Game) -> None:
    state = game.state
    cards = state.pool.astype(int).sum(axis=1)
    places = state.slots.astype(int).sum(axis=0)
    places[state.epoch] += state.draw_size - state.known_size
    if game.offered_card is not None:
        places[0] += 1
    assert cards.tolist() == places.tolist()
    held = state.slots.astype(int).sum(axis=1) + state.shown.astype(int).sum(axis=1)
    assert held.tolist() == state.hand_sizes.tolist()
    # What is in no pool is in the open, or shown to all.
    hidden = state.pool.astype(int).sum(axis=0) + state.shown.astype(int).sum(axis=0)
    np.add.at(hidden, state.discard_pile[: state.discard_size], 1)
    np.add.at(hidden, state.draw_pile[: state.known_size], 1)
    assert hidden.tolist() == state.deck.tolist()


@pytest.mark.parametrize(
    ("rules", "players"),
    [(rules, n) for rules, many in VARIANTS.values() for n in many],
    ids=lambda value: getattr(value, "name", value),
)
def test_pools_fit_their_places(rules: RuleSet, players: int) -> None:
    for seed in range(40):
        choices = random.Random(seed)
        game = Game(rules, players, seed)
        for _ in range(250):
            if game.current_player is None:
                break
            game.step(choices.choice(game.legal_actions()))
            check_pools(game)


def after_a_shuffle(own_5: str, other_5: str) -> Game:
    """Play until seat 0, which held `own_5` when discards were shuffled, has both fives."""
    deck = {"R5": 2, "G5": 2, "R1": 1, "R2": 1, "R3": 1, "R4": 1, "G1": 1, "Y7": 1}
    rules = replace(UNO_POCKET, deck=deck, hand_size=4, uno_calls="automatic")
    hands = [own_5, "R5", "G1", "R1"], [other_5, "G5", "R3", "R2"]
    dealt = [card for both in zip(*hands, strict=True) for card in both]
    for seed in range(100):
        game = Game.from_deck(rules, [*dealt, "R4", "Y7"], first=1, seed=seed)
        for action in ("R5", "G5", "G1", "draw", "draw"):
            game.step(action)
        if game.phase == Phase.DRAWN and game.current_player == 0:
            game.step("pass")
        if game.hands[0] == ["R1", "R5", "G5"]:
            return game
    raise AssertionError("no shuffle was as wanted")


def test_a_player_remembers_which_own_cards_came_after_a_shuffle() -> None:
    games = {"G5": after_a_shuffle("R5", "G5"), "R5": after_a_shuffle("G5", "R5")}
    views = {other_5: game.observation(0) for other_5, game in games.items()}
    assert views["G5"].hand == views["R5"].hand
    assert views["G5"].events == views["R5"].events
    for other_5, view in views.items():
        # Of each kind one was shuffled. The other five that was not is in the other hand.
        for seed in range(50):
            fives = [card for card in determinize(view, seed).hands[1] if card[1] == "5"]
            assert fives == [other_5]
    # The other player cannot tell the one from the other by what lies open.
    assert np.array_equal(views["G5"].record.slots, views["R5"].record.slots)
    assert np.array_equal(views["G5"].record.pool, views["R5"].record.pool)


def test_a_known_card_drawn_by_a_dip_that_gives_others_is_known_to_be_kept() -> None:
    rules = replace(UNO_POCKET, recycle="turn_over", dip_gives="other")
    position = "hands: WP R1 R2 | G1 G2 | B1 B2\ndiscard: Y9 Y8 Y7 R9"
    game = Game.from_position(rules, position)
    game.step("WP:R")
    assert game.drawn_card == "Y9"
    game.step("give:R1")
    check_pools(game)
    view = game.observation(2)
    assert view.known_hands[0] == ["Y9"]
    assert {len(determinize(view, seed).hands[0]) for seed in range(20)} == {2}
