"""A decoder of replays in plain Python, written from the description of the format alone."""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
from typing import Any

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]
SIZES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4}


class Replay:
    """Header and arrays of a container."""

    def __init__(self, data: bytes) -> None:
        assert data[:4] == b"KTRP"
        length = int.from_bytes(data[4:8], "little")
        self.header = json.loads(data[8 : 8 + length].decode("utf-8"))
        self._blobs = data[8 + length + -(8 + length) % 8 :]

    def array(self, entry: dict[str, Any]) -> list[Any]:
        """An array as rows, or as a list of numbers if it has one axis."""
        assert entry["at"] % 8 == 0
        rows, columns = entry["shape"][0], math.prod(entry["shape"][1:])
        flat = self._unpacked(entry, rows, columns) if entry["type"] == "packed" else self._raw(entry, rows * columns)
        if len(entry["shape"]) == 1:
            return flat
        return [flat[row * columns : (row + 1) * columns] for row in range(rows)]

    def _raw(self, entry: dict[str, Any], count: int) -> list[Any]:
        import struct

        if entry["type"] in ("f32", "f64"):
            return list(
                struct.unpack_from(f"<{count}{'f' if entry['type'] == 'f32' else 'd'}", self._blobs, entry["at"])
            )
        size = SIZES[entry["type"]]
        parts = (self._blobs[entry["at"] + k * size :][:size] for k in range(count))
        return [int.from_bytes(part, "little", signed=entry["type"][0] == "i") for part in parts]

    def _unpacked(self, entry: dict[str, Any], rows: int, columns: int) -> list[Any]:
        coded = iter(self._blobs[entry["at"] : entry["at"] + entry["bytes"]])
        found: list[Any] = [0] * (rows * columns)
        for column in range(columns):
            scale, offset = (_of_column(entry.get(name), column) for name in ("scale", "offset"))
            sums = [0] * entry["delta"]
            for row in range(rows):
                number = _signed(coded)
                for k in range(len(sums)):
                    sums[k] += number
                    number = sums[k]
                found[row * columns + column] = number if scale is None else (offset or 0.0) + scale * number
        assert next(coded, None) is None
        return found


def replay_of_page(text: str) -> Replay:
    """The replay in a page."""
    payload = re.search(r'<script type="application/octet-stream" id="payload">([^<]*)</script>', text)
    assert payload is not None
    return Replay(gzip.decompress(base64.b64decode(payload[1].strip(), validate=True)))


def world_poses(replay: Replay, frame: int) -> list[tuple[Vector, Quaternion]]:
    """Position and quaternion of every node in the world."""
    nodes = replay.header["nodes"]
    parent, rest, moving, pivot = (replay.array(nodes[name]) for name in ("parent", "rest", "moving", "pivot"))
    positions, rotations = (replay.array(nodes[name]) for name in ("position", "rotation"))
    found: list[tuple[Vector, Quaternion]] = []
    for node in range(nodes["count"]):
        place, turn = tuple(rest[node][:3]), tuple(rest[node][3:])
        if node in moving:
            j = moving.index(node)
            turn = times(turn, exponential(rotations[frame][3 * j : 3 * j + 3]))
            back = turned(turn, pivot[j])
            place = tuple(place[k] + positions[frame][3 * j + k] - back[k] for k in range(3))
        if node:
            above, by = found[parent[node]]
            way = turned(by, place)
            place, turn = tuple(above[k] + way[k] for k in range(3)), times(by, turn)
        found.append((place, turn))
    return found


def times(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product of quaternions."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def turned(q: Quaternion, v: Any) -> Vector:
    """A vector, rotated."""
    _, x, y, z = times(times(q, (0.0, v[0], v[1], v[2])), (q[0], -q[1], -q[2], -q[3]))
    return x, y, z


def exponential(v: Any) -> Quaternion:
    """The quaternion of a rotation vector."""
    angle = math.sqrt(sum(x * x for x in v))
    s = math.sin(angle / 2) / angle if angle else 0.5
    return math.cos(angle / 2), s * v[0], s * v[1], s * v[2]


def _of_column(value: Any, column: int) -> Any:
    return value[column] if isinstance(value, list) else value


def _signed(coded: Any) -> int:
    number, shift = 0, 0
    while True:
        byte = next(coded)
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            assert number < 1 << 32
            return number >> 1 if number % 2 == 0 else -(number >> 1) - 1
