"""A video that carries its recording: appended to an mp4 as a box that players skip, to a gif after its end.

Both end with the recording, its length as a uint64, little-endian, and the 8 bytes `KTRCARRY`. In an mp4 that is the
content of a box `uuid` with the id `ID`; a gif ends for players at its trailer.
"""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

from sim.recording.frames import MAGIC, RecordingError

ID = bytes.fromhex("7c1d0c5e3f0a4b5e9d6a6b7472706c61")
TAIL = struct.Struct("<Q8s")
MARK = b"KTRCARRY"
# size 1 means that 64 bits follow
BOX = struct.Struct(">I4sQ16s")
SUFFIXES = (".mp4", ".gif")


def carry(video: Path, recording: Path) -> None:
    """Append a recording to a video; RecordingError if that fails: the video is as it was."""
    if video.suffix.lower() not in SUFFIXES:
        raise RecordingError(f"'{video}' cannot carry a recording: only {' and '.join(SUFFIXES)} can")
    before = None
    try:
        length = recording.stat().st_size
        with open(video, "r+b") as to, open(recording, "rb") as source:
            before = to.seek(0, os.SEEK_END)
            try:
                if video.suffix.lower() == ".mp4":
                    to.write(BOX.pack(1, b"uuid", BOX.size + length + TAIL.size, ID))
                at = to.tell()
                shutil.copyfileobj(source, to, 1 << 20)
                if to.tell() - at != length:
                    raise OSError("the recording changed meanwhile")
                to.write(TAIL.pack(length, MARK))
                to.flush()
                os.fsync(to.fileno())
            except OSError:
                to.truncate(before)
                raise
    except OSError as why:
        raise RecordingError(f"'{video}' cannot carry the recording: {why.strerror or why}") from why


def find_carried(path: str | os.PathLike[str]) -> tuple[int, int | None]:
    """Where a recording begins in a file, and its size if it does not end with the file; RecordingError if none is."""
    try:
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                return 0, None
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - TAIL.size, 0))
            tail = file.read(TAIL.size)
            if len(tail) == TAIL.size and tail.endswith(MARK):
                length = TAIL.unpack(tail)[0]
                if 0 < length <= size - TAIL.size:
                    return size - TAIL.size - length, length
    except OSError as why:
        raise RecordingError(f"{path}: cannot be read: {why.strerror or why}") from why
    what = (
        "this video does not contain a recording" if str(path).lower().endswith(SUFFIXES) else "this is not a recording"
    )
    raise RecordingError(f"{path}: {what}; name a .ktr file, or a video that was made with its recording")
