"""Writes a recording while a run goes on: a thread packs, compresses and writes; the simulation only hands over.

    writer = RecordingWriter(path)
    writer.model(0, m)                       # for each version, before its segments
    writer.sync(run)                         # whatever is new in a Run since the last call; every half second, say
    writer.steps(segment, first, rows)       # a checksum of the rows of steps, if one wants to verify a replay
    writer.close()

What was handed over is in the file half a second later. If writing fails (disk full, folder gone), `problem` says so,
and what was written stays; nothing is raised. A file that was there already is replaced at the end, see `successor.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
import weakref
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.model import Model
from sim.recording import file_format as ff
from sim.recording.frames import START, RecordingError, frame
from sim.recording.model_files import Listed, check_name, digest, listed_files
from sim.recording.run import Array, Block, Branch, ModelEdits, Rows, Run, Segment
from sim.recording.successor import begin, finish

# s between two writes
PERIOD = 0.25
# bytes of rows in one frame
GROUP = 4 << 20
# bytes of rows that wait for their checksum: more are not left for long; a slow disk or processor gets no more
BUSY, MOST_WAITING = 8 << 20, 256 << 20

NoteOf = Callable[[Segment], Any]


class _Rows(NamedTuple):
    """Rows of a block, from row `skip` on."""

    segment: int
    first: int
    rows: int
    kept: Rows
    skip: int


class _Steps(NamedTuple):
    """Rows of steps for a checksum, or none; up to a last step."""

    segment: int
    first: int
    last: int
    rows: Array | None
    done: Callable[[], None] | None = None


class _Model(NamedTuple):
    """A version of the model."""

    version: int
    model: Model
    files: Listed
    start_key: int
    name: str


class _Segment(NamedTuple):
    """A new segment, and its edits, whose id the thread finds."""

    segment: ff.SegmentFrame
    edits: ModelEdits


@dataclass
class _KnownSegment:
    """What the file has of a segment."""

    id: int
    # its last step, and the last step that a block of it has
    last: int
    kept: int


@dataclass
class _KnownBranch:
    """What the file has of a branch."""

    branch: Branch
    head: tuple[Any, ...] = ()
    newest: Segment | None = None


@dataclass
class _Handed:
    """What waits for the thread."""

    items: list[Any] = field(default_factory=list)
    waiting: int = 0


class RecordingWriter:
    """Writes one recording; every method but `close` takes microseconds. For one thread."""

    def __init__(self, path: str | os.PathLike[str], about: dict[str, str] | None = None) -> None:
        self.path = Path(path)
        # why writing has ended early; what the recording lacks
        self.problem = ""
        self.warnings: list[str] = []
        self.size = 0
        self._file = self._create({**_about(), **(about or {})})
        self._branches: dict[int, _KnownBranch] = {}
        # as long as they live
        self._segments: weakref.WeakKeyDictionary[Segment, _KnownSegment] = weakref.WeakKeyDictionary()
        self._count = 0
        self._edit_ids: dict[bytes, int] = {}
        self._last_edits: tuple[ModelEdits, int] | None = None
        self._stored: set[bytes] = set()
        self._handed = _Handed()
        self._lock = threading.Lock()
        # the thread looks for itself: waking it each time would cost the caller more than all the rest
        self._wake = threading.Event()
        self._closing = self._abandoned = False
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    def _create(self, about: dict[str, str]) -> int:
        """A new file."""
        data = START + frame("HEAD", ff.pack_json(about))
        try:
            self._place = begin(self.path)
            file = os.open(self._place, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            try:
                os.write(file, data)
            except BaseException:
                os.close(file)
                self._place.unlink()
                raise
        except OSError as why:
            raise RecordingError(f"{self.path} cannot be written: {why.strerror or why}") from why
        self.size = len(data)
        return file

    # ---- handing over

    def model(self, number: int, m: Model, start_key: int | None = None, name: str = "") -> None:
        """A version of the model, as its files were when it was compiled, whatever was edited since.

        ValueError if it was not compiled from files or a text.
        """
        files = listed_files(m)
        self._hand(_Model(number, m, files, -1 if start_key is None else start_key, name or files.entry))

    def note(self, kind: str, data: Any) -> None:
        """A note of the application's: what JSON can hold, or JSON as bytes."""
        self._hand(("NOTE", ff.pack_note(kind, data if isinstance(data, bytes) else ff.pack_json(data))))

    def steps(self, segment: Segment, first: int, rows: Array, done: Callable[[], None] | None = None) -> None:
        """The rows of steps from `first` on that a segment has made, for a checksum; unchanged until `done` is called.

        The segment was in the Run at the last `sync`. Its first row is as its change left it, its last as the step did.
        """
        known = self._segments.get(segment)
        if known is None or not len(rows):
            return
        last = first + len(rows) - 1
        known.last = max(known.last, last)
        with self._lock:
            waiting = self._handed.waiting + rows.nbytes
            kept = waiting <= MOST_WAITING
            self._handed.waiting += rows.nbytes if kept else 0
        self._hand(_Steps(known.id, first, last, rows if kept else None, done))
        if waiting > BUSY and not self._wake.is_set():
            self._wake.set()

    def sync(self, run: Run, note_of: NoteOf | None = None) -> None:
        """Hand over what is new in a run: branches, names, segments, steps, blocks.

        `note_of` gives what JSON can hold of a segment's note. Rows of blocks are read by the thread, a little later.
        """
        items: list[Any] = []
        # children before their parents
        for number, known in sorted(self._branches.items(), reverse=True):
            if run.branches.get(number) is not known.branch:
                del self._branches[number]
                items.append(("DROP", ff.pack_json({"branch": number})))
        for branch in run.branches.values():
            if branch.segments:
                items += self._branch(branch, note_of)
        if items:
            self._hand(*items)

    def _branch(self, branch: Branch, note_of: NoteOf | None) -> Iterator[Any]:
        known = self._branches.setdefault(branch.id, _KnownBranch(branch))
        head = (branch.parent, branch.fork, branch.name, branch.colour)
        if known.head != head:
            known.head = head
            names = ("parent", "fork", "name", "colour")
            yield "BRAN", ff.pack_json({"id": branch.id, **dict(zip(names, head, strict=True))})
        new: list[Segment] = []
        for segment in reversed(branch.segments):
            if segment in self._segments:
                break
            new.append(segment)
        kept = branch.segments[-len(new) - 1] if len(new) < len(branch.segments) else None
        if known.newest is not None and known.newest is not kept:
            # the newest one was replaced: nothing was computed from it
            yield "UNDO", ff.NUMBER.pack(self._segments[known.newest].id)
        if kept is not None:
            yield from self._grown(kept)
        for segment in reversed(new):
            self._segments[segment] = _KnownSegment(self._count, segment.first, segment.first - 1)
            self._count += 1
            yield self._begin(branch, segment, note_of)
            yield from self._grown(segment)
        known.newest = branch.segments[-1]

    def _begin(self, branch: Branch, segment: Segment, note_of: NoteOf | None) -> _Segment:
        """A new segment."""
        note = note_of(segment) if note_of is not None else None
        text = b"" if note is None else ff.pack_json(note)
        number = self._segments[segment].id
        plain = (branch.id, number, segment.first, segment.version, 0, segment.time, segment.timestep)
        return _Segment(ff.SegmentFrame(*plain, segment.dense, segment.change, text), segment.edits)

    def _grown(self, segment: Segment) -> Iterator[Any]:
        """Blocks and steps that a segment has got."""
        known = self._segments[segment]
        fresh: list[Block] = []
        for block in reversed(segment.blocks):
            if block.first + block.count - 1 <= known.kept:
                break
            fresh.append(block)
        for block in reversed(fresh):
            skip = max(known.kept + 1 - block.first, 0)
            known.kept = block.first + block.count - 1
            yield _Rows(known.id, block.first + skip, block.count - skip, block.rows, skip)
        if segment.last > known.last:
            known.last = segment.last
            yield _Steps(known.id, segment.first, segment.last, None)

    def _hand(self, *items: Any) -> None:
        with self._lock:
            if not self.problem:
                self._handed.items += items

    def close(self, timeout: float | None = None) -> None:
        """Write what is left and end the file; may be called again."""
        self._closing = True
        self._wake.set()
        self._thread.join(timeout)

    def abandon(self) -> None:
        """End without a file: there is nothing to record."""
        self._abandoned = True
        self.close()

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- the thread

    def _run(self) -> None:
        closing = False
        while not closing:
            self._wake.wait(PERIOD)
            self._wake.clear()
            closing = self._closing
            with self._lock:
                items, self._handed.items = self._handed.items, []
            try:
                for data in self._pack(items):
                    self._append(data)
                if closing and not self._abandoned:
                    self._append(frame("DONE", b"{}"))
                    os.fsync(self._file)
                    finish(self._place, self.path)
            except Exception as why:
                self._fail(why)
                closing = True
        with contextlib.suppress(OSError):
            os.close(self._file)
            if self._abandoned:
                self._place.unlink()

    def _fail(self, why: Exception) -> None:
        """Writing has failed: the file ends with its last whole frame."""
        reason = str(why) or type(why).__name__
        if isinstance(why, OSError) and why.strerror:
            reason = why.strerror if why.filename is None else f"'{why.filename}': {why.strerror}"
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, self.size)
        with self._lock:
            self.problem = f"{self._place} ends after {self.size:,} bytes: {reason}"
            self._handed.items.clear()

    def _append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view) :]
        self.size += len(data)

    def _pack(self, items: list[Any]) -> Iterator[bytes]:
        """Frames for what was handed over."""
        at = 0
        while at < len(items):
            item = items[at]
            at += 1
            if isinstance(item, _Segment):
                edits, data = self._edits(item.edits)
                yield data + frame("SEGM", ff.pack_segment(item.segment._replace(edits=edits)))
            elif isinstance(item, _Rows):
                group = [item]
                while at < len(items) and isinstance(items[at], _Rows) and items[at].segment == item.segment:
                    group.append(items[at])
                    at += 1
                yield from _blocks(group)
            elif isinstance(item, _Steps):
                steps = self._checked(item)
                while at < len(items) and isinstance(items[at], _Steps) and _continues(steps, items[at]):
                    steps = self._checked(items[at], steps)
                    at += 1
                yield frame("STEP", ff.pack_steps(steps))
            elif isinstance(item, _Model):
                yield from self._model(item)
            else:
                yield frame(*item)

    def _checked(self, steps: _Steps, before: ff.StepsFrame | None = None) -> ff.StepsFrame:
        """The frame of steps, together with those before them."""
        if steps.rows is None:
            if steps.done is not None:
                steps.done()
            return ff.StepsFrame(steps.segment, steps.first, steps.last, None)
        start, first = (0, steps.first) if before is None else (before.crc or 0, before.first)
        crc = zlib.crc32(np.ascontiguousarray(steps.rows, "<f8").data, start)
        with self._lock:
            self._handed.waiting -= steps.rows.nbytes
        if steps.done is not None:
            steps.done()
        return ff.StepsFrame(steps.segment, first, steps.last, crc)

    def _edits(self, edits: ModelEdits) -> tuple[int, bytes]:
        """The id of a set of edits, and its frame if it is new."""
        if self._last_edits is not None and self._last_edits[0] is edits:
            return self._last_edits[1], b""
        text = ff.pack_edits(edits)
        new = text not in self._edit_ids
        number = self._edit_ids.setdefault(text, len(self._edit_ids))
        self._last_edits = edits, number
        return number, frame("EDIT", ff.NUMBER.pack(number) + zlib.compress(text)) if new else b""

    def _model(self, item: _Model) -> Iterator[bytes]:
        files = item.files.read()
        self.warnings += [f"'{path}' has changed since it was read" for path in item.files.changed]
        lists: dict[str, list[list[str]]] = {}
        for kind, contents in (("files", files.files), ("given", files.given)):
            lists[kind] = []
            for name, data in contents.items():
                check_name(name)
                sha256 = hashlib.sha256(data).digest()
                lists[kind].append([name, sha256.hex()])
                if sha256 not in self._stored:
                    self._stored.add(sha256)
                    yield frame("FILE", ff.pack_file(sha256, data))
        table = {
            "version": item.version,
            "name": item.name,
            "entry": files.entry,
            **lists,
            "folder": files.folder,
            "packages": {variable: [*places] for variable, places in files.packages.items()},
            "start_key": item.start_key,
            "digest": digest(item.model),
        }
        if item.model.engine is not Model.engine:
            table["engine"] = item.model.engine.ENGINE
        yield frame("MODL", ff.pack_json(table))


def _continues(before: ff.StepsFrame, steps: _Steps) -> bool:
    """Whether steps follow others with a checksum, so that both can have one."""
    follows = steps.segment == before.segment and steps.first == before.last + 1
    return follows and before.crc is not None and steps.rows is not None


def _blocks(group: list[_Rows]) -> Iterator[bytes]:
    """Frames of blocks of one segment; small ones together."""
    rows: list[Array] = []
    places: list[ff.Place] = []
    segment = group[0].segment
    for item in group:
        part = item.kept.read()[item.skip : item.skip + item.rows]
        most = max(GROUP // max(8 * part.shape[1], 1), 1)
        for start in range(0, len(part), most):
            piece = part[start : start + most]
            if places and sum(known.nbytes for known in rows) + piece.nbytes > GROUP:
                yield _rows_frames(segment, rows, places)
                rows, places = [], []
            rows.append(piece)
            places.append(ff.Place(item.first + start, len(piece)))
    if places:
        yield _rows_frames(segment, rows, places)


def _rows_frames(segment: int, rows: list[Array], places: list[ff.Place]) -> bytes:
    return frame("ROWS", ff.pack_rows(np.concatenate(rows))) + frame("BLCK", ff.pack_blocks(segment, places))


def _about() -> dict[str, str]:
    """What makes the recording."""
    # imported here: most scripts record nothing
    import platform
    from datetime import UTC, datetime
    from importlib.metadata import PackageNotFoundError, version

    versions = {}
    for name in ("kinetoscope", "numpy", "numba"):
        with contextlib.suppress(PackageNotFoundError):
            versions[name] = version(name)
    return {
        **versions,
        "python": sys.version.partition(" ")[0],
        "machine": platform.machine(),
        "system": platform.system(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }
