"""Sizes of images and videos: what the user may type, what the GPU and the formats allow, and what a size costs."""

from __future__ import annotations

import re

Size = tuple[int, int]

# choices of the menu: what is remembered, and its name; empty is the size of the view on the screen
PRESETS = {
    "": "same as the view",
    "1280x720": "1280 x 720",
    "1920x1080": "1920 x 1080 (full HD)",
    "3840x2160": "3840 x 2160 (4K)",
    "1080x1080": "1080 x 1080 (square)",
}
# of any GPU; and in all, so that memory suffices: 8192 x 8192
MAX_LENGTH, MAX_PIXELS = 16384, 2**26
# a size with fewer times the pixels of the view costs nothing worth a word
NOTABLE = 1.5


def parse_size(text: str) -> Size | None:
    """1280x720, 1280 x 720, 1280, 720 or 1280 720 -> (1280, 720); None if it is not a size."""
    found = re.fullmatch(r"\s*(\d{1,6})(?:\s*[xX×,]\s*|\s+)(\d{1,6})\s*", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    return size if min(size) > 0 else None


def size_text(size: Size) -> str:
    """1280 x 720."""
    return f"{size[0]} x {size[1]}"


def size_fault(size: Size, largest: int = MAX_LENGTH) -> str:
    """Why an image cannot have this size; empty if it can. `largest` is the GPU's limit of either length."""
    if max(size) > min(largest, MAX_LENGTH):
        return (
            f"{size_text(size)} is too large: this GPU draws at most {min(largest, MAX_LENGTH)} pixels in each "
            "direction"
        )
    if size[0] * size[1] > MAX_PIXELS:
        return f"{size_text(size)} is too large: {MAX_PIXELS / 1e6:.0f} million pixels at most, say 8192 x 8192"
    return ""


def scaled_down(size: Size, width: int) -> Size:
    """The size at the same aspect and at most this wide; 0 is as it is."""
    if not 0 < width < size[0]:
        return size
    return width, max(round(size[1] * width / size[0]), 1)


def size_cost(size: Size, shown: Size) -> str:
    """What a size costs beside that of the view; empty if that is little."""
    ratio = size[0] * size[1] / max(shown[0] * shown[1], 1)
    if ratio < NOTABLE or min(shown) < 1:
        return ""
    pixels = size[0] * size[1] / 1e6
    return f"{pixels:.1f} million pixels, {ratio:.0f} times the view: each frame takes about that much longer to draw"
