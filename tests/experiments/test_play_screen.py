"""The screens of a game: the table, the question, what is known, how a round ended."""

import re

import pytest

from experiments import play_screen as screen
from experiments.play_colors import in_color
from uno_sim import UNO_DUO, UNO_POCKET, Game, determinize

PILES = "discard: R5\ndraw: Y1 Y2 Y3 Y4 Y6 Y7 Y8"
DUO = ["you", "greedy"]


def at(position: str, *actions: str, rules=UNO_DUO) -> Game:
    """Return the game of a position after some actions."""
    game = Game.from_position(rules, position)
    for action in actions:
        game.step(action)
    return game


def asked(game: Game) -> str:
    """Return what the asked player is asked."""
    assert game.current_player is not None
    return screen.question(game.observation(game.current_player))


def test_the_table_shows_what_lies_open_and_the_own_hand() -> None:
    game = at(f"hands: R7 G3 W | B1 B2\n{PILES}")
    assert screen.position(game.observation(0), DUO) == [
        "UNO Duo, round 1: draw pile 7, discards 1",
        "  seat 0  you      3 cards     0 points",
        "  seat 1  greedy   2 cards     0 points",
        "Top card: R5   Color: red",
        "Your hand: R7* G3 W*",
    ]


def test_with_three_the_direction_and_the_next_seat_are_shown() -> None:
    position = f"hands: R7 RR G3 | B1 B2 | B3 B4\n{PILES}"
    game = at(position, rules=UNO_POCKET)
    lines = screen.position(game.observation(0), ["you", "a", "b"])
    assert lines[0].endswith("direction left")
    assert [line.endswith("next") for line in lines[1:4]] == [False, True, False]
    game.step("RR")
    lines = screen.position(game.observation(0), ["you", "a", "b"])
    assert lines[0].endswith("direction right")
    assert [line.endswith("next") for line in lines[1:4]] == [False, True, False]


def test_a_dump_marks_its_reverse_and_an_open_one_all_cards_of_the_color() -> None:
    hands = "hands: GR G3 G4 B9 | R1 R2"
    owed = at(f"{hands}\ndiscard: R5 RR\ndraw: Y1 Y2")
    assert screen.playable(owed.observation(0)) == {"GR"}
    opened = at(f"{hands}\ndiscard: R5 GR\nopen reverse: yes\ndraw: Y1 Y2")
    assert screen.playable(opened.observation(0)) == {"GR", "G3", "G4"}
    assert "you may dump all your green cards" in asked(opened)


def test_each_question_says_what_the_answers_do() -> None:
    draft = Game(UNO_DUO, seed=7)
    assert f"7 to pick: you look at {draft.offered_card}. Keep it, or reject" in asked(draft)
    drawn = at("hands: R7 G3 | B1 B2\ndiscard: R5\ndraw: R9 Y2 Y3", "draw")
    assert asked(drawn) == "You drew R9: lay it, or pass and keep it."
    volley = at(f"hands: RD G3 G4 | BD B2\n{PILES}", "RD")
    assert asked(volley).startswith("Seat 0 laid RD: lay a draw card too, or take 2 cards")
    challenge = at(f"hands: WD G3 G4 | BD B2\n{PILES}", "WD:G")
    said = asked(challenge)
    assert said.startswith("Seat 0 laid WD on R5, red. Take 4 cards and lose the turn, or")
    assert said.endswith("seat 0 draws the 4, if not, you draw 6.")
    uno = at(f"hands: R7 G3 | B1 B2\n{PILES}", "R7")
    assert asked(uno).endswith("be silent, which costs 2 cards if you are caught.")
    uno.step("silent")
    assert asked(uno) == "Seat 0 has 1 card left and did not say UNO: catch it, or ignore it."
    dip = at(f"hands: WP G3 G4 | B1 B2 | B3\n{PILES}", "WP:R", rules=UNO_POCKET)
    assert asked(dip) == "You drew Y1: give seat 1 a card."


def test_choices_are_numbered_in_columns_that_fit() -> None:
    game = at(f"hands: R7 W WD R1 R2 R3 RR RS RD | B1 B2\n{PILES}")
    lines = screen.choices(game.observation(0))
    assert len(lines) > 1 and max(map(len, lines)) < screen.WIDTH
    cells = re.findall(r"(\d+) (\S+)", " ".join(lines))
    assert [name for _, name in cells] == game.legal_names()
    assert [int(number) for number, _ in cells] == list(range(1, len(cells) + 1))


def test_what_is_known_of_hidden_cards_is_listed() -> None:
    game = at(f"hands: WD G3 G4 | B1 B2\n{PILES}", "WD:G", "challenge")
    lines = screen.known(game.observation(1))
    assert lines[0] == "Seat 0: G3 G4"
    assert lines[1] == "Draw pile: 1 unknown"
    assert lines[2] == "Discards, the last on top: R5 WD"
    assert lines[3:] == ["The unknown cards are: Y8"]
    lines = screen.known(Game(UNO_DUO, seed=1).observation(0))
    assert lines[:3] == ["Seat 1: -", "Draw pile: 111 unknown", "Discards, the last on top: -"]
    assert lines[-1].endswith(" W(8) WD(4)") and max(map(len, lines)) < screen.WIDTH


def test_the_known_bottom_of_the_pile_is_listed_in_the_order_it_is_drawn() -> None:
    game = Game(UNO_DUO, seed=3)
    while game.phase.name == "DRAFT":
        game.step("reject")
    while game.current_player != 0:
        game.step(game.legal_actions()[0])
    text = " ".join(line.strip() for line in screen.known(game.observation(0)))
    known = [card for card in game.observation(0).known_pile if card is not None]
    unknown = game.draw_size - len(known)
    assert f"Draw pile: {unknown} unknown, then in this order: {' '.join(known)}" in text


def test_the_end_of_a_round_shows_points_totals_and_who_went_out() -> None:
    game = at(f"hands: R7 | B1 W\n{PILES}", "R7")
    assert screen.result(game.observation(0), DUO) == [
        "Round 1 is over: you went out.",
        "  seat 0  you         0 points      0 in all",
        "  seat 1  greedy     16 points     16 in all",
        "Points are bad: whoever has 200 loses.",
    ]
    lines = screen.result(game.observation(1), ["greedy", "you"])
    assert lines[:2] == ["Round 1 is over: seat 0 went out.", "You are left with: B1 W"]


def test_the_end_of_a_game_names_its_winner() -> None:
    game = at(f"scores: 0 190\nhands: R7 | B1 W\n{PILES}", "R7")
    assert screen.result(game.observation(0), DUO)[-1] == "The game is over. You have won it."
    assert screen.result(game.observation(1), DUO)[-1] == "The game is over. Seat 0 has won it."


def test_a_long_name_is_cut_and_the_table_fits() -> None:
    game = at(f"hands: R7 G3 W | B1 B2\n{PILES}")
    lines = screen.position(game.observation(0), ["you", "a" * 99])
    assert max(map(len, lines)) < screen.WIDTH and "aaa..." in lines[2]


@pytest.mark.parametrize(("rules", "players"), [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 5)])
def test_the_screen_is_the_same_in_every_world_that_the_player_holds_possible(
    rules, players: int
) -> None:
    game = Game(rules, players, seed=4)
    names = ["greedy"] * players
    compared = 0
    for number in range(60):
        seat = game.current_player
        if seat is None:
            break
        world = determinize(game.observation(seat), seed=number)
        compared += world.hands != game.hands
        for show in (screen.position, lambda seen, _: [screen.question(seen)]):
            assert show(world.observation(seat), names) == show(game.observation(seat), names)
        assert screen.choices(world.observation(seat)) == screen.choices(game.observation(seat))
        assert screen.known(world.observation(seat)) == screen.known(game.observation(seat))
        legal = game.legal_actions()
        game.step(legal[number % len(legal)])
    assert compared > 20


def test_colors_are_marks_that_change_no_word() -> None:
    line = "Seat 1 lays R7 and names blue; W:G, WD*, R>R5 and draw; BUG R77 WILD"
    colored = in_color(line)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == line
    marked = re.findall(r"\x1b\[([0-9;]+)m(\S+?)\x1b\[0m", colored)
    assert marked == [
        ("31", "R7"),
        ("34", "blue"),
        ("32", "W:G"),
        ("1;35", "WD*"),
        ("31", "R>R5"),
    ]
