"""The models of a recording: compiled from its files when needed; what refers to them is checked then.

Models of another engine need a loader of the application's, by the name of the engine without its version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock

from sim.mjcf.complete import complete
from sim.model import Model
from sim.recording.frames import RecordingError
from sim.recording.model_files import ModelFiles, compile_files, digest
from sim.recording.read import Contents, Version
from sim.recording.run import NO_BRANCH, Branch, ModelEdits, Segment
from sim.recording.stored_rows import signature
from sim.script.model_edits import check_edits

# makes a model of files, with the name of the recording for messages; ValueError if that is not possible
Loader = Callable[[ModelFiles, str], Model]
Loaders = Mapping[str, Loader]


def load_files(files: ModelFiles, name: str) -> Model:
    """The loader of this engine."""
    return complete(compile_files(files, name))


class Models:
    """Compiles each version of the model once; on any thread."""

    def __init__(self, contents: Contents, loaders: Loaders | None = None) -> None:
        self._contents, self._loaders = contents, {"": load_files, **(loaders or {})}
        self._models: dict[int, Model] = {}
        self._lock = RLock()
        # what is not as it was when the recording was made
        self.warnings: list[str] = []
        contents.store.model_of = self.compiled

    def compiled(self, version: int) -> Model:
        """The model of a version as its files say; do not edit it. RecordingError if the recording does not fit it."""
        with self._lock:
            if version not in self._models:
                self._models[version] = self._compile(version)
            return self._models[version]

    def _compile(self, number: int) -> Model:
        version, file = self._contents.versions[number], self._contents.file
        try:
            m = self._loader(version)(self._contents.model_files(version), file.path)
        except RecordingError:
            raise
        except ValueError as why:
            raise file.error(
                version.at, f"the model cannot be compiled: {why}", "use the version that recorded it"
            ) from None
        if version.engine and version.engine != m.engine.ENGINE:
            self.warnings.append(
                f"{version.name} was recorded with {version.engine}: values from {m.engine.ENGINE} may differ"
            )
        if digest(m) != version.digest:
            self.warnings.append(
                f"{version.name} compiles to different numbers here than where it was recorded: "
                "recomputed values may differ"
            )
        try:
            if version.start_key >= m.nkey:
                raise ValueError(f"there is no keyframe {version.start_key}")
            self._check(number, m)
        except ValueError as why:
            raise file.error(version.at, f"the recording does not fit its model: {why}", "record it again") from None
        return m

    def _loader(self, version: Version) -> Loader:
        loader = self._loaders.get(version.engine.partition(" ")[0])
        if loader is None:
            cure = "open it in a viewer with this engine"
            raise self._contents.file.error(version.at, f"the model was simulated by {version.engine}", cure)
        return loader

    def _check(self, number: int, m: Model) -> None:
        """Edits and changes of all segments of a version; ValueError."""
        checked: set[int] = set()
        for branch in self._contents.run.branches.values():
            for at, segment in enumerate(branch.segments):
                if segment.version == number:
                    if id(segment.edits) not in checked:
                        check_edits(m, segment.edits)
                        checked.add(id(segment.edits))
                    self._check_change(branch, at, m)

    def _check_change(self, branch: Branch, at: int, m: Model) -> None:
        """The change that begins a segment is one of a row as it was before."""
        segment = branch.segments[at]
        if segment.change is None:
            return
        width = self._width(m, segment.edits)
        before = branch.segments[at - 1] if at else self._parent(branch)
        if before.version == segment.version and self._width(m, before.edits) != width:
            raise ValueError("the first row of a segment differs in width from the one before it")
        indices = segment.change.indices
        if len(indices) and indices[-1] >= width:
            raise ValueError(f"a change has the index {indices[-1]}: a row has {width} numbers")

    def _parent(self, branch: Branch) -> Segment:
        assert branch.parent != NO_BRANCH
        return self._contents.run.find(branch.parent, branch.fork)

    def _width(self, m: Model, edits: ModelEdits) -> int:
        return m.engine.state_size(m, signature(m, edits))
