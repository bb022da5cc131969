"""Models for the tests of lockstep, as both engines have them; engines that are wrong on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import sim
from app.instruments.lockstep.pair import Pair
from app.run.engine.mujoco_engine import mujoco_engine
from app.run.engine.mujoco_model import MujocoModel

# a damped arm, a ball and a box that lie on the floor, a tendon, an actuator, sensors
ARM = """<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>
  <body name='upper' pos='0 0 1'><joint name='shoulder' axis='0 1 0' damping='2' range='-60 60'/>
    <geom name='upper' type='capsule' fromto='0 0 0 .4 0 0' size='.05'/>
    <body name='lower' pos='.4 0 0'><joint name='elbow' axis='0 1 0' damping='1' stiffness='3'/>
      <geom name='lower' type='capsule' fromto='0 0 0 .3 0 0' size='.04'/><site name='tip' pos='.3 0 0'/></body></body>
  <body name='ball' pos='2 0 .099'><freejoint name='ball'/><geom name='ball' size='.1'/></body>
  <body name='box' pos='3 0 .099'><freejoint name='box'/><geom name='box' type='box' size='.1 .2 .1'/></body>
</worldbody>
<tendon><fixed name='cord'><joint joint='shoulder' coef='1'/><joint joint='elbow' coef='-2'/></fixed></tendon>
<actuator><position name='servo' joint='elbow' kp='5'/><motor name='pull' tendon='cord'/></actuator>
<sensor><framepos name='where' objtype='site' objname='tip'/><accelerometer name='shaken' site='tip'/></sensor>
</mujoco>"""


def load(folder: Path, xml: str = ARM, name: str = "model.xml") -> tuple[sim.Model, MujocoModel]:
    """A model in both engines."""
    path = folder / name
    path.write_text(xml)
    return sim.load(path), mujoco_engine().load(str(path))


def make_pair(folder: Path, xml: str = ARM) -> Pair:
    return Pair(*load(folder, xml))


def moving_row(pair: Pair, steps: int = 20) -> Any:
    """A state in which all moves and touches, as a row."""
    run = pair.theirs
    m, d = run.model, run.data
    run.engine.reset(m, d)
    d.qvel[:] = 0.3 * np.random.default_rng(1).standard_normal(m.nv)
    d.ctrl[:] = 0.2
    run.engine.step(m, d, steps)
    return run.row()
