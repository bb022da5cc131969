"""The scale of a <frame>: how its contents are resized, and how nested scales compose.

A scale is a linear map of positions, in the axes of the enclosing frame or body, and the factors of lengths, masses and
the units of forces. Orientations are kept: inside an element with rotation E the map is Eᵀ M E.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import cbrt, isfinite, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.math.mat import mul_mat, transpose
from sim.mjcf.rotation import UNIT, ZERO, Mat3, Quat, Vec3, Vector, compose_frames, neg_quat, quat_to_mat, rot_vec_quat
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.mjcf.records import Placed

SIMILAR, GEOMETRY = range(2)
# largest factor of lengths, whose powers have to be finite; the smallest is its inverse
LARGEST = 1e30
SCALING = ("scale", "scaling", "massscale")
# sine of the angle up to which axes count as aligned, and difference up to which factors count as equal
ALIGNED = 0.0349


class Units(NamedTuple):
    """Factors of lengths (the mean of a stretch), of masses, and of the units of length and mass in forces."""

    length: float = 1.0
    mass: float = 1.0
    unit_length: float = 1.0
    unit_mass: float = 1.0

    @property
    def keep_forces(self) -> bool:
        return self.unit_length == self.unit_mass == 1

    def letters(self, coordinate: float | None = None) -> dict[str, float]:
        """Factors of the letters in `sim.attributes.dimensions`; `coordinate` is that of a length, None an angle."""
        force = self.unit_mass * self.unit_length
        torque = force * self.unit_length
        linear = coordinate is not None
        return {
            "L": self.length,
            "M": self.mass,
            "Q": 1.0 if coordinate is None else coordinate,
            "q": self.unit_length if linear else 1.0,
            "F": force if linear else torque,
            "N": force,
            "T": torque,
            "P": self.unit_mass / self.unit_length,
        }


SAME = Units()


def mean_units(first: Units, second: Units) -> Units:
    """The geometric mean, for what is between two scales."""
    return Units(*(sqrt(a * b) for a, b in zip(first, second, strict=True)))


@dataclass(frozen=True)
class Scale:
    """What the enclosing frames do to an element.

    `chain` has the frames that scale, outermost first, with the units inside; `origin` is the position of the
    innermost frame if nothing were scaled, and `pos` and `quat` are its pose, both relative to the body.
    """

    matrix: Mat3
    units: Units
    chain: tuple[tuple[int, Units], ...]
    origin: Vec3 | None = None
    pos: Vec3 = ZERO
    quat: Quat = UNIT

    @property
    def uniform(self) -> bool:
        m = self.matrix
        return m[0] == m[4] == m[8] and not any((m[1], m[2], m[3], m[5], m[6], m[7]))

    def map(self, v: Vector) -> Vec3:
        """A position or another vector of lengths."""
        x, y, z = v
        m = self.matrix
        if self.uniform:
            return (x * m[0], y * m[0], z * m[0])
        return (
            m[0] * x + m[1] * y + m[2] * z,
            m[3] * x + m[4] * y + m[5] * z,
            m[6] * x + m[7] * y + m[8] * z,
        )

    def inverse(self) -> Scale:
        """The scale that undoes this one, for positions and inertias."""
        return replace(
            self,
            matrix=_inverse(self.matrix),
            units=Units(*(1 / x for x in self.units)),
            origin=self.pos,
            pos=self.origin or ZERO,
        )

    def unmap(self, v: Vector) -> Vec3:
        """The inverse of `map`."""
        return self.inverse().map(v)

    def along(self, axis: Vector) -> float:
        """The factor of lengths along a unit vector."""
        if self.uniform:
            return self.matrix[0]
        x, y, z = self.map(axis)
        return sqrt(x * x + y * y + z * z)

    def keeps(self, axis: Vector) -> bool:
        """Whether a unit vector keeps its direction."""
        a, b, c = axis
        x, y, z = self.map(axis)
        across = (b * z - c * y, c * x - a * z, a * y - b * x)
        return self.uniform or sqrt(sum(t * t for t in across)) <= ALIGNED * self.along(axis)

    def rotated(self, quat: Quat) -> Scale:
        """The same scale in the axes of an element."""
        if self.uniform:
            return self
        r = quat_to_mat(quat)
        return replace(self, matrix=mul_mat(mul_mat(transpose(r), self.matrix), r))

    def in_body(self, quat: Quat) -> Scale:
        """The scale of what is in a body."""
        return replace(self.rotated(quat), origin=ZERO, pos=ZERO, quat=UNIT)

    def at(self, pos: Vec3, quat: Quat) -> Scale:
        """The scale of what is in a frame with this pose; without a scale around it, it is where it would be."""
        return replace(self, origin=pos if self.origin is None else self.origin, pos=pos, quat=quat)

    def move(self, point: Vector) -> Vec3:
        """A position in the world, such as that of a free body in a keyframe."""
        inside = rot_vec_quat(
            tuple(a - b for a, b in zip(point, self.origin or ZERO, strict=True)), neg_quat(self.quat)
        )
        return compose_frames(self.pos, self.quat, self.map(inside), self.quat)[0]

    def turn(self, velocity: Vector) -> Vec3:
        """A velocity in the world."""
        return rot_vec_quat(self.map(rot_vec_quat(velocity, neg_quat(self.quat))), self.quat)


def _inverse(m: Mat3) -> Mat3:
    """The inverse of a matrix, by cofactors."""
    a, b, c, d, e, f, g, h, i = m
    cofactors = (e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f,
                 d * h - e * g, b * g - a * h, a * e - b * d)  # fmt: skip
    determinant = a * cofactors[0] + b * cofactors[3] + c * cofactors[6]
    x = tuple(value / determinant for value in cofactors)
    return (x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])


def units_of(scale: Scale | None) -> Units:
    return scale.units if scale else SAME


def shared_units(scales: Iterable[Scale | None]) -> Units:
    """The units of the innermost frame that encloses all elements."""
    chains = [scale.chain if scale else () for scale in scales]
    units = SAME
    for level in zip(*chains, strict=False):
        if any(key != level[0][0] for key, _ in level):
            break
        units = level[0][1]
    return units


def enter_frame(node: Node, frame: Placed, values: dict[str, Any], outer: Scale | None, quat: Quat) -> Scale | None:
    """The scale inside a frame with these attributes; `outer`, around it, moves the frame."""
    x, y, z, mass, similar = _factors(node, values)
    origin = None
    if outer is not None:
        origin = compose_frames(outer.origin or ZERO, outer.quat, frame.pos, UNIT)[0]
        frame.pos = outer.map(frame.pos)
        outer = replace(outer.rotated(quat), origin=origin)
    if (x, y, z, mass) == (1.0, 1.0, 1.0, 1.0):
        return outer
    around = outer.units if outer else SAME
    units = Units(
        around.length * (x if x == y == z else cbrt(x * y * z)),
        around.mass * mass,
        around.unit_length * (x if similar else 1.0),
        around.unit_mass * (mass if similar else 1.0),
    )
    for what, total, most in (("lengths", units.length, LARGEST), ("masses", units.mass, LARGEST**3)):
        if not 1 / most <= total <= most:
            raise node.error(f"it multiplies {what} by {total:g}", f"the factor must be from {1 / most:g} to {most:g}")
    own: Mat3 = (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)
    link = (id(node), units)
    return (
        Scale(mul_mat(outer.matrix, own), units, (*outer.chain, link), origin) if outer else Scale(own, units, (link,))
    )


def _factors(node: Node, values: dict[str, Any]) -> tuple[float, float, float, float, bool]:
    """Checked attributes of a frame: the factors of lengths and of masses, and whether forces follow."""
    given, mass = values.get("scale", (1.0,)), values.get("massscale", 0.0)
    similar = values.get("scaling", SIMILAR) == SIMILAR
    text = " ".join(f"{value:g}" for value in given)
    if len(given) == 2:
        raise node.error(f'scale="{text}" has two values', "specify one, or one for each axis")
    x, y, z = given * 3 if len(given) == 1 else given
    if not all(isfinite(value) and value > 0 for value in (x, y, z)):
        raise node.error(f"scale is {text}", "it must be positive")
    if not isfinite(mass) or mass < 0:
        raise node.error(f"massscale is {mass:g}", "it must be positive, or 0 for the ratio of volumes")
    if similar and not x == y == z:
        raise node.error(f"scale is {text}, which stretches its contents", 'set scaling="geometry"')
    return x, y, z, mass or x * y * z, similar
