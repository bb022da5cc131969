"""Random sequences of steps, edits, pulls, resets, scrubs, replays, branches, undo: every moment keeps its bits.

    python -m tests.soak.branches [--count 1000] [--actions 50] [--seed 0]

A viewer's simulation is driven without its thread, with a tape for few or for many states. After every action the state
shown is the one that the history has of the present moment, and the model is its file with the journal. At the end,
moments that were shown have the bits that they had then; and every moment on the lines of some branches has those of a
fresh run: a fresh model and fresh Data that go through the segments from the root, with the journal of each.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sim
from app.run import commands as cmd
from app.run.history.history import HISTORY_BYTES
from app.run.journal.journal import Journal
from app.run.simulation import Simulation
from sim.enums import ENBL_SLEEP, STATE_RECORD
from sim.recording.replay import Replayer
from sim.recording.run import Array, Branch, Segment
from tests.app.live import MODEL, RICH_MODEL
from tests.app.model.test_editable import edits_of
from tests.app.random_edits import random_edit
from tests.sim import sleep_scenes
from tests.soak.edits import CHANGES, PATIENCE, SLEEPY, Unwatched
from tests.soak.sequences import main

MODELS = {
    "model": MODEL,
    "rich": RICH_MODEL,
    "sleepy": SLEEPY,
    "piles": sleep_scenes.PILES.xml,
    "welds": sleep_scenes.WELDS.xml,
    "finger": sleep_scenes.FINGER.xml,
    "sleeping": sleep_scenes.EVERYTHING.xml,
}
# lines of branches that a fresh run is made of, and moments that are computed again without the tape
LINES, MOMENTS = 3, 40


class Sequence:
    """One simulation, and random things that happen to it."""

    def __init__(self, seed: int, folder: Path, model: str = "") -> None:
        self.rng = random.Random(seed)
        name = model or self.rng.choice(list(MODELS))
        self.folder, self.path = folder, folder / "model.xml"
        self.path.write_text(MODELS[name])
        self.log = [name]
        self.clock = 0.0
        # the model of each version, loaded again
        self.versions: list[Path] = []
        self.keep_version()
        self.simulation = self.opened()
        # what was shown of moments
        self.shown: dict[tuple[int, int], bytes] = {}
        self.actions: dict[Callable[[], None], float] = {
            self.step: 20, self.run_on: 8, self.edit: 6, self.toggle_sleep: 2, self.set_state: 5, self.pull: 4,
            self.reset: 1, self.scrub: 8, self.replay: 4, self.loop: 1, self.go_on: 4, self.switch_branch: 4,
            self.undo: 5, self.redo: 3, self.wake: 1, self.put_to_sleep: 2, self.noise: 1, self.remove_branch: 0.5,
            self.change_file: 0.7, self.ghost: 0.5, self.new_key: 0.5,
        }  # fmt: skip

    def opened(self) -> Simulation:
        """A simulation of the file, paused at its start."""
        budget = self.rng.choice((0, 1 << 20, HISTORY_BYTES >> 4))
        simulation = Simulation(sim, True, lambda: self.clock, budget)  # type: ignore[arg-type]
        simulation.source._watcher = Unwatched()  # type: ignore[assignment]
        simulation.handle(cmd.LoadModel(str(self.path)))
        self.pump(simulation, lambda: simulation.status.run.ready)
        return simulation

    def pump(self, simulation: Simulation, ready: Callable[[], bool]) -> None:
        """Handle messages of loaders until something is the case."""
        end = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < end, f"it does not answer: {simulation.status.run}"
            simulation.receive(0.01)

    def do(self, command: cmd.Command) -> None:
        """Send a command, and wait for kernels that it may need."""
        self.log.append(repr(command))
        self.simulation.handle(command)
        self.pump(self.simulation, lambda: not self.simulation.live.edits.waiting)

    def keep_version(self) -> None:
        """The file as it is now is the next version."""
        kept = self.folder / f"version{len(self.versions)}.xml"
        kept.write_text(self.path.read_text())
        self.versions.append(kept)

    # ---- actions

    def step(self) -> None:
        self.leave()
        self.do(cmd.StepOnce(self.rng.choice((1, 3, 10, 40, -1, -10))))

    def run_on(self) -> None:
        """As while time runs, at the head."""
        self.do(cmd.GoTo(self.simulation.live.history.timeline().last))
        self.do(cmd.SetPaused(False))
        for _ in range(self.rng.randint(1, 4)):
            self.make_steps(self.rng.randint(1, 30))
        self.do(cmd.SetPaused(True))

    def make_steps(self, count: int) -> None:
        self.log.append(f"{count} steps")
        self.leave()
        self.simulation.travel.step(count)
        self.look()

    def leave(self) -> None:
        """Steps end a pull that is not renewed, at the moment from which they are made."""
        history = self.simulation.live.history
        if self.simulation.live.data.perturb.active:
            self.shown.pop((history.run.owner(history.branch, history.now).id, history.now), None)

    def edit(self) -> None:
        model = self.simulation.live.model
        self.do(random_edit(self.rng, model, self.rng.choice((0, 0, len(self.log) // 5))))

    def toggle_sleep(self) -> None:
        on = not self.simulation.live.model.opt.enableflags & ENBL_SLEEP
        self.do(cmd.SetFlag("opt.enableflags", ENBL_SLEEP, on))

    def set_state(self) -> None:
        path = self.rng.choice(("qpos", "qvel", "ctrl", "xfrc_applied", "qfrc_applied"))
        size = np.size(self.simulation.live.data.read(path))
        if size:
            self.do(
                cmd.SetData(path, self.rng.randrange(size), (self.rng.uniform(-0.2, 0.2),), self.rng.choice((0, 7)))
            )

    def noise(self) -> None:
        self.do(cmd.SetData("noise.scale", 0, (self.rng.choice((0.0, 0.3)),)))
        self.do(cmd.SetData("noise.seed", 0, (float(self.rng.randrange(1 << 20)),)))

    def pull(self) -> None:
        """While time runs, in the past too; or while it is paused, which moves the body."""
        body = self.rng.randrange(1, self.simulation.live.model.nbody)
        if self.rng.random() < 0.7:
            self.do(cmd.GoOn())
        for _ in range(self.rng.randint(1, 4)):
            target = tuple(self.rng.uniform(-1, 2) for _ in range(3))
            self.do(cmd.Perturb(cmd.Perturbation(body, (0.0, 0.0, 0.0), target)))
            self.look()
            if not self.simulation.status.run.paused:
                self.make_steps(self.rng.randint(1, 9))
        # sometimes the window forgets to say that the mouse has let go
        if self.rng.random() < 0.8:
            self.do(cmd.Perturb(None))
        else:
            self.clock += 10.0
        self.do(cmd.SetPaused(True))

    def reset(self) -> None:
        keys = self.simulation.live.model.nkey
        self.do(cmd.Reset(self.rng.randrange(keys) if keys and self.rng.random() < 0.5 else None))

    def scrub(self) -> None:
        branch = self.rng.choice(list(self.simulation.live.history.run.branches.values()))
        for _ in range(self.rng.randint(1, 4)):
            self.do(cmd.GoTo(self.rng.randint(0, branch.last), self.rng.choice((None, branch.id))))
            self.look()

    def replay(self) -> None:
        """Time moves through what was recorded, and perhaps on."""
        self.do(cmd.SetDirection(self.rng.choice((1, 1, -1))))
        self.do(cmd.SetPaused(False))
        for _ in range(self.rng.randint(2, 8)):
            self.clock += self.rng.choice((0.005, 0.02, 0.1))
            if not self.simulation.status.run.replaying:
                break
            self.log.append("replay")
            self.simulation.replay()
            self.look()
        if not self.simulation.status.run.paused and not self.simulation.status.run.replaying:
            self.make_steps(self.rng.randint(1, 9))
        self.do(cmd.SetPaused(True))
        self.do(cmd.SetDirection(1))

    def loop(self) -> None:
        last = self.simulation.live.history.timeline().last
        self.do(cmd.SetLoop((self.rng.randint(0, last), self.rng.randint(0, last))))
        self.replay()
        self.do(cmd.SetLoop(None))

    def go_on(self) -> None:
        """From somewhere in the past."""
        self.do(cmd.GoTo(self.rng.randint(0, self.simulation.live.history.timeline().last)))
        self.do(cmd.GoOn())
        if self.rng.random() < 0.8:
            self.make_steps(self.rng.randint(1, 30))
        self.do(cmd.SetPaused(True))

    def switch_branch(self) -> None:
        self.do(cmd.SwitchBranch(self.rng.choice(list(self.simulation.live.history.run.branches))))

    def remove_branch(self) -> None:
        self.do(cmd.RemoveBranch(self.rng.choice(list(self.simulation.live.history.run.branches))))

    def ghost(self) -> None:
        self.do(cmd.SetGhost(self.rng.choice((None, *self.simulation.live.history.run.branches))))
        self.simulation.publisher.ghost()

    def undo(self) -> None:
        self.do(cmd.Undo())

    def redo(self) -> None:
        self.do(cmd.Redo())

    def wake(self) -> None:
        self.do(cmd.Wake(None if self.rng.random() < 0.5 else 0))

    def put_to_sleep(self) -> None:
        if self.simulation.live.model.ntree:
            self.do(cmd.PutToSleep(self.rng.randrange(self.simulation.live.model.ntree)))
            # some trees may not
            self.do(cmd.DismissProblem())

    def new_key(self) -> None:
        self.do(cmd.AddKey(f"key {len(self.log)}"))

    def change_file(self) -> None:
        """Somebody edits the file: another version."""
        text = self.path.read_text()
        old, new = self.rng.choice(CHANGES)
        if new in text:
            old, new = new, old
        if old not in text:
            return
        self.log.append(f"file: {old} -> {new}")
        self.path.write_text(text.replace(old, new, 1))
        self.keep_version()
        before = self.simulation.live.history.versions[-1]
        self.do(cmd.Reload())
        self.pump(self.simulation, lambda: self.simulation.live.history.versions[-1] is not before)

    # ---- checks

    def look(self) -> None:
        """The state that is shown is that of the present moment, and is remembered."""
        history, model = self.simulation.live.history, self.simulation.live.model
        here = history.branch, history.now
        row = self.state(sim.get_state(model, self.simulation.live.data, sim.record_signature(model)), *here)
        assert_same(self.state(history.row(*here), *here), row, f"the present moment {here}")
        owner = history.run.owner(*here).id
        self.shown[owner, history.now] = row.tobytes()

    def state(self, row: Array, branch: int, step: int) -> Array:
        """A row without what follows from the state of awake trees: a pass that shows it computes that again."""
        history = self.simulation.live.history
        m = history.versions[history.run.find(branch, step).version]
        narrow = sim.state_size(m, STATE_RECORD)
        return row if len(row) == narrow else row[: len(row) - m.na - 3 * m.nv - m.nsensordata]

    def fresh(self, version: int, journal: Journal) -> tuple[sim.Model, sim.Data]:
        """A file as it was read once, with a journal."""
        model = sim.load(self.versions[version])
        data = sim.Data(model)
        edits_of(model).adopt(journal)
        return model, data

    def check_model(self) -> None:
        """The model is its file and the journal."""
        simulation = self.simulation
        model, _ = self.fresh(simulation.live.history.version, simulation.live.edits.journal)
        for name in model.layout.places:
            here, there = simulation.live.model.read(name), model.read(name)
            assert np.array_equal(here, there, equal_nan=True), f"{name} is {here}, not {there}"

    def run(self, actions: int) -> None:
        """Do things, and check after each."""
        for _ in range(actions):
            (action,) = self.rng.choices(list(self.actions), list(self.actions.values()))
            self.log.append(f"-- {action.__name__}")
            action()
            self.clock += 0.1
            problem = self.simulation.status.run.problem
            if problem is not None and "diverged" in problem.title:
                # extreme values are part of it
                self.do(cmd.DismissProblem())
            assert self.simulation.status.run.problem is None, self.simulation.status.run.problem
            self.look()
            if self.rng.random() < 0.1:
                self.check_model()
        self.finish()

    def finish(self) -> None:
        """Moments have the bits that they had, and that a fresh run has."""
        history = self.simulation.live.history
        replayer = Replayer(history.run, history.versions.__getitem__)
        known = [moment for moment in self.shown if history.find(*moment) is not None]
        for moment in self.rng.sample(known, min(MOMENTS, len(known))):
            # an owner's moment at a fork is its own
            kept, computed = history.row(*moment), replayer.row(*moment)
            assert self.state(kept, *moment).tobytes() == self.shown[moment], f"{moment} has changed"
            assert_same(computed, kept, f"{moment} computed again")
        branches = list(history.run.branches)
        for branch in self.rng.sample(branches, min(LINES, len(branches))):
            self.check_line(branch)

    def check_line(self, branch: int) -> None:
        """Every moment on the line of a branch, as a fresh run has it."""
        run = self.simulation.live.history.run
        line = run.line(branch)
        row: Array | None = None
        for owner, child in zip(line, [*line[1:], None], strict=True):
            end = owner.last if child is None else child.fork
            for segment in owner.segments:
                if segment.first <= end:
                    row = self.check_segment(branch, owner, segment, row, end)

    def check_segment(self, branch: int, owner: Branch, segment: Segment, row: Array | None, end: int) -> Array:
        """The steps of a segment, from the last row before it; returns its own last row."""
        if segment.change is not None:
            assert row is not None
            row = row.copy()
            row[segment.change.indices] = segment.change.values
        else:
            assert segment.blocks[0].first == segment.first
            row = segment.blocks[0].rows.read()[0]
        model, data = self.fresh(segment.version, segment.note)
        sig = sim.record_signature(model)
        sim.set_state(model, data, row, sig, check=False)
        last = min(segment.last, end)
        for step in range(segment.first, last + 1):
            if step > segment.first:
                sim.step(model, data)
                row = sim.get_state(model, data, sig)
            # later segments may begin there
            if self.simulation.live.history.run.find(owner.id, step) is segment:
                assert_same(self.simulation.live.history.row(owner.id, step), row, f"step {step} of branch {owner.id}")
        return row


def assert_same(found: Array, wanted: Array, what: str) -> None:
    """Rows are equal to the bit."""
    assert found.shape == wanted.shape, f"{what}: {found.shape} instead of {wanted.shape}"
    wrong = np.flatnonzero(found.view(np.int64) != wanted.view(np.int64))
    assert not wrong.size, f"{what}: {found[wrong[:5]]} instead of {wanted[wrong[:5]]} at {wrong[:5]} of {wanted.size}"


if __name__ == "__main__":
    sys.exit(main(Sequence, __doc__, shown=25))
