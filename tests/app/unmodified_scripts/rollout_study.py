"""Which of many control sequences throws a ball the farthest: rollouts on threads, states and sensors."""

import mujoco
import numpy as np
from mujoco import rollout

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .5"><joint name="swing" axis="0 1 0" damping=".05"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass=".3"/>
      <geom type="box" pos=".5 0 -.02" size=".08 .08 .02" mass=".05"/></body>
    <body pos=".5 0 .56"><freejoint/><geom name="ball" size=".04" mass=".02"/><site name="ball"/></body>
  </worldbody>
  <actuator><motor joint="swing" gear="6" ctrlrange="-1 1"/></actuator>
  <sensor><framepos objtype="site" objname="ball"/><jointvel joint="swing"/></sensor>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
datas = [mujoco.MjData(model) for _ in range(2)]
start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
mujoco.mj_getState(model, datas[0], start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
rng = np.random.default_rng(4)
controls = np.repeat(rng.uniform(-1, 1, (24, 15, 1)), 10, axis=1)
states, sensors = rollout.rollout(model, datas, np.tile(start, (24, 1)), controls)
best = int(np.argmax(sensors[:, -1, 0]))
print(states.shape, sensors.shape, best)
for row in sensors[:, -1]:
    print(*map(repr, row.tolist()))
