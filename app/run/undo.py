"""Edits, undo and redo: the journal, the model, the state, and the recorded states.

A change of the model is undone here and now: time continues. So is one of an input, as a control, which steps read and
do not write. A change of the rest of the state (a pull, a joint's slider, a reset) is undone by going back to the state
before it, and redone by going to where the undo left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from app.model.editable import LOOKS
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.edited_cells import refusal
from app.run.history.markers import MarkerType
from app.run.journal.journal import IN_FILE, DataWrite, Entry, Journal, NewKey, StateChange, Switched
from app.run.live_edits import Edit, SetKey, edit_title
from app.run.live_run import LiveRun
from app.run.loading import EditPrepared
from app.run.model_source import ModelSource
from app.run.mouse_pull import MousePull
from app.run.snapshot import edited_view
from app.run.status import Status
from app.run.time_travel import TimeTravel
from sim.recording.run import ModelEdits
from sim.script.state_vector import KEY_FIELDS

# the switch of an equality; d.eq_active follows it
EQUALITY_SWITCH = "eq_active0"
# fields of Data that steps read and do not write
INPUTS = {"ctrl", "qfrc_applied", "xfrc_applied", "noise.scale", "noise.rate"}
# fields that no step reads
NO_PHYSICS = LOOKS | {*KEY_FIELDS, "nkey"}


class Edits:
    """Makes, undoes and redoes what the user changes."""

    def __init__(
        self, live: LiveRun, status: Status, mouse: MousePull, travel: TimeTravel, source: ModelSource
    ) -> None:
        self._live, self._status, self._mouse, self._travel = live, status, mouse, travel
        self._source = source

    # ---- the model

    def edit(self, edit: Edit) -> None:
        """Make an edit, unless it is refused; it may wait for kernels."""
        live = self._live
        refused = refusal(live.model, edit) if isinstance(edit, cmd.SetField) else ""
        if refused:
            self._status.update(notification=refused)
            return
        waited = live.edits.waiting
        before = live.edits.journal
        changed = live.edits.apply(edit, float(live.data.time))
        if isinstance(edit, cmd.SetField) and edit.path == EQUALITY_SWITCH:
            # a script may have switched it at run time
            live.data.eq_active[list(edit.rows)] = live.model.eq_active0[list(edit.rows)]
        journal = live.edits.journal
        if journal is not before:
            self._edited(changed, journal.entries[-1].text, journal.entries[-1].number)
        if waited and not live.edits.waiting:
            self._status.update(progress=None)

    def try_fix(self, command: cmd.TryFix) -> None:
        """Make edits at a moment and go on from there; where kernels are missing, once they are compiled."""
        self._status.update(paused=True, replaying=False)
        self._mouse.end()
        if not self._live.show(command.branch, command.moment):
            return
        for edit in command.edits:
            self.edit(edit)
        self._travel.go_on_after_edits(wait=bool(self._live.edits.waiting))

    def edit_prepared(self, _: EditPrepared) -> None:
        """Make the edits whose kernels are compiled."""
        live = self._live
        self._status.update(progress=None)
        before = live.edits.journal.entries
        changed = live.edits.retry(float(live.data.time))
        self._edited(changed, ", ".join(entry.text for entry in live.edits.journal.entries[len(before) :]) or "edit")
        if not live.edits.waiting:
            self._travel.edits_made()

    def _edited(self, paths: set[str], text: str, entry: int = 0) -> None:
        """Show an edit at once and use it from the next step on; in the past this begins a branch."""
        live = self._live
        if not paths:
            return
        physics = not paths <= NO_PHYSICS
        if physics:
            self._mouse.check()
            live.clock.timestep = float(live.model.opt.timestep)
            if EQUALITY_SWITCH in paths:
                switched = live.model.eq_active0 != live.view.eq_active0
                live.data.eq_active[switched] = live.model.eq_active0[switched]
            # sleeping trees would not notice the change
            live.engine.wake(live.model, live.data)
        live.view = edited_view(live.view, live.model, paths)
        if self._status.run.paused and physics:
            live.engine.forward(live.model, live.data)
        elif self._status.run.paused:
            # a pass could wake trees, which only steps do
            live.show_row()
        newest = live.edits.journal.entry(entry)
        if physics or live.history.at_head or newest is None:
            live.changed(text)
        else:
            live.history.amend(live.edits.journal, entry, lambda journal: journal.record(newest))
        if physics:
            live.add_marker(MarkerType.EDIT, text, entry)
        self._status.state_changed = True

    def undo(self, command: cmd.Undo) -> None:
        """Take back the newest change: one of the model here and now, one of the state by going back in time."""
        live = self._live
        if live.edits.waiting:
            titles = ", ".join(map(edit_title, live.edits.waiting))
            self._status.update(notification=f"cancelled: {titles}", progress=None)
            live.edits.cancel()
            return
        if self._source.changing:
            self._status.update(notification=f"cancelled: {self._source.changing}")
            self._source.cancel()
            return
        self._step_back(command, live.edits.journal.done, ("undone", "switched on again"), "nothing to undo")

    def redo(self, command: cmd.Redo) -> None:
        """Make the change again that was undone last."""
        self._step_back(command, self._live.edits.journal.undone, ("redone", "switched off again"), "nothing to redo")

    def _step_back(
        self, command: cmd.Undo | cmd.Redo, switched: tuple[Switched, ...], verbs: tuple[str, str], none: str
    ) -> None:
        """Undo or redo the last of some switches of entries."""
        live = self._live
        entry = live.edits.journal.entry(switched[-1].number) if switched else None
        if entry is None:
            self._status.update(notification=none)
            return
        verb = verbs[0] if switched[-1].on else verbs[1]
        if entry.state is None or entry.lost:
            self._switched(command, verb, entry)
            return
        journal = live.edits.journal.undo() if entry.on else live.edits.journal.redo()
        if self._undone_here(entry, entry.state):
            self._set_inputs(entry, entry.state, journal)
            self._status.say(f"{verb}: {entry.text}")
            return
        self._restore_state(entry, entry.state, journal)
        there = "before it" if entry.on else "where it was undone"
        self._status.say(f"{verb}: {entry.text}; back at {live.data.time:.3f} s, {there}")

    def switch_edit(self, command: cmd.SwitchEdit) -> None:
        """Switch an entry of the model on or off."""
        entry = self._live.edits.journal.entry(command.number)
        if entry is not None and entry.state is None:
            self._switched(command, "switched on" if command.on else "switched off", entry)

    def _switched(self, command: cmd.Undo | cmd.Redo | cmd.SwitchEdit, verb: str, entry: Entry) -> None:
        """Let a command switch an entry, and say so."""
        if entry.tree and (entry.lost != IN_FILE or (entry.saved and self._source.goes_back)):
            number, on = entry.number, command.on if isinstance(command, cmd.SwitchEdit) else not entry.on
            self._source.restructure(lambda journal: journal.put(number, on), f"{verb}: {entry.text}")
            return
        text = f"{verb}: {entry.text}{f' ({entry.lost})' if entry.lost else ''}"
        self._edited(self._live.edits.apply(command, float(self._live.data.time)), text)
        self._status.say(text)

    def save_key(self, command: cmd.SaveKey) -> None:
        """Store the state in a keyframe."""
        self.edit(SetKey(command.key, self._key_values()))

    def add_key(self, command: cmd.AddKey) -> None:
        """Store the state in a new keyframe."""
        name = command.name.strip()
        if not name or name in self._live.view.names["key"]:
            why = f"keyframe {name} already exists" if name else "a new keyframe needs a name"
            self._status.update(problem=Problem("The state could not be stored", why))
            return
        self.edit(NewKey(name, self._key_values(), self._live.edits.layout))

    def _key_values(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """The present state, as a keyframe holds it."""
        live = self._live
        values = live.engine.key_values(live.model, live.data)
        return tuple((field, tuple(numbers.tolist())) for field, numbers in values.items())

    # ---- the state

    def set_data(self, command: cmd.SetData) -> None:
        """Set numbers of the state."""
        live = self._live
        places = command.places or tuple(range(command.start, command.start + len(command.values)))
        before = live.state_now()
        old = np.ravel(live.data.read(command.path))[list(places)].tolist()
        self._write(command.path, places, command.values)
        new = np.ravel(live.data.read(command.path))[list(places)].tolist()
        self._mouse.check()
        write = DataWrite(command.path, tuple(zip(places, old, new, strict=True)))
        live.state_edited("", replace(before, write=write), command.gesture)

    def _write(self, path: str, places: Sequence[int], values: Sequence[float]) -> None:
        """Set numbers of a field of Data."""
        field = self._live.data.read(path)
        if isinstance(field, np.ndarray):
            field.reshape(-1)[list(places)] = values
        else:
            self._live.data.write(path, values[0])

    def _undone_here(self, entry: Entry, change: StateChange) -> bool:
        """Whether a change of inputs is undone or redone at the current moment: unless time stands still at its own."""
        if change.write is None or change.write.path not in INPUTS:
            return False
        there = change.before if entry.on else change.after
        stands = self._status.run.paused and there is not None
        return not (stands and float(there["state"][0]) == float(self._live.data.time))

    def _set_inputs(self, entry: Entry, change: StateChange, journal: Journal) -> None:
        """Set the inputs of an entry to their values before it, or again to its own, with a journal that says so."""
        assert change.write is not None
        self._write(change.write.path, change.write.places, [n[1 if entry.on else 2] for n in change.write.numbers])
        self._live.edits.journal = journal
        self._mouse.check()
        self._live.continue_from(f"undone: {entry.text}" if entry.on else entry.text)

    def wake(self, command: cmd.Wake) -> None:
        """Wake a tree."""
        live, before = self._live, self._live.state_now()
        live.engine.wake(live.model, live.data, command.tree)
        self._mouse.check()
        live.state_edited(f"woken: tree {command.tree}", before)

    def put_to_sleep(self, command: cmd.PutToSleep) -> None:
        """Put a tree to sleep, unless that is not possible."""
        live, before = self._live, self._live.state_now()
        try:
            live.engine.put_to_sleep(live.model, live.data, command.tree)
        except ValueError as error:
            live.engine.restore_state(live.model, live.data, before.before)
            self._status.update(problem=Problem("It cannot be put to sleep", str(error)))
            return
        self._mouse.check()
        live.state_edited(f"put to sleep: tree {command.tree}", before)

    def _restore_state(self, entry: Entry, change: StateChange, journal: Journal) -> None:
        """Go back to before a change of the state, or again to after it, with a journal in which that is entered.

        Where the history has that state, that moment is shown; elsewhere the state is set, which begins a branch unless
        nothing came after it.
        """
        live = self._live
        self._status.update(paused=True, replaying=False)
        self._mouse.end()
        now, left = live.state_now(), live.history.branch
        if entry.on:
            there, place = change.before, (change.branch, change.moment)
            change = replace(change, after=now.before, branch_after=now.branch, moment_after=now.moment)
            journal = journal.with_entry(replace(journal.entry(entry.number) or entry, state=change))
        else:
            there, place = change.after, (change.branch_after, change.moment_after)
        segment = live.history.find(*place)
        if segment is not None and segment.version == live.history.version:
            live.show(*place)
        live.adopt(journal)
        recorded = live.history.run.find(live.history.branch, live.history.now)
        edited = _physics(recorded.edits) != _physics(live.edits.edits)
        if edited or not _same_state(live.engine.copy_state(live.model, live.data), there):
            live.engine.restore_state(live.model, live.data, there)
            live.engine.forward(live.model, live.data)
            live.engine.restore_state(live.model, live.data, there)
            if edited:
                # sleeping trees would not notice
                live.engine.wake(live.model, live.data)
            live.changed(f"undone: {entry.text}" if entry.on else entry.text)
        if not entry.on:
            live.history.forget_empty(left)
        self._status.state_changed = True


def _physics(edits: ModelEdits) -> dict[str, Any]:
    """The edits that steps depend on."""
    return {path: cells for path, cells in edits.cells.items() if path not in NO_PHYSICS}


def _same_state(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two states are equal to the bit."""
    return a.keys() == b.keys() and all(np.asarray(a[k]).tobytes() == np.asarray(b[k]).tobytes() for k in a)
