"""A PD controller follows a sine with an arm of two joints, in real time."""

import time

import mujoco
import numpy as np

from app import viewer as mujoco_viewer

XML = """
<mujoco>
  <option timestep="0.002"/>
  <visual><global azimuth="140" elevation="-20"/></visual>
  <asset>
    <texture name="grid" type="2d" builtin="checker" width="256" height="256" rgb1=".2 .3 .4" rgb2=".25 .35 .45"/>
    <material name="grid" texture="grid" texrepeat="4 4"/>
  </asset>
  <worldbody>
    <light pos="0 -1 3" dir="0 .3 -1"/>
    <geom type="plane" size="2 2 .1" material="grid"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping=".2"/>
      <geom type="capsule" size=".04" fromto="0 0 0 .4 0 0" rgba=".8 .4 .2 1"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0" damping=".1"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .35 0 0" rgba=".2 .5 .8 1"/>
        <site name="tip" pos=".35 0 0" size=".02"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="40"/><motor joint="elbow" gear="20"/></actuator>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)

kp = np.array([3.0, 2.0])
kd = np.array([0.2, 0.1])

with mujoco_viewer.launch_passive(model, data) as viewer:
    viewer.cam.distance = 2.2
    viewer.cam.lookat[:] = [0.3, 0, 0.9]
    while viewer.is_running():
        step_start = time.time()

        target = np.array([0.6 * np.sin(2 * data.time), 0.8 * np.sin(3 * data.time)])
        data.ctrl[:] = kp * (target - data.qpos) - kd * data.qvel
        mujoco.mj_step(model, data)

        # toggle frames every two seconds
        with viewer.lock():
            viewer.opt.frame = mujoco.mjtFrame.mjFRAME_BODY * int(data.time % 4 > 2)

        viewer.sync()

        time_until_next_step = model.opt.timestep - (time.time() - step_start)
        if time_until_next_step > 0:
            time.sleep(time_until_next_step)
