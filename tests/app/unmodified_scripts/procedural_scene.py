"""A staircase with balls, made by program: bodies, defaults, an attached gripper, recompiled with its state."""

import mujoco
import numpy as np

spec = mujoco.MjSpec()
spec.modelname = "stairs"
spec.option.timestep = 0.004
main = spec.default
main.geom.friction[:] = (0.8, 0.01, 0.001)
steps = spec.add_default("steps", main)
steps.geom.rgba = [0.3, 0.4, 0.6, 1]
floor = spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[3, 3, 0.1])
for k in range(6):
    stair = spec.worldbody.add_body(name=f"stair{k}", pos=[0.3 * k, 0, 0.1 + 0.1 * k])
    stair.add_geom(steps, type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.15, 0.6, 0.1])
rng = np.random.default_rng(1)
for k in range(8):
    ball = spec.worldbody.add_body(name=f"ball{k}", pos=[1.5, *rng.uniform(-0.4, 0.4, 1), 1.2 + 0.2 * k])
    ball.add_freejoint()
    ball.add_geom(size=[0.06, 0, 0], mass=0.1)

arm = mujoco.MjSpec.from_string("""
<mujoco model="arm">
  <worldbody><body name="base"><joint name="turn" axis="0 0 1" damping=".1"/>
    <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass=".5"/></body></worldbody>
  <actuator><position joint="turn" kp="5" dampratio="1"/></actuator>
</mujoco>
""")
frame = spec.worldbody.add_frame(pos=[0.9, 0, 0.9])
frame.attach_body(arm.body("base"), "left-", "")
model = spec.compile()
data = mujoco.MjData(model)
data.ctrl[:] = 1.0
for _ in range(60):
    mujoco.mj_step(model, data)
print(*map(repr, data.qpos.tolist()))

spec.worldbody.add_body(name="late", pos=[0, 0, 3]).add_geom(size=[0.1, 0, 0])
spec.delete(spec.body("ball3"))
model, data = spec.recompile(model, data)
assert model.ngeom == 16 and model.body("late").id > 0
for _ in range(20):
    mujoco.mj_step(model, data)
print(*map(repr, data.qpos.tolist()))
print(len(spec.to_xml()) > 1000, mujoco.MjSpec.from_string(spec.to_xml()).compile().nq == model.nq)
