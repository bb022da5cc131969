"""Random sequences of changes of elements: add, delete, duplicate, move, rename, undo, redo, branch, save, reload.

    python -m tests.soak.structure [--count 1000] [--actions 50] [--seed 0]

After every action the model in memory has to equal a fresh load of the text that would be saved, field by field, and
load in MuJoCo; the same elements of one file have to give the same text, to the byte, whichever way led there; the
comments of what stays have to stay. What cannot be done has to be refused in a sentence, and to change nothing.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import mujoco
import numpy as np

import sim
from app.model.source_tree import SourceTree
from app.run import commands as cmd
from app.run.simulation import Simulation
from sim.spec import Element, actions, new
from sim.tree_edit import TreeEdit
from tests.app.live import MODEL
from tests.patience import PATIENCE
from tests.soak.edits import Unwatched
from tests.soak.sequences import main

NESTED = """<mujoco>
  <!-- a model with classes, frames and comments -->
  <compiler angle="radian"/>
  <default>
    <default class="thin"><geom rgba="0 1 0 1" size=".05"/></default>
  </default>
  <asset><material name="red" rgba="1 0 0 1"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>  <!-- the floor -->
    <body name="left_arm" pos="0 .4 1">
      <joint name="left_shoulder" axis="0 1 0" range="-1 1"/>
      <geom name="left_upper" type="capsule" fromto="0 0 0 .3 0 0" size=".04" material="red"/>
      <!-- the hand -->
      <frame name="f" pos=".3 0 0" euler="0 0 .3">
        <body name="left_hand">
          <joint name="left_wrist" axis="1 0 0"/>
          <geom class="thin"/>
          <site name="left_tip" pos=".1 0 0"/>
        </body>
      </frame>
    </body>
    <body name="box" pos="1 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/><geom size=".1" pos="0 0 .2"/></body>
    <body name="ball" pos="-1 0 1"
          gravcomp=".5">
      <freejoint name="free"/>
      <geom name="ball" size=".1"/>
    </body>
    <camera name="eye" mode="targetbody" target="box" pos="0 -3 1"/>
  </worldbody>
  <equality><connect body1="box" body2="ball" anchor="0 0 0" active="false"/></equality>
  <actuator><position joint="left_shoulder" kp="5"/></actuator>
  <sensor><jointpos name="q" joint="left_wrist"/><framepos objtype="site" objname="left_tip"/></sensor>
  <keyframe><key name="up" qpos=".1 .2 1 0 1 1 0 0 0 -1 0 1 1 0 0 0"/></keyframe>
</mujoco>
"""
MODELS = {"model": MODEL, "nested": NESTED}
COMMENT = re.compile(r"<!--.*?-->")
KINDS = ("body", "geom", "joint", "site", "camera", "light", "tendon", "actuator", "sensor", "equality", "pair", "key")
MEMBERS = ("body", "geom", "joint", "site", "camera", "light")
EXTENT = 2.0


class Changes:
    """One simulation, and random things that happen to it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        name = self.rng.choice(list(MODELS))
        self.path = folder / "model.xml"
        self.path.write_text(MODELS[name])
        self.log = [name]
        self.refused = self.made = 0
        self.simulation = Simulation(sim, paused=True)  # type: ignore[arg-type]
        self.simulation.source._watcher = Unwatched()  # type: ignore[assignment]
        self.simulation.handle(cmd.LoadModel(str(self.path)))
        self.pump(lambda: self.simulation.status.run.ready)
        # file and structure -> text
        self.texts: dict[tuple[str, object], str] = {}
        self.actions: dict[Callable[[], None], int] = {
            self.add: 14, self.delete: 7, self.duplicate: 6, self.move: 6, self.rename: 6, self.reorder: 5,
            self.set: 5, self.undo: 12, self.redo: 7, self.switch: 4, self.step: 8, self.go_to: 4, self.save: 2,
            self.reload: 1, self.number: 4,
        }  # fmt: skip

    def pump(self, ready: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < end, f"it does not answer: {self.simulation.status.run}"
            self.simulation.receive(0.01)

    def do(self, command: cmd.Command) -> None:
        """Send a command, and wait until nothing is under way."""
        self.log.append(repr(command))
        self.simulation.handle(command)
        self.pump(lambda: self.quiet)

    @property
    def quiet(self) -> bool:
        source, status = self.simulation.source, self.simulation.status.run
        return not source.changing and status.progress is None and not self.simulation.live.edits.waiting

    @property
    def model(self) -> sim.Model:
        return self.simulation.live.model

    # ---- actions

    def change(self, plan: Callable[[SourceTree], Sequence[TreeEdit]]) -> None:
        """Plan and make a change; one that is refused changes nothing."""
        before, journal = self.text(), self.simulation.live.edits.journal
        try:
            edits = tuple(plan(SourceTree(self.model)))
        except sim.MjcfError as error:
            self.log.append(f"not planned: {error.message}")
            self.refused += 1
            assert error.message and "Traceback" not in error.message
            return
        if not edits:
            return
        self.do(cmd.EditTree(edits))
        problem = self.simulation.status.run.problem
        if problem is not None:
            self.log.append(f"refused: {problem.text}")
            assert problem.title == "That change cannot be made", problem
            assert problem.text.startswith(str(self.path)), problem
            self.simulation.handle(cmd.DismissProblem())
            self.refused += 1
            assert self.text() == before and self.simulation.live.edits.journal is journal
        else:
            self.made += 1
            assert len(self.simulation.live.edits.journal.entries) == len(journal.entries) + 1

    def some(self, tree: SourceTree, kinds: Sequence[str] = KINDS) -> Element:
        """An element of the file."""
        found = [(kind, k) for kind in kinds for k in range(len(self.model.names[kind]))]
        return tree.element(*self.rng.choice(found))

    def add(self) -> None:
        shapes = ("sphere", "box", "capsule", "cylinder", "ellipsoid", "plane")
        pos = tuple(self.rng.uniform(-1, 1) for _ in range(3))

        def plan(tree: SourceTree) -> Sequence[TreeEdit]:
            body, spec = self.some(tree, ("body",)), tree.spec
            joints = list(body.walk("joint"))
            choices: list[Callable[[], Sequence[TreeEdit]]] = [
                lambda: new.new_shape(spec, self.rng.choice(shapes), EXTENT, None, pos),
                lambda: new.new_shape(spec, self.rng.choice(shapes[:5]), EXTENT, body, pos),
                lambda: new.new_body(body, EXTENT, pos),
                lambda: new.new_joint(body, self.rng.choice(new.JOINTS)),
                lambda: new.new_member(body, self.rng.choice(("site", "camera", "light")), EXTENT, pos),
                lambda: new.new_actuators(joints, self.rng.choice(new.ACTUATORS), [0.1] * len(joints)),
                lambda: new.new_sensor(body, "framepos"),
                lambda: new.new_between(body, self.some(tree, ("body",)), self.rng.choice(("weld", "exclude"))),
            ]
            return self.rng.choice(choices)()

        self.change(plan)

    def delete(self) -> None:
        count = self.rng.choice((1, 1, 2))
        self.change(lambda tree: actions.delete([self.some(tree) for _ in range(count)]))

    def duplicate(self) -> None:
        self.change(lambda tree: actions.duplicate([self.some(tree)], (0.1, 0.2, 0.3)))

    def move(self) -> None:
        def plan(tree: SourceTree) -> Sequence[TreeEdit]:
            into = self.some(tree, ("body",))
            before = self.rng.choice([None, *(one for one in into.children if one.kind in MEMBERS)])
            return actions.reparent([self.some(tree, MEMBERS)], into, before)

        self.change(plan)

    def rename(self) -> None:
        name = self.rng.choice(("box", "left", "x", f"name {len(self.log)}", 'ö<&"'))
        self.change(lambda tree: actions.rename(self.some(tree), name))

    def reorder(self) -> None:
        def plan(tree: SourceTree) -> Sequence[TreeEdit]:
            item = self.some(tree)
            assert item.parent is not None
            return actions.reorder(item, self.rng.choice([None, *item.parent.children]))

        self.change(plan)

    def set(self) -> None:
        def plan(tree: SourceTree) -> Sequence[TreeEdit]:
            geom = self.some(tree, ("geom",))
            return actions.set_attributes([geom], {"rgba": f"{self.rng.random():.2f} 0 0 1", "group": "1"})

        self.change(plan)

    def number(self) -> None:
        """An edit of a number, which stays with its element."""
        row = self.rng.randrange(self.model.ngeom)
        self.do(cmd.SetField("geom_margin", round(self.rng.uniform(0, 0.01), 4), (row,)))

    def undo(self) -> None:
        self.again(cmd.Undo())

    def redo(self) -> None:
        self.again(cmd.Redo())

    def switch(self) -> None:
        entries = self.simulation.live.edits.journal.entries
        if entries:
            self.again(cmd.SwitchEdit(self.rng.choice(entries).number, self.rng.random() < 0.5))

    def again(self, command: cmd.Command) -> None:
        """Undo and the like can be refused if other elements need what would go."""
        self.do(command)
        if self.simulation.status.run.problem is not None:
            self.log.append(f"refused: {self.simulation.status.run.problem.text}")
            self.simulation.handle(cmd.DismissProblem())

    def step(self) -> None:
        self.do(cmd.StepOnce(self.rng.randint(1, 5)))

    def go_to(self) -> None:
        """Another moment: what is changed there begins a branch."""
        timeline = self.simulation.live.history.timeline()
        branch = self.rng.choice(timeline.branches)
        self.do(cmd.GoTo(self.rng.randint(0, branch.last), branch.id))

    def save(self) -> None:
        plan = self.model.plan_save()
        if plan.undecided or plan.overtaken or not plan.files:
            return
        text = plan.files[0].after
        self.simulation.handle(cmd.PlanSave(1))
        found = self.simulation.status.run.save
        assert found is not None and found.plan is not None, found
        self.do(cmd.WriteSave(2, found.plan))
        assert self.path.read_text() == text
        self.texts.clear()

    def reload(self) -> None:
        self.do(cmd.Reload())

    # ---- checks

    def text(self) -> str:
        """What would be saved."""
        files = self.model.plan_save().files
        text: str = self.model.__dict__["source"].root.document.text
        return files[0].after if files else text

    def check(self) -> None:
        """The model is what would be saved, in both engines; and that does not depend on the way that led there."""
        text = self.text()
        fresh = sim.loads(text)
        assert fresh.names == self.model.names
        for name in fresh.layout.places:
            here, there = self.model.read(name), fresh.read(name)
            assert np.array_equal(here, there, equal_nan=True), f"{name} is {here}, not {there}"
        theirs = mujoco.MjModel.from_xml_string(text)
        for name in ("body_pos", "body_quat", "geom_size", "jnt_axis", "key_qpos", "sensor_objid", "actuator_trnid"):
            ours = np.asarray(self.model.read(name))
            there = getattr(theirs, name)
            assert np.allclose(ours, there.reshape(ours.shape), atol=1e-9), f"{name} in MuJoCo"
        journal = self.simulation.live.edits.journal
        key = (self.path.read_text(), (journal.structure, tuple(sorted(map(repr, journal.values().items())))))
        assert self.texts.setdefault(key, text) == text, "another text for the same elements"
        kept = [one for one in COMMENT.findall(MODELS[self.log[0]]) if one != "<!-- the hand -->"]
        assert all(one in text for one in kept), "a comment is gone"

    def run(self, count: int) -> None:
        """Do things, and check after each."""
        for _ in range(count):
            (action,) = self.rng.choices(list(self.actions), list(self.actions.values()))
            action()
            problem = self.simulation.status.run.problem
            assert problem is None, problem
            self.check()


if __name__ == "__main__":
    sys.exit(main(Changes, __doc__))
