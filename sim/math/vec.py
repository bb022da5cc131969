"""3D vectors as tuples: arithmetic, and access to rows of arrays.

Tuples cost nothing in native code: they are kept in registers.
"""

from math import sqrt

from sim.enums import MINVAL
from sim.jit import inline


@inline
def get3(a, i):
    return a[i, 0], a[i, 1], a[i, 2]


@inline
def put3(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]


@inline
def get4(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3]


@inline
def put4(a, i, v):
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]
    a[i, 3] = v[3]


@inline
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inline
def sub3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inline
def scale3(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@inline
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inline
def norm3(a):
    return sqrt(dot3(a, a))


@inline
def normalize3(a):
    """Unit vector; the x axis if the vector is shorter than MINVAL."""
    n = norm3(a)
    if n < MINVAL:
        return 1.0, 0.0, 0.0
    return scale3(a, 1.0 / n)
