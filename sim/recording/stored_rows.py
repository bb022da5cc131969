"""Rows that stay in a recording until they are read: decompressed, checked for the model, and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from sim.enums import ENBL_SLEEP, STATE_SLEEP
from sim.model import Model
from sim.recording.file_format import unpack_rows
from sim.recording.frames import Frame, FrameFile
from sim.recording.run import Array, ModelEdits, Segment
from sim.script.check_state import check_rows

# bytes of decompressed rows
CACHED = 64 << 20
CURE = "the rest of the recording can be used"


def signature(m: Model, edits: ModelEdits) -> int:
    """The signature of rows that a model with edits has made: record_signature, without making the edits."""
    flags = int(m.file_values["opt.enableflags"])
    for cell in edits.cells.get("opt.enableflags", ()):
        flags = flags | cell.bit if cell.value else flags & ~cell.bit
    own = m.engine.record_signature(m)
    return own | STATE_SLEEP if flags & ENBL_SLEEP else own & ~STATE_SLEEP


class RowStore:
    """Reads rows from a file on any thread; the latest ones are kept."""

    def __init__(self, file: FrameFile) -> None:
        self.file = file
        # the model of a version, whoever has it
        self.model_of: Callable[[int], Model] | None = None
        self._cache: OrderedDict[int, Array] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def rows(self, frame: Frame, segment: Segment) -> Array:
        """All rows of a frame, which belong to a segment; RecordingError if they are damaged or not of its model."""
        with self._lock:
            known = self._cache.get(frame.at)
            if known is not None:
                self._cache.move_to_end(frame.at)
                return known
        rows = self._read(frame, segment)
        with self._lock:
            if frame.at not in self._cache:
                self._cache[frame.at] = rows
                self._size += rows.nbytes
            while self._size > CACHED and len(self._cache) > 1:
                self._size -= self._cache.popitem(last=False)[1].nbytes
        return rows

    def _read(self, frame: Frame, segment: Segment) -> Array:
        data = self.file.payload(frame)
        assert self.model_of is not None
        model = self.model_of(segment.version)
        sig = signature(model, segment.edits)
        width = model.engine.state_size(model, sig)
        try:
            rows = unpack_rows(data)
            if rows.shape[1] != width:
                raise ValueError(f"rows have {rows.shape[1]} numbers, not {width} as in the model")
            check_rows(model, rows, sig)
        except ValueError as why:
            raise self.file.error(frame.at, str(why), CURE) from None
        rows.setflags(write=False)
        return rows


@dataclass(frozen=True, eq=False)
class StoredRows:
    """Some rows of a frame, for a Block."""

    store: RowStore
    frame: Frame
    skip: int
    count: int
    segment: Segment

    def read(self) -> Array:
        """The rows, one for each step; ValueError if they are damaged."""
        return self.store.rows(self.frame, self.segment)[self.skip : self.skip + self.count]
