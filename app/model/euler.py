"""Euler angles of a rotation, in any of MJCF's sequences of axes: the inverse of `sim.euler_to_quat`.

Lower case letters rotate about the axes that move along, upper case about those of the parent, and both may be mixed.
Where two axes align, only their sum is known: then the third angle is 0.
"""

from __future__ import annotations

from math import asin, atan2, hypot

import numpy as np
from numpy.typing import NDArray

from sim.script.rotation import quat_to_mat

# below this cosine two axes are aligned
ALIGNED = 1e-9
Angles = tuple[float, float, float]


def euler_angles(quat: NDArray[np.float64], sequence: str) -> Angles:
    """The three angles, in rad, in the order of the sequence."""
    # R = A·B·C: a letter in upper case multiplies from the left, so the angles come in another order
    order: list[int] = []
    for place, letter in enumerate(sequence):
        order = [place, *order] if letter.isupper() else [*order, place]
    found = _intrinsic(np.asarray(quat_to_mat(quat)), ["xyz".index(sequence[place].lower()) for place in order])
    angles = [0.0, 0.0, 0.0]
    for place, angle in zip(order, found, strict=True):
        angles[place] = angle
    return angles[0], angles[1], angles[2]


def _intrinsic(r: NDArray[np.float64], axes: list[int]) -> Angles:
    """Angles about axes that move along."""
    i, j, k = axes
    if j in (i, k):
        return _repeated(r, i, j, k)
    if i == k:
        # symmetric: xyx; n is the third axis
        n = 3 - i - j
        sign = 1.0 if (j - i) % 3 == 1 else -1.0
        sine = hypot(float(r[i, j]), float(r[i, n]))
        middle = atan2(sine, float(r[i, i]))
        if sine < ALIGNED:
            return atan2(sign * float(r[n, j]), float(r[j, j])), middle, 0.0
        return atan2(float(r[j, i]), -sign * float(r[n, i])), middle, atan2(float(r[i, j]), sign * float(r[i, n]))
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    middle = asin(min(max(sign * float(r[i, k]), -1.0), 1.0))
    if hypot(float(r[i, i]), float(r[i, j])) < ALIGNED:
        return atan2(sign * float(r[k, j]), float(r[j, j])), middle, 0.0
    return atan2(-sign * float(r[j, k]), float(r[k, k])), middle, atan2(-sign * float(r[i, j]), float(r[i, i]))


def _repeated(r: NDArray[np.float64], i: int, j: int, k: int) -> Angles:
    """Sequences with one axis twice in a row, such as xxy, which cannot express every rotation: the nearest angles."""
    if i == j == k:
        return _about(r, i), 0.0, 0.0
    # about two axes: R = A(i)·C(k)
    first, last = (i, k) if i == j else (i, j)
    n = 3 - first - last
    sign = 1.0 if (last - first) % 3 == 1 else -1.0
    a = atan2(sign * float(r[n, last]), float(r[last, last]))
    c = atan2(sign * float(r[first, n]), float(r[first, first]))
    return (a, 0.0, c) if i == j else (a, c, 0.0)


def _about(r: NDArray[np.float64], axis: int) -> float:
    """The angle about one axis."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    return atan2(float(r[k, j]), float(r[j, j]))
