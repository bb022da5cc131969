"""Frames of a recording file: typed, with checksums, appended one after another.

All numbers are little-endian. A file begins with 12 bytes:

    0   8 bytes   89 4B 54 52 0D 0A 1A 0A, that is \\x89 K T R \\r \\n \\x1a \\n
    8   uint32    version of the format: 1

Then frames follow until the end of the file. A frame is

    0   4 bytes   type, ASCII; types that a reader does not know are skipped
    4   uint32    length of the payload in bytes, at most 2**30
    8   uint32    CRC-32 (that of zlib) of the payload
    12  uint32    CRC-32 of the 12 bytes before it
    16            payload

A file is only ever appended to, so what a killed process leaves is whole up to its last frames. Reading stops at the
first frame that is cut off or damaged; what came before counts. `file_format.py` says what the payloads are.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from sim.user_error import UserError

MAGIC = b"\x89KTR\r\n\x1a\n"
VERSION = 1
START = MAGIC + struct.pack("<I", VERSION)
HEADER = struct.Struct("<4sII")
CHECK = struct.Struct("<I")
HEADER_SIZE = HEADER.size + CHECK.size
MOST_BYTES = 1 << 30


class RecordingError(UserError, ValueError):
    """A recording cannot be read or written; the message names the file, the byte and the cure."""


class Frame(NamedTuple):
    """A frame in a file: type, where its payload begins, how long it is, and its checksum."""

    type: str
    at: int
    length: int
    crc: int


def frame(type_: str, payload: bytes) -> bytes:
    """A frame as bytes."""
    if len(payload) > MOST_BYTES:
        raise ValueError(f"a frame of {len(payload)} bytes: the maximum is {MOST_BYTES}")
    head = HEADER.pack(type_.encode("ascii"), len(payload), zlib.crc32(payload))
    return b"".join((head, CHECK.pack(zlib.crc32(head)), payload))


class FrameFile:
    """The frames of a recording that is a file, or a part of one: of a video that carries it.

    Bytes are read when they are needed, on any thread; the file may grow meanwhile.
    """

    def __init__(self, path: str, start: int = 0, size: int | None = None) -> None:
        self.path, self._start = path, start
        try:
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            self.size = os.fstat(self._file).st_size - start if size is None else size
        except OSError as why:
            raise RecordingError(f"{path}: cannot be read: {why.strerror or why}") from why
        # why the frames end before the file does, and where
        self.damage = ""
        self.end = 0

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was not read yet cannot be read any more."""
        file, self._file = getattr(self, "_file", -1), -1
        if file >= 0:
            os.close(file)

    def bytes_at(self, at: int, length: int) -> bytes:
        """Bytes of the recording; fewer at its end."""
        if self._file < 0:
            raise self.error(at, "the file was closed", "open it again")
        try:
            parts, left = [], min(length, self.size - at)
            while left > 0 and (part := os.pread(self._file, left, self._start + at)):
                parts.append(part)
                at, left = at + len(part), left - len(part)
        except OSError as why:
            raise self.error(at, f"cannot be read: {why.strerror or why}", "copy it again from the original") from why
        return b"".join(parts)

    def error(self, at: int, what: str, cure: str) -> RecordingError:
        """An error at a byte of the file."""
        return RecordingError(f"{self.path}, byte {self._start + at}: {what}; {cure}")

    def payload(self, found: Frame) -> bytes:
        """The payload of a frame, checked."""
        data = self.bytes_at(found.at, found.length)
        if len(data) != found.length:
            raise self.error(found.at, f"a frame {found.type} is cut off", "what comes before can be used")
        if zlib.crc32(data) != found.crc:
            raise self.error(found.at, f"a frame {found.type} is damaged", "copy the file again from the original")
        return data

    def frames(self) -> Iterator[Frame]:
        """The frames from the beginning, headers checked; afterwards `damage` says why they end early, if they do."""
        if self.bytes_at(0, len(MAGIC)) != MAGIC:
            raise self.error(0, "this is not a recording", "its first bytes would be \\x89KTR; name a .ktr file")
        if self.bytes_at(0, len(START)) != START:
            version = int.from_bytes(self.bytes_at(len(MAGIC), 4), "little")
            raise self.error(len(MAGIC), f"version {version} of the format is not known", "use a newer Kinetoscope")
        self.end = len(START)
        while self.end < self.size:
            head = self.bytes_at(self.end, HEADER_SIZE)
            if len(head) < HEADER_SIZE:
                return self._stop("the recording is cut off here")
            type_, length, crc = HEADER.unpack_from(head)
            if CHECK.unpack_from(head, HEADER.size)[0] != zlib.crc32(head[: HEADER.size]):
                return self._stop("the recording is damaged here")
            if length > MOST_BYTES:
                return self._stop(f"a frame of {length} bytes is too long")
            if self.end + HEADER_SIZE + length > self.size:
                return self._stop("the recording is cut off here")
            yield Frame(type_.decode("ascii", "replace"), self.end + HEADER_SIZE, length, crc)
            self.end += HEADER_SIZE + length
        return None

    def _stop(self, why: str) -> None:
        self.damage = f"byte {self._start + self.end}: {why}"
