"""Illegal actions are refused with a reason, and change nothing (C2, C3)."""

import pytest

from tests.rules.positions import duo, duo_start, legal, play, pocket, pocket_start, snapshot
from uno_sim import (
    NUM_ACTIONS,
    UNO_DUO,
    Game,
    IllegalActionError,
    Phase,
    action_name,
    parse_action,
)

PILE = "\ndraw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8\n"


def in_turn() -> Game:
    return duo(f"hands: R1 RR R2 B3 | B1 B2{PILE}discard: R9")


def in_drawn() -> Game:
    return play(duo("hands: R1 R2 | B1 B2\ndraw: R3 Y1\ndiscard: R9"), "draw")


def in_volley() -> Game:
    return play(duo(f"hands: RD R1 R2 | GD B2 WD{PILE}discard: R9"), "RD")


def in_challenge() -> Game:
    return play(duo(f"hands: WD R1 R2 | B1 B2{PILE}discard: R9"), "WD:B")


def in_uno() -> Game:
    return play(duo(f"hands: R1 G2 | B1 B2{PILE}discard: R9"), "R1")


def in_catch() -> Game:
    return play(in_uno(), "silent")


def in_give() -> Game:
    return play(pocket(f"hands: WP R1 G2 | B1 B2{PILE}discard: R9"), "WP:B")


def at_round_over() -> Game:
    return play(duo(f"hands: R1 | B1 B2{PILE}discard: R9"), "R1")


def at_game_over() -> Game:
    return play(duo(f"hands: R1 | W W{PILE}discard: R9\nscores: 0 199"), "R1")


def in_draft() -> Game:
    return Game(UNO_DUO, seed=1)


def in_choose_color() -> Game:
    return pocket_start("W")


PHASES = {
    Phase.DRAFT: in_draft,
    Phase.CHOOSE_COLOR: in_choose_color,
    Phase.TURN: in_turn,
    Phase.DRAWN: in_drawn,
    Phase.VOLLEY: in_volley,
    Phase.CHALLENGE: in_challenge,
    Phase.GIVE: in_give,
    Phase.UNO: in_uno,
    Phase.CATCH: in_catch,
    Phase.ROUND_OVER: at_round_over,
    Phase.GAME_OVER: at_game_over,
}


def test_c2_every_phase_is_covered():
    assert set(PHASES) == set(Phase)
    for phase, build in PHASES.items():
        assert build().phase == phase


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_c2_c3_every_other_action_is_refused_and_changes_nothing(phase):
    game = PHASES[phase]()
    before = snapshot(game)
    allowed = set(game.legal_actions())
    for action in range(NUM_ACTIONS):
        if action not in allowed:
            with pytest.raises(IllegalActionError) as refusal:
                game.step(action)
            assert action_name(action) in str(refusal.value)
            assert phase.name.lower() in str(refusal.value).lower()
    assert snapshot(game) == before


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_c2_the_mask_says_the_same_as_the_list(phase):
    game = PHASES[phase]()
    mask = game.action_mask()
    assert len(mask) == NUM_ACTIONS
    assert [action for action in range(NUM_ACTIONS) if mask[action]] == game.legal_actions()


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_c2_every_legal_action_is_accepted(phase):
    for action in PHASES[phase]().legal_actions():
        game = PHASES[phase]()
        before = snapshot(game)
        game.step(action)
        assert snapshot(game) != before


def test_c2_text_and_number_do_the_same():
    by_text, by_number = in_turn(), in_turn()
    by_text.step("R>R2")
    by_number.step(parse_action("R>R2"))
    assert snapshot(by_text) == snapshot(by_number)


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS, 10**6, "Z9", "", "r1", "W", "W:Z", "take it"])
def test_c2_what_is_no_action_is_refused(action):
    game = in_turn()
    before = snapshot(game)
    with pytest.raises(ValueError):
        game.step(action)
    assert snapshot(game) == before


def refusal(game: Game, action: str) -> str:
    """Return the message with which an action is refused."""
    with pytest.raises(IllegalActionError) as refused:
        game.step(action)
    return str(refused.value)


def test_c1_the_refusal_of_an_unplayable_card_names_what_it_does_not_match():
    message = refusal(in_turn(), "B3")
    assert "B3" in message
    assert "R9" in message


def test_c1_c2_different_faults_have_different_reasons():
    game = in_turn()
    not_held = refusal(game, "R5").replace("R5", "")
    unplayable = refusal(game, "B3").replace("B3", "")
    wrong_phase = refusal(game, "take").replace("take", "")
    assert len({not_held, unplayable, wrong_phase}) == 3


def test_c2_an_illegal_action_is_a_value_error():
    assert issubclass(IllegalActionError, ValueError)


@pytest.mark.parametrize(
    ("build", "action"),
    [
        (in_turn, "pass"),
        (in_turn, "B3"),
        (in_turn, "R>RR"),
        (in_drawn, "draw"),
        (in_drawn, "R1"),
        (in_volley, "draw"),
        (in_volley, "B2"),
        (in_volley, "WD:R"),
        (in_challenge, "draw"),
        (in_challenge, "B1"),
        (in_uno, "draw"),
        (in_uno, "catch"),
        (in_catch, "uno"),
        (in_give, "give:B1"),
        (in_give, "draw"),
        (in_draft, "draw"),
        (in_choose_color, "keep"),
    ],
)
def test_c2_c3_after_a_refusal_play_goes_on(build, action):
    game = build()
    assert action not in legal(game)
    refusal(game, action)
    play(game, action_name(game.legal_actions()[0]))


def test_d6_c13_the_color_of_the_start_card_is_named_once():
    game = play(duo_start("W"), "color:R")
    refusal(game, "color:G")
    assert game.active_color == "R"


def test_d9_the_refusal_of_a_dump_says_what_it_lacks():
    assert "a dump needs a playable Reverse" in refusal(in_turn(), "B>B3")
    assert "cannot be the last card too" in refusal(in_turn(), "R>RR")
    position = f"hands: RR R2 B3 | B1 B2{PILE}discard: R9"
    assert "has no dumps" in refusal(pocket(position), "R>R2")
    alone = duo(f"hands: RR B3 | B1 B2{PILE}discard: R9")
    assert "a dump needs a playable Reverse" in refusal(alone, "R>RR")
