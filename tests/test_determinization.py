"""Determinizations: games that the observer cannot tell from the truth (C8, C10, D4, D5, P6, P8).

For every observer, in every phase of many rule sets: the same observation again, the same cards,
the same legal actions, and the game can be played on. Their distribution is another test's.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.random_play import VARIANTS, all_cards, play_round, short_deck
from tests.rules.positions import play, pocket
from tests.world_samples import sample_worlds
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, card_name, determinize, parse_card
from uno_sim.cards import CARD_NAMES
from uno_sim.rules.challenge import is_guilty

GAMES_PER_VARIANT = 6
MOST_DECISIONS = 120


def positions(name: str) -> list[Game]:
    """Return positions of games of a rule set, from whole and from short decks."""
    rules, num_players = VARIANTS[name]
    found = []
    for number in range(GAMES_PER_VARIANT):
        source = random.Random(f"{name} {number}")
        game = Game(rules, num_players, seed=number)
        if number % 2:
            deck = short_deck(rules, num_players, source.randrange(13), source)
            first = source.randrange(num_players)
            game = Game.from_deck(rules, deck, num_players, first=first, seed=number)
        for decision, played in enumerate(play_round(game, source)):
            if decision == MOST_DECISIONS:
                break
            asked_seldom = played.phase not in (Phase.TURN, Phase.DRAWN, Phase.DRAFT)
            if asked_seldom or source.random() < 0.1:
                found.append(played.clone())
    return found


@cache
def checked(name: str) -> Counter[Phase]:
    """Check every observer's worlds in many positions, and return the phases that were met."""
    phases: Counter[Phase] = Counter()
    for number, game in enumerate(positions(name)):
        phases[game.phase] += 1
        for observer in range(len(game.hands)):
            check_world(game, observer, number)
    return phases


def check_world(game: Game, observer: int, seed: int) -> None:
    observation = game.observation(observer)
    before = observation.record.tobytes()
    world = determinize(observation, seed)
    assert observation.record.tobytes() == before
    assert world.observation(observer).record.tobytes() == before
    assert all_cards(world) == all_cards(game)
    assert [len(hand) for hand in world.hands] == [len(hand) for hand in game.hands]
    assert world.draw_size == len(world.draw_pile) == game.draw_size
    if game.current_player == observer:
        assert world.legal_actions() == game.legal_actions()
    for _ in play_round(world, random.Random(seed)):
        assert world.legal_actions()
        if world.turns > game.turns + 15:
            break
    assert all_cards(world) == all_cards(game)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_world_looks_the_same_and_can_be_played_on(name):
    assert checked(name)[Phase.TURN] > 5


def test_every_phase_was_met():
    phases: Counter[Phase] = Counter()
    for name in VARIANTS:
        phases += checked(name)
    assert {phase for phase in phases if phases[phase] > 3} == set(Phase) - {
        Phase.ROUND_OVER,
        Phase.GAME_OVER,
    }


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
def test_a_world_can_be_played_to_the_end(rules):
    for seed in range(5):
        game = Game(rules, 2, seed=seed)
        world = determinize(game.observation(seed % 2), seed)
        for _ in play_round(world, random.Random(seed)):
            pass
        assert world.phase == Phase.ROUND_OVER
        assert all_cards(world) == all_cards(game)


def test_a_seed_always_gives_the_same_world_and_others_give_others():
    observation = Game(UNO_DUO, seed=4).observation(0)
    worlds = [determinize(observation, seed).state.tobytes() for seed in range(20)]
    assert worlds == [determinize(observation, seed).state.tobytes() for seed in range(20)]
    assert len(set(worlds)) == 20


def test_the_compiled_functions_give_the_world_of_a_seed():
    observation = Game(UNO_POCKET, 4, seed=4).observation(2)
    (world,) = sample_worlds(observation, 1, 17)
    assert world.tobytes() == determinize(observation, 17).state.tobytes()


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, "1"])
def test_a_seed_must_be_an_integer_of_64_bits(seed):
    with pytest.raises(ValueError, match="seed"):
        determinize(Game(UNO_DUO).observation(0), seed)


def share_of_guilt(game: Game, observer: int) -> float:
    """Return the share of the worlds in which the offender is guilty."""
    worlds = sample_worlds(game.observation(observer), 2000, 3)
    rules = game.rules.record
    return float(np.mean([is_guilty(world, rules, world.actor) for world in worlds]))


PILE = "\ndraw: Y1 Y2 Y3 Y4 B6 B7\ndiscard: R9\n"


@pytest.mark.parametrize("held", ["R1", "G1"])
def test_c8_the_verdict_is_that_of_the_sampled_hand(held):
    # Seat 1 does not see eight cards, of which one is red, and none is a nine or a wild.
    other = {"R1": "G1", "G1": "R1"}[held]
    game = pocket(f"hands: WD {held} | B1 B2\ndraw: {other} Y1 Y2 Y3 Y4 B6 B7\ndiscard: R9\n")
    play(game, "WD:B", "uno")
    assert game.phase == Phase.CHALLENGE
    assert share_of_guilt(game, 1) == pytest.approx(1 / 8, abs=0.03)
    assert share_of_guilt(game, 0) == (1.0 if held == "R1" else 0.0)


def test_c8_c4_a_caught_silence_is_judged_by_the_one_card_held_before():
    game = pocket("hands: WD G1 | B1 B2\ndraw: R1 Y1 Y2 Y3 Y4 B6 B7\ndiscard: R9\n")
    play(game, "WD:B", "silent", "catch")
    assert len(game.hands[0]) == 3
    assert share_of_guilt(game, 1) == pytest.approx(1 / 8, abs=0.03)
    # Seat 0 has drawn R1 since, which proves nothing.
    assert share_of_guilt(game, 0) == 0.0
    worlds = sample_worlds(game.observation(1), 500, 3)
    assert all(world.hands[0, world.judged_card[0]] > 0 for world in worlds)


def test_c8_c10_the_worlds_of_whoever_hears_a_verdict_agree_with_it():
    """Seat 1 is innocent; seat 2 has challenged, and seat 0 has seen nothing."""
    hands = ["R1 R2 R3 R4 R5", "WD Y1 Y2 Y3 Y4", "G1 G2 G3 G4 G5"]
    left = Counter(card_name(kind) for kind in range(55) for _ in range(UNO_POCKET.deck[kind]))
    left -= Counter(" ".join(hands).split()) + Counter(["B9"])
    draw = " ".join(left.elements())
    game = pocket(f"hands: {' | '.join(hands)}\ndraw: {draw}\ndiscard: B9\nto move: 1\n")
    play(game, "WD:R", "challenge")
    proofs = [kind for kind, card in enumerate(CARD_NAMES) if card[0] == "B" or card[1:] == "9"] + [
        parse_card("W"),
        parse_card("WP"),
    ]
    worlds = sample_worlds(game.observation(0), 1000, 1)
    assert not worlds.hands[:, 1, proofs].any()
    # Without the verdict most worlds hold such a card.
    assert (worlds.hands[:, 2, proofs].sum(axis=1) > 0).mean() > 0.5


def test_p6_the_drawn_card_of_a_dip_is_in_the_hand_of_whoever_dips():
    game = play(pocket(f"hands: WP R1 R2 | B1 B2 | B3 B4{PILE}"), "WP:G")
    assert game.phase == Phase.GIVE
    worlds = [determinize(game.observation(1), seed) for seed in range(60)]
    assert all(world.drawn_card in world.hands[0] for world in worlds)
    assert len({world.drawn_card for world in worlds}) > 4
    assert {determinize(game.observation(0), seed).drawn_card for seed in range(20)} == {"Y1"}


def test_d4_the_offered_card_is_known_to_the_drafter_alone():
    game = Game(UNO_DUO, seed=9)
    drafter = game.current_player
    assert drafter is not None
    for observer, offers in ((drafter, 1), (1 - drafter, 10)):
        worlds = [determinize(game.observation(observer), seed) for seed in range(40)]
        assert len({world.offered_card for world in worlds}) >= offers
    assert {determinize(game.observation(drafter), seed).offered_card for seed in range(9)} == {
        game.offered_card
    }


def test_dumps_and_shuffles_together_give_worlds_too() -> None:
    cards = {f"{color}{symbol}": 1 for color in "RYGB" for symbol in "123RD"} | {"W": 2, "WD": 2}
    rules = replace(UNO_DUO, recycle="shuffle", deck=cards, hand_size=2)
    choices = random.Random(1)
    for seed in range(60):
        game = Game(rules, 2, seed)
        for _ in range(80):
            if game.current_player is None:
                break
            dumps = [name for name in game.legal_names() if ">" in name]
            game.step(choices.choice(dumps or game.legal_names()))
            for seat in (0, 1):
                observation = game.observation(seat)
                world = determinize(observation, seed)
                assert world.observation(seat).record.tobytes() == observation.record.tobytes()
