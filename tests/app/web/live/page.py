"""A page without a browser: signs in, keeps what frames bring, and says what a user does."""

from __future__ import annotations

import json
import struct
import zlib
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from websockets.sync.client import connect

from app.web.live.delta import PREFIX, VERTEX_BYTES
from app.web.live.protocol import PROTOCOL
from tests.patience import PATIENCE

Header = dict[str, Any]


class Shown:
    """What a page has after some frames."""

    def __init__(self) -> None:
        self.header: Header = {}
        self.rows: dict[str, np.ndarray] = {}
        self.lods: list[int] = []
        # by id: commands, vertices, indices
        self.lists: dict[int, tuple[bytes, bytes, bytes]] = {}
        self.textures: dict[int, np.ndarray | bytes] = {}
        self.deformed: dict[str, np.ndarray] = {}
        self.serial = 0
        self.bytes = 0

    def take(self, message: bytes) -> Header:
        """One frame; returns its header."""
        magic, flags, serial, length = PREFIX.unpack_from(message)
        assert (magic, serial) == (b"KTF1", self.serial + 1)
        body = zlib.decompress(message[PREFIX.size :]) if flags & 1 else message[PREFIX.size :]
        header: Header = json.loads(body[:length])
        self.serial, self.bytes = serial, self.bytes + len(message)
        self._blobs = body[length:]
        self.header |= header
        if "batches" in header:
            before, self.rows = self.rows, {}
            for *key, count in header["batches"]:
                rows = np.full((count, 32), np.nan, np.float32)
                some = before.get(json.dumps(key), rows[:0])[:count]
                rows[: len(some)] = some
                self.rows[json.dumps(key)] = rows
        if "rows" in header:
            self._rows(header["rows"])
        for name, count, at in header.get("deformed", []):
            self.deformed[name] = np.frombuffer(self._blobs, "<f4", 3 * count, at).reshape(-1, 3)
        for number, what, *rest in header.get("tex", []):
            self._texture(number, what, rest)
        if "ui" in header:
            self._panels(header["ui"])
        return header

    def _rows(self, entry: Header) -> None:
        count = entry["count"]
        rows = np.concatenate([*self.rows.values(), np.zeros((0, 32), np.float32)])
        assert len(rows) == count
        for name in ("full", "shape", "pose"):
            if name not in entry:
                continue
            at = entry[name]
            size = (count + 7) // 8
            bits = np.frombuffer(self._blobs, np.uint8, size, at)
            chosen = np.flatnonzero(np.unpackbits(bits, bitorder="little")[:count])
            at += size + -size % 4
            if name == "full":
                rows[chosen] = np.frombuffer(self._blobs, "<f4", 32 * len(chosen), at).reshape(-1, 32)
                continue
            rows[chosen, :3] = np.frombuffer(self._blobs, "<f4", 3 * len(chosen), at).reshape(-1, 3)
            at += 12 * len(chosen)
            if name == "shape":
                rows[chosen, 12:16] = np.frombuffer(self._blobs, "<f4", 4 * len(chosen), at).reshape(-1, 4)
                at += 16 * len(chosen)
            q = np.frombuffer(self._blobs, "<i2", 4 * len(chosen), at).reshape(-1, 4) / 32767
            rows[chosen, 3:12] = [matrix(*quat) for quat in q / np.linalg.norm(q, axis=1, keepdims=True)]
        if "lod" in entry:
            self.lods = [*self._blobs[entry["lod"] : entry["lod"] + count]]
        at = 0
        for key, some in self.rows.items():
            self.rows[key] = rows[at : at + len(some)]
            at += len(some)

    def _texture(self, number: int, what: str, rest: list[Any]) -> None:
        if what == "gone":
            del self.textures[number]
            return
        *place, kind, at, length = rest
        data = self._blobs[at : at + length]
        width, height = place[-2:]
        pixels: np.ndarray | bytes = data
        if kind != "image":
            pixels = np.full((height, width, 4), 255, np.uint8)
            raw = np.frombuffer(data, np.uint8).reshape(height, width, -1)
            pixels[..., 3 if kind == "a" else slice(None)] = raw[..., 0] if kind == "a" else raw
        if what == "new":
            self.textures[number] = pixels
            return
        whole = self.textures[number]
        assert isinstance(whole, np.ndarray)
        x, y = place[:2]
        whole[y : y + height, x : x + width] = pixels

    def _panels(self, entry: Header) -> None:
        before = self.lists
        self.lists = {number: before[number] for number in entry["order"] if number in before}
        for number, commands, vertices, indices, at in entry["new"]:
            *spans, wide = struct.unpack_from("<7I", self._blobs, at)
            at += 28
            parts = [self._blobs[at : at + 32 * commands]]
            at += 32 * commands
            old = before.get(number, (b"", b"", b""))[1:]
            for known, (front, behind, middle) in zip(old, (spans[:3], spans[3:]), strict=True):
                parts.append(known[:front] + self._blobs[at : at + middle] + known[len(known) - behind :])
                at += middle + -middle % 4
            assert [len(part) for part in parts[1:]] == [VERTEX_BYTES * vertices, (4 if wide else 2) * indices]
            self.lists[number] = parts[0], parts[1], parts[2]
        assert [*self.lists] == entry["order"] or {*self.lists} == {*entry["order"]}


def matrix(w: float, x: float, y: float, z: float) -> list[float]:
    """The rotation of a unit quaternion, row by row."""
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip


def get(address: str, path: str = "/", cookie: str = "", **headers: str) -> tuple[HTTPResponse, bytes]:
    """A plain request; `path` is below the address."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=given | ({"Cookie": cookie} if cookie else {}))
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def sign_in(address: str) -> str:
    """The cookie for an address with its secret."""
    answer, _ = get(address, f"/?{urlsplit(address).query}")
    assert answer.status == 200
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    return str(cookie).partition(";")[0]


class Page:
    """A connection of its own."""

    def __init__(self, address: str, cookie: str = "", origin: str = "", hello: bool = True) -> None:
        parts = urlsplit(address)
        self.address = address
        self.cookie = cookie or sign_in(address)
        here = f"{parts.scheme}://{parts.netloc}"
        headers = {"Cookie": self.cookie, "Origin": origin or here}
        url = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}/ws"
        self._open = ExitStack()
        self.socket = self._open.enter_context(
            # with a bounded queue that nobody reads, it would wait for the end of the connection
            connect(url, additional_headers=headers, compression=None, max_size=None, max_queue=None)
        )
        self.shown = Shown()
        self.said: dict[str, Header] = {}
        self.number = 0
        # whether frames are acknowledged
        self.acks = True
        if hello:
            self.send(t="hello", w=1000, h=700, dpr=1, touch=False, protocol=PROTOCOL)
            self.until(lambda: "people" in self.said)

    def send(self, **message: Any) -> None:
        """Say something."""
        self.socket.send(json.dumps(message))

    def do(self, *events: list[Any]) -> int:
        """Input; returns its number."""
        self.number += 1
        self.send(t="in", n=self.number, e=[*events])
        return self.number

    def hear(self, timeout: float = PATIENCE) -> Header:
        """The next message: a text, or the header of a frame."""
        message = self.socket.recv(timeout)
        if isinstance(message, str):
            text: Header = json.loads(message)
            self.said[text["t"]] = text
            return text
        header = self.shown.take(message)
        if self.acks:
            self.send(t="ack", n=self.shown.serial)
        return header

    def until(self, condition: Any) -> None:
        """Hear until a condition holds."""
        while not condition():
            self.hear()

    def drawn(self, *events: list[Any]) -> None:
        """Input, until a frame has seen it."""
        number = self.do(*events)
        self.until(lambda: self.shown.header.get("n") == number)

    def click(self, x: float, y: float, button: int = 0) -> None:
        """Press and release."""
        self.drawn(["m", x, y])
        self.drawn(["b", button, 1, x, y, 0])
        self.drawn(["b", button, 0, x, y, 0])

    def key(self, code: str, mods: int = 0) -> None:
        """Press and release a key."""
        self.drawn(["k", code, "", 1, mods], ["k", code, "", 0, mods])

    @property
    def drives(self) -> bool:
        """Whether this page does."""
        return bool(self.said["people"]["driver"] == self.said["welcome"]["you"])

    def close(self) -> None:
        """Go away."""
        self._open.close()

    def __enter__(self) -> Page:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
