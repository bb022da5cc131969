"""Textures of a model on the GPU: two-dimensional ones, cubes and skyboxes, as they are in the model.

Shaders make colours linear: a software renderer takes three times as long for textures that it has to make linear
itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.render.device import is_software
from app.run.snapshot import ModelView
from app.scene.surfaces import layers
from sim.enums import TEXTURE_2D

ANISOTROPY = 8.0
# the layers of a material that are colours; the others are numbers
COLOURS = ("emissive",)
_STEPS = np.arange(256) / 255
TO_LINEAR = np.where(_STEPS <= 0.04045, _STEPS / 12.92, ((_STEPS + 0.055) / 1.055) ** 2.4).astype(np.float32)


class Textures:
    """The textures of one model by their id."""

    def __init__(self, context: moderngl.Context, model: ModelView) -> None:
        self._items: dict[int, moderngl.Texture | moderngl.TextureCube] = {}
        self._layers = {i: layers(model, i) for i in range(model.nmat)}
        numbers = {i for roles in self._layers.values() for role, i in roles.items() if role not in COLOURS}
        for i in range(model.ntex):
            pixels = _pixels(model, i)
            flat = model.tex_type[i] == TEXTURE_2D
            self._items[i] = _flat(context, pixels, i in numbers) if flat else _cube(context, pixels)

    def get(self, index: int) -> moderngl.Texture | moderngl.TextureCube | None:
        """The texture, if there is one of this id."""
        return self._items.get(index)

    def layers(self, material: int) -> dict[str, moderngl.Texture | moderngl.TextureCube]:
        """The textures of a material besides that of its colour, by role."""
        return {role: self._items[i] for role, i in self._layers.get(material, {}).items()}

    def release(self) -> None:
        """Give the memory back."""
        for texture in self._items.values():
            texture.release()
        self._items.clear()


def _pixels(model: ModelView, index: int) -> NDArray[np.uint8]:
    """Rows from top to bottom, RGBA."""
    width, height = int(model.tex_width[index]), int(model.tex_height[index])
    channels, start = int(model.tex_nchannel[index]), int(model.tex_adr[index])
    raw = np.asarray(model.tex_data[start : start + width * height * channels], dtype=np.uint8)
    raw = raw.reshape(height, width, channels)
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    pixels[:, :, :channels] = raw if channels >= 3 else raw[:, :, :1]
    if channels < 3:
        pixels[:, :, 1:3] = raw[:, :, :1]
    return pixels


def _flat(context: moderngl.Context, pixels: NDArray[np.uint8], numbers: bool) -> moderngl.Texture:
    """With mipmaps that average numbers, or light: the GPU's own would average sRGB values and come out too dark."""
    height, width = pixels.shape[:2]
    texture = context.texture((width, height), 4, pixels.tobytes())
    texture.build_mipmaps()
    for level, part in enumerate(() if numbers else mip_levels(pixels), start=1):
        texture.write(part.tobytes(), level=level)
    texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
    # where every sample costs processor time, a floor took 430 ms with these instead of 130
    if not is_software(context):
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.anisotropy = min(ANISOTROPY, context.max_anisotropy)
    return texture


def mip_levels(pixels: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Ever smaller copies down to one pixel, each half the size, averaged in linear light."""
    linear = TO_LINEAR[pixels[:, :, :3]]
    alpha = pixels[:, :, 3:].astype(np.float32) / 255
    part = np.concatenate([linear, alpha], axis=2)
    while part.shape[:2] != (1, 1):
        for axis in (0, 1):
            if part.shape[axis] > 1:
                whole = part.shape[axis] // 2 * 2
                even, odd = (part.take(range(start, whole, 2), axis) for start in (0, 1))
                part = (even + odd) / 2
        srgb = np.where(part <= 0.0031308, 12.92 * part, 1.055 * part ** (1 / 2.4) - 0.055)
        srgb[:, :, 3] = part[:, :, 3]
        yield (255 * srgb + 0.5).astype(np.uint8)


def _cube(context: moderngl.Context, pixels: NDArray[np.uint8]) -> moderngl.TextureCube:
    """Six faces one below the other: right, left, up, down, front, back; or one face for all."""
    height, width = pixels.shape[:2]
    faces = [pixels[k * width : (k + 1) * width] for k in range(6)] if height == 6 * width else [pixels] * 6
    texture = context.texture_cube((width, width), 4, b"".join(face.tobytes() for face in faces))
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture
