"""Geoms with a mesh or height field, and primitives fitted to a mesh.

A compiled mesh is centred at its centre of mass and aligned with its principal axes; a geom takes that frame as an
offset. A primitive is fitted to the equivalent inertia box of the mesh or, with fitaabb, to its bounding box.
"""

from __future__ import annotations

from sim import enums
from sim.mjcf.asset.mesh import CompiledMesh
from sim.mjcf.records import Compiler, Frame, Geom, HField, Mesh
from sim.mjcf.rotation import ZERO, Quat, Vec3, Vector, compose_frames, cross, neg_quat, rot_vec_quat


def apply_asset(geom: Geom, compiler: Compiler) -> None:
    """Size and pose of a geom from its mesh or height field."""
    if isinstance(geom.asset, HField):
        x, y, z, base = geom.asset.size
        geom.size = (x, y, 0.25 * z + 0.5 * base)
    elif isinstance(geom.asset, Mesh):
        if geom.fromto is not None:
            raise geom.error("fromto cannot be used for geoms with a mesh", "set pos and an orientation")
        compiled: CompiledMesh = geom.asset.compiled
        centre = ZERO
        if geom.type != enums.GEOM_MESH:
            centre = _fit(geom, compiled, compiler.fitaabb)
        elif geom.shellinertia:
            raise geom.error("shellinertia cannot be used for geoms with a mesh", 'set inertia="shell" in the <mesh>')
        else:
            geom.size = half_sizes(geom.asset)
        x, y, z = rot_vec_quat(centre, compiled.quat)
        offset = (compiled.pos[0] + x, compiled.pos[1] + y, compiled.pos[2] + z)
        geom.pos, geom.quat = compose_frames(geom.pos, geom.quat, offset, compiled.quat)
        geom.surfacevel = velocity_in_frame(geom.surfacevel, offset, compiled.quat)
        geom.offset = Frame(offset, compiled.quat)


def half_sizes(mesh: Mesh) -> Vec3:
    """Half-sizes of the bounding box of a mesh about its origin."""
    a, b, c = (max(abs(low), abs(high)) for low, high in zip(mesh.compiled.low, mesh.compiled.high, strict=True))
    return a, b, c


def velocity_in_frame(velocity: Vector, offset: Vec3, quat: Quat) -> Vector:
    """Linear and angular velocity in a frame with an offset and a rotation."""
    v, w = velocity[:3], velocity[3:]
    x, y, z = cross(w, offset)
    back = neg_quat(quat)
    return (*rot_vec_quat((v[0] + x, v[1] + y, v[2] + z), back), *rot_vec_quat(w, back))


def _fit(geom: Geom, compiled: CompiledMesh, aabb: bool) -> Vec3:
    """Fit a primitive to a mesh; returns its centre in the frame of the mesh."""
    centre, (a, b, c) = ZERO, compiled.box
    if aabb:
        x, y, z = ((low + high) / 2 for low, high in zip(compiled.low, compiled.high, strict=True))
        centre = (x, y, z)
        a, b, c = (high - middle for middle, high in zip(centre, compiled.high, strict=True))
        sizes = {
            enums.GEOM_SPHERE: (max(a, b, c),),
            enums.GEOM_CAPSULE: (max(a, b), c - max(a, b)),
            enums.GEOM_CYLINDER: (max(a, b), c),
            enums.GEOM_ELLIPSOID: (a, b, c),
            enums.GEOM_BOX: (a, b, c),
        }
    else:
        radius = (a + b) / 2
        sizes = {
            enums.GEOM_SPHERE: ((a + b + c) / 3,),
            enums.GEOM_CAPSULE: (radius, max(0.0, c - radius / 2)),
            enums.GEOM_CYLINDER: (radius, c),
            enums.GEOM_ELLIPSOID: (a, b, c),
            enums.GEOM_BOX: (a, b, c),
        }
    if geom.type not in sizes:
        raise geom.error("this type cannot be fitted to a mesh", "use sphere, capsule, cylinder, ellipsoid or box")
    fitted: Vector = sizes[geom.type]
    geom.size = tuple(x * geom.fitscale for x in (*fitted, *geom.size[len(fitted) :]))
    return centre


def bounds(geom: Geom) -> Vector:
    """Bounding box of a geom with a mesh or height field: centre and half-sizes."""
    if isinstance(geom.asset, HField):
        x, y, z, base = geom.asset.size
        low, high = (-x, -y, -base), (x, y, z)
    else:
        assert geom.asset is not None
        low, high = geom.asset.compiled.low, geom.asset.compiled.high
    pairs = list(zip(low, high, strict=True))
    return (*((b + a) / 2 for a, b in pairs), *((b - a) / 2 for a, b in pairs))
