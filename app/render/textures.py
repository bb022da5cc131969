"""Textures of a model on the GPU: two-dimensional ones with mipmaps in sRGB, cubes and skyboxes."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.render.device import is_software
from app.scene import TEXTURE_2D
from app.snapshot import ModelView

GL_SRGB8_ALPHA8 = 0x8C43
ANISOTROPY = 8.0


class Textures:
    """The textures of one model by their id."""

    def __init__(self, context: moderngl.Context, model: ModelView) -> None:
        self._items: dict[int, moderngl.Texture | moderngl.TextureCube] = {}
        for i in range(model.ntex):
            pixels = _pixels(model, i)
            make = _flat if model.tex_type[i] == TEXTURE_2D else _cube
            self._items[i] = make(context, pixels)

    def get(self, index: int) -> moderngl.Texture | moderngl.TextureCube | None:
        """The texture, if there is one of this id."""
        return self._items.get(index)

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


def _flat(context: moderngl.Context, pixels: NDArray[np.uint8]) -> moderngl.Texture:
    height, width = pixels.shape[:2]
    texture = context.texture((width, height), 4, pixels.tobytes(), internal_format=GL_SRGB8_ALPHA8)
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    # where every sample costs processor time, a floor took 430 ms with it instead of 130
    if not is_software(context):
        texture.anisotropy = min(ANISOTROPY, context.max_anisotropy)
    return texture


def _cube(context: moderngl.Context, pixels: NDArray[np.uint8]) -> moderngl.TextureCube:
    """Six faces one below the other: right, left, up, down, front, back; or one face for all."""
    height, width = pixels.shape[:2]
    faces = [pixels[k * width : (k + 1) * width] for k in range(6)] if height == 6 * width else [pixels] * 6
    texture = context.texture_cube((width, width), 4, b"".join(face.tobytes() for face in faces))
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture
