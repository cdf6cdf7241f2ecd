"""What lies on the table: piles, the active color, the direction, the other players."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from PIL import Image

from uno_sim.envs.drawing.canvas import Area, Canvas, Sprite, painted
from uno_sim.envs.drawing.cards import RATIO, back, face, small_face
from uno_sim.envs.drawing.palette import (
    ALERT,
    COLOR_INKS,
    COLOR_WORDS,
    FELT_MARK,
    GOLD,
    OPEN,
    PANEL,
    PANEL_LINE,
    PLATE_LIT,
    TEXT,
    WHITE,
    ink_on,
)
from uno_sim.envs.drawing.words import number_on, plural, seat_name, winning_seat
from uno_sim.observation import Observation
from uno_sim.state import Phase

PILE_CARD = 72
FAN_CARD = 42
SMALL_CARD = 26
SMALL_LEAST = 18
"""The room a small card should have; where there is less, a second row is begun."""
SMALL_ROW = 40
SLOPES = (-9, 4, 11, -5, 7)
"""How discards below the top one lie, in degrees, by turns."""
RING = (168, 100)
"""Half width and half height of the ellipse on which the arrows of the direction lie."""


def draw_center(canvas: Canvas, observation: Observation, table: Area) -> None:
    """Draw the piles, the active color between them, and the direction around them."""
    x, y = table.middle, table.top + 33 + 0.6 * table.height
    width, height = RING[0], RING[1]
    ring = _direction_ring(canvas.pixels(2 * width), canvas.pixels(2 * height), canvas.pixels(7))
    if observation.direction < 0:
        ring = ring.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    canvas.sprite(ring, x, y)
    _draw_draw_pile(canvas, observation, x - 90, y - 6)
    _draw_discards(canvas, observation, x + 92, y - 6)
    if observation.phase == Phase.DRAFT:
        _draw_offer(canvas, observation, x - 2, y - 6)
        return
    color = observation.active_color
    if color is not None:
        canvas.disc(x - 3, y - 22, 50, COLOR_INKS[color], WHITE)
        canvas.text(x - 3, y - 22, color, 28, ink_on(color), "mm")
        canvas.text(x - 3, y + 17, COLOR_WORDS[color], 15, TEXT, "mm")
    badge, fill = "", ALERT
    if observation.pending:
        badge = f"+{observation.pending} pending"
    elif observation.open_reverse:
        badge, fill = "open Reverse", OPEN
    if badge:
        canvas.box(x - 47, y + 33, 88, 24, fill, WHITE, 12, 1.5)
        canvas.text(x - 3, y + 45, badge, 13, WHITE, "mm", 78)


@lru_cache(maxsize=16)
def _direction_ring(width: int, height: int, line: int) -> Sprite:
    """Return two arrows on an ellipse, clockwise."""

    def paint(draw: Any, k: int) -> None:
        across, down, edge = width * k / 2, height * k / 2, line * k
        for start in (180, 0):
            box = (edge, edge, 2 * across - edge, 2 * down - edge)
            draw.arc(box, start + 62, start + 113, FELT_MARK, round(0.7 * edge))
            turn = math.radians(start + 112)
            x = across + (across - 1.35 * edge) * math.cos(turn)
            y = down + (down - 1.35 * edge) * math.sin(turn)
            ahead = math.atan2(down * math.cos(turn), -across * math.sin(turn))
            points = []
            for angle, length in ((0, 2.6), (2.2, 1.9), (-2.2, 1.9)):
                points.append(
                    (
                        x + length * edge * math.cos(ahead + angle),
                        y + length * edge * math.sin(ahead + angle),
                    )
                )
            draw.polygon(points, FELT_MARK)

    return painted(width, height, paint)


def _draw_draw_pile(canvas: Canvas, observation: Observation, x: float, y: float) -> None:
    width = canvas.pixels(PILE_CARD)
    pile = observation.known_pile
    for layer in range(min(4, math.ceil(len(pile) / 12)), 0, -1):
        canvas.sprite(back(width), x - 2 * (layer - 1), y - 2 * (layer - 1))
    if pile and pile[0] is not None:
        canvas.sprite(_face_of(observation, pile[0], width), x, y)
    if not pile:
        _draw_empty_place(canvas, x, y)
    known = sum(card is not None for card in pile)
    label = plural(len(pile), "card")
    if known:
        label = f"{len(pile)}, {'all' if known == len(pile) else known} known"
    canvas.text(x, y + PILE_CARD * RATIO / 2 + 17, label, 13, TEXT, "mm", 100)


def _draw_empty_place(canvas: Canvas, x: float, y: float) -> None:
    height = PILE_CARD * RATIO
    left, top = x - PILE_CARD / 2, y - height / 2
    canvas.box(left, top, PILE_CARD, height, None, FELT_MARK, 9, 1.5)
    canvas.text(x, y, "empty", 13, FELT_MARK, "mm")


def _draw_discards(canvas: Canvas, observation: Observation, x: float, y: float) -> None:
    pile = observation.discard_pile
    width = canvas.pixels(PILE_CARD)
    shown = pile[-4:]
    if not pile:
        _draw_empty_place(canvas, x, y)
    for number, card in enumerate(shown):
        below = len(shown) - 1 - number
        angle = SLOPES[(len(pile) - below) % len(SLOPES)] if below else 0
        if not below and observation.active_color is not None:
            height = PILE_CARD * RATIO
            ink = COLOR_INKS[observation.active_color]
            corner = (x - PILE_CARD / 2, y - height / 2)
            canvas.box(corner[0] - 8, corner[1] - 8, PILE_CARD + 16, height + 16, ink, WHITE, 14)
        shift = 11 * below
        canvas.sprite(_face_of(observation, card, width, angle), x + shift, y - 0.4 * shift)
    label = plural(len(pile), "card")
    canvas.text(x, y + PILE_CARD * RATIO / 2 + 17, label, 13, TEXT, "mm", 100)


def _draw_offer(canvas: Canvas, observation: Observation, x: float, y: float) -> None:
    """Draw the card that is looked at in the draft, as far as the observer sees it."""
    width = canvas.pixels(PILE_CARD)
    height = PILE_CARD * RATIO
    corner = (x - PILE_CARD / 2 - 5, y - height / 2 - 5)
    canvas.box(*corner, PILE_CARD + 10, height + 10, None, GOLD, 13, 3)
    card = observation.offered_card
    canvas.sprite(back(width) if card is None else _face_of(observation, card, width), x, y)
    canvas.text(x, y + height / 2 + 17, "offered", 13, GOLD, "mm", 90)


def draw_others(canvas: Canvas, observation: Observation, table: Area) -> None:
    """Draw the other players around the table, the next one on the left."""
    players = observation.num_players
    narrow = 168.0
    top = table.top + 13
    side = table.top + 0.38 * table.height
    left, right = table.left + 16 + narrow / 2, table.right - 16 - narrow / 2
    places = {
        2: [(table.middle, top)],
        3: [(table.left + 0.25 * table.width, top), (table.left + 0.75 * table.width, top)],
        4: [(left, side), (table.middle, top), (right, side)],
        5: [
            (left, side),
            (table.left + 0.27 * table.width, top),
            (table.left + 0.73 * table.width, top),
            (right, side),
        ],
    }[players]
    for step, (x, y) in enumerate(places, start=1):
        width = narrow
        if x == table.middle:
            width = table.width - (60 if players == 2 else 300)
        elif players == 3:
            width = 0.42 * table.width
        seat = (observation.player + step) % players
        _draw_player(canvas, observation, seat, Area(x - width / 2, y, width, 150))


def _draw_player(canvas: Canvas, observation: Observation, seat: int, area: Area) -> None:
    """Draw a fan of backs, a plate with the name, and the cards that the observer knows."""
    size = observation.hand_sizes[seat]
    span = min(area.width - FAN_CARD - 20, 17.0 * (size - 1), 300)
    lean = min(18.0, 3.0 * (size - 1))
    for number in range(size):
        place = 2 * number / (size - 1) - 1 if size > 1 else 0.0
        sprite = back(canvas.pixels(FAN_CARD), round(-lean * place))
        x = area.middle + place * span / 2
        canvas.sprite(sprite, x, area.top + 31 + 6 * place**2)
    draw_plate(canvas, observation, seat, area.middle - 80, area.top + 66, 160)
    known = observation.known_hands[seat]
    rows = 1 if len(known) * SMALL_LEAST <= area.width else 2
    per_row = max(1, math.ceil(len(known) / rows))
    step = min(SMALL_CARD + 2.0, area.width / per_row)
    width, height = canvas.pixels(step - 1.5), canvas.pixels(SMALL_CARD * RATIO)
    for number, card in enumerate(known):
        row, place = divmod(number, per_row)
        in_row = min(per_row, len(known) - row * per_row)
        x = area.middle + (place - (in_row - 1) / 2) * step
        sprite = small_face(card, number_on(card, observation.rules), width, height)
        canvas.sprite(sprite, x, area.top + 112 + row * SMALL_ROW)


def draw_plate(
    canvas: Canvas, observation: Observation, seat: int, left: float, top: float, width: float
) -> None:
    """Draw the name of a seat and its number of cards, lit where it is asked or has won."""
    asked = seat == observation.current_player
    won = seat == winning_seat(observation)
    line = GOLD if asked or won else PANEL_LINE
    canvas.box(left, top, width, 24, PLATE_LIT if asked or won else PANEL, line, 12, 2)
    text = f"{seat_name(observation, seat)} · {plural(observation.hand_sizes[seat], 'card')}"
    x = left + width / 2
    if asked:
        canvas.triangle(left + 16, top + 12, 10, GOLD)
        x += 7
    canvas.text(x, top + 12, text, 13, TEXT, "mm", width - 38)


def _face_of(observation: Observation, card: str, width: int, angle: int = 0) -> Sprite:
    return face(card, number_on(card, observation.rules), width, angle)
