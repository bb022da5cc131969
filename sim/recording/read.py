"""Reads a recording from a file: a Run whose rows stay in the file until they are needed.

Reading stops at the first frame that is cut off, damaged or impossible; what came before is a whole run, and `damage`
says where it ends and why. What depends on the model (edits, widths and indices of rows) is checked when the model is
compiled or rows are read: nothing in the file reaches native code before.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, TypeVar

from sim.recording import file_format as ff
from sim.recording.carry import find_carried
from sim.recording.frames import Frame, FrameFile, RecordingError
from sim.recording.model_files import MOST_BYTES, MOST_FILES, ModelFiles, check_name
from sim.recording.run import NO_BRANCH, Block, Branch, ModelEdits, Run, Segment
from sim.recording.stored_rows import RowStore, StoredRows

K = TypeVar("K")
MOST_STEPS = 1 << 40
# between two rows of a segment: what has to be computed again to get at a moment
MOST_BETWEEN = 1 << 24
MOST_NAME = 1000
MOST_COLOUR = 1 << 31
# bytes of all notes
MOST_NOTES = 256 << 20
MODEL = {
    "version": int, "name": str, "entry": str, "files": list, "given": list, "folder": str, "packages": dict,
    "start_key": int, "digest": str,
}  # fmt: skip
MODEL_MORE = {"engine": str}
BRANCH = {"id": int, "parent": int, "fork": int, "name": str, "colour": int}


@dataclass(frozen=True)
class Version:
    """A version of the model: what its frame says, and the frames of its files."""

    number: int
    name: str
    start_key: int
    digest: str
    # what simulated it, empty for this engine
    engine: str
    table: Mapping[str, Any]
    at: int


@dataclass
class Contents:
    """What a recording has."""

    file: FrameFile
    store: RowStore
    about: dict[str, Any] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    run: Run = field(default_factory=Run)
    segments: dict[int, Segment] = field(default_factory=dict)
    # of steps, for verification, in the order of the file
    checksums: list[ff.StepsFrame] = field(default_factory=list)
    # the application's: kind and content
    notes: list[tuple[str, Any]] = field(default_factory=list)
    # whether the writer has ended the file
    ended: bool = False
    damage: str = ""
    stored: dict[bytes, Frame] = field(default_factory=dict)

    def model_files(self, version: Version) -> ModelFiles:
        """The files of a version; RecordingError if one is damaged."""
        table, total = version.table, 0
        contents: dict[str, dict[str, bytes]] = {}
        for kind in ("files", "given"):
            contents[kind] = {}
            for name, sha256 in table[kind]:
                data = contents[kind][name] = self._content(bytes.fromhex(sha256), MOST_BYTES - total)
                total += len(data)
        packages = {variable: tuple(places) for variable, places in table["packages"].items()}
        return ModelFiles(table["entry"], contents["files"], contents["given"], table["folder"], packages)

    def _content(self, sha256: bytes, most: int) -> bytes:
        frame = self.stored[sha256]
        payload = self.file.payload(frame)
        try:
            _, size = ff.FILE.unpack_from(payload)
            data = ff.inflate(payload[ff.FILE.size :], min(size, most))
        except ValueError as why:
            raise self.file.error(frame.at, f"a file of the model: {why}", CURE) from None
        if len(data) != size or hashlib.sha256(data).digest() != sha256:
            raise self.file.error(frame.at, "a file of the model is not the one that was recorded", CURE)
        return data


CURE = "copy the recording again from the original"


def read_recording(path: str | os.PathLike[str]) -> Contents:
    """What the recording in a file has; RecordingError if there is none, or nothing of it is whole."""
    start, size = find_carried(path)
    file = FrameFile(os.fspath(path), start, size)
    reader = _Reader(Contents(file, RowStore(file)))
    for frame in file.frames():
        try:
            reader.take(frame)
        except ValueError as why:
            plain = str(why).partition(": ")[2] if isinstance(why, RecordingError) else str(why)
            file.damage = f"byte {start + frame.at}: {plain or why}"
            break
    return reader.finish()


class _Reader:
    """Builds a run from frames; ValueError if one cannot follow those before it."""

    def __init__(self, contents: Contents) -> None:
        self._found = contents
        self._edits: dict[int, ModelEdits] = {}
        self._branches: dict[int, int] = {}
        self._rows: tuple[Frame, int] | None = None
        self._note_bytes = 0

    def take(self, frame: Frame) -> None:
        """The next frame."""
        if frame.type == "ROWS":
            head = self._found.file.bytes_at(frame.at, ff.ROWS.size)
            self._rows = frame, ff.rows_shape(head)[0]
            return
        take = TAKE.get(frame.type)
        if take is not None:
            take(self, self._found.file.payload(frame), frame)

    def _head(self, data: bytes, _: Frame) -> None:
        table = ff.unpack_json(data)
        _need(isinstance(table, dict), "the head is not a table")
        self._found.about = {str(name)[:100]: str(value)[:1000] for name, value in list(table.items())[:100]}

    def _file(self, data: bytes, frame: Frame) -> None:
        _need(len(data) >= ff.FILE.size, "a file of the model is cut off")
        _need(len(self._found.stored) < MOST_FILES, "there are too many files")
        self._found.stored.setdefault(ff.FILE.unpack_from(data)[0], frame)

    def _model(self, data: bytes, frame: Frame) -> None:
        table = ff.unpack_table(data, MODEL, MODEL_MORE)
        names: set[str] = set()
        for kind in ("files", "given"):
            for item in table[kind]:
                sound = isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item)
                _need(sound, "a file of the model is not a name and a digest")
                check_name(item[0])
                _need(bytes.fromhex(item[1]) in self._found.stored, f"the file '{item[0][:80]}' is missing")
                _need((kind + item[0]) not in names, f"the file '{item[0][:80]}' is duplicated")
                names.add(kind + item[0])
        _need("files" + table["entry"] in names, "the main file of the model is missing")
        for places in table["packages"].values():
            _need(
                isinstance(places, list) and all(isinstance(place, str) for place in places), "packages is not a list"
            )
        _need(table["version"] == len(self._found.versions), f"version {table['version']} is out of order")
        _need(-1 <= table["start_key"] < MOST_STEPS, "there is no such keyframe")
        parts = (table["version"], table["name"][:MOST_NAME], table["start_key"], table["digest"])
        self._found.versions.append(Version(*parts, table.get("engine", "")[:MOST_NAME], table, frame.at))

    def _branch(self, data: bytes, _: Frame) -> None:
        table = ff.unpack_table(data, BRANCH)
        branches = self._found.run.branches
        known = branches.get(table["id"])
        _need(0 <= table["colour"] < MOST_COLOUR, "there is no such colour")
        name = table["name"][:MOST_NAME]
        if known is not None:
            same = (known.parent, known.fork) == (table["parent"], table["fork"])
            _need(same, f"branch {known.id} moves")
            known.name, known.colour = name, table["colour"]
            return
        _need(0 <= table["id"] < 1 << 31, "there is no such branch")
        if table["parent"] == NO_BRANCH:
            _need(table["fork"] == 0, "a root does not begin at step 0")
        else:
            parent = _known(branches, table["parent"], "branch")
            _need(bool(parent.segments), f"branch {parent.id} does not exist")
            _need(parent.fork <= table["fork"] <= parent.last, f"branch {table['id']} begins outside its parent")
        branches[table["id"]] = Branch(table["id"], table["parent"], table["fork"], name, table["colour"])

    def _edit(self, data: bytes, _: Frame) -> None:
        _need(len(data) >= ff.NUMBER.size, "edits are cut off")
        number = ff.NUMBER.unpack_from(data)[0]
        _need(number == len(self._edits), "edits are out of order")
        self._edits[number] = ff.unpack_edits(ff.inflate(data[ff.NUMBER.size :], ff.MOST_JSON))

    def _segment(self, data: bytes, _: Frame) -> None:
        new = ff.unpack_segment(data)
        found = self._found
        branch = _known(found.run.branches, new.branch, "branch")
        _need(new.id == len(found.segments), "segments are out of order")
        _need(0 <= new.version < len(found.versions), f"version {new.version} does not exist")
        _need(new.edits in self._edits, "edits are missing")
        _need(isfinite(new.timestep) and new.timestep >= 0, "a segment has no timestep")
        begin = branch.last if branch.segments else branch.fork
        _need(new.first == begin, "a segment does not follow the one before")
        root = branch.parent == NO_BRANCH and not branch.segments
        _need(not (root and new.change is not None), "the first row of a root is missing")
        if new.change is not None and len(new.change.indices):
            indices = new.change.indices
            _need(bool((indices[1:] > indices[:-1]).all()) and indices[0] >= 0, "indices of a change do not increase")
        note = ff.unpack_json(new.note) if new.note else None
        # of a run that has diverged
        time = new.time if isfinite(new.time) else _time(branch.segments[-1], begin) if branch.segments else 0.0
        segment = Segment(
            new.first, new.first, new.version, self._edits[new.edits], time, new.timestep, new.change,
            dense=new.dense, note=note,
        )  # fmt: skip
        found.segments[new.id] = segment
        self._branches[new.id] = branch.id
        branch.segments.append(segment)

    def _blocks(self, data: bytes, _: Frame) -> None:
        rows, self._rows = self._rows, None
        if rows is None:
            raise ValueError("blocks have no rows")
        number, places = ff.unpack_blocks(data)
        segment = self._newest(number)
        _need(sum(place.rows for place in places) == rows[1], "blocks have other rows")
        skip = 0
        for place in places:
            _need(place.rows > 0 and 0 <= place.first <= MOST_STEPS, "a block has no steps")
            begin = segment.blocks[-1].first + segment.blocks[-1].count if segment.blocks else segment.first
            _need(place.first >= begin, "blocks overlap")
            _need(place.first - begin <= MOST_BETWEEN, "too many steps have no rows")
            _need(bool(segment.blocks) or segment.change is not None or place.first == segment.first, FIRST_ROW)
            kept = StoredRows(self._found.store, rows[0], skip, place.rows, segment)
            segment.blocks.append(Block(place.first, place.rows, kept))
            skip += place.rows

    def _steps(self, data: bytes, _: Frame) -> None:
        steps = ff.unpack_steps(data)
        segment = _known(self._found.segments, steps.segment, "segment")
        _need(segment.first <= steps.first <= steps.last <= MOST_STEPS, "steps are out of order")
        if steps.last > segment.last:
            self._newest(steps.segment).last = steps.last
        if steps.crc is not None:
            self._found.checksums.append(steps)

    def _newest(self, number: int) -> Segment:
        """A segment that can grow: the last one of its branch."""
        segment = _known(self._found.segments, number, "segment")
        branch = self._found.run.branches.get(self._branches[number])
        newest = branch is not None and bool(branch.segments) and branch.segments[-1] is segment
        _need(newest, "steps of a segment that has ended")
        return segment

    def _undo(self, data: bytes, _: Frame) -> None:
        segment = self._newest(_number(data))
        branch = self._found.run.branches[self._branches[_number(data)]]
        children = any(one.parent == branch.id and one.fork == branch.last for one in self._found.run.branches.values())
        _need(segment.first == segment.last and not children, "a segment with steps is replaced")
        branch.segments.pop()

    def _count_note(self, data: bytes) -> None:
        self._note_bytes += len(data)
        _need(self._note_bytes <= MOST_NOTES, "there are too many notes")

    def _note(self, data: bytes, _: Frame) -> None:
        self._count_note(data)
        self._found.notes.append(ff.unpack_note(data))

    def _drop(self, data: bytes, _: Frame) -> None:
        number = ff.unpack_table(data, {"branch": int})["branch"]
        branches = self._found.run.branches
        if not any(branch.parent == number for branch in branches.values()):
            branches.pop(number, None)

    def _done(self, _: bytes, __: Frame) -> None:
        self._found.ended = True

    def finish(self) -> Contents:
        """What was found; a segment whose rows did not arrive is left out."""
        found = self._found
        for branch in list(found.run.branches.values()):
            for at, segment in enumerate(branch.segments):
                if not segment.blocks and segment.change is None:
                    del branch.segments[at:]
                    break
            for segment in branch.segments:
                _limit(segment)
        _without_empty(found.run)
        found.damage = found.file.damage
        if not found.versions or not found.run.branches:
            why = found.damage or f"byte {found.file.end}: the recording ends before its first step"
            raise RecordingError(f"{found.file.path}, {why}; nothing before it can be used")
        return found


FIRST_ROW = "a segment begins without its first row"


def _limit(segment: Segment) -> None:
    """A segment ends where its rows do, if they cannot be computed, or if that would take too long."""
    end = segment.first if segment.change is not None else segment.first - 1
    for block in segment.blocks:
        if segment.dense and block.first > end + 1:
            break
        end = block.first + block.count - 1
    segment.last = min(segment.last, end if segment.dense else end + MOST_BETWEEN)
    segment.blocks = [block for block in segment.blocks if block.first + block.count - 1 <= segment.last]


def _without_empty(run: Run) -> None:
    """Remove branches without segments, and those that begin beyond the end of their parents."""
    for branch in list(run.branches.values()):
        parent = run.branches.get(branch.parent)
        lost = branch.parent != NO_BRANCH and (parent is None or branch.fork > parent.last)
        if lost or not branch.segments:
            del run.branches[branch.id]


def _number(data: bytes) -> int:
    _need(len(data) >= ff.NUMBER.size, "a frame is too short")
    return int(ff.NUMBER.unpack_from(data)[0])


def _time(segment: Segment, step: int) -> float:
    return segment.time + (step - segment.first) * segment.timestep


def _known(table: Mapping[int, K], number: int, kind: str) -> K:
    if number not in table:
        raise ValueError(f"{kind} {number} does not exist")
    return table[number]


def _need(sound: bool, why: str) -> None:
    if not sound:
        raise ValueError(why)


TAKE: dict[str, Callable[[_Reader, bytes, Frame], None]] = {
    "HEAD": _Reader._head,
    "FILE": _Reader._file,
    "MODL": _Reader._model,
    "BRAN": _Reader._branch,
    "EDIT": _Reader._edit,
    "SEGM": _Reader._segment,
    "BLCK": _Reader._blocks,
    "STEP": _Reader._steps,
    "UNDO": _Reader._undo,
    "NOTE": _Reader._note,
    "DROP": _Reader._drop,
    "DONE": _Reader._done,
}
