"""Edits a running model between two steps: writes what the journal says, and records what the user changes in it.

An edit that needs kernels which are not compiled waits: a thread compiles what an edited copy of the model needs, then
the edit is made. Until then the run continues as before. There is one such thread and one copy, however many values a
slider sends meanwhile: of each target the newest value is kept. A reset drops an edit that waits, and so does an undo.
While no edit waits, what any edit may need is compiled ahead; after that none has to wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.model.editable import FLAG_PATHS
from app.run import commands as cmd
from app.run.edited_cells import edited_cells
from app.run.journal.cells import Cell, Cells
from app.run.journal.edit_text import edit_text, title
from app.run.journal.journal import Entry, Journal, NewKey, Write
from app.run.journal.unsaved import unsaved_edits
from app.run.loading import CompileAhead, CompileForEdit, Job, JobMessage
from sim import Model
from sim.edits import CellValue, Key, ModelEdits
from sim.engine import Engine
from sim.script.model_edits import edits_of, file_field, number_at
from sim.script.state_vector import KEY_FIELDS

FLAG_BITS = 31
# journals whose unsaved edits are remembered
MOST_JOURNALS = 256


@dataclass(frozen=True)
class SetKey:
    """Set a keyframe to a state: numbers by field of Model."""

    key: int
    values: tuple[tuple[str, tuple[float, ...]], ...]


Reset = cmd.ResetField | cmd.ResetEdits
Edit = cmd.SetField | cmd.SetFlag | Reset | cmd.SwitchEdit | cmd.Undo | cmd.Redo | SetKey | NewKey


class LiveEdits:
    """What the user changed in a model since it was loaded."""

    def __init__(
        self,
        engine: Engine,
        model: Model,
        report: Callable[[JobMessage], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        self.journal = Journal()
        # fields that differ from the file
        self.edited: set[str] = set()
        self._engine = engine
        self._model = model
        self._cells = Cells(model)
        self._file_values = model.file_values
        self._report = report
        self._now = now
        # edits that wait for kernels, by what they write to
        self._waiting: dict[Edit, Edit] = {}
        self._compilation: CompileForEdit | None = None
        self._ahead: CompileAhead | None = None
        # journal, by identity -> its unsaved edits
        self._unsaved: dict[int, tuple[Journal, tuple[str, ...]]] = {}

    @property
    def model(self) -> Model:
        """The model that is edited."""
        return self._model

    def compile_ahead(self) -> None:
        """The model can step: compile what any edit may need, unless edits wait for what they need."""
        if self._compilation is None and (self._ahead is None or self._ahead.cancelled):
            self._ahead = CompileAhead(self._engine, self._model)

    def close(self) -> None:
        """End all compilation; the model is not edited any more."""
        self.cancel()
        if self._ahead is not None:
            self._ahead.cancel()

    def apply(self, edit: Edit, at: float = 0.0) -> set[str]:
        """Make an edit at a simulated time; returns the fields that changed: none if it changes nothing or waits."""
        if isinstance(edit, cmd.ResetEdits | cmd.ResetField | cmd.Undo):
            self._drop_waiting(edit)
        changed = self._try(edit, at)
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
    def unsaved(self) -> tuple[str, ...]:
        """The edits that the file does not have, as texts."""
        return self.unsaved_of(self.journal)

    def unsaved_of(self, journal: Journal) -> tuple[str, ...]:
        """The edits of a journal that the file does not have, as texts."""
        known = self._unsaved.get(id(journal))
        if known is None or known[0] is not journal:
            known = journal, unsaved_edits(journal, self._cells, self._model)
            self._unsaved = {**dict(list(self._unsaved.items())[-MOST_JOURNALS:]), id(journal): known}
        return known[1]

    @property
    def edits(self) -> ModelEdits:
        """What the journal makes of the file, as plain numbers; the same object until that changes."""
        return edits_of(self._model)

    @property
    def waiting(self) -> tuple[Edit, ...]:
        """The edits that wait for kernels."""
        return tuple(self._waiting.values())

    def wait_for(self, job: Job) -> bool:
        """Whether edits wait for this compilation."""
        return job is self._compilation

    def retry(self, at: float = 0.0) -> set[str]:
        """The compilation has ended: make the edits that waited for it; returns the fields that changed."""
        waiting, self._waiting, self._compilation = self._waiting, {}, None
        changed = set().union(*(self._try(edit, at) for edit in waiting.values()))
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

    def adopt(self, journal: Journal) -> set[str]:
        """Make the model what a journal says; returns the fields that changed. Kernels are not waited for."""
        self.journal = journal
        return self._write(self._model, journal)

    def remove_new_keys(self) -> None:
        """Give the model the keyframes of its file alone, with the edits of those."""
        self._write_keys(self._model, Journal())
        self._write_cells(self._model, self.journal)

    def present(self, cells: Iterable[Cell]) -> dict[Cell, float]:
        """The values of cells in the model."""
        values = ((cell, self._cells.read(cell)) for cell in cells)
        return {cell: value for cell, value in values if value is not None}

    def in_file(self, cells: Iterable[Cell]) -> dict[Cell, float]:
        """The values of cells in the file."""
        values = ((cell, self._cells.in_file(cell)) for cell in cells)
        return {cell: value for cell, value in values if value is not None}

    @property
    def layout(self) -> str:
        """Names the layout of the model's states."""
        return self._cells.layout

    def read(self, cell: Cell) -> float | None:
        """The value of a cell in the model, None if there is no such cell."""
        return self._cells.read(cell)

    # ---- edits

    def _try(self, edit: Edit, at: float) -> set[str]:
        """Make an edit, or let it wait; returns the fields that changed."""
        target, paths = _target(edit), self._paths(edit)
        self._waiting.pop(target, None)
        before = self.journal
        if any(paths & self._paths(waiting) for waiting in self.waiting):
            self._waiting[target] = edit
            return set()
        after = self._after(edit, self._model, before, at)
        # without the edit, but with the cells that it sets
        back, cells = replace(before, base=after.base), after.changed_cells(before)
        try:
            changed = self._write(self._model, after, cells)
        except ValueError:
            # the engine cannot compute constants from it
            self._write(self._model, back, cells)
            raise
        if changed and not self.can_step():
            self._write(self._model, back, cells)
            self._waiting[target] = edit
            return set()
        self.journal = after
        return changed

    def _after(self, edit: Edit, model: Model, journal: Journal, at: float = 0.0) -> Journal:
        """The journal after an edit of a model; the same if it changes nothing."""
        if isinstance(edit, cmd.Undo):
            return journal.undo()
        if isinstance(edit, cmd.Redo):
            return journal.redo()
        if isinstance(edit, cmd.SwitchEdit):
            return journal.switch(edit.number, edit.on)
        writes = tuple(self._writes(edit, model))
        key = edit if isinstance(edit, NewKey) else None
        removed = tuple(key.name for key in journal.new_keys()) if isinstance(edit, cmd.ResetEdits) else ()
        if all(write.before == write.after for write in writes) and key is None and not removed:
            return journal
        gesture = edit.gesture if isinstance(edit, cmd.SetField) else 0
        journal = journal.record(Entry(0, "", self._now(), at, writes, key, removed, gesture=gesture))
        # a gesture that goes on has extended its entry
        entry = journal.entries[-1]
        return journal.with_entry(replace(entry, text=_text(edit, entry.writes, self._cells)))

    def _writes(self, edit: Edit, model: Model) -> Iterator[Write]:
        """The cells that an edit sets."""
        if isinstance(edit, cmd.SetField | cmd.SetFlag):
            for path, (at, bit, value) in edited_cells(model, edit):
                before = number_at(np.ravel(model.read(path)), at, bit)
                yield Write(self._cells.cell(path, at, bit), before, value)
        elif isinstance(edit, cmd.ResetField):
            yield from self._reset(edit.path, edit.rows, model)
        elif isinstance(edit, cmd.ResetEdits):
            for path in sorted(self.edited):
                yield from self._reset(path, (), model)
        elif isinstance(edit, SetKey):
            for path, values in edit.values:
                field = np.asarray(model.read(path))
                first = edit.key * len(values)
                for at, value in enumerate(values, first):
                    yield Write(self._cells.cell(path, at), float(np.ravel(field)[at]), value)

    def _reset(self, path: str, rows: tuple[int, ...], model: Model) -> Iterator[Write]:
        """The cells of a field, or of some of its rows, that differ from the file."""
        field, original = np.asarray(model.read(path)), np.asarray(self._file_values[path])
        if path in FLAG_PATHS:
            bits = (1 << k for k in range(FLAG_BITS))
            for bit in (bit for bit in bits if int(field ^ original) & bit):
                yield Write(self._cells.cell(path, 0, bit), float(bool(field & bit)), float(bool(original & bit)))
            return
        if path in KEY_FIELDS:
            # a keyframe that was added has no value in the file
            added = np.array(model.key_rows) < 0
            original = np.where(
                added.reshape(-1, *[1] * (field.ndim - 1)), field, original[np.maximum(model.key_rows, 0)]
            )
        differs = np.ravel(field != original)
        if rows:
            chosen = np.zeros(field.shape, bool)
            chosen[list(rows)] = True
            differs &= np.ravel(chosen)
        for at in np.flatnonzero(differs).tolist():
            yield Write(self._cells.cell(path, at), float(np.ravel(field)[at]), float(np.ravel(original)[at]))

    # ---- writing to a model

    def _write(self, model: Model, journal: Journal, among: Collection[Cell] | None = None) -> set[str]:
        """Make a model what a journal says, or some cells of it that alone can differ; returns the fields that changed,
        dependent ones included."""
        keys = self._write_keys(model, journal)
        # a keyframe that is added again has its own values, before the edits of it
        changed = keys | self._write_cells(model, journal, None if keys else among)
        if model is self._model:
            edits = edits_of(model)
            self.edited = {*edits.cells, *(KEY_FIELDS if min(model.key_rows, default=0) < 0 else ())}
        return changed

    def _write_keys(self, model: Model, journal: Journal) -> set[str]:
        """Add and remove keyframes as a journal says, without the edits of any; returns the fields that changed."""
        # one that was saved is the file's
        own = {model.names["key"][k] for k, row in enumerate(model.key_rows) if row >= 0}
        keys = tuple(Key(key.name, key.values) for key in journal.new_keys() if key.name not in own)
        present = edits_of(model)
        if keys == present.keys:
            return set()
        cells = {path: cells for path, cells in present.cells.items() if path not in KEY_FIELDS}
        changed = self._engine.apply_edits(model, ModelEdits(cells, keys))
        if model is self._model:
            self._cells = Cells(model)
        return changed

    def _write_cells(self, model: Model, journal: Journal, among: Collection[Cell] | None = None) -> set[str]:
        """Set the cells of a journal in a model that has its keyframes, or some; returns the fields that changed."""
        edits = self._model_edits(model, journal, among)
        return self._engine.apply_edits(model, edits) if edits is not edits_of(model) else set()

    def _model_edits(self, model: Model, journal: Journal, among: Collection[Cell] | None) -> ModelEdits:
        """What differs from the file as a journal says, or as it was but for some cells; its keyframes are there."""
        cells = self._cells if model is self._model else Cells(model)
        present = edits_of(model)
        # field -> place -> value; None: as in the file
        wanted: dict[str, dict[tuple[int, int], float | None]] = {}
        for cell, value in journal.values(among).items():
            at = cells.at(cell)
            if at is not None:
                wanted.setdefault(cell.path, {})[at, cell.bit] = value
        for path, values in wanted.items():
            original = file_field(model, path)
            as_in_file = {place: None for place, value in values.items() if value == number_at(original, *place)}
            values.update(as_in_file)
        found = dict(present.cells) if among is not None else {}
        for path, values in wanted.items():
            kept = {(old.at, old.bit): old.value for old in found.get(path, ())}
            here = {place: value for place, value in {**kept, **values}.items() if value is not None}
            found[path] = tuple(CellValue(at, bit, here[at, bit]) for at, bit in sorted(here))
        edits = ModelEdits({path: found[path] for path in sorted(found) if found[path]}, present.keys)
        return present if edits == present else edits

    # ---- kernels

    def can_step(self) -> bool:
        """Whether all that the model needs as it is now is compiled; asking costs a millisecond."""
        ahead = self._ahead is not None and self._ahead.finished
        return ahead or self._engine.prepared(self._model, edits=False)

    def _paths(self, edit: Edit) -> set[str]:
        """The fields that an edit changes."""
        if isinstance(edit, cmd.ResetEdits):
            return set(self.edited)
        if isinstance(edit, cmd.ResetField):
            return {edit.path}
        if isinstance(edit, cmd.SetField | cmd.SetFlag):
            return {part.path for part in _parts(edit)}
        if isinstance(edit, SetKey | NewKey):
            return {*KEY_FIELDS}
        entry = {cmd.Undo: self.journal.next_undo, cmd.Redo: self.journal.next_redo}.get(type(edit), lambda: None)()
        if isinstance(edit, cmd.SwitchEdit):
            entry = self.journal.entry(edit.number)
        return {write.cell.path for write in entry.writes} if entry is not None else set()

    def _drop_waiting(self, reset: cmd.ResetEdits | cmd.ResetField | cmd.Undo) -> None:
        """Drop the edits of fields that are reset."""
        kept = self._waiting if isinstance(reset, cmd.ResetField) else {}
        self._waiting = {target: edit for target, edit in kept.items() if not self._paths(edit) & self._paths(reset)}

    def _prepare(self) -> None:
        """Compile what a copy of the model with all waiting edits needs."""
        copy, journal = self._model.copy(), self.journal
        for waiting in self.waiting:
            journal = self._after(waiting, copy, journal)
            self._write(copy, journal)
        # what nobody waits for goes on afterwards
        if self._ahead is not None:
            self._ahead.cancel()
        self._compilation = CompileForEdit(self._engine, copy, self._report)


def _text(edit: Edit, writes: Sequence[Write], cells: Cells) -> str:
    """What an edit did."""
    if isinstance(edit, cmd.ResetEdits):
        return "all reset to the file"
    if isinstance(edit, SetKey):
        return f"state stored in {cells.owner(writes[0].cell)}"
    if isinstance(edit, NewKey):
        return f"state stored as new keyframe {edit.name}"
    name = edit.name if isinstance(edit, cmd.SetField) else ""
    text = edit_text(writes, name, cells.owner(writes[0].cell))
    return f"{text}, as in the file" if isinstance(edit, cmd.ResetField) else text


def edit_title(edit: Edit) -> str:
    """What an edit that waits will change, by its name in MJCF."""
    if isinstance(edit, cmd.SetField | cmd.ResetField):
        return title(edit.path, 0, edit.name if isinstance(edit, cmd.SetField) else "")
    return title(edit.path, edit.bit) if isinstance(edit, cmd.SetFlag) else "edits"


def _target(edit: Edit) -> Edit:
    """What an edit writes to: the edit without its value."""
    if isinstance(edit, cmd.SetField):
        also = tuple(replace(part, value=0.0, gesture=0) for part in edit.also)
        return replace(edit, value=0.0, gesture=0, also=also)
    return replace(edit, on=False) if isinstance(edit, cmd.SetFlag) else edit


def _parts(edit: cmd.SetField | cmd.SetFlag) -> tuple[Any, ...]:
    """An edit of one field, with those linked to it."""
    return (edit, *edit.also) if isinstance(edit, cmd.SetField) else (edit,)
