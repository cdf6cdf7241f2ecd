"""The agents `greedy` and `random` do what their descriptions say."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.chi_square import assert_uniform
from tests.random_play import VARIANTS, play_round
from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, action_name, make_agent, parse_card, simulate
from uno_sim.cards import CARD_NAMES

GREEDY = make_agent("greedy")
RANDOM = make_agent("random")
COLORS = "RYGB"
PILE = "draw: Y1 Y2 Y3 Y4"
ODD_VALUES = [7 * kind % 5 for kind in range(len(CARD_NAMES))]
"""Card values with many ties."""


def choice_of(game: Game) -> str:
    """Return what greedy does."""
    stream = np.zeros(1, np.uint64)
    return action_name(GREEDY.choose(game.observation(game.current_player), stream))


def duo(text: str, **options) -> Game:
    return Game.from_position(replace(UNO_DUO, **options), f"{text}\n{PILE}")


def pocket(text: str, **options) -> Game:
    return Game.from_position(replace(UNO_POCKET, **options), f"{text}\n{PILE}")


def in_turn(hand: str, top: str, *more: str) -> Game:
    """Return a turn of Duo with this hand on this top card."""
    return duo("\n".join([f"hands: {hand} | B1 B2 B3", f"discard: {top}", *more]))


@pytest.mark.parametrize("card", [card for card in CARD_NAMES if card != "WP"])
def test_the_draft_keeps_actions_and_wilds_and_rejects_numbers(card):
    game = Game.from_deck(UNO_DUO, [card, *["G1"] * 40])
    assert choice_of(game) == ("reject" if card[1:].isdigit() else "keep")


@pytest.mark.parametrize(
    ("hand", "top", "expected"),
    [
        # The dump that sheds most, whatever single cards there are.
        ("RR R1 GD GS", "R5", "R>R1"),
        ("RR R1 YR Y1 Y2", "RR", "Y>Y2"),
        ("RR R1 R2 R3 YR Y1 Y2", "YR", "R>R3"),
        ("RR RR R1 YR YS", "GR", "R>R1"),
        # Among its last cards: a Skip, then a Draw, then the highest number, then a Reverse.
        ("RR R1 R9 RD RS", "R5", "R>RS"),
        ("RR R1 R9 RD RD", "R5", "R>RD"),
        ("RR R1 R9 R0", "R5", "R>R9"),
        ("RR RR R0", "R5", "R>R0"),
        ("RR RR RR", "R5", "R>RR"),
        # Two colors that shed alike: the better last card, then the lower kind.
        ("RR R1 YR YS", "GR", "Y>YS"),
        ("RR RD YR Y9", "GR", "R>RD"),
        ("RR R3 YR Y4", "BR", "Y>Y4"),
        ("RR R4 YR Y4 BR B4", "GR", "R>R4"),
        ("BR BS YR YS", "GR", "Y>YS"),
        # A Reverse without another card of its color is a single card.
        ("RR Y9", "R5", "RR"),
    ],
)
def test_a_turn_begins_with_the_dump_that_sheds_most(hand, top, expected):
    assert choice_of(in_turn(hand, top)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("R1 R2 Y1 YR", "R>R2"),
        ("R1 R2 YR Y1 Y2", "Y>Y2"),
        ("R1 G5", "R>R1"),
        ("GR G5 G1", "G>G5"),
        ("G5 B3", "draw"),
    ],
)
def test_an_open_dump_counts_as_any_other(hand, expected):
    assert choice_of(in_turn(hand, "RR", "open reverse: yes")) == expected


@pytest.mark.parametrize(
    ("hand", "top", "expected"),
    [
        ("R3 R9 Y5 W", "R5", "R9"),
        ("R3 RS R9 B5", "R5", "RS"),
        # Ties in points: the color held most of, then the lowest kind.
        ("RS YS Y1", "GS", "YS"),
        ("RS YS R1 Y1 Y2", "GS", "YS"),
        ("RS YS R1 Y1", "GS", "RS"),
        ("RD RS R1", "R5", "RS"),
        ("R7 B7 B1 G7", "Y7", "B7"),
        ("R7 B7 G7", "Y7", "R7"),
        ("G7 B7 B7 R1", "Y7", "B7"),
        # A colored card of no points goes before a wild.
        ("R0 W WD", "R5", "R0"),
    ],
)
def test_else_it_lays_the_colored_card_of_most_points(hand, top, expected):
    assert choice_of(in_turn(hand, top)) == expected


def test_points_are_those_of_the_rule_set():
    values = {**dict.fromkeys(CARD_NAMES, 0), "R1": 9, "RS": 3}
    assert choice_of(duo("hands: R1 RS R9 | B1\ndiscard: R5", card_values=values)) == "R1"
    nothing = dict.fromkeys(CARD_NAMES, 0)
    assert choice_of(duo("hands: R9 R8 RS | B1\ndiscard: R5", card_values=nothing)) == "R8"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("W WP WD B1", "W:B"),
        ("WP WD B1", "WP:B"),
        ("WD B1", "WD:B"),
        ("WD WP B1 B2 Y3", "WP:B"),
        ("W Y1 B1 B2 Y2", "W:Y"),
        ("W Y1 B1", "W:Y"),
        ("W W", "W:R"),
        ("B1 Y2", "draw"),
    ],
)
def test_else_a_wild_a_dip_a_wild_draw_and_else_it_draws(hand, expected):
    assert choice_of(pocket(f"hands: {hand} | R1 R2\ndiscard: G9")) == expected


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ("R1", "R1"),
        ("B5", "B5"),
        ("W", "W:Y"),
        ("WD", "WD:Y"),
        ("RS", "RS"),
        ("RR", "RR"),
        ("YR", None),
    ],
)
def test_it_lays_a_drawn_card_whenever_it_can(drawn, expected):
    game = Game.from_position(UNO_DUO, f"hands: Y1 Y2 G9 | B1\ndiscard: R5\ndraw: {drawn} G1 G2 G3")
    game.step("draw")
    assert (choice_of(game) if game.phase == Phase.DRAWN else None) == expected


def test_a_drawn_reverse_starts_the_dump():
    game = Game.from_position(UNO_DUO, "hands: R7 RD Y2 | B1\ndiscard: R5\ndraw: RR G1")
    game.step("draw")
    assert choice_of(game) == "R>RD"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("B1 B2 G1", "B"),
        ("B1 B1 G1 G2 R5", "G"),
        ("R1 Y1 G1 B1", "R"),
        ("W W W", "R"),
        ("Y1 B1", "Y"),
        ("W WD B1", "B"),
    ],
)
def test_it_names_the_color_it_holds_most_of(hand, expected):
    cards = hand.split() + ["WP"] * (5 - len(hand.split()))
    deck = [card for held in cards for card in ("R1", held)] + ["W", "Y1", "Y2"]
    start = Game.from_deck(UNO_POCKET, deck)
    assert (start.phase, start.current_player) == (Phase.CHOOSE_COLOR, 0)
    assert choice_of(start) == f"color:{expected}"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("BD YD G1", "YD"), ("GD G1", "GD"), ("WD W G1", "take"), ("RD YD GD BD", "RD")],
)
def test_a_volley_is_answered_with_the_lowest_draw_card(hand, expected):
    game = duo(f"hands: RD R1 R2 | {hand}\ndiscard: R9")
    game.step("RD")
    assert choice_of(game) == expected


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
@pytest.mark.parametrize("offender", ["WD R1 R2", "WD B1 B2"])
def test_it_never_challenges(rules, offender):
    game = Game.from_position(rules, f"hands: {offender} | B3 B4\ndiscard: R9\n{PILE}")
    game.step("WD:G")
    assert choice_of(game) == "take"


def test_it_says_uno_and_catches():
    game = duo("hands: R1 R2 | B3 B4\ndiscard: R9")
    game.step("R1")
    assert choice_of(game) == "uno"
    game.step("silent")
    assert (game.current_player, choice_of(game)) == (1, "catch")


@pytest.mark.parametrize(
    ("hand", "drawn", "expected"),
    [
        ("R3 R9 Y5", "G1", "R9"),
        ("R3 Y5", "GS", "GS"),
        ("BS RS", "Y1", "RS"),
        ("BR GD", "GS", "GS"),
        ("W WD R1", "W", "R1"),
        ("W", "WD", "W"),
    ],
)
def test_a_dip_gives_the_colored_card_of_most_points(hand, drawn, expected):
    position = f"hands: WP {hand} | B3 B4\ndiscard: R9\ndraw: {drawn} Y1 Y2"
    game = Game.from_position(UNO_POCKET, position)
    game.step("WP:R")
    assert choice_of(game) == f"give:{expected}"


def plain_greedy(game: Game) -> str:
    """Choose as the description says, in plain Python over texts."""
    hand = game.hands[game.current_player]
    legal = game.legal_names()
    value = dict(zip(CARD_NAMES, game.rules.card_values, strict=True))
    held = {color: sum(card[0] == color for card in hand) for color in COLORS}
    favorite = max(COLORS, key=lambda color: (held[color], -COLORS.index(color)))

    if game.phase == Phase.DRAFT:
        return "reject" if game.offered_card[-1].isdigit() else "keep"
    if game.phase == Phase.CHOOSE_COLOR:
        return f"color:{favorite}"
    if game.phase == Phase.UNO:
        return "uno"
    if game.phase == Phase.CATCH:
        return "catch"
    if game.phase == Phase.CHALLENGE:
        return "take"
    if game.phase == Phase.VOLLEY:
        return next((name for name in legal if name != "take"), "take")
    if game.phase == Phase.GIVE:
        gifts = [name.removeprefix("give:") for name in legal]
        colored = [card for card in gifts if card[0] in COLORS]
        ranked = sorted(colored or gifts, key=lambda card: (-value[card], parse_card(card)))
        return f"give:{ranked[0]}" if colored else f"give:{min(gifts, key=parse_card)}"

    dumps = [name for name in legal if ">" in name]
    if dumps:
        liked = "SD9876543210R"
        dumps.sort(key=lambda name: (-held[name[0]], liked.index(name[-1])))
        return dumps[0]
    colored = [name for name in legal if name in CARD_NAMES]
    if colored:
        return min(colored, key=lambda card: (-value[card], -held[card[0]], parse_card(card)))
    for wild in ("W", "WP", "WD"):
        if f"{wild}:{favorite}" in legal:
            return f"{wild}:{favorite}"
    return "draw" if "draw" in legal else "pass"


def test_greedy_is_what_its_description_says_in_every_phase_of_both_games():
    met: Counter[tuple[str, Phase]] = Counter()
    variants = dict(VARIANTS)
    for name in ("duo", "pocket, volley and dump", "pocket, dips give others"):
        rules, num_players = VARIANTS[name]
        variants[f"{name}, odd values"] = (replace(rules, card_values=ODD_VALUES), num_players)
    for name, (rules, num_players) in variants.items():
        source = random.Random(name)
        for _ in range(8):
            game = Game(rules, num_players, seed=source.getrandbits(64))
            for played in play_round(game, source):
                met[rules.name, played.phase] += 1
                assert choice_of(played) == plain_greedy(played), played.render()
    phases = {(rules.name, phase) for rules in (UNO_DUO, UNO_POCKET) for phase in Phase}
    phases -= {key for key in phases if key[1] >= Phase.ROUND_OVER}
    phases -= {(UNO_DUO.name, Phase.GIVE)}
    assert min(met[key] for key in phases) >= 10, met
    assert sum(met.values()) > 8000


def test_greedy_against_itself_is_what_its_description_says():
    for rules, num_players in ((UNO_DUO, 2), (UNO_POCKET, 3)):
        batch = simulate(rules, ["greedy"] * num_players, rounds=12 * num_players, seed=41)
        for row in range(0, len(batch.rounds), num_players):
            record = batch.replay(row).record
            actions = iter(record.rounds[0].actions)
            for played, action in zip(Game.replay(record), actions, strict=False):
                assert plain_greedy(played) == action_name(action)


RANDOM_POSITIONS = {
    "draft": lambda: Game(UNO_DUO, seed=1),
    "dumps and wilds": lambda: in_turn("R1 RR R2 W", "R5"),
    "gifts": lambda: after(pocket("hands: WP R1 R2 WD | B1 B2\ndiscard: R9"), "WP:R"),
    "challenge": lambda: after(in_turn("WD R1 R2", "R5"), "WD:B"),
    "wilds alone": lambda: in_turn("W WD B1", "R5"),
    "drawing alone": lambda: in_turn("B1 B2", "R5"),
}


def after(game: Game, action: str) -> Game:
    game.step(action)
    return game


@pytest.mark.parametrize("name", RANDOM_POSITIONS)
def test_random_is_uniform_over_the_legal_actions(name):
    game = RANDOM_POSITIONS[name]()
    observation = game.observation(game.current_player)
    legal = game.legal_actions()
    stream = np.array([7], np.uint64)
    in_a_row = Counter(RANDOM.choose(observation, stream) for _ in range(2000))
    fresh = Counter(RANDOM.choose(observation, np.array([i], np.uint64)) for i in range(2000))
    for counts in (in_a_row, fresh):
        assert set(counts) == set(legal)
        if len(legal) > 1:
            assert_uniform([counts[action] for action in legal])


def test_random_is_uniform_in_batches():
    picks = Counter()
    rules = replace(UNO_DUO, max_turns=1)
    batch = simulate(rules, ["random", "random"], rounds=300, seed=42)
    for row in range(300):
        picks.update(batch.replay(row).record.rounds[0].actions[:14])
    assert len(picks) == 2
    assert_uniform(list(picks.values()))


def test_random_depends_on_its_stream_alone():
    game = in_turn("R1 RR R2 W", "R5")
    observation = game.observation(0)
    one = [RANDOM.choose(observation, np.array([seed], np.uint64)) for seed in range(50)]
    assert one == [RANDOM.choose(observation, np.array([seed], np.uint64)) for seed in range(50)]
    assert len(set(one)) > 3
