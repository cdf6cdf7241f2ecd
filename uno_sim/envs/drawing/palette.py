"""The colors of pictures, as texts."""

from __future__ import annotations

NIGHT = "#161b22"
PANEL = "#222a34"
PANEL_LINE = "#36424f"
PLATE_LIT = "#3a3420"
BAR_LIT = "#4a3d14"
BUTTON = "#3f5163"
WOOD = "#7a5233"
WOOD_LINE = "#54361f"
FELT = (45, 79, 88)
"""Red, green and blue, since the felt is lit by computing."""
FELT_MARK = "#9fc3c4"

TEXT = "#f2efe6"
SOFT_TEXT = "#aab4bf"
GOLD = "#ffce47"
ALERT = "#b3261e"
OPEN = "#6d3fa0"

WHITE = "#ffffff"
PAPER = "#fbf8f0"
PAPER_EDGE = "#a9a294"
BLACK = "#22222b"
COLOR_INKS = {"R": "#d8342b", "Y": "#f2b90f", "G": "#12955f", "B": "#1e6fc4"}
COLOR_WORDS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
BACK_INK = "#3b2f4f"
BACK_LINE = "#75639a"


def ink_on(color: str) -> str:
    """Return the ink that is readable on a card's color (`R`, `Y`, `G`, `B`, or none)."""
    return BLACK if color == "Y" else WHITE
