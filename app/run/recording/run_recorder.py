"""Writes the run to a recording while it goes on: whatever is new in the history, twice a second.

The simulation hands over copies; a thread of `sim.recording.write` packs and writes them. The application's own notes:
with each segment how its journal differs from the one before, the markers of branches, and the view.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.run.history.history import History
from app.run.history.markers import Marker, MarkerType
from app.run.journal.journal import Journal
from app.run.journal.journal_delta import changed_journal, journal_delta
from sim.recording import marks
from sim.recording.marks import Mark
from sim.recording.run import Segment
from sim.recording.write import RecordingWriter

# kind of a note
VIEW = "view"
# bytes of rows that get a checksum at a time: the latest, which depend on all before
MOST_CHECKED = 2 << 20


class RunRecorder:
    """A recording that follows a history."""

    def __init__(self, path: str, history: History, model_path: str, start_key: int | None) -> None:
        """RecordingError (a ValueError) if the file cannot be written, or the model cannot be recorded."""
        self.path = path
        self._history = history
        self._name, self._start_key = Path(model_path).name, start_key
        self._writer = RecordingWriter(path)
        self._versions = 0
        self._journal = Journal()
        self._marks: dict[int, tuple[Marker, ...]] = {}
        # what has a checksum: the newest segment and its last step
        self._checked: tuple[Segment, int] | None = None
        try:
            self._models()
        except BaseException:
            self._writer.abandon()
            raise

    @property
    def bytes(self) -> int:
        """The size of the file so far."""
        return self._writer.size

    @property
    def fault(self) -> str:
        """What went wrong."""
        return self._writer.problem

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the recording lacks."""
        return tuple(self._writer.warnings)

    def follow(self) -> None:
        """Hand over what is new."""
        history = self._history
        self._models()
        self._writer.sync(history.run, self._note)
        self._checksums()
        for branch in history.timeline().branches:
            self._write_marks(branch.id, branch.markers)

    def close(self, view: str = "") -> None:
        """Hand over what is left, write it and end the file."""
        self._history.keep_rest()
        self.follow()
        self.end(view)

    def end(self, view: str) -> None:
        """Write what was handed over and end the file; on any thread."""
        self.keep_view(view)
        self._writer.close()

    def keep_view(self, view: str) -> None:
        """Note what the window shows; the last note counts."""
        if view:
            self._writer.note(VIEW, {"view": view})

    def _models(self) -> None:
        for version in range(self._versions, len(self._history.versions)):
            self._writer.model(version, self._history.versions[version], self._start_key, self._name)
        self._versions = len(self._history.versions)

    def _note(self, segment: Segment) -> Any:
        """How the journal differs from that of the segment before, in the order of the file."""
        before, self._journal = self._journal, segment.note or Journal()
        return None if self._journal is before else journal_delta(before, self._journal)

    def _checksums(self) -> None:
        """Checksums of the steps since the last call, of the branch to which they were added."""
        segments = self._history.newest.segments
        known, last = self._checked or (segments[-1], segments[-1].last)
        fresh: list[tuple[Segment, int]] = []
        for segment in reversed(segments):
            if segment is known:
                fresh.append((segment, last + 1))
                break
            if segment.last < known.first:
                break
            fresh.append((segment, segment.first))
        for segment, first in reversed(fresh):
            if segment.last >= first and segment.last > segment.first:
                first = max(first, segment.last + 1 - max(MOST_CHECKED // self._history.row_bytes, 1))
                rows = self._history.rows_of(segment, first)
                if len(rows):
                    self._writer.steps(segment, first, rows)
        self._checked = segments[-1], segments[-1].last

    def _write_marks(self, branch: int, markers: tuple[Marker, ...]) -> None:
        """The markers of a branch from the first new one on."""
        known = self._marks.get(branch, ())
        if known is markers:
            return
        same = next((k for k, (a, b) in enumerate(zip(known, markers, strict=False)) if a is not b), None)
        first = min(len(known), len(markers)) if same is None else same
        self._marks[branch] = markers
        new = (Mark(one.type.name, one.text, one.moment, one.last, one.entry) for one in markers[first:])
        self._writer.note(marks.KIND, marks.marks_note(branch, first, new))


# ---- reading


def read_journals(segments: Mapping[int, Segment]) -> None:
    """Give each segment its journal, from what the notes say; ValueError if one is not sound."""
    journal = Journal()
    for number in sorted(segments):
        segment = segments[number]
        if segment.note is not None:
            journal = changed_journal(journal, segment.note)
        segment.note = journal


def read_marks(notes: list[tuple[str, Any]]) -> dict[int, list[Marker]]:
    """The markers of branches; those that are not sound are left out."""
    return {
        branch: [Marker(MarkerType[mark.type], *mark[1:]) for mark in found if mark.type in MarkerType.__members__]
        for branch, found in marks.read_marks(notes).items()
    }


def read_view(notes: list[tuple[str, Any]]) -> str:
    """The last note about the view."""
    views = [data.get("view") for kind, data in notes if kind == VIEW and isinstance(data, dict)]
    return next((view for view in reversed(views) if isinstance(view, str)), "")
