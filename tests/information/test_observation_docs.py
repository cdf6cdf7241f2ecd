"""docs/observations.md says what the code says."""

import importlib.util
import random
import re
from pathlib import Path

import pytest

from tests.information.walks import WALKS
from tests.random_play import play_round
from tests.rules.positions import duo, play
from uno_sim import Game, actions
from uno_sim.features import BLOCKS, FEATURES_VERSION, NUM_FEATURES
from uno_sim.knowledge.memory import FORCED_DRAW, JUST_DRAWN, RECYCLING
from uno_sim.state import FIELDS, NUM_EVENTS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "observations.md").read_text(encoding="utf-8")


def script():
    spec = importlib.util.spec_from_file_location("make_tables", DOCS / "make_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_code():
    assert script().with_tables(PAGE) == PAGE, "run python docs/make_tables.py"


def test_every_table_is_on_the_page_once():
    assert re.findall(r"<!-- table: (\w+) -->", PAGE) == list(script().PAGES["observations.md"])


def test_a_part_of_another_name_is_refused():
    with pytest.raises(KeyError, match="unknown"):
        script().with_tables("<!-- table: unknown -->\n<!-- end of table -->")


def test_a_change_of_the_code_shows():
    older = PAGE.replace("| `hands` |", "| `cards` |")
    assert older != PAGE and script().with_tables(older) == PAGE


def test_the_tables_hold_every_field_and_every_block():
    for field in FIELDS:
        assert PAGE.count(f"\n| `{field.name}` | {field.dtype.__name__} ") == 1
    for block in BLOCKS:
        assert PAGE.count(f" | `{block.name}` | {block.meaning} |") == 1
    assert f"Version {FEATURES_VERSION}: {NUM_FEATURES} numbers" in PAGE


def test_the_page_of_environments_has_the_sizes_of_observation_and_mask():
    page = (DOCS / "environments.md").read_text(encoding="utf-8")
    assert f"| `Box` float32 `[{NUM_FEATURES}]` |" in page
    assert f"| `Box` int8 `[{actions.NUM_ACTIONS}]` |" in page
    assert f"| `Discrete({actions.NUM_ACTIONS})` |" in page


def documented(code: int) -> bool:
    """Return whether the table of events has the code."""
    if code < actions.DUMP or actions.LAY_WILD <= code < actions.DRAW:
        return "| `R7`, `WD:R` |" in PAGE
    if code < actions.LAY_WILD:
        return "| `R>R5` |" in PAGE
    if actions.NAME_COLOR <= code < actions.GIVE:
        return "| `color:R` |" in PAGE
    return bool(re.search(rf"\n\| {code}( \(`{actions.ACTION_NAMES[code]}`\))? \|", PAGE))


def test_every_event_that_happens_is_documented():
    codes = set()
    for number, name in enumerate(WALKS):
        rules, num_players = WALKS[name]
        for played in play_round(Game(rules, num_players, seed=number), random.Random(number)):
            state = played.state
            recent = state.events[: min(int(state.num_events), NUM_EVENTS)]
            codes |= {int(event[1]) for event in recent}
    assert all(documented(code) for code in codes)
    assert actions.PASS not in codes and not documented(actions.PASS)
    expected = {actions.KEEP, actions.GIVE, actions.IGNORE, FORCED_DRAW, RECYCLING}
    assert expected <= codes and max(codes) == RECYCLING
    assert f"+{JUST_DRAWN}" in PAGE and f"last {NUM_EVENTS} events" in PAGE


def example() -> Game:
    text = """
    hands: R3 R5 G7 WD | B1 B2 Y5 B9
    discard: G1 G2 G4 G5 G6 Y8 B3 Y7 R9
    """
    return play(duo(text), "draw", "draw", "WD:R", "challenge", "draw")


def test_the_printed_example_is_what_the_code_prints():
    assert f"```\n{example().observation(0)}\n```" in PAGE
