"""Episodes of a random policy on a four-legged walker, with resets, texts and a tracking camera."""

import mujoco
import numpy as np

from app import viewer as mujoco_viewer

XML = """
<mujoco>
  <compiler autolimits="true"/>
  <option timestep="0.005" integrator="RK4"/>
  <default>
    <joint damping="1" armature="1" limited="true"/>
    <geom friction="1 .5 .5" density="5" rgba=".8 .6 .4 1"/>
    <motor ctrlrange="-1 1" gear="100"/>
  </default>
  <asset>
    <texture name="plane" type="2d" builtin="checker" rgb1=".2 .22 .25" rgb2=".28 .3 .33" width="300" height="300"/>
    <material name="plane" texture="plane" texrepeat="60 60"/>
    <texture type="skybox" builtin="gradient" rgb1=".5 .6 .7" rgb2=".1 .1 .15" width="64" height="256"/>
  </asset>
  <worldbody>
    <light directional="true" pos="0 0 3" dir="-.2 .2 -1"/>
    <geom type="plane" size="40 40 .1" material="plane" rgba=".5 .5 .5 1"/>
    <body name="torso" pos="0 0 .75">
      <freejoint name="root"/>
      <geom size=".25"/>
      LEGS
    </body>
  </worldbody>
  <actuator>MOTORS</actuator>
</mujoco>
"""
LEG = """
<body euler="0 0 ANGLE">
  <geom type="capsule" size=".08" fromto="0 0 0 .28 0 0"/>
  <body pos=".28 0 0">
    <joint name="hip_K" axis="0 0 1" range="-40 40"/>
    <geom type="capsule" size=".08" fromto="0 0 0 .28 0 0"/>
    <body pos=".28 0 0">
      <joint name="ankle_K" axis="0 1 0" range="30 100"/>
      <geom type="capsule" size=".08" fromto="0 0 0 .56 0 0"/>
    </body>
  </body>
</body>
"""
legs = "".join(LEG.replace("ANGLE", str(45 + 90 * k)).replace("K", str(k)) for k in range(4))
motors = "".join(f'<motor joint="hip_{k}"/><motor joint="ankle_{k}"/>' for k in range(4))

model = mujoco.MjModel.from_xml_string(XML.replace("LEGS", legs).replace("MOTORS", motors))
data = mujoco.MjData(model)
rng = np.random.default_rng(0)
frame_skip, max_steps = 5, 40


def reset() -> np.ndarray:
    """Begin an episode."""
    mujoco.mj_resetData(model, data)
    data.qpos[7:] = np.tile([0, 1.0], 4) + rng.uniform(-0.1, 0.1, 8)
    mujoco.mj_forward(model, data)
    return np.concatenate([data.qpos, data.qvel])


def step(action: np.ndarray) -> tuple[np.ndarray, float, bool]:
    """One step of the environment."""
    x_before = data.qpos[0]
    data.ctrl[:] = action
    mujoco.mj_step(model, data, nstep=frame_skip)
    reward = (data.qpos[0] - x_before) / (frame_skip * model.opt.timestep) - 0.5 * np.square(action).sum() + 1.0
    terminated = not 0.2 < data.qpos[2] < 1.0
    return np.concatenate([data.qpos, data.qvel]), reward, terminated


viewer = mujoco_viewer.launch_passive(model, data)
viewer.cam.type = mujoco.mjtCamera.mjCAMERA_TRACKING
viewer.cam.trackbodyid = model.body("torso").id
viewer.cam.distance = 4.0
viewer.cam.elevation = -25

episode = 0
while viewer.is_running():
    observation, total, steps = reset(), 0.0, 0
    while viewer.is_running():
        observation, reward, terminated = step(rng.uniform(-1, 1, model.nu))
        total += reward
        steps += 1
        viewer.set_texts(
            (
                mujoco.mjtFontScale.mjFONTSCALE_150,
                mujoco.mjtGridPos.mjGRID_TOPRIGHT,
                "episode\nstep\nreturn",
                f"{episode}\n{steps}\n{total:.1f}",
            )
        )
        viewer.sync()
        if terminated or steps >= max_steps:
            break
    episode += 1
viewer.close()
