"""Determinizations have the exact distribution: held against enumeration on tiny decks.

Uniform over all orders of the physical cards that the observer's knowledge allows (C8 to C10, D4,
D5, D7, D9, P6, P8). What is not exact is measured, and bounded here; see docs/knowledge.md.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations

import pytest

from benchmarks.determinization_error import CASES, EXACT, measure
from tests.posterior import Belief, Cell
from tests.world_samples import (
    assert_exact,
    begin,
    compare,
    sample_worlds,
    some_lively_action,
)
from uno_sim import UNO_DUO, UNO_POCKET, Game, IllegalActionError, Phase, RuleSet

DUO = {size: replace(UNO_DUO, deal="deal", hand_size=size, max_players=3) for size in (2, 3, 4, 5)}
POCKET = {size: replace(UNO_POCKET, hand_size=size) for size in (2, 3)}
DRAFT = {size: replace(UNO_DUO, hand_size=size) for size in (1, 2)}
VERDICT = replace(DUO[3], wild_draw_penalty=1, failed_challenge_extra=0)


@dataclass
class Story:
    """A deal and what is done: every card is different, so its place is what can be known."""

    rules: RuleSet
    hands: str
    """One hand a seat, "|" between."""
    pile: str
    """The start card, then the draw pile."""
    actions: str
    observer: int = 1

    def begin(self) -> Belief:
        hands = [hand.split() for hand in self.hands.split("|")]
        dealt = [hand[place] for place in range(len(hands[0])) for hand in hands]
        first = len(hands) - 1
        return begin(self.rules, dealt + self.pile.split(), len(hands), first, self.observer)


STORIES = {
    "hands and drawn cards": Story(
        DUO[3], "R1 R2 Y7 | G1 G8 B9", "R3 B8 Y4 B5 W Y2", "R1 G1 draw draw"
    ),
    "a drawn card is kept or laid": Story(
        DUO[3], "R1 Y8 Y7 | R9 G8 B9", "R3 R5 R4 B5 W Y2 G2", "draw pass R9 draw R4 draw draw"
    ),
    "an owed dump leaves none of its color": Story(
        DUO[5], "R1 RR G3 Y7 W | G1 G8 B9 R6 Y5", "R3 R4 B8 R8 Y1 B2", "R>R1 draw pass draw draw"
    ),
    "after a dump the next cards may be old or young": Story(
        DUO[5],
        "R1 RR G3 Y1 Y7 | G1 G8 B9 R6 Y5",
        "R3 B1 B8 R8 R9 R7",
        "R>R1 draw pass draw B1 Y1 Y5 draw draw",
    ),
    "two dumps of different colors": Story(
        DUO[5],
        "R1 RR W YR Y1 | G1 G8 B9 R6 Y4",
        "R3 B8 G4 B2 B6 G9 Y9",
        "R>R1 draw draw draw W:Y draw Y>Y1 uno draw draw pass",
    ),
    "a drawn Reverse starts a second dump": Story(
        DUO[5],
        "R2 RR Y2 B3 B4 | G1 G8 B9 R6 B2",
        "R3 BR B8 R8 Y5 Y7",
        "R>R2 B2 draw B>B3 uno draw pass draw",
    ),
    "an open dump": Story(
        DUO[5],
        "R1 R4 G3 YR Y1 | G1 R8 B9 R6 B1",
        "RR G4 B8 R9 Y2 B2",
        "R>R4 draw pass draw draw pass",
    ),
    "a challenge shows the hand, and what was drawn later stays hidden": Story(
        DUO[4], "WD R1 G3 Y7 | G1 R8 B9 B1", "R3 G4 B8 R9 Y2 B2 W Y9", "WD:G challenge G1 G3"
    ),
    "a failed challenge, then a dump": Story(
        DUO[4],
        "WD G3 GR Y7 | G1 R8 B9 B1",
        "R5 G4 B8 R9 Y2 B2 W Y9 RS",
        "WD:G challenge G>G3 uno draw draw",
    ),
    "the offender does not see the challenger": Story(
        DUO[4],
        "WD G3 GR Y7 | G1 R8 B9 B1",
        "R5 G4 B8 R9 Y2 B2 W Y9 RS",
        "WD:G challenge draw",
        observer=0,
    ),
    "a volley": Story(DUO[4], "RD G3 GR Y7 | BD R8 B9 B1", "R3 G4 B8 R9 Y2 B2 W", "RD BD take B9"),
    "three players draw known cards of a turned-over pile": Story(
        DUO[2],
        "R1 G2 | R2 G8 | R6 G4",
        "R3 B4 W Y1",
        "draw draw pass draw R1 R2 R6 draw pass draw R1 draw",
    ),
    "three players, one sees a challenge": Story(
        DUO[2], "G2 WD | R2 G8 | R6 G4", "R3 B3 W B9 Y9 B1 B6 Y3", "WD:Y uno challenge"
    ),
    "a third player hears that a hand was innocent": Story(
        VERDICT,
        "G2 WD B1 | R2 G8 B4 | R6 Y4 Y5",
        "R3 B3 W R1 Y9 R9",
        "WD:Y challenge Y4 draw pass draw",
        observer=2,
    ),
    "an innocent hand draws, and lays what may be old or young": Story(
        VERDICT,
        "G2 WD Y1 | G8 G9 B4 | R6 Y4 Y5",
        "R3 B3 W Y2 Y9 R9",
        "WD:Y challenge Y4 draw pass draw pass Y5 uno Y1",
        observer=2,
    ),
    "a third player hears that a hand was guilty": Story(
        VERDICT,
        "G2 WD R1 | B4 B8 B9 | R6 Y4 Y5",
        "R3 B3 G9 Y2 Y9",
        "WD:Y challenge draw Y4 draw pass",
        observer=2,
    ),
    "a guilty hand lays a card that proves nothing": Story(
        VERDICT,
        "Y2 WD R1 | B4 B8 B9 | R6 Y4 Y5",
        "R3 B3 G9 Y1 Y9",
        "WD:Y challenge draw Y4 Y2 draw",
        observer=2,
    ),
    "a caught silence was innocent": Story(
        replace(POCKET[2], uno_penalty=1, wild_draw_penalty=1, failed_challenge_extra=0),
        "G2 WD | B4 B8 | R6 Y4",
        "R3 B3 G9 Y1 Y9",
        "WD:Y silent catch challenge Y4 uno draw",
        observer=2,
    ),
    "a silence is caught before a challenge": Story(
        POCKET[2], "G2 WD | R2 G8", "R3 B3 W B9 R9 B1 B6 Y3", "WD:Y silent catch challenge draw"
    ),
    "a silence is caught, and the offender sees nothing": Story(
        POCKET[2], "G2 WD | R2 G8", "R3 B3 W B9 R9", "WD:Y silent catch take", observer=0
    ),
    "a dip with two players": Story(POCKET[3], "WP R1 G3 | R2 G8 B9", "R3 B3 W R9", "WP:Y give:G3"),
    "a dip with three players, for the receiver": Story(
        POCKET[2], "WP R1 | R2 G8 | R6 G4", "R3 B3 W", "WP:Y give:R1 uno"
    ),
    "a gift may be passed on unseen": Story(
        POCKET[2],
        "WP R1 | R2 WP | R6 G4",
        "R3 G3 Y5 Y9 Y2 G8 G9",
        "WP:Y give:R1 uno WP:B give:R2 draw draw",
        observer=0,
    ),
}


def test_the_stories_go_as_they_are_told():
    for name, story in STORIES.items():
        belief = story.begin()
        for action in story.actions.split():
            assert action in belief.game.legal_names(), (name, action, belief.game.render())
            belief.game.step(action)


@pytest.mark.parametrize("name", STORIES)
def test_worlds_are_exact_after_every_action_of_a_story(name):
    story = STORIES[name]
    belief = story.begin()
    for number, action in enumerate(story.actions.split()):
        assert_exact(belief, 4000, number)
        belief.step(action)
    assert_exact(belief, 8000, 99)


def views_of(game: Game, story: Story) -> list[bytes]:
    """Play a story, and return what the observer sees before each action and at the end.

    A card that another player draws and could lay is silently kept where the story goes on with
    something else: the table does not see the question. Raises `IllegalActionError`.
    """
    views = []
    for action in [*story.actions.split(), None]:
        if game.phase == Phase.DRAWN and game.current_player != story.observer:
            if action in game.legal_names():
                game.step(action)
                continue
            game.step("pass")
        views.append(game.observation(story.observer).record.tobytes())
        if action is not None:
            game.step(action)
    return views


def replayed(story: Story) -> Counter[Cell]:
    """Deal every order of the deck to the game itself, and count what is there in the end.

    Kept are the orders in which all actions can be taken and the observer sees the same.
    """
    begun = story.begin().game
    first, deck = begun.first, begun.record.rounds[0].deck
    views = views_of(begun, story)
    ends: Counter[Cell] = Counter()
    for order in permutations(deck):
        game = Game.from_deck(story.rules, order, begun.num_players, first=first)
        # Other orders of the own hand, and other start cards, are seen to be others at once.
        if game.observation(story.observer).record.tobytes() != views[0]:
            continue
        try:
            same = views_of(game, story) == views
        except IllegalActionError:
            continue
        if same:
            hands = tuple(tuple(sorted(hand)) for hand in game.hands)
            ends[hands, game.draw_pile[0], ""] += 1
    return ends


SHORT_STORIES = {
    "a draw that is kept, and a laying": Story(
        DUO[2], "R1 G2 | R2 G8", "R3 B9 R5 Y1", "draw R2 uno"
    ),
    "a drawn card that is laid": Story(DUO[2], "R1 G2 | R2 G8", "R3 R9 R5 Y1", "draw R9 draw"),
    "an owed dump": Story(DUO[3], "R1 RR G2 | R2 B8 G8", "R3 B9", "R>R1 uno"),
}


@pytest.mark.parametrize("name", SHORT_STORIES)
def test_the_enumeration_agrees_with_dealing_every_order_of_the_deck(name):
    story = SHORT_STORIES[name]
    belief = story.begin()
    for action in story.actions.split():
        belief.step(action)
    ends = replayed(story)
    assert len(ends) > 1
    whole = sum(ends.values())
    assert belief.cells() == pytest.approx({cell: count / whole for cell, count in ends.items()})


@pytest.mark.parametrize("name", EXACT)
def test_worlds_are_exact_in_random_play(name):
    case = CASES[name]
    recycled, positions = 0, 0
    for number in range(6):
        source = random.Random(number)
        deck = case.deck.split()
        source.shuffle(deck)
        first, observer = source.randrange(case.num_players), source.randrange(case.num_players)
        belief = begin(case.rules, deck, case.num_players, first, observer)
        for decision in range(60):
            belief.step(some_lively_action(belief.game, source))
            if belief.game.current_player is None or len(belief.worlds) > 2000:
                break
            if source.random() < 0.25 and len(belief.worlds) < 200:
                assert_exact(belief, 1000, 100 * number + decision)
                positions += 1
        recycled += "become the draw pile" in " ".join(belief.game.observation(0).events)
    assert positions > 10
    assert recycled > 0


def test_the_whole_draw_pile_lies_in_any_order():
    belief = begin(DUO[2], "R1 R2 G1 G2 Y4 B1 B2 B3".split(), 2, 1, 0)
    observation = belief.game.observation(0)
    assert observation.draw_size == 3
    worlds = sample_worlds(observation, 6000, 5)
    orders = Counter(tuple(int(kind) for kind in world.draw_pile[:3]) for world in worlds)
    assert len(orders) == 5 * 4 * 3
    found = compare(orders, dict.fromkeys(orders, 1 / 60))
    assert found.statistic < found.critical


BOUNDS = {
    "two equal Wilds, shuffled apart": (0.01, 0.0),
    "many equal cards, shuffled apart": (0.01, 0.0),
    "all cards twice, shuffled apart": (0.01, 0.0),
    "gifts of others, shuffled apart": (0.005, 0.0),
    "a verdict that a third player heard": (0.01, 0.0),
    "unseen gifts, three players": (0.01, 0.0),
    "many unseen gifts, three players": (0.1, 0.0),
    "dumps, three players": (0.01, 0.0),
    "dumps, and shuffles": (0.01, 0.0),
}
"""Bounds on the mean distance, and on the share of the worlds that cannot be."""


@pytest.mark.parametrize("name", BOUNDS)
def test_what_is_not_exact_stays_close(name):
    distance, impossible = BOUNDS[name]
    error = measure(CASES[name], games=8, samples=500)
    assert error.positions > 10
    assert error.mean < distance
    assert error.share_impossible <= impossible
