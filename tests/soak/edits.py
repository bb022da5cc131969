"""Random sequences of edits, undo, redo, switching off, saves, reloads, restarts: nothing is lost, to the bit.

    python -m tests.soak.edits [--count 1000] [--actions 50] [--seed 0]

A viewer's simulation is driven without its thread. After every action the model has to equal a fresh load of its file
with the same journal, field by field; the steps of a run have to give what a fresh model and fresh Data give from the
same state. At the end the model is saved: the file has to load to the same model here, and to the same numbers in
MuJoCo.
"""

from __future__ import annotations

import json
import random
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import sim
from app.model.editable import BY_PATH
from app.run import commands as cmd
from app.run.journal.journal import Journal
from app.run.journal.journal_file import journal_data, read_journal
from app.run.journal.saved_run import CapturedRun, SavedRun
from app.run.simulation import Simulation
from tests.app.live import MODEL, RICH_MODEL
from tests.app.model.test_editable import edits_of
from tests.app.random_edits import random_edit
from tests.patience import PATIENCE
from tests.soak.save_edits import EXCUSED, LOADED, different
from tests.soak.sequences import main

# decided when a file is loaded: a tendon's armature makes the matrices less sparse
SPARSITY = ("nC", "nD", "nM", "nB", "C_", "D_", "M_", "B_", "map", "dof_simplenum")
# words of our own, which MuJoCo does not know
OURS = ("implicitspringdamper",)
SLEEPY = MODEL.replace("<option gravity='0 0 -10'/>", "<option gravity='0 0 -10'><flag sleep='enable'/></option>")
MODELS = {"model": MODEL, "rich": RICH_MODEL, "sleepy": SLEEPY}
# changes of the file by somebody else: a text, and what replaces it; and back
CHANGES = (
    ("name='floor'", "name='floor' friction='.7'"),
    ("mass='1'/><site", "mass='2'/><site"),
    ("<worldbody>", "<worldbody><geom name='wall' type='box' size='.1 2 1' pos='3 0 0'/>"),
    ("<body name='arm'", "<body name='extra' pos='0 2 1'><freejoint/><geom size='.1'/></body><body name='arm'"),
    ("ctrlrange='-1 1'", "ctrlrange='-2 2'"),
    ("<option gravity='0 0 -10'", "<option gravity='0 0 -9' timestep='.001'"),
)


class Unwatched:
    """A watcher that sees nothing: the soak says itself when the file has changed."""

    def watch(self, files: Any) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Sequence:
    """One simulation, and random things that happen to it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        name = self.rng.choice(list(MODELS))
        self.path = folder / "model.xml"
        self.path.write_text(MODELS[name])
        self.log = [name]
        # the file as each version of the model was read from it
        self.texts = {0: self.path.read_text()}
        self.simulation = self.opened()
        self.actions: dict[Callable[[], None], int] = {
            self.edit: 20, self.undo: 8, self.redo: 5, self.switch: 6, self.reset_field: 2, self.reset_all: 1,
            self.step: 12, self.set_state: 4, self.pull: 3, self.go_to: 2, self.reset: 1, self.new_key: 2,
            self.overwrite_key: 2, self.change_file: 3, self.save: 2, self.restart: 2,
        }  # fmt: skip

    def opened(self, saved: SavedRun | None = None) -> Simulation:
        """A simulation of the file, paused at its start, or where a saved run was."""
        simulation = Simulation(sim, paused=True)  # type: ignore[arg-type]
        simulation.source._watcher = Unwatched()  # type: ignore[assignment]
        simulation.handle(cmd.LoadModel(str(self.path), saved=saved))
        self.pump(simulation, lambda: simulation.status.run.ready)
        return simulation

    def pump(self, simulation: Simulation, ready: Callable[[], bool]) -> None:
        """Handle messages of loaders until something is the case."""
        end = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < end, f"it does not answer: {simulation.status.run}"
            simulation.receive(0.01)
            assert simulation.status.run.problem is None, simulation.status.run.problem

    def do(self, command: cmd.Command) -> None:
        """Send a command, and wait for kernels that it may need."""
        self.log.append(repr(command))
        self.simulation.handle(command)
        self.pump(self.simulation, lambda: not self.simulation.live.edits.waiting)

    @property
    def journal(self) -> Journal:
        """The journal now."""
        return self.simulation.live.edits.journal

    # ---- actions

    def edit(self) -> None:
        self.do(random_edit(self.rng, self.simulation.live.model, self.rng.choice([0, 0, len(self.log) // 5])))

    def undo(self) -> None:
        self.do(cmd.Undo())

    def redo(self) -> None:
        self.do(cmd.Redo())

    def switch(self) -> None:
        if self.journal.entries:
            self.do(cmd.SwitchEdit(self.rng.choice(self.journal.entries).number, self.rng.random() < 0.5))

    def reset_field(self) -> None:
        self.do(cmd.ResetField(self.rng.choice([*self.simulation.live.edits.edited & BY_PATH.keys(), "geom_friction"])))

    def reset_all(self) -> None:
        self.do(cmd.ResetEdits())

    def set_state(self) -> None:
        path = self.rng.choice(["qpos", "qvel", "ctrl"])
        at = self.rng.randrange(len(self.simulation.live.data.read(path)))
        self.do(cmd.SetData(path, at, (self.rng.uniform(-0.5, 0.5),)))

    def pull(self) -> None:
        """While time runs."""
        self.simulation.status.update(paused=False)
        self.do(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, self.rng.uniform(0.5, 2.0)))))
        self.simulation.travel.step(self.rng.randint(1, 5))
        self.do(cmd.Perturb(None))
        self.do(cmd.SetPaused(True))

    def go_to(self) -> None:
        timeline = self.simulation.live.history.timeline()
        branch = self.rng.choice(timeline.branches) if self.rng.random() < 0.3 else timeline.find(timeline.branch)
        self.do(cmd.GoTo(self.rng.randint(0, branch.last), branch.id))

    def reset(self) -> None:
        self.do(cmd.Reset())

    def new_key(self) -> None:
        self.do(cmd.AddKey(f"key {len(self.log)}"))

    def overwrite_key(self) -> None:
        if self.simulation.live.model.nkey:
            self.do(cmd.SaveKey(self.rng.randrange(self.simulation.live.model.nkey)))

    def step(self) -> None:
        """As the run makes them, and as a fresh model and fresh Data do from the same state."""
        simulation, count = self.simulation, self.rng.randint(1, 8)
        # a pull that the past moment shows is not renewed
        simulation.travel.begin_steps()
        before = sim.copy_state(simulation.live.model, simulation.live.data)
        self.do(cmd.StepOnce(count))
        model = self.fresh()
        data = sim.Data(model)
        sim.restore_state(model, data, before)
        sim.step(model, data, count)
        for name, value in sim.copy_state(model, data).items():
            there = sim.copy_state(simulation.live.model, simulation.live.data)[name]
            assert np.array_equal(value, there, equal_nan=True), f"{name} after {count} steps"

    def reload(self) -> None:
        """The file was written."""
        before = self.simulation.live.model
        self.do(cmd.Reload())
        self.pump(self.simulation, lambda: self.simulation.live.model is not before)
        self.texts[self.simulation.live.history.version] = self.path.read_text()

    def change_file(self) -> None:
        """Somebody edits the file."""
        text = self.path.read_text()
        old, new = self.rng.choice(CHANGES)
        if new in text:
            old, new = new, old
        text = text.replace(old, new, 1)
        try:
            sim.loads(text)
        except sim.MjcfError:
            # a keyframe that was saved does not fit
            return
        self.log.append(f"file: {old} -> {new}")
        self.path.write_text(text)
        self.reload()

    def save(self) -> None:
        """Into the model's own file, unless that has changed since."""
        if self.texts[self.simulation.live.history.version] != self.path.read_text():
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plan = self.simulation.live.model.plan_save()
        if plan.undecided or not loads(plan):
            return
        self.log.append("save")
        values, clashes = self.journal.values(), len(self.journal.clashes)
        plan.write()
        self.reload()
        assert len(self.journal.clashes) == clashes, "a save clashes with itself"
        assert self.journal.values() == values, "a save changes an edit"

    def restart(self) -> None:
        """Another process goes on where this one was; a pull ends, and the history begins anew."""
        timeline = self.simulation.live.history.timeline()
        if self.texts[self.simulation.live.history.version] != self.path.read_text():
            return
        self.do(cmd.GoTo(timeline.last))
        before, found = self.simulation, list[CapturedRun]()
        before.mouse.end()
        # as after every change of the state while it is paused
        sim.forward(before.live.model, before.live.data)
        self.log.append("restart")
        before.handle(cmd.Capture(found.append))
        before.live.edits.close()
        saved = found[0].saved(sim.pack_state)
        text = json.dumps(journal_data(saved.journal))
        saved = replace(saved, journal=read_journal(json.loads(text)))
        self.simulation = self.opened(saved)
        self.texts = {0: self.path.read_text()}
        here, there = (sim.copy_state(one.live.model, one.live.data) for one in (before, self.simulation))
        assert before.live.edits.journal.values() == self.journal.values(), "edits after a restart"
        for name, value in here.items():
            assert np.array_equal(value, there[name], equal_nan=True), f"{name} after a restart"

    # ---- checks

    def fresh(self) -> sim.Model:
        """The file as it was when this moment's model was read, with the journal."""
        model = sim.loads(self.texts[self.simulation.live.history.version])
        edits_of(model).adopt(self.journal)
        return model

    def check(self) -> None:
        """The model is the file and the journal."""
        model = self.fresh()
        assert model.names == self.simulation.live.model.names
        for name in model.layout.places:
            here, there = self.simulation.live.model.read(name), model.read(name)
            assert np.array_equal(here, there, equal_nan=True), f"{name} is {here}, not {there}"

    def run(self, actions: int) -> None:
        """Do things, and check after each."""
        for _ in range(actions):
            (action,) = self.rng.choices(list(self.actions), list(self.actions.values()))
            action()
            assert self.simulation.status.run.problem is None, self.simulation.status.run.problem
            self.check()
        self.finish()

    def finish(self) -> None:
        """The saved file loads to the same model, here and in MuJoCo."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plan = self.simulation.live.model.plan_save()
            if plan.undecided or plan.unsaved or not loads(plan):
                return
            plan.write(overwrite=True)
            saved = sim.load(self.path)
        model = self.simulation.live.model.copy()
        for one in (saved, model):
            # loading computes some constants in another order of operations
            sim.set_const(one)
        wrong = [name for name in different(saved, model) if name not in LOADED and not name.startswith(SPARSITY)]
        assert not wrong, f"{', '.join(wrong)} after loading"
        try:
            theirs = mujoco.MjModel.from_xml_path(str(self.path))
        except ValueError as error:
            assert any(word in str(error) for word in OURS), error
            return
        for name in (name for name in BY_PATH if hasattr(theirs, name)):
            ours = saved.read(name)
            there = getattr(theirs, name).reshape(np.shape(ours))
            assert np.allclose(ours, there, rtol=1e-9, atol=1e-12), f"{name} in MuJoCo"


def loads(plan: Any) -> bool:
    """Whether what would be saved is a model at all: an edit of a running model can make one that no file can say."""
    try:
        sim.loads(plan.files[0].after) if plan.files else None
    except (sim.MjcfError, ValueError) as error:
        if not any(words in str(error) for words in EXCUSED):
            raise
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(Sequence, __doc__))
