"""Damped least squares: the tip of an arm follows a circle by its Jacobian."""

import mujoco
import numpy as np

XML = """
<mujoco>
  <worldbody>
    <body name="upper"><joint name="shoulder" type="ball"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".04"/>
      <body pos="0 0 .4"><joint name="elbow" axis="0 1 0" range="-150 150"/>
        <geom type="capsule" fromto="0 0 0 .35 0 0" size=".03"/>
        <body pos=".35 0 0"><joint name="wrist" axis="1 0 0"/><geom size=".05"/><site name="tip" pos=".1 0 .02"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
tip = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, "tip")
jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
assert mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, "nobody") == -1
for step in range(120):
    angle = 2 * np.pi * step / 120
    goal = np.array([0.35, 0.15 * np.cos(angle), 0.4 + 0.15 * np.sin(angle)])
    for _ in range(5):
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        error = goal - data.site_xpos[tip]
        mujoco.mj_jacSite(model, data, jacp, jacr, tip)
        dq = jacp.T @ np.linalg.solve(jacp @ jacp.T + 1e-4 * np.eye(3), error)
        mujoco.mj_integratePos(model, data.qpos, dq, 1.0)
    print(*map(repr, data.qpos.tolist()), repr(float(np.linalg.norm(error))))
