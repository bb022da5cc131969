"""Loads models and compiles kernels on threads beside the simulation, and reports in messages.

A `ModelLoader` loads one file, so that the running model goes on meanwhile, commands are handled during a
compilation, and a broken file changes nothing; a `CompileForEdit` compiles what an edit needs. Both put their reports
into the simulation's queue; each message carries its job, so that those of a superseded job can be ignored. A
`CompileAhead` compiles what later edits may need, at low priority, and reports nothing.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import sim
from app.files.error_text import describe
from app.files.recordings import is_recording
from app.model.problem import Problem
from app.run.background_thread import lower_priority
from app.run.engine.choice import open_model
from app.run.recording.open_recording import OpenedRecording, open_recording
from app.run.run_state import Progress
from sim import Data, Model
from sim.engine import Engine
from sim.file_stamp import Stamps, stamps
from sim.mjcf.draft import draft_file
from sim.state import endless
from sim.tree_edit import Structure

# a number after those of all entries
NONE_NEEDED = 1 << 31
NOTHING: Mapping[Path, bytes] = MappingProxyType({})
# what to know about a compilation
ONCE = "This happens only once: later starts load it from disk. Meanwhile, you can look around, select and edit."
# the title of a problem: a kernel has an error
NOT_COMPILED = "The engine cannot be compiled"


class Cancelled(Exception):
    """The job was cancelled."""


@dataclass(frozen=True)
class JobMessage:
    """What a job reports."""

    job: Job


@dataclass(frozen=True)
class FilesRead(JobMessage):
    """What was read or looked for to load the model; also if that failed or was cancelled."""

    files: Stamps


@dataclass(frozen=True)
class Loaded(JobMessage):
    """The model is loaded and can be drawn; kernels may still be missing."""

    job: ModelLoader | AdoptedModel
    model: Model
    data: Data
    # what the model belongs to, if that was opened
    recording: OpenedRecording | None = None


@dataclass(frozen=True)
class Drafted(JobMessage):
    """Boxes stand in for meshes that take long to read: something to look at until the model is loaded."""

    job: ModelLoader
    model: Model
    data: Data


@dataclass(frozen=True)
class Working(JobMessage):
    """Progress of the job."""

    progress: Progress


@dataclass(frozen=True)
class Prepared(JobMessage):
    """All kernels that the model needs as it is are compiled: it can step."""


@dataclass(frozen=True)
class EditPrepared(JobMessage):
    """The kernels that an edit waits for are compiled; or their compilation was cancelled, and another may begin."""


@dataclass(frozen=True)
class Failed(JobMessage):
    """The job ended with a problem."""

    problem: Problem


def compiling(done: int, total: int, label: str) -> Progress:
    """Progress of a compilation; the label of the engine ends with the full names of kernels."""
    doing, _, names = label.partition(" ")
    kernels = ", ".join(name.rpartition(".")[2].replace("_", " ") for name in names.split(", "))
    detail = f"now {kernels}" if doing == "compiling" else label if doing == "starting" else ""
    return Progress("compiling the engine for this model", done, total, detail, ONCE)


class Job(ABC):
    """Work on a background thread."""

    title = ""

    def __init__(self, engine: Engine, report: Callable[[JobMessage], None]) -> None:
        self._engine = engine
        self._report = report
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loader", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop at the next opportunity, also in a search without an end."""
        self._cancelled.set()
        endless.end(self._thread.ident)

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled.is_set()

    @abstractmethod
    def _work(self) -> None:
        """The work; errors are reported."""

    def _run(self) -> None:
        """Work, and report errors."""
        try:
            self._work()
        except Cancelled:
            pass
        except Exception as error:
            if not self._cancelled.is_set():
                self._report(Failed(self, Problem(self.title, describe(error))))
        finally:
            # another thread may get its number
            endless.forget_end()

    def _progress(self, done: int, total: int, label: str) -> None:
        """Called while a file is read, and by the engine when it begins or has compiled a kernel."""
        self._post(Working(self, compiling(done, total, label) if total else Progress(label)))

    def _post(self, message: JobMessage) -> None:
        """Report, or end here if the job was cancelled."""
        if self._cancelled.is_set():
            raise Cancelled
        self._report(message)


class ModelLoader(Job):
    """Loads a model file and compiles its kernels; `again`: the run goes on with what the file gives now."""

    def __init__(
        self,
        engine: Engine,
        path: str,
        start_key: str | None,
        report: Callable[[JobMessage], None],
        again: bool = False,
        draft: bool = False,
        structure: Structure = (),
        needed: int = NONE_NEEDED,
        before: Mapping[Path, bytes] = NOTHING,
    ) -> None:
        self.path, self.start_key, self.again = path, start_key, again
        # changes of elements, by entry of the journal: those from `needed` on must be possible
        self.structure, self._needed = structure, needed
        # what files were when these changes had not been saved
        self._before = before
        # why others were not made
        self.lost: Mapping[int, str] = {}
        # whether nothing is shown until the model is loaded
        self._wants_draft = draft
        # why the model has another engine than was asked for
        self.note = ""
        super().__init__(engine, report)

    def _work(self) -> None:
        """Load, report, compile, report."""
        name = Path(self.path).name
        self.title = "That change cannot be made" if self._needed < NONE_NEEDED else f"{name} cannot be opened"
        recording = open_recording(self.path) if is_recording(self.path) else None
        if self._wants_draft and recording is None:
            self._show_draft(name)
        if recording is None:
            model = self._load()
            self._engine = model.engine
        else:
            self.start_key, model = recording.start_key, recording.versions[0]
        data = self._engine.Data(model)
        self._engine.place(model, data)
        self._post(Loaded(self, model, data, recording))
        self.title = NOT_COMPILED
        self._engine.prepare(model, self._progress, edits=False)
        self._post(Prepared(self))

    def _show_draft(self, name: str) -> None:
        """Report what can be seen of a model whose files take long to read."""
        try:
            draft = draft_file(self.path)
        except Exception:
            # the model itself will tell
            return
        if draft is not None:
            data = sim.Data(draft.model)
            sim.place(draft.model, data)
            self._post(Drafted(self, draft.model, data))
            self._progress(0, 0, f"reading {name}{_counted(draft.meshes, draft.images)}")

    def _load(self) -> Model:
        """Load the model, and report its files in any case."""
        # all that is known of an error that is not about the model
        files = stamps([Path(self.path)])
        try:
            if self.structure and self._engine is not sim:
                raise ValueError("some element changes are not in the file yet: save it first")
            if self.structure or self._before:
                # takes a while to import, and few need it
                from app.run.structure import load_with

                model, self.lost = load_with(Path(self.path), self.structure, self._needed, self._before)
            else:
                model, self.note = open_model(self._engine, self.path)
            files = model.files
        except Exception as error:
            files = getattr(error, "files", None) or files
            raise
        finally:
            self._report(FilesRead(self, files))
        return model


class AdoptedModel(Job):
    """A model and its state that a script passed in: only compiled."""

    path, start_key, again, note = "", None, False, ""
    structure: Structure = ()
    lost: Mapping[int, str] = MappingProxyType({})
    title = NOT_COMPILED

    def __init__(self, engine: Engine, model: Model, data: Data, report: Callable[[JobMessage], None]) -> None:
        self._model, self._data = model, data
        super().__init__(engine, report)

    def _work(self) -> None:
        """Report, compile, report."""
        self._post(Loaded(self, self._model, self._data))
        self._engine.prepare(self._model, self._progress, edits=False)
        self._post(Prepared(self))


class CompileForEdit(Job):
    """Compiles the kernels that an edited copy of the model needs."""

    title = "The kernels for this edit cannot be compiled"

    def __init__(self, engine: Engine, model: Model, report: Callable[[JobMessage], None]) -> None:
        self._model = model
        super().__init__(engine, report)

    def _work(self) -> None:
        """Compile, report."""
        self._engine.prepare(self._model, self._progress, edits=False)
        self._post(EditPrepared(self))

    def _run(self) -> None:
        """Work, and report the end in any case."""
        super()._run()
        if self.cancelled:
            self._report(EditPrepared(self))


class CompileAhead(Job):
    """Compiles the kernels that a model may need after any edit, so that no later edit has to wait.

    An error is not reported: an edit that needs the kernel reports it.
    """

    def __init__(self, engine: Engine, model: Model) -> None:
        self._model = model
        self.finished = False
        super().__init__(engine, lambda message: None)

    def _work(self) -> None:
        lower_priority()
        self._engine.prepare(self._model, self._progress)
        self.finished = True


def _counted(meshes: int, images: int) -> str:
    """How many files there are to read, in brackets."""
    counts = ((meshes, "mesh", "meshes"), (images, "image", "images"))
    found = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)
    return f" ({found})" if found else ""
