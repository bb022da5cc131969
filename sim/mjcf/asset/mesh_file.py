"""Decodes mesh files: STL (binary and ASCII), OBJ and MSH.

Vertices of an STL file that are equal bit for bit are merged, in order of appearance. A bad file raises ValueError.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.mjcf.asset.obj_file import number, read_obj
from sim.mjcf.asset.rows import Floats, Ints

MSH_TYPE = "model/vnd.mujoco.msh"
LARGEST = 2.0**30
STL_HEADER, STL_TRIANGLE = 84, 50
# large odd factors of a multiplicative hash of rows
MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
STL_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])


def no_floats(width: int) -> Floats:
    return np.zeros((0, width), np.float32)


def no_ints() -> Ints:
    return np.zeros((0, 3), np.int32)


@dataclass
class Soup:
    """A triangle soup: the content of a file; arrays that it does not have are empty."""

    vertex: Floats = field(default_factory=lambda: no_floats(3))
    normal: Floats = field(default_factory=lambda: no_floats(3))
    texcoord: Floats = field(default_factory=lambda: no_floats(2))
    face: Ints = field(default_factory=no_ints)
    facenormal: Ints = field(default_factory=no_ints)
    facetexcoord: Ints = field(default_factory=no_ints)


def mesh_format(name: str, content_type: str) -> str:
    """The format of a file, by its extension unless content_type is MSH."""
    return "msh" if content_type == MSH_TYPE else name.rpartition(".")[2].lower()


def decode(data: bytes, kind: str) -> Soup:
    """The mesh in a file of this format."""
    if kind not in DECODERS:
        raise ValueError("unknown mesh format: the extension must be .stl, .obj or .msh")
    if not data:
        raise ValueError("the file is empty")
    return DECODERS[kind](data)


# ---- STL


def _stl(data: bytes) -> Soup:
    count = int.from_bytes(data[80:STL_HEADER], "little")
    if len(data) >= STL_HEADER and len(data) == STL_HEADER + STL_TRIANGLE * count:
        corners = np.frombuffer(data, STL_RECORD, offset=STL_HEADER)["corners"].reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        corners = _ascii_corners(data)
    else:
        raise ValueError(
            f"the file has {len(data)} bytes, but its header implies {count} triangles: "
            f"{STL_HEADER + STL_TRIANGLE * count} bytes"
        )
    if not len(corners):
        raise ValueError("the file has no triangles")
    if not (np.abs(corners) <= LARGEST).all():
        raise ValueError("a vertex is not finite, or too large")
    vertex, index = unique_rows(np.ascontiguousarray(corners, "<f4"))
    return Soup(vertex, face=index.reshape(-1, 3))


def _ascii_corners(data: bytes) -> Floats:
    words = [line.split() for line in data.split(b"\n")]
    rows = [row[1:4] for row in words if row and row[0].lower() == b"vertex"]
    if len(rows) % 3:
        raise ValueError(f"{len(rows)} vertices do not make whole triangles")
    if any(len(row) != 3 for row in rows):
        raise ValueError("a vertex does not have three coordinates")
    values = [number(word.decode("latin-1"), "a coordinate") for row in rows for word in row]
    return np.array(values, np.float32).reshape(-1, 3)


def unique_rows(rows: Floats) -> tuple[Floats, Ints]:
    """Unique rows, compared bit for bit, in order of appearance, and the index of each row among them."""
    order, starts = _together(rows.view("<u4"))
    first = np.minimum.reduceat(order, np.flatnonzero(starts))
    rank = np.empty(len(first), np.int32)
    by_appearance = np.argsort(first)
    rank[by_appearance] = np.arange(len(first), dtype=np.int32)
    index = np.empty(len(rows), np.int32)
    index[order] = rank[np.cumsum(starts) - 1]
    return rows[first[by_appearance]], index


def _together(bits: Any) -> tuple[Any, Any]:
    """Indices that sort equal rows together, and where groups begin; sorting hashes takes a quarter of the time."""
    code = bits[:, 0] * MIX[0] + bits[:, 1] * MIX[1] + bits[:, 2] * MIX[2]
    order = np.argsort(code)
    starts, differ = _changes(code[order, None]), _changes(bits[order])
    # a hash collision: sort the rows themselves
    if (starts != differ).any():
        order = np.lexsort((bits[:, 2], bits[:, 1], bits[:, 0]))
        differ = _changes(bits[order])
    return order, differ


def _changes(rows: Any) -> Any:
    """Which rows differ from the row before."""
    return np.concatenate(([True], (rows[1:] != rows[:-1]).any(axis=1)))


# ---- MSH


def _msh(data: bytes) -> Soup:
    if len(data) < 16:
        raise ValueError("the file is too short for a header")
    sizes = [int(n) for n in np.frombuffer(data, "<i4", 4)]
    nvert, nnormal, ntexcoord, nface = sizes
    if nvert < 4 or min(sizes) < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise ValueError(
            f"its header has {nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates and {nface} faces"
        )
    lengths = (3 * nvert, 3 * nnormal, 2 * ntexcoord, 3 * nface)
    if len(data) != 16 + 4 * sum(lengths):
        raise ValueError(f"the file has {len(data)} bytes, but its header implies {16 + 4 * sum(lengths)}")
    ends = np.cumsum(lengths)
    words = np.frombuffer(data, "<f4", offset=16)
    vertex, normal, texcoord, face = np.split(words, ends[:-1])
    triangles = face.view("<i4").astype(np.int32).reshape(-1, 3)
    return Soup(
        vertex.astype(np.float32).reshape(-1, 3),
        normal.astype(np.float32).reshape(-1, 3),
        texcoord.astype(np.float32).reshape(-1, 2),
        triangles,
        triangles.copy(),
        triangles.copy() if ntexcoord else no_ints(),
    )


# ---- OBJ


def _obj(data: bytes) -> Soup:
    (vertex, normal, texcoord), (face, facenormal, facetexcoord) = read_obj(data)
    return Soup(
        vertex,
        normal,
        texcoord,
        face,
        facenormal if len(normal) else no_ints(),
        facetexcoord if len(texcoord) else no_ints(),
    )


DECODERS: dict[str, Callable[[bytes], Soup]] = {"stl": _stl, "obj": _obj, "msh": _msh}
