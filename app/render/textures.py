"""Textures of a model on the GPU: 2D, cube and skybox.

Shaders convert sRGB to linear: a software renderer takes three times as long for sRGB textures.
"""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.render.device import is_software
from app.scene.surfaces import layers, texture_pixels
from sim.enums import TEXTURE_2D

ANISOTROPY = 8.0
# material layers that hold colour; the others hold linear data
COLOURS = ("emissive",)
_SRGB = np.arange(256) / 255
TO_LINEAR = np.where(_SRGB <= 0.04045, _SRGB / 12.92, ((_SRGB + 0.055) / 1.055) ** 2.4).astype(np.float32)


class Textures:
    """The textures of one model by id."""

    def __init__(self, context: moderngl.Context, model: ModelView) -> None:
        self._items: dict[int, moderngl.Texture | moderngl.TextureCube] = {}
        self._layers = {i: layers(model, i) for i in range(model.nmat)}
        data = {i for roles in self._layers.values() for role, i in roles.items() if role not in COLOURS}
        for i in range(model.ntex):
            pixels = texture_pixels(model, i)
            flat = model.tex_type[i] == TEXTURE_2D
            self._items[i] = _texture_2d(context, pixels, i in data) if flat else _texture_cube(context, pixels)

    def get(self, index: int) -> moderngl.Texture | moderngl.TextureCube | None:
        """The texture of an id, or None."""
        return self._items.get(index)

    def layers(self, material: int) -> dict[str, moderngl.Texture | moderngl.TextureCube]:
        """The textures of a material except its colour, by role."""
        return {role: self._items[i] for role, i in self._layers.get(material, {}).items()}

    def release(self) -> None:
        """Release GPU memory."""
        for texture in self._items.values():
            texture.release()
        self._items.clear()


def _texture_2d(context: moderngl.Context, pixels: NDArray[np.uint8], data: bool) -> moderngl.Texture:
    """A 2D texture; colour is mipmapped in linear light, as averaging sRGB values would come out too dark."""
    height, width = pixels.shape[:2]
    texture = context.texture((width, height), 4, pixels.tobytes())
    texture.build_mipmaps()
    for level, image in enumerate(() if data else mip_levels(pixels), start=1):
        texture.write(image.tobytes(), level=level)
    texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
    # on a software renderer a floor takes 430 ms with trilinear and anisotropic filtering, 130 ms without
    if not is_software(context):
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.anisotropy = min(ANISOTROPY, context.max_anisotropy)
    return texture


def mip_levels(pixels: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Mip levels 1, 2, ... down to one pixel, averaged in linear light."""
    linear = TO_LINEAR[pixels[:, :, :3]]
    alpha = pixels[:, :, 3:].astype(np.float32) / 255
    image = np.concatenate([linear, alpha], axis=2)
    while image.shape[:2] != (1, 1):
        for axis in (0, 1):
            if image.shape[axis] > 1:
                whole = image.shape[axis] // 2 * 2
                even, odd = (image.take(range(start, whole, 2), axis) for start in (0, 1))
                image = (even + odd) / 2
        srgb = np.where(image <= 0.0031308, 12.92 * image, 1.055 * image ** (1 / 2.4) - 0.055)
        srgb[:, :, 3] = image[:, :, 3]
        yield (255 * srgb + 0.5).astype(np.uint8)


def _texture_cube(context: moderngl.Context, pixels: NDArray[np.uint8]) -> moderngl.TextureCube:
    """A cube map from six faces one below the other (right, left, up, down, front, back) or one face for all."""
    height, width = pixels.shape[:2]
    faces = [pixels[k * width : (k + 1) * width] for k in range(6)] if height == 6 * width else [pixels] * 6
    texture = context.texture_cube((width, width), 4, b"".join(face.tobytes() for face in faces))
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture
