"""What edits, undo and redo do to a run: the journal, the model, the state, and the moments of the history.

A change of the model is undone here and now: time goes on. A change of the state (a pull, a joint's slider, a reset) is
undone by going back to the moment before it, and redone by going to where the undo left.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from app.model.editable import LOOKS
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.edited_cells import refusal
from app.run.history.markers import MarkerType
from app.run.journal.cells import Cell
from app.run.journal.journal import Entry, Journal, NewKey, StateChange, Switched, same
from app.run.live_edits import Edit, LiveEdits, SetKey, edit_title
from app.run.snapshot import edited_view
from app.run.time_travel import TimeTravel
from sim.recording.run import ModelEdits
from sim.script.state_vector import KEY_FIELDS

# the switch of an equality; d.eq_active follows it
EQUALITY_SWITCH = "eq_active0"
# fields that no step reads
NO_PHYSICS = LOOKS | {*KEY_FIELDS, "nkey"}

# memory for the states before changes of the state, and how many are kept in any case
STATE_BYTES, LEAST_STATES = 64 << 20, 20


class UndoableSimulation(TimeTravel):
    """A run whose changes are entered in a journal."""

    # how many times the model was saved
    _saves = 0

    # the model

    def _edit(self, edit: Edit) -> None:
        refused = refusal(self._model, edit) if isinstance(edit, cmd.SetField) else ""
        if refused:
            self._update(notification=refused)
            return
        waited = self._edits.waiting
        before = self._edits.journal
        changed = self._edits.apply(edit, float(self._data.time))
        if isinstance(edit, cmd.SetField) and edit.path == EQUALITY_SWITCH:
            # a script may have switched it at run time
            self._data.eq_active[list(edit.rows)] = self._model.eq_active0[list(edit.rows)]
        journal = self._edits.journal
        if journal is not before:
            self._edited(changed, journal.entries[-1].text, journal.entries[-1].number)
        if waited and not self._edits.waiting:
            self._update(progress=None)

    def _try_fix(self, command: cmd.TryFix) -> None:
        """Make edits at a moment and go on from there; where kernels are missing, once they are compiled."""
        self._update(paused=True, replaying=False)
        self._end_perturbation()
        if not self._show(command.branch, command.moment):
            return
        for edit in command.edits:
            self._edit(edit)
        self._goes_on = bool(self._edits.waiting)
        if not self._goes_on:
            self._go_on(cmd.GoOn())

    def _edited(self, paths: set[str], text: str, entry: int = 0) -> None:
        """Show an edit at once and use it from the next step on; in the past this begins a branch."""
        if not paths:
            return
        physics = not paths <= NO_PHYSICS
        if physics:
            self._check_perturbation()
            self._clock.timestep = float(self._model.opt.timestep)
            if EQUALITY_SWITCH in paths:
                switched = self._model.eq_active0 != self._model_view.eq_active0
                self._data.eq_active[switched] = self._model.eq_active0[switched]
            # sleeping trees would not notice the change
            self._engine.wake(self._model, self._data)
        self._model_view = edited_view(self._model_view, self._model, paths)
        if self._run.paused and physics:
            self._engine.forward(self._model, self._data)
        elif self._run.paused:
            # a pass could wake trees, which only steps do
            self._set_row(self._engine.get_state(self._model, self._data, self._engine.record_signature(self._model)))
        newest = self._edits.journal.entry(entry)
        if physics or self._history.at_head or newest is None:
            self._changed(text)
        else:
            self._history.amend(self._edits.journal, entry, lambda journal: journal.record(newest))
        if physics:
            self._add_marker(MarkerType.EDIT, text, entry)
        self._state_changed = True

    def _undo(self, command: cmd.Undo) -> None:
        """Take back the newest change: one of the model here and now, one of the state by going back in time."""
        if self._edits.waiting:
            self._update(notification=f"cancelled: {', '.join(map(edit_title, self._edits.waiting))}", progress=None)
            self._edits.cancel()
            return
        self._step_back(command, self._edits.journal.done, ("undone", "switched on again"), "nothing to undo")

    def _redo(self, command: cmd.Redo) -> None:
        """Make the change again that was undone last."""
        self._step_back(command, self._edits.journal.undone, ("redone", "switched off again"), "nothing to redo")

    def _step_back(
        self, command: cmd.Undo | cmd.Redo, switched: tuple[Switched, ...], verbs: tuple[str, str], none: str
    ) -> None:
        """Undo or redo the last of some switches of entries."""
        entry = self._edits.journal.entry(switched[-1].number) if switched else None
        if entry is None:
            self._update(notification=none)
            return
        verb = verbs[0] if switched[-1].on else verbs[1]
        if entry.state is None or entry.lost:
            self._switched(command, verb, entry)
            return
        journal = self._edits.journal
        self._restore_state(entry, entry.state, journal.undo() if entry.on else journal.redo())
        self._update(notification=f"{verb}: {entry.text}; paused at {self._data.time:.3f} s, Space continues")

    def _switch_edit(self, command: cmd.SwitchEdit) -> None:
        entry = self._edits.journal.entry(command.number)
        if entry is not None and entry.state is None:
            self._switched(command, "switched on" if command.on else "switched off", entry)

    def _switched(self, command: cmd.Undo | cmd.Redo | cmd.SwitchEdit, verb: str, entry: Entry) -> None:
        """Let a command switch an entry, and say so."""
        text = f"{verb}: {entry.text}{f' ({entry.lost})' if entry.lost else ''}"
        self._edited(self._edits.apply(command, float(self._data.time)), text)
        self._update(notification=text)

    def _save_key(self, command: cmd.SaveKey) -> None:
        self._edit(SetKey(command.key, self._key_values()))

    def _add_key(self, command: cmd.AddKey) -> None:
        name = command.name.strip()
        if not name or name in self._model_view.names["key"]:
            why = f"there is a keyframe {name} already" if name else "a new keyframe needs a name"
            self._update(problem=Problem("The state could not be stored", why))
            return
        self._edit(NewKey(name, self._key_values(), self._edits.layout))

    def _key_values(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """The present state, as a keyframe holds it."""
        values = self._engine.key_values(self._model, self._data)
        return tuple((field, tuple(numbers.tolist())) for field, numbers in values.items())

    def _keep_edits(self, before: LiveEdits) -> str:
        """Make the edits of the model before, whose file was read again; returns what to say about clashes."""
        cells, edits = before.journal.base, self._edits
        # what a save has written; an edit that it left out is not in the file
        saved = {
            cell: value
            for cell, value in self._in_file(before, before.journal).items()
            if same(edits.read(cell), value)
        }
        in_file = {**before.in_file(cells), **saved}
        journal = before.journal.rebase(in_file, before.present(cells), edits.read, edits.layout)
        return self._adopt_journal(journal)

    def _in_file(self, edits: LiveEdits, journal: Journal) -> dict[Cell, float]:
        """What the file says about the cells of a journal."""
        return edits.in_file(journal.base)

    def _adopt_journal(self, journal: Journal) -> str:
        """Make the edits of a journal in a model that is as its file says; returns what to say about clashes."""
        changed = self._edits.adopt(journal)
        if changed and not self._edits.can_step():
            # rare: the file and an edit together need what neither needed alone
            self._engine.prepare(self._model, edits=False)
        self._model_view = edited_view(self._model_view, self._model, changed)
        self._clock.timestep = float(self._model.opt.timestep)
        number = len(journal.clashes)
        return f"; it clashes with {number} edit{'s' if number > 1 else ''}, see Edits" if number else ""

    # the state

    def _set_data(self, command: cmd.SetData) -> None:
        before = self._state_now()
        field = self._data.read(command.path)
        if isinstance(field, np.ndarray):
            there = list(command.places) or slice(command.start, command.start + len(command.values))
            field.reshape(-1)[there] = command.values
        else:
            self._data.write(command.path, command.values[0])
        whole = bool(command.places) or np.size(field) == len(command.values)
        text = f"set: {command.path}" if whole else f"set: {command.path}[{command.start}]"
        self._state_edited(text, before, command.gesture)

    def _state_now(self) -> StateChange:
        """The state, before the user changes it."""
        state = self._engine.copy_state(self._model, self._data)
        return StateChange(self._history.branch, self._history.now, self._edits.layout, state)

    def _state_edited(self, text: str, before: StateChange, gesture: int = 0) -> None:
        """The user changed the state: show what follows from it, and continue from here."""
        self._check_perturbation()
        if self._run.paused:
            self._engine.forward(self._model, self._data)
        entry = self._record_state(text, before, gesture)
        self._changed(text)
        self._add_marker(MarkerType.EDIT, text, entry)
        self._state_changed = True

    def _record_state(self, text: str, before: StateChange, gesture: int = 0) -> int:
        """Enter a change of the state in the journal; returns the number of its entry."""
        at = float(before.before["state"][0])
        entry = Entry(0, text, time.time(), at, state=before, gesture=gesture)
        size = sum(np.asarray(part).nbytes for part in before.before.values())
        self._edits.journal = self._edits.journal.record(entry).forget_states(max(STATE_BYTES // size, LEAST_STATES))
        self._run_changed = True
        return self._edits.journal.entries[-1].number

    def _restore_state(self, entry: Entry, change: StateChange, journal: Journal) -> None:
        """Go back to before a change of the state, or again to after it, with a journal in which that is entered.

        Where the history has that state, that moment is shown; elsewhere the state is set, which begins a branch unless
        nothing came after it.
        """
        self._update(paused=True, replaying=False)
        self._end_perturbation()
        now, left = self._state_now(), self._history.branch
        if entry.on:
            there, place = change.before, (change.branch, change.moment)
            change = replace(change, after=now.before, branch_after=now.branch, moment_after=now.moment)
            journal = journal.with_entry(replace(journal.entry(entry.number) or entry, state=change))
        else:
            there, place = change.after, (change.branch_after, change.moment_after)
        segment = self._history.find(*place)
        if segment is not None and segment.version == self._history.version:
            self._show(*place)
        self._adopt(journal)
        recorded = self._history.run.find(self._history.branch, self._history.now)
        edited = _physics(recorded.edits) != _physics(self._edits.edits)
        if edited or not _same_state(self._engine.copy_state(self._model, self._data), there):
            self._engine.restore_state(self._model, self._data, there)
            self._engine.forward(self._model, self._data)
            self._engine.restore_state(self._model, self._data, there)
            if edited:
                # sleeping trees would not notice
                self._engine.wake(self._model, self._data)
            self._changed(f"undone: {entry.text}" if entry.on else entry.text)
        if not entry.on:
            self._history.forget_empty(left)
        self._state_changed = True


def _physics(edits: ModelEdits) -> dict[str, Any]:
    """The edits that steps depend on."""
    return {path: cells for path, cells in edits.cells.items() if path not in NO_PHYSICS}


def _same_state(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two states are equal to the bit."""
    return a.keys() == b.keys() and all(np.asarray(a[k]).tobytes() == np.asarray(b[k]).tobytes() for k in a)
