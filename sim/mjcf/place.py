"""Poses relative to the body: resolves orientations, `fromto` and frames; axes and limits of joints.

Afterwards each element has one position and one unit quaternion relative to its body; joint axes and light directions
are unit vectors there, and angles are in radians.
"""

from __future__ import annotations

from math import pi

from sim import enums
from sim.mjcf import notes
from sim.mjcf.errors import check_not_negative
from sim.mjcf.records import AUTO, FALSE, TRUE, Compiler, Geom, Inertial, Item, Joint, Light, Placed, Site
from sim.mjcf.rotation import (
    TINY,
    UNIT,
    Quat,
    Vec3,
    Vector,
    compose_frames,
    normalize3,
    normalize4,
    orientation_to_quat,
    quat_z_to_vec,
    rot_vec_quat,
)

FROMTO_TYPES = (enums.GEOM_CAPSULE, enums.GEOM_CYLINDER, enums.GEOM_ELLIPSOID, enums.GEOM_BOX)
# the cure for a bad range
ASCENDING = "the first number must be below the second"


def resolve_orientation(item: Placed | Inertial, compiler: Compiler) -> Quat:
    """The orientation as a unit quaternion, whichever attribute gives it."""
    if item.alt is None:
        return normalize4(item.quat)
    kind, value = item.alt
    try:
        return orientation_to_quat(kind, value, compiler.degree, compiler.eulerseq)
    except ValueError as why:
        given = " ".join(f"{x:g}" for x in value)
        assert item.node is not None
        raise item.node.error(f'{kind}="{given}": {why}') from None


def place(item: Placed, compiler: Compiler) -> None:
    """Position and quaternion relative to the body."""
    item.quat = resolve_orientation(item, compiler)
    apply_frame(item)


def apply_frame(item: Placed) -> None:
    if item.frame is not None:
        item.pos, item.quat = compose_frames(item.frame.pos, item.frame.quat, item.pos, item.quat)


def place_fromto(item: Geom | Site, fromto: Vector) -> None:
    """Apply `fromto`: the element spans two points, with its z axis along the line."""
    if item.type not in FROMTO_TYPES:
        raise item.error("fromto cannot be used with this type", "use ellipsoid, capsule, box or cylinder")
    if any(item.pos):
        raise item.error("'pos' and 'fromto' are mutually exclusive", "specify only one")
    a, b = fromto[:3], fromto[3:]
    axis, length = normalize3((a[0] - b[0], a[1] - b[1], a[2] - b[2]))
    if length < TINY:
        raise item.error("the two points of fromto coincide", "move one of them")
    if item.type in (enums.GEOM_CAPSULE, enums.GEOM_CYLINDER):
        item.size = (item.size[0], length / 2, item.size[2])
    else:
        item.size = (item.size[0], item.size[0], length / 2)
    item.pos = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
    item.quat = quat_z_to_vec(axis)


def place_site(site: Site, compiler: Compiler) -> None:
    if site.fromto is not None:
        place_fromto(site, site.fromto)
        apply_frame(site)
    else:
        place(site, compiler)


def place_light(light: Light) -> None:
    if light.frame is not None:
        light.pos, _ = compose_frames(light.frame.pos, light.frame.quat, light.pos, UNIT)
        light.dir = rot_vec_quat(light.dir, light.frame.quat)
    light.dir, length = normalize3(light.dir)
    if length < TINY:
        raise light.error("dir is a zero vector", "set the direction of the light")


def place_joint(joint: Joint, compiler: Compiler) -> None:
    """Axis, anchor, limits and reference of a joint, relative to the body."""
    if any(joint.springdamper) and min(joint.springdamper) <= 0:
        raise joint.error(
            "springdamper is " + " ".join(f"{x:g}" for x in joint.springdamper),
            "time constant and damping ratio must both be positive",
        )
    _limits(joint, compiler)
    if joint.type in (enums.JNT_FREE, enums.JNT_BALL):
        joint.axis = (0.0, 0.0, 1.0)
    elif joint.frame is not None:
        joint.axis = rot_vec_quat(joint.axis, joint.frame.quat)
    joint.axis, length = normalize3(joint.axis)
    if length < TINY:
        raise joint.error("axis is a zero vector", "set the axis of the joint")
    if joint.type == enums.JNT_FREE:
        joint.pos = (0.0, 0.0, 0.0)
    elif joint.frame is not None:
        joint.pos, _ = compose_frames(joint.frame.pos, joint.frame.quat, joint.pos, UNIT)
    check_not_negative(joint, "springyield", joint.springyield)
    if joint.springyield and joint.type == enums.JNT_FREE:
        raise joint.error("the spring of a free joint cannot yield", "remove springyield")
    if joint.type == enums.JNT_HINGE and compiler.degree:
        joint.ref *= pi / 180
        joint.springref *= pi / 180
    if joint.type in (enums.JNT_HINGE, enums.JNT_BALL) and compiler.degree:
        joint.springyield *= pi / 180


def _limits(joint: Joint, compiler: Compiler) -> None:
    """Resolve limits, convert degrees to radians."""
    ball, free = joint.type == enums.JNT_BALL, joint.type == enums.JNT_FREE
    resolve_limit(joint, "range", compiler, possible=not free, ascending=not ball)
    resolve_limit(joint, "actuatorfrcrange", compiler, possible=not free and not ball)
    if joint.limited == TRUE:
        low, high = joint.range
        if ball and low:
            raise joint.error(f"the range of a ball joint starts at {low:g}", "it must start at 0")
        if compiler.degree and joint.type in (enums.JNT_HINGE, enums.JNT_BALL):
            joint.range = (low * (pi / 180), high * (pi / 180))


def resolve_limit(item: Item, what: str, compiler: Compiler, possible: bool = True, ascending: bool = True) -> None:
    """Set `limited`, which `auto` leaves to the range: TRUE or FALSE; a reversed range counts as no limit then."""
    attribute = what.replace("range", "limited")
    (low, high), limited = getattr(item, what), getattr(item, attribute) if possible else FALSE
    if limited == AUTO:
        limited = TRUE if low < high else FALSE
        if (low or high) and not compiler.autolimits:
            raise item.error(f"{what} is set, but not {attribute}", f"set {attribute}, or compiler autolimits")
        if low > high:
            notes.warn(str(item.error(f"{what} is {low:g} {high:g}, and has no effect", ASCENDING)), stacklevel=2)
    if limited == TRUE and ascending and low >= high:
        raise item.error(f"{what} is {low:g} {high:g}", ASCENDING)
    setattr(item, attribute, limited)


def transform(pos: Vec3, quat: Quat, item: Placed) -> None:
    """Compose the frame (pos, quat) with the pose of an element."""
    item.pos, item.quat = compose_frames(pos, quat, item.pos, item.quat)
