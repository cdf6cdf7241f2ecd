"""Refilling the draw pile (C11): turned over in Duo (D7), shuffled in Pocket (P8)."""

import pytest

from tests.rules.positions import cards, duo, legal, named, play, pocket
from uno_sim import Game, Phase

MASK = 2**64 - 1


class SplitMix64:
    """The generator of a game, written again: enough to foretell a shuffle."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next_word(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        return word ^ (word >> 31)

    def below(self, bound: int) -> int:
        product = (self.next_word() >> 32) * bound
        while product & 0xFFFFFFFF < 2**32 % bound:
            product = (self.next_word() >> 32) * bound
        return product >> 32

    def shuffled(self, pile: list[str]) -> list[str]:
        pile = list(pile)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return pile


def foretold(game: Game, pile: list[str]) -> list[str]:
    """Return what a shuffle of the pile, asked for now, would give."""
    return SplitMix64(int(game.state.random[0])).shuffled(pile)


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c11_the_pile_may_lie_empty_until_a_card_is_needed(rules_game):
    game = rules_game("hands: R1 R2 | B1 B2 B3\ndraw: Y1\ndiscard: G1 G2 R9")
    play(game, "draw")
    assert game.draw_pile == []
    assert game.discard_pile == ["G1", "G2", "R9"]
    play(game, "draw")
    assert len(game.draw_pile) == 1
    assert game.discard_pile == ["R9"]


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c11_the_top_discard_stays(rules_game):
    game = play(rules_game("hands: R1 R2 | B1 B2\ndiscard: G1 G2 G3 Y9"), "draw")
    assert game.discard_pile == ["Y9"]
    assert (game.top_card, game.active_color) == ("Y9", "Y")


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c11_the_named_color_of_a_top_wild_stays(rules_game):
    game = play(rules_game("hands: R1 R2 | B1 B2\ndiscard: G1 G2 W\ncolor: Y"), "draw")
    assert (game.discard_pile, game.top_card, game.active_color) == (["W"], "W", "Y")


@pytest.mark.parametrize("wild", ["W", "WD"])
@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c11_a_recycled_wild_has_no_color(rules_game, wild):
    game = rules_game(f"hands: R1 R2 | B1 B2 B3\ndraw: Y1\ndiscard: {wild} G3\ncolor: G")
    play(game, "draw", "draw")
    assert (game.phase, game.drawn_card) == (Phase.DRAWN, wild)
    assert legal(game) == named(wild) | {"pass"}


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c11_a_forced_draw_refills_midway(rules_game):
    game = rules_game("hands: WD G1 G2 | B1 B2\ndraw: Y1\ndiscard: R5 R6 R7 R9")
    play(game, "WD:B", "take")
    # The wild draw stays; Y1 comes first, then cards from the four below it.
    assert "Y1" in game.hands[1]
    assert game.discard_pile == ["WD"]
    drawn = len(game.hands[1]) - 2
    assert len(game.draw_pile) == 5 - drawn
    assert sorted([*game.hands[1], *game.draw_pile]) == sorted(cards("B1 B2 Y1 R5 R6 R7 R9"))


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c11_a_shortage_is_forgiven(rules_game):
    game = rules_game("hands: WD G1 G2 | B1 B2\ndiscard: R9")
    play(game, "WD:B", "take")
    assert game.hands[1] == ["R9", "B1", "B2"]
    assert (game.draw_pile, game.discard_pile) == ([], ["WD"])
    assert (game.phase, game.current_player, game.pending) == (Phase.TURN, 0, 0)


def test_c11_forgiven_cards_are_not_owed_later():
    game = play(duo("hands: WD G1 G2 B5 | B1 B2\ndiscard: R9"), "WD:B", "take", "B5")
    assert game.current_player == 1
    play(game, "draw")
    # Only one card is drawn, although three were forgiven before.
    assert len(game.hands[1]) == 4


def test_c11_the_offender_of_a_guilty_bluff_draws_what_there_is():
    game = play(duo("hands: WD R1 R2 | B1 B2\ndraw: Y1\ndiscard: R9"), "WD:B", "challenge")
    assert game.hands[0] == cards("R1 R2 R9 Y1")
    assert (game.phase, game.current_player) == (Phase.TURN, 1)


def test_d7_the_oldest_discard_is_drawn_first():
    game = play(duo("hands: R1 R2 | B1 B2\ndiscard: G1 Y3 B7 G4 Y9"), "draw")
    assert game.hands[0] == ["R1", "R2", "G1"]
    assert game.draw_pile == ["Y3", "B7", "G4"]


@pytest.mark.parametrize("seed", range(4))
def test_d7_nothing_depends_on_chance(seed):
    discards = cards("G1 Y3 B7 G4 R2 R6 B5 WD Y2 GS Y9")
    game = duo(f"hands: R1 R2 | B1 B2\ndiscard: {' '.join(discards)}", seed=seed)
    play(game, "draw")
    assert game.draw_pile == discards[1:-1]


def test_d7_the_order_holds_over_many_draws():
    game = duo("hands: R1 R2 | B1 B2\ndraw: Y1 Y2\ndiscard: G1 Y3 B7 G4 R9")
    drawn = []
    for _ in range(6):
        seat = game.current_player
        before = list(game.hands[seat])
        play(game, "draw")
        drawn += [card for card in game.hands[seat] if card not in before]
    assert drawn == cards("Y1 Y2 G1 Y3 B7 G4")


def test_d7_c11_the_second_refill_turns_the_new_discards_over():
    game = duo("hands: R1 R2 R3 B9 | R4 R5 B8\ndiscard: G1 R9")
    play(game, "draw", "R4", "R1", "draw")
    # The pile was empty, and R9 R4 lay below R1.
    assert game.hands[1] == ["R5", "R9", "B8"]
    assert game.phase == Phase.DRAWN
    assert game.draw_pile == ["R4"]


@pytest.mark.parametrize("seed", range(5))
def test_p8_the_other_discards_are_shuffled(seed):
    discards = cards("G1 Y3 B7 G4 R2 R6 B5 WD Y2 GS G8 G9 Y9")
    game = pocket(f"hands: R1 R2 | B1 B2\ndiscard: {' '.join(discards)}", seed=seed)
    expected = foretold(game, discards[:-1])
    play(game, "draw")
    assert expected[0] in game.hands[0]
    assert game.draw_pile == expected[1:]
    assert game.discard_pile == ["Y9"]


def test_p8_seeds_give_other_orders():
    discards = "G1 Y3 B7 G4 R2 R6 B5 WD Y2 GS G8 G9 Y9"
    piles = set()
    for seed in range(10):
        game = play(pocket(f"hands: R1 R2 | B1 B2\ndiscard: {discards}", seed=seed), "draw")
        piles.add(tuple(game.draw_pile))
    assert len(piles) == 10


def test_p8_every_card_is_equally_likely_to_come_first():
    counts = dict.fromkeys(cards("G1 Y3 B7 G4"), 0)
    for seed in range(800):
        game = play(pocket("hands: R1 R2 | B1 B2\ndiscard: G1 Y3 B7 G4 Y9", seed=seed), "draw")
        drawn = next(card for card in game.hands[0] if card not in ("R1", "R2"))
        counts[drawn] += 1
    # Five standard deviations of the binomial distribution with 800 trials and chance 1/4.
    assert all(abs(count - 200) < 62 for count in counts.values())


def test_p8_c11_a_refill_midway_shuffles_what_lies_there_then():
    game = pocket("hands: WD G1 G2 | B1 B2\ndraw: Y1\ndiscard: R5 R6 R7 R9 G5", seed=3)
    expected = foretold(game, cards("R5 R6 R7 R9 G5"))
    play(game, "WD:B", "take")
    assert sorted(game.hands[1]) == sorted(["B1", "B2", "Y1", expected[0]])
    assert game.draw_pile == expected[1:]
