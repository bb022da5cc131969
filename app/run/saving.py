"""Saving a model to its files: what a save would do, and doing it; the run then goes on with what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os.path import commonpath, relpath
from pathlib import Path

from app.files.output import reason
from app.model.file_diff import file_changes, summary
from app.run import commands as cmd
from app.run.journal.cells import Cell
from app.run.journal.journal import Journal
from app.run.live_edits import LiveEdits
from app.run.run_state import SaveReport
from app.run.undo import UndoableSimulation
from sim import Model
from sim.file_stamp import Stamp, stamps
from sim.save_plan import SavePlan


@dataclass(frozen=True)
class Written:
    """A save whose files are not read again yet: what to say about it, the files as they were written, the cells."""

    text: str
    files: Mapping[Path, Stamp]
    values: Mapping[Cell, float]


class SavingSimulation(UndoableSimulation):
    """A run whose model can be saved."""

    _written: Written | None = None
    # the newest plan, and the cells that it saves
    _planned: tuple[SavePlan, Mapping[Cell, float]] | None = None

    def _plan_save(self, command: cmd.PlanSave) -> None:
        if not self._has_model:
            return
        if self._edits.waiting:
            text = "an edit waits for its kernels: save again when they are compiled"
            self._update(save=SaveReport(command.request), notification=text)
            return
        try:
            plan = self._model.plan_save(command.path)
            ways = {key: way for key, way in command.ways if any(edit.key == key for edit in plan.edits)}
            plan = self._model.plan_save(command.path, ways) if ways else plan
            self._planned = plan, self._edits.present(self._edits.journal.base)
            self._update(save=SaveReport(command.request, plan))
        except (OSError, ValueError) as error:
            fault = _file_error(error) if isinstance(error, OSError) else str(error)
            self._update(save=SaveReport(command.request, fault=fault))

    def _write_save(self, command: cmd.WriteSave) -> None:
        """Write, and read the model again: the run goes on, and what it had as edits is in the file."""
        plan = command.plan
        overtaken = () if command.overwrite else plan.overtaken
        if overtaken:
            fault = f"{_listed(overtaken)} changed on disk since the model was read"
            self._update(save=SaveReport(command.request, plan, fault=fault, overtaken=overtaken))
            return
        backups = plan.backups
        try:
            files = plan.write(command.overwrite)
        except (OSError, ValueError) as error:
            fault = _file_error(error) if isinstance(error, OSError) else str(error)
            self._update(save=SaveReport(command.request, plan, fault=fault))
            return
        self._saves += 1
        text = f"saved {_listed(files)}"
        said = f"{text}, backup {_listed(backups)}" if backups else text
        if plan.unsaved:
            said += f"; not saved, as the file cannot say it: {'; '.join(plan.unsaved)}"
        self._update(save=SaveReport(command.request, plan, written=True), notification=said, problem=None)
        if self._run.path and files:
            planned, values = self._planned or (plan, {})
            self._written = Written(text, stamps(files), values if planned is plan else {})
            self._go_on_with(command.path or self._run.path)

    def _in_file(self, edits: LiveEdits, journal: Journal) -> dict[Cell, float]:
        """With what was saved and not read again yet: edits since then do not clash with it."""
        return {**super()._in_file(edits, journal), **(self._written.values if self._written is not None else {})}

    def _go_on_with(self, path: str) -> None:
        """Read what was written, which may be another file than the model came from."""
        raise NotImplementedError

    def _file_text(self, before: Model, after: Model) -> tuple[bool, str]:
        """Whether a file that was read again is just what was saved, and what to say about it."""
        written = self._written
        if written is not None and _as_written(written.files, before, after):
            return True, written.text
        return False, f"file: {summary(file_changes(before, after)) or 'read again'}"


def _as_written(written: Mapping[Path, Stamp], before: Model, after: Model) -> bool:
    """Whether nothing but a save changed what a model was read from."""
    expected = {**before.files, **written}
    return all(expected.get(path, seen) == seen for path, seen in after.files.items())


def _file_error(error: OSError) -> str:
    return f"{error.filename}: {reason(error)}" if error.filename else reason(error)


def _listed(paths: tuple[Path, ...] | list[Path]) -> str:
    """File names, below the folder that they share."""
    if len(paths) == 1:
        return paths[0].name
    folder = commonpath([path.parent for path in paths]) if paths else ""
    return ", ".join(relpath(path, folder) for path in paths)
