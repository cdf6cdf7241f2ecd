"""The decks, the number of players and the deal (D1 to D3, P1 to P3)."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.rules.positions import COLORS, cards, deck_of, duo_start, play, pocket, pocket_start
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase


def all_cards(game: Game) -> Counter[str]:
    """Count the cards wherever they are."""
    offered = [] if game.offered_card is None else [game.offered_card]
    hands = [card for hand in game.hands for card in hand]
    return Counter([*hands, *game.draw_pile, *game.discard_pile, *offered])


@pytest.mark.parametrize("num_players", [0, 1, 3, 4, 5])
def test_d1_duo_is_for_two_players(num_players):
    with pytest.raises(ValueError):
        Game(UNO_DUO, num_players=num_players)


def test_d1_duo_seats_two_players():
    assert len(Game(UNO_DUO).hands) == 2
    assert Game(UNO_DUO).scores == [0, 0]


def test_d2_duo_deck_has_112_cards():
    deck = Counter(deck_of(UNO_DUO))
    assert deck.total() == 112
    for color in COLORS:
        assert deck[f"{color}0"] == 1
        for symbol in "123456789SRD":
            assert deck[color + symbol] == 2
    assert (deck["W"], deck["WD"], deck["WP"]) == (8, 4, 0)


@pytest.mark.parametrize("seed", range(3))
def test_d2_a_game_of_duo_holds_the_whole_deck(seed):
    game = Game(UNO_DUO, seed=seed)
    assert all_cards(game) == Counter(deck_of(UNO_DUO))
    play(game, *["keep", "reject"] * 7)
    assert all_cards(game) == Counter(deck_of(UNO_DUO))


def test_d3_first_drafter_is_a_fair_coin():
    firsts = Counter(Game(UNO_DUO, seed=seed).first for seed in range(1000))
    assert set(firsts) == {0, 1}
    # Five standard deviations of a fair coin are 79.
    assert abs(firsts[0] - 500) < 79


@pytest.mark.parametrize("first", [0, 1])
def test_d3_first_drafter_picks_first_and_the_other_starts(first):
    game = Game.from_deck(UNO_DUO, ["B1"] * 40, first=first)
    assert (game.first, game.current_player) == (first, first)
    play(game, *["keep"] * 14)
    assert (game.phase, game.current_player) == (Phase.TURN, 1 - first)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_d3_roles_swap_whoever_won(first, winner):
    text = f"""
    hands: R1 | G1
    discard: {"R5" if winner == 0 else "G5"}
    to move: {winner}
    first: {first}
    """
    game = Game.from_position(UNO_DUO, text)
    play(game, "R1" if winner == 0 else "G1")
    assert game.round_winner == winner
    game.next_round()
    assert (game.first, game.round_number, game.current_player) == (1 - first, 2, 1 - first)
    assert game.phase == Phase.DRAFT


@pytest.mark.parametrize("first", [0, 1])
def test_d3_roles_swap_after_a_blocked_round(first):
    text = f"hands: G1 G2 | G3 G4\ndiscard: R5\nfirst: {first}"
    game = play(Game.from_position(UNO_DUO, text), "draw", "draw")
    assert game.blocked
    game.next_round()
    assert game.first == 1 - first


@pytest.mark.parametrize("first", [0, 1])
def test_d3_roles_swap_after_a_capped_round(first):
    game = duo_start("B9", first=first, max_turns=1)
    play(game, "draw")
    assert game.capped
    game.next_round()
    assert game.first == 1 - first


def test_d3_roles_swap_every_round():
    deck = cards("B1 " * 28 + "R9 B2")
    game = Game.from_deck(replace(UNO_DUO, max_turns=1), deck, first=1)
    firsts = [game.first]
    for _ in range(4):
        play(game, *["keep"] * 14, "draw")
        game.next_round(deck)
        firsts.append(game.first)
    assert firsts == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_p1_pocket_is_for_two_to_five(num_players):
    game = Game(UNO_POCKET, num_players=num_players)
    assert len(game.hands) == num_players
    assert game.scores == [0] * num_players


@pytest.mark.parametrize("num_players", [0, 1, 6])
def test_p1_pocket_refuses_other_numbers(num_players):
    with pytest.raises(ValueError):
        Game(UNO_POCKET, num_players=num_players)


def test_p2_pocket_deck_has_52_cards():
    deck = Counter(deck_of(UNO_POCKET))
    assert deck.total() == 52
    for color in COLORS:
        assert deck[f"{color}0"] == 0
        for symbol in "123456789SRD":
            assert deck[color + symbol] == 1
    assert (deck["W"], deck["WP"], deck["WD"]) == (2, 1, 1)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_p2_a_game_of_pocket_holds_the_whole_deck(num_players):
    game = Game(UNO_POCKET, num_players=num_players, seed=num_players)
    assert all_cards(game) == Counter(deck_of(UNO_POCKET))


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_p3_five_cards_each_dealt_singly_from_the_dealers_left(num_players):
    ordered = [f"{color}{number}" for color in COLORS for number in range(1, 10)]
    for dealer in range(num_players):
        game = Game.from_deck(UNO_POCKET, ordered, num_players=num_players, first=dealer)
        dealt = 5 * num_players
        for place in range(num_players):
            seat = (dealer + 1 + place) % num_players
            assert game.hands[seat] == ordered[place:dealt:num_players]
        assert game.discard_pile == [ordered[dealt]]
        assert game.draw_pile == ordered[dealt + 1 :]
        assert (game.first, game.current_player) == (dealer, (dealer + 1) % num_players)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_p3_first_dealer_is_random(num_players):
    dealers = Counter(Game(UNO_POCKET, num_players, seed=seed).first for seed in range(500))
    assert set(dealers) == set(range(num_players))
    expected = 500 / num_players
    # Five standard deviations of the binomial distribution.
    spread = 5 * (expected * (1 - 1 / num_players)) ** 0.5
    assert all(abs(count - expected) < spread for count in dealers.values())


@pytest.mark.parametrize("direction", ["left", "right"])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_p3_deal_passes_left_and_the_direction_is_left_again(direction, dealer):
    game = pocket(
        f"""
        hands: R1 | G1 G2 | B1 B2
        discard: R5
        direction: {direction}
        first: {dealer}
        """
    )
    play(game, "R1")
    assert game.round_winner == 0
    game.next_round(["B1"] * 15 + ["B9"])
    assert game.first == (dealer + 1) % 3
    assert game.direction == 1
    assert game.current_player == (dealer + 2) % 3
    assert game.round_number == 2


def test_p3_deal_passes_left_after_a_blocked_round():
    game = pocket("hands: G1 G2 | G3 G4 | B1 B2\ndiscard: R5\nfirst: 2\ndirection: right")
    play(game, "draw", "draw", "draw")
    assert game.blocked
    game.next_round()
    assert game.first == 0


def test_p3_deal_passes_left_after_a_capped_round():
    game = pocket_start("R9", dealer=1, max_turns=1)
    play(game, "draw")
    assert game.capped
    game.next_round()
    assert game.first == 2


def test_p3_every_round_is_dealt_anew_from_the_whole_deck():
    game = pocket("hands: R1 | G1 G2\ndiscard: R5")
    play(game, "R1")
    game.next_round()
    assert all_cards(game) == Counter(deck_of(UNO_POCKET))
    assert (game.round_winner, game.blocked, game.capped) == (None, False, False)


def first_card(game: Game) -> str:
    """Return the card that a game of either kind shows or offers first."""
    return game.offered_card if game.phase == Phase.DRAFT else game.discard_pile[0]


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
def test_d2_p2_the_deck_is_shuffled(rules):
    games = 1500
    seen = Counter(first_card(Game(rules, seed=seed)) for seed in range(games))
    deck = Counter(deck_of(rules))
    for card, copies in deck.items():
        chance = copies / deck.total()
        # Five standard deviations of the binomial distribution.
        spread = 5 * (games * chance * (1 - chance)) ** 0.5
        assert abs(seen[card] - games * chance) < spread


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
def test_d2_p2_the_seed_decides_the_deal(rules):
    piles = [Game(rules, seed=seed).draw_pile for seed in [7, 7, 8]]
    assert piles[0] == piles[1] != piles[2]


def test_d2_the_next_round_is_shuffled_anew():
    game = Game(replace(UNO_DUO, deal="deal", max_turns=1), seed=4)
    orders = set()
    for _ in range(5):
        orders.add(tuple(game.draw_pile[-50:]))
        while game.phase != Phase.ROUND_OVER:
            game.step(game.legal_actions()[0])
        game.next_round()
    assert len(orders) == 5


def test_p3_hands_are_shown_ascending():
    hand = "G5 W RD B1 Y3"
    game = Game.from_deck(UNO_POCKET, [card for card in cards(hand) for _ in "ab"] + ["R9"])
    assert game.hands == [cards("RD Y3 G5 B1 W")] * 2


@pytest.mark.parametrize("phase", [Phase.DRAFT, Phase.TURN])
def test_p3_d3_next_round_waits_for_the_end_of_the_round(phase):
    game = Game(UNO_DUO) if phase == Phase.DRAFT else pocket_start("B9")
    assert game.phase == phase
    with pytest.raises(ValueError):
        game.next_round()
