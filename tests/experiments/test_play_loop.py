"""Whole games of a person by script, against agents."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from experiments.play_hint import hint, meaning
from experiments.play_loop import LINE
from experiments.play_screen import WIDTH
from tests.envs.batched_agents import BySeed
from tests.experiments.people import Chooser, Script, sit_down
from uno_sim import (
    UNO_DUO,
    UNO_POCKET,
    CompiledAgent,
    Game,
    make_agent,
    new_stream,
    parse_card,
    policy,
)
from uno_sim.actions import DRAW, PASS, TAKE, UNO
from uno_sim.policies import is_legal, nth_legal
from uno_sim.simulation.seated_agents import SeatedAgents

GREEDY = make_agent("greedy")
START = parse_card("R4")


def like_greedy(game: Game) -> int:
    """Return what `greedy` would do."""
    assert game.current_player is not None
    return GREEDY.choose(game.observation(game.current_player), new_stream(0))


@policy
def drawing(observation, rules, params, memory, random):
    """Draw whenever it is possible, and keep what is drawn."""
    for action in (DRAW, PASS, TAKE, UNO):
        if is_legal(observation, action):
            return action
    return nth_legal(observation, 0)


def drawer(game: Game) -> int:
    """Return what `drawing` would do."""
    legal = game.legal_actions()
    return next((action for action in (DRAW, PASS, TAKE, UNO) if action in legal), legal[0])


@pytest.mark.parametrize(
    ("rules", "agents"),
    [
        (UNO_DUO, [None, "greedy"]),
        (UNO_DUO, ["bluffer", None]),
        (UNO_POCKET, [BySeed(), None]),
        (UNO_POCKET, ["greedy", None, "random"]),
        (UNO_POCKET, [None, "greedy", BySeed(), "random"]),
        (UNO_POCKET, ["greedy", "greedy", "bluffer", "greedy", None]),
    ],
)
def test_a_whole_game_is_played_to_its_end(rules: Any, agents: list[Any]) -> None:
    game = Game(rules, len(agents), seed=6)
    script = Chooser(game, like_greedy)
    assert sit_down(game, agents, script, whole_game=True)
    assert game.phase.name == "GAME_OVER"
    shown = script.text
    rounds = len(game.record.rounds)
    assert shown.count("\nPress Enter for the next round") == rounds - 1
    assert all(f"Round {number} is over: " in shown for number in range(1, rounds + 1))
    assert re.search(r"The game is over. (You have|Seat \d has) won it.$", shown)
    assert "is no action" not in shown and "not possible" not in shown
    assert max(len(line) for line in shown.splitlines()) < WIDTH
    assert Game.from_record(game.record).scores == game.scores


def test_a_person_who_plays_as_an_agent_has_the_agent_s_game() -> None:
    game, other = (Game(UNO_DUO, seed=9) for _ in range(2))
    assert sit_down(game, [None, "random"], Chooser(game, like_greedy))
    seated = SeatedAgents(other, ["greedy", "random"])
    while seated.is_asked():
        other.step(seated.choose())
    assert game.record == other.record


def test_only_a_round_is_played_where_that_is_wanted() -> None:
    game = Game(UNO_POCKET, 3, seed=2)
    script = Chooser(game, like_greedy)
    assert sit_down(game, ["greedy", None, "greedy"], script)
    assert game.phase.name == "ROUND_OVER" and "Press Enter" not in script.text


def test_what_is_hidden_changes_nothing_on_the_screen() -> None:
    """What the others draw and keep differs, and whether it could have been laid."""
    first = [kind for kind in range(52) if UNO_POCKET.deck[kind] and kind != START]
    deck = [*first[::3], *first[1::3], *first[2::3]]
    deck.insert(15, START)
    # Seats are dealt to in order, and draw in order; the person sits in the middle.
    hidden = [place for place in range(48) if place != 15 and (place - (place > 15)) % 3 != 1]
    other = list(deck)
    for place, instead in zip(hidden, reversed(hidden), strict=True):
        other[place] = deck[instead]

    shown, done = [], []
    for cards in (deck, other):
        game = Game.from_deck(UNO_POCKET, cards, num_players=3, first=2)
        script = Chooser(game, drawer, decisions=5)
        assert not sit_down(game, [drawing, None, drawing], script, hints=True)
        shown.append(script.text)
        done.append(game.record.rounds[0].actions)
    assert shown[0] == shown[1]
    assert shown[0].count("Seat 0 draws 1 card.") == 4
    assert done[0] != done[1], "`pass` is an action only where the card could be laid"


def test_wrong_input_says_what_would_do_and_loses_nothing() -> None:
    game = Game(UNO_DUO, seed=7)
    seat = game.current_player
    assert seat is not None
    before = game.record
    agents = ["greedy", "greedy"]
    agents[seat] = None  # type: ignore[call-overload]
    script = Script(["", "99", "r77", "draw", "nothing at all"])
    assert not sit_down(game, agents, script)
    assert game.record == before
    said = [line for line in script.shown if line.startswith(("Please", "There", "'", "draw"))]
    assert [line.split()[0] for line in said] == ["Please", "There", "'r77'", "draw", "'nothing"]
    assert script.shown.count("> ") == 2, "one for the empty line, one for the end of the input"


def test_commands_show_and_change_nothing() -> None:
    game = Game(UNO_DUO, seed=7)
    agents: list[Any] = ["greedy", "greedy"]
    agents[game.current_player or 0] = None
    before = game.record
    script = Script(["help", "rules", "known", "look", "HINT", "hint", "save", "quit", "keep"])
    assert not sit_down(game, agents, script)
    assert game.record == before
    text = script.text
    assert "Commands:" in text and "docs/rules.md" in text and "The unknown cards are: " in text
    assert text.count("you look at") == 2, "once at first, once more for `look`"
    assert text.count("action      points") == 2 and text.count("From 40 deals that fit") == 1
    assert "Saved." in text and text.endswith("> quit")
    start = script.shown.index("> HINT") + 1
    assert script.shown[start + 1].split()[0] in ("keep", "reject")
    again = script.shown.index("> hint") + 1
    assert script.shown[start : start + 3] == script.shown[again : again + 3]


def test_hints_are_shown_at_each_decision_where_they_are_wanted() -> None:
    game = Game(UNO_POCKET, 2, seed=5)
    script = Chooser(game, like_greedy)
    assert sit_down(game, [None, "greedy"], script, hints=True)
    decisions = sum(line.startswith("> ") for line in script.shown)
    assert decisions > 3
    assert sum(line.startswith("  action") for line in script.shown) == decisions


def test_a_hint_with_a_model_says_what_its_weighed_deals_are_worth() -> None:
    game = Game.from_position(UNO_DUO, "hands: R5 B2 WD | G1 G2 Y7\ndraw: Y1 Y2 Y3\ndiscard: R3")
    game.step("WD:B")
    observation = game.observation(1)
    assert isinstance(GREEDY, CompiledAgent)
    *_, last = hint(observation, 200, False, {GREEDY: 1.0})
    found = re.fullmatch(r"  \(([\d,]+) deals, weighed: worth ([\d,]+) equal ones\)", last)
    assert found is not None
    drawn, worth = (int(number.replace(",", "")) for number in found.groups())
    assert 0 < worth < drawn >= 200
    assert "weighed" not in "".join(hint(observation, 200, False))
    others = " ".join(meaning(200, {GREEDY: 1.0, make_agent("random"): 1.0}))
    assert "that the others choose as greedy or random does" in others


def test_between_rounds_enter_goes_on_and_other_words_are_told_so() -> None:
    game = Game(UNO_DUO, seed=6)
    script = Chooser(game, like_greedy)
    lines = iter(["hint", "r7", "help", "quit"])
    read = script.read
    script.read = lambda prompt: next(lines) if prompt != "> " else read(prompt)  # type: ignore[method-assign]
    assert not sit_down(game, [None, "greedy"], script, whole_game=True)
    assert game.phase.name == "ROUND_OVER"
    assert "The round is over." in script.text and "'r7' is not understood here." in script.text


def test_what_alone_is_possible_is_done_and_told() -> None:
    position = "turns: 5\nhands: G3 G4 | B1 B2 B3\ndiscard: R5\ndraw: Y1 Y2 R8 Y4"
    game = Game.from_position(UNO_DUO, position)
    script = Script([])
    assert not sit_down(game, [None, drawing], script)
    assert script.shown[1:6] == [
        "You draw 1 card: Y1 (no choice).",
        "Seat 1 draws 1 card.",
        "You draw 1 card: R8 (no choice).",
        "",
        "UNO Duo, round 1: draw pile 1, discards 1",
    ]


def test_a_game_that_is_gone_on_with_tells_what_happened_last() -> None:
    game = Game(UNO_POCKET, 3, seed=4)
    agents = ["greedy", None, "greedy"]
    seen: list[str] = []

    class Leaver(Chooser):
        def read(self, prompt: str) -> str:
            if len(game.record.rounds) == 2 and len(game.record.rounds[-1].actions) > 6:
                seen.extend(self.shown[len(self.shown) - self.shown[::-1].index(LINE) :])
                raise EOFError
            return super().read(prompt)

    assert not sit_down(game, agents, Leaver(game, like_greedy), whole_game=True)
    loaded = Game.from_record(game.record)
    script = Script([])
    assert not sit_down(loaded, agents, script, whole_game=True)
    assert seen and script.shown[1:-1] == seen


def test_a_hint_that_cannot_be_given_says_why() -> None:
    rules = replace(UNO_DUO, card_values=(0,) * 55)
    game = Game(rules, seed=1)
    agents: list[Any] = ["greedy", "greedy"]
    agents[game.current_player or 0] = None
    script = Script(["hint", "quit"])
    assert not sit_down(game, agents, script, whole_game=True)
    assert "No hint: games: after" in script.text
