"""The agent `drafter` plays as `greedy`, and drafts by its table."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.drafter import (
    MOST_OF_COLOR,
    MOST_PICKS,
    TABLE_SHAPE,
    dump_table,
    greedy_table,
    of_table,
    table_place,
)
from experiments.draft_measures import FACES
from uno_sim import UNO_DUO, Game, action_name, make_agent, new_stream, simulate
from uno_sim.cards import CARD_NAMES, parse_card


def offered(card: str, *held: str) -> Any:
    """Return what a drafter knows who holds some cards and is offered another."""
    record = Game.from_deck(UNO_DUO, [card, *["G1"] * 40]).observation(0).record
    seat = record.current_player
    for name in held:
        record.hands[seat, parse_card(name)] += 1
    record.hand_sizes[seat] = len(held)
    return record


def choice_of(agent: Any, card: str, *held: str) -> str:
    """Return what an agent does with an offered card, with these cards in hand."""
    function, params = agent.policy.function, agent.params
    record = offered(card, *held)
    return action_name(function(record, UNO_DUO.record, params, agent.new_memory(), new_stream(1)))


@pytest.mark.parametrize(
    ("card", "held", "place"),
    [
        ("R3", "", (0, 3, 0, 0)),
        ("R3", "R5 B2 RS", (3, 3, 2, 0)),
        ("R3", "R5 RR B2", (3, 3, 2, 1)),
        ("R3", "YR B2", (2, 3, 0, 0)),
        ("BR", "BR B1", (2, 11, 2, 1)),
        ("GD", "G1 G2 G3 G4 G5 G6", (6, 12, MOST_OF_COLOR, 0)),
        ("W", "R1 RR W", (3, 13, 0, 0)),
        ("WD", "WD", (1, 14, 0, 0)),
        ("WD", "R1 R1 R1 R1 R1 R1 R1 R1", (MOST_PICKS - 1, 14, 0, 0)),
    ],
)
def test_a_pick_has_its_place_in_a_table(card: str, held: str, place: tuple[int, ...]) -> None:
    found = np.unravel_index(table_place(offered(card, *held.split())), TABLE_SHAPE)
    assert tuple(int(number) for number in found) == place
    assert FACES[place[1]] == (card if card[0] == "W" else card[1:])


def test_it_keeps_exactly_what_its_table_has_above_0() -> None:
    table = np.zeros(TABLE_SHAPE, np.float32)
    table[1, 3, 1, 0] = 0.1
    agent = of_table("one cell", table)
    assert choice_of(agent, "R3", "R5") == "keep"
    for held in (["R5", "R6"], ["B5"], ["RR"], []):
        assert choice_of(agent, "R3", *held) == "reject"
    assert choice_of(agent, "R4", "R5") == "reject"


def test_without_a_file_it_keeps_numbers_too_of_which_it_holds_a_reverse() -> None:
    agent = make_agent("drafter")
    assert choice_of(agent, "R3", "RR") == "keep"
    assert choice_of(agent, "R3", "YR", "RS") == "reject"
    for card in CARD_NAMES:
        if card != "WP" and not card[1:].isdigit():
            assert choice_of(agent, card) == "keep"


def test_with_the_table_of_greedy_it_is_greedy() -> None:
    same = of_table("same", greedy_table())
    rows = [
        simulate(UNO_DUO, [agent, "random"], rounds=300).rounds.drop(columns="winner_agent")
        for agent in (same, "greedy")
    ]
    assert rows[0].equals(rows[1])
    assert not np.array_equal(greedy_table(), dump_table())


def test_it_reads_its_table_from_a_file(tmp_path: Path) -> None:
    worths = np.arange(np.prod(TABLE_SHAPE)) - 499.25
    file = tmp_path / "table.csv"
    file.write_text("pick,worth\n" + "".join(f"1,{worth}\n" for worth in worths))
    agent = make_agent(f"drafter:table={file}")
    assert agent.params.tolist() == worths.tolist()  # type: ignore[union-attr]
    for text in ("pick,worth\n1,2\n", file.read_text().replace("1,619.75", "1,nan")):
        (tmp_path / "wrong.csv").write_text(text)
        with pytest.raises(ValueError, match="must have 1120 rows that end in a number"):
            make_agent(f"drafter:table={tmp_path / 'wrong.csv'}")
    with pytest.raises(ValueError, match=r"table=.*none\.csv"):
        make_agent(f"drafter:table={tmp_path / 'none.csv'}")
