"""A run as a history would keep it: made by stepping, with a pull, an edit and a branch."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import sim
from sim.recording.marks import Mark, marks_note
from sim.recording.run import Array, Block, Branch, CellValue, Change, ModelEdits, Run, Segment
from sim.recording.write import RecordingWriter

MODEL = """<mujoco model="two balls">
  <option timestep="0.005"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="ball" pos="0 0 0.4"><freejoint/><geom name="ball" size=".1" mass="1"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom name="arm" size=".05" mass="1" pos=".2 0 0"/>
    </body>
  </worldbody>
  <keyframe><key name="up" qpos="0 0 1 1 0 0 0 0.5"/></keyframe>
</mujoco>
"""
EVERY = 10


@dataclass(eq=False)
class InMemory:
    """Rows in memory."""

    rows: Array

    def read(self) -> Array:
        return self.rows


@dataclass
class MadeRun:
    """A model that steps, and the run that it leaves; rows of all moments, by branch and step."""

    model: sim.Model
    every: int = EVERY
    run: Run = field(default_factory=Run)
    rows: dict[tuple[int, int], Array] = field(default_factory=dict)
    # rows of each segment from its first step on, as it made them
    made: list[tuple[Segment, list[Array]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.data = sim.Data(self.model)
        self.edits = ModelEdits()
        self.branch = self.step = 0

    def row(self) -> Array:
        return sim.get_state(self.model, self.data, sim.record_signature(self.model))

    def begin(self, branch: Branch | None = None) -> None:
        """Begin a segment in the present state, in a new branch or in the present one."""
        row = self.row()
        before = self.rows.get((self.branch, self.step))
        if branch is not None:
            self.run.branches[branch.id] = branch
            self.branch = branch.id
        change = None
        if before is not None and before.shape == row.shape:
            indices = np.flatnonzero(row.view(np.int64) != before.view(np.int64)).astype(np.int32)
            change = Change(indices, row[indices])
        first, m = self.step, self.model
        segment = Segment(first, first, 0, self.edits, float(self.data.time), float(m.opt.timestep), change)
        if change is None:
            segment.blocks.append(Block(first, 1, InMemory(row[None])))
        self.run.branches[self.branch].segments.append(segment)
        self.rows[self.branch, first] = row
        self.made.append((segment, [row]))

    def steps(self, count: int) -> None:
        """Make steps."""
        segment, made = self.made[-1]
        for _ in range(count):
            sim.step(self.model, self.data)
            self.step += 1
            segment.last = self.step
            row = self.rows[self.branch, self.step] = self.row()
            made.append(row)
            if self.step % self.every == 0:
                segment.blocks.append(Block(self.step, 1, InMemory(row[None])))

    def go_to(self, branch: int, step: int) -> None:
        """Go back to a moment; the branch that begins next forks there."""
        self.branch, self.step = branch, step
        row = self.rows[branch, step]
        sim.set_state(self.model, self.data, row, sim.record_signature(self.model), check=False)


def made_run(m: sim.Model) -> MadeRun:
    """Steps, a pull, an edit of gravity, and a branch from before them with a new control."""
    made = MadeRun(m)
    made.begin(Branch(0, name="first"))
    made.steps(25)
    made.data.xfrc_applied[1] = (0, 0, 30, 0, 0, 0)
    made.begin()
    made.steps(13)
    made.edits = ModelEdits({"opt.gravity": (CellValue(2, 0, -3.0),), "opt.disableflags": (CellValue(0, 1 << 2, 1.0),)})
    file_gravity, file_flags = float(m.opt.gravity[2]), int(m.opt.disableflags)
    m.opt.gravity[2], m.opt.disableflags = -3.0, file_flags | 1 << 2
    made.begin()
    made.steps(30)
    made.go_to(0, 17)
    m.opt.gravity[2], m.opt.disableflags = file_gravity, file_flags
    made.edits = ModelEdits()
    made.data.qvel[6] = 2.0
    made.begin(Branch(1, 0, 17, "other", 3))
    made.steps(40)
    return made


def record(made: MadeRun, path: Path, checksums: bool = True) -> None:
    """The run in a file."""
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.sync(made.run)
        if checksums:
            for segment, rows in made.made:
                writer.steps(segment, segment.first, np.array(rows))
        writer.note("marks", marks_note(0, 0, [Mark("PERTURB", "pulled", 25, 38, 0)]))
    assert not writer.problem, writer.problem
