"""Mesh files -> vertices and triangles: STL (binary and ascii), OBJ and MSH.

Vertices of an STL file that agree in every bit are one vertex, in order of appearance. Of an OBJ file the first
group with faces counts; a face with more than three corners becomes a fan around its first one. Whatever is wrong
with a file is a ValueError that says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from .rows import Doubles, Floats, Ints

MSH_TYPE = "model/vnd.mujoco.msh"
LARGEST = 2.0**30
STL_HEADER, STL_TRIANGLE = 84, 50
STL_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])


def no_floats(width: int) -> Floats:
    return np.zeros((0, width), np.float32)


def no_ints() -> Ints:
    return np.zeros((0, 3), np.int32)


@dataclass
class Soup:
    """What a file holds; an empty array is something that it does not say."""

    vertex: Floats = field(default_factory=lambda: no_floats(3))
    normal: Floats = field(default_factory=lambda: no_floats(3))
    texcoord: Floats = field(default_factory=lambda: no_floats(2))
    face: Ints = field(default_factory=no_ints)
    facenormal: Ints = field(default_factory=no_ints)
    facetexcoord: Ints = field(default_factory=no_ints)


def mesh_format(name: str, content_type: str) -> str:
    """The format of a file: as the ending of its name says, unless it is declared to be MSH."""
    return "msh" if content_type == MSH_TYPE else name.rpartition(".")[2].lower()


def decode(data: bytes, kind: str) -> Soup:
    """The mesh in a file of this format."""
    if kind not in DECODERS:
        raise ValueError("the kind of mesh file is not known: its name must end in .stl, .obj or .msh")
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
        raise ValueError(f"the file has {len(data)} bytes, but its header announces {count} triangles: "
                         f"{STL_HEADER + STL_TRIANGLE * count} bytes")
    if not len(corners):
        raise ValueError("the file has no triangles")
    if not (np.abs(corners) <= LARGEST).all():
        raise ValueError("a vertex is not finite, or too far away")
    vertex, index = unique_rows(np.ascontiguousarray(corners, "<f4"))
    return Soup(vertex, face=index.reshape(-1, 3))


def _ascii_corners(data: bytes) -> Floats:
    words = [line.split() for line in data.split(b"\n")]
    rows = [row[1:4] for row in words if row and row[0].lower() == b"vertex"]
    if len(rows) % 3:
        raise ValueError(f"{len(rows)} vertices are not whole triangles")
    if any(len(row) != 3 for row in rows):
        raise ValueError("a vertex does not have three coordinates")
    return _numbers([word for row in rows for word in row], "a coordinate").astype(np.float32).reshape(-1, 3)


def unique_rows(rows: Floats) -> tuple[Floats, Ints]:
    """Rows that differ in a bit, in order of first appearance, and the number of each row among them."""
    bits = rows.view("<i4")
    order = np.lexsort((bits[:, 2], bits[:, 1], bits[:, 0]))
    ordered = bits[order]
    starts = np.ones(len(rows), bool)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    # the sort is stable: a group starts with its first appearance
    first = order[starts]
    rank = np.empty(len(first), np.int32)
    by_appearance = np.argsort(first)
    rank[by_appearance] = np.arange(len(first), dtype=np.int32)
    index = np.empty(len(rows), np.int32)
    index[order] = rank[np.cumsum(starts) - 1]
    return rows[first[by_appearance]], index


# ---- MSH


def _msh(data: bytes) -> Soup:
    if len(data) < 16:
        raise ValueError("the file is too short for a header")
    sizes = [int(n) for n in np.frombuffer(data, "<i4", 4)]
    nvert, nnormal, ntexcoord, nface = sizes
    if nvert < 4 or min(sizes) < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise ValueError(f"its header announces {nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates "
                         f"and {nface} faces")
    lengths = (3 * nvert, 3 * nnormal, 2 * ntexcoord, 3 * nface)
    if len(data) != 16 + 4 * sum(lengths):
        raise ValueError(f"the file has {len(data)} bytes, but its header announces {16 + 4 * sum(lengths)}")
    ends = np.cumsum(lengths)
    words = np.frombuffer(data, "<f4", offset=16)
    vertex, normal, texcoord, face = np.split(words, ends[:-1])
    triangles = face.view("<i4").astype(np.int32).reshape(-1, 3)
    return Soup(
        vertex.astype(np.float32).reshape(-1, 3), normal.astype(np.float32).reshape(-1, 3),
        texcoord.astype(np.float32).reshape(-1, 2), triangles, triangles.copy(),
        triangles.copy() if ntexcoord else no_ints())


# ---- OBJ


def _obj(data: bytes) -> Soup:
    text = data.decode("utf-8", "replace").replace("\r", "\n").replace("\t", " ")
    vertex, normal, texcoord = _rows(text, "v", 3), _rows(text, "vn", 3), _rows(text, "vt", 2)
    texcoord[:, 1] = 1 - texcoord[:, 1]
    soup = Soup(vertex, normal, texcoord)
    part = _first_group(text)
    corners = _plain_triangles(part)
    if corners is None:
        corners = _triangulated(_faces(part))
    soup.face = np.ascontiguousarray(corners[:, :, 0])
    if len(texcoord):
        soup.facetexcoord = np.ascontiguousarray(corners[:, :, 1])
    if len(normal):
        soup.facenormal = np.ascontiguousarray(corners[:, :, 2])
    return soup


def _numbers(words: list[bytes] | list[str], what: str) -> Doubles:
    try:
        return np.array(words, np.float64)
    except ValueError:
        pass
    for word in words:
        try:
            float(word)
        except ValueError:
            shown = word.decode("latin-1") if isinstance(word, bytes) else word
            raise ValueError(f"{what} is '{shown}', which is not a number") from None
    raise ValueError(f"{what} is not a number")


def _rows(text: str, word: str, width: int) -> Floats:
    """The numbers of all lines that start with a word; missing ones are zero, as in `vt u`."""
    rows = [line.split() for line in re.findall(rf"^ *{word} (.*)", text, re.MULTILINE)]
    if any(len(row) != width for row in rows):
        rows = [(row + ["0"] * width)[:width] for row in rows]
    numbers = _numbers([number for row in rows for number in row], f"after '{word}', a number")
    return numbers.astype(np.float32).reshape(-1, width)


def _first_group(text: str) -> str:
    """The text up to the end of the first group or object that has faces."""
    first = re.search(r"^ *f ", text, re.MULTILINE)
    if first is None:
        return ""
    last = re.compile(r"^ *[go]( |$)", re.MULTILINE).search(text, first.start())
    return text[: last.start()] if last else text


Corner: TypeAlias = tuple[int, int, int]


def _plain_triangles(text: str) -> Ints | None:
    """The common case in one go: triangles all of one form, counted from the start."""
    faces = re.findall(r"^ *f (.*)", text, re.MULTILINE)
    if not faces:
        return np.zeros((0, 3, 3), np.int32)
    joined = "\n".join(faces)
    slashes = faces[0].split(None, 1)[0].count("/") if faces[0].strip() else 0
    corner = rf" *\d{{1,9}}(?:/\d{{1,9}}){{{slashes}}}(?= |\n|$)"
    if not re.fullmatch(rf"(?:{corner}){{3}} *(?:\n(?:{corner}){{3}} *)*", joined):
        return None
    numbers = np.array(joined.replace("/", " ").split(), np.int64)
    if numbers.min() < 1:
        return None
    corners = np.full((3 * len(faces), 3), -1, np.int32)
    corners[:, : slashes + 1] = numbers.reshape(-1, slashes + 1) - 1
    return corners.reshape(-1, 3, 3)


def _faces(text: str) -> list[list[Corner]]:
    """Vertex, texture coordinate and normal of each corner, from 0, -1 for none."""
    faces = []
    # how many there were so far, for indices that count backwards
    counts = {"v": 0, "vt": 0, "vn": 0}
    for line in text.split("\n"):
        word, _, rest = line.strip().partition(" ")
        if word in counts:
            counts[word] += 1
        elif word == "f":
            so_far = (counts["v"], counts["vt"], counts["vn"])
            faces.append([_corner(corner, so_far) for corner in rest.split()])
    return faces


def _corner(word: str, sizes: Corner) -> Corner:
    parts = [*word.split("/"), "", ""][:3]
    found = []
    for part, size in zip(parts, sizes, strict=True):
        try:
            index = int(part) if part else 0
        except ValueError:
            raise ValueError(f"'{word}' is no corner of a face") from None
        if (part and index == 0) or not -(2**31) < index < 2**31:
            raise ValueError(f"'{word}' is no corner of a face: indices start at 1")
        found.append(index - 1 if index > 0 else size + index if part else -1)
    return (found[0], found[1], found[2])


def _triangulated(faces: list[list[Corner]]) -> Ints:
    """Polygons become fans around their first corner."""
    triangles: list[list[Corner]] = []
    for face in faces:
        triangles += [[face[0], face[k], face[k + 1]] for k in range(1, len(face) - 1)]
    return np.array(triangles, np.int32).reshape(-1, 3, 3)


DECODERS: dict[str, Callable[[bytes], Soup]] = {"stl": _stl, "obj": _obj, "msh": _msh}
