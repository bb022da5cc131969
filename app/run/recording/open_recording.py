"""Opens a recording for the viewer: the run, its models, and the application's notes, all checked."""

from __future__ import annotations

from dataclasses import dataclass

from app.run.engine.recorded import LOADERS
from app.run.history.markers import Marker
from app.run.journal.journal import Journal
from app.run.recording.run_recorder import read_journals, read_marks, read_view
from sim import Model
from sim.recording.models import Models
from sim.recording.read import read_recording
from sim.recording.run import Run


@dataclass(frozen=True, eq=False)
class OpenedRecording:
    """A recorded run; `start_key` is the keyframe in which it started, `damage` what of the file is not whole."""

    run: Run
    versions: list[Model]
    markers: dict[int, list[Marker]]
    start_key: str | None
    view: str
    damage: str
    warnings: tuple[str, ...]

    @property
    def journals(self) -> list[Journal]:
        """All that its moments have."""
        return [segment.note for branch in self.run.branches.values() for segment in branch.segments]


def open_recording(path: str) -> OpenedRecording:
    """The recording in a file; RecordingError, which is a ValueError, says what is wrong with it."""
    contents = read_recording(path)
    models = Models(contents, LOADERS)
    # the viewer edits its models
    versions = [models.compiled(version.number).copy() for version in contents.versions]
    read_journals(contents.segments)
    first = contents.versions[0]
    key = versions[0].id2name("key", first.start_key) if first.start_key >= 0 else None
    return OpenedRecording(
        contents.run, versions, read_marks(contents.notes), key, read_view(contents.notes), contents.damage,
        tuple(models.warnings),
    )  # fmt: skip
