"""Beliefs against Bayes' rule applied to every order of a tiny deck."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.belief.exact import exact_chances, play, replayed
from uno_sim import UNO_DUO, UNO_POCKET, Phase, believe, make_agent, parse_action
from uno_sim.cards import parse_card

SLIP = 0.03
WORLDS = 3000
DRAFTED = {
    "different cards": "R1 R3 RS Y2 R2 Y3 W B1 YS WD RD G1",
    "equal cards": "R1 R1 RS Y2 RS Y3 W W YS RD RD G1",
}
DECKS = {
    "different cards": "R1 R3 Y1 Y2 R2 Y3 W B1",
    "dumps": "R1 R3 RR Y2 R2 Y1 W YR",
    "equal cards": "R1 R1 Y1 Y2 R2 Y1 WD R3",
    "wild draws": "R1 R3 Y1 WD R2 Y3 W WD",
}


def situations(preset, cards, deal):
    """Yield some rules, deck, script where the round is not over yet."""
    rules = replace(preset, deck=Counter(cards), deal=deal, hand_size=2)
    picks = 4 if deal == "draft" else 0
    agents = [make_agent("greedy"), make_agent("random")]
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(cards))
        deck = [cards[place] for place in order]
        for sitting in (agents, agents[::-1]):
            game = game_of(rules, deck)
            script = play(game, sitting, picks + 3 + seed % 4)
            if game.phase < Phase.ROUND_OVER:
                game = replayed(rules, deck, script)
                shuffled = any("discards" in event for event in game.observation(0).events)
                # The order of a shuffle is no part of the decks that are tried.
                if game.phase < Phase.ROUND_OVER and not (preset is UNO_POCKET and shuffled):
                    yield rules, deck, script, game


def game_of(rules, deck):
    return replayed(rules, deck, [])


def check(preset, cards, deal):
    """Compare beliefs with the exact chances; return how many choices alone decide."""
    greedy = make_agent("greedy")
    told = 0
    for rules, deck, script, game in situations(preset, cards.split(), deal):
        for player in range(2):
            observation = game.observation(player)
            exact = exact_chances(rules, deck, script, greedy, player, SLIP)
            belief = believe(observation, greedy, WORLDS, slip=SLIP, floor=0)
            # Four standard errors of a share, and a chance that sampling never meets.
            error = 2 / np.sqrt(belief.effective_worlds) + 0.002
            assert np.abs(belief.chances - exact).max() < error
            told += np.abs(believe(observation, None, WORLDS).chances - exact).max() > 0.1
    return told


@pytest.mark.parametrize("preset", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
@pytest.mark.parametrize("cards", DECKS.values(), ids=DECKS)
def test_a_belief_equals_bayes_rule_over_every_deck(preset, cards):
    assert check(preset, cards, "deal") > 3


@pytest.mark.parametrize("cards", DRAFTED.values(), ids=DRAFTED)
def test_what_was_kept_in_the_draft_tells_as_bayes_rule_says(cards):
    assert check(UNO_DUO, cards, "draft") > 3


def test_a_player_who_drew_rather_than_play_red_probably_holds_no_red():
    cards = "R1 R2 R3 R4 Y1 Y2 Y3 Y4 Y5 B1 B2 B3 B4 B5"
    rules = replace(UNO_POCKET, deck=Counter(cards.split()), hand_size=3)
    deck = "R2 B1 Y2 B2 Y3 B3 R1 Y4 R3 Y5 R4 B4 B5 Y1".split()
    game = replayed(rules, deck, [(1, parse_action("draw"))])
    observation = game.observation(0)
    reds = [parse_card(f"R{number}") for number in range(1, 5)]
    assert believe(observation, None).chance_of_any(1, reds) > 0.7
    assert believe(observation, "greedy").chance_of_any(1, reds) < 0.2
