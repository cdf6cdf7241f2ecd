"""A canvas to draw pictures on: boxes, sprites and text that keeps to its place.

All places and sizes are in units, which the canvas scales to pixels. Shapes are painted several
times larger and scaled down, which smooths their edges, and are kept for the next picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SMOOTHING = 4
"""How many times larger than drawn a shape is painted."""

_LARGE = 1000
"""How many pixels a shape may have on a side before it counts as large."""

_LEAST_TEXT = 0.75
"""To which share of its size a text is made smaller before it is cut."""

Sprite = Image.Image
"""An RGBA image, transparent around the shape."""


@dataclass(frozen=True)
class Area:
    """A rectangle of the picture, in units."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> float:
        """The place half way from left to right."""
        return self.left + self.width / 2


@lru_cache(maxsize=128)
def font(pixels: int) -> Any:
    """Return the font of Pillow in a size of at least one pixel."""
    return ImageFont.load_default(max(1, pixels))


def painted(width: int, height: int, paint: Callable[[Any, int], None]) -> Sprite:
    """Return a sprite of `width` x `height` pixels.

    `paint(draw, k)` paints it `k` times larger.
    """
    # Two is enough for large shapes, which would take much memory.
    k = SMOOTHING if max(width, height) <= _LARGE else 2
    large = Image.new("RGBA", (width * k, height * k))
    paint(ImageDraw.Draw(large), k)
    return large.resize((width, height), Image.Resampling.LANCZOS)


@lru_cache(maxsize=512)
def _box(
    width: int, height: int, radius: int, fill: str | None, line: str | None, thickness: int
) -> Sprite:
    def paint(draw: Any, k: int) -> None:
        corners = (0, 0, width * k - 1, height * k - 1)
        draw.rounded_rectangle(corners, radius * k, fill, line, thickness * k if line else 0)

    return painted(width, height, paint)


@lru_cache(maxsize=64)
def _polygon(width: int, height: int, points: tuple[tuple[float, float], ...], fill: str) -> Sprite:
    def paint(draw: Any, k: int) -> None:
        draw.polygon([(x * width * k, y * height * k) for x, y in points], fill)

    return painted(width, height, paint)


class Canvas:
    """A picture in the making; `scale` is the pixels of one unit."""

    def __init__(self, background: Sprite, scale: float) -> None:
        self.image = background.copy()
        self.scale = scale

    def pixels(self, units: float) -> int:
        """Return a length in pixels, at least one."""
        return max(1, round(units * self.scale))

    def sprite(self, sprite: Sprite, x: float, y: float) -> None:
        """Put a sprite with its center at `x`, `y`."""
        left = round(x * self.scale - sprite.width / 2)
        top = round(y * self.scale - sprite.height / 2)
        self.image.paste(sprite, (left, top), sprite)

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        fill: str | None,
        line: str | None = None,
        radius: float = 8,
        thickness: float = 2,
    ) -> None:
        """Draw a box with round corners; colors are texts such as `#102030` or `#10203080`."""
        shape = _box(
            self.pixels(width),
            self.pixels(height),
            self.pixels(radius),
            fill,
            line,
            self.pixels(thickness),
        )
        self.image.paste(shape, (round(left * self.scale), round(top * self.scale)), shape)

    def disc(self, x: float, y: float, diameter: float, fill: str, line: str) -> None:
        """Draw a filled circle around `x`, `y`."""
        left, top = x - diameter / 2, y - diameter / 2
        self.box(left, top, diameter, diameter, fill, line, diameter / 2)

    def triangle(self, x: float, y: float, size: float, fill: str) -> None:
        """Draw a triangle that points to the right, around `x`, `y`."""
        points = ((0.1, 0.0), (0.95, 0.5), (0.1, 1.0))
        self.sprite(_polygon(self.pixels(size), self.pixels(size), points, fill), x, y)

    def text_width(self, text: str, size: float) -> float:
        """Return how wide a text is, in units."""
        return float(font(self.pixels(size)).getlength(text)) / self.scale

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: str,
        anchor: str = "lm",
        width: float = np.inf,
    ) -> None:
        """Write a line; `anchor` says what lies at `x`, `y`: l/m/r and m for the middle height.

        What is wider than `width` is made smaller, and then cut.
        """
        line, size = self._fitted(" ".join(text.split()), size, width)
        place = (x * self.scale, y * self.scale)
        ImageDraw.Draw(self.image).text(place, line, color, font(self.pixels(size)), anchor)

    def array(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the picture as pixels, shape `[height, width, 3]`."""
        return np.array(self.image.convert("RGB"))

    def _fitted(self, text: str, size: float, width: float) -> tuple[str, float]:
        needed = self.text_width(text, size)
        if needed <= width:
            return text, size
        size *= max(_LEAST_TEXT, 0.97 * width / needed)
        line = text
        while line and self.text_width(line, size) > width:
            text = text[:-1]
            line = text.rstrip() + "…" if text else ""
        return line, size
