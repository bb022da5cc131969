"""Compiles geoms: volume, mass, moments of inertia, bounding box and radius, fluid coefficients.

One formula per type, for a solid and for a shell, in tables indexed by geom type. Moments are about the centre, along
the axes of the geom; `size[1]` of capsules and cylinders is the half-length.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

from sim import enums
from sim.mjcf.asset.mesh_geom import apply_asset, bounds
from sim.mjcf.errors import check_not_negative
from sim.mjcf.place import apply_frame, place_fromto, resolve_orientation
from sim.mjcf.records import Compiler, Geom, HField, Mesh, Site
from sim.mjcf.rotation import TINY, ZERO, Vec3, Vector

# number of sizes of each type
SIZES = {
    enums.GEOM_SPHERE: 1,
    enums.GEOM_CAPSULE: 2,
    enums.GEOM_ELLIPSOID: 3,
    enums.GEOM_CYLINDER: 2,
    enums.GEOM_BOX: 3,
}
SHELL_STEP = 1e-6


def compile_geom(geom: Geom, compiler: Compiler, has_mass: bool, fixed: bool) -> None:
    """Check a geom, resolve its pose, and compute mass, moments and bounding box."""
    if geom.condim not in (1, 3, 4, 6):
        raise geom.error(f"condim is {geom.condim}", "it must be 1, 3, 4 or 6")
    if geom.type == enums.GEOM_SDF:
        raise geom.error("geom type sdf is not supported")
    if geom.type == enums.GEOM_PLANE and not fixed:
        raise geom.error("a plane cannot move", "put it into a body without joints")
    if geom.fromto is not None:
        place_fromto(geom, geom.fromto)
    else:
        geom.quat = resolve_orientation(geom, compiler)
    if geom.asset is not None:
        apply_asset(geom, compiler)
    set_shape(geom, has_mass)
    apply_frame(geom)


def set_shape(geom: Geom, has_mass: bool) -> None:
    """What follows from its type and size: bounding box, mass and moments."""
    check_size(geom)
    geom.aabb = bounds(geom) if geom.type in (enums.GEOM_MESH, enums.GEOM_HFIELD) else _box(geom)
    if has_mass:
        try:
            _set_mass(geom)
        except ArithmeticError:
            raise geom.error("cannot compute the mass: sizes are too large or too small", "change size") from None


def check_size(item: Geom | Site) -> None:
    if item.type == enums.GEOM_PLANE:
        if item.size[2] <= 0:
            raise item.error(
                f"size[2] of the plane is {item.size[2]:g}", "it is the grid spacing, and must be positive"
            )
        return
    count = SIZES.get(item.type, 0)
    for k in range(count):
        if item.size[k] <= 0:
            given = " ".join(f"{x:g}" for x in item.size[:count])
            raise item.error(f"size is {given}", f"this type needs {count} positive size{'s' * (count > 1)}")


def _set_mass(geom: Geom) -> None:
    """Mass and moments, from `mass` if given, else from the density."""
    # a height field counts as a box; a mesh has the moments of its equivalent inertia box
    kind, size = (enums.GEOM_BOX if geom.type in (enums.GEOM_HFIELD, enums.GEOM_MESH) else geom.type), geom.size
    volume = VOLUME[kind, geom.shellinertia](size) if kind in SIZES else 0.0
    if geom.type == enums.GEOM_MESH and isinstance(geom.asset, Mesh):
        volume, size = geom.asset.compiled.volume, geom.asset.compiled.box
    if geom.mass is not None:
        check_not_negative(geom, "mass", geom.mass)
        mass = geom.mass if volume > TINY else 0.0
    else:
        check_not_negative(geom, "density", geom.density)
        mass = geom.density * volume
    geom.own_mass = mass
    if mass:
        geom.own_inertia = MOMENTS[kind, geom.shellinertia](size, mass)


# ---- volume of a solid, area of a shell


def _ellipsoid_area(s: Vector) -> float:
    """Thomsen's approximation, within about one percent."""
    p = 1.6075
    total = (s[0] * s[1]) ** p + (s[1] * s[2]) ** p + (s[2] * s[0]) ** p
    area: float = 4 * pi * (total / 3) ** (1 / p)
    return area


VOLUME: dict[tuple[int, bool], Callable[[Vector], float]] = {
    (enums.GEOM_SPHERE, False): lambda s: 4 * pi * s[0] * s[0] * s[0] / 3,
    (enums.GEOM_SPHERE, True): lambda s: 4 * pi * s[0] * s[0],
    (enums.GEOM_CAPSULE, False): lambda s: pi * (s[0] * s[0] * (2 * s[1]) + 4 * s[0] * s[0] * s[0] / 3),
    (enums.GEOM_CAPSULE, True): lambda s: 4 * pi * s[0] * s[0] + 2 * pi * s[0] * (2 * s[1]),
    (enums.GEOM_CYLINDER, False): lambda s: pi * s[0] * s[0] * (2 * s[1]),
    (enums.GEOM_CYLINDER, True): lambda s: 2 * pi * s[0] * s[0] + 2 * pi * s[0] * (2 * s[1]),
    (enums.GEOM_ELLIPSOID, False): lambda s: 4 * pi * s[0] * s[1] * s[2] / 3,
    (enums.GEOM_ELLIPSOID, True): _ellipsoid_area,
    (enums.GEOM_BOX, False): lambda s: s[0] * s[1] * s[2] * 8,
    (enums.GEOM_BOX, True): lambda s: 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]),
}


# ---- principal moments


def _sphere(s: Vector, mass: float, divisor: int) -> Vec3:
    moment = 2 * mass * s[0] * s[0] / divisor
    return (moment, moment, moment)


def _capsule(s: Vector, mass: float) -> Vec3:
    radius, height = s[0], 2 * s[1]
    ball = mass * 4 * radius / (4 * radius + 3 * height)
    tube = mass - ball
    ends = 2 * ball * radius * radius / 5
    moved = ends + ball * height * (3 * radius + 2 * height) / 8
    across = tube * (3 * radius * radius + height * height) / 12 + moved
    return (across, across, tube * radius * radius / 2 + ends)


def _capsule_shell(s: Vector, mass: float) -> Vec3:
    radius, height = s[0], 2 * s[1]
    ball_area, tube_area = 4 * pi * radius * radius, 2 * pi * radius * height
    ball = mass * ball_area / (ball_area + tube_area)
    tube = mass - ball
    ends = 2 * ball * radius * radius / 3
    centre = radius / 2
    away = s[1] + centre
    across = tube * (6 * radius * radius + height * height) / 12 + ends + ball * (away * away - centre * centre)
    return (across, across, tube * radius * radius + ends)


def _cylinder(s: Vector, mass: float) -> Vec3:
    radius, height = s[0], 2 * s[1]
    across = mass * (3 * radius * radius + height * height) / 12
    return (across, across, mass * radius * radius / 2)


def _cylinder_shell(s: Vector, mass: float) -> Vec3:
    radius, half = s[0], s[1]
    height = 2 * half
    disk_area, tube_area = pi * radius * radius, 2 * pi * radius * height
    disk = mass * disk_area / (2 * disk_area + tube_area)
    tube = mass - 2 * disk
    across = tube * (6 * radius * radius + height * height) / 12 + 2 * (disk * radius * radius / 4 + disk * half * half)
    return (across, across, tube * radius * radius + 2 * (disk * radius * radius / 2))


def _cross_sums(s: Vector, mass: float, divisor: int) -> Vec3:
    """Moments mass (b² + c²) / divisor and so on: solid box and ellipsoid."""
    a, b, c = s[0] * s[0], s[1] * s[1], s[2] * s[2]
    return (mass * (b + c) / divisor, mass * (a + c) / divisor, mass * (a + b) / divisor)


def _ellipsoid_shell(s: Vector, mass: float) -> Vec3:
    """A slightly larger solid ellipsoid minus this one."""
    larger = (s[0] + SHELL_STEP, s[1] + SHELL_STEP, s[2] + SHELL_STEP)
    inside = 4 * pi * s[0] * s[1] * s[2] / 3
    outside = 4 * pi * larger[0] * larger[1] * larger[2] / 3
    density = mass / (outside - inside)
    out, hollow = _cross_sums(larger, outside * density, 5), _cross_sums(s, inside * density, 5)
    return (out[0] - hollow[0], out[1] - hollow[1], out[2] - hollow[2])


def _box_shell(s: Vector, mass: float) -> Vec3:
    """Three pairs of plates, normal to z, x and y."""
    x, y, z = 2 * s[0], 2 * s[1], 2 * s[2]
    a, b, c = s[0] * s[0], s[1] * s[1], s[2] * s[2]
    area = 2 * (x * y + y * z + z * x)
    mz, mx, my = mass * (x * y) / area, mass * (y * z) / area, mass * (z * x) / area
    return (
        2 * (mz * c + my * b + mz * y * y / 12 + mx * (y * y + z * z) / 12 + my * z * z / 12),
        2 * (mz * c + mx * a + mz * x * x / 12 + mx * z * z / 12 + my * (x * x + z * z) / 12),
        2 * (mx * a + my * b + mz * (x * x + y * y) / 12 + mx * y * y / 12 + my * x * x / 12),
    )


MOMENTS: dict[tuple[int, bool], Callable[[Vector, float], Vec3]] = {
    (enums.GEOM_SPHERE, False): lambda s, mass: _sphere(s, mass, 5),
    (enums.GEOM_SPHERE, True): lambda s, mass: _sphere(s, mass, 3),
    (enums.GEOM_CAPSULE, False): _capsule,
    (enums.GEOM_CAPSULE, True): _capsule_shell,
    (enums.GEOM_CYLINDER, False): _cylinder,
    (enums.GEOM_CYLINDER, True): _cylinder_shell,
    (enums.GEOM_ELLIPSOID, False): lambda s, mass: _cross_sums(s, mass, 5),
    (enums.GEOM_ELLIPSOID, True): _ellipsoid_shell,
    (enums.GEOM_BOX, False): lambda s, mass: _cross_sums(s, mass, 3),
    (enums.GEOM_BOX, True): _box_shell,
}


# ---- bounds


def _box(geom: Geom) -> Vector:
    """Bounding box in the geom's frame: centre and half-sizes."""
    s = geom.size
    if geom.type == enums.GEOM_PLANE:
        return (0.0, 0.0, -enums.MAXVAL / 2, enums.MAXVAL, enums.MAXVAL, enums.MAXVAL / 2)
    half = {
        enums.GEOM_SPHERE: (s[0], s[0], s[0]),
        enums.GEOM_CAPSULE: (s[0], s[0], s[0] + s[1]),
        enums.GEOM_CYLINDER: (s[0], s[0], s[1]),
    }.get(geom.type, s)
    return (*ZERO, *half)


RADIUS: dict[int, Callable[[Vector], float]] = {
    enums.GEOM_PLANE: lambda s: 0.0,
    enums.GEOM_SPHERE: lambda s: s[0],
    enums.GEOM_CAPSULE: lambda s: s[0] + s[1],
    enums.GEOM_CYLINDER: lambda s: sqrt(s[0] * s[0] + s[1] * s[1]),
    enums.GEOM_ELLIPSOID: max,
    enums.GEOM_BOX: lambda s: sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]),
    enums.GEOM_MESH: lambda s: sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]),
}


def bounding_radius(geom: Geom) -> float:
    if isinstance(geom.asset, HField):
        x, y, z, base = geom.asset.size
        return sqrt(x * x + y * y + max(z * z, base * base))
    return RADIUS[geom.type](geom.size)


# ---- fluid

# 15-point Gauss-Kronrod rule for an integral over [0, ∞), after l = x³ / (1 - x)²: weights, l, dl/dx
_WEIGHTS = (
    0.01146766,
    0.03154605,
    0.05239501,
    0.07032663,
    0.08450236,
    0.09517529,
    0.10221647,
    0.10474107,
    0.10221647,
    0.09517529,
    0.08450236,
    0.07032663,
    0.05239501,
    0.03154605,
    0.01146766,
)
_POINTS = (7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
           0.014094260903596077, 0.053063261727396636, 0.17041978741317773, 0.5, 1.4036301548686991,
           3.9353484827022642, 11.644841677041734, 39.53187807410903, 177.5711362220801,
           1429.4772912937397, 54087.416549217705)  # fmt: skip
_DERIVATIVES = (5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
           0.23985243401862602, 0.6868318249020725, 1.8551129519182894, 5.0, 14.060031152313941,
           43.28941239611009, 156.58546376397112, 747.9826085305024, 5827.4042950027115,
           116754.0197944512, 25482945.327264845)  # fmt: skip


def fluid_coefficients(geom: Geom) -> Vector:
    """geom_fluid of the ellipsoid model: flag, five coefficients, virtual mass and virtual inertia."""
    if not geom.fluidshape:
        return (0.0,) * 12
    s = geom.size
    x, y, z = {
        enums.GEOM_SPHERE: (s[0], s[0], s[0]),
        enums.GEOM_CAPSULE: (s[0], s[0], s[1] + s[0]),
        enums.GEOM_CYLINDER: (s[0], s[0], s[1]),
    }.get(geom.type, s)
    # an infinite plane displaces no fluid
    if min(x, y, z) <= 0:
        return (1.0, *geom.fluidcoef, *(0.0,) * 6)
    volume = 4.0 / 3.0 * pi * x * y * z
    try:
        kx, ky, kz = _kappa(x, y, z), _kappa(y, z, x), _kappa(z, x, y)
        moments = (_added_moment(y, z, ky, kz), _added_moment(z, x, kz, kx), _added_moment(x, y, kx, ky))
    except ArithmeticError:
        raise geom.error("cannot compute fluid coefficients: sizes are too large or too small", "change size") from None
    mass = tuple(volume * k / max(TINY, 2 - k) for k in (kx, ky, kz))
    return (1.0, *geom.fluidcoef, *mass, *(volume * moment / 5 for moment in moments))


def _kappa(x: float, y: float, z: float) -> float:
    """Lamb's integral for one semi-axis of an ellipsoid, dimensionless."""
    ix, iy, iz = 1 / (x * x), 1 / (y * y), 1 / (z * z)
    scale = (x * x * x * y * z) ** 0.4
    total = 0.0
    for weight, point, derivative in zip(_WEIGHTS, _POINTS, _DERIVATIVES, strict=True):
        l = scale * point  # noqa: E741
        a = 1 + l * ix
        total += scale * derivative / (a * sqrt(a * (1 + l * iy) * (1 + l * iz))) * weight
    return total * ix


def _added_moment(y: float, z: float, ky: float, kz: float) -> float:
    d, e = y * y - z * z, y * y + z * z
    return d * d * abs(kz - ky) / max(TINY, abs(2 * d + e * (ky - kz)))
