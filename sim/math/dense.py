"""Dense vectors and symmetric matrices in flat arrays: dot products, Cholesky factor, solve and rank-one update.

A symmetric matrix is stored as its upper triangle by rows: entry (i, j), j ≥ i, is at i·n + j. Its factor is the
upper triangle U with A = UᵀU. Factorization, solve and rank-one update all run along rows; with the lower triangle by
rows, the update would run down columns. Four rows are eliminated at a time, which saves three of four passes over the
current row.
"""

from math import sqrt

from sim.enums import MINVAL
from sim.jit import helper


@helper(reduce=True)
def dot(a, i, b, j, n):
    """Σ a[i + k] b[j + k]"""
    s = 0.0
    for k in range(n):
        s += a[i + k] * b[j + k]
    return s


@helper(reduce=True)
def dot_four(a, at, b, n):
    """Σ a[at[i] + k] b[k] for four rows at the cost of little more than one."""
    i, j, p, q = at
    s0 = s1 = s2 = s3 = 0.0
    for k in range(n):
        s0 += a[i + k] * b[k]
        s1 += a[j + k] * b[k]
        s2 += a[p + k] * b[k]
        s3 += a[q + k] * b[k]
    return s0, s1, s2, s3


@helper
def add_to_four(a, to, n, b, at, s):
    """a[to:to+n] += s₀ row₀ + s₁ row₁ + s₂ row₂ + s₃ row₃; row k starts at at[k] in b."""
    i, j, p, q = at
    for k in range(n):
        a[to + k] += s[0] * b[i + k] + s[1] * b[j + k] + s[2] * b[p + k] + s[3] * b[q + k]


@helper
def add_to_two(a, to, n, b, at, s):
    """a[to:to+n] += s₀ row₀ + s₁ row₁; row k starts at at[k] in b."""
    i, j = at
    for k in range(n):
        a[to + k] += s[0] * b[i + k] + s[1] * b[j + k]


@helper
def add_to_one(a, to, n, b, first, s):
    """a[to:to+n] += s · b[first:first+n]"""
    for k in range(n):
        a[to + k] += s * b[first + k]


@helper
def chol_factor(a, n):
    """A -> U in place. Returns the rank: a pivot that is not positive is set to MINVAL, and its row to zero."""
    rank = n
    for i in range(n):
        row = i * n
        left = n - i
        # eliminate the rows above
        k = 0
        while k + 4 <= i:
            first = k * n + i
            at = (first, first + n, first + 2 * n, first + 3 * n)
            s = (-a[at[0]], -a[at[1]], -a[at[2]], -a[at[3]])
            add_to_four(a, row + i, left, a, at, s)
            k += 4
        while k < i:
            add_to_one(a, row + i, left, a, k * n + i, -a[k * n + i])
            k += 1
        # the pivot, and its row
        pivot = a[row + i]
        inv = 0.0
        if pivot < MINVAL:
            pivot = MINVAL
            rank -= 1
            root = sqrt(pivot)
        else:
            root = sqrt(pivot)
            inv = 1.0 / root
        a[row + i] = root
        for j in range(i + 1, n):
            a[row + j] *= inv
    return rank


@helper(reduce=True)
def chol_solve(x, u, n):
    """x <- (UᵀU)⁻¹ x"""
    for i in range(n):
        row = i * n
        s = x[i] / u[row + i]
        x[i] = s
        if s != 0.0:
            for j in range(i + 1, n):
                x[j] -= s * u[row + j]
    for i in range(n - 1, -1, -1):
        row = i * n
        s = 0.0
        for j in range(i + 1, n):
            s += u[row + j] * x[j]
        x[i] = (x[i] - s) / u[row + i]


@helper
def chol_update(u, x, n, sign):
    """Rank-one update: the factor of UᵀU + sign · x xᵀ, sign = ±1, in place of U. Overwrites x. Returns the rank."""
    rank = n
    for i in range(n):
        xi = x[i]
        if xi == 0.0:
            continue
        row = i * n
        old = u[row + i]
        square = old * old + sign * xi * xi
        if square < MINVAL:
            square = MINVAL
            rank -= 1
        new = sqrt(square)
        c = new / old
        inv = 1.0 / c
        s = xi / old
        u[row + i] = new
        for j in range(i + 1, n):
            value = (u[row + j] + sign * s * x[j]) * inv
            u[row + j] = value
            x[j] = c * x[j] - s * value
    return rank
