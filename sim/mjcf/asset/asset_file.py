"""Files of assets: where they lie, what they hold, and pictures in them.

A file is sought in the folder that the compiler element names, seen from the main file, and by way of the folder of
the file that asks for it; assets given by the caller come first. PNG pictures come out as bytes with as many
channels as asked for.
"""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.mjcf.asset.cache import asset_cache
from sim.mjcf.source import bare
from sim.mjcf.spec import HField, Mesh, Skin, Texture

PNG, KTX = "image/png", "image/ktx"
# by the ending of the name, if content_type does not tell
TYPES = {"png": PNG, "ktx": KTX}
LARGEST_PICTURE = 1 << 28

Picture = NDArray[np.uint8]


def stem(name: str) -> str:
    """A file's name without its folders and its ending."""
    return os.path.splitext(bare(name))[0]


def read_asset(item: Mesh | HField | Skin | Texture, name: str) -> bytes:
    """The content of a file that an asset names."""
    node = item.node
    assert node is not None
    data, _, _ = node.document.reader.read(name, node.document.folder, node, item.folder)
    return data.encode() if isinstance(data, str) else data


def content_type(name: str, given: str) -> str:
    """What a file holds: as given, else as its ending says, else nothing."""
    return given or TYPES.get(name.rpartition(".")[2].lower(), "")


def read_png(data: bytes, channels: int) -> tuple[Picture, bool]:
    """Rows, columns and channels of a picture, and whether it says that its colours are sRGB."""
    return asset_cache.get(("png", data, channels), lambda: _decoded(data, channels))


def _decoded(data: bytes, channels: int) -> tuple[Picture, bool]:
    # only here: a model without pictures loads without the library
    from PIL.PngImagePlugin import PngImageFile

    try:
        # not by Image.open, which has a limit of its own
        with PngImageFile(io.BytesIO(data)) as image:
            if image.width * image.height > LARGEST_PICTURE:
                raise ValueError(f"a picture of {image.width} x {image.height} pixels is too large")
            image.load()
            return _channels(image, channels), "srgb" in image.info
    except (OSError, SyntaxError, ValueError) as why:
        raise ValueError(f"not a PNG picture: {why}") from None


def _channels(image: Any, channels: int) -> Picture:
    # sixteen bits: the upper eight count
    if image.mode.startswith("I"):
        raw = np.asarray(image).astype(np.int64)
        grey = (raw >> 8).clip(0, 255)
        alpha = np.where(raw == image.info.get("transparency", -1), 0, 255)
        return np.dstack([grey, grey, grey, alpha][:channels]).astype(np.uint8)
    if image.mode == "P" or "transparency" in image.info:
        image = image.convert("RGBA")
    if channels == 1:
        # one channel of a picture with colours is its red
        grey = np.asarray(image if image.mode in ("L", "LA", "RGB", "RGBA") else image.convert("L"))
        return np.ascontiguousarray(grey if grey.ndim == 2 else grey[:, :, 0])[:, :, None]
    if image.mode == "RGB" and channels == 3:
        return np.asarray(image)
    # what cannot be seen keeps its colour: no blending with a background
    whole = np.asarray(image.convert("RGBA"))
    return np.ascontiguousarray(whole[:, :, :channels])
