"""The games that a player holds possible keep what is known (C10, D5, D7, P6, P8).

In the games that `determinize` gives, known cards lie where they are, and hidden ones change.
"""

from collections import Counter

from tests.rules.positions import COLORS, cards, duo, play, pocket
from uno_sim import UNO_DUO, Game, determinize

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 B6 B7 B9\ndiscard: R9\n"


def possible(game: Game, player: int) -> list[Game]:
    """Return some games that the player holds possible."""
    observation = game.observation(player)
    return [determinize(observation, seed) for seed in range(25)]


def hands_of(game: Game, player: int, seat: int) -> set[tuple[str, ...]]:
    """Return hands that the player holds possible for a seat."""
    return {tuple(world.hands[seat]) for world in possible(game, player)}


def challenged(hand: str) -> Game:
    text = f"hands: WD {hand} | B1 B2 | B3 B4 B5{PILE}"
    return play(pocket(text), "WD:B", "challenge")


def test_c10_the_challenger_knows_the_hand_and_nobody_else():
    game = challenged("G1 G2 G3")
    assert hands_of(game, 1, 0) == {("G1", "G2", "G3")}
    assert len(hands_of(game, 2, 0)) > 1


def test_c10_the_penalty_of_a_won_challenge_stays_hidden():
    game = challenged("R1 G2 G3")
    hands = hands_of(game, 1, 0)
    assert all({"R1", "G2", "G3"} <= set(hand) for hand in hands)
    assert len(hands) > 1


def test_c10_c4_the_penalty_of_a_caught_silence_was_drawn_before_and_is_shown():
    game = pocket(f"hands: WD G1 | B1 B2 | B3 B4 B5{PILE}")
    play(game, "WD:B", "silent", "catch", "challenge")
    assert hands_of(game, 1, 0) == {("Y1", "Y2", "G1")}


def test_c10_a_seen_card_that_was_laid_is_gone_and_the_others_stay_known():
    game = play(challenged("B8 G2 G3"), "draw")
    assert game.current_player == 0
    play(game, "B8")
    assert hands_of(game, 1, 0) == {("G2", "G3")}


def test_c10_p6_a_seen_card_may_have_been_given_away():
    # Seat 2 sees WD, G1, G2 and WP in the hand of seat 1, who later dips and gives G2 to seat 2.
    # Seat 2 still knows G1 and WD there; seat 0 has seen nothing.
    text = f"hands: B3 B4 B5 | WD WD G1 G2 WP | B1 B2{PILE}to move: 1"
    game = play(pocket(text), "WD:B", "challenge")
    # A Dip is a playable card: seat 1 was guilty and drew two, and seat 2 moves.
    assert len(game.hands[1]) == 6
    play(game, "draw", "draw", "WP:G", "give:G2")
    hands = hands_of(game, 2, 1)
    assert all({"G1", "WD"} <= set(hand) for hand in hands)
    assert all("G2" not in hand for hand in hands)
    assert any(not {"G1", "WD"} <= set(hand) for hand in hands_of(game, 0, 1))


def test_d5_the_14_discards_lie_still_and_the_others_do_not():
    deck = [color + symbol for color in COLORS for symbol in "123456789SRD"]
    game = play(Game.from_deck(UNO_DUO, deck), *["keep", "reject"] * 7)
    for player in (0, 1):
        worlds = possible(game, player)
        assert {tuple(world.draw_pile[-14:]) for world in worlds} == {tuple(game.draw_pile[-14:])}
        assert len({tuple(world.draw_pile[:-14]) for world in worlds}) > 1
        assert len({tuple(world.hands[1 - player]) for world in worlds}) > 1


def test_d7_the_turned_over_pile_and_what_was_drawn_from_it_are_known():
    game = play(duo("hands: R1 R2 | B1 B2\ndiscard: G1 Y3 B7 G4 G5 Y9"), "draw")
    for player in (0, 1):
        worlds = possible(game, player)
        assert all(world.draw_pile == cards("Y3 B7 G4 G5") for world in worlds)
        assert all("G1" in world.hands[0] for world in worlds)


def test_p8_the_shuffled_pile_is_not_known():
    game = play(pocket("hands: R1 R2 | B1 B2\ndiscard: G1 Y3 B7 G4 G5 G6 Y9"), "draw")
    assert len({tuple(world.draw_pile) for world in possible(game, 1)}) > 1


def test_p6_the_gift_is_known_to_giver_and_receiver():
    game = play(pocket(f"hands: WP R1 R2 R3 | B1 B2 | B3 B4 B5{PILE}"), "WP:G", "give:R2")
    assert all("R2" in hand for hand in hands_of(game, 0, 1))
    assert any("R2" not in hand for hand in hands_of(game, 2, 1))
    assert hands_of(game, 1, 1) == {("R2", "B1", "B2")}
    assert len(hands_of(game, 1, 0)) > 1


def test_p6_c10_every_possible_game_holds_the_same_cards():
    game = play(pocket(f"hands: WP R1 R2 R3 | B1 B2 | B3 B4 B5{PILE}"), "WP:G", "give:R2")
    everything = Counter(cards("WP R1 R2 R3 B1 B2 B3 B4 B5 R9"))
    everything += Counter(cards("Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 B6 B7 B9"))
    for player in range(3):
        for world in possible(game, player):
            held = Counter([card for hand in world.hands for card in hand])
            assert held + Counter([*world.draw_pile, *world.discard_pile]) == everything
