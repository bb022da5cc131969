"""Unit quaternions w x y z and rotation vectors, of any number of rotations at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TURN = 2 * np.pi


def conjugate(q: Floats) -> Floats:
    """The opposite rotation."""
    turned: Floats = q * np.array([1.0, -1.0, -1.0, -1.0])
    return turned


def product(a: Floats, b: Floats) -> Floats:
    """The rotation b, then a."""
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    scalar = aw * bw - (av * bv).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def rotate(q: Floats, v: Floats) -> Floats:
    """Vectors turned."""
    across = 2 * np.cross(q[..., 1:], v)
    turned: Floats = v + q[..., :1] * across + np.cross(q[..., 1:], across)
    return turned


def from_vectors(v: Floats) -> Floats:
    """Quaternions of rotation vectors."""
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    # sin(x) / x of half the angle
    return np.concatenate([np.cos(angle / 2), v / 2 * np.sinc(angle / TURN)], axis=-1)


def vectors(q: Floats) -> Floats:
    """Rotation vectors; along the first of three axes each continues the one before, if need be beyond half a turn."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    axis = q[..., 1:] / np.maximum(sine, 1e-300)
    found: Floats = np.where(sine > 1e-9, axis * angle, 2 * q[..., 1:])
    if found.ndim == 3:
        for k in range(1, len(found)):
            whole = np.rint(((found[k - 1] * axis[k]).sum(axis=-1, keepdims=True) - angle[k]) / TURN)
            found[k] += np.where(sine[k] > 1e-9, TURN * whole * axis[k], 0.0)
    return found


def from_matrices(m: Floats) -> Floats:
    """Quaternions of rotation matrices (..., 3, 3)."""
    # four times the products of the components of the quaternion; the row of the largest is divided by its root
    x, y, z = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    d, e, f = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    rows = np.stack([
        np.stack([1 + x + y + z, a, b, c], axis=-1),
        np.stack([a, 1 + x - y - z, d, e], axis=-1),
        np.stack([b, d, 1 - x + y - z, f], axis=-1),
        np.stack([c, e, f, 1 - x - y + z], axis=-1),
    ], axis=-2)  # fmt: skip
    largest = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(rows, largest[..., None, None], axis=-2)[..., 0, :]
    quaternions: Floats = row / np.maximum(np.linalg.norm(row, axis=-1, keepdims=True), 1e-300)
    return quaternions
