"""Charts: no text meets another or leaves the page, and nothing global is touched."""

import itertools
import subprocess
import sys
from dataclasses import replace

import matplotlib
import pytest
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from experiments import charts, measures
from experiments.matches import Match
from experiments.sheet import Chart, text_width, wrap
from uno_sim import UNO_DUO, UNO_POCKET, RuleSet, simulate

LONG = "some_folder_of_mine.py::an_agent_with_a_name_beyond_all_reason:first=0.25,second=0.125"


def match(
    agents: list[str],
    rounds: int,
    games: int,
    rules: RuleSet = UNO_DUO,
    names: list[str] | None = None,
) -> Match:
    """Play a match as the experiment does."""
    paired = len(set(agents)) > 1
    return Match.of(
        rounds=simulate(rules, agents, rounds=rounds, paired=paired),
        games=simulate(rules, agents, games=games, paired=paired) if games else None,
        names=names,
    )


CASES = {
    "two games, two matches": lambda: [
        match(agents, 2000, 200, rules)
        for rules in (UNO_DUO, UNO_POCKET)
        for agents in (["greedy", "random"], ["greedy", "greedy"])
    ],
    "one match, one game": lambda: [match(["greedy", "random"], 200, 20)],
    "very few rows": lambda: [
        match(agents, 2, 2, rules)
        for rules in (UNO_DUO, UNO_POCKET)
        for agents in (["greedy", "random"], ["greedy", "greedy"])
    ],
    "rounds only": lambda: [match(["greedy", "random"], 10, 0)],
    "five players": lambda: [
        match(["greedy", *["random"] * 4], 50, 10, UNO_POCKET),
        match(["greedy"] * 5, 50, 10, UNO_POCKET),
    ],
    "lengths of different scales": lambda: [
        match(["random", "random"], 200, 2, UNO_POCKET),
        match(["greedy", "greedy"], 2000, 2, UNO_POCKET),
    ],
    "long names": lambda: [match(["greedy", "random"], 10, 2, names=[LONG, f"x{LONG}$_$"])],
    "rounds without a winner": lambda: [
        match(["greedy", "random"], 100, 0, replace(UNO_DUO, max_turns=12))
    ],
}

DRAWN = {
    "win_rates": (measures.win_rates, charts.win_rate_chart),
    "round_points": (measures.round_points, charts.round_points_chart),
    "final_scores": (measures.final_scores, charts.final_scores_chart),
    "round_lengths": (measures.round_lengths, charts.round_length_chart),
}


@pytest.fixture(scope="module", params=CASES)
def matches(request: pytest.FixtureRequest) -> list[Match]:
    """Return the matches of one case."""
    return CASES[request.param]()


def texts_and_boxes(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Bbox]]:
    """Return every text that is drawn, with the box it takes."""
    drawn: list[tuple[str, Bbox]] = []
    draw = Text.draw

    def draw_and_note(text: Text, renderer: object) -> None:
        if text.get_visible() and text.get_text().strip():
            drawn.append((text.get_text(), text.get_window_extent(renderer)))
        draw(text, renderer)

    monkeypatch.setattr(Text, "draw", draw_and_note)
    chart.png()
    return drawn


@pytest.mark.parametrize("name", DRAWN)
def test_no_text_meets_another(
    name: str, matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    measure, draw = DRAWN[name]
    chart = draw(measure(matches), "Seed 0. Rules: target=500, stack_draws=false.")
    found = texts_and_boxes(chart, monkeypatch)
    page = Bbox.from_extents(0, 0, *(200 * chart.figure.get_size_inches()))
    assert len(found) >= 2
    for text, box in found:
        # A pixel or two of antialiasing do not matter at 200 dots an inch.
        assert page.x0 - 2 <= box.x0, text
        assert box.x1 <= page.x1 + 2, text
        assert page.y0 - 2 <= box.y0, text
        assert box.y1 <= page.y1 + 2, text
    for (one, box), (other, other_box) in itertools.combinations(found, 2):
        shared = Bbox.intersection(box, other_box)
        assert shared is None or min(shared.width, shared.height) < 3, f"{one!r} meets {other!r}"


def test_the_same_table_gives_the_same_bytes() -> None:
    table = measures.win_rates([match(["greedy", "random"], 20, 0)])
    first, second = charts.win_rate_chart(table), charts.win_rate_chart(table)
    assert first.png() == second.png()
    assert first.svg() == second.svg()
    assert b"<dc:date>" not in first.svg()
    assert b"Software" not in first.png()


def test_the_users_settings_neither_matter_nor_change() -> None:
    table = measures.win_rates([match(["greedy", "random"], 20, 0)])
    expected = charts.win_rate_chart(table).png()
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "black"}):
        before = matplotlib.rcParams.copy()
        assert charts.win_rate_chart(table).png() == expected
        assert matplotlib.rcParams.copy() == before


def test_pyplot_is_not_needed() -> None:
    code = "import sys, experiments.win_rates; print('matplotlib.pyplot' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_titles_follow_the_data() -> None:
    table = measures.win_rates([match(["greedy", "random"], 200, 0)])
    swapped = table.assign(name=table["name"].map({"greedy": "random", "random": "greedy"}))
    titles = [
        [text.get_text() for text in charts.win_rate_chart(one).figure.texts]
        for one in (table, swapped)
    ]
    assert any(text.startswith("greedy wins") for text in titles[0])
    assert any(text.startswith("random wins") for text in titles[1])


def test_a_notebook_shows_a_chart() -> None:
    table = measures.win_rates([match(["greedy", "random"], 20, 0)])
    assert charts.win_rate_chart(table)._repr_png_().startswith(b"\x89PNG")


def test_lines_are_no_wider_than_asked() -> None:
    text = f"a few words, {LONG} and the rest\nin a new line"
    lines = wrap(text, 1.5)
    assert max(map(text_width, lines)) <= 1.5
    assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")
    assert lines[-1] == "in a new line"
    assert wrap("", 1.5) == [""]
