"""A balancing controller from a linear model of a step, as in the LQR tutorial."""

import mujoco
import numpy as np
import scipy.linalg

XML = """
<mujoco>
  <option timestep=".005"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0" damping=".1"/>
      <geom type="box" size=".2 .1 .1" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping=".01"/>
        <geom type="capsule" fromto="0 0 0 0 0 .6" size=".02" mass=".1"/>
        <body pos="0 0 .6"><joint name="hinge2" axis="0 1 0" damping=".01"/>
          <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/></body></body></body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
a, b = np.zeros((2 * model.nv, 2 * model.nv)), np.zeros((2 * model.nv, model.nu))
mujoco.mjd_transitionFD(model, data, 1e-6, True, a, b, None, None)
q, r = np.eye(2 * model.nv), np.eye(model.nu)
p = scipy.linalg.solve_discrete_are(a, b, q, r)
k = np.linalg.inv(r + b.T @ p @ b) @ b.T @ p @ a
data.qpos[1] = 0.05
dq = np.zeros(model.nv)
for step in range(400):
    mujoco.mj_differentiatePos(model, dq, 1, model.qpos0, data.qpos)
    data.ctrl = -k @ np.hstack((dq, data.qvel))
    mujoco.mj_step(model, data)
    if step % 40 == 0:
        print(*map(repr, data.qpos.tolist()), *map(repr, data.ctrl.tolist()))
assert abs(data.qpos[1]) < 0.05
