"""Spatial algebra: motion and force vectors as six-tuples (angular, linear), inertias as ten-tuples.

An inertia is (Ixx Iyy Izz Ixy Ixz Iyz, m·x m·y m·z, m), about the same point as the vectors: the tree's centre of mass.
"""

from sim.jit import inline


@inline
def get6(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5]


@inline
def put6(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]
    a[i, 3] = v[3]
    a[i, 4] = v[4]
    a[i, 5] = v[5]


@inline
def get10(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8], a[i, 9]


@inline
def add6(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@inline
def add_scaled6(a, b, s):
    """a + s b"""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2], a[3] + s * b[3], a[4] + s * b[4], a[5] + s * b[5]


@inline
def dot6(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@inline
def cross_motion(v, s):
    """v × s: rate of change of a motion vector s that moves with velocity v."""
    return (
        v[1] * s[2] - v[2] * s[1],
        v[2] * s[0] - v[0] * s[2],
        v[0] * s[1] - v[1] * s[0],
        v[1] * s[5] - v[2] * s[4] + v[4] * s[2] - v[5] * s[1],
        v[2] * s[3] - v[0] * s[5] + v[5] * s[0] - v[3] * s[2],
        v[0] * s[4] - v[1] * s[3] + v[3] * s[1] - v[4] * s[0],
    )


@inline
def cross_force(v, f):
    """v ×* f: rate of change of a force vector f that moves with velocity v."""
    return (
        v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
        v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
        v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
        v[1] * f[5] - v[2] * f[4],
        v[2] * f[3] - v[0] * f[5],
        v[0] * f[4] - v[1] * f[3],
    )


@inline
def inertia_about(moments, r, offset, mass):
    """Inertia with principal axes r (columns), about a point from which the centre of mass is at `offset`."""
    x, y, z = offset
    return (
        r[0] * r[0] * moments[0] + r[1] * r[1] * moments[1] + r[2] * r[2] * moments[2] + mass * (y * y + z * z),
        r[3] * r[3] * moments[0] + r[4] * r[4] * moments[1] + r[5] * r[5] * moments[2] + mass * (x * x + z * z),
        r[6] * r[6] * moments[0] + r[7] * r[7] * moments[1] + r[8] * r[8] * moments[2] + mass * (x * x + y * y),
        r[0] * r[3] * moments[0] + r[1] * r[4] * moments[1] + r[2] * r[5] * moments[2] - mass * x * y,
        r[0] * r[6] * moments[0] + r[1] * r[7] * moments[1] + r[2] * r[8] * moments[2] - mass * x * z,
        r[3] * r[6] * moments[0] + r[4] * r[7] * moments[1] + r[5] * r[8] * moments[2] - mass * y * z,
        mass * x,
        mass * y,
        mass * z,
        mass,
    )


@inline
def mul_inertia(i, v):
    """I v: momentum of inertia i at velocity v, or force at acceleration v."""
    return (
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    )
