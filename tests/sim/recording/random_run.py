"""Random runs: steps, changes of the state, edits of the model, branches; recorded with few rows and with all."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import sim
from sim.enums import ENBL_SLEEP, PERT_TRANSLATE
from sim.recording.run import Array, Block, Branch, CellValue, Change, ModelEdits, Run, Segment
from sim.script.model_edits import edits_of
from tests.sim import sleep_scenes
from tests.sim.state.test_state import EVERYTHING, ROOT

MODELS: dict[str, Callable[[], sim.Model]] = {
    "everything": lambda: sim.loads(EVERYTHING),
    "piles": lambda: sim.loads(sleep_scenes.PILES.xml),
    "crowd": lambda: sim.loads(sleep_scenes.CROWD.xml),
    "sleeping": lambda: sim.loads(sleep_scenes.EVERYTHING.xml),
    "humanoid": lambda: sim.load(ROOT / "scenes/humanoid.xml"),
    "muscle_arm": lambda: sim.load(ROOT / "scenes/muscle_arm.xml"),
    "delay_and_lag": lambda: sim.load(ROOT / "scenes/delay_and_lag.xml"),
}


@dataclass
class Kept:
    """Rows in memory."""

    rows: Array

    def read(self) -> Array:
        """The rows."""
        return self.rows


@dataclass
class Recorder:
    """A run that goes on, and the row of every moment of it."""

    rng: random.Random
    m: sim.Model
    # how many blocks there are: the chance that a step is kept
    density: float = 0.05
    run: Run = field(default_factory=Run)
    truth: dict[tuple[int, int], Array] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.d = sim.Data(self.m)
        self.begin_root()

    @property
    def segment(self) -> Segment:
        return self.branch.segments[-1]

    def row(self) -> Array:
        return sim.get_state(self.m, self.d, sim.record_signature(self.m))

    def begin_root(self) -> None:
        """As after a reset."""
        sim.reset(self.m, self.d)
        self.branch = Branch(len(self.run.branches))
        self.run.branches[self.branch.id] = self.branch
        self.begin(0, None)

    def begin(self, step: int, before: Array | None) -> None:
        """A segment begins with the state as it is; after a row, if it is not the first of a root."""
        row = self.row()
        segment = Segment(step, step, 0, edits_of(self.m), float(self.d.time), float(self.m.opt.timestep))
        if before is None or len(before) != len(row) or self.rng.random() < 0.3:
            segment.blocks.append(Block(step, 1, Kept(row[None])))
        else:
            differs = np.flatnonzero(before.view(np.int64) != row.view(np.int64))
            segment.change = Change(differs.astype(np.int32), row[differs])
        self.branch.segments.append(segment)
        self.truth[self.branch.id, step] = row

    def step(self) -> None:
        """Some steps."""
        for _ in range(self.rng.randint(1, 30)):
            sim.step(self.m, self.d)
            self.segment.last += 1
            row = self.truth[self.branch.id, self.segment.last] = self.row()
            if self.rng.random() < self.density:
                self.segment.blocks.append(Block(self.segment.last, 1, Kept(row[None])))

    def change(self) -> None:
        """The user sets something."""
        before, d, rng = self.row(), self.d, self.rng
        kind = rng.choice(("ctrl", "qpos", "qvel", "pull", "release", "noise", "force", "equality", "mocap", "wake"))
        if kind in ("ctrl", "qpos", "qvel", "mocap"):
            array = {"ctrl": d.ctrl, "qpos": d.qpos, "qvel": d.qvel, "mocap": d.mocap_pos}[kind].reshape(-1)
            if len(array):
                array[rng.randrange(len(array))] += rng.uniform(-0.05, 0.05)
        elif kind == "pull":
            d.perturb.select, d.perturb.active = rng.randrange(1, self.m.nbody), PERT_TRANSLATE
            d.perturb.refselpos = np.array([rng.uniform(-1, 1) for _ in range(3)])
        elif kind == "release":
            d.perturb.active = 0
        elif kind == "noise":
            d.noise.scale, d.noise.rate, d.noise.seed = rng.random(), rng.random(), rng.randrange(-(1 << 63), 1 << 63)
        elif kind == "force":
            d.xfrc_applied[rng.randrange(1, self.m.nbody), 2] = rng.choice((0.0, 1.0, 20.0))
        elif kind == "equality":
            d.eq_active[:] = ~d.eq_active
        else:
            sim.wake(self.m, d)
        self.log.append(kind)
        self.begin(self.segment.last, before)

    def edit(self) -> None:
        """The user edits the model."""
        before, rng, cells = self.row(), self.rng, dict(edits_of(self.m).cells)
        path = rng.choice(("opt.gravity", "body_mass", "geom_friction", "opt.enableflags", "opt.timestep"))
        if path == "opt.enableflags":
            on = not self.m.opt.enableflags & ENBL_SLEEP
            cells[path] = (CellValue(0, ENBL_SLEEP, float(on)),)
        elif path == "opt.timestep":
            cells[path] = (CellValue(0, 0, rng.choice((0.001, 0.002, 0.003))),)
        else:
            size = np.size(self.m.read(path))
            at = 2 if path == "opt.gravity" else rng.randrange(1, size)
            cells[path] = (CellValue(at, 0, rng.uniform(-11, -8) if path == "opt.gravity" else rng.uniform(0.5, 1.5)),)
        if rng.random() < 0.2:
            cells = {}
        sim.apply_edits(self.m, ModelEdits(cells))
        sim.wake(self.m, self.d)
        self.log.append(path)
        self.begin(self.segment.last, before)

    def fork(self) -> None:
        """Go back and change something there."""
        branch, step = self.rng.choice(list(self.truth))
        row, segment = self.truth[branch, step], self.run.find(branch, step)
        sim.apply_edits(self.m, segment.edits)
        sim.set_state(self.m, self.d, row, sim.record_signature(self.m), check=False)
        if self.d.ctrl.size:
            self.d.ctrl[0] += 0.1
        # as in the timeline: from the head of a branch it simply goes on
        self.branch = Branch(len(self.run.branches), branch, step)
        self.run.branches[self.branch.id] = self.branch
        self.log.append(f"fork {branch} {step}")
        self.begin(step, row)

    def act(self, count: int) -> None:
        """Random actions."""
        actions = {self.step: 10, self.change: 6, self.edit: 2, self.fork: 2, self.begin_root: 0.3}
        for action in self.rng.choices(list(actions), list(actions.values()), k=count):
            action()
