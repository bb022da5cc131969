"""Models that explode for a reason that is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import sim
from app.model.selection import Selection
from sim.enums import DSBL_AUTORESET


class Planted(NamedTuple):
    """A model that explodes, the check and the element to be named, and the controls with which it does."""

    xml: str
    check: str
    kind: str
    name: str
    ctrl: tuple[float, ...] = ()
    qvel: float = 0.0

    def load(self) -> tuple[sim.Model, sim.Data]:
        """The model, and the state in which it starts."""
        model = sim.loads(self.xml)
        data = sim.Data(model)
        data.ctrl[: len(self.ctrl)] = self.ctrl
        if self.qvel:
            data.qvel[-1] = self.qvel
        return model, data

    def selection(self, model: sim.Model) -> Selection:
        """The element to be named."""
        index = 0 if self.kind == "option" else model.name2id(self.kind, self.name)
        return Selection(self.kind, index)


def arm(
    option: str = "timestep='.002'", wrist: str = "", servo: str = "kp='1' kv='.02'", more: str = "", hand: str = ".05"
) -> str:
    """An arm with a shoulder, an elbow and a light hand above a floor, and a box that minds its own business."""
    return f"""<mujoco><option {option}/>
    <worldbody>
      <geom name='floor' type='plane' size='4 4 .1'/>
      <body name='box' pos='1.5 .5 .2'><freejoint/><geom name='box' type='box' size='.1 .1 .1'/></body>
      <body name='upper_arm' pos='0 0 .8'>
        <joint name='shoulder' axis='0 1 0' damping='1'/>
        <geom name='upper_arm' type='capsule' fromto='0 0 0 .4 0 0' size='.05' mass='2'/>
        <body name='forearm' pos='.4 0 0'>
          <joint name='elbow' axis='0 1 0' damping='.2'/>
          <geom name='forearm' type='capsule' fromto='0 0 0 .35 0 0' size='.04' mass='1'/>
          <body name='hand' pos='.35 0 0'>
            <joint name='wrist' axis='0 1 0' {wrist}/>
            <geom name='hand' type='box' pos='.05 0 0' size='.05 .04 .02' mass='{hand}'/>
          </body>
        </body>
      </body>
    </worldbody>
    <actuator>
      <position name='shoulder' joint='shoulder' kp='200' kv='20'/>
      <position name='elbow' joint='elbow' kp='100' kv='5'/>
      <position name='wrist' joint='wrist' {servo}/>
      {more}
    </actuator></mujoco>"""


HARD = """<mujoco><option timestep='.002'><flag refsafe='disable'/></option><worldbody>
  <geom name='floor' type='plane' size='4 4 .1'/>
  <geom name='ceiling' type='plane' size='4 4 .1' pos='0 0 .202' zaxis='0 0 -1'/>
  <body pos='0 0 .101'><joint type='slide' axis='0 0 1'/>
    <geom name='hard' size='.1' solref='.0001 1' priority='1'/></body>
  <body pos='1 0 .11'><freejoint/><geom name='calm' type='box' size='.08 .08 .08'/></body>
</worldbody></mujoco>"""

LOOP = """<mujoco><option timestep='.002'/><worldbody>
  <body name='a' pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .4 0 0' size='.03'/></body>
  <body name='b' pos='0 .2 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .8 0 0' size='.03'/></body>
</worldbody><equality>
  <connect name='held' body1='a' body2='b' anchor='.4 0 0' solref='-1e8 -1e5'/>
</equality></mujoco>"""

PLANTED = {
    "servo": Planted(arm(servo="kp='2000'"), "explosion-gain", "actuator", "wrist", (0, 0, 0.3)),
    "damping gain": Planted(
        arm(more="<velocity name='brake' joint='wrist' kv='.5'/>"), "explosion-gain", "actuator", "brake", (0, 0, 0.2)
    ),
    "spring": Planted(arm(wrist="stiffness='1000'"), "explosion-spring", "joint", "wrist", (0, 0, 0.3)),
    "negative damping": Planted(arm(wrist="damping='-.025'"), "explosion-negative", "joint", "wrist", (0, 0, 0.1)),
    "timestep": Planted(arm("timestep='.03'"), "explosion-timestep", "option", "", (0.2, 0.2, 0.2)),
    "motor": Planted(
        arm(more="<motor name='engine' joint='wrist' gear='20000'/>"),
        "explosion-motor", "actuator", "engine", (0, 0, 0, 1),
    ),
    "feedback": Planted(
        arm(more="<general name='push' joint='wrist' biastype='affine' gainprm='0' biasprm='0 20 0'/>"),
        "explosion-feedback", "actuator", "push", (0, 0, 0.1),
    ),
    "control": Planted(
        arm(more="<motor name='engine' joint='wrist' gear='.01'/>"),
        "explosion-control", "actuator", "engine", (0, 0, 0, 1e5),
    ),
    "light": Planted(arm(hand="1e-5"), "explosion-inertia", "body", "hand", (0, 0, 0.3)),
    "contact": Planted(HARD, "explosion-contact", "geom", "hard"),
    "equality": Planted(LOOP, "explosion-equality", "equality", "held"),
}  # fmt: skip


def rows_of(model: sim.Model, data: sim.Data, count: int) -> np.ndarray:
    """The states of a run up to the last one without a bad number."""
    model.opt.disableflags |= DSBL_AUTORESET
    signature = sim.record_signature(model)
    rows = np.empty((count + 1, sim.state_size(model, signature)))
    rows[0] = sim.get_state(model, data, signature)
    sim.trace(model, data, rows[1:])
    sim.step(model, data, count)
    sim.trace(model, data, 0)
    bad = np.flatnonzero(~(np.abs(rows) <= 1e10).all(axis=1))
    return rows[: bad[0]] if bad.size else rows
