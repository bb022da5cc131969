"""Reads asset files: lookup, content type, and decoding of PNG images.

A file is looked up in the caller's assets, then in meshdir or texturedir relative to the main file, then relative to
the file that names it. PNG images are decoded to bytes with the number of channels asked for.
"""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.mjcf.asset.cache import asset_cache
from sim.mjcf.records import HField, Mesh, Skin, Texture
from sim.mjcf.source import bare

PNG, KTX = "image/png", "image/ktx"
# by file extension, if there is no content_type
TYPES = {"png": PNG, "ktx": KTX}
LARGEST_IMAGE = 1 << 28

Image = NDArray[np.uint8]


def stem(name: str) -> str:
    """A file's base name without its extension."""
    return os.path.splitext(bare(name))[0]


def read_asset(item: Mesh | HField | Skin | Texture, name: str) -> bytes:
    """The content of a file that an asset names."""
    node = item.node
    assert node is not None
    reader = node.document.reader
    data, path, _ = reader.read(name, node.document.folder, node, item.folder)
    if name == item.file:
        # a file that was given is found where it would have been on disk
        item.path = str(reader.folder / path) if reader.store is None else path
    return data.encode() if isinstance(data, str) else data


def content_type(name: str, given: str) -> str:
    """Content type of a file: as given, else by its extension, else empty."""
    return given or TYPES.get(name.rpartition(".")[2].lower(), "")


def read_png(data: bytes, channels: int) -> tuple[Image, bool]:
    """An image as (row, column, channel), and whether it is marked as sRGB."""
    return asset_cache.get(("png", data, channels), lambda: _decoded(data, channels))


def _decoded(data: bytes, channels: int) -> tuple[Image, bool]:
    # imported here: a model without images does not need the library
    from PIL.PngImagePlugin import PngImageFile

    try:
        # not Image.open, which has another limit
        with PngImageFile(io.BytesIO(data)) as image:
            if image.width * image.height > LARGEST_IMAGE:
                raise ValueError(f"an image of {image.width} x {image.height} pixels is too large")
            image.load()
            return _channels(image, channels), "srgb" in image.info
    except MemoryError:
        raise
    except Exception as why:
        # of a damaged file it raises anything
        raise ValueError(f"not a PNG image: {why}") from None


def _channels(image: Any, channels: int) -> Image:
    # 16 bits: keep the upper eight
    if image.mode.startswith("I"):
        raw = np.asarray(image).astype(np.int64)
        grey = (raw >> 8).clip(0, 255)
        alpha = np.where(raw == image.info.get("transparency", -1), 0, 255)
        return np.dstack([grey, grey, grey, alpha][:channels]).astype(np.uint8)
    if image.mode == "P" or "transparency" in image.info:
        image = image.convert("RGBA")
    if channels == 1:
        # one channel of a colour image is its red
        grey = np.asarray(image if image.mode in ("L", "LA", "RGB", "RGBA") else image.convert("L"))
        return np.ascontiguousarray(grey if grey.ndim == 2 else grey[:, :, 0])[:, :, None]
    if image.mode == "RGB" and channels == 3:
        return np.asarray(image)
    # transparent pixels keep their colour: no blending with a background
    whole = np.asarray(image.convert("RGBA"))
    return np.ascontiguousarray(whole[:, :, :channels])
