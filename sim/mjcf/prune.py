"""The compiler options `fusestatic` and `discardvisual`: operations on the model, in MuJoCo mjs_fuseStatic and so on.

discardvisual drops materials, textures, and geoms and meshes that are only visual, before files are read; bodies keep
the inertia that was inferred from such geoms. fusestatic then merges a body without joints into its parent: mass,
geoms, sites, cameras, lights and child bodies move up, unless something refers to the body or the forces would change.
Both come before the final ids are assigned.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.enums import MINVAL, SENS_FORCE, SENS_TORQUE
from sim.mjcf.body import add_up, inertia_from_geoms, infers_inertia
from sim.mjcf.errors import lookup
from sim.mjcf.records import TRUE, Body, Compiler, Geom, Parsed, Site, references
from sim.mjcf.rotation import (
    TINY,
    UNIT,
    ZERO,
    Quat,
    Vec3,
    compose_frames,
    rot_vec_quat,
)

# a body, and those of its geoms that are discarded once its inertia is known
Weighed = list[tuple[Body, list[Geom]]]


# ---- fusestatic


def fuse_static(parsed: Parsed, bodies: list[Body]) -> None:
    """Merge static bodies into their parents, from the root down."""
    named = {
        *_named(parsed, "body"),
        *_named(parsed, "xbody"),
        *(bone.body for skin in parsed.skins for bone in skin.bones),
    }
    named |= {camera.target for body in bodies for camera in body.cameras}
    named |= {light.target for body in bodies for light in body.lights}
    sensed = {
        sensor.objname for sensor in parsed.section_elements["sensor"] if sensor.type in (SENS_FORCE, SENS_TORQUE)
    }
    fluid = bool(parsed.option["density"] or parsed.option["viscosity"])
    # parents that grow -> their inertia before
    grown: dict[Body, tuple[Vec3, Quat, float, Vec3]] = {}
    for body in bodies[1:]:
        parent = body.parent
        assert parent is not None
        if body.joints or body.mocap or not body.fuse or body.sleep or (body.name and body.name in named):
            continue
        if any(site.name and site.name in sensed for site in body.sites):
            continue
        if parent.parent is not None:
            if _changes_forces(parsed, body, parent, fluid):
                continue
            grown.setdefault(parent, (parent.ipos, parent.iquat, parent.mass, parent.inertia))
            parent.from_geoms = parent.from_geoms and body.from_geoms and not (parent.adjusted or body.adjusted)
            if body.mass >= MINVAL:
                _add_inertia(parent, body, parsed.compiler_of(parent))
        _fuse(body, parent)
    for body, before in grown.items():
        if body.from_geoms:
            body.ipos, body.iquat, body.mass, body.inertia = before
            inertia_from_geoms(body, parsed.compiler_of(body))


def _changes_forces(parsed: Parsed, body: Body, parent: Body, fluid: bool) -> bool:
    """Whether a moving body feels other forces without this one."""
    heavy = body.mass >= MINVAL
    if heavy and (fluid or body.gravcomp != parent.gravcomp):
        return True
    if (heavy or body.geoms) and (body.adjusted or parent.adjusted):
        if TRUE in (parsed.compiler_of(body).inertiafromgeom, parsed.compiler_of(parent).inertiafromgeom):
            return True
    return fluid and any(geom.fluidshape for geom in body.geoms)


def _fuse(body: Body, parent: Body) -> None:
    """Move everything up."""
    for child in body.bodies:
        child.parent = parent
    for item in (*body.bodies, *body.geoms, *body.sites, *body.cameras):
        item.pos, item.quat = compose_frames(body.pos, body.quat, item.pos, item.quat)
    for light in body.lights:
        light.pos, _ = compose_frames(body.pos, body.quat, light.pos, UNIT)
        light.dir = rot_vec_quat(light.dir, body.quat)
    at = parent.bodies.index(body)
    parent.bodies[at : at + 1] = body.bodies
    parent.geoms += body.geoms
    parent.sites += body.sites
    parent.cameras += body.cameras
    parent.lights += body.lights


def _add_inertia(parent: Body, body: Body, compiler: Compiler) -> None:
    """Add the mass and inertia of a fused body to its parent."""
    at, turn = compose_frames(body.pos, body.quat, body.ipos, body.iquat)
    parts = ((parent.mass, parent.ipos, parent.iquat, parent.inertia), (body.mass, at, turn, body.inertia))
    if parent.mass + body.mass < MINVAL:
        parent.mass, parent.ipos, parent.iquat, parent.inertia = 0.0, ZERO, UNIT, ZERO
    else:
        add_up(parent, parts, compiler)


def update_weldids(bodies: list[Body]) -> None:
    """Set weldid again, once bodies have new ids."""
    for body in bodies:
        moves = body.joints or body.mocap or body.parent is None
        body.weldid = body.id if moves or body.parent is None else body.parent.weldid


# ---- discardvisual


def discard_visual(parsed: Parsed, bodies: list[Body]) -> Weighed:
    """Drop what is only visual, before files are read; geoms with which a body is weighed come later."""
    _drop_materials(parsed, bodies)
    named = _named(parsed, "geom")
    later: Weighed = []
    for body in bodies:
        compiler = parsed.compiler_of(body)
        low, high = compiler.inertiagrouprange
        visual = [geom for geom in body.geoms if _is_visual(geom) and not (geom.name and geom.name in named)]
        weighed = [geom for geom in visual if infers_inertia(body, compiler) and low <= geom.group <= high]
        _drop(body, [geom for geom in visual if geom not in weighed])
        if weighed:
            later.append((body, weighed))
    _drop_meshes(parsed, bodies)
    return later


def discard_weighed(parsed: Parsed, bodies: list[Body], later: Weighed) -> None:
    """Drop the rest, now that the inertia of their bodies is known."""
    for body, geoms in later:
        if any(geom.own_mass > TINY for geom in geoms):
            if parsed.compiler_of(body).inertiafromgeom == TRUE:
                raise body.error(
                    "without its visual geoms its inertia would be different, and inertiafromgeom is true",
                    'set inertiafromgeom="auto", or set these geoms to mass="0"',
                )
            body.from_geoms = False
        _drop(body, geoms)
    _drop_meshes(parsed, bodies)


def _is_visual(geom: Geom) -> bool:
    return not (geom.contype or geom.conaffinity or geom.fluidshape)


def _drop(body: Body, geoms: Sequence[Geom]) -> None:
    dropped = {id(geom) for geom in geoms}
    body.geoms = [geom for geom in body.geoms if id(geom) not in dropped]


def _drop_materials(parsed: Parsed, bodies: list[Body]) -> None:
    """Drop materials and textures to which no sensor or tuple refers."""
    known = {material.name: material for material in parsed.materials}
    for body in bodies:
        items: list[Geom | Site] = [*body.geoms, *body.sites]
        for item in items:
            if item.material and not (isinstance(item, Geom) and _is_visual(item)):
                lookup(item, "material", item.material, known)
            item.material = ""
        for light in body.lights:
            light.texture = ""
    for other in (*parsed.section_elements["tendon"], *parsed.skins, *parsed.meshes):
        other.material = ""
    materials, textures = _named(parsed, "material"), _named(parsed, "texture")
    parsed.materials = [material for material in parsed.materials if material.name in materials]
    parsed.textures = [texture for texture in parsed.textures if texture.name in textures]
    for material in parsed.materials:
        material.textures = {role: name for role, name in material.textures.items() if name in textures}


def _drop_meshes(parsed: Parsed, bodies: list[Body]) -> None:
    used = {geom.mesh for body in bodies for geom in body.geoms} | {site.mesh for body in bodies for site in body.sites}
    used |= _named(parsed, "mesh")
    parsed.meshes = [mesh for mesh in parsed.meshes if mesh.name in used]


def _named(parsed: Parsed, wanted: str) -> set[str]:
    """Names of a type that elements of the other sections refer to."""
    names = set()
    for items in parsed.section_elements.values():
        for item in items:
            for part, attribute, kind in references(item):
                if kind == wanted:
                    names.add(getattr(part, attribute))
    return names - {""}
