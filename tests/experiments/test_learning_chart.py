"""The learning chart: what it says, and no text meets another."""

import itertools

import pandas as pd
import pytest
from matplotlib.transforms import Bbox

from experiments.learning_chart import learning_chart
from tests.experiments.test_charts import LONG, texts_and_boxes


def table_of(opponents: list[str], steps: list[int], rates: list[float]) -> pd.DataFrame:
    """Return a learning table; `rates` are those of each step, the same against all."""
    rows = [
        {
            "steps": at,
            "opponent": opponent,
            "rounds": 2400,
            "win_rate": rate,
            "win_rate_low": max(rate - 0.02, 0),
            "win_rate_high": min(rate + 0.02, 1),
            "even": 1 / 3,
        }
        for at, rate in zip(steps, rates, strict=True)
        for opponent in opponents
    ]
    return pd.DataFrame(rows)


CASES = {
    "as usual": table_of(
        ["random", "greedy"], [0, 100_352, 200_704, 1_007_616], [0.1, 0.6, 1, 0.97]
    ),
    "one rollout": table_of(["greedy"], [0, 32], [0.0, 0.0]),
    "many opponents": table_of([*"abcdefghi", LONG, f"x{LONG}$_$"], [0, 10**8, 10**9], [0.3, 1, 1]),
}


@pytest.mark.parametrize("case", CASES)
def test_no_text_meets_another(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = learning_chart(
        CASES[case], "UNO Duo, 2 players; " + "trained against greedy; " * 9, LONG
    )
    found = texts_and_boxes(chart, monkeypatch)
    page = Bbox.from_extents(0, 0, *(200 * chart.figure.get_size_inches()))
    for text, box in found:
        # A pixel or two of antialiasing do not matter at 200 dots an inch.
        assert page.x0 - 2 <= box.x0 and box.x1 <= page.x1 + 2, text
        assert page.y0 - 2 <= box.y0 and box.y1 <= page.y1 + 2, text
    for (one, box), (other, other_box) in itertools.combinations(found, 2):
        shared = Bbox.intersection(box, other_box)
        assert shared is None or min(shared.width, shared.height) < 3, f"{one!r} meets {other!r}"


def test_the_title_and_the_legend_tell_the_last_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [text for text, _ in texts_and_boxes(learning_chart(CASES["as usual"]), monkeypatch)]
    title = "After 1,007,616 steps it wins 97.0% against random, 97.0% against greedy"
    assert title in found
    assert "against greedy: 97.0% (95.0% to 99.0%)" in found


def test_points_bands_and_the_even_share_are_drawn() -> None:
    (axes,) = learning_chart(CASES["as usual"]).figure.axes
    *lines, even = axes.lines
    for line in lines:
        assert line.get_xdata().tolist() == [0, 100_352, 200_704, 1_007_616]
        assert line.get_ydata().tolist() == [0.1, 0.6, 1, 0.97]
    assert even.get_ydata() == [1 / 3, 1 / 3]
    for band in axes.collections:
        heights = band.get_paths()[0].vertices[:, 1]
        assert heights.min() == pytest.approx(0.08) and heights.max() == 1
    assert len(axes.collections) == len(lines) == 2


def test_the_same_table_gives_the_same_bytes() -> None:
    first, second = (learning_chart(CASES["as usual"], "about", "note") for _ in range(2))
    assert first.png() == second.png()
    assert first.svg() == second.svg()
