"""What a person types at the table, and what is said where it does not fit."""

import pytest

from experiments.play_commands import COMMANDS, HELP, InputError, read_action, read_command
from uno_sim import UNO_DUO, UNO_POCKET, Game, Observation, action_name

PILES = "discard: R5\ndraw: Y1 Y2 Y3 Y4 Y6 Y7 Y8"


def asked(position: str, rules=UNO_DUO) -> Observation:
    """Return what the asked player of a position knows."""
    game = Game.from_position(rules, position)
    assert game.current_player is not None
    return game.observation(game.current_player)


@pytest.mark.parametrize("typed", ["r7", "R7", " r7 ", "1"])
def test_an_action_is_its_text_in_any_letters_or_its_number(typed: str) -> None:
    observation = asked(f"hands: R7 W G3 | B1 B2\n{PILES}")
    assert action_name(read_action(typed, observation)) == "R7"


def test_numbers_count_the_legal_actions_from_one() -> None:
    observation = asked(f"hands: R7 RR W G3 | B1 B2\n{PILES}")
    for number, action in enumerate(observation.legal_actions(), start=1):
        assert read_action(str(number), observation) == action
        assert read_action(action_name(action).lower(), observation) == action


@pytest.mark.parametrize(("typed", "action"), [("w : b", "W:B"), ("r > r7", "R>R7")])
def test_spaces_around_signs_do_no_harm(typed: str, action: str) -> None:
    observation = asked(f"hands: R7 RR W G3 | B1 B2\n{PILES}")
    assert action_name(read_action(typed, observation)) == action


def test_what_alone_is_asked_may_be_left_out() -> None:
    game = Game.from_position(UNO_POCKET, f"hands: WP R7 G3 | B1 B2\n{PILES}")
    game.step("WP:G")
    observation = game.observation(0)
    assert action_name(read_action("r7", observation)) == "give:R7"
    assert action_name(read_action("give:r7", observation)) == "give:R7"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Please type a number from 1 to 6, the text of an action, or help."),
        ("0", "There is no action 0: type a number from 1 to 6"),
        ("7", "There is no action 7: type a number from 1 to 6"),
        ("-1", "'-1' is no action: type a number"),
        ("hello", "'hello' is no action: type a number"),
        ("w", "Name a color with W: w:r, w:y, w:g or w:b."),
        ("g3", "G3 is not possible now: G3 does not match the top card R5 and the active color R"),
        ("r8", "R8 is not possible now: no R8 is held."),
        ("pass", "pass does not answer what you are asked now: type a number from 1 to 6"),
        ("wd", "You hold no WD: type a number from 1 to 6"),
        ("²", "'²' is no action"),
        ("9" * 5000, f"There is no action {'9' * 100}: type a number"),
        ("x" * 5000, f"'{'x' * 100}' is no action"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(typed: str, said: str) -> None:
    observation = asked(f"hands: R7 W G3 | B1 B2\n{PILES}")
    with pytest.raises(InputError) as caught:
        read_action(typed, observation)
    assert str(caught.value).startswith(said)


def test_a_card_that_is_no_answer_to_a_draw_card_is_told_the_rule() -> None:
    game = Game.from_position(UNO_DUO, f"hands: R7 RD W G3 | B1 B2 RD\n{PILES}")
    game.step("RD")
    with pytest.raises(InputError, match="only a draw card answers a draw card"):
        read_action("b1", game.observation(1))


def test_no_command_is_the_text_of_an_action() -> None:
    for action in range(185):
        assert read_command(action_name(action)) is None
    assert all(read_command(name.upper()) == name for name in COMMANDS)
    assert read_command("?") == "help"


def test_the_help_names_all_commands_and_fits_a_terminal() -> None:
    assert all(f"  {name} " in HELP for name in COMMANDS)
    assert max(map(len, HELP.splitlines())) < 80
