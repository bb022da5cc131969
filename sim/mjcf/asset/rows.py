"""Operations on arrays of vectors (rows), in MuJoCo's order of additions and multiplications.

numpy sums pairwise and may fuse products; here results agree to the last bit. Results are column-major in memory (all x
first), which is faster for later operations.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.mjcf.rotation import TINY

Floats: TypeAlias = NDArray[np.float32]
Doubles: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]


def total(rows: Doubles) -> Any:
    """Sequential sum."""
    added = np.add.accumulate(rows, axis=0)[-1]
    return float(added) if rows.ndim == 1 else added


def dot(a: Any, b: Any) -> Any:
    return a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]


def cross(a: Doubles, b: Doubles) -> Doubles:
    return np.stack(
        [
            a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
            a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
            a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
        ]
    ).T


def rotated(rows: Doubles, m: Doubles) -> Doubles:
    """Each row rotated by a matrix: m · row."""
    return np.stack([rows[:, 0] * m[k, 0] + rows[:, 1] * m[k, 1] + rows[:, 2] * m[k, 2] for k in range(3)]).T


def corners(vertex: Doubles, face: Ints) -> tuple[Doubles, Doubles, Doubles]:
    """The first, second and third corners of triangles."""
    a, b, c = (vertex.T.take(face[:, k], axis=1).T for k in range(3))
    return a, b, c


def grouped(index: Ints) -> Any:
    """Indices of a stable sort, in a fifth of the time of argsort."""
    keys = index.astype(np.int64) << 32 | np.arange(len(index))
    keys.sort()
    return keys & 0xFFFFFFFF


def normalize(rows: Doubles) -> tuple[Doubles, Doubles]:
    """Unit vectors and lengths, as in `normalize3`: a vector that is too short stays, with length 0."""
    square = dot(rows, rows)
    length = np.where(square < TINY, 0.0, np.sqrt(square))
    divisor = np.where((length > 0) & (np.abs(length - 1) > TINY), length, 1.0)
    return rows / divisor[:, None], length


def normals(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """Unit normals of triangles; x for degenerate ones."""
    normal = cross(b - a, c - a)
    length = np.sqrt(dot(normal, normal))
    return np.where((length >= TINY)[:, None], normal / np.maximum(length, TINY)[:, None], (1.0, 0.0, 0.0))
