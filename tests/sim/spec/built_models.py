"""Models that are built by program, the same way with MuJoCo's MjSpec and with ours."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

import sim
from sim.fields import MODEL_LAYOUT
from tests.oracle import read

# what the compiler of MuJoCo keeps for itself, two colours that its bindings show as empty, and the graphs of hulls,
# whose triangles are the hull library's own where many vertices lie in a plane
NOT_COMPARED = ("signature", "nbuffer", "vis.rgba.bv", "vis.rgba.bvactive", "narena", "text_data", "mesh_graph")
CUBE = "".join(f"v {x} {y} {z}\n" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))


def differences(m: sim.Model, reference: mujoco.MjModel, tolerance: float = 1e-9) -> list[str]:
    """One line for each constant or name that differs.

    Keyframes are compared by name: where some came by attaching and others followed, or elements were deleted after,
    MuJoCo shuffles them, and here they keep their place.
    """
    found = []
    theirs = [reference.key(k).name for k in range(reference.nkey)]
    order = np.argsort(m.names["key"], kind="stable"), np.argsort(theirs, kind="stable")
    for name in MODEL_LAYOUT.places:
        if name in NOT_COMPARED or not _has(reference, name):
            continue
        ours, theirs = np.asarray(m.read(name)), np.asarray(read(reference, name))
        if name.startswith("key_") and len(ours) == len(theirs):
            ours, theirs = ours[order[0]], theirs[order[1]]
        if ours.shape != theirs.shape:
            found.append(f"{name}: shape {ours.shape} instead of {theirs.shape}")
        elif ours.dtype.kind in "iub" and not np.array_equal(ours, theirs):
            found.append(f"{name}: {ours.tolist()} instead of {theirs.tolist()}")
        elif ours.dtype.kind == "f" and ours.size:
            near = np.abs(ours - theirs) <= 1e-15 + tolerance * np.maximum(np.abs(theirs), 1e-3 * np.abs(theirs).max())
            if not (near | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))).all():
                found.append(f"{name}: {ours.tolist()} instead of {theirs.tolist()}"[:300])
    for kind, names in m.names.items():
        what = getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
        theirs = [mujoco.mj_id2name(reference, what, k) or "" for k in range(len(names))]
        if (sorted(names) != sorted(theirs)) if kind == "key" else list(names) != theirs:
            found.append(f"names of {kind}: {list(names)} instead of {theirs}")
    return found


def _has(reference: Any, name: str) -> bool:
    try:
        read(reference, name)
    except AttributeError:
        return False
    return True


def walker(mj: Any) -> Any:
    """A scene with something of every kind that a spec can have."""
    spec = mj.MjSpec()
    spec.modelname = "walker"
    spec.option.timestep = 0.004
    spec.option.gravity = [0, 0.1, -9.5]
    spec.option.disableflags |= int(mj.mjtDisableBit.mjDSBL_WARMSTART)
    spec.option.enableflags |= int(mj.mjtEnableBit.mjENBL_ENERGY)
    spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.visual.headlight.ambient = [0.3, 0.2, 0.1]
    spec.visual.map.znear = 0.02
    spec.stat.extent = 3.5
    spec.compiler.inertiagrouprange[1] = 4
    spec.assets = {"cube.obj": CUBE}
    _assets(spec, mj)
    main = spec.default
    main.geom.friction[0] = 0.7
    heavy = spec.add_default("heavy", main)
    heavy.geom.density = 3000
    heavy.joint.damping[0] = 0.4
    heavy.actuator.gear[0] = 3
    world = spec.worldbody
    world.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], material="grid", condim=4)
    world.add_light(pos=[0, 0, 4], dir=[0, 0.1, -1], castshadow=False, diffuse=[0.5, 0.6, 0.7])
    world.add_camera(name="eye", pos=[1, -2, 1], euler=[70, 0, 20], fovy=60, resolution=[64, 32])
    world.add_site(name="anchor", pos=[0, 0, 3])
    world.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="hills", pos=[7, 0, 0])
    _legs(spec, mj, heavy)
    _others(spec, mj)
    return spec


def _assets(spec: Any, mj: Any) -> None:
    spec.add_texture(
        name="checks", type=mj.mjtTexture.mjTEXTURE_2D, builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER, width=8, height=8,
        rgb1=[0.1, 0.2, 0.3], rgb2=[0.4, 0.5, 0.6],
    )  # fmt: skip
    pixels = spec.add_texture(name="pixels", type=mj.mjtTexture.mjTEXTURE_2D, width=3, height=2, nchannel=3)
    pixels.data = bytes(range(18))
    grid = spec.add_material(name="grid", texrepeat=[2, 3], reflectance=0.2, rgba=[0.9, 0.8, 0.7, 1])
    grid.textures[int(mj.mjtTextureRole.mjTEXROLE_RGB)] = "checks"
    spec.add_mesh(name="cube", file="cube.obj", scale=[0.1, 0.1, 0.2])
    wedge = spec.add_mesh(name="points", inertia=mj.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
    wedge.uservert = np.array([0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3], np.float32)
    ball = spec.add_mesh(name="ball")
    ball.make_sphere(subdivision=1)
    spec.add_hfield(name="hills", size=[1, 1, 0.5, 0.1], nrow=2, ncol=3, userdata=[0, 0.2, 0.4, 0.1, 0.9, 0.3])


def _legs(spec: Any, mj: Any, heavy: Any) -> None:
    torso = spec.worldbody.add_body(name="torso", pos=[0, 0, 1.2], gravcomp=0.1, sleep=mj.mjtSleepPolicy.mjSLEEP_NEVER)
    torso.add_freejoint(name="root")
    torso.add_geom(name="trunk", type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, -0.2, 0, 0, 0.2], size=[0.1, 0, 0])
    torso.add_site(name="imu", size=[0.02], rgba=[1, 0, 0, 1], userdata=[1, 2])
    for side, y in (("left", 0.2), ("right", -0.2)):
        hip = torso.add_frame(name=f"{side}_hip", pos=[0, y, -0.2], euler=[10 * np.sign(y), 0, 0])
        thigh = hip.add_body(heavy, name=f"{side}_thigh")
        thigh.add_joint(name=f"{side}_hip", axis=[0, 1, 0], range=[-60, 80], stiffness=[1, 0.2], solref_limit=[0.03, 1])
        thigh.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.05, 0.04, 0.2], pos=[0, 0, -0.2], axisangle=[0, 0, 1, 30])
        shin = thigh.add_body(name=f"{side}_shin", pos=[0, 0, -0.4])
        shin.mass, shin.ipos, shin.inertia = 0.8, [0, 0, -0.15], [0.01, 0.012, 0.004]
        shin.iquat = [0.9, 0.1, 0.2, 0.3]
        joint = shin.add_joint(name=f"{side}_knee", axis=[0, 1, 0], type=mj.mjtJoint.mjJNT_HINGE, armature=0.01)
        joint.range = [-100, 0]
        joint.userdata = [3, 4, 5]
        shin.add_geom(name=f"{side}_foot", type=mj.mjtGeom.mjGEOM_MESH, meshname="cube", contype=2, rgba=[0, 0, 1, 1])
        shin.add_site(name=f"{side}_toe", pos=[0.1, 0, -0.3], type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=[0.1, 0.2, 0.3])
    hand = spec.worldbody.add_body(name="hand", mocap=True, pos=[1, 1, 1])
    hand.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="ball", contype=0, conaffinity=0, mass=0)
    box = spec.worldbody.add_body(name="box", pos=[2, 0, 1])
    box.add_joint(name="slide", type=mj.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0], springdamper=[0.2, 1])
    box.add_joint(name="turn", type=mj.mjtJoint.mjJNT_BALL, limited=mj.mjtLimited.mjLIMITED_TRUE, range=[0, 30])
    box.add_geom(name="wrap", type=mj.mjtGeom.mjGEOM_CYLINDER, size=[0.1, 0.3], fluid_ellipsoid=1)
    box.add_geom(
        type=mj.mjtGeom.mjGEOM_MESH, meshname="points", fitscale=1, typeinertia=mj.mjtGeomInertia.mjINERTIA_VOLUME
    )


def _others(spec: Any, mj: Any) -> None:
    spec.add_pair(name="pair", geomname1="trunk", geomname2="wrap", condim=6, friction=[1, 2, 0.1, 0.01, 0.02])
    spec.add_exclude(bodyname1="torso", bodyname2="box")
    body = mj.mjtObj.mjOBJ_BODY
    spec.add_equality(name="weld", type=mj.mjtEq.mjEQ_WELD, objtype=body, name1="hand", name2="box", active=False)
    knees = spec.add_equality(type=mj.mjtEq.mjEQ_JOINT, name1="left_knee", name2="right_knee", solref=[0.05, 1])
    knees.data[:5] = [0.1, 0.9, 0, 0, 0]
    site = mj.mjtObj.mjOBJ_SITE
    spec.add_equality(type=mj.mjtEq.mjEQ_CONNECT, objtype=site, name1="left_toe", name2="right_toe")
    rope = spec.add_tendon(name="rope", width=0.01, range=[0, 3], stiffness=5, springlength=[0.5, 0.7])
    rope.wrap_site("anchor")
    rope.wrap_geom("wrap", "")
    rope.wrap_site("imu")
    rope.wrap_pulley(2)
    rope.wrap_site("imu")
    rope.wrap_site("left_toe")
    legs = spec.add_tendon(name="legs", damping=0.2)
    legs.wrap_joint("left_knee", 0.5)
    legs.wrap_joint("right_knee", -0.25)
    joint, tendon = mj.mjtTrn.mjTRN_JOINT, mj.mjtTrn.mjTRN_TENDON
    servo = spec.add_actuator(name="servo", trntype=joint, target="left_hip", ctrlrange=[-1, 1])
    servo.set_to_position(kp=20, dampratio=0.8)
    spec.add_actuator(spec.find_default("heavy"), name="motor", trntype=joint, target="right_hip")
    pull = spec.add_actuator(name="pull", trntype=tendon, target="rope", actlimited=mj.mjtLimited.mjLIMITED_TRUE)
    pull.actrange = [0, 1]
    pull.set_to_intvelocity(kp=3, kv=0.5)
    flex = spec.add_actuator(name="muscle", trntype=tendon, target="legs", lengthrange=[0.1, 1])
    flex.set_to_muscle(tausmooth=0.2, force=50)
    spec.add_actuator(name="thrust", trntype=mj.mjtTrn.mjTRN_SITE, target="imu", gear=[0, 0, 1, 0, 0, 0])
    sensors = mj.mjtSensor
    spec.add_sensor(name="gyro", type=sensors.mjSENS_GYRO, objtype=site, objname="imu", cutoff=9)
    spec.add_sensor(name="at", type=sensors.mjSENS_FRAMEPOS, objtype=body, objname="box", reftype=site, refname="imu")
    spec.add_sensor(type=sensors.mjSENS_TENDONPOS, objtype=mj.mjtObj.mjOBJ_TENDON, objname="rope", noise=0.1)
    touch = spec.add_sensor(name="touches", type=sensors.mjSENS_CONTACT, objtype=mj.mjtObj.mjOBJ_GEOM, objname="trunk")
    touch.intprm = [3, 1, 2]
    spec.add_sensor(name="far", type=sensors.mjSENS_RANGEFINDER, objtype=site, objname="imu", intprm=[1, 0, 0])
    spec.add_sensor(type=sensors.mjSENS_USER, dim=2, needstage=mj.mjtStage.mjSTAGE_VEL, userdata=[7])
    spec.add_numeric(name="gains", data=[1, 2, 3], size=5)
    spec.add_text(name="words", data="some words")
    spec.add_tuple(name="both", objtype=[int(body), int(site)], objname=["box", "imu"], objprm=[0.5, 1.5])
    spec.add_key(name="up", time=2, qpos=[0, 0, 1.5, 1, 0, 0, 0, 0.1, -0.2], ctrl=[0.5])
