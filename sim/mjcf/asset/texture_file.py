"""Textures from files: one image, a cube from a grid in one image, or a cube from up to six images.

A cube or a skybox is six square images below each other: right, left, up, down, front, back; a side without a file has
the colour rgb1. A single square image is repeated on all six sides, and stored once. The bytes of a KTX file are stored
unchanged, as one row.
"""

from __future__ import annotations

from math import prod

import numpy as np

from sim import enums
from sim.mjcf.asset.asset_file import KTX, PNG, Image, content_type, read_asset, read_png
from sim.mjcf.records import MemoryBudget, Texture

AUTO, LINEAR, SRGB = range(3)
SIDES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
LETTERS = "RLUDFB"
MOST_SQUARES = 12


def has_file(texture: Texture) -> bool:
    return bool(texture.file) or any(getattr(texture, side) for side in SIDES)


def load_texture(texture: Texture, budget: MemoryBudget) -> Image:
    """All bytes of a texture; sets its width, height, channels and colour space."""
    if texture.file:
        whole = _image(texture, texture.file) if texture.type == enums.TEXTURE_2D else _from_one(texture)
    elif texture.type == enums.TEXTURE_2D:
        raise texture.error("a 2d texture needs a single file", "set file")
    else:
        whole = _from_six(texture)
    budget.reserve(texture, whole.nbytes)
    texture.height, texture.width = whole.shape[:2]
    return whole.ravel()


def _image(texture: Texture, name: str) -> Image:
    """One file, flipped by hflip and vflip."""
    kind = content_type(name, texture.content_type)
    if kind not in (PNG, KTX):
        raise texture.error(
            f"unknown format of image file '{name}'",
            "the extension must be .png or .ktx, or set content_type",
        )
    data = read_asset(texture, name)
    srgb = False
    if kind == KTX:
        if texture.hflip or texture.vflip:
            raise texture.error(f"file '{name}': a KTX image cannot be flipped", "remove hflip and vflip")
        if not data:
            raise texture.error(f"file '{name}' is empty")
        texture.nchannel = 1
        image = np.frombuffer(data, np.uint8).reshape(1, -1, 1)
    else:
        if texture.nchannel not in (1, 3, 4):
            raise texture.error(f"nchannel is {texture.nchannel}", "it must be 1, 3 or 4 for a PNG image")
        try:
            image, srgb = read_png(data, texture.nchannel)
        except ValueError as why:
            raise texture.error(f"file '{name}': {why}") from None
    if texture.colorspace == AUTO:
        texture.colorspace = SRGB if srgb else LINEAR
    return image[:: -1 if texture.vflip else 1, :: -1 if texture.hflip else 1]


def _from_one(texture: Texture) -> Image:
    """One image for all sides, or a grid of sides, identified by `gridlayout`."""
    rows, columns = texture.gridsize
    if min(rows, columns) < 1 or rows * columns > MOST_SQUARES:
        raise texture.error(f"gridsize is {rows} {columns}", f"the grid must have 1 to {MOST_SQUARES} squares")
    image = _image(texture, texture.file)
    height, width = image.shape[:2]
    if height % rows or width % columns or height // rows != width // columns:
        raise texture.error(
            f"file '{texture.file}': {width} x {height} pixels are not {columns} x {rows} squares",
            "gridsize is rows, then columns",
        )
    if prod(texture.gridsize) == 1:
        return image
    side = width // columns
    found: dict[int, Image] = {}
    for k, letter in enumerate(texture.gridlayout):
        if letter in LETTERS:
            r, c = divmod(k, columns)
            found[LETTERS.index(letter)] = image[r * side : (r + 1) * side, c * side : (c + 1) * side]
        elif letter != ".":
            raise texture.error(f"gridlayout has a '{letter}'", f"use the letters {LETTERS} and the dot")
    return _stacked(texture, found, side)


def _from_six(texture: Texture) -> Image:
    found: dict[int, Image] = {}
    side = 0
    for k, name in enumerate(getattr(texture, attribute) for attribute in SIDES):
        if name:
            found[k] = _image(texture, name)
            height, width = found[k].shape[:2]
            if height != width:
                raise texture.error(f"file '{name}': the image is {width} x {height} pixels", "it must be square")
            if side not in (0, width):
                raise texture.error(
                    f"file '{name}': the image is {width} pixels wide, another is {side}",
                    "all must have the same size",
                )
            side = width
    return _stacked(texture, found, side)


def _stacked(texture: Texture, found: dict[int, Image], side: int) -> Image:
    colour = np.trunc(255 * np.array((*texture.rgb1, 1.0))).astype(np.int64).astype(np.uint8)
    plain = np.broadcast_to(colour[: texture.nchannel], (side, side, texture.nchannel))
    return np.concatenate([found.get(k, plain) for k in range(6)])


def check_reference(texture: Texture) -> None:
    """Check that a texture with embed="false" is one file that is used as it is; its pixels are read all the same."""
    reasons = {
        "it is builtin": texture.builtin,
        "it is flipped": texture.hflip or texture.vflip,
        "it is a grid": prod(texture.gridsize) > 1,
        "it is not a single file": not texture.file,
    }
    for reason, true in reasons.items():
        if not texture.embed and true:
            raise texture.error(f"it cannot be stored by reference: {reason}", 'remove embed="false"')
