"""3x3 matrices as tuples of nine numbers by rows: sums, products, skew and outer products."""

from sim.jit import inline


@inline
def add_mat(a, b):
    return (
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
        a[6] + b[6],
        a[7] + b[7],
        a[8] + b[8],
    )


@inline
def scale_mat(a, s):
    return s * a[0], s * a[1], s * a[2], s * a[3], s * a[4], s * a[5], s * a[6], s * a[7], s * a[8]


@inline
def sub_mat(a, b):
    return add_mat(a, scale_mat(b, -1.0))


@inline
def transpose(a):
    return a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]


@inline
def mul_mat(a, b):
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@inline
def skew(v):
    """The cross product matrix: skew(v) x is v × x."""
    return 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0


@inline
def outer(a, b):
    """a bᵀ"""
    return (
        a[0] * b[0],
        a[0] * b[1],
        a[0] * b[2],
        a[1] * b[0],
        a[1] * b[1],
        a[1] * b[2],
        a[2] * b[0],
        a[2] * b[1],
        a[2] * b[2],
    )


@inline
def diagonal(a, b, c):
    return a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c


@inline
def scale_columns(a, v):
    """a · diag(v)"""
    return (
        a[0] * v[0],
        a[1] * v[1],
        a[2] * v[2],
        a[3] * v[0],
        a[4] * v[1],
        a[5] * v[2],
        a[6] * v[0],
        a[7] * v[1],
        a[8] * v[2],
    )
