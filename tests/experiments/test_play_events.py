"""What happened at the table, in words: nothing is told that the player has not seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from experiments.play_events import Story
from uno_sim import UNO_DUO, UNO_POCKET, Game, determinize, parse_card

PILES = "turns: 5\ndiscard: R5\ndraw: Y1 Y2 Y3 Y4 Y6 Y7 Y8"


def told(position: str, *actions: str, seat: int = 0, rules=UNO_DUO) -> list[str]:
    """Return what a seat is told after some actions in a position."""
    game = Game.from_position(rules, position)
    story = Story(game.observation(seat))
    for action in actions:
        before = game.clone()
        game.step(action)
        story.add(game.observation(seat), before_action(before, action))
    return story.sentences


def before_action(game: Game, action: str) -> int:
    """Return the number of a legal action."""
    return game.legal_actions()[game.legal_names().index(action)]


@pytest.mark.parametrize(
    ("hands", "actions", "seat", "sentences"),
    [
        ("R7 G3 | B1 B2", ["R7", "silent", "ignore"], 1, ["You let it pass."]),
        ("R7 G3 | B1 B2", ["R7", "uno"], 1, ["Seat 0 lays R7.", "Seat 0 says UNO."]),
        ("R7 G3 | B1 B2", ["R7", "uno"], 0, ["You say UNO."]),
        (
            "R7 G3 | B1 B2",
            ["R7", "silent", "catch"],
            0,
            ["You do not say UNO.", "Seat 1 catches you.", "You draw 2 cards: Y1 Y2."],
        ),
        ("R7 G3 | B1 B2", ["draw"], 0, ["You draw 1 card: Y1."]),
        ("R7 G3 | B1 B2", ["draw"], 1, ["Seat 0 draws 1 card."]),
        ("W G3 B4 | B1 B2", ["W:G"], 0, ["You lay W and name green."]),
        ("W G3 B4 | B1 B2", ["W:G"], 1, ["Seat 0 lays W and names green."]),
        ("RR R1 R4 B4 B5 | B1 B2", ["R>R4"], 1, ["Seat 0 dumps 3 cards of red: RR R1 R4."]),
        (
            "RD G3 G4 | B1 B2",
            ["RD", "take"],
            1,
            ["Seat 0 lays RD.", "You take the cards (no choice).", "You draw 2 cards: Y1 Y2."],
        ),
        (
            "WD R3 G4 | B1 B2",
            ["WD:G", "challenge"],
            1,
            [
                "You challenge seat 0: it was a bluff.",
                "You are shown the hand of seat 0; now you know there: R3 G4.",
                "Seat 0 draws 4 cards.",
            ],
        ),
        (
            "WD B3 G4 | B1 B2",
            ["WD:G", "challenge"],
            0,
            [
                "You lay WD and name green.",
                "Seat 1 challenges you: it was no bluff.",
                "Seat 1 draws 6 cards.",
            ],
        ),
        ("R7 | B1 B2", ["R7"], 0, ["You lay R7."]),
    ],
)
def test_what_each_player_is_told(
    hands: str, actions: list[str], seat: int, sentences: list[str]
) -> None:
    assert told(f"hands: {hands}\n{PILES}", *actions, seat=seat) == sentences


def test_a_card_kept_after_drawing_is_not_told_to_others() -> None:
    position = "turns: 5\nhands: G3 G4 | B1 B2\ndiscard: R5\ndraw: R9 Y2 Y3"
    assert told(position, "draw", "pass", seat=1) == ["Seat 0 draws 1 card."]
    assert told(position, "draw", seat=1) == ["Seat 0 draws 1 card."]
    assert told(position, "draw", "R9", seat=1) == [
        "Seat 0 draws 1 card.",
        "Seat 0 lays R9, just drawn.",
    ]


def test_a_wild_just_drawn_is_told_so() -> None:
    position = "turns: 5\nhands: G3 G4 | B1 B2\ndiscard: R5\ndraw: W Y2 Y3"
    assert told(position, "draw", "W:B", seat=1)[-1] == "Seat 0 lays W, just drawn, and names blue."


def test_a_gift_is_named_to_giver_and_receiver_alone() -> None:
    position = f"hands: WP G3 G4 | B1 B2 | B3 B4\n{PILES}"
    actions = "WP:R", "give:G3"
    third = [told(position, *actions, seat=seat, rules=UNO_POCKET) for seat in range(3)]
    assert third[0] == ["You give seat 1 a card: G3."]
    assert third[1][-1] == "Seat 0 gives you a card: G3."
    assert third[2][-1] == "Seat 0 gives seat 1 a card."
    assert third[2][1] == "Seat 0 draws 1 card."


def test_a_dip_that_draws_a_dip_names_it() -> None:
    position = "hands: WP G3 G4 | B1 B2\ndiscard: R5\ndraw: WP Y2 Y3"
    assert told(position, "WP:R", rules=UNO_POCKET)[-1] == "You draw 1 card: WP."


@pytest.mark.parametrize(("rules", "steps"), [(UNO_DUO, 5), (UNO_DUO, 30), (UNO_POCKET, 12)])
def test_a_round_that_is_looked_at_from_the_middle_on_has_no_past(rules, steps: int) -> None:
    game = Game(rules, seed=3)
    for _ in range(steps):
        game.step(game.legal_actions()[0])
    assert Story(game.observation(0)).sentences == []


def test_the_start_of_a_round_tells_what_the_start_card_did() -> None:
    deck = [f"{color}{number}" for color in "RYG" for number in range(1, 5)]
    game = Game.from_deck(UNO_POCKET, [*deck[:10], "BD", *deck[10:]], first=0)
    assert Story(game.observation(0)).sentences == [
        "The start card is BD.",
        "Seat 1 draws 1 card.",
    ]


def test_known_cards_that_others_draw_are_named() -> None:
    position = "turns: 5\nhands: B1 G4 | B3 B4\ndiscard: Y3 Y2 R5\ndraw: Y9"
    assert told(position, "draw", "draw", "draw", seat=1) == [
        "Seat 0 draws 1 card.",
        "2 cards are turned over and become the draw pile.",
        "You draw 1 card: Y3 (no choice).",
        "Seat 0 draws 1 card (all know Y2).",
    ]


def test_the_draft_names_what_is_seen_and_the_start_card() -> None:
    game = Game(UNO_DUO, seed=7)
    drafter = game.current_player
    assert drafter is not None
    stories = [Story(game.observation(seat)) for seat in range(2)]
    kept, following = game.offered_card, game.draw_pile[0]
    for action in ("keep", "reject"):
        number = before_action(game, action)
        looked_at, unseen = game.offered_card, game.draw_pile[0]
        game.step(action)
        for seat, story in enumerate(stories):
            story.add(game.observation(seat), number)
    own, other = stories[drafter].sentences, stories[1 - drafter].sentences
    assert own == [
        f"You keep {kept}; the next, {following}, is discarded.",
        f"Seat {1 - drafter} rejects {looked_at} for the next card.",
    ]
    assert other == [f"You reject {looked_at} for the next card: {unseen}."]
    while game.phase.name == "DRAFT":
        number = before_action(game, "keep")
        following = game.draw_pile[0]
        game.step("keep")
        stories[drafter].add(game.observation(drafter), number)
    last = stories[drafter].sentences
    assert f"the next, {following}, is discarded." in last[1]
    assert last[2] == f"The start card is {game.discard_pile[0]}."


@pytest.mark.parametrize("pick", ["keep", "reject"])
def test_the_last_pick_and_what_the_start_card_makes_draw_are_told_apart_if_known(
    pick: str,
) -> None:
    others = ["G0", *(f"{color}{number}" for color in "RYGB" for number in range(1, 10))]
    draft, drawn = others[:28], ["B8", "B9"]
    game = Game.from_deck(UNO_DUO, [*draft, "RD", *drawn, *others[28:34]], first=0)
    story = Story(game.observation(1))
    while game.phase.name == "DRAFT":
        action = before_action(game, pick)
        game.step(action)
        story.add(game.observation(1), action)
    kept, other = draft[-2:]
    if pick == "keep":
        assert story.sentences == [
            f"You keep {kept}; the next, {other}, is discarded.",
            "The start card is RD.",
            "You draw 2 cards: B8 B9.",
        ]
    else:
        new = " ".join(sorted([other, *drawn], key=parse_card))
        assert story.sentences == [
            f"You reject {kept} for the next card.",
            "The start card is RD.",
            f"You draw 2 cards; new in your hand: {new}.",
        ]


@pytest.mark.parametrize("spare", [0, 1, 2])
@pytest.mark.parametrize("picks", ["keep keep", "keep reject", "reject keep"])
def test_the_last_discard_of_the_draft_is_told_where_the_start_card_empties_the_pile(
    spare: int, picks: str
) -> None:
    rules = replace(UNO_DUO, hand_size=1, draw_penalty=50)
    deck = ["RD", "RD", "R1", "R1", "RD", "Y1", "Y2", "Y3"][: 4 + spare]
    for order in set(permutations(deck)):
        game = Game.from_deck(rules, order)
        stories = [Story(game.observation(seat)) for seat in range(2)]
        for action in picks.split():
            number, offered = before_action(game, action), game.offered_card
            following = game.draw_pile[0]
            game.step(action)
            for seat, story in enumerate(stories):
                story.add(game.observation(seat), number)
        last = following if action == "keep" else offered
        sentence = next(one for one in stories[0].sentences if one.startswith("Seat 1"))
        assert f"the next, {last}, is discarded" in sentence or f"rejects {last} for" in sentence


@pytest.mark.parametrize(
    ("hands", "actions", "sentence"),
    [
        ("R7 G3 | B1 B2", ["R7", "silent", "catch"], "You draw nothing."),
        ("RD G3 G4 | B1 B2", ["RD", "take"], "Seat 1 draws nothing."),
    ],
)
def test_a_penalty_of_no_cards_is_not_told_as_a_lack_of_cards(
    hands: str, actions: list[str], sentence: str
) -> None:
    rules = replace(UNO_DUO, uno_penalty=0, draw_penalty=0)
    assert told(f"hands: {hands}\n{PILES}", *actions, rules=rules)[-1] == sentence
    assert told(f"hands: {hands}\ndiscard: R5", "draw") == ["You draw nothing: no card is left."]


@pytest.mark.parametrize(("rules", "players"), [(UNO_DUO, 2), (UNO_POCKET, 4)])
def test_a_story_is_the_same_in_every_world_that_the_player_holds_possible(
    rules, players: int
) -> None:
    """What others did is told from what everybody saw, whatever they hold."""
    game = Game(rules, players, seed=8)
    compared = 0
    for number in range(80):
        if game.current_player is None:
            break
        legal = game.legal_actions()
        action = legal[number % len(legal)]
        after = game.clone()
        after.step(action)
        for seat in range(players):
            before, now = game.observation(seat), after.observation(seat)
            story, other = Story(before), Story(determinize(before, number).observation(seat))
            story.add(now, action)
            # Of what others do the number of the action is not looked at.
            hidden = action if seat == game.current_player else 0
            other.add(determinize(now, number + 1).observation(seat), hidden)
            assert other.sentences == story.sentences
            compared += len(story.sentences)
        game = after
    assert compared > 80
