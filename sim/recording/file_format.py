"""Payloads of the frames of a recording, packed and unpacked; `frames.py` says how frames follow one another.

All numbers are little-endian; JSON is UTF-8, and may have NaN and Infinity as Python writes them. Ids of segments and
edits count from 0 in the order of the file. A row is the state of a moment as float64s (`sim.record_signature`).

    HEAD  JSON: program, python, numpy, numba, machine, system, when (UTC): what has made the recording
    FILE  a file of a model: 32 bytes SHA-256 of its content, uint64 its length, content compressed by zlib
    MODL  JSON: a version of the model, that is one reading of its file
              version    counts from 0
              name       of the file, for people
              entry      the main file, a name of `files`
              files      [[name, SHA-256 in hex], ...], names relative to one folder, with slashes; FILE frames precede
              given      the same for files that a caller gave in memory, found by base name
              folder     that folder in full, where a file of the model names others so; else ""
              packages   {environment variable: [folder, ...]}, relative: where packages of ROS were looked for
              start_key  number of the keyframe that a run begins with, -1 for qpos0
              digest     SHA-256 in hex over the compiled Model: `model_files.digest`
              engine     what simulated it, with its version, such as "MuJoCo 4.0.0"; left out: Kinetoscope's own
    BRAN  JSON: id, parent (-1: none), fork, name, colour. The second of an id renames it
    EDIT  uint32 id, then JSON compressed by zlib: what differs between the model and its file
              cells      {field: [[flat index, bit or 0, value], ...]}
              keys       [[name of a keyframe that was added, {field: [numbers]}], ...]
    SEGM  a segment: steps of a branch that were made with one model and without interference
              0   int32    branch
              4   uint32   id of the segment
              8   int64    first step: that at which the segment before it ends, or the fork
              16  int32    version of the model
              20  uint32   id of the edits
              24  float64  simulated time at the first step
              32  float64  timestep
              40  uint32   bits: 1 all rows are in blocks, for a script made the steps; 2 the first row is a change
              44  uint32   count of numbers in which the first row differs from the last row before it
              48  uint32   length of the note
              52           int32 each: indices in the row; float64 each: values; JSON of the note, for the application
    ROWS  rows that the BLCK after it gives their place
              0   uint32   count of rows
              4   uint32   numbers in a row
              8            zlib: first byte of every float64, then the second one of each, ...; numbers are in the order
                           of columns: all rows of column 0, all of column 1, ...
    BLCK  uint32 id of the segment, then for each block int64 first step and uint32 count: where the rows belong
    STEP  steps of a segment were made
              0   uint32   id of the segment
              4   uint32   bits: 1 there is a checksum
              8   int64    first step of the checksum
              16  int64    last step of the segment up to now
              24  uint32   CRC-32 of the rows from the first to the last step, 8 bytes a number
    UNDO  uint32 id of a segment that has no step and is the last of its branch: it is replaced by the next
    NOTE  uint8 length of a kind, the kind in ASCII, JSON for the application
    DROP  JSON: branch; it was removed
    DONE  JSON: {}; the recording has ended orderly
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sim.recording.run import Array, CellValue, Change, Key, ModelEdits

LEVEL = 1
NOTHING: Mapping[str, Any] = {}
# bytes of JSON in one frame, unpacked
MOST_JSON = 64 << 20
# bytes of rows in one frame, unpacked
MOST_ROWS = 256 << 20

SEGMENT = struct.Struct("<iIqiIddIII")
DENSE, CHANGED = 1, 2
ROWS = struct.Struct("<II")
BLOCK = struct.Struct("<qI")
STEPS = struct.Struct("<IIqqI")
CHECKED = 1
NUMBER = struct.Struct("<I")
FILE = struct.Struct("<32sQ")


class SegmentFrame(NamedTuple):
    """A segment, without its rows."""

    branch: int
    id: int
    first: int
    version: int
    edits: int
    time: float
    timestep: float
    dense: bool
    change: Change | None
    # JSON, or nothing
    note: bytes


@dataclass(frozen=True)
class StepsFrame:
    """Steps of a segment up to `last`, and a checksum of the rows from `first` on, if there is one."""

    segment: int
    first: int
    last: int
    crc: int | None


class Place(NamedTuple):
    """Steps that rows belong to."""

    first: int
    rows: int


# ---- JSON


def pack_json(data: Any) -> bytes:
    """JSON, without spaces."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def unpack_json(data: bytes) -> Any:
    """What JSON says; ValueError if it is none."""
    if len(data) > MOST_JSON:
        raise ValueError(f"a text of {len(data)} bytes is too long")
    try:
        return json.loads(data.decode("utf-8", "surrogatepass"))
    except RecursionError:
        raise ValueError("a JSON text is nested too deeply") from None


def inflate(data: bytes, most: int) -> bytes:
    """What zlib compressed; ValueError if it is more than expected, or damaged."""
    try:
        stream = zlib.decompressobj()
        whole = stream.decompress(data, most + 1)
    except zlib.error as why:
        raise ValueError(f"it cannot be decompressed: {why}") from None
    if len(whole) > most or not stream.eof:
        raise ValueError(f"it decompresses to more than {most} bytes")
    return whole


# ---- edits


def pack_edits(edits: ModelEdits) -> bytes:
    """Edits as JSON, in one order whatever that of their making was."""
    cells = {path: [[*cell] for cell in sorted(edits.cells[path])] for path in sorted(edits.cells) if edits.cells[path]}
    keys = [[key.name, {path: [*values] for path, values in key.values}] for key in edits.keys]
    return pack_json({"cells": cells, "keys": keys})


def unpack_edits(data: bytes) -> ModelEdits:
    """Edits; ValueError if it is not what `pack_edits` makes. Fields and indices are not checked."""
    table = _table(unpack_json(data), {"cells": dict, "keys": list})
    cells = {path: tuple(_cell(item) for item in _list(items)) for path, items in table["cells"].items()}
    return ModelEdits(cells, tuple(_key(item) for item in table["keys"]))


def _cell(item: Any) -> CellValue:
    sound = isinstance(item, list) and len(item) == 3 and all(type(number) is int for number in item[:2])
    if not sound or type(item[2]) not in (int, float):
        raise ValueError("a cell is not an index, a bit and a value")
    return CellValue(item[0], item[1], float(item[2]))


def _key(item: Any) -> Key:
    sound = isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], dict)
    if not sound:
        raise ValueError("a keyframe is not a name and a table of values")
    values = {path: [float(number) for number in _numbers(numbers)] for path, numbers in item[1].items()}
    return Key(item[0], tuple((path, tuple(numbers)) for path, numbers in values.items()))


def _numbers(data: Any) -> list[Any]:
    if not all(type(number) in (int, float) for number in _list(data)):
        raise ValueError("a list of numbers contains a non-number")
    return list(data)


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError("a list is missing")
    return data


def _table(data: Any, types: Mapping[str, Any], optional: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    if not isinstance(data, dict) or data.keys() - optional.keys() != types.keys():
        raise ValueError(f"it is not a table of {', '.join(types)}")
    for name, type_ in {**types, **optional}.items():
        if name in data and (not isinstance(data[name], type_) or (type_ is int and isinstance(data[name], bool))):
            raise ValueError(f"{name} is not of type {type_.__name__}")
    return data


def unpack_table(data: bytes, types: Mapping[str, Any], optional: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """A JSON table with exactly these names, of these types; ValueError if it is something else."""
    return _table(unpack_json(data), types, optional)


# ---- segments, rows, steps


def pack_segment(segment: SegmentFrame) -> bytes:
    """The payload of a SEGM frame."""
    change = segment.change
    flags = (DENSE if segment.dense else 0) | (CHANGED if change is not None else 0)
    count = 0 if change is None else len(change.indices)
    head = SEGMENT.pack(*segment[:7], flags, count, len(segment.note))
    if change is None:
        return head + segment.note
    return b"".join((head, change.indices.astype("<i4").tobytes(), change.values.astype("<f8").tobytes(), segment.note))


def unpack_segment(data: bytes) -> SegmentFrame:
    """A segment; ValueError if the payload has another length than it says."""
    if len(data) < SEGMENT.size:
        raise ValueError("a segment is too short")
    *plain, flags, count, note = SEGMENT.unpack_from(data)
    if flags & ~(DENSE | CHANGED) or len(data) != SEGMENT.size + 12 * count + note or (count and not flags & CHANGED):
        raise ValueError("a segment has the wrong length")
    indices = np.frombuffer(data, "<i4", count, SEGMENT.size).astype(np.int32)
    values = np.frombuffer(data, "<f8", count, SEGMENT.size + 4 * count).astype(np.float64)
    change = Change(indices, values) if flags & CHANGED else None
    whole = (*plain, bool(flags & DENSE), change, data[len(data) - note :] if note else b"")
    return SegmentFrame._make(whole)


def pack_rows(rows: Array) -> bytes:
    """The payload of a ROWS frame: bytes of one significance together compress to less."""
    count, width = rows.shape
    whole = np.ascontiguousarray(rows.T, "<f8").view(np.uint8).reshape(width * count, 8)
    return ROWS.pack(count, width) + zlib.compress(np.ascontiguousarray(whole.T).data, LEVEL)


def rows_shape(data: bytes) -> tuple[int, int]:
    """Count and width of the rows of a frame, from its first bytes; ValueError if they are too large."""
    if len(data) < ROWS.size:
        raise ValueError("rows are too short")
    count, width = ROWS.unpack_from(data)
    if 8 * count * width > MOST_ROWS:
        raise ValueError(f"{count} rows of {width} numbers are too many")
    return count, width


def unpack_rows(data: bytes) -> Array:
    """Rows; ValueError if they are damaged."""
    count, width = rows_shape(data)
    size = 8 * count * width
    whole = inflate(data[ROWS.size :], size)
    if len(whole) != size:
        raise ValueError(f"rows have {len(whole)} bytes, not {size}")
    numbers = np.ascontiguousarray(np.frombuffer(whole, np.uint8).reshape(8, width * count).T).view("<f8")
    return np.ascontiguousarray(numbers.reshape(width, count).T, np.float64)


def pack_blocks(segment: int, places: Sequence[Place]) -> bytes:
    """The payload of a BLCK frame."""
    return NUMBER.pack(segment) + b"".join(BLOCK.pack(*place) for place in places)


def unpack_blocks(data: bytes) -> tuple[int, list[Place]]:
    """The segment and the places of blocks."""
    if len(data) < NUMBER.size or (len(data) - NUMBER.size) % BLOCK.size:
        raise ValueError("a list of blocks is cut off")
    return NUMBER.unpack_from(data)[0], [Place(*item) for item in BLOCK.iter_unpack(data[NUMBER.size :])]


def pack_steps(steps: StepsFrame) -> bytes:
    """The payload of a STEP frame."""
    return STEPS.pack(steps.segment, int(steps.crc is not None), steps.first, steps.last, steps.crc or 0)


def unpack_steps(data: bytes) -> StepsFrame:
    """Steps that were made."""
    if len(data) != STEPS.size:
        raise ValueError("a list of steps has the wrong length")
    segment, flags, first, last, crc = STEPS.unpack(data)
    return StepsFrame(segment, first, last, crc if flags & CHECKED else None)


def pack_note(kind: str, data: bytes) -> bytes:
    """The payload of a NOTE frame; `data` is JSON."""
    name = kind.encode("ascii")
    return bytes((len(name),)) + name + data


def unpack_note(data: bytes) -> tuple[str, Any]:
    """Kind and content of a note."""
    if not data or len(data) < 1 + data[0]:
        raise ValueError("a note is cut off")
    return data[1 : 1 + data[0]].decode("ascii", "replace"), unpack_json(data[1 + data[0] :])


def pack_file(sha256: bytes, content: bytes) -> bytes:
    """The payload of a FILE frame."""
    return FILE.pack(sha256, len(content)) + zlib.compress(content, 6)
