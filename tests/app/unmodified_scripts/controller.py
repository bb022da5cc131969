"""A PD controller of a humanoid's joints, with a passive viewer."""

import sys

import mujoco
import mujoco.viewer
import numpy as np

m = mujoco.MjModel.from_xml_path(sys.argv[1])
d = mujoco.MjData(m)
motors = [m.actuator(i).trnid[0] for i in range(m.nu)]
target = m.key_qpos[0] if m.nkey else m.qpos0
with mujoco.viewer.launch_passive(m, d) as viewer:
    viewer.cam.distance = 4.0
    viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = True
    for step in range(300):
        for i, joint in enumerate(motors):
            error = target[m.jnt_qposadr[joint]] - d.qpos[m.jnt_qposadr[joint]]
            gain = m.actuator_gear[i, 0]
            d.ctrl[i] = np.clip((80.0 * error - 4.0 * d.qvel[m.jnt_dofadr[joint]]) / gain, -1, 1)
        mujoco.mj_step(m, d)
        if viewer.is_running():
            if step % 50 == 0:
                viewer.user_scn.ngeom = 1
                mujoco.mjv_initGeom(
                    viewer.user_scn.geoms[0],
                    mujoco.mjtGeom.mjGEOM_SPHERE,
                    [0.05, 0, 0],
                    d.subtree_com[0],
                    np.eye(3).flatten(),
                    np.array([1, 0, 0, 1], np.float32),
                )
            viewer.sync()
print(*map(repr, d.qpos.tolist()))
