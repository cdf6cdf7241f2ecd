"""The picture of the table: what it depends on, and what it can be drawn of."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from tests.rules.positions import DUO_KINDS, POCKET_KINDS, duo, play, pocket
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, determinize
from uno_sim.actions import DRAW
from uno_sim.cards import CARD_NAMES
from uno_sim.envs.drawing.cards import face, small_face
from uno_sim.envs.table_picture import draw_table

TABLE = """
    hands: R3 R7 G2 B9 | G5 Y8 Y1
    draw: Y1 Y2 Y3 Y4
    discard: B5 R5
"""


def picture(game: Game, player: int = 0) -> bytes:
    return draw_table(game.observation(player)).tobytes()


def some_states(rules: RuleSet, num_players: int, seed: int) -> Iterator[Game]:
    """Yield all positions of a game of random play; the same object each time."""
    source = random.Random(seed)
    game = Game(rules, num_players, seed=seed)
    while game.phase != Phase.GAME_OVER:
        yield game
        if game.phase == Phase.ROUND_OVER:
            game.next_round()
        else:
            game.step(source.choice(game.legal_actions()))
    yield game


@pytest.mark.parametrize(
    "size",
    [
        {},
        {"width": 3840, "height": 2160},
        {"width": 480, "height": 320},
        {"width": 1601, "height": 999},
        {"height": 900},
    ],
)
def test_shape_and_dtype(size: dict[str, int]) -> None:
    drawn = draw_table(duo(TABLE).observation(0), **size)
    assert drawn.shape == (size.get("height", 640), size.get("width", 960), 3)
    assert drawn.dtype == np.uint8
    assert drawn.std() > 10


@pytest.mark.parametrize("name", ["width", "height"])
@pytest.mark.parametrize("size", [0, -1, 100, 100_000, 900.0, True, None, "640"])
def test_wrong_sizes_are_refused(name: str, size: object) -> None:
    with pytest.raises(ValueError, match=f"{name}="):
        draw_table(duo(TABLE).observation(0), **{name: size})


def test_a_game_with_all_its_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="observation"):
        draw_table(duo(TABLE))


def test_same_observation_gives_same_bytes() -> None:
    game = duo(TABLE)
    first = picture(game)
    other = picture(pocket(TABLE.replace("G2", "WP")))
    assert picture(game.clone()) == first
    assert picture(pocket(TABLE.replace("G2", "WP"))) == other != first


def test_an_observation_is_left_as_it_was() -> None:
    observation = duo(TABLE).observation(0)
    before = observation.record.tobytes()
    draw_table(observation)
    assert observation.record.tobytes() == before


@pytest.mark.parametrize(
    ("rules", "num_players"), [(UNO_DUO, 2), (UNO_POCKET, 2), (UNO_POCKET, 3), (UNO_POCKET, 5)]
)
def test_hidden_cards_do_not_show(rules: RuleSet, num_players: int) -> None:
    different = 0
    for number, game in enumerate(islice(some_states(rules, num_players, 5), 4, 600, 37)):
        player = number % num_players
        world = determinize(game.observation(player), seed=number)
        different += world.hands != game.hands or world.draw_pile != game.draw_pile
        assert picture(world, player) == picture(game, player)
    assert different > 6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("R3", "R4"),
        ("R3", "R3 R3"),
        ("B5 R5", "B5 Y5"),
        ("B5 R5", "G5 R5"),
        ("G5 Y8 Y1", "G5 Y8 Y1 Y1"),
        ("Y1 Y2 Y3", "Y2 Y3"),
        ("discard: B5 R5", "discard: B5 R5\nto move: 1"),
        ("discard: B5 R5", "discard: B5 R5\ndirection: right"),
        ("discard: B5 R5", "discard: B5 R5\nscores: 0 7"),
        ("discard: B5 R5", "discard: B5 R5\nturns: 2"),
        ("discard: B5 R5", "discard: B5 R5\nround: 2"),
    ],
)
def test_what_is_known_shows(old: str, new: str) -> None:
    assert picture(duo(TABLE)) != picture(duo(TABLE.replace(old, new)))


def test_the_active_color_shows_after_a_wild() -> None:
    table = TABLE.replace("B5 R5", "B5 W")
    drawn = {picture(duo(f"{table}\ncolor: {color}"), player=1) for color in "RYGB"}
    assert len(drawn) == 4


def test_the_legal_cards_show() -> None:
    game = duo(TABLE)
    observation = game.observation(0)
    observation.record.legal[:] = 0
    observation.record.legal[DRAW // 64] = np.uint64(1 << DRAW % 64)
    assert observation.legal_names() == ["draw"]
    assert draw_table(observation).tobytes() != picture(game)


def test_every_question_shows() -> None:
    drawn = set()
    for phase in Phase:
        observation = duo(TABLE).observation(1)
        observation.record.phase = phase
        if phase in (Phase.ROUND_OVER, Phase.GAME_OVER):
            observation.record.current_player = -1
            observation.record.winner = 0 if phase == Phase.GAME_OVER else -1
        drawn.add(draw_table(observation).tobytes())
    assert len(drawn) == len(Phase)


def test_pending_cards_and_an_open_reverse_show() -> None:
    games = [
        play(duo(f"hands: RD R1 R2 | G5 Y8\ndiscard: R5\ndraw: {'B1 ' * 9}", **options), "RD")
        for options in ({}, {"draw_penalty": 3})
    ]
    assert [game.pending for game in games] == [2, 3]
    assert picture(games[0], 1) != picture(games[1], 1)
    table = "hands: R3 B9 | G5 Y8\ndiscard: R5 RR\nopen reverse: "
    assert picture(duo(table + "yes"), 1) != picture(duo(table + "no"), 1)


def test_known_cards_of_others_show() -> None:
    hands = ["hands: R1 R2 WD | G5 Y8", "hands: R1 B2 WD | G5 Y8"]
    shown, hidden = set(), set()
    for text in hands:
        game = duo(f"{text}\ndiscard: B8 R5\ndraw: {'B1 ' * 9}")
        play(game, "WD:G")
        hidden.add(picture(game, 1))
        play(game, "challenge")
        assert len(game.observation(1).known_hands[0]) == 2
        shown.add(picture(game, 1))
    assert (len(hidden), len(shown)) == (1, 2)


def test_the_offered_card_shows_to_who_is_asked_alone() -> None:
    deck = "G1 G2 " * 20
    games = [Game.from_deck(UNO_DUO, [card, *deck.split()]) for card in ("R1", "R2")]
    assert picture(games[0], 0) != picture(games[1], 0)
    assert picture(games[0], 1) == picture(games[1], 1)


def test_the_drawn_card_shows_to_its_owner_alone() -> None:
    games = [duo(TABLE.replace("draw: Y1", f"draw: {card}")) for card in ("R1", "R2")]
    for game in games:
        play(game, "draw")
        assert game.phase == Phase.DRAWN
    assert picture(games[0], 0) != picture(games[1], 0)
    assert picture(games[0], 1) == picture(games[1], 1)
    observation = games[0].observation(0)
    observation.record.drawn_card = -1
    assert draw_table(observation).tobytes() != picture(games[0], 0)


def test_a_known_next_card_shows() -> None:
    pictures = set()
    for card in ("B1", "B2"):
        game = duo(f"hands: R3 R7 | G5 Y8\ndiscard: {card} Y1 R5")
        play(game, "draw")
        game.step("pass" if game.phase == Phase.DRAWN else "draw")
        play(game, *["draw"] * (game.draw_size > 1))
        pictures.add(picture(game, 0))
    assert len(pictures) == 2


def test_the_end_of_a_round_shows_who_scored() -> None:
    pictures = set()
    for rest in ("G5", "G6"):
        game = play(duo(f"hands: R3 | {rest} Y8\ndiscard: R5"), "R3")
        assert game.phase == Phase.ROUND_OVER
        pictures |= {picture(game, 0), picture(game, 1)}
    assert len(pictures) == 4


@pytest.mark.parametrize("ending", ["round_winner", "blocked", "capped"])
def test_endings_of_a_round_differ(ending: str) -> None:
    pictures = set()
    for name, value in (("round_winner", 0), ("blocked", True), ("capped", True)):
        observation = duo(TABLE).observation(1)
        observation.record.phase = Phase.ROUND_OVER
        observation.record.current_player = -1
        observation.record[name] = value
        if name != ending:
            pictures.add(draw_table(observation).tobytes())
    assert len(pictures) == 2


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_all_phases_of_pocket_can_be_drawn(num_players: int) -> None:
    draw_all_phases(UNO_POCKET, num_players, set(Phase) - {Phase.DRAFT, Phase.VOLLEY})


def test_all_phases_of_duo_can_be_drawn() -> None:
    draw_all_phases(UNO_DUO, 2, set(Phase) - {Phase.GIVE})


def draw_all_phases(rules: RuleSet, num_players: int, phases: set[Phase]) -> None:
    """Draw the first position of each phase in some games, as each seat sees it."""
    wilds = {kind: 3 for kind in range(52, 55) if rules.deck[kind]}
    deck = {**dict(enumerate(rules.deck)), **wilds}
    missing = set(phases)
    for seed in range(20):
        for game in some_states(replace(rules, deck=deck), num_players, seed):
            if game.phase in missing:
                missing.remove(game.phase)
                for player in range(num_players):
                    assert draw_table(game.observation(player)).shape == (640, 960, 3)
        if not missing:
            return
    pytest.fail(f"not met: {missing}")


@pytest.mark.parametrize("count", [1, 2, 30, 40, 80, 100])
def test_large_hands_can_be_drawn(count: int) -> None:
    cards = (DUO_KINDS * 2)[:count]
    game = duo(f"hands: {' '.join(cards)} WD | {' '.join(cards[:20])} \ndiscard: R5\ndraw: B1")
    drawn = {picture(game, 0), picture(game, 1)}
    play(game, "WD:R")
    if game.phase == Phase.CHALLENGE:
        play(game, "challenge")
        assert len(game.observation(1).known_hands[0]) >= count
    drawn |= {picture(game, 0), picture(game, 1)}
    assert len(drawn) == 4


def test_strange_rule_sets_can_be_drawn() -> None:
    rules = replace(
        UNO_POCKET,
        name="a name that is much too long to fit anywhere " * 5,
        target=1_000_000_000,
        draw_penalty=1_000_000,
        wild_draw_penalty=0,
    )
    text = "hands: RD WD W | G1 | G2 | G3 | G4\ndiscard: R5\nscores: 900000000 1 2 3 4"
    game = Game.from_position(rules, text)
    assert picture(game, 0) != picture(game, 1)


def test_every_card_has_its_own_face() -> None:
    assert set(POCKET_KINDS) | set(DUO_KINDS) == set(CARD_NAMES)
    for faces in (
        [face(card, 2, 84) for card in CARD_NAMES],
        [face(card, 2, 84, dimmed=True) for card in CARD_NAMES],
        [small_face(card, 2, 26, 37) for card in CARD_NAMES],
    ):
        assert len({sprite.tobytes() for sprite in faces}) == len(CARD_NAMES)
    assert face("RD", 1, 84).tobytes() != face("RD", 2, 84).tobytes()
    assert face("R7", 0, 84).tobytes() == face("R7", 0, 84).tobytes()


def test_a_card_can_be_told_without_its_color() -> None:
    """The letter is there for who cannot tell the colors apart."""
    grays = [np.array(face(f"{color}7", 0, 84).convert("L")) for color in "RGB"]
    corners = [gray[35:60, 8:32] > 160 for gray in grays]
    assert not np.array_equal(corners[0], corners[1])
    assert not np.array_equal(corners[1], corners[2])
    assert not np.array_equal(corners[0], corners[2])


def test_the_simulator_loads_no_drawing_library() -> None:
    code = (
        "import sys, uno_sim; uno_sim.Game(uno_sim.UNO_DUO); "
        "assert 'PIL' not in sys.modules and 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_drawing_needs_no_chart_library() -> None:
    code = "import sys, uno_sim.envs.table_picture; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
