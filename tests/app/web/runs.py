"""A short run with every kind of joint, contacts, a tendon, a camera and a light that move, and meshes."""

from __future__ import annotations

from pathlib import Path

import sim

MODEL = """<mujoco model="all sorts">
  <option timestep="0.005"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
    <texture name="checks" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 0 1"/>
    <texture name="sky" type="skybox" builtin="gradient" width="4" height="24" rgb1="1 1 1" rgb2="0 0 1"/>
    <texture name="dice" type="cube" builtin="flat" width="4" height="24" rgb1=".2 .4 .6"/>
    <material name="checks" texture="checks" texrepeat="3 3" reflectance=".2"/>
    <material name="dice" texture="dice" emission=".3"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 .1" material="checks"/>
    <camera name="follower" mode="trackcom" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <light name="lamp" mode="targetbody" target="ball" pos="0 0 4"/>
    <body name="ball" pos="0 0 .3">
      <freejoint name="free"/><geom name="ball" size=".1"/><camera name="eyes" pos="0 0 .1"/>
      <site name="top" pos="0 0 .1"/>
    </body>
    <body name="box" pos=".5 0 .3" euler="20 30 40">
      <freejoint/><geom name="box" type="box" size=".1 .05 .02" material="dice"/><site name="corner" pos=".1 0 0"/>
    </body>
    <body name="upper" pos="-1 0 1">
      <joint name="hip" type="ball" pos="0 0 .1"/><geom name="thigh" type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/>
      <body name="lower" pos="0 0 -.4" euler="0 10 0">
        <joint name="knee" axis="0 1 .3" pos=".02 .01 .05"/><geom type="cylinder" size=".04 .2" pos="0 0 -.2"/>
        <body name="foot" pos="0 0 -.45">
          <joint type="slide" axis="1 0 .2"/><geom name="wedge" type="mesh" mesh="wedge"/>
        </body>
      </body>
    </body>
    <body name="hand" mocap="true" pos="0 1 1">
      <geom type="ellipsoid" size=".1 .05 .02" contype="0" conaffinity="0"/>
    </body>
    <body name="still" pos="2 0 1"><geom name="hidden" size=".1" group="4" rgba="1 0 0 .5"/></body>
  </worldbody>
  <tendon><spatial name="cord" width=".01"><site site="top"/><site site="corner"/></spatial></tendon>
  <sensor><framepos name="height" objtype="body" objname="ball"/></sensor>
</mujoco>
"""
STEPS = 120


def record(path: Path, text: str = MODEL) -> sim.Recording:
    """A recording of the model, in which a hand moves."""
    m = sim.loads(text)
    d = sim.Data(m)
    d.qvel[:] = 0.5
    with sim.Recorder(m, d, path, name="all sorts.xml") as recorder:
        for _ in range(STEPS // 10):
            if m.nmocap:
                d.mocap_pos[0, 0] += 0.05
            recorder.step(10)
    return sim.load_recording(path)
