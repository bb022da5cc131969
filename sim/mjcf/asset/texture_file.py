"""Textures from files: a picture, a cube cut out of one picture, or a cube from up to six pictures.

A cube or a skybox is six square pictures below each other: right, left, up, down, front, back; a side that no file
shows has the colour rgb1. A square picture alone stays one picture, which all six sides show. The bytes of a KTX
file are passed on as they are, as one row.
"""

from __future__ import annotations

from math import prod

import numpy as np

from sim.enums import TEXTURE_2D
from sim.mjcf.asset.asset_file import KTX, PNG, Picture, content_type, read_asset, read_png
from sim.mjcf.spec import MemoryBudget, Texture

AUTO, LINEAR, SRGB = range(3)
SIDES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
LETTERS = "RLUDFB"
MOST_SQUARES = 12


def has_file(texture: Texture) -> bool:
    return bool(texture.file) or any(getattr(texture, side) for side in SIDES)


def load_texture(texture: Texture, budget: MemoryBudget) -> Picture:
    """All bytes of a texture; its width, height, channels and colour space become those of the picture."""
    if texture.file:
        whole = _picture(texture, texture.file) if texture.type == TEXTURE_2D else _from_one(texture)
    elif texture.type == TEXTURE_2D:
        raise texture.error("a 2d texture has one file", "write file=")
    else:
        whole = _from_six(texture)
    budget.reserve(texture, whole.nbytes)
    texture.height, texture.width = whole.shape[:2]
    return whole.ravel()


def _picture(texture: Texture, name: str) -> Picture:
    """One file, flipped as the texture wants it."""
    kind = content_type(name, texture.content_type)
    if kind not in (PNG, KTX):
        raise texture.error(
            f"file '{name}' is neither a PNG nor a KTX picture",
            "its name must end in .png or .ktx, or content_type say what it is",
        )
    data = read_asset(texture, name)
    srgb = False
    if kind == KTX:
        if texture.hflip or texture.vflip:
            raise texture.error(f"file '{name}': a KTX picture cannot be flipped")
        if not data:
            raise texture.error(f"file '{name}' is empty")
        texture.nchannel = 1
        picture = np.frombuffer(data, np.uint8).reshape(1, -1, 1)
    else:
        if texture.nchannel not in (1, 3, 4):
            raise texture.error(f"nchannel is {texture.nchannel}", "a PNG picture gives 1, 3 or 4 channels")
        try:
            picture, srgb = read_png(data, texture.nchannel)
        except ValueError as why:
            raise texture.error(f"file '{name}': {why}") from None
    if texture.colorspace == AUTO:
        texture.colorspace = SRGB if srgb else LINEAR
    return picture[:: -1 if texture.vflip else 1, :: -1 if texture.hflip else 1]


def _from_one(texture: Texture) -> Picture:
    """A picture for all sides, or a grid of them, `gridlayout` telling which is which."""
    rows, columns = texture.gridsize
    if min(rows, columns) < 1 or rows * columns > MOST_SQUARES:
        raise texture.error(f"gridsize is {rows} {columns}", f"it has 1 to {MOST_SQUARES} squares")
    picture = _picture(texture, texture.file)
    height, width = picture.shape[:2]
    if height % rows or width % columns or height // rows != width // columns:
        raise texture.error(
            f"file '{texture.file}': {width} x {height} pixels are not {columns} x {rows} squares",
            "gridsize gives rows, then columns",
        )
    if prod(texture.gridsize) == 1:
        return picture
    side = width // columns
    found: dict[int, Picture] = {}
    for k, letter in enumerate(texture.gridlayout):
        if letter in LETTERS:
            r, c = divmod(k, columns)
            found[LETTERS.index(letter)] = picture[r * side : (r + 1) * side, c * side : (c + 1) * side]
        elif letter != ".":
            raise texture.error(f"gridlayout has a '{letter}'", f"its letters are {LETTERS} and the dot")
    return _stacked(texture, found, side)


def _from_six(texture: Texture) -> Picture:
    found: dict[int, Picture] = {}
    side = 0
    for k, name in enumerate(getattr(texture, attribute) for attribute in SIDES):
        if name:
            found[k] = _picture(texture, name)
            height, width = found[k].shape[:2]
            if height != width:
                raise texture.error(f"file '{name}': the picture is {width} x {height} pixels", "it must be square")
            if side not in (0, width):
                raise texture.error(
                    f"file '{name}': the picture is {width} pixels wide, another one {side}", "all sides must be alike"
                )
            side = width
    return _stacked(texture, found, side)


def _stacked(texture: Texture, found: dict[int, Picture], side: int) -> Picture:
    colour = np.trunc(255 * np.array((*texture.rgb1, 1.0))).astype(np.int64).astype(np.uint8)
    plain = np.broadcast_to(colour[: texture.nchannel], (side, side, texture.nchannel))
    return np.concatenate([found.get(k, plain) for k in range(6)])


def check_layout(texture: Texture) -> None:
    """The letters of a grid, if there are any, are as many as its squares."""
    given = texture.gridlayout
    if given and len(given) != prod(texture.gridsize):
        raise texture.error(
            f'gridlayout="{given}" has {len(given)} letters', f"gridsize has {prod(texture.gridsize)} squares"
        )
