"""Presses bodies on what holds them, with known forces, until they rest: in both engines."""

from __future__ import annotations

import mujoco
import numpy as np

import sim

STEPS = 3000

SCENE = """
<mujoco>
  <option timestep="0.002" cone="{cone}" tolerance="1e-15" iterations="200" gravity="0 0 0" {option}/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1" {floor}/>
    <body name="pressed" pos="0 0 .0995">
      <freejoint/>
      <geom name="thing" type="{shape}" size=".1 .15 .1" mass="2" {thing}/>
    </body>
  </worldbody>
  {rest}
</mujoco>
"""


def scene(shape="sphere", cone="elliptic", floor="", thing="", rest="", option="") -> str:
    """A sphere or box on a plane, without gravity: the load is what presses."""
    return SCENE.format(shape=shape, cone=cone, floor=floor, thing=thing, rest=rest, option=option)


def press(m: sim.Model, force: float) -> sim.Data:
    """The state at rest of a body that a force presses down."""
    d = sim.Data(m)
    d.xfrc_applied[1, 2] = -force
    sim.step(m, d, nstep=STEPS)
    sim.forward(m, d)
    return d


def depth(d) -> float:
    """How deep the first contact is, from its margin."""
    return float(d.contact.includemargin[0] - d.contact.dist[0])


def mujoco_depth(xml: str, force: float) -> float:
    """The same, pressed in MuJoCo."""
    mj = mujoco.MjModel.from_xml_string(xml)
    dj = mujoco.MjData(mj)
    dj.xfrc_applied[1, 2] = -force
    mujoco.mj_step(mj, dj, STEPS)
    mujoco.mj_forward(mj, dj)
    return depth(dj)


def measured_stiffness(m: sim.Model, force: float) -> float:
    """dF/dx of one contact by two presses, a little harder and a little softer; several contacts share the force."""
    more, less = (press(m, force * (1.0 + change)) for change in (1e-4, -1e-4))
    return 2e-4 * force / more.ncon / (depth(more) - depth(less))


def swing(values) -> tuple[float, float]:
    """(trace, determinant) of the map of a step, from the values of a free oscillation."""
    x = np.asarray(values) - values[-1]
    x = x[:400]
    found, *_ = np.linalg.lstsq(np.stack([x[1:-1], -x[:-2]], axis=1), x[2:], rcond=None)
    return float(found[0]), float(found[1])
