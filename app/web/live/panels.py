"""What the panels of a frame are made of, as bytes: draw lists and textures of ImGui, whoever reads them from it."""

from __future__ import annotations

import io
from collections import deque
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
# left, top, width, height
Block = tuple[int, int, int, int]

# a coloured texture from this many pixels on is sent as a file, smaller ones as they are
FILE_PIXELS = 4096
# of a JPEG
QUALITY = 90
# changes of a texture that are known one by one; whoever has seen fewer gets all of it
MOST_CHANGES = 64


class PanelList(NamedTuple):
    """A draw list: commands of eight words, vertices, and indices of two or four bytes."""

    name: str
    commands: bytes
    vertices: bytes
    indices: bytes
    wide: bool


@dataclass
class Texture:
    """The pixels of a texture, and what of them has changed when."""

    number: int
    pixels: Pixels
    # of the whole, and the last one
    made: int
    version: int
    changes: deque[tuple[int, Block]] = field(default_factory=deque)
    # the newest change that is not known any more
    forgotten: int = 0
    # the whole as it is sent, by version
    coded: tuple[int, str, bytes] | None = None

    def blocks_since(self, version: int) -> list[Block] | None:
        """What has changed since a version; None if all of it has to be sent."""
        if version < max(self.made, self.forgotten):
            return None
        return [block for number, block in self.changes if number > version]

    def change(self, version: int, blocks: list[Block]) -> None:
        """Note what has changed."""
        self.changes.extend((version, block) for block in blocks)
        while len(self.changes) > MOST_CHANGES:
            self.forgotten = self.changes.popleft()[0]

    def whole(self) -> tuple[str, bytes]:
        """All pixels, and in which form."""
        if self.coded is None or self.coded[0] != self.version:
            self.coded = self.version, *coded_pixels(self.pixels)
        return self.coded[1:]


class Textures:
    """All textures of one ImGui context, with their pixels, so that a page that comes later can be sent them too."""

    def __init__(self) -> None:
        self.items: dict[int, Texture] = {}
        self._version = 0
        self._last = 0

    def create(self, pixels: Pixels) -> int:
        """A new texture; returns its number."""
        self._version += 1
        self._last += 1
        self.items[self._last] = Texture(self._last, pixels.copy(), self._version, self._version)
        return self._last

    def update(self, number: int, pixels: Pixels, blocks: list[Block]) -> None:
        """Some blocks have other pixels now."""
        texture = self.items[number]
        # a page may be reading the old ones on another thread
        after = texture.pixels.copy()
        self._version += 1
        for x, y, w, h in blocks:
            after[y : y + h, x : x + w] = pixels[y : y + h, x : x + w]
        texture.change(self._version, blocks)
        texture.pixels, texture.version = after, self._version

    def destroy(self, number: int) -> None:
        """Forget a texture."""
        self.items.pop(number, None)

    def shown(self) -> tuple[Texture, ...]:
        """The textures as they are now; what changes later changes others."""
        return tuple(replace(texture, changes=texture.changes.copy()) for texture in self.items.values())


def coded_pixels(pixels: Pixels) -> tuple[str, bytes]:
    """RGBA pixels in the shortest of three forms: alpha alone where all is white, an image file, or as they are."""
    if (pixels[..., :3] == 255).all(axis=-1)[pixels[..., 3] > 0].all():
        return "a", np.ascontiguousarray(pixels[..., 3]).tobytes()
    height, width = pixels.shape[:2]
    if height * width < FILE_PIXELS:
        return "rgba", np.ascontiguousarray(pixels).tobytes()
    file = io.BytesIO()
    if (pixels[..., 3] == 255).all():
        Image.fromarray(np.ascontiguousarray(pixels[..., :3])).save(file, "JPEG", quality=QUALITY, subsampling=0)
    else:
        Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG")
    return "image", file.getvalue()
