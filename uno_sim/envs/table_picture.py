"""The table as one player sees it, as a picture for `render_mode="rgb_array"`.

Everything is drawn from an `Observation`, so that nothing hidden can show. The observer sits at
the bottom; the seat to the left comes next, so play to the left runs clockwise.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image

from uno_sim.envs.drawing.canvas import Area, Canvas, Sprite, painted
from uno_sim.envs.drawing.cards import RATIO, face
from uno_sim.envs.drawing.palette import (
    ALERT,
    BAR_LIT,
    BUTTON,
    COLOR_INKS,
    FELT,
    GOLD,
    NIGHT,
    PANEL,
    PANEL_LINE,
    SOFT_TEXT,
    TEXT,
    WHITE,
    WOOD,
    WOOD_LINE,
    ink_on,
)
from uno_sim.envs.drawing.table_top import draw_center, draw_others, draw_plate
from uno_sim.envs.drawing.words import (
    number_on,
    other_actions,
    question,
    result,
    seat_name,
    usable_cards,
    winning_seat,
)
from uno_sim.observation import Observation
from uno_sim.state import Phase

UNITS = (960, 640)
"""Width and height, in units, that everything has room in."""
LEAST_SIZE = (480, 320)
GREATEST_SIZE = (3840, 3840)

MARGIN = 12
HEADER = 40
PANEL_WIDTH = 224
HAND_HEIGHT = 150
BAR_HEIGHT = 52

HAND_CARD = 84


def draw_table(
    observation: Observation, *, width: int = 960, height: int = 640
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return what the observer knows as a picture, shape `[height, width, 3]`.

    The same observation gives the same pixels. Raises `ValueError` where `observation` is none, or
    the size is not from 480 x 320 to 3840 x 3840 pixels.
    """
    if not isinstance(observation, Observation):
        raise ValueError(f"observation {observation!r}: must be what `Game.observation` returns")
    for name, size, least, greatest in (
        ("width", width, LEAST_SIZE[0], GREATEST_SIZE[0]),
        ("height", height, LEAST_SIZE[1], GREATEST_SIZE[1]),
    ):
        if isinstance(size, bool) or not isinstance(size, int | np.integer):
            raise ValueError(f"{name}={size!r}: must be an integer")
        if not least <= size <= greatest:
            raise ValueError(f"{name}={size}: must be from {least} to {greatest}")
    scale = min(width / UNITS[0], height / UNITS[1])
    whole = Area(0, 0, width / scale, height / scale)
    bottom = whole.bottom - HAND_HEIGHT - BAR_HEIGHT - 4
    table = Area(MARGIN, HEADER + 4, whole.width - PANEL_WIDTH - 3 * MARGIN, bottom - HEADER - 14)
    bar = Area(MARGIN, bottom, whole.width - 2 * MARGIN, BAR_HEIGHT)
    panel = Area(table.right + MARGIN, table.top, PANEL_WIDTH, table.height)
    hand = Area(MARGIN, bar.bottom + 4, bar.width, HAND_HEIGHT)

    canvas = Canvas(_background(int(width), int(height), scale, table), scale)
    _draw_header(canvas, observation, whole)
    draw_center(canvas, observation, table)
    draw_others(canvas, observation, table)
    _draw_scores(canvas, observation, panel)
    _draw_bar(canvas, observation, bar)
    _draw_hand(canvas, observation, hand)
    return canvas.array()


@lru_cache(maxsize=8)
def _background(width: int, height: int, scale: float, table: Area) -> Sprite:
    """Return the table without anything on it."""
    canvas = Canvas(Image.new("RGB", (width, height), NIGHT), scale)
    canvas.box(table.left, table.top, table.width, table.height, WOOD, WOOD_LINE, 54, 2)
    rim = 9
    left, top = canvas.pixels(table.left + rim), canvas.pixels(table.top + rim)
    columns, rows = canvas.pixels(table.width - 2 * rim), canvas.pixels(table.height - 2 * rim)
    across = np.linspace(-1, 1, columns)[None, :]
    down = np.linspace(-1, 1, rows)[:, None]
    light = np.clip(1.15 - 0.5 * (across**2 + down**2), 0.45, None)[..., None]
    felt = Image.fromarray((np.array(FELT) * light).astype(np.uint8))
    mask = painted(
        columns,
        rows,
        lambda draw, k: draw.rounded_rectangle(
            (0, 0, columns * k - 1, rows * k - 1), canvas.pixels(46) * k, WHITE
        ),
    )
    canvas.image.paste(felt, (left, top), mask)
    return canvas.image


def _draw_header(canvas: Canvas, observation: Observation, whole: Area) -> None:
    y = HEADER / 2 + 2
    canvas.text(MARGIN + 4, y, observation.rules.name, 22, TEXT, "lm", whole.width / 2)
    round_text = (
        f"round {observation.round_number} · "
        f"{'draft' if observation.phase == Phase.DRAFT else f'turn {observation.turns}'} · "
        f"seen by seat {observation.player}"
    )
    canvas.text(whole.right - MARGIN - 4, y, round_text, 15, SOFT_TEXT, "rm", whole.width / 2 - 40)


def _draw_scores(canvas: Canvas, observation: Observation, panel: Area) -> None:
    """Draw the totals and the last events."""
    canvas.box(panel.left, panel.top, panel.width, panel.height, PANEL, PANEL_LINE, 10, 1.5)
    left, right = panel.left + 14, panel.right - 14
    y = panel.top + 20
    canvas.text(left, y, "Scores", 16, TEXT)
    canvas.text(right, y, f"game to {observation.rules.target}", 13, SOFT_TEXT, "rm", 110)
    over = observation.current_player is None
    for seat, score in enumerate(observation.scores):
        y += 22
        ink = GOLD if seat == winning_seat(observation) else TEXT
        canvas.text(left, y, seat_name(observation, seat), 14, ink)
        if over and observation.points[seat]:
            canvas.text(right - 60, y, f"+{observation.points[seat]}", 14, GOLD, "rm", 60)
        canvas.text(right, y, str(score), 15, ink, "rm", 56)
    y += 22
    canvas.box(left, y, right - left, 1.5, PANEL_LINE, None, 0)
    y += 20
    canvas.text(left, y, "Last events", 16, TEXT)
    canvas.text(right, y, "newest first", 13, SOFT_TEXT, "rm")
    y += 4
    room = int((panel.bottom - y - 12) // 20)
    events = observation.events[-min(8, room) :]
    for age, event in enumerate(reversed(events)):
        y += 20
        number, action = event.split(" ", 1)
        ink = TEXT if age == 0 else SOFT_TEXT
        canvas.text(left, y, number, 14, ink)
        canvas.text(left + 22, y, action, 14, ink, "lm", right - left - 22)


def _draw_bar(canvas: Canvas, observation: Observation, bar: Area) -> None:
    """Draw the observer's plate, what is asked, and the actions that are no single cards."""
    over = observation.current_player is None
    own = observation.current_player == observation.player
    line = GOLD if over or own else PANEL_LINE
    fill = BAR_LIT if over else PANEL
    canvas.box(bar.left, bar.top, bar.width, bar.height, fill, line, 10, 2)
    draw_plate(canvas, observation, observation.player, bar.left + 14, bar.top + 14, 176)
    left = bar.left + 208
    width = bar.right - left - 16
    if over:
        title, scored = result(observation)
        canvas.text(left, bar.top + 17, title, 18, GOLD, "lm", width)
        canvas.text(left, bar.top + 37, scored, 14, TEXT, "lm", width)
        return
    actions = other_actions(observation)
    middle = bar.top + (16 if actions else bar.height / 2)
    canvas.text(left, middle, question(observation), 17, TEXT, "lm", width)
    x = left
    for number, action in enumerate(actions):
        chip = canvas.text_width(action, 13) + 20
        if x + chip > bar.right - 70 and number < len(actions) - 1:
            canvas.text(x + 2, bar.top + 38, f"and {len(actions) - number} more", 13, SOFT_TEXT)
            return
        ink = COLOR_INKS[action[-1]] if action.startswith("color:") else BUTTON
        color = ink_on(action[-1]) if action.startswith("color:") else WHITE
        canvas.box(x, bar.top + 28, chip, 20, ink, None, 10)
        canvas.text(x + chip / 2, bar.top + 38, action, 13, color, "mm")
        x += chip + 6


def _draw_hand(canvas: Canvas, observation: Observation, area: Area) -> None:
    """Draw the own hand; cards of legal actions are raised, the card just drawn is marked."""
    hand = observation.hand
    if not hand:
        canvas.text(area.middle, area.top + area.height / 2, "no card in hand", 15, SOFT_TEXT, "mm")
    rows = 1 if len(hand) <= 40 else 2 if len(hand) <= 84 else 3
    width = HAND_CARD * (1, 0.72, 0.56)[rows - 1]
    raised = usable_cards(observation)
    per_row = math.ceil(len(hand) / rows)
    room = area.width - width - 8
    step = min(width + 6, room / max(1, per_row - 1))
    drawn = observation.drawn_card
    tagged = max((i for i, card in enumerate(hand) if card == drawn), default=None)
    tag = None
    for number, card in enumerate(hand):
        row, place = divmod(number, per_row)
        in_row = min(per_row, len(hand) - row * per_row)
        x = area.middle + (place - (in_row - 1) / 2) * step
        y = area.bottom - 8 - width * RATIO / 2 - (rows - 1 - row) * 0.5 * width
        legal = card in raised
        if legal:
            y -= 14 / rows
            height = width * RATIO
            corner = (x - width / 2 - 2.5, y - height / 2 - 2.5)
            canvas.box(*corner, width + 5, height + 5, GOLD, None, 0.16 * width)
        sprite = face(
            card,
            number_on(card, observation.rules),
            canvas.pixels(width),
            0,
            bool(raised) and not legal,
        )
        canvas.sprite(sprite, x, y)
        if number == tagged:
            tag = (x, y - width * RATIO / 2)
    if tag is not None:
        canvas.box(tag[0] - 26, tag[1] - 9, 52, 18, ALERT, WHITE, 9, 1.5)
        canvas.text(tag[0], tag[1], "drawn", 12, WHITE, "mm")
