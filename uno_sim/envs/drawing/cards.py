"""Pictures of cards: large faces, small faces for rows, backs.

Each face carries the letter of its color, for who cannot tell the colors apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from PIL import Image, ImageDraw, ImageFilter

from uno_sim.cards import COLORS
from uno_sim.envs.drawing.canvas import SMOOTHING, Sprite, font
from uno_sim.envs.drawing.palette import (
    BACK_INK,
    BACK_LINE,
    BLACK,
    COLOR_INKS,
    NIGHT,
    PAPER,
    PAPER_EDGE,
    WHITE,
    ink_on,
)

RATIO = 1.42
"""Height of a card by its width."""
SHADOW = 0.08
"""Room for the shadow on each side, by the width."""

_TILT = -14
"""How far the oval leans to the left, in degrees."""


@lru_cache(maxsize=512)
def face(card: str, draws: int, width: int, angle: int = 0, dimmed: bool = False) -> Sprite:
    """Return the face of a card (`R7`), `width` pixels wide, turned left by `angle` degrees.

    `draws` is the number that a draw card shows. The sprite has room for the shadow around.
    """
    image = _large_face(card, draws, width * SMOOTHING)
    if dimmed:
        veil = Image.new("RGB", image.size, NIGHT)
        shaded = Image.blend(image.convert("RGB"), veil, 0.42)
        shaded.putalpha(image.getchannel("A"))
        image = shaded
    return _with_shadow(image, width, angle)


@lru_cache(maxsize=512)
def small_face(card: str, draws: int, width: int, height: int) -> Sprite:
    """Return a face of few pixels, which may be narrow: the symbol, and below it the letter."""
    across, down = width * SMOOTHING, height * SMOOTHING
    color = card[0] if card[0] in COLORS else ""
    ink = ink_on(color)
    image = Image.new("RGBA", (across, down))
    draw = ImageDraw.Draw(image)
    line = round(0.05 * down)
    corners = (0, 0, across - 1, down - 1)
    draw.rounded_rectangle(corners, 2 * line, COLOR_INKS.get(color, BLACK), PAPER, line)
    size = round(min(0.62 * across, 0.45 * down))
    _put(image, _symbol(card, draws, size, ink), across / 2, 0.36 * down)
    letter = card[0] if card != "WP" else "P"
    pixels = round(min(0.55 * across, 0.28 * down))
    draw.text((across / 2, 0.76 * down), letter, ink, font(pixels), "mm")
    return image.resize((width, height), Image.Resampling.LANCZOS)


@lru_cache(maxsize=512)
def back(width: int, angle: int = 0) -> Sprite:
    """Return the back of a card, `width` pixels wide, turned left by `angle` degrees."""
    large = width * SMOOTHING
    image, draw = _blank_card(large)
    edge = 0.06
    corners = _scaled((edge, edge, 1 - edge, RATIO - edge), large)
    draw.rounded_rectangle(corners, 0.09 * large, BACK_INK)
    edge = 0.13
    corners = _scaled((edge, edge, 1 - edge, RATIO - edge), large)
    draw.rounded_rectangle(corners, 0.06 * large, None, BACK_LINE, max(1, round(0.02 * large)))
    x, y, size = 0.5, RATIO / 2, 0.13
    for number, color in enumerate(COLORS):
        turn = math.radians(90 * number - 90)
        at_x, at_y = x + 1.42 * size * math.cos(turn), y + 1.42 * size * math.sin(turn)
        diamond = [
            (at_x, at_y - size),
            (at_x + size, at_y),
            (at_x, at_y + size),
            (at_x - size, at_y),
        ]
        draw.polygon([_scaled(point, large) for point in diamond], COLOR_INKS[color])
    return _with_shadow(image, width, angle)


def _scaled(numbers: tuple[float, ...], factor: float) -> Any:
    return tuple(number * factor for number in numbers)


def _blank_card(large: int) -> tuple[Sprite, Any]:
    image = Image.new("RGBA", (large, round(large * RATIO)))
    draw = ImageDraw.Draw(image)
    corners = (0, 0, image.width - 1, image.height - 1)
    draw.rounded_rectangle(corners, 0.13 * large, PAPER, PAPER_EDGE, max(1, round(0.012 * large)))
    return image, draw


def _put(image: Sprite, part: Sprite, x: float, y: float) -> None:
    """Lay a part over an image, its center at `x`, `y`."""
    image.alpha_composite(part, (round(x - part.width / 2), round(y - part.height / 2)))


def _with_shadow(large: Sprite, width: int, angle: int) -> Sprite:
    margin = round(SHADOW * width) * SMOOTHING
    image = Image.new("RGBA", (large.width + 2 * margin, large.height + 2 * margin))
    shade = Image.new("RGBA", large.size, "#000000")
    shade.putalpha(large.getchannel("A").point([round(0.45 * level) for level in range(256)]))
    image.paste(shade, (margin, margin + margin // 3))
    image = image.filter(ImageFilter.BoxBlur(margin / 3))
    image.alpha_composite(large, (margin, margin))
    if angle:
        image = image.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    size = (max(1, image.width // SMOOTHING), max(1, image.height // SMOOTHING))
    return image.resize(size, Image.Resampling.LANCZOS)


def _large_face(card: str, draws: int, large: int) -> Sprite:
    image, draw = _blank_card(large)
    color = card[0] if card[0] in COLORS else ""
    ground = COLOR_INKS.get(color, BLACK)
    edge = 0.055
    corners = _scaled((edge, edge, 1 - edge, RATIO - edge), large)
    draw.rounded_rectangle(corners, 0.09 * large, ground)
    _put(image, _oval(large, color), image.width / 2, image.height / 2)
    _put(image, _center(card, draws, large), image.width / 2, image.height / 2)
    corner = _corner(card, draws, large)
    image.alpha_composite(corner)
    image.alpha_composite(corner.rotate(180))
    return image


def _corner(card: str, draws: int, large: int) -> Sprite:
    """Return the symbol and the letter in the left upper corner, on an empty card."""
    image = Image.new("RGBA", (large, round(large * RATIO)))
    ink = ink_on(card[0])
    _put(image, _symbol(card, draws, round(0.17 * large), ink), 0.165 * large, 0.185 * large)
    letter = card[0] if card != "WP" else "P"
    place = _scaled((0.165, 0.345), large)
    stroke = round(0.006 * large)
    chosen = font(round(0.14 * large))
    ImageDraw.Draw(image).text(place, letter, ink, chosen, "mm", stroke_width=stroke)
    return image


def _oval(large: int, color: str) -> Sprite:
    """Return the oval of a face: white, or in four colors where the card has none."""
    width, height = round(0.68 * large), round(0.94 * large)
    image = Image.new("RGBA", (width, height), WHITE)
    draw = ImageDraw.Draw(image)
    if not color:
        for number, letter in enumerate(COLORS):
            left, top = (number % 2) * width / 2, (number // 2) * height / 2
            draw.rectangle((left, top, left + width / 2, top + height / 2), COLOR_INKS[letter])
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).ellipse((0, 0, width - 1, height - 1), 255)
    image.putalpha(mask)
    return image.rotate(_TILT, Image.Resampling.BICUBIC, expand=True)


def _center(card: str, draws: int, large: int) -> Sprite:
    """Return the large mark of a face."""
    if card == "W":
        return _four_letters(large)
    if card == "WD":
        return _stacked_cards(large, [COLOR_INKS[color] for color in "BGRY"])
    if card == "WP":
        return _symbol(card, draws, round(0.62 * large), WHITE, BLACK)
    ink = COLOR_INKS[card[0]]
    if card[1] == "D":
        return _stacked_cards(large, [ink] * max(1, min(draws, 4)))
    return _symbol(card, draws, round(0.52 * large), ink, BLACK if card[0] == "Y" else None)


def _stacked_cards(large: int, inks: list[str]) -> Sprite:
    """Return little cards, one an ink, each a bit higher than the one before."""
    size = round((0.85 if len(inks) < 3 else 0.66) * large)
    image = Image.new("RGBA", (size, size))
    draw = ImageDraw.Draw(image)
    width, height = 0.36 * size, 0.36 * RATIO * size
    step = 0.17 * size
    left = (size - width - step * (len(inks) - 1)) / 2
    top = (size - height + 0.6 * step * (len(inks) - 1)) / 2
    line = max(1, round(0.03 * size))
    for number, ink in enumerate(inks):
        x, y = left + number * step, top - 0.6 * number * step
        corners = (x, y, x + width, y + height)
        draw.rounded_rectangle(corners, 0.06 * size, ink, BLACK, line)
        inner = (x + 2 * line, y + 2 * line, x + width - 2 * line, y + height - 2 * line)
        draw.rounded_rectangle(inner, 0.04 * size, None, PAPER, line)
    return image


def _four_letters(large: int) -> Sprite:
    """Return the letters of the four colors, placed as the quarters of the oval are."""
    image = Image.new("RGBA", (large, large))
    draw = ImageDraw.Draw(image)
    turn = math.radians(-_TILT)
    for number, letter in enumerate(COLORS):
        x, y = (0.15, -0.15)[number % 2 == 0], (0.2, -0.2)[number // 2 == 0]
        at_x = 0.5 + x * math.cos(turn) - y * math.sin(turn)
        at_y = 0.5 + x * math.sin(turn) + y * math.cos(turn)
        place = _scaled((at_x, at_y), large)
        draw.text(place, letter, ink_on(letter), font(round(0.2 * large)), "mm")
    return image


def _symbol(card: str, draws: int, size: int, ink: str, outline: str | None = None) -> Sprite:
    """Return the symbol of a card in a square of `size` pixels."""
    glyph = Image.new("L", (size, size))
    draw = ImageDraw.Draw(glyph)
    text = f"+{draws}" if card[-1] == "D" else card[-1]
    paint = _GLYPHS.get(card if card == "WP" else card[1:])
    if paint:
        paint(draw, size)
    elif card == "W":
        return _four_dots(size)
    else:
        _paint_text(draw, text, size)
    image = Image.new("RGBA", glyph.size, ink)
    image.putalpha(glyph)
    if outline is None:
        return image
    reach = max(1, round(0.03 * size))
    wide = glyph.filter(ImageFilter.MaxFilter(2 * reach + 1))
    rim = Image.new("RGBA", glyph.size, outline)
    rim.putalpha(wide)
    rim.alpha_composite(image)
    return rim


def _paint_text(draw: Any, text: str, size: int) -> None:
    """Paint a bold text as large as the square allows; 6 and 9 get a line below."""
    stroke = max(1, round(0.045 * size))
    height = 0.95
    if text in "69":
        height = 0.82
        draw.rectangle(_scaled((0.26, 0.92, 0.74, 0.99), size), 255)
    pixels = 1.2 * size
    box = draw.textbbox((0, 0), text, font(round(pixels)), "mm", stroke_width=stroke)
    pixels *= min(1.0, size / (box[2] - box[0]), height * size / (box[3] - box[1]))
    chosen = font(round(pixels))
    left, top, right, bottom = draw.textbbox((0, 0), text, chosen, "mm", stroke_width=stroke)
    place = ((size - left - right) / 2, (min(1.0, height + 0.05) * size - top - bottom) / 2)
    draw.text(place, text, 255, chosen, "mm", stroke_width=stroke)


def _four_dots(size: int) -> Sprite:
    """Return a disc in the four colors."""
    image = Image.new("RGBA", (size, size))
    draw = ImageDraw.Draw(image)
    edge = 0.06 * size
    draw.ellipse((0, 0, size - 1, size - 1), WHITE)
    for number, color in enumerate(COLORS):
        start = (180, 270, 90, 0)[number]
        draw.pieslice((edge, edge, size - edge, size - edge), start, start + 90, COLOR_INKS[color])
    return image


def _paint_skip(draw: Any, size: int) -> None:
    line = 0.15 * size
    draw.ellipse((0.06 * size, 0.06 * size, 0.94 * size, 0.94 * size), None, 255, round(line))
    draw.line(_scaled((0.24, 0.76, 0.76, 0.24), size), 255, round(line))


def _paint_reverse(draw: Any, size: int) -> None:
    arrow = [(0.37, 0.88), (0.37, 0.36), (0.5, 0.36), (0.26, 0.05), (0.02, 0.36), (0.15, 0.36)]
    arrow += [(0.15, 0.66), (0.15, 0.88)]
    other = [(1 - x, 1 - y) for x, y in arrow]
    for points in (arrow, other):
        draw.polygon([_scaled(point, size) for point in points], 255)


def _paint_drop(draw: Any, size: int) -> None:
    """Paint a drop that falls into a bowl."""
    draw.polygon([_scaled(point, size) for point in ((0.5, 0.0), (0.68, 0.33), (0.32, 0.33))], 255)
    draw.ellipse(_scaled((0.295, 0.2, 0.705, 0.6), size), 255)
    draw.chord(_scaled((0.04, 0.28, 0.96, 0.98), size), 12, 168, 255)


_GLYPHS: dict[str, Callable[[Any, int], None]] = {
    "S": _paint_skip,
    "R": _paint_reverse,
    "WP": _paint_drop,
}
