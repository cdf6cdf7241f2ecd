"""Points, totals and the end of a game (C14, D1, D11, P1, P9)."""

import pytest

from tests.rules.positions import COLORED, DUO_KINDS, POCKET_KINDS, duo, legal, play, pocket
from uno_sim import UNO_DUO, UNO_POCKET, Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\ndiscard: R9\n"


def duo_points(card: str) -> int:
    """Give the points of a card in Duo."""
    if card in ("W", "WD"):
        return {"W": 15, "WD": 20}[card]
    return int(card[1]) if card[1].isdigit() else 10


def pocket_points(card: str) -> int:
    """Give the points of a card in Pocket."""
    if card.startswith("W"):
        return 50
    return int(card[1]) if card[1].isdigit() else 20


@pytest.mark.parametrize("card", DUO_KINDS)
def test_d11_value_of_every_card(card):
    game = play(duo(f"hands: R1 | {card}{PILE}"), "R1")
    assert game.scores == [0, duo_points(card)]


@pytest.mark.parametrize("card", POCKET_KINDS)
def test_p9_value_of_every_card(card):
    game = play(pocket(f"hands: R1 | {card}{PILE}"), "R1")
    assert game.scores == [pocket_points(card), 0]


def test_d11_p9_values_stand_in_the_rule_sets():
    for kind, card in enumerate([*COLORED, "W", "WD"]):
        assert UNO_DUO.card_values[kind] == duo_points(card)
    for kind, card in enumerate([*COLORED, "W", "WD", "WP"]):
        if UNO_POCKET.deck[kind]:
            assert UNO_POCKET.card_values[kind] == pocket_points(card)


@pytest.mark.parametrize("seat", [0, 1])
def test_d11_who_went_out_scores_nothing_and_the_other_the_own_hand(seat):
    hands = "R1 | B5 BS" if seat == 0 else "B5 BS | R1"
    game = play(duo(f"hands: {hands}{PILE}to move: {seat}\nscores: 7 8"), "R1")
    assert game.scores == ([7, 23] if seat == 0 else [22, 8])


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_p9_who_went_out_scores_all_other_hands(seat):
    hands = ["B1 B2", "B3 BS", "W B4", "WD WP"]
    points = [3, 23, 54, 100]
    hands[seat] = "R1"
    points[seat] = 0
    text = f"hands: {' | '.join(hands)}{PILE}to move: {seat}\nscores: 1 2 3 4"
    game = play(pocket(text), "R1")
    expected = [1, 2, 3, 4]
    expected[seat] += sum(points)
    assert game.scores == expected


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c14_totals_add_up_over_rounds(rules_game):
    game = play(rules_game(f"hands: R1 | B5 B4{PILE}scores: 20 30"), "R1")
    after = [20, 39] if rules_game is duo else [29, 30]
    assert game.scores == after
    game.next_round()
    assert game.scores == after


@pytest.mark.parametrize(("before", "over"), [(190, False), (191, True), (195, True)])
def test_c14_d1_duo_ends_at_200_and_the_lower_total_wins(before, over):
    game = play(duo(f"hands: R1 | B5 B4{PILE}scores: 150 {before}"), "R1")
    assert game.scores == [150, before + 9]
    assert game.phase == (Phase.GAME_OVER if over else Phase.ROUND_OVER)
    assert game.winner == (0 if over else None)
    assert game.round_winner == 0


def test_c14_d1_who_reaches_200_has_lost_even_without_going_out():
    game = play(duo(f"hands: B5 B4 | R1{PILE}to move: 1\nscores: 195 0"), "R1")
    assert (game.phase, game.winner, game.scores) == (Phase.GAME_OVER, 1, [204, 0])


@pytest.mark.parametrize(("before", "over"), [(240, False), (241, True), (245, True)])
def test_c14_p1_pocket_ends_at_250_and_who_reaches_it_wins(before, over):
    game = play(pocket(f"hands: R1 | B5 | B4{PILE}scores: {before} 100 249"), "R1")
    assert game.scores == [before + 9, 100, 249]
    assert game.phase == (Phase.GAME_OVER if over else Phase.ROUND_OVER)
    assert game.winner == (0 if over else None)


@pytest.mark.parametrize("seat", range(5))
def test_p1_any_seat_can_win(seat):
    hands = ["B1"] * 5
    hands[seat] = "R1"
    scores = ["0"] * 5
    scores[seat] = "249"
    text = f"hands: {' | '.join(hands)}{PILE}to move: {seat}\nscores: {' '.join(scores)}"
    game = play(pocket(text), "R1")
    assert (game.phase, game.winner) == (Phase.GAME_OVER, seat)


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c14_nothing_follows_the_end_of_the_game(rules_game):
    game = play(rules_game(f"hands: R1 | W W{PILE}scores: 199 199", target=200), "R1")
    assert (game.phase, game.current_player) == (Phase.GAME_OVER, None)
    assert game.winner == 0
    assert legal(game) == set()
    with pytest.raises(ValueError):
        game.next_round()
    with pytest.raises(ValueError):
        game.step("draw")


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c14_totals_are_checked_only_after_the_round(rules_game):
    game = rules_game(f"hands: R1 R2 R3 | B1 B2{PILE}scores: 190 190", target=200)
    play(game, "R1")
    assert game.phase == Phase.TURN


def test_c14_a_game_goes_on_in_the_next_round():
    game = play(duo(f"hands: R1 | B5 B4{PILE}round: 3\nscores: 10 10"), "R1")
    game.next_round()
    assert (game.round_number, game.phase, game.winner) == (4, Phase.DRAFT, None)
    assert game.scores == [10, 19]
