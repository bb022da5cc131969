"""Edits a running model between two steps, and resets fields to what the file says.

An edit that needs kernels which are not compiled waits: a thread compiles what an edited copy of the model needs, then
the edit is made. Until then the run continues as before. There is one such thread and one copy, however many values a
slider sends meanwhile: of each target the newest value is kept. A reset drops an edit that waits. While no edit waits,
what any edit may need is compiled ahead; after that none has to wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from app.model.editable import BY_PATH, FLAGS
from app.run import commands as cmd
from app.run.engine import Engine
from app.run.loading import CompileAhead, CompileForEdit, Job, JobMessage
from sim import Model
from sim.mjcf.set_const.dependents import DEPENDENTS, update_dependents

Edit = cmd.SetField | cmd.SetFlag | cmd.ResetField | cmd.ResetEdits


class LiveEdits:
    """What the user changed in a model since it was loaded."""

    def __init__(self, engine: Engine, model: Model, report: Callable[[JobMessage], None]) -> None:
        # fields that differ from the file
        self.edited: set[str] = set()
        self._engine = engine
        self._model = model
        self._file_values = model.file_values
        self._report = report
        # edits that wait for kernels, by what they write to
        self._waiting: dict[Edit, Edit] = {}
        self._compilation: CompileForEdit | None = None
        self._ahead: CompileAhead | None = None

    def compile_ahead(self) -> None:
        """The model can step: compile what any edit may need, unless edits wait for what they need."""
        if self._compilation is None and (self._ahead is None or self._ahead.cancelled):
            self._ahead = CompileAhead(self._engine, self._model)

    def close(self) -> None:
        """End all compilation; the model is not edited any more."""
        self.cancel()
        if self._ahead is not None:
            self._ahead.cancel()

    def apply(self, edit: Edit) -> set[str]:
        """Make an edit; returns the fields that changed: none if the edit changes nothing, or has to wait."""
        if isinstance(edit, cmd.ResetEdits | cmd.ResetField):
            self._drop_waiting(edit)
        changed = self._try(edit)
        if not self._waiting:
            self.cancel()
        elif self._compilation is None:
            self._prepare()
        return changed

    @property
    def file_values(self) -> dict[str, Any]:
        """What the file says about the fields that differ from it."""
        return {path: self._file_values[path] for path in self.edited}

    @property
    def waiting(self) -> tuple[Edit, ...]:
        """The edits that wait for kernels."""
        return tuple(self._waiting.values())

    def wait_for(self, job: Job) -> bool:
        """Whether edits wait for this compilation."""
        return job is self._compilation

    def retry(self) -> set[str]:
        """The compilation has ended: make the edits that waited for it; returns the fields that changed."""
        waiting, self._waiting, self._compilation = self._waiting, {}, None
        changed = set().union(*(self._try(edit) for edit in waiting.values()))
        if self._waiting:
            self._prepare()
        else:
            self.compile_ahead()
        return changed

    def cancel(self) -> None:
        """Drop all edits that wait, and cancel the compilation."""
        self._waiting = {}
        if self._compilation is not None:
            self._compilation.cancel()

    def fail(self) -> None:
        """The compilation has failed: drop the edits that waited for it."""
        self._waiting, self._compilation = {}, None
        self.compile_ahead()

    def _try(self, edit: Edit) -> set[str]:
        """Make an edit, or let it wait; returns the fields that changed."""
        target, paths = _target(edit), self._paths(edit)
        self._waiting.pop(target, None)
        behind = any(paths & self._paths(waiting) for waiting in self.waiting)
        before = {path: _value(self._model, path) for path in paths}
        if not behind:
            self._apply(self._model, edit)
            update_dependents(self._model, paths)
        if behind or not self._can_step():
            for path, value in before.items():
                self._model.write(path, value)
            update_dependents(self._model, paths)
            self._waiting[target] = edit
            return set()
        changed = {path for path, value in before.items() if not np.array_equal(value, self._model.read(path))}
        equal = {path for path in changed if np.array_equal(self._file_values[path], self._model.read(path))}
        self.edited = (self.edited | changed) - equal
        return changed | self._set_const(changed)

    def _apply(self, model: Model, edit: Edit) -> None:
        """Write the fields that an edit names, and nothing else."""
        if isinstance(edit, cmd.SetFlag):
            flags = model.read(edit.path)
            model.write(edit.path, flags | edit.bit if edit.on else flags & ~edit.bit)
        elif isinstance(edit, cmd.SetField):
            for part in _parts(edit):
                _set(model, part)
        elif isinstance(edit, cmd.ResetEdits):
            for path, value in self.file_values.items():
                model.write(path, value)
        elif edit.path in self.edited:
            value = self._file_values[edit.path]
            if edit.rows:
                model.read(edit.path)[list(edit.rows)] = value[list(edit.rows)]
            else:
                model.write(edit.path, value)

    def _can_step(self) -> bool:
        """Whether all that the model needs as it is now is compiled; asking costs a millisecond."""
        ahead = self._ahead is not None and self._ahead.finished
        return ahead or self._engine.prepared(self._model, edits=False)

    def _paths(self, edit: Edit) -> set[str]:
        """The fields that an edit changes."""
        return set(self.edited) if isinstance(edit, cmd.ResetEdits) else {part.path for part in _parts(edit)}

    def _drop_waiting(self, reset: cmd.ResetEdits | cmd.ResetField) -> None:
        """Drop the edits of fields that are reset."""
        kept = {} if isinstance(reset, cmd.ResetEdits) else self._waiting
        self._waiting = {target: edit for target, edit in kept.items() if not self._paths(edit) & self._paths(reset)}

    def _prepare(self) -> None:
        """Compile what a copy of the model with all waiting edits needs."""
        copy = self._model.copy()
        for waiting in self.waiting:
            self._apply(copy, waiting)
            update_dependents(copy, self._paths(waiting))
        # what nobody waits for goes on afterwards
        if self._ahead is not None:
            self._ahead.cancel()
        self._compilation = CompileForEdit(self._engine, copy, self._report)

    def _set_const(self, paths: set[str]) -> set[str]:
        """Update constants that depend on edited fields; returns all dependent fields."""
        if any(path in BY_PATH and BY_PATH[path].constants for path in paths):
            self._engine.set_const(self._model)
        return {field for path in paths if path in DEPENDENTS for field in DEPENDENTS[path][1]}


def title(edit: Edit) -> str:
    """What an edit changes, by its name in MJCF."""
    if isinstance(edit, cmd.ResetEdits):
        return "reset all to the file"
    if isinstance(edit, cmd.SetFlag):
        names = (f"flag {flag.name}" for flag in FLAGS if (flag.path, flag.bit) == (edit.path, edit.bit))
        return next(names, edit.path.removeprefix("opt."))
    name = BY_PATH[edit.path].name if edit.path in BY_PATH else edit.path.rpartition(".")[2]
    return name if isinstance(edit, cmd.SetField) else f"{name} reset to the file"


def _target(edit: Edit) -> Edit:
    """What an edit writes to: the edit without its value."""
    if isinstance(edit, cmd.SetField):
        return replace(edit, value=0.0, also=tuple(replace(part, value=0.0) for part in edit.also))
    return replace(edit, on=False) if isinstance(edit, cmd.SetFlag) else edit


def _value(model: Model, path: str) -> Any:
    """A copy of a field's value."""
    value = model.read(path)
    return value.copy() if isinstance(value, np.ndarray) else value


def _parts(edit: Edit) -> tuple[Any, ...]:
    """An edit of one field, with those linked to it."""
    return (edit, *edit.also) if isinstance(edit, cmd.SetField) else (edit,)


def _set(model: Model, edit: cmd.SetField) -> None:
    """Write one number to all rows that the edit names."""
    value = BY_PATH[edit.path].accept(edit.value, model, edit.rows, edit.column)
    if not edit.rows:
        model.write(edit.path, value)
    elif edit.column is None:
        model.read(edit.path)[list(edit.rows)] = value
    else:
        model.read(edit.path)[list(edit.rows), edit.column] = value
