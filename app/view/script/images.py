"""Images that a script shows: in rectangles over the view, or in panels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ImageOver:
    """Pixels in a rectangle of the view: left, bottom, width and height in its pixels, as MuJoCo counts them."""

    left: int
    bottom: int
    width: int
    height: int
    pixels: Pixels


def image_over(rect: Any, pixels: Any) -> ImageOver:
    """An image from a rectangle, MuJoCo's or four numbers, and pixels."""
    names = ("left", "bottom", "width", "height")
    numbers = [getattr(rect, name) for name in names] if hasattr(rect, "bottom") else list(rect)
    if len(numbers) != 4 or min(numbers[2:]) <= 0:
        raise ValueError(f"an image rectangle needs left, bottom, width and height, not {rect!r}")
    left, bottom, width, height = (int(number) for number in numbers)
    return ImageOver(left, bottom, width, height, checked_pixels(pixels))


def checked_pixels(pixels: Any) -> Pixels:
    """A copy of (H, W, 3) or (H, W, 4) bytes with an opacity."""
    array = np.asarray(pixels)
    if array.ndim != 3 or array.shape[2] not in (3, 4) or array.dtype != np.uint8 or not array.size:
        raise ValueError(f"an image needs uint8 pixels (height, width, 3), not {array.dtype} of shape {array.shape}")
    copy = np.full((*array.shape[:2], 4), 255, np.uint8)
    copy[:, :, : array.shape[2]] = array
    return copy
