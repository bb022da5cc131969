"""Where the model comes from: a file that is loaded, watched and read again, a recording, or a script.

A model is loaded and its kernels are compiled on other threads (`loading.py`); their reports come here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import sim
from app.files.file_watch import Watcher
from app.model.element_keys import same_elements
from app.model.problem import Problem
from app.run import commands as cmd
from app.run import warning_hook
from app.run.deferred import Deferred
from app.run.engine.choice import engine_named
from app.run.engine.installed import NoMujoco
from app.run.history.markers import MarkerType
from app.run.journal.journal import Entry, Journal
from app.run.journal.saved_run import SavedRun
from app.run.keep_state import at_start, carry_state
from app.run.live_run import LiveRun
from app.run.loading import (
    NONE_NEEDED,
    NOTHING,
    AdoptedModel,
    Drafted,
    EditPrepared,
    Failed,
    FilesRead,
    Job,
    JobMessage,
    Loaded,
    ModelLoader,
    Prepared,
)
from app.run.mouse_pull import MousePull
from app.run.publisher import Publisher
from app.run.recording.open_recording import OpenedRecording
from app.run.recording.record import Recording
from app.run.restore import Restoring
from app.run.run_state import Progress
from app.run.saving import Saving
from app.run.status import Status
from sim import Data, Model
from sim.engine import Engine
from sim.state_map import StateMap
from sim.tree_edit import Structure, edits_text

NO_CHANGE = "That change cannot be made"


class ModelSource:
    """Opens models, and replaces the current one."""

    def __init__(
        self,
        engine: Engine,
        live: LiveRun,
        status: Status,
        publisher: Publisher,
        mouse: MousePull,
        saving: Saving,
        restoring: Restoring,
        recording: Recording,
        deferred: Deferred,
        put: Callable[[cmd.Command | JobMessage], None],
    ) -> None:
        # what opens files
        self.engine = engine
        self._live, self._status, self._publisher, self._mouse = live, status, publisher, mouse
        self._saving, self._restoring, self._recording, self._deferred = saving, restoring, recording, deferred
        self._put = put
        self._starts_paused = status.run.paused
        self._loader: ModelLoader | AdoptedModel | None = None
        self._watcher = Watcher(lambda _: put(cmd.FileChanged()))
        # the result of a changed file, until its kernels are compiled
        self._reloaded: Loaded | None = None
        # why the current model is there, and the file of the last run
        self._opened = self._begun = ""
        # the recording that was opened
        self._recorded: OpenedRecording | None = None
        # continues once its model is loaded and compiled
        self._to_restore: SavedRun | None = None
        # changes of elements whose model is not there yet: what they do to the journal, and what to say
        self._changes: list[tuple[Callable[[Journal], Journal], str]] = []

    # ---- requests

    def adopt(self, model: Model, data: Data) -> None:
        """Take over a model and its state from a script, as they are."""
        self._live.engine = model.engine
        model.engine.place(model, data)
        self._loader = AdoptedModel(model.engine, model, data, self._put)

    def load(self, command: cmd.LoadModel) -> None:
        """Open a file, with a run of it that continues."""
        self._to_restore = command.saved
        if command.engine and not self._choose(command.engine):
            return
        self._changes = []
        structure = () if command.saved is None else command.saved.journal.journal.structure
        self._load(command.path, command.start_key, structure=structure)

    def set_engine(self, command: cmd.SetEngine) -> None:
        """Read the file again with another engine; the run continues with it."""
        if command.name != self._status.run.engine and self._choose(command.name):
            self.file_changed()

    def _choose(self, engine: str) -> bool:
        """Open files with an engine from now on; returns whether it is there."""
        try:
            self.engine = engine_named(engine)
        except NoMujoco as error:
            self._status.update(problem=Problem("MuJoCo cannot be used", str(error)))
            return False
        self._status.update(engine=engine)
        return True

    def edit_tree(self, command: cmd.EditTree) -> None:
        """Change elements of the file, in memory."""
        at, text = float(self._live.data.time), command.text or edits_text(command.edits)
        entry = Entry(0, text, time.time(), at, tree=command.edits)
        self.restructure(lambda journal: journal.record(entry), text)

    def restructure(self, change: Callable[[Journal], Journal], said: str) -> None:
        """Continue with the elements that the journal has after a change of it."""
        path, live = self._status.run.path, self._live
        why = "only a model opened from a file" if not path or self._recorded is not None else ""
        why = why or ("only Kinetoscope's engine" if live.engine is not sim else "")
        if why:
            self._status.update(problem=Problem(NO_CHANGE, f"{why} can have its elements changed"))
            return
        whole = Journal.taken_out if self._saving.goes_back else (lambda journal: journal)
        self._changes.append((lambda journal: whole(change(journal)), said))
        self._load_again(path, live.start_key_name)

    @property
    def goes_back(self) -> bool:
        """Whether changes of elements that were saved can be undone."""
        return self._saving.goes_back

    @property
    def changing(self) -> str:
        """The change of elements that is being made; empty if there is none."""
        return self._changes[-1][1] if self._changes else ""

    def _journal(self, journal: Journal) -> Journal:
        """A journal with the changes of elements whose model is not there yet."""
        for change, _ in self._changes:
            journal = change(journal)
        return journal

    def _load_again(self, path: str, start_key: str | None) -> None:
        """Read a file again, with the elements that were changed in memory."""
        if not self._live.has_model or path != self._status.run.path:
            self._load(path, start_key, again=True)
            return
        journal = self._live.edits.journal
        # new entries have higher numbers
        needed = journal.next_number if self._changes else NONE_NEEDED
        changed = self._journal(journal)
        self._load(path, start_key, True, changed.structure, needed, self._saving.file_before(changed))

    def _load(
        self,
        path: str,
        start_key: str | None,
        again: bool = False,
        structure: Structure = (),
        needed: int = NONE_NEEDED,
        before: Mapping[Path, bytes] = NOTHING,
    ) -> None:
        if self._loader is not None:
            self._loader.cancel()
            if self._loader.path != path:
                self._watcher.close()
        self._reloaded = None
        warning_hook.rearm()
        # at once: what is sent after a command to load waits for it
        self._status.update(problem=None, warnings=(), progress=Progress(f"reading {Path(path).name}"))
        self._drop_draft()
        draft = not self._live.has_model
        self._loader = ModelLoader(self.engine, path, start_key, self._put, again, draft, structure, needed, before)

    def read_saved(self, path: str) -> None:
        """Read what was written, which may be another file than the model came from."""
        before = self._status.run.path
        if path != before:
            self._status.update(path=path, path_before=before)
        # it would report what was just written
        self._watcher.close()
        edits = self._live.edits
        edits.journal = edits.journal.in_file()
        self._load_again(path, self._live.start_key_name)

    def reload(self, _: cmd.Reload) -> None:
        """Read the current file again."""
        path, key = self._status.run.path, self._live.start_key_name
        if path:
            self._load_again(path, key)
        elif self._loader is not None and self._loader.path:
            self.file_changed()

    def file_changed(self, _: cmd.FileChanged | None = None) -> None:
        """Read the file that was requested last, even if it could not be opened."""
        if self._loader is not None:
            self._load_again(self._loader.path, self._loader.start_key)

    def cancel(self, _: cmd.Cancel | None = None) -> None:
        """Cancel loading and compilation; finished kernels are kept."""
        if self._loader is not None:
            self._loader.cancel()
        if self._live.has_model:
            self._live.edits.cancel()
        self._changes = []
        self._drop_draft()
        progress = self._status.run.progress
        if progress is not None:
            self._status.update(progress=None, notification=f"cancelled: {progress.label}")

    def close(self) -> None:
        """Stop loading and watching files."""
        if self._loader is not None:
            self._loader.cancel()
            self._loader = None
        self._watcher.close()

    # ---- reports of loaders and compilations

    def expects(self, message: JobMessage) -> bool:
        """Whether a message still matters: it comes from the newest loader, or from the compilation for an edit.

        The end of a compilation matters even if it was cancelled: another may begin. So do the files of a model: it is
        read again when one of them is saved.
        """
        job = message.job
        if isinstance(message, FilesRead):
            return job is self._loader
        if isinstance(message, EditPrepared):
            return self._edits_wait_for(job)
        return not job.cancelled and (job is self._loader or self._edits_wait_for(job))

    def _edits_wait_for(self, job: Job) -> bool:
        return self._live.has_model and self._live.edits.wait_for(job)

    def files_read(self, message: FilesRead) -> None:
        """Watch the files of the model."""
        self._watcher.watch(message.files)

    def drafted(self, message: Drafted) -> None:
        """Show what stands in for the model until it is loaded."""
        if not self._live.has_model:
            self._publisher.show_draft(message.model, message.data)
            self._status.update(path=message.job.path, draft=True)

    def _drop_draft(self) -> None:
        """Show nothing instead of a model that is not coming."""
        if self._status.run.draft:
            self._publisher.drop_draft()
            self._deferred.clear()
            self._status.update(path="", draft=False)

    def loaded(self, message: Loaded) -> None:
        """Replace the model; it is drawn at once. If its file has changed, it runs on until the kernels are there."""
        live, status, job, recorded = self._live, self._status, message.job, message.recording
        again = job.again and job.path == status.run.path and self._to_restore is None
        if again and status.run.ready:
            self._reloaded = message
            return
        if live.has_model:
            self._recording.finish()
            live.history.stop()
        live.take_model(message.model, message.data, job.start_key, job.note)
        self._saving.read_again()
        self._opened, self._recorded = "reloaded" if again else "opened", recorded
        live.open_history(recorded, self._opened)
        self._publisher.open_recording(() if recorded is None else recorded.journals)
        self._mouse.forget()
        if not again and not status.run.draft:
            self._deferred.clear()
        self._publisher.drop_draft()
        path_before = status.run.path_before if again else ""
        # the view with the model: the window shows it as it was shown
        status.update(path=job.path, path_before=path_before, ready=False, problem=None, stage_seconds=(), draft=False,
                      view="" if recorded is None else recorded.view)  # fmt: skip

    def prepared(self, message: Prepared) -> None:
        """Kernels are compiled: start."""
        live, status, job = self._live, self._status, message.job
        status.update(ready=True, progress=None)
        live.edits.compile_ahead()
        if not isinstance(job, ModelLoader):
            live.resume()
            return
        if self._recorded is not None:
            self._show_recording(self._recorded)
        else:
            if self._begun not in ("", status.run.path):
                # that the model before was paused says nothing about this one
                status.update(paused=self._starts_paused)
            self._begun = status.run.path
            live.begin(live.start_over(self._opened))
        saved, self._to_restore = self._to_restore, None
        if saved is not None and saved.path == status.run.path:
            self._restoring.restore(saved, job.lost)

    def _show_recording(self, opened: OpenedRecording) -> None:
        """The start of a recorded run, paused."""
        self._status.update(paused=True, replaying=False)
        if not self._live.show(max(opened.run.branches), 0):
            return
        if opened.damage:
            self._status.update(problem=Problem("Part of the recording is damaged", opened.damage))
        self._status.warn(*opened.warnings)

    def failed(self, message: Failed) -> None:
        """Show the problem; the running model stays as it is."""
        if self._edits_wait_for(message.job):
            self._live.edits.fail()
        problem = message.problem
        self._changes = []
        self._drop_draft()
        if not self._live.has_model:
            problem = replace(problem, text=f"{problem.text}\nIt will open as soon as you fix and save it.")
        self._reloaded = None
        self._status.update(progress=None, problem=problem)

    # ---- another model for the current run

    def take_reloaded(self, message: Prepared) -> bool:
        """If this ends the compilation for a changed file, continue with its model; returns whether it does."""
        reloaded, self._reloaded = self._reloaded, None
        if reloaded is None or reloaded.job is not message.job:
            return False
        self._continue_with(reloaded)
        return True

    def _continue_with(self, message: Loaded) -> None:
        """The file has changed: the run continues with the new model, from the same state, on the same timeline."""
        live, model, data, job = self._live, message.model, message.data, message.job
        journal = self._journal(live.edits.journal)
        if [edit for _, edit in job.structure] != [edit for _, edit in journal.structure]:
            # another moment is current by now, which has other elements
            self._load_again(job.path, job.start_key)
            return
        self._mouse.model_changes()
        live.edits.remove_new_keys()
        before, was, key = live.model, live.data, live.start_key
        saved, difference = self._saving.file_text(before, model)
        text = difference if saved else f"file: {difference or 'read again'}"
        said = f"the file has changed: {difference}" if difference else "the file was reloaded"
        changed, self._changes = self.changing, []
        live.edits.journal = journal.settle(job.lost)
        if changed:
            saved, text, said = False, changed, changed
        if model.engine is not before.engine:
            saved, text = False, f"engine: {model.engine.ENGINE}"
            said = text
        states = StateMap(before, model, same_elements(before, model))
        clashes = self.replace_model(model, data, job.start_key, job.note, own=bool(changed))
        self._saving.read_again()
        live.engine.reset(model, data, live.start_key)
        starts = live.history.now == 0 and at_start(before, was, key)
        carry_state(states, (before, was), (model, data), starts)
        self.add_version(len(live.history.versions), text, MarkerType.EDIT if changed else MarkerType.FILE)
        # after a save it is known already
        self._status.update(progress=None, problem=None)
        if not saved or clashes:
            self._status.say(f"{said}{clashes}")

    def replace_model(self, model: Model, data: Data, start_key: str | None, note: str, own: bool = False) -> str:
        """Another model takes the user's edits over, without new keyframes; returns what to say about clashes."""
        edits = self._live.edits
        self._live.take_model(model, data, start_key, note)
        clashes = self._live.adopt_rebased(self._saving.rebased(edits, own))
        # recorded states have the model that they had
        edits.adopt(edits.journal)
        return clashes

    def add_version(self, version: int, text: str, marker: MarkerType = MarkerType.FILE) -> None:
        """The history continues with the current model as a new version."""
        live = self._live
        live.history.show_version(version, live.model, live.data)
        live.changed(text)
        live.add_marker(marker, text)
        live.edits.compile_ahead()
