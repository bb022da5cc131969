"""Models for tests of sim.mujoco, in both engines and in the same state."""

from __future__ import annotations

from typing import Any, NamedTuple

import mujoco
import numpy as np

from sim import mujoco as ours

RICH = """
<mujoco model="rich">
  <option timestep="0.004"/>
  <asset>
    <texture name="tex" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".1 .1 .2" width="8" height="8"/>
    <material name="mat" texture="tex"/>
    <mesh name="mesh" vertex="-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 .1 .1 .1 -.1 .1 .1"/>
    <hfield name="hills" nrow="4" ncol="4" size="1 1 .3 .1" elevation="0 .1 .2 .1 .3 .1 .9 .2 .1 .4 .2 .1 0 .1 .1 0"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="5 5 .1" material="mat"/>
    <geom name="land" type="hfield" hfield="hills" pos="3 3 0"/>
    <body name="box" pos="0 0 .09">
      <freejoint name="free"/>
      <geom name="box" type="box" size=".1 .1 .1" mass="0.5"/>
      <site name="corner" pos=".1 .1 .1" size=".05"/>
    </body>
    <body name="arm" pos="1 0 .5">
      <joint name="shoulder" axis="0 1 0" range="-90 90" damping=".1" stiffness="1"/>
      <geom name="upper" type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
      <site name="start" pos="0 0 .1"/>
      <body name="hand" pos=".4 0 0">
        <joint name="wrist" type="ball" damping=".05"/>
        <geom name="palm" type="mesh" mesh="mesh"/>
        <site name="end" pos=".1 0 .1"/>
      </body>
    </body>
    <body name="slider" pos="-1 0 .5">
      <joint name="rail" type="slide" axis="1 0 0" range="-1 1" frictionloss=".1"/>
      <geom name="ball" size=".1"/>
    </body>
    <body name="ghost" mocap="true" pos="0 2 1"><geom name="ghost" size=".1" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair name="pair" geom1="ball" geom2="palm"/><exclude name="apart" body1="box" body2="slider"/></contact>
  <equality><joint name="tie" joint1="rail" joint2="shoulder" active="false"/></equality>
  <tendon>
    <spatial name="string" stiffness="2" damping=".1"><site site="start"/><site site="end"/></spatial>
    <fixed name="sum"><joint joint="rail" coef="1"/><joint joint="shoulder" coef=".5"/></fixed>
  </tendon>
  <actuator>
    <position name="servo" joint="shoulder" kp="5" ctrlrange="-1 1"/>
    <motor name="push" joint="rail" gear="2"/>
    <general name="filtered" tendon="sum" dyntype="filter" dynprm=".1" gainprm="3"/>
  </actuator>
  <sensor>
    <accelerometer name="acc" site="end"/>
    <jointpos name="angle" joint="shoulder"/>
    <framepos name="place" objtype="body" objname="hand"/>
    <touch name="touch" site="corner"/>
  </sensor>
  <custom>
    <numeric name="numbers" data="1 2 3"/><text name="words" data="hello"/>
    <tuple name="both"><element objtype="body" objname="box"/><element objtype="geom" objname="ball"/></tuple>
  </custom>
  <keyframe><key name="home" time="1.5" ctrl=".1 .2 .3"/><key name="other"/></keyframe>
</mujoco>
"""


class Pair(NamedTuple):
    """One model in both engines."""

    m: Any
    d: Any
    their_m: Any
    their_d: Any

    def set(self, **fields: Any) -> None:
        """Set fields of both data."""
        for d in (self.d, self.their_d):
            for name, value in fields.items():
                setattr(d, name, value)

    def call(self, name: str, *args: Any) -> tuple[Any, Any]:
        """Call a function of (m, d, ...) in both modules."""
        return getattr(ours, name)(self.m, self.d, *args), getattr(mujoco, name)(self.their_m, self.their_d, *args)

    def same(self, *fields: str, tol: float = 1e-9) -> None:
        """These fields of data are equal."""
        for name in fields:
            mine, theirs = getattr(self.d, name), getattr(self.their_d, name)
            np.testing.assert_allclose(mine, theirs, atol=tol, rtol=tol, err_msg=name)


def pair(xml: str = RICH) -> Pair:
    """A model and data in both engines."""
    m, their_m = ours.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    return Pair(m, ours.MjData(m), their_m, mujoco.MjData(their_m))


def moved(seed: int = 0, steps: int = 0) -> Pair:
    """The rich model in a random state."""
    both = pair()
    rng = np.random.default_rng(seed)
    qpos = both.their_d.qpos + 0.1 * rng.normal(size=both.m.nq)
    mujoco.mj_normalizeQuat(both.their_m, qpos)
    # the box stays on the floor
    qpos[:7] = both.their_m.qpos0[:7]
    ctrl = rng.normal(size=both.m.nu)
    both.set(qpos=qpos, qvel=rng.normal(size=both.m.nv), ctrl=ctrl, act=[0.3], xfrc_applied=0.1)
    for _ in range(steps):
        both.call("mj_step")
    return both
