"""A gripper follows a mocap body that is moved with the arrow keys."""

import time

import mujoco
import numpy as np

from app import viewer as mujoco_viewer

XML = """
<mujoco>
  <option timestep="0.004" integrator="implicitfast"/>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="top" pos="0 0 2.5" xyaxes="1 0 0 0 1 0"/>
    <geom type="plane" size="1.5 1.5 .1" rgba=".3 .3 .35 1"/>
    <body name="target" mocap="true" pos="0 0 .35">
      <geom type="box" size=".05 .05 .05" rgba=".9 .3 .3 .4" contype="0" conaffinity="0"/>
    </body>
    <body name="hand" pos="0 0 .35" gravcomp="1">
      <freejoint/>
      <geom type="box" size=".1 .04 .02" mass=".5" rgba=".5 .5 .6 1"/>
      <geom type="box" size=".015 .03 .08" pos="-.085 0 -.09" mass=".1" rgba=".4 .4 .5 1"/>
      <geom type="box" size=".015 .03 .08" pos=".085 0 -.09" mass=".1" rgba=".4 .4 .5 1"/>
    </body>
    <body pos=".02 .25 .05"><freejoint/><geom type="box" size=".05 .05 .05" mass=".2" rgba=".8 .7 .2 1"/></body>
    <body pos="-.3 .1 .06"><freejoint/><geom size=".06" mass=".2" rgba=".3 .7 .4 1"/></body>
  </worldbody>
  <equality><weld body1="target" body2="hand" solref=".02 1"/></equality>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
paused = False

KEY_RIGHT, KEY_LEFT, KEY_DOWN, KEY_UP, KEY_PAGE_UP, KEY_PAGE_DOWN = 262, 263, 264, 265, 266, 267
MOVES = {
    KEY_UP: [0, 0.02, 0],
    KEY_DOWN: [0, -0.02, 0],
    KEY_LEFT: [-0.02, 0, 0],
    KEY_RIGHT: [0.02, 0, 0],
    KEY_PAGE_UP: [0, 0, 0.02],
    KEY_PAGE_DOWN: [0, 0, -0.02],
}


def key_callback(keycode: int) -> None:
    """Move the target, or rotate it with 9."""
    if keycode in MOVES:
        data.mocap_pos[0] += MOVES[keycode]
    elif chr(keycode) == "9":
        quat, turn = np.zeros(4), np.zeros(4)
        mujoco.mju_axisAngle2Quat(turn, np.array([0.0, 0, 1]), 0.2)
        mujoco.mju_mulQuat(quat, data.mocap_quat[0], turn)
        data.mocap_quat[0] = quat


viewer = mujoco_viewer.launch_passive(model, data, key_callback=key_callback)
mujoco.mjv_defaultFreeCamera(model, viewer.cam)
viewer.cam.distance = 1.8
viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONSTRAINT] = True

start = time.time()
while viewer.is_running():
    with viewer.lock():
        if not paused:
            mujoco.mj_step(model, data)
    viewer.sync()
    time.sleep(max(0, model.opt.timestep - (time.time() - start) % model.opt.timestep))

viewer.close()
