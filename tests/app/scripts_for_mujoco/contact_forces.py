"""Things fall into a box: contacts as spheres, forces as arrows, in user_scn; everything transparent."""

import mujoco
import numpy as np

from app import viewer as mujoco_viewer

XML = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1" diffuse=".7 .7 .7"/>
    <geom type="plane" size="3 3 .1" rgba=".25 .27 .3 1"/>
    <geom type="box" size=".02 .5 .1" pos=".5 0 .1"/>
    <geom type="box" size=".02 .5 .1" pos="-.5 0 .1"/>
    <geom type="box" size=".5 .02 .1" pos="0 .5 .1"/>
    <geom type="box" size=".5 .02 .1" pos="0 -.5 .1"/>
    <replicate count="4" offset=".22 0 .02">
      <replicate count="3" offset="0 .25 .15">
        <body pos="-.33 -.25 .4">
          <freejoint/>
          <geom type="box" size=".07 .06 .05" euler="10 20 0" rgba=".8 .5 .2 1"/>
        </body>
        <body pos="-.33 -.2 .7"><freejoint/><geom size=".06" rgba=".3 .6 .5 1"/></body>
      </replicate>
    </replicate>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)


def draw_contacts(scn: mujoco.MjvScene) -> None:
    """A sphere at each contact, and an arrow along its normal as long as the force is large."""
    scn.ngeom = 0
    force = np.zeros(6)
    for i in range(data.ncon):
        if scn.ngeom + 2 > scn.maxgeom:
            break
        contact = data.contact[i]
        mujoco.mj_contactForce(model, data, i, force)
        mujoco.mjv_initGeom(
            scn.geoms[scn.ngeom],
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[0.012, 0, 0],
            pos=contact.pos,
            mat=np.eye(3).flatten(),
            rgba=np.array([1, 0.2, 0.1, 1]),
        )
        mujoco.mjv_initGeom(
            scn.geoms[scn.ngeom + 1],
            type=mujoco.mjtGeom.mjGEOM_ARROW,
            size=np.zeros(3),
            pos=np.zeros(3),
            mat=np.zeros(9),
            rgba=np.array([0.2, 0.9, 0.3, 1]),
        )
        mujoco.mjv_connector(
            scn.geoms[scn.ngeom + 1],
            mujoco.mjtGeom.mjGEOM_ARROW,
            0.008,
            contact.pos,
            contact.pos + 0.03 * force[0] * contact.frame[:3],
        )
        scn.ngeom += 2


with mujoco_viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False) as viewer:
    viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_TRANSPARENT] = True
    viewer.user_scn.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
    viewer.cam.azimuth = 120
    viewer.cam.elevation = -35
    viewer.cam.distance = 2.5
    viewer.cam.lookat = np.array([0.0, 0.0, 0.15])
    while viewer.is_running():
        mujoco.mj_step(model, data)
        with viewer.lock():
            draw_contacts(viewer.user_scn)
        viewer.sync()
