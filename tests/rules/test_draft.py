"""The draft of Duo and the 14 cards turned over after it (D4, D5)."""

from dataclasses import replace

import pytest

from tests.rules.positions import COLORS, deck_of, legal, play
from uno_sim import UNO_DUO, Game, Phase

# 28 cards for the draft, then ten more; every card is there once, so places can be told apart.
DECK = [color + symbol for color in COLORS for symbol in "123456789S"][:38]


def drafted(*choices: str, first: int = 0) -> Game:
    return play(Game.from_deck(UNO_DUO, DECK, first=first), *choices)


def test_d4_the_draft_offers_keep_and_reject():
    game = drafted()
    assert (game.phase, game.current_player, game.offered_card) == (Phase.DRAFT, 0, DECK[0])
    assert legal(game) == {"keep", "reject"}
    assert game.hands == [[], []]
    assert (game.discard_pile, game.top_card, game.active_color) == ([], None, None)
    assert game.turns == 0


def test_d4_the_offered_card_is_in_no_pile():
    game = drafted()
    assert game.draw_pile == DECK[1:]


def test_d4_a_kept_card_sends_the_next_one_to_the_discards():
    game = drafted("keep")
    assert game.hands == [[DECK[0]], []]
    assert game.discard_pile == [DECK[1]]
    assert (game.current_player, game.offered_card) == (1, DECK[2])
    assert game.draw_pile == DECK[3:]


def test_d4_after_a_rejected_card_the_next_one_must_be_kept():
    game = drafted("reject")
    assert game.hands == [[DECK[1]], []]
    assert game.discard_pile == [DECK[0]]
    assert (game.current_player, game.offered_card) == (1, DECK[2])
    assert game.draw_pile == DECK[3:]


@pytest.mark.parametrize("first", [0, 1])
def test_d4_the_players_alternate_until_each_holds_seven(first):
    game = drafted(first=first)
    for pick in range(14):
        assert game.phase == Phase.DRAFT
        assert game.current_player == (first + pick) % 2
        assert len(game.discard_pile) == pick
        assert game.offered_card == DECK[2 * pick]
        game.step("keep")
    assert game.phase == Phase.TURN
    assert [len(hand) for hand in game.hands] == [7, 7]
    assert game.hands[first] == DECK[0:28:4]
    assert game.hands[1 - first] == DECK[2:28:4]


@pytest.mark.parametrize("first", [0, 1])
def test_d4_every_pick_goes_to_its_drafter(first):
    choices = ["keep", "reject", "reject", "keep", "keep", "keep", "reject"] * 2
    game = drafted(*choices, first=first)
    hands: list[list[str]] = [[], []]
    for pick, choice in enumerate(choices):
        kept = DECK[2 * pick] if choice == "keep" else DECK[2 * pick + 1]
        hands[(first + pick) % 2].append(kept)
    assert [sorted(hand) for hand in game.hands] == [sorted(hand) for hand in hands]
    assert game.offered_card is None


def test_d4_the_discards_are_in_the_order_of_the_picks():
    game = drafted("keep", "reject", "keep")
    assert game.discard_pile == [DECK[1], DECK[2], DECK[5]]


def test_d4_wilds_and_action_cards_do_nothing_in_the_draft():
    deck = ["W", "WD", "RD", "RR", "RS", "WD"] + ["B1"] * 30
    game = play(Game.from_deck(UNO_DUO, deck), "keep", "reject", "keep")
    assert game.phase == Phase.DRAFT
    assert game.discard_pile == ["WD", "RD", "WD"]
    assert game.active_color is None


@pytest.mark.parametrize("hand_size", [1, 3, 10])
def test_d4_the_hand_size_sets_the_number_of_picks(hand_size):
    rules = replace(UNO_DUO, hand_size=hand_size)
    game = Game.from_deck(rules, ["B1"] * (4 * hand_size) + ["B9", "R1"])
    for _ in range(2 * hand_size):
        assert game.phase == Phase.DRAFT
        game.step("keep")
    assert game.phase == Phase.TURN
    assert [len(hand) for hand in game.hands] == [hand_size] * 2


def test_d5_the_discards_go_below_the_draw_pile_first_discarded_first():
    game = drafted(*["keep"] * 14)
    assert game.discard_pile == [DECK[28]]
    assert game.draw_pile == DECK[29:] + DECK[1:28:2]


def test_d5_with_rejected_cards_too():
    game = drafted(*["keep", "reject"] * 7)
    discards = [DECK[2 * pick + 1 - pick % 2] for pick in range(14)]
    assert game.draw_pile == DECK[29:] + discards


def test_d5_after_the_other_84_cards_comes_the_first_discard():
    deck = sorted(deck_of(UNO_DUO))
    game = play(Game.from_deck(UNO_DUO, deck), *["keep"] * 14)
    assert len(game.discard_pile) == 1
    assert len(game.draw_pile) == 83 + 14
    assert game.draw_pile[83:] == deck[1:28:2]


def test_d5_a_deck_of_28_starts_with_the_first_discard():
    game = play(Game.from_deck(UNO_DUO, DECK[:28]), *["keep"] * 14)
    assert game.discard_pile == [DECK[1]]
    assert game.draw_pile == DECK[3:28:2]


def test_d5_a_shuffled_game_turns_its_discards_over_as_well():
    game = Game(UNO_DUO, seed=5)
    before: list[str] = []
    for choice in ["reject", "keep"] * 7:
        pile = [game.offered_card, *game.draw_pile]
        before.append(pile[0] if choice == "reject" else pile[1])
        rest = pile[2:]
        game.step(choice)
    assert [*game.discard_pile, *game.draw_pile][: len(rest)] == rest
    assert game.draw_pile[-14:] == before


def test_d4_deck_too_short_for_the_draft_is_refused():
    with pytest.raises(ValueError):
        Game.from_deck(UNO_DUO, DECK[:27])
