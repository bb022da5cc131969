"""What follows from edited poses and sizes of geoms: bounds, fluid coefficients, inertias of bodies.

All of it is what loading a file with these poses and sizes computes, by the same functions, from copies of what was
parsed. A model without a source, such as a binary one, keeps its inertias.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.mjcf.body import bound_inertia, inertia_from_geoms
from sim.mjcf.records import Body, Geom, Parsed, copied
from sim.mjcf.shape import bounding_radius, fluid_coefficients, set_shape
from sim.model import Model

PLACED = ("geom_pos", "geom_quat", "geom_size")
INERTIA = ("body_mass", "body_ipos", "body_iquat", "body_inertia")
# what `set_shapes` sets
SHAPES = ("geom_rbound", "geom_aabb", "geom_fluid", *INERTIA)


def set_shapes(m: Model) -> None:
    """Set what depends on geoms, starting from the file."""
    for name in SHAPES:
        m.write(name, m.file_values[name])
    bodies = edited_bodies(m)
    for body in bodies:
        for geom in body.geoms:
            m.geom_rbound[geom.id], m.geom_aabb[geom.id] = bounding_radius(geom), geom.aabb
            m.geom_fluid[geom.id] = fluid_coefficients(geom)
        if body.from_geoms:
            for name in INERTIA:
                m.read(name)[body.id] = getattr(body, name.removeprefix("body_"))


def edited_bodies(m: Model) -> list[Body]:
    """Copies of the bodies of which geoms have another pose or size than in the file, with what follows from that."""
    source = m.__dict__.get("source")
    if source is None:
        return []
    parsed: Parsed = source.parsed
    return [_edited(m, parsed, parsed.lists["body"][b]) for b in sorted({*m.geom_bodyid[edited_geoms(m)].tolist()})]


def edited_geoms(m: Model) -> NDArray[np.int64]:
    """Geoms that have another pose or size than in the file."""
    differs = [(m.read(name) != m.file_values[name]).any(axis=1) for name in PLACED]
    found: NDArray[np.int64] = np.flatnonzero(np.any(differs, axis=0))
    return found


def _edited(m: Model, parsed: Parsed, body: Body) -> Body:
    """A copy of a body with the geoms that the model has; ValueError if they give no inertia."""
    compiler = parsed.compiler_of(body)
    edited = copied(body)
    edited.geoms = [_edited_geom(m, geom) for geom in body.geoms]
    if body.from_geoms:
        if parsed.compiler.settotalmass > 0:
            raise body.error("settotalmass scales the masses of all bodies by those of all geoms", "remove it")
        edited.mass, edited.inertia = 0.0, (0.0, 0.0, 0.0)
        inertia_from_geoms(edited, compiler)
        bound_inertia(edited, compiler)
    return edited


def _edited_geom(m: Model, geom: Geom) -> Geom:
    """A copy of a geom with the pose and the size that the model has."""
    edited = copied(geom)
    edited.pos, edited.quat = tuple(m.geom_pos[geom.id].tolist()), tuple(m.geom_quat[geom.id].tolist())
    if (m.geom_size[geom.id] != m.file_values["geom_size"][geom.id]).any():
        edited.size = tuple(m.geom_size[geom.id].tolist())
        set_shape(edited, has_mass=geom.own_mass > 0)
    return edited


def set_free_start(m: Model) -> None:
    """A free joint starts where its body is."""
    for name in ("qpos0", "qpos_spring"):
        m.write(name, m.file_values[name])
    for j in np.flatnonzero(m.jnt_type == enums.JNT_FREE).tolist():
        body, at = int(m.jnt_bodyid[j]), int(m.jnt_qposadr[j])
        for name in ("qpos0", "qpos_spring"):
            m.read(name)[at : at + 7] = *m.body_pos[body], *m.body_quat[body]
