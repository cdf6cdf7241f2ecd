"""Rounds that end without a winner: blocked and capped (C12, D12, P10)."""

import pytest

from tests.rules.positions import duo, duo_start, legal, play, pocket, pocket_start
from uno_sim import Phase


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c12_a_draw_that_brings_nothing_is_a_pass(rules_game):
    game = play(rules_game("hands: G1 G2 | B1 B2\ndiscard: R9"), "draw")
    assert game.hands == [["G1", "G2"], ["B1", "B2"]]
    assert (game.phase, game.current_player, game.turns) == (Phase.TURN, 1, 2)
    assert game.discard_pile == ["R9"]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_c12_as_many_passes_as_players_block_the_round(num_players):
    hands = " | ".join(["G1 G2"] * num_players)
    game = pocket(f"hands: {hands}\ndiscard: R9")
    for number in range(num_players):
        assert (game.phase, game.blocked) == (Phase.TURN, False)
        assert game.current_player == number
        play(game, "draw")
    assert (game.phase, game.blocked, game.capped) == (Phase.ROUND_OVER, True, False)
    assert (game.round_winner, game.current_player) == (None, None)
    assert game.turns == num_players


def test_c12_a_player_may_pass_with_a_playable_card():
    game = play(duo("hands: R1 R2 | R3 R4\ndiscard: R9"), "draw", "draw")
    assert game.blocked


@pytest.mark.parametrize("rules_game", [duo, pocket])
def test_c12_a_card_laid_restarts_the_count(rules_game):
    game = play(rules_game("hands: G1 G2 | R1 R2 R3\ndiscard: R9"), "draw", "R1")
    # The card below R1 can be drawn now; then nothing is left again.
    play(game, "draw", "pass", "draw")
    assert (game.phase, game.blocked, game.current_player) == (Phase.TURN, False, 0)
    play(game, "draw")
    assert game.blocked


def test_c12_a_card_laid_restarts_the_count_though_none_is_drawn_on_a_turn():
    game = pocket("hands: G1 G2 | RD R2 R3 | B1 B2\ndiscard: R9")
    # The forced draw takes the only card, so the next three turns are passes.
    play(game, "draw", "RD")
    assert (game.current_player, game.hands[2]) == (0, ["R9", "B1", "B2"])
    play(game, "draw", "draw")
    assert (game.phase, game.current_player) == (Phase.TURN, 2)
    play(game, "draw")
    assert game.blocked


def test_c12_keeping_a_drawn_card_is_no_pass():
    game = duo("hands: G1 G2 | B1 B2\ndraw: R1 R2\ndiscard: R9")
    play(game, "draw", "pass", "draw", "pass")
    assert (game.phase, game.blocked) == (Phase.TURN, False)
    play(game, "draw", "draw")
    assert game.blocked


def test_c12_an_unplayable_drawn_card_is_no_pass():
    game = play(duo("hands: G1 G2 | B1 B2\ndraw: Y1 Y2\ndiscard: R9"), "draw", "draw")
    assert (game.phase, game.blocked) == (Phase.TURN, False)


def test_c12_a_draw_pile_that_can_be_refilled_makes_no_pass():
    game = play(duo("hands: G1 G2 | B1 B2\ndiscard: Y1 Y2 R9"), "draw", "draw")
    assert (game.phase, game.blocked) == (Phase.TURN, False)


def test_c12_the_count_starts_anew_in_the_next_round():
    game = play(duo("hands: G1 G2 | B1 B2\ndiscard: R9"), "draw", "draw")
    game.next_round(["B1"] * 28 + ["R9"])
    play(game, *["keep"] * 14)
    assert (game.phase, game.blocked, game.turns) == (Phase.TURN, False, 1)


@pytest.mark.parametrize("actions", [["RS"], ["RR"], ["WD:B", "take"], ["WD:B", "challenge"]])
def test_c12_a_turn_begins_each_time_a_player_is_asked(actions):
    # Each of these leads to exactly one further turn, whoever takes it.
    game = pocket("hands: RS RR WD R1 R2 | B1 B2\ndraw: Y1 Y2 Y3 Y4 Y5\ndiscard: R9\nturns: 7")
    play(game, *actions)
    assert (game.phase, game.turns) == (Phase.TURN, 8)


def test_c12_the_decisions_within_a_turn_begin_none():
    game = pocket("hands: G1 | B1 B2\ndraw: R1 Y1 Y2\ndiscard: R9\nturns: 7")
    play(game, "draw")
    assert (game.phase, game.turns) == (Phase.DRAWN, 7)
    play(game, "R1")
    assert (game.phase, game.turns) == (Phase.UNO, 7)
    play(game, "silent")
    assert (game.phase, game.turns) == (Phase.CATCH, 7)
    play(game, "ignore")
    assert (game.phase, game.turns) == (Phase.TURN, 8)


def test_c12_c13_a_starter_who_loses_the_turn_begins_none():
    assert pocket_start("RS", 3).turns == 1
    assert duo_start("RD").turns == 1


@pytest.mark.parametrize("rules_game", [duo, pocket])
@pytest.mark.parametrize("action", ["R1", "draw", "RS", "W:G"])
def test_c12_the_round_is_capped_when_one_turn_too_many_would_begin(rules_game, action):
    text = "hands: R1 R2 RS W | B1 B2\ndraw: Y1 Y2\ndiscard: R9\nscores: 30 40\nturns: "
    game = play(rules_game(f"{text}9", max_turns=10), action)
    assert (game.phase, game.capped, game.turns) == (Phase.TURN, False, 10)
    game = play(rules_game(f"{text}10", max_turns=10), action)
    assert (game.phase, game.capped, game.blocked) == (Phase.ROUND_OVER, True, False)
    assert (game.round_winner, game.winner, game.current_player) == (None, None, None)
    assert game.scores == [30, 40]
    assert game.turns == 10


def test_c12_the_last_turn_is_finished_first():
    text = "hands: RD R2 | GD B2\ndraw: Y1 Y2 Y3 Y4 Y5\ndiscard: R9\nturns: 10"
    game = duo(text, max_turns=10)
    play(game, "RD", "uno")
    assert game.phase == Phase.VOLLEY
    play(game, "GD")
    assert game.phase == Phase.UNO
    play(game, "uno", "take")
    assert game.capped
    assert len(game.hands[0]) == 5


def test_c12_a_won_challenge_may_reach_the_cap():
    game = duo("hands: WD R1 R2 | B1 B2\ndraw: Y1\ndiscard: R9\nturns: 10", max_turns=10)
    play(game, "WD:B", "challenge")
    assert game.capped


def test_c12_c5_going_out_on_the_last_turn_wins():
    game = duo("hands: R1 | B1 B2\ndraw: Y1\ndiscard: R9\nturns: 10", max_turns=10)
    play(game, "R1")
    assert (game.round_winner, game.capped, game.scores) == (0, False, [0, 3])


def test_c12_a_round_blocked_on_its_last_turn_is_blocked():
    game = duo("hands: G1 G2 | B1 B2\ndiscard: R9\nturns: 9", max_turns=10)
    play(game, "draw", "draw")
    assert (game.blocked, game.capped) == (True, False)


def test_c12_c14_a_capped_round_ends_no_game():
    game = duo("hands: R1 R2 R3 | W W\ndraw: Y1\ndiscard: R9\nturns: 5\nscores: 199 0", max_turns=5)
    play(game, "R1")
    assert (game.phase, game.capped) == (Phase.ROUND_OVER, True)
    game.next_round()
    assert (game.phase, game.round_number, game.scores) == (Phase.DRAFT, 2, [199, 0])
    assert not game.capped


def test_c12_no_action_is_left_after_a_blocked_round():
    game = play(duo("hands: G1 G2 | B1 B2\ndiscard: R9"), "draw", "draw")
    assert legal(game) == set()


def test_d12_in_a_blocked_round_each_scores_the_own_hand():
    game = play(duo("hands: G1 GS | W WD\ndiscard: R9\nscores: 5 6"), "draw", "draw")
    assert (game.scores, game.round_winner) == ([5 + 11, 6 + 35], None)
    assert (game.phase, game.winner) == (Phase.ROUND_OVER, None)


def test_d12_a_blocked_round_may_end_the_game():
    game = play(duo("hands: G1 G2 | W WD\ndiscard: R9\nscores: 100 170"), "draw", "draw")
    assert (game.phase, game.winner, game.scores) == (Phase.GAME_OVER, 0, [103, 205])
    assert game.round_winner is None


def test_d12_both_may_reach_the_target_and_the_lower_wins():
    game = play(duo("hands: WD | W\ndiscard: R9\nscores: 190 190"), "draw", "draw")
    assert (game.phase, game.winner, game.scores) == (Phase.GAME_OVER, 1, [210, 205])


def test_d12_equal_totals_at_the_target_play_another_round():
    game = play(duo("hands: W G1 | W B1\ndiscard: R9\nscores: 190 190"), "draw", "draw")
    assert game.scores == [206, 206]
    assert (game.phase, game.winner) == (Phase.ROUND_OVER, None)
    game.next_round()
    assert (game.phase, game.round_number) == (Phase.DRAFT, 2)


def test_d12_rounds_are_played_until_the_totals_differ():
    game = play(duo("hands: W G1 | W B1\ndiscard: R9\nscores: 210 210"), "draw", "draw")
    assert (game.phase, game.scores) == (Phase.ROUND_OVER, [226, 226])
    game = play(duo("hands: R1 | B1\ndiscard: R9\nscores: 226 226"), "R1")
    assert (game.phase, game.winner, game.scores) == (Phase.GAME_OVER, 0, [226, 227])


def test_d12_equal_totals_below_the_target_are_nothing_special():
    game = play(duo("hands: G1 | B1\ndiscard: R9\nscores: 10 10"), "draw", "draw")
    assert (game.phase, game.scores) == (Phase.ROUND_OVER, [11, 11])


@pytest.mark.parametrize("lowest", [0, 1, 2])
def test_p10_the_lowest_hand_scores_the_others(lowest):
    hands = ["G9 G8", "B9 BS", "W"]
    points = [17, 29, 50]
    hands[lowest] = "Y1 Y2 Y4"
    points[lowest] = 0
    game = play(pocket(f"hands: {' | '.join(hands)}\ndiscard: R9"), *["draw"] * 3)
    expected = [0, 0, 0]
    expected[lowest] = sum(points)
    assert (game.blocked, game.scores, game.round_winner) == (True, expected, None)


def test_p10_it_is_the_points_that_count_not_the_cards():
    game = play(pocket("hands: W | B1 B2 B3\ndiscard: R9"), "draw", "draw")
    assert game.scores == [0, 50]


def test_p10_a_tie_for_the_lowest_scores_nobody():
    game = play(pocket("hands: G1 G2 | B3 | W WD\ndiscard: R9"), *["draw"] * 3)
    assert (game.blocked, game.scores, game.round_winner) == (True, [0, 0, 0], None)


def test_p10_a_tie_above_the_lowest_does_not_matter():
    game = play(pocket("hands: G1 | B3 | Y3\ndiscard: R9"), *["draw"] * 3)
    assert game.scores == [6, 0, 0]


def test_p10_c14_a_blocked_round_may_end_the_game():
    game = play(pocket("hands: G1 | W | WD\ndiscard: R9\nscores: 150 0 0"), *["draw"] * 3)
    assert (game.phase, game.winner, game.scores) == (Phase.GAME_OVER, 0, [250, 0, 0])
    assert game.round_winner is None
