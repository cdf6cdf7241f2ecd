"""Write the generated parts of observations.md and results.md anew, from the code.

Run `python docs/make_tables.py` after a change of the record, the events, the features or the
columns of rows. A part stands between the lines `<!-- table: NAME -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from uno_sim import actions
from uno_sim.features import FEATURES_VERSION, NUM_FEATURES, feature_table
from uno_sim.knowledge.memory import FORCED_DRAW, RECYCLING
from uno_sim.simulation.tallies import GAME_COLUMNS, ROUND_COLUMNS, Column
from uno_sim.state import FIELDS, Visibility

FOLDER = Path(__file__).parent

SEEN_BY = {
    Visibility.PUBLIC: "everybody",
    Visibility.OWN: "each seat its own row",
    Visibility.ASKED: "the player who is asked",
    Visibility.BOTTOM: "everybody, as far as it is known",
    Visibility.HIDDEN: "nobody",
}

EVENTS = (
    ("`R7`, `WD:R`", "card laid", "1", "1 if all knew it; +128 if it was just drawn"),
    ("`R>R5`", "dump", "cards laid", "how many of them all knew; +128 as above"),
    (actions.DRAW, "a turn's draw", "1, or 0 if nothing was left", "1 if all know the card"),
    (actions.KEEP, "draft", "0", "0"),
    (actions.REJECT, "draft", "0", "0"),
    (actions.TAKE, "no answer to a draw card", "0", "0"),
    (actions.CHALLENGE, "challenge", "1 if guilty", "0"),
    (actions.UNO, "UNO said", "0", "0"),
    (actions.SILENT, "UNO not said", "0", "0"),
    (actions.CATCH, "silence caught", "0", "0"),
    (actions.IGNORE, "silence let pass", "0", "0"),
    ("`color:R`", "color of a start card", "0", "0"),
    (actions.GIVE, "gift of a dip; which card is not told", "1", "0"),
    (FORCED_DRAW, "cards drawn by a penalty, a draw card or a dip", "cards", "how many all know"),
    (RECYCLING, "discards become the draw pile; the seat is 0", "cards", "how many all know"),
)


def field_table() -> str:
    """Return the fields of the record as a Markdown table, those that most may see first."""
    lines = ["| field | type | shape | seen by | blank | meaning |", "|---|---|---|---|---|---|"]
    for field in sorted(FIELDS, key=lambda one: -one.visibility):
        shape = " x ".join(map(str, field.shape)) or "-"
        kind = field.dtype.__name__
        seen_by = SEEN_BY[field.visibility] + (" (rare)" if field.rare else "")
        lines.append(
            f"| `{field.name}` | {kind} | {shape} | {seen_by} | {field.blank} | {field.meaning} |"
        )
    return "\n".join(lines) + "\n"


def event_table() -> str:
    """Return the events as a Markdown table."""
    lines = ["| code | event | cards | known |", "|---|---|---|---|"]
    for code, event, cards, known in EVENTS:
        name = code
        if isinstance(code, int):
            name = f"{code}"
            if code < actions.GIVE:
                name += f" (`{actions.ACTION_NAMES[code]}`)"
        lines.append(f"| {name} | {event} | {cards} | {known} |")
    return "\n".join(lines) + "\n"


def features() -> str:
    """Return the version, the number and the layout of the features."""
    return f"Version {FEATURES_VERSION}: {NUM_FEATURES} numbers, float32.\n\n" + feature_table()


def column_table(columns: tuple[Column, ...]) -> str:
    """Return the columns of a frame as a Markdown table, in their order."""
    lines = ["| column | type | meaning |", "|---|---|---|"]
    for column in columns:
        name = f"`{column.name}_0`.." if column.by_seat else f"`{column.name}`"
        lines.append(f"| {name} | {column.dtype} | {column.meaning} |")
    return "\n".join(lines) + "\n"


PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "observations.md": {"fields": field_table, "events": event_table, "features": features},
    "results.md": {
        "rounds": lambda: column_table(ROUND_COLUMNS),
        "games": lambda: column_table(GAME_COLUMNS),
    },
}
"""The tables of each page, by name, in their order."""

TABLES = {name: table for tables in PAGES.values() for name, table in tables.items()}

_PART = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)


def with_tables(page: str) -> str:
    """Return a page with every generated part made anew.

    Raises `KeyError` where a part has a name that no table has.
    """
    return _PART.sub(lambda part: f"{part[1]}\n{TABLES[part[2]]()}\n{part[4]}", page)


if __name__ == "__main__":
    for name in PAGES:
        path = FOLDER / name
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
