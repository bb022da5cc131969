"""A draft of a model whose files take long to read: boxes stand in for its meshes, plain surfaces for its images.

It has the elements, names and poses of the model, and is there in a fraction of the time: of a mesh file only the
vertices are read, of an image nothing. It is for looking at until the model is there; constants that steps need are
left out, so that no native code has to be compiled for it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.mjcf.asset.asset_file import read_asset
from sim.mjcf.asset.mesh_file import STL_HEADER, STL_RECORD, decode, mesh_format
from sim.mjcf.asset.texture import FLAT
from sim.mjcf.asset.texture_file import SIDES, has_file
from sim.mjcf.attach.expand import expand
from sim.mjcf.fill import fill
from sim.mjcf.format.table import read_tree
from sim.mjcf.read import read
from sim.mjcf.records import Mesh, Texture
from sim.mjcf.source import XmlReader, read_main
from sim.model import Model

if TYPE_CHECKING:
    from sim.mjcf.records import Item

# bytes of meshes and images from which on a draft is worth its time: they take a second
MANY_BYTES = 8 << 20
# pixels of a pattern at most
COARSE = 64
# a mesh that is flat gets this thickness, as a share of its length
THINNEST = 0.01
# vertices in a text of the format OBJ
OBJ_VERTEX = re.compile(rb"^v[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)", re.MULTILINE)
# triangles of a box, with corners numbered by the bits of x, y and z
BOX = (
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
)  # fmt: skip


class Draft(NamedTuple):
    """A draft, and how many meshes and images the model has."""

    model: Model
    meshes: int
    images: int


def draft_file(path: str | Path, many: int = MANY_BYTES) -> Draft | None:
    """A draft of a model file; None if its meshes and images have less than `many` bytes."""
    reader = XmlReader(str(path))
    parsed = read(expand(read_tree(read_main(Path(path), reader.files), reader)))
    meshes = [mesh for mesh in parsed.meshes if mesh.file and not mesh.builtin]
    images = [texture for texture in parsed.textures if has_file(texture)]
    if sum(_bytes(reader, item) for item in (*meshes, *images)) < many:
        return None
    for mesh in meshes:
        _make_box(mesh)
    for texture in images:
        _make_plain(texture)
    for texture in parsed.textures:
        # patterns, too, are coarse
        texture.width, texture.height = min(texture.width, COARSE), min(texture.height, COARSE)
    for field in parsed.hfields:
        if field.file:
            # level ground
            field.file, field.nrow, field.ncol, field.elevation = "", 2, 2, ()
    parsed.skins.clear()
    values, names, _, _ = fill(parsed)
    return Draft(Model(values, names, {}), len(meshes), len(images))


def _bytes(reader: XmlReader, item: Item) -> int:
    """How large the file of an asset is; 0 if that is not known before it is read."""
    values = vars(item)
    name = next(filter(None, (values.get(key) for key in ("file", *SIDES))), "")
    folder = Path(reader.name).parent / str(values["folder"])
    try:
        return int((folder / str(name)).stat().st_size)
    except OSError:
        return 0


def _make_box(mesh: Mesh) -> None:
    """Let a mesh be the box around the vertices of its file."""
    vertex = _vertices(read_asset(mesh, mesh.file), mesh_format(mesh.file, mesh.content_type))
    low, high = vertex.min(axis=0).astype(float), vertex.max(axis=0).astype(float)
    thin = THINNEST * float((high - low).max()) / 2
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, max(thin, 1e-6))
    corners = [middle + half * [(k & 1) * 2 - 1, (k & 2) - 1, (k >> 1 & 2) - 1] for k in range(8)]
    mesh.vertex, mesh.face = tuple(np.ravel(corners).tolist()), BOX
    mesh.file, mesh.normal, mesh.texcoord = "", (), ()


def _vertices(data: bytes, kind: str) -> NDArray[np.floating]:
    """The vertices in a mesh file, some of them several times: that takes a tenth of the time of decoding it."""
    if kind == "stl" and len(data) > STL_HEADER:
        count = int.from_bytes(data[STL_HEADER - 4 : STL_HEADER], "little")
        if len(data) == STL_HEADER + count * STL_RECORD.itemsize:
            return np.frombuffer(data, STL_RECORD, count, STL_HEADER)["corners"].reshape(-1, 3)
    if kind == "obj" and (found := OBJ_VERTEX.findall(data)):
        return np.array(found, dtype="S").astype(float)
    return decode(data, kind).vertex


def _make_plain(texture: Texture) -> None:
    """Let a texture be white: its materials have their own colours."""
    for key in ("file", *SIDES):
        setattr(texture, key, "")
    texture.builtin, texture.width, texture.height, texture.nchannel, texture.mark = FLAT, 1, 1, 3, 0
    texture.rgb1 = texture.rgb2 = (1.0, 1.0, 1.0)
