"""Saves a model to its files: plans a save, and writes it; the run then continues with the new files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os.path import commonpath, relpath
from pathlib import Path

from app.files.output import reason
from app.model.element_keys import new_keys
from app.model.file_diff import file_changes, summary
from app.run import commands as cmd
from app.run.journal.cells import Cell
from app.run.journal.journal import IN_FILE, Journal, same
from app.run.live_edits import LiveEdits
from app.run.live_run import LiveRun
from app.run.run_state import SaveReport
from app.run.status import Status
from sim import Model
from sim.file_stamp import Stamp, stamp, stamps
from sim.save_plan import SavePlan


@dataclass(frozen=True)
class Written:
    """A save whose files are not read again yet: what to say about it, the files as they were written, the cells.

    `path`: another file than the model came from, which has its place from now on.
    """

    text: str
    path: str | None
    files: Mapping[Path, Stamp]
    values: Mapping[Cell, float]


class Saving:
    """Plans and writes saves, and knows what the files say until they are read again."""

    def __init__(self, live: LiveRun, status: Status) -> None:
        self._live, self._status = live, status
        # how many times the model was saved
        self.count = 0
        self._written: Written | None = None
        # the newest plan, and the cells that it saves
        self._planned: tuple[SavePlan, Mapping[Cell, float]] | None = None
        # the files before changes of elements were saved, as they were left, and the entries that they have
        self._before: dict[Path, bytes] = {}
        self._after: dict[Path, Stamp] = {}
        self._entries: frozenset[int] = frozenset()

    def plan(self, command: cmd.PlanSave) -> None:
        """Find out what a save would do."""
        live = self._live
        if not live.has_model:
            return
        if live.edits.waiting or self._status.run.waiting:
            text = "an edit is waiting for its kernels: save again once they have compiled"
            self._status.update(save=SaveReport(command.request), notification=text)
            return
        try:
            # the model in memory may still be that of the file that was left behind
            path = command.path or (self._written.path if self._written is not None else None)
            plan = live.model.plan_save(path)
            ways = {key: way for key, way in command.ways if any(edit.key == key for edit in plan.edits)}
            plan = live.model.plan_save(path, ways) if ways else plan
            self._planned = plan, live.edits.present(live.edits.journal.base)
            self._status.update(save=SaveReport(command.request, plan))
        except (OSError, ValueError) as error:
            self._status.update(save=SaveReport(command.request, fault=_fault(error)))

    def write(self, command: cmd.WriteSave) -> str:
        """Write a planned save; returns the file to read again, if any."""
        plan, status = command.plan, self._status
        overtaken = () if command.overwrite else plan.overtaken
        if overtaken:
            fault = f"{_listed(overtaken)} changed on disk since the model was read"
            status.update(save=SaveReport(command.request, plan, fault=fault, overtaken=overtaken))
            return ""
        backups = plan.backups
        try:
            untouched = self._untouched
            before = {one.path.resolve(): one.path.read_bytes() for one in plan.files if one.path.exists()}
            files = plan.write(command.overwrite)
        except (OSError, ValueError) as error:
            status.update(save=SaveReport(command.request, plan, fault=_fault(error)))
            return ""
        self.count += 1
        journal = self._live.edits.journal.in_file()
        if command.path is None and any(one.saved for one in journal.entries):
            kept = self._before if untouched else {}
            self._before, self._after = before | kept, (self._after if kept else {}) | stamps(files)
        else:
            self._before = {}
        self._entries = frozenset(one.number for one in journal.entries if one.saved)
        text = f"saved {_listed(files)}"
        said = f"{text}, backup {_listed(backups)}" if backups else text
        if plan.unsaved:
            said += f"; not saved, because the file cannot express it: {'; '.join(plan.unsaved)}"
        status.update(save=SaveReport(command.request, plan, written=True), notification=said, problem=None)
        if not (status.run.path and files):
            return ""
        planned, values = self._planned or (plan, {})
        path = command.path or (self._written.path if self._written is not None else None)
        self._written = Written(text, path, stamps(files), values if planned is plan else {})
        return command.path or status.run.path

    @property
    def _untouched(self) -> bool:
        """Whether the files are as the last save left them."""
        return bool(self._before) and all(stamp(path) == seen for path, seen in self._after.items())

    def file_before(self, journal: Journal) -> Mapping[Path, bytes]:
        """The files before changes of elements were saved, if a journal does not have these as a part of the file."""
        known = {one.number for one in journal.entries if one.lost == IN_FILE}
        return self._before if not self._entries <= known and self._untouched else {}

    @property
    def goes_back(self) -> bool:
        """Whether changes of elements that were saved can be undone."""
        return self._untouched

    def read_again(self) -> None:
        """The model is as its files say."""
        self._written = None

    def in_file(self, edits: LiveEdits, journal: Journal) -> dict[Cell, float]:
        """What the file says about the cells of a journal: after a save, edits since then do not clash with it."""
        return {**edits.in_file(journal.base), **(self._written.values if self._written is not None else {})}

    def rebased(self, before: LiveEdits, own: bool = False) -> Journal:
        """The journal of the previous model on the current one, which its changed file gave, or with `own` itself."""
        cells, edits = before.journal.base, self._live.edits
        # what a save has written; an edit that it left out is not in the file
        saved = {
            cell: value for cell, value in self.in_file(before, before.journal).items() if same(edits.read(cell), value)
        }
        in_file = {**before.in_file(cells), **saved}
        journal = before.journal.renamed(new_keys(before.model, self._live.model)) if own else before.journal
        return journal.rebase(in_file, before.present(cells), edits.read, edits.layout, own)

    def file_text(self, before: Model, after: Model) -> tuple[bool, str]:
        """Whether a file that was read again is just what was saved, and what has changed in it, or the save's text."""
        written = self._written
        if written is not None and _as_written(written.files, before, after):
            return True, written.text
        return False, summary(file_changes(before, after))


def _as_written(written: Mapping[Path, Stamp], before: Model, after: Model) -> bool:
    """Whether nothing but a save changed what a model was read from."""
    expected = {**before.files, **written}
    return all(expected.get(path, seen) == seen for path, seen in after.files.items())


def _fault(error: OSError | ValueError) -> str:
    """Why a save fails."""
    if not isinstance(error, OSError):
        return str(error)
    return f"{error.filename}: {reason(error)}" if error.filename else reason(error)


def _listed(paths: tuple[Path, ...] | list[Path]) -> str:
    """File names, below the folder that they share."""
    if len(paths) == 1:
        return paths[0].name
    folder = commonpath([path.parent for path in paths]) if paths else ""
    return ", ".join(relpath(path, folder) for path in paths)
