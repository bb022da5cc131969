"""The compiler options `fusestatic` and `discardvisual`.

fusestatic merges a body without joints into its parent: mass, geoms, sites and child bodies move up, unless something
refers to the body by name. discardvisual drops materials, textures, and geoms and meshes that are only visual; the
inertia of bodies stays the same. Both work on compiled bodies, before the final ids are assigned.
"""

from __future__ import annotations

from sim.enums import MINVAL, SENS_FORCE, SENS_TORQUE
from sim.mjcf.rotation import UNIT, ZERO, compose_frames, offset_inertia, principal_axes, rotate_inertia
from sim.mjcf.section.spec import references
from sim.mjcf.spec import Body, Geom, Mesh, Site, Spec


def fuse_static(spec: Spec, bodies: list[Body]) -> None:
    """Merge static bodies into their parents."""
    named = _named(spec, "body") | {bone.body for skin in spec.skins for bone in skin.bones}
    named |= {camera.target for body in bodies for camera in body.cameras}
    named |= {light.target for body in bodies for light in body.lights}
    named.discard("")
    xbodies = _named(spec, "xbody")
    sensed_sites = {
        sensor.objname for sensor in spec.section_elements["sensor"] if sensor.type in (SENS_FORCE, SENS_TORQUE)
    }
    left = list(bodies)
    # name -> index, which as in MuJoCo is stale for bodies that moved up and have not been visited yet
    places = {body.name: body.id for body in bodies if body.name}
    at = 1
    while at < len(left):
        body = left[at]
        kept = body.joints or body.mocap or not body.fuse
        if body.name:
            kept = kept or body.name in named or body.name in xbodies
            kept = kept or any(places[name] >= len(left) for name in named if name in places)
            kept = kept or any(site.name in sensed_sites for site in body.sites if site.name)
            places[body.name] = at
        if kept:
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
    # cameras and lights keep their pose relative to the fused body, as in MuJoCo
    parent.cameras += body.cameras
    parent.lights += body.lights


def _add_inertia(parent: Body, body: Body) -> None:
    """Add the mass and inertia of a fused body to its parent."""
    at, turn = compose_frames(body.pos, body.quat, body.ipos, body.iquat)
    parts = ((parent.mass, parent.ipos, parent.iquat, parent.inertia), (body.mass, at, turn, body.inertia))
    mass = parent.mass + body.mass
    if mass < MINVAL:
        parent.mass, parent.ipos, parent.iquat, parent.inertia = 0.0, ZERO, UNIT, ZERO
        return
    x, y, z = (sum(weight * pos[k] for weight, pos, _, _ in parts) / mass for k in range(3))
    total = [0.0] * 6
    for weight, pos, quat, moments in parts:
        rotated = rotate_inertia(moments, quat)
        shifted = offset_inertia(weight, (pos[0] - x, pos[1] - y, pos[2] - z))
        total = [t + a + b for t, a, b in zip(total, rotated, shifted, strict=True)]
    parent.mass, parent.ipos = mass, (x, y, z)
    parent.iquat, parent.inertia = principal_axes((total[0], total[1], total[2], total[3], total[4], total[5]))


def update_weldids(bodies: list[Body]) -> None:
    """Set weldid again, once bodies have new ids."""
    for body in bodies:
        moves = body.joints or body.mocap or body.parent is None
        body.weldid = body.id if moves or body.parent is None else body.parent.weldid


def discard_visual(spec: Spec, bodies: list[Body]) -> None:
    """Drop what is only visual."""
    named = _named(spec, "geom")
    used_meshes: set[int] = set()
    for body in bodies:
        for geom in body.geoms:
            geom.material = ""
        body.geoms = [geom for geom in body.geoms if geom.contype or geom.conaffinity or geom.name in named]
        used_meshes |= {id(geom.asset) for geom in body.geoms if isinstance(geom.asset, Mesh)}
        used_meshes |= {id(site.asset) for site in body.sites}
        for site in body.sites:
            site.material = ""
        for light in body.lights:
            light.texture = ""
    for item in (*spec.section_elements["tendon"], *spec.skins):
        item.material = ""
    spec.meshes = [mesh for mesh in spec.meshes if id(mesh) in used_meshes]
    for mesh in spec.meshes:
        mesh.material = ""
    spec.materials, spec.textures = [], []


def _named(spec: Spec, wanted: str) -> set[str]:
    """Names of a type that elements of the other sections refer to."""
    names = set()
    for items in spec.section_elements.values():
        for item in items:
            for part, attribute, kind in references(item):
                if kind == wanted:
                    names.add(getattr(part, attribute))
    return names - {""}
