"""Differential inverse kinematics: damped least squares takes the tip of an arm along a circle."""

import time

import mujoco
import numpy as np

import app.viewer

XML = """
<mujoco>
  <compiler autolimits="true"/>
  <option timestep="0.002" integrator="implicitfast"/>
  <default>
    <joint damping="2" armature=".1" range="-170 170"/>
    <position kp="400" kv="40" inheritrange="1"/>
    <geom type="capsule" size=".045" rgba=".85 .85 .9 1"/>
  </default>
  <worldbody>
    <light pos="1 -1 3" dir="-.3 .3 -1" castshadow="true"/>
    <geom type="plane" size="2 2 .1" rgba=".2 .25 .3 1"/>
    <body name="base" pos="0 0 .1">
      <joint name="j1" axis="0 0 1"/><geom fromto="0 0 -.1 0 0 .2" size=".07"/>
      <body pos="0 0 .25">
        <joint name="j2" axis="0 1 0"/><geom fromto="0 0 0 0 0 .35"/>
        <body pos="0 0 .4">
          <joint name="j3" axis="0 1 0"/><geom fromto="0 0 0 0 0 .3" rgba=".9 .6 .2 1"/>
          <body pos="0 0 .35">
            <joint name="j4" axis="0 0 1"/><geom fromto="0 0 0 0 0 .05"/>
            <body pos="0 0 .1">
              <joint name="j5" axis="0 1 0"/><geom fromto="0 0 0 0 0 .12" size=".035"/>
              <site name="attachment_site" pos="0 0 .2" size=".02" rgba="1 0 0 1"/>
            </body>
          </body>
        </body>
      </body>
    </body>
    <body name="target" pos=".5 0 .5" mocap="true">
      <geom type="sphere" size=".04" contype="0" conaffinity="0" rgba=".3 .9 .4 .5"/>
    </body>
  </worldbody>
  <actuator>
    <position joint="j1"/><position joint="j2"/><position joint="j3"/><position joint="j4"/><position joint="j5"/>
  </actuator>
  <keyframe><key name="home" qpos="0 .6 1.2 0 .4" ctrl="0 .6 1.2 0 .4"/></keyframe>
</mujoco>
"""

integration_dt = 0.1
damping = 1e-3
max_angvel = 1.5


def circle(t: float) -> np.ndarray:
    """The target at a time."""
    return np.array([0.5, 0.25 * np.sin(2 * np.pi * 0.25 * t), 0.5 + 0.2 * np.cos(2 * np.pi * 0.25 * t)])


def main() -> None:
    """Run the loop."""
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    site_id = model.site("attachment_site").id
    mocap_id = model.body("target").mocapid[0]
    key_id = model.key("home").id
    jac = np.zeros((3, model.nv))
    trail: list[np.ndarray] = []

    with app.viewer.launch_passive(model=model, data=data, show_left_ui=False, show_right_ui=False) as viewer:
        mujoco.mj_resetDataKeyframe(model, data, key_id)
        mujoco.mjv_defaultFreeCamera(model, viewer.cam)
        viewer.cam.azimuth, viewer.cam.elevation, viewer.cam.distance = 150, -15, 2.2
        viewer.opt.frame = mujoco.mjtFrame.mjFRAME_SITE
        while viewer.is_running():
            step_start = time.time()
            data.mocap_pos[mocap_id] = circle(data.time)

            error = data.mocap_pos[mocap_id] - data.site(site_id).xpos
            mujoco.mj_jacSite(model, data, jac, None, site_id)
            dq = jac.T @ np.linalg.solve(jac @ jac.T + damping * np.eye(3), error / integration_dt)
            dq_abs_max = np.abs(dq).max()
            if dq_abs_max > max_angvel:
                dq *= max_angvel / dq_abs_max
            q = data.qpos.copy()
            mujoco.mj_integratePos(model, q, dq, integration_dt)
            np.clip(q, *model.jnt_range.T, out=q)
            data.ctrl[:] = q
            mujoco.mj_step(model, data)

            # the path of the tip
            if len(trail) < 500 and round(data.time / model.opt.timestep) % 20 == 0:
                trail.append(data.site(site_id).xpos.copy())
                if len(trail) > 1:
                    geom = viewer.user_scn.geoms[viewer.user_scn.ngeom]
                    mujoco.mjv_initGeom(
                        geom, mujoco.mjtGeom.mjGEOM_LINE, np.zeros(3), np.zeros(3), np.zeros(9), np.array([1, 1, 0, 1])
                    )
                    mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_LINE, 3, trail[-2], trail[-1])
                    viewer.user_scn.ngeom += 1

            viewer.sync()
            time_until_next_step = model.opt.timestep - (time.time() - step_start)
            if time_until_next_step > 0:
                time.sleep(time_until_next_step)


if __name__ == "__main__":
    main()
