"""Codes frames for one page: what differs from the frame that it was sent before."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.instances import INSTANCE_FLOATS, POSE, POSITION, ROTATION, SHAPE, Floats
from app.web.live.panels import Block, PanelList, Texture, coded_pixels
from app.web.live.picture import Picture
from app.web.live.scene_parts import Key, SceneParts
from app.web.payload import Entry
from app.web.rotations import from_matrices

MAGIC = b"KTF1"
PREFIX = struct.Struct("<4sIII")
ZLIB = 1
# of zlib: anything slower would cost more time than a line saves
LEVEL = 1
# bodies of fewer bytes are sent as they are
SHORTEST = 400
# rotations whose matrices differ by less look the same
LEAST_TURN = 2e-5
# of a component of a quaternion in 16 bits
UNIT = 32767
VERTEX_BYTES = 20


class Blobs:
    """Bytes behind a header."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, blob: bytes) -> int:
        """Append a blob; returns where it begins."""
        at = self.size
        self.parts += [blob, bytes(-len(blob) % 4)]
        self.size += len(blob) + -len(blob) % 4
        return at


class Delta:
    """What one page has been sent."""

    def __init__(self) -> None:
        self._serial = 0
        self._said: dict[str, Any] = {}
        self._batches: tuple[tuple[Key, int], ...] = ()
        self._rows: Floats = np.zeros((0, INSTANCE_FLOATS), np.float32)
        self._lods: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._deformed: dict[str, bytes] = {}
        self._lists: dict[str, tuple[int, PanelList]] = {}
        self._frame: Entry = {}
        self._last_list = 0
        self._textures: dict[int, int] = {}

    def message(self, picture: Picture) -> bytes | None:
        """The message that brings a page from the frame before to this one; None if nothing differs."""
        header: Entry = {}
        blobs = Blobs()
        self._say(header, "rect", list(picture.rect))
        self._say(header, "over", [list(area) for area in picture.over])
        if picture.scene is None:
            self._say(header, "model", None)
        else:
            self._scene(header, blobs, picture.scene)
        self._add_textures(header, blobs, picture.textures)
        self._panels(header, blobs, picture)
        if not header and self._said.get("n") == picture.heard:
            return None
        self._say(header, "n", picture.heard)
        header["n"] = picture.heard
        self._serial += 1
        text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode("ascii")
        text += b" " * (-len(text) % 4)
        body, flags = b"".join([text, *blobs.parts]), 0
        if len(body) > SHORTEST:
            shorter = zlib.compress(body, LEVEL)
            if len(shorter) < 0.9 * len(body):
                body, flags = shorter, ZLIB
        return PREFIX.pack(MAGIC, flags, self._serial, len(text)) + body

    @property
    def serial(self) -> int:
        """The number of the last message."""
        return self._serial

    def _say(self, header: Entry, name: str, value: Any) -> None:
        """Put a value into the header, if it is another one than before."""
        if name not in self._said or self._said[name] != value:
            self._said[name] = header[name] = value

    # the scene

    def _scene(self, header: Entry, blobs: Blobs, scene: SceneParts) -> None:
        self._say(header, "model", scene.model)
        self._say(header, "camera", scene.camera)
        self._say(header, "look", scene.look)
        before = self._before(scene)
        if scene.batches != self._batches:
            self._batches = scene.batches
            header["batches"] = [[*key, count] for key, count in scene.batches]
        rows = self._changes(blobs, before, scene)
        if len(self._lods) != len(scene.lods) or (self._lods != scene.lods).any():
            self._lods = scene.lods
            rows["lod"] = blobs.add(scene.lods.tobytes())
        if rows:
            header["rows"] = {"count": len(scene.rows), **rows}
        moved = []
        for name, vertices in scene.deformed.items():
            blob = _deformed(vertices)
            if self._deformed.get(name) != blob:
                self._deformed[name] = blob
                moved.append([name, len(vertices), blobs.add(blob)])
        if moved:
            header["deformed"] = moved

    def _before(self, scene: SceneParts) -> Floats:
        """The rows that the page has in the places of those of a scene; NaN where it has none."""
        if scene.batches == self._batches:
            return self._rows
        known: dict[Key, Floats] = {}
        at = 0
        for key, count in self._batches:
            known[key] = self._rows[at : at + count]
            at += count
        before = np.full(scene.rows.shape, np.nan, np.float32)
        at = 0
        for key, count in scene.batches:
            if key in known:
                some = known[key][:count]
                before[at : at + len(some)] = some
            at += count
        return before

    def _changes(self, blobs: Blobs, before: Floats, scene: SceneParts) -> Entry:
        """The rows that differ, in the shortest of three forms."""
        rows = scene.rows
        apart = np.abs(rows[:, POSE] - before[:, POSE])
        moved = (apart[:, POSITION] > scene.least).any(axis=1) | (apart[:, ROTATION] > LEAST_TURN).any(axis=1)
        resized = (rows[:, SHAPE] != before[:, SHAPE]).any(axis=1)
        # NaN differs from all
        full = (rows[:, SHAPE.stop :] != before[:, SHAPE.stop :]).any(axis=1)
        some = np.flatnonzero((moved | resized) & ~full)
        turned = rows[some][:, ROTATION].reshape(-1, 3, 3).astype(float)
        # a row may have no rotation at all
        full[some[~_proper(turned)]] = True
        resized &= ~full
        moved &= ~(full | resized)
        self._rows = np.where((full | resized | moved)[:, None], rows, before)
        found = {}
        for name, chosen in (("full", full), ("shape", resized), ("pose", moved)):
            if chosen.any():
                found[name] = blobs.add(_mask(chosen) + _coded(name, rows[chosen]))
        return found

    # panels

    def _panels(self, header: Entry, blobs: Blobs, picture: Picture) -> None:
        new, order, known = [], [], self._lists
        self._lists = {}
        for item in picture.lists:
            number, before = known.get(item.name, (0, None))
            if not number:
                self._last_list += 1
                number = self._last_list
            order.append(number)
            self._lists[item.name] = number, item
            if before is None or before != item:
                new.append([number, *_changed_list(blobs, before, item)])
        frame = {"size": list(picture.size), "back": list(picture.back), "order": order}
        if new or self._frame != frame:
            self._frame = frame
            header["ui"] = {**frame, "new": new}

    def _add_textures(self, header: Entry, blobs: Blobs, textures: tuple[Texture, ...]) -> None:
        news: list[list[Any]] = []
        shown = {texture.number for texture in textures}
        for number in [number for number in self._textures if number not in shown]:
            del self._textures[number]
            news.append([number, "gone"])
        for texture in textures:
            seen = self._textures.get(texture.number, -1)
            if seen == texture.version:
                continue
            self._textures[texture.number] = texture.version
            blocks = texture.blocks_since(seen)
            if blocks is None:
                height, width = texture.pixels.shape[:2]
                news.append([texture.number, "new", width, height, *_pixels(blobs, *texture.whole())])
                continue
            for x, y, w, h in _outer(blocks):
                part = coded_pixels(texture.pixels[y : y + h, x : x + w])
                news.append([texture.number, "part", x, y, w, h, *_pixels(blobs, *part)])
        if news:
            header["tex"] = news


def _proper(turned: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether matrices are rotations."""
    squares = turned @ turned.transpose(0, 2, 1)
    found: NDArray[np.bool_] = (np.abs(squares - np.eye(3)).max(axis=(1, 2), initial=0.0) < 1e-3) & (
        np.linalg.det(turned) > 0
    )
    return found


def _mask(chosen: NDArray[np.bool_]) -> bytes:
    bits = np.packbits(chosen, bitorder="little").tobytes()
    return bits + bytes(-len(bits) % 4)


def _coded(name: str, rows: Floats) -> bytes:
    """Chosen rows in one of the three forms."""
    if name == "full":
        return np.ascontiguousarray(rows, "<f4").tobytes()
    parts = [rows[:, POSITION], *([rows[:, SHAPE]] if name == "shape" else [])]
    quaternions = from_matrices(rows[:, ROTATION].reshape(-1, 3, 3).astype(float))
    turned = np.rint(UNIT * np.clip(quaternions, -1, 1)).astype("<i2")
    return b"".join([*(np.ascontiguousarray(part, "<f4").tobytes() for part in parts), turned.tobytes()])


def _deformed(vertices: Floats) -> bytes:
    """Positions, and normals in eight bits."""
    normals = np.zeros((len(vertices), 4), np.int8)
    normals[:, :3] = np.rint(127 * np.clip(vertices[:, 3:6], -1, 1))
    return np.ascontiguousarray(vertices[:, :3], "<f4").tobytes() + normals.tobytes()


def _changed_list(blobs: Blobs, before: PanelList | None, item: PanelList) -> list[int]:
    """Counts of commands, vertices and indices, and where the list begins."""
    size = 4 if item.wide else 2
    old = before if before is not None and before.wide == item.wide else None
    spans = []
    for after, known, unit in (
        (item.vertices, old.vertices if old else b"", VERTEX_BYTES),
        (item.indices, old.indices if old else b"", size),
    ):
        front, behind = kept(known, after, unit)
        spans.append((front, behind, after[front : len(after) - behind]))
    counts = [number for front, behind, middle in spans for number in (front, behind, len(middle))]
    head = struct.pack("<7I", *counts, item.wide)
    at = blobs.add(head + item.commands)
    for _, _, middle in spans:
        blobs.add(middle)
    return [len(item.commands) // 32, len(item.vertices) // VERTEX_BYTES, len(item.indices) // size, at]


def kept(before: bytes, after: bytes, unit: int) -> tuple[int, int]:
    """How many bytes in front and behind are the same, in whole units."""
    length = min(len(before), len(after))
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    front = _same(old[:length], new[:length]) // unit * unit
    behind = _same(old[len(old) - length :][::-1], new[len(new) - length :][::-1]) // unit * unit
    return front, min(behind, length - front)


def _same(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> int:
    differ = a != b
    first = int(differ.argmax()) if len(differ) else 0
    return first if len(differ) and differ[first] else len(differ)


def _outer(blocks: list[Block]) -> list[Block]:
    """The blocks, or one around them all if they are many."""
    if len(blocks) <= 4:
        return blocks
    left, top = min(b[0] for b in blocks), min(b[1] for b in blocks)
    right, bottom = max(b[0] + b[2] for b in blocks), max(b[1] + b[3] for b in blocks)
    return [(left, top, right - left, bottom - top)]


def _pixels(blobs: Blobs, kind: str, data: bytes) -> list[Any]:
    return [kind, blobs.add(data), len(data)]
