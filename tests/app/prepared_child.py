"""A simulation that does everything the viewer can ask of it; prints the kernels that were loaded meanwhile.

    python -m tests.app.prepared_child MODEL [as-it-is]

MODEL is `rich`, `small` or a bundled scene. At first the engine says that everything is prepared, or with `as-it-is`
that everything but edits is, and then edits are left out. It is a process of its own: in one that has run other tests,
their kernels are at hand.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import sim
from app.model.editable import BY_PATH, ELEMENTS, FLAG_PATHS, FLAGS, OPTIONS, VISUALS, Editable, rows_of
from app.model.selection import COUNTS
from app.run import commands as cmd
from app.run.history.breakpoints import Breakpoint
from app.run.journal.journal import Journal
from app.run.linked_edits import set_alone
from app.run.live_edits import LiveEdits
from app.run.loading import Prepared
from app.run.simulation import Simulation
from sim.enums import ENBL_SLEEP
from sim.jit.kernel import Kernel, reachable
from sim.jit.loader import loader
from tests.app.live import RICH_MODEL, SMALL
from tests.sim.models import SCENES

MOST_ENTRIES = 200
FOLDER = tempfile.TemporaryDirectory()

# measures of every kind: they read Data that has been forwarded, and call no kernel of their own
BREAKPOINTS = ("not converged()", "energy() > 1e9", "slip_speed() > 1e9", "normal_force() > 1e9", "d.time >= 0.001")
NO_EDITS: tuple[cmd.Command, ...] = (
    cmd.SetProfiling(True),
    cmd.SetProfiling(False),
    cmd.StepOnce(3),
    cmd.StepOnce(-1),
    cmd.StepOnce(1),
    cmd.GoTo(0),
    cmd.GoOn(),
    cmd.SetPaused(True),
    cmd.StepOnce(2),
    cmd.SetGhost(0),
    cmd.SwitchBranch(0),
    cmd.SetGhost(None),
    cmd.TakeRows(0, (0, 2), lambda rows: None),
    cmd.TakeMoment(lambda moment: None),
    cmd.SetBreakpoints(tuple(Breakpoint(k, text) for k, text in enumerate(BREAKPOINTS))),
    cmd.StepOnce(3),
    cmd.RunToHit(-1),
    cmd.SetPaused(True),
    cmd.SetBreakpoints(()),
    cmd.TakeExcerpt(0, 0, 2, lambda excerpt: None),
    cmd.TryFix(0, 0, ()),
    cmd.SetPaused(True),
    cmd.SetData("qpos", 0, (0.1,)),
    cmd.SetData("qvel", 0, (0.1,)),
    cmd.SetData("noise.scale", 0, (0.5,)),
    cmd.StepOnce(3),
    cmd.SetData("noise.scale", 0, (0.0,)),
    cmd.Undo(),
    cmd.Redo(),
    cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 2.0), (1.0, 0.0, 0.0, 0.0))),
    cmd.PutToSleep(0),
    cmd.StepOnce(2),
    cmd.Wake(0),
    cmd.PutToSleep(0),
    cmd.SetPaused(False),
    cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 2.0), (1.0, 0.0, 0.0, 0.0))),
    cmd.StepOnce(3),
    cmd.Perturb(),
    # the simulation diverges, and is reset
    cmd.SetData("qvel", 0, (1e20,)),
    cmd.StepOnce(3),
    cmd.SaveKey(0),
    cmd.AddKey("new"),
    cmd.Undo(),
    cmd.Capture(lambda run: None),
    cmd.Reset(0),
    cmd.Reset(),
    cmd.StepOnce(30),
)
# these wait for files
ONCE: tuple[cmd.Command, ...] = (
    cmd.StartRecording(f"{FOLDER.name}/run.ktr"),
    cmd.StepOnce(2),
    cmd.StopRecording(),
    cmd.SaveRecording(f"{FOLDER.name}/past.ktr"),
)


class Child(Simulation):
    """A simulation that handles commands at once, and knows what was loaded since it was prepared."""

    def __init__(self, m: sim.Model, edits: bool) -> None:
        self._time = 0.0
        if not edits:
            LiveEdits.compile_ahead = lambda self: None  # type: ignore[method-assign]
        super().__init__(sim, paused=True, now=self._clock_time, history_bytes=1 << 20)
        self.late: list[str] = []
        self.adopt(m, sim.Data(m))
        while True:
            message = self._inbox.get()
            self.handle(message)
            if isinstance(message, Prepared):
                break
        ahead = self.live.edits._ahead
        assert (ahead is not None) == edits
        if ahead is not None:
            ahead._thread.join()
            assert ahead.finished

    def _clock_time(self) -> float:
        # a second passes between any two looks: every snapshot is published, every sample of the profiler taken
        self._time += 1.0
        return self._time

    def note(self) -> None:
        """From now on, note what is loaded, by whatever thread."""
        load = loader.load

        def noted(roots: Sequence[Kernel], model: Any = None, progress: Any = None) -> None:
            self.late.extend(unit.name for unit in reachable(list(roots), model) if unit.entry is None)
            load(roots, model, progress)

        loader.load = noted  # type: ignore[method-assign]

    def do(self, command: cmd.Command) -> None:
        """Handle a command and show what came of it; what the model refuses is taken back."""
        try:
            self.handle(command)
        except (ValueError, IndexError):
            self.handle(cmd.ResetEdits())
        self.publish()
        if len(self.live.edits.journal.entries) > MOST_ENTRIES:
            # nobody edits a model thousands of times
            self.live.edits.journal = Journal()
        if self.live.edits.waiting:
            self.late.append(f"{command} waits")
            self.live.edits.cancel()

    def do_all(self) -> None:
        """Everything but edits."""
        nkey = self.live.model.nkey
        for command in (*NO_EDITS, cmd.PlanSave(1)):
            if not (isinstance(command, cmd.SaveKey) or command == cmd.Reset(0)) or nkey:
                self.do(command)
        for k in range(self.live.model.neq):
            self.do(cmd.SetData("eq_active", k, (float(not self.live.data.eq_active[k]),)))
        self.do(cmd.StepOnce(2))
        self.do(cmd.Reset())

    # ---- edits

    def edit_rows(self) -> set[str]:
        """Edit every field, each on its own; returns those that the model has."""
        found = set()
        for row in (*OPTIONS, *VISUALS, *ELEMENTS):
            for rows in self._places(row):
                found.add(row.path)
                for edit in self._values(row, rows):
                    self.do(edit)
                    self.do(cmd.StepOnce(1))
                self.do(cmd.ResetField(row.path, rows))
        self.do(cmd.ResetEdits())
        return found

    def _places(self, row: Editable) -> list[tuple[int, ...]]:
        """Rows of the elements whose field is edited."""
        if not row.counted_by:
            return [()]
        count = int(getattr(self.live.model, COUNTS[row.section]))
        every = [rows for k in range(count) if (rows := rows_of(row, self.live.model, k))]
        return [*dict.fromkeys((every[0], every[-1]))] if every else []

    def _values(self, row: Editable, rows: tuple[int, ...]) -> Iterator[cmd.SetField]:
        """Edits to every choice; or of every number, to zero, to both sides of it and far away."""
        if row.choices:
            yield from (cmd.SetField(row.path, value, rows) for _, value in row.choices)
        elif row.widget == "switch":
            yield from (cmd.SetField(row.path, value, rows) for value in (1.0, 0.0, 1.0))
        else:
            for part in row.numbers(self.live.model, rows):
                yield from (set_alone(row, rows, part.at, value) for value in (0.0, 1.0, -1.0))

    def edit_options(self) -> None:
        """Every integrator with every solver, cone and Jacobian, asleep and awake, and every flag in each of some."""
        names = ("opt.integrator", "opt.solver", "opt.cone", "opt.jacobian")
        choices = [[value for _, value in BY_PATH[name].choices] for name in names]
        for number, values in enumerate(itertools.product(*choices)):
            for name, value in zip(names, values, strict=True):
                self.do(cmd.SetField(name, value))
            self.do(cmd.SetFlag("opt.enableflags", ENBL_SLEEP, number % 2 == 0))
            self.do(cmd.StepOnce(2))
            if number % 7 == 0:
                self.flip_flags()
                self.do_all()
        self.do(cmd.ResetEdits())

    def flip_flags(self) -> None:
        """Each flag on its own."""
        for flag in FLAGS:
            on = bool(self.live.model.read(flag.path) & flag.bit)
            for value in (not on, on):
                self.do(cmd.SetFlag(flag.path, flag.bit, value))
                self.do(cmd.StepOnce(1))
        self.do(cmd.SetFlag("opt.disableactuator", 1, True))
        self.do(cmd.StepOnce(1))
        self.do(cmd.SetFlag("opt.disableactuator", 1, False))


def model_of(name: str) -> sim.Model:
    """A model by its name here."""
    texts = {"rich": RICH_MODEL, "small": SMALL}
    return sim.loads(texts[name]) if name in texts else sim.load(SCENES / f"{name}.xml")


def main(name: str, edits: bool) -> dict[str, Any]:
    """What was loaded late, and which fields were edited."""
    m = model_of(name)
    sim.prepare(m, edits=edits)
    assert sim.prepared(m, edits=edits)
    child = Child(m, edits)
    child.note()
    found: set[str] = set()
    child.do_all()
    for command in ONCE:
        child.do(command)
    if edits:
        found = child.edit_rows()
        child.flip_flags()
        child.edit_options()
        child.do_all()
    assert sim.prepared(m, edits=edits)
    return {"late": child.late, "rows": sorted(found)}


if __name__ == "__main__":
    handled = {type(command) for command in (*NO_EDITS, *ONCE)}
    edited = {
        cmd.SetField,
        cmd.SetFlag,
        cmd.ResetField,
        cmd.ResetEdits,
        cmd.Undo,
        cmd.Redo,
        cmd.SwitchEdit,
        cmd.DropGesture,
    }
    # compiles another model, of a file
    edited.add(cmd.EditTree)
    assert handled | edited >= cmd.NEED_KERNELS
    assert {flag.path for flag in FLAGS} | {"opt.disableactuator"} == {*FLAG_PATHS}
    warnings.simplefilter("ignore")
    print(json.dumps(main(sys.argv[1], sys.argv[2:] != ["as-it-is"])))
