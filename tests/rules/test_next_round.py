"""Nothing of a round is left in the next one but the totals and the roles (C14, D3, P3)."""

from dataclasses import replace

import pytest

from tests.rules.positions import cards, dumps, duo, play, pocket, snapshot
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9\n"
DUO_DECK = cards("B1 B2 B3 B4 " * 7 + "B9 Y1 Y2 Y3 Y4")
POCKET_DECK = cards("B1 B2 B3 B4 B5 " * 2 + "B9 Y1 Y2 Y3 Y4")


def after_an_open_reverse() -> Game:
    text = f"hands: RR RR R3 G1 G2 | R1 R2{PILE}discard: R9\nturns: 5"
    return play(duo(text, max_turns=5), "R>RR")


def after_a_dump() -> Game:
    return play(duo(f"hands: RR RD R3 | R1 WD{PILE}discard: R9"), "R>RD")


def after_a_volley() -> Game:
    return play(duo(f"hands: RD R1 R2 R3 | GD{PILE}discard: R9"), "RD", "GD")


def after_a_capped_volley() -> Game:
    text = f"hands: RD R1 R2 R3 | GD B1 B2{PILE}discard: R9\nturns: 5"
    return play(duo(text, max_turns=5), "RD", "GD", "take")


def after_a_drawn_card() -> Game:
    text = "hands: R1 R2 | B1 B2\ndraw: R3\ndiscard: R9\nturns: 5"
    return play(duo(text, max_turns=5), "draw", "pass")


def after_a_caught_bluff() -> Game:
    text = f"hands: WD R1 | B1 B2{PILE}discard: R9\nturns: 5"
    return play(duo(text, max_turns=5), "WD:B", "silent", "catch", "challenge")


def after_passes() -> Game:
    return play(duo("hands: R1 R2 | B1 B2\ndiscard: R9"), "draw", "draw")


def after_a_dip() -> Game:
    text = f"hands: WP R1 R2 | B1 B2{PILE}discard: R9\nturns: 5\ndirection: right"
    return play(pocket(text, max_turns=5), "WP:G", "give:R1")


def after_a_turned_direction() -> Game:
    return play(pocket(f"hands: RR R1 | B1 B2{PILE}discard: R9"), "RR", "uno", "R1")


DUO_ENDINGS = [
    after_an_open_reverse,
    after_a_dump,
    after_a_volley,
    after_a_capped_volley,
    after_a_drawn_card,
    after_a_caught_bluff,
    after_passes,
]


def assert_like_new(game: Game, fresh: Game) -> None:
    """Check that both games show the same but for the totals and the number of the round."""
    shown, expected = snapshot(game), snapshot(fresh)
    for name in ("scores", "round_number", "state"):
        del shown[name], expected[name]
    assert shown == expected


@pytest.mark.parametrize("ending", DUO_ENDINGS)
def test_d3_c14_the_next_round_of_duo_is_like_new(ending):
    game = ending()
    assert game.phase == Phase.ROUND_OVER
    game.next_round(DUO_DECK)
    fresh = Game.from_deck(replace(UNO_DUO, max_turns=5), DUO_DECK, first=1)
    assert_like_new(game, fresh)
    for action in ["keep"] * 14 + ["draw"]:
        assert_like_new(play(game, action), play(fresh, action))


@pytest.mark.parametrize("ending", [after_a_dip, after_a_turned_direction])
def test_p3_c14_the_next_round_of_pocket_is_like_new(ending):
    game = ending()
    assert game.phase == Phase.ROUND_OVER
    game.next_round(POCKET_DECK)
    fresh = Game.from_deck(replace(UNO_POCKET, max_turns=5), POCKET_DECK, first=1)
    assert_like_new(game, fresh)
    assert_like_new(play(game, "draw"), play(fresh, "draw"))


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c14_d11_p9_each_round_adds_its_own_points(rules_game):
    text = f"hands: R1 | B5{PILE}discard: R9"
    game = play(rules_game(text, deal="deal", hand_size=1), "R1")
    loser = 1 if rules_game is duo else 0
    assert game.scores[loser] == 5
    # Seat 1 deals now, so seat 0 gets the first card, moves first and goes out.
    game.next_round(["R1", "B7", "R9"])
    assert (game.first, game.current_player) == (1, 0)
    play(game, "R1")
    assert game.scores[loser] == 5 + 7
    assert game.scores[1 - loser] == 0


def test_c12_passes_of_the_last_round_do_not_count():
    game = play(pocket("hands: R1 R2 | B1 B2\ndiscard: R9"), "draw", "draw")
    assert game.blocked
    # Every card is dealt, so all that can be done on a turn is to pass.
    game.next_round(["B1"] * 10 + ["R9"])
    play(game, "draw")
    assert (game.phase, game.blocked) == (Phase.TURN, False)
    play(game, "draw")
    assert game.blocked


def test_d9_an_open_reverse_does_not_outlast_the_round():
    game = after_an_open_reverse()
    game.next_round(cards("R1 R2 R3 R4 " * 7 + "R9 Y1 Y2"))
    play(game, *["keep"] * 14)
    assert not game.open_reverse
    assert dumps(game) == set()
