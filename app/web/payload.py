"""The container of a replay: a JSON header, then blobs of numbers.

    0   4 bytes   "KTRP"
    4   uint32    length of the header in bytes; all numbers are little-endian
    8             the header, JSON in UTF-8, then zeros up to a multiple of 8
                  the blobs, each at a multiple of 8 bytes from the first one

In the header an array is an object {"at": byte, "type": ..., "shape": [...]}. A raw one (i8, u8, i16, u16, i32, u32,
f32, f64) is its numbers in order of rows. A packed one has besides "bytes", "delta" and, if its values are not whole,
"scale" and "offset", each of them one number or a list with one for each column:

    value = offset + scale * x,   x whole, at most 28 bits

Its blob has the x column after column, as differences along rows: of order `delta` (0, 1 or 2; before the first row all
is zero), zigzag (0, -1, 1, -2 ... as 0, 1, 2, 3 ...), in bytes of 7 bits, lowest first, of which all but the last have
the high bit. gzip does the rest: what is smooth or constant has small differences.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MAGIC = b"KTRP"
# of gzip
LEVEL = 9
# x of packed arrays are below this, so that a decoder needs no more than 32 bits
LARGEST = 1 << 28
# half the diagonal of a cube with edges of one quantum
HALF = 3**0.5 / 2
TYPES = {
    "i1": "i8", "u1": "u8", "i2": "i16", "u2": "u16", "i4": "i32", "u4": "u32", "f4": "f32", "f8": "f64",
}  # fmt: skip

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Entry = dict[str, Any]


class Quantised(NamedTuple):
    """Numbers as whole multiples of a quantum, of which columns may have each their own."""

    ints: Ints
    quantum: Floats
    offset: Floats

    @property
    def values(self) -> Floats:
        """The numbers as they are decoded."""
        return self.offset + self.quantum * self.ints


def quantise(values: Any, quantum: Any, offset: Any = 0.0) -> Quantised:
    """Numbers rounded to within half a quantum; to a coarser one where 28 bits are too few."""
    array, step, zero = (np.asarray(v, float) for v in (values, quantum, offset))
    span = np.abs(array - zero).max(axis=0, initial=0.0)
    step = np.maximum(np.broadcast_to(step, span.shape), span / (LARGEST - 1))
    return Quantised(np.rint((array - zero) / step).astype(np.int64), step, zero)


class Container:
    """Arrays, and the bytes of all of them behind a header."""

    def __init__(self) -> None:
        self._blobs: list[bytes] = []
        # the part of the content that each blob belongs to
        self._parts: list[str] = []
        self.part = ""
        self.size = 0

    def raw(self, values: Any, type_: str) -> Entry:
        """An array as it is, of a numpy type such as "f4"."""
        array = np.ascontiguousarray(values, "<" + type_)
        return {"at": self._add(array.tobytes()), "type": TYPES[type_], "shape": list(array.shape)}

    def whole(self, values: Any, delta: int = 1) -> Entry:
        """Whole numbers, packed."""
        ints = np.asarray(values, np.int64)
        return self._packed(ints, delta)

    def quantised(self, values: Quantised, delta: int | None = None) -> Entry:
        """Rounded numbers; without `delta`, of the order of differences that needs fewer bits."""
        entry = self._packed(values.ints, _better_delta(values.ints) if delta is None else delta)
        return (
            entry
            | {"scale": _plain(values.quantum)}
            | ({"offset": _plain(values.offset)} if values.offset.any() else {})
        )

    def header_and_blobs(self, header: Entry) -> bytes:
        """The whole container."""
        # names may have lone surrogates, which UTF-8 cannot hold; NaN is not JSON
        text = json.dumps(header, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
        head = MAGIC + len(text).to_bytes(4, "little") + text
        return b"".join([head, bytes(-len(head) % 8), *self._blobs])

    def sizes(self) -> dict[str, int]:
        """Compressed bytes of each part, about."""
        found = dict.fromkeys(self._parts, 0)
        for part in found:
            blobs = (blob for blob, of in zip(self._blobs, self._parts, strict=True) if of == part)
            found[part] = len(zlib.compress(b"".join(blobs), LEVEL))
        return found

    def _packed(self, ints: Ints, delta: int) -> Entry:
        blob = varints(differences(ints, delta))
        entry: Entry = {"at": self._add(blob), "bytes": len(blob), "type": "packed", "shape": list(ints.shape)}
        return entry | {"delta": delta}

    def _add(self, blob: bytes) -> int:
        at = self.size
        self._blobs.append(blob + bytes(-len(blob) % 8))
        self._parts.append(self.part)
        self.size += len(self._blobs[-1])
        return at


def differences(ints: Ints, order: int) -> Ints:
    """Differences along the first axis; before the first row all is zero."""
    for _ in range(order):
        ints = np.diff(ints, axis=0, prepend=np.zeros((1, *ints.shape[1:]), np.int64))
    return ints


def varints(ints: Ints) -> bytes:
    """Zigzag numbers in bytes of seven bits, column after column."""
    signed = np.ascontiguousarray(ints.T).ravel()
    rest = ((signed << 1) ^ (signed >> 63)).astype(np.uint64)
    # how many bytes each takes, and where they begin
    length = np.ones(len(rest), np.int64)
    for bits in (7, 14, 21, 28):
        length += rest >= np.uint64(1 << bits)
    at = np.cumsum(length) - length
    coded = np.zeros(int(length.sum()), np.uint8)
    for k in range(int(length.max(initial=0))):
        more = length > k
        coded[at[more] + k] = (rest[more] & np.uint64(127)) + np.where(length[more] > k + 1, 128, 0).astype(np.uint64)
        rest >>= np.uint64(7)
    return coded.tobytes()


def _better_delta(ints: Ints) -> int:
    """The order of differences that needs fewer bits."""
    costs = [float(np.log2(1 + np.abs(differences(ints, order))).sum()) for order in (1, 2)]
    return 1 if costs[0] <= costs[1] else 2


def _plain(values: Floats) -> Any:
    """One number if all are equal, or a list."""
    flat = np.unique(values)
    return float(flat[0]) if len(flat) == 1 else values.tolist()
