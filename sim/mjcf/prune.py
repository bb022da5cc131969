"""What the compiler is asked to leave out: `fusestatic` and `discardvisual`.

Fusing makes a body without joints a part of its parent: mass, geoms, sites and child bodies move up, unless something
refers to the body by its name. Discarding drops materials, textures, and geoms and meshes that only are to be seen;
the inertia of bodies stays as it was. Both work on compiled bodies, before anything is numbered for good.
"""

from __future__ import annotations

from sim.enums import MINVAL, SENS_FORCE, SENS_TORQUE
from sim.mjcf.rotation import UNIT, ZERO, compose_frames, offset_inertia, principal_axes, rotate_inertia
from sim.mjcf.section.spec import references
from sim.mjcf.spec import Body, Geom, Mesh, Site, Spec


def fuse_static(spec: Spec, bodies: list[Body]) -> None:
    """Make static bodies a part of their parents."""
    named = _named(spec, "body") | {bone.body for skin in spec.skins for bone in skin.bones}
    named |= {camera.target for body in bodies for camera in body.cameras}
    named |= {light.target for body in bodies for light in body.lights}
    named.discard("")
    framed = _named(spec, "xbody")
    felt = {sensor.objname for sensor in spec.section_elements["sensor"] if sensor.type in (SENS_FORCE, SENS_TORQUE)}
    left = list(bodies)
    # where names are looked up: as in MuJoCo not updated for bodies that have moved up but have not been looked at
    places = {body.name: body.id for body in bodies if body.name}
    at = 1
    while at < len(left):
        body = left[at]
        held = body.joints or body.mocap
        if body.name:
            held = held or body.name in named or body.name in framed
            held = held or any(places[name] >= len(left) for name in named if name in places)
            held = held or any(site.name in felt for site in body.sites if site.name)
            places[body.name] = at
        if held:
            at += 1
            continue
        _fuse(body)
        del left[at]
        places.pop(body.name, None)


def _fuse(body: Body) -> None:
    parent = body.parent
    assert parent is not None
    if parent.parent is not None and body.mass >= MINVAL:
        _add_inertia(parent, body)
    for child in body.bodies:
        child.parent = parent
        child.pos, child.quat = compose_frames(body.pos, body.quat, child.pos, child.quat)
    at = parent.bodies.index(body)
    parent.bodies[at : at + 1] = body.bodies
    members: list[Geom | Site] = [*body.geoms, *body.sites]
    for item in members:
        item.pos, item.quat = compose_frames(body.pos, body.quat, item.pos, item.quat)
    parent.geoms += body.geoms
    parent.sites += body.sites
    # cameras and lights keep the pose they had in the body, here as in MuJoCo
    parent.cameras += body.cameras
    parent.lights += body.lights


def _add_inertia(parent: Body, body: Body) -> None:
    """Mass, centre and moments of two bodies that are one."""
    at, turn = compose_frames(body.pos, body.quat, body.ipos, body.iquat)
    parts = ((parent.mass, parent.ipos, parent.iquat, parent.inertia), (body.mass, at, turn, body.inertia))
    mass = parent.mass + body.mass
    if mass < MINVAL:
        parent.mass, parent.ipos, parent.iquat, parent.inertia = 0.0, ZERO, UNIT, ZERO
        return
    x, y, z = (sum(weight * pos[k] for weight, pos, _, _ in parts) / mass for k in range(3))
    total = [0.0] * 6
    for weight, pos, quat, moments in parts:
        turned = rotate_inertia(moments, quat)
        shifted = offset_inertia(weight, (pos[0] - x, pos[1] - y, pos[2] - z))
        total = [t + a + b for t, a, b in zip(total, turned, shifted, strict=True)]
    parent.mass, parent.ipos = mass, (x, y, z)
    parent.iquat, parent.inertia = principal_axes((total[0], total[1], total[2], total[3], total[4], total[5]))


def update_weldids(bodies: list[Body]) -> None:
    """What each body is welded to, once bodies have been numbered again."""
    for body in bodies:
        moves = body.joints or body.mocap or body.parent is None
        body.weldid = body.id if moves or body.parent is None else body.parent.weldid


def discard_visual(spec: Spec, bodies: list[Body]) -> None:
    """Drop what has no effect but to be seen."""
    named = _named(spec, "geom")
    seen_meshes: set[int] = set()
    for body in bodies:
        for geom in body.geoms:
            geom.material = ""
        body.geoms = [geom for geom in body.geoms if geom.contype or geom.conaffinity or geom.name in named]
        seen_meshes |= {id(geom.asset) for geom in body.geoms if isinstance(geom.asset, Mesh)}
        for site in body.sites:
            site.material = ""
        for light in body.lights:
            light.texture = ""
    for item in (*spec.section_elements["tendon"], *spec.skins):
        item.material = ""
    spec.meshes = [mesh for mesh in spec.meshes if id(mesh) in seen_meshes]
    for mesh in spec.meshes:
        mesh.material = ""
    spec.materials, spec.textures = [], []


def _named(spec: Spec, wanted: str) -> set[str]:
    """Names of a kind that some relation refers to."""
    names = set()
    for items in spec.section_elements.values():
        for item in items:
            for part, attribute, kind in references(item):
                if kind == wanted:
                    names.add(getattr(part, attribute))
    return names - {""}
