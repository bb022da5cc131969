"""Compiles bodies: poses, inertia from <inertial> or from geoms, and the poses of all elements in them.

Bodies come in their final order, parents first. Afterwards each body has its pose, inertial frame, mass and principal
moments, and its geoms, joints, sites, cameras and lights have poses relative to it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from math import pi

import numpy as np

from sim import enums
from sim.mjcf.asset.mesh_geom import half_sizes
from sim.mjcf.errors import suggestion
from sim.mjcf.place import place, place_joint, place_light, place_site, resolve_orientation, transform
from sim.mjcf.records import AUTO, TRUE, Body, Camera, Compiler, Light, Parsed
from sim.mjcf.rotation import (
    TINY,
    UNIT,
    ZERO,
    Inertia6,
    Quat,
    Vec3,
    compose_frames,
    invert_frame,
    is_inertia,
    offset_inertia,
    principal_axes,
    rot_vec_quat,
    rotate_inertia,
)
from sim.mjcf.shape import check_size, compile_geom

# numpy's float32 arctan2 rounds differently on different processors
_atan2f = ctypes.CDLL(None).atan2f
_atan2f.argtypes, _atan2f.restype = (ctypes.c_float, ctypes.c_float), ctypes.c_float


def depth_first(world: Body) -> list[Body]:
    """All bodies in depth-first order; assigns their ids."""
    bodies: list[Body] = []
    stack = [world]
    while stack:
        body = stack.pop()
        body.id = len(bodies)
        bodies.append(body)
        stack.extend(reversed(body.bodies))
    return bodies


def compile_bodies(parsed: Parsed, bodies: list[Body]) -> None:
    named = {body.name: body.id for body in bodies if body.name}
    for body in bodies:
        _compile_body(parsed, body, named)


def _compile_body(parsed: Parsed, body: Body, named: dict[str, int]) -> None:
    compiler = parsed.compiler_of(body)
    parent = body.parent
    body.weldid = body.id if body.joints or body.mocap or parent is None else parent.weldid
    body.fixed = parent is None or (parent.fixed and not body.joints)
    quat = resolve_orientation(body, compiler)
    # geoms, with mass and inertia if the body's are inferred from them
    low, high = compiler.inertiagrouprange
    inferred = parent is not None and (body.inertial is None or compiler.inertiafromgeom == TRUE)
    for geom in body.geoms:
        compile_geom(geom, parsed.compiler_of(geom), inferred and low <= geom.group <= high, body.fixed)
    _set_inertia(body, quat, compiler)
    # pose of the body
    body.quat = quat
    if body.frame is not None:
        body.pos, body.quat = compose_frames(body.frame.pos, body.frame.quat, body.pos, body.quat)
    for joint in body.joints:
        place_joint(joint, parsed.compiler_of(joint))
    _check_joints(body)
    for site in body.sites:
        if site.type not in _SITE_TYPES:
            raise site.error("sites cannot have this type", "use sphere, capsule, ellipsoid, cylinder, box or mesh")
        place_site(site, parsed.compiler_of(site))
        if site.asset is not None:
            site.size = half_sizes(site.asset)
        check_size(site)
    for camera in body.cameras:
        place(camera, parsed.compiler_of(camera))
        _set_intrinsics(camera, parsed.visual["map"]["znear"])
    for light in body.lights:
        place_light(light)
    targeting: list[Camera | Light] = [*body.cameras, *body.lights]
    for item in targeting:
        if item.target and item.target not in named:
            raise item.error(f"target body '{item.target}' does not exist", suggestion(item.target, named))


_SITE_TYPES = range(enums.GEOM_SPHERE, enums.GEOM_MESH + 1)


def _set_inertia(body: Body, quat: Quat, compiler: Compiler) -> None:
    """Inertial frame, mass and principal moments, from <inertial> or from geoms, then bounded and checked."""
    inertial = body.inertial
    # without any inertia, the inertial frame is the pose in the parent, a quirk of MuJoCo
    body.ipos, body.iquat = body.pos, quat
    if inertial is not None:
        body.ipos, body.mass, body.inertia = inertial.pos, inertial.mass, inertial.diaginertia
        if inertial.fullinertia is not None:
            x = inertial.fullinertia
            body.iquat, body.inertia = principal_inertia(body, (x[0], x[1], x[2], x[3], x[4], x[5]), compiler)
        else:
            body.iquat = resolve_orientation(inertial, compiler)
        if inertial.frame is not None:
            body.ipos, body.iquat = compose_frames(inertial.frame.pos, inertial.frame.quat, body.ipos, body.iquat)
    if body.parent is None:
        return
    body.from_geoms = infers_inertia(body, compiler)
    if body.from_geoms:
        inertia_from_geoms(body, compiler)
    given = body.mass, body.inertia
    body.mass = max(body.mass, compiler.boundmass)
    a, b, c = (max(moment, compiler.boundinertia) for moment in body.inertia)
    if body.mass < 0 or min(a, b, c) < 0:
        raise body.error(
            f"mass is {body.mass:g}, principal moments are {a:g} {b:g} {c:g}", "they must be zero or positive"
        )
    if a + b < c or a + c < b or b + c < a:
        if not compiler.balanceinertia:
            raise body.error(
                f"principal moments {a:g} {b:g} {c:g} violate the triangle inequality",
                "each must be at most the sum of the others; compiler balanceinertia makes them equal",
            )
        a = b = c = (a + b + c) / 3
    body.inertia = (a, b, c)
    body.adjusted = (body.mass, body.inertia) != given


def infers_inertia(body: Body, compiler: Compiler) -> bool:
    """Whether mass and inertia are inferred from geoms."""
    return body.parent is not None and (
        compiler.inertiafromgeom == TRUE or (body.inertial is None and compiler.inertiafromgeom == AUTO)
    )


def inertia_from_geoms(body: Body, compiler: Compiler) -> None:
    """Inertial frame, mass and principal moments of the geoms."""
    low, high = compiler.inertiagrouprange
    geoms = [geom for geom in body.geoms if low <= geom.group <= high and geom.own_mass > TINY]
    # one geom: its frame and moments, not sorted
    if len(geoms) == 1:
        geom = geoms[0]
        body.ipos, body.iquat, body.mass, body.inertia = geom.pos, geom.quat, geom.own_mass, geom.own_inertia
    elif geoms:
        add_up(body, [(geom.own_mass, geom.pos, geom.quat, geom.own_inertia) for geom in geoms], compiler)


# mass, centre of mass, orientation of the principal axes, and principal moments of a part
Part = tuple[float, Vec3, Quat, Vec3]


def add_up(body: Body, parts: Sequence[Part], compiler: Compiler) -> None:
    """Centre of mass of parts of a body, and principal axes of their total inertia about it."""
    mass = x = y = z = 0.0
    for weight, pos, _, _ in parts:
        mass += weight
        x += weight * pos[0]
        y += weight * pos[1]
        z += weight * pos[2]
    x, y, z = x / mass, y / mass, z / mass
    total = [0.0] * 6
    for weight, pos, quat, moments in parts:
        rotated = rotate_inertia(moments, quat)
        shifted = offset_inertia(weight, (pos[0] - x, pos[1] - y, pos[2] - z))
        total = [t + a + b for t, a, b in zip(total, rotated, shifted, strict=True)]
    body.mass, body.ipos = mass, (x, y, z)
    full = (total[0], total[1], total[2], total[3], total[4], total[5])
    body.iquat, body.inertia = principal_inertia(body, full, compiler)


def principal_inertia(body: Body, full: Inertia6, compiler: Compiler) -> tuple[Quat, Vec3]:
    """Principal axes and moments; boundinertia applies later to those that are zero."""
    quat, moments = principal_axes(full)
    if not is_inertia(moments, compiler.boundinertia):
        why = f"the principal moments {moments[0]:g} {moments[1]:g} {moments[2]:g} are not positive"
        raise body.error(why, "check fullinertia, or the masses of the geoms; compiler boundinertia bounds zeros")
    return quat, moments


def _has_inertia(body: Body) -> bool:
    """Whether the body, or a body welded to it, has mass and moments."""
    if body.mass >= enums.MINVAL and min(body.inertia) >= enums.MINVAL:
        return True
    return any(not child.joints and _has_inertia(child) for child in body.bodies)


def _check_joints(body: Body) -> None:
    free = sum(joint.type == enums.JNT_FREE for joint in body.joints)
    if free and len(body.joints) > 1:
        raise body.error("a free joint must be the only joint of its body", "remove the others")
    if (
        sum(3 if joint.type == enums.JNT_BALL else 6 if joint.type == enums.JNT_FREE else 1 for joint in body.joints)
        > 6
    ):
        raise body.error("a body can have at most 6 degrees of freedom", "nest a second body in it")
    ball = False
    for joint in body.joints:
        if ball and joint.type in (enums.JNT_BALL, enums.JNT_HINGE):
            raise joint.error("a hinge or ball joint cannot follow a ball joint", "nest a second body in this one")
        ball = ball or joint.type == enums.JNT_BALL
    if body.mocap and (body.joints or body.parent is None or body.parent.parent is not None):
        raise body.error("mocap bodies must be direct children of the world and have no joints")


def check_moving(bodies: list[Body]) -> None:
    """Moving bodies have inertia, and those with free joints are directly below the world; static ones may be fused."""
    for body in bodies[1:]:
        if body.joints and not _has_inertia(body):
            raise body.error(
                "a moving body needs mass and inertia", "add a geom with nonzero density, or an <inertial>"
            )
        nested = body.parent is not None and body.parent.parent is not None
        if nested and any(joint.type == enums.JNT_FREE for joint in body.joints):
            why = "the body of a free joint must be a direct child of the world"
            raise body.joints[0].error(why, "move the body to <worldbody>")


def align_free(parsed: Parsed, bodies: list[Body]) -> None:
    """Apply align and alignfree: the frame of a free body without children becomes its inertial frame."""
    for body in bodies:
        _align_free(body, parsed.compiler_of(body))


def _align_free(body: Body, compiler: Compiler) -> None:
    if len(body.joints) != 1 or body.joints[0].type != enums.JNT_FREE or body.bodies:
        return
    align = body.joints[0].align
    if align != TRUE and not (align == AUTO and compiler.alignfree):
        return
    body.pos, body.quat = compose_frames(body.pos, body.quat, body.ipos, body.iquat)
    pos, quat = invert_frame(body.ipos, body.iquat)
    body.ipos, body.iquat = ZERO, UNIT
    for item in (*body.geoms, *body.sites, *body.cameras):
        transform(pos, quat, item)
    for light in body.lights:
        light.pos, _ = compose_frames(pos, quat, light.pos, UNIT)
        light.dir = rot_vec_quat(light.dir, quat)


def _set_intrinsics(camera: Camera, znear: float) -> None:
    """Focal lengths and principal point as lengths, and fovy; in single precision."""
    if camera.fovy >= 180:
        raise camera.error(f"fovy is {camera.fovy:g}", "it must be below 180 degrees")
    lens = (camera.focal, camera.focalpixel, camera.principal, camera.principalpixel)
    if min(camera.sensorsize) <= 0:
        if any(any(pair) for pair in lens):
            raise camera.error("a focal length or principal point needs a sensorsize", "set sensorsize")
        camera.intrinsic = (znear, znear, 0.0, 0.0)
        return
    if min(camera.resolution) <= 0:
        raise camera.error("a sensorsize needs a positive resolution", "set resolution")
    focal, focalpixel, principal, principalpixel = (np.array(pair, np.float32) for pair in lens)
    size = np.array(camera.sensorsize, np.float32)
    density = np.array(camera.resolution, np.float32) / size
    intrinsic = np.concatenate(
        (
            np.where(focalpixel != 0, focalpixel / density, focal),
            np.where(principalpixel != 0, principalpixel / density, principal),
        )
    )
    camera.intrinsic = tuple(intrinsic.tolist())
    camera.fovy = float(_atan2f(size[1] / 2, intrinsic[1])) * 360 / pi
