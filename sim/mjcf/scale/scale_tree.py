"""Applies the scales of frames to bodies and what is in them: poses, sizes, inertias and all with a dimension."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt

from sim import enums
from sim.attributes.dimensions import DIMENSIONS
from sim.math.mat import mul_mat, transpose
from sim.mjcf.asset.builtin_mesh import PLATE
from sim.mjcf.asset.mesh import SHELL
from sim.mjcf.body import depth_first
from sim.mjcf.place import resolve_orientation
from sim.mjcf.records import Body, Camera, Compiler, Geom, Inertial, Item, Joint, Light, Parsed, Site
from sim.mjcf.rotation import Inertia6, Mat3, Quat, Vec3, Vector, normalize3, quat_z_to_vec, rotate_inertia
from sim.mjcf.scale.frame_scale import ALIGNED, Scale

AXES: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@cache
def _powers(dimension: str) -> tuple[str, str]:
    """Letters to multiply by and to divide by."""
    above, _, below = dimension.partition("/")
    return above.strip("1"), below


def factor(dimension: str, letters: dict[str, float]) -> float:
    """The factor of a dimension."""
    value = 1.0
    above, below = _powers(dimension)
    for letter in above:
        value *= letters[letter]
    divisor = 1.0
    for letter in below:
        divisor *= letters[letter]
    return value / divisor


def multiply(item: Item, element: str, letters: dict[str, float]) -> None:
    """Multiply the attributes of an element by the factors of their dimensions."""
    for name, dimensions in DIMENSIONS[element].items():
        multiply_attribute(item, name, tuple(factor(dimension, letters) for dimension in dimensions))


def multiply_attribute(item: Item, name: str, factors: Vector) -> None:
    """Multiply the numbers of an attribute, and remember by what."""
    value = getattr(item, name)
    if value is None:
        return
    if isinstance(value, tuple):
        factors += (1.0,) * (len(value) - len(factors))
        vars(item)[name] = tuple(number * by for number, by in zip(value, factors, strict=True))
    else:
        vars(item)[name] = value * factors[0]
    record_factors(item, name, factors)


def record_factors(item: Item, name: str, factors: Vector) -> None:
    """Remember by what the numbers of an attribute are multiplied."""
    value = getattr(item, name)
    missing = len(value) - len(factors) if isinstance(value, tuple) else 0
    vars(item)["factors"] = {**item.factors, name: factors + (1.0,) * missing}


def scale_tree(parsed: Parsed) -> None:
    """Scale bodies and what is in them, but for meshes and height fields."""
    shells = {mesh.name for mesh in parsed.meshes if mesh.inertia == SHELL or mesh.builtin == PLATE}
    for body in depth_first(parsed.world):
        if body.frame_scale is not None:
            body.pos = body.frame_scale.map(body.pos)
        if body.inertial is not None and body.inertial.frame_scale is not None:
            _inertial(body.inertial, body.inertial.frame_scale, parsed.compiler_of(body))
        for joint in body.joints:
            if joint.frame_scale is not None:
                _joint(joint, joint.frame_scale)
        for geom in body.geoms:
            if geom.frame_scale is not None:
                _geom(geom, geom.frame_scale, parsed.compiler_of(geom), shells)
        for site in body.sites:
            if site.frame_scale is not None:
                _site(site, site.frame_scale, parsed.compiler_of(site))
        _devices(body)


def _devices(body: Body) -> None:
    devices: list[tuple[str, Camera | Light]] = [("camera", camera) for camera in body.cameras]
    for kind, item in (*devices, *(("light", light) for light in body.lights)):
        if item.frame_scale is not None:
            item.pos = item.frame_scale.map(item.pos)
            multiply(item, kind, item.frame_scale.units.letters())


def _inertial(inertial: Inertial, scale: Scale, compiler: Compiler) -> None:
    """Second moments of mass are mapped; moments of inertia are the sums of two of them."""
    inertial.pos = scale.map(inertial.pos)
    mass, length = scale.units.mass, scale.units.length
    inertial.mass *= mass
    if scale.uniform:
        by = mass * length * length
        a, b, c = inertial.diaginertia
        inertial.diaginertia = (a * by, b * by, c * by)
        if inertial.fullinertia is not None:
            inertial.fullinertia = tuple(x * by for x in inertial.fullinertia)
        return
    full = inertial.fullinertia
    if full is None:
        full = rotate_inertia(inertial.diaginertia, resolve_orientation(inertial, compiler))
        inertial.quat, inertial.alt = (1.0, 0.0, 0.0, 0.0), None
    inertial.fullinertia = map_inertia(scale, full)


def map_inertia(scale: Scale, full: Vector) -> Inertia6:
    """A full inertia, by its second moments of mass."""
    half = (full[0] + full[1] + full[2]) / 2
    moments: Mat3 = (half - full[0], -full[3], -full[4], -full[3], half - full[1], -full[5],
                     -full[4], -full[5], half - full[2])  # fmt: skip
    mapped = mul_mat(mul_mat(scale.matrix, moments), transpose(scale.matrix))
    s = tuple(scale.units.mass * x for x in mapped)
    return (s[4] + s[8], s[0] + s[8], s[0] + s[4], -s[1], -s[2], -s[5])


def _joint(joint: Joint, scale: Scale) -> None:
    joint.pos = scale.map(joint.pos)
    if joint.type == enums.JNT_FREE:
        return
    multiply(joint, "joint", scale.units.letters(travel(joint)))


def travel(joint: Joint) -> float | None:
    """The factor of a joint's coordinate; None if it is an angle. Checks that the scale keeps the axis."""
    axis, _ = normalize3(joint.axis)
    scale = joint.frame_scale
    if scale is None:
        return 1.0 if joint.type == enums.JNT_SLIDE else None
    if joint.type in (enums.JNT_SLIDE, enums.JNT_HINGE) and not scale.keeps(axis):
        raise joint.error("the stretch of its frame would turn its axis", "align it with an axis of the scaled frame")
    return scale.along(axis) if joint.type == enums.JNT_SLIDE else None


# ---- geoms and sites


def _geom(geom: Geom, scale: Scale, compiler: Compiler, shells: set[str]) -> None:
    quat = _move(geom, scale, compiler)
    own = scale.rotated(quat)
    s = geom.surfacevel
    geom.surfacevel = (*own.map(s[:3]), *s[3:])
    mean = scale.units.length
    geom.factors = {"surfacevel": (mean, mean, mean, 1.0, 1.0, 1.0) if scale.uniform else ()}
    shell = geom.mesh in shells if geom.type == enums.GEOM_MESH else geom.shellinertia
    letters = scale.units.letters()
    multiply(geom, "geom", letters)
    multiply(geom, "shell" if shell else "solid", letters)
    if geom.type in (enums.GEOM_MESH, enums.GEOM_HFIELD) or geom.mesh:
        return
    if not scale.uniform:
        _check_shape(geom, own)
    _resize(geom, own)


def _site(site: Site, scale: Scale, compiler: Compiler) -> None:
    _resize(site, scale.rotated(_move(site, scale, compiler)))


def _move(item: Geom | Site, scale: Scale, compiler: Compiler) -> Quat:
    """Map position or end points; the orientation before that."""
    if item.fromto is None:
        item.pos = scale.map(item.pos)
        return resolve_orientation(item, compiler)
    a, b = item.fromto[:3], item.fromto[3:]
    item.fromto = (*scale.map(a), *scale.map(b))
    axis, _ = normalize3((a[0] - b[0], a[1] - b[1], a[2] - b[2]))
    return quat_z_to_vec(axis)


def _resize(item: Geom | Site, scale: Scale) -> None:
    """Sizes, along the element's own axes; `scale` is in them."""
    x, y, z = (scale.along(axis) for axis in AXES)
    mean = scale.units.length
    radius = x if scale.uniform else sqrt(x * y)
    if item.fromto is not None:
        x = y = radius
    by: dict[int, Vector] = {
        enums.GEOM_SPHERE: (mean,),
        enums.GEOM_CAPSULE: (radius, z),
        enums.GEOM_CYLINDER: (radius, z),
        enums.GEOM_ELLIPSOID: (x, y, z),
        enums.GEOM_BOX: (x, y, z),
        enums.GEOM_PLANE: (x, y, mean),
    }
    multiply_attribute(item, "size", by.get(item.type, ()))
    # the end points of a stretched element give it another orientation, with other factors
    if item.fromto is not None and not scale.uniform:
        item.factors = {**item.factors, "size": ()}


def _check_shape(geom: Geom, scale: Scale) -> None:
    """Check that the stretched shape has the same type; `scale` is in the axes of the geom."""
    x, y, z = (scale.along(axis) for axis in AXES)
    kept = [scale.keeps(axis) for axis in AXES]
    if geom.type == enums.GEOM_SPHERE:
        if not _equal((x, y, z)) or not all(kept):
            raise geom.error("its frame would stretch a sphere", "use an ellipsoid")
    elif geom.type in (enums.GEOM_CAPSULE, enums.GEOM_CYLINDER) or geom.fromto is not None:
        if not kept[2]:
            raise geom.error("the stretch of its frame would turn its axis", "align it with the axes of the frame")
        if not _equal((x, y)) or not all(kept):
            raise geom.error("its frame stretches it unequally across its axis", "use an ellipsoid or a box, with pos")
    elif not all(kept[: 2 if geom.type == enums.GEOM_PLANE else 3]):
        raise geom.error("its frame would skew it", "align it with the axes of the scaled frame")


def _equal(factors: Sequence[float]) -> bool:
    return max(factors) - min(factors) <= ALIGNED * max(factors)
