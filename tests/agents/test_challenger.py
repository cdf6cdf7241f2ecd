"""The agent `challenger` plays as `greedy`, and challenges by its rule."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.challenger import (
    DREW_ON_COLOR,
    JUST_DREW_IT,
    LAID_COLOR_LAST,
    MOST_CARDS,
    NEITHER,
    RULE_SHAPE,
    of_rule,
    offender_history,
    rule_place,
)
from tests.information.walks import WALKS, positions
from tests.random_play import VARIANTS
from uno_sim import UNO_DUO, Game, Observation, action_name, make_agent, new_stream, simulate

PILE = "draw: Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8"


def after(hands: str, *actions: str, draw: str = PILE) -> Game:
    """Return a round of Duo on a red 5 after some actions, the last of them a wild draw."""
    game = Game.from_position(UNO_DUO, f"hands: {hands}\ndiscard: R5\n{draw}")
    for action in actions:
        game.step(action)
    assert game.phase.name == "CHALLENGE"
    return game


HISTORIES = {
    "nothing seen": (after("WD B1 B2 | G1 G2", "WD:B"), NEITHER),
    "just drawn": (after("B1 B2 | G1 G2", "draw", "WD:B", draw="draw: WD Y1 Y2 Y3"), JUST_DREW_IT),
    "drew on the color before": (
        after("WD B1 B2 | G1 R3 G2", "draw", "R3", "WD:B"),
        DREW_ON_COLOR,
    ),
    "drew on another color": (
        after("WD B1 B2 | G1 B5 G2", "draw", "B5", "WD:B"),
        NEITHER,
    ),
    "laid the color last": (after("WD R1 B2 B3 | G1 R3 G2", "R1", "R3", "WD:B"), LAID_COLOR_LAST),
    "laid another color last": (after("WD R1 B2 B3 | G1 B1 G2", "R1", "B1", "WD:B"), NEITHER),
    "named the color last": (after("WD W B2 B3 | G1 B1 G2", "W:B", "B1", "WD:B"), LAID_COLOR_LAST),
    "dumped the color last": (
        after("WD RR R1 B2 B3 | G1 R3 G2", "R>R1", "R3", "WD:B"),
        LAID_COLOR_LAST,
    ),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_it_sees_what_the_table_saw_of_the_offender(name: str) -> None:
    game, history = HISTORIES[name]
    observation = game.observation(game.current_player).record
    assert offender_history(observation) == history
    place = np.unravel_index(rule_place(observation), RULE_SHAPE)
    sizes = [len(hand) for hand in game.hands]
    assert [int(number) for number in place] == [history, sizes[0] - 1, sizes[1] - 1]


def test_larger_hands_count_as_the_largest_of_the_rule() -> None:
    many = " ".join(["B1"] * 20)
    observation = after(f"WD {many} | {many}", "WD:B").observation(1).record
    place = np.unravel_index(rule_place(observation), RULE_SHAPE)
    assert [int(number) for number in place] == [NEITHER, MOST_CARDS - 1, MOST_CARDS - 1]


@pytest.mark.parametrize("answer", ["challenge", "take"])
def test_its_rule_decides_for_exactly_its_cell(answer: str) -> None:
    rule = np.full(RULE_SHAPE, answer == "take", np.float32)
    rule[NEITHER, 1, 2] = answer == "challenge"
    agent = of_rule("one cell", rule)
    for hands, in_cell in (("WD B1 B2 | G1 G2 G3", True), ("WD B1 B2 | G1 G2", False)):
        game = after(hands, "WD:B")
        chosen = action_name(agent.choose(game.observation(1), new_stream(1)))
        assert (chosen == answer) == in_cell


def test_without_a_file_it_spares_only_what_was_just_drawn() -> None:
    agent = make_agent("challenger")
    for game, history in HISTORIES.values():
        chosen = action_name(agent.choose(game.observation(1), new_stream(1)))
        assert chosen == ("take" if history == JUST_DREW_IT else "challenge")


def test_but_for_challenges_it_is_greedy() -> None:
    never = of_rule("never", np.zeros(RULE_SHAPE))
    rows = [
        simulate(UNO_DUO, [agent, "random"], rounds=200).rounds.drop(columns="winner_agent")
        for agent in (never, "greedy")
    ]
    assert rows[0].equals(rows[1])


@pytest.mark.parametrize("name", ["challenger", "bluffer:rate=0.5"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_choice_is_legal_and_repeats(variant: str, name: str) -> None:
    rules, players = VARIANTS[variant]
    rules = replace(rules, max_turns=min(rules.max_turns, 300))
    cast: list[Any] = [name, *["greedy", "random", "bluffer", "challenger"][: players - 1]]
    once, again = (simulate(rules, cast, rounds=60, seed=9, paired=False).rounds for _ in range(2))
    assert once.equals(again)


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("name", ["bluffer:rate=0.5", "challenger", "drafter"])
def test_what_it_may_not_look_at_changes_no_choice(name: str, walk: str) -> None:
    agent = make_agent(name)
    asked = 0
    for game in positions(walk, games=2, share=0.3):
        if game.current_player is None:
            continue
        asked += 1
        known = game.observation(game.current_player)
        everything = Observation(game.state, game.rules, game.current_player)
        choices = [agent.choose(one, new_stream(1)) for one in (known, everything)]
        assert choices[0] == choices[1]
    assert asked > 5


@pytest.mark.parametrize(
    ("text", "said"),
    [("header\n1\n0\n", "must have 576 rows"), ("header\n" + "2\n" * 576, "end in 0 or 1")],
)
def test_a_file_that_holds_no_rule_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "rule.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=said):
        make_agent(f"challenger:rule={file}")
    with pytest.raises(ValueError, match=r"rule=.*none\.csv"):
        make_agent(f"challenger:rule={tmp_path / 'none.csv'}")
