"""QCQP for the friction of one contact: minimise ½ xᵀ A x + bᵀ x subject to Σ (xᵢ / μᵢ)² ≤ N².

N is the normal force. Scaled by μ the ellipsoid is a ball, and the solution is -(A + λI)⁻¹ b with the smallest
multiplier λ ≥ 0 that brings it inside; Newton's method finds λ, from zero up. A nearly singular matrix gives no
friction.
"""

from math import sqrt

from sim.jit import helper, kernel
from sim.stages.solver.dual import needs_dual, project_on_ellipsoid

SMALL = 1e-10
MAX_ITERATIONS = 20


@helper
def qcqp2(a11, a12, a22, b1, b2, radius):
    """(x₁, x₂, λ) in two dimensions."""
    shift = 0.0
    x1 = x2 = 0.0
    for _ in range(MAX_ITERATIONS):
        det = (a11 + shift) * (a22 + shift) - a12 * a12
        if det < SMALL:
            return 0.0, 0.0, 0.0
        inv = 1.0 / det
        p11 = (a22 + shift) * inv
        p22 = (a11 + shift) * inv
        p12 = -a12 * inv
        x1 = -p11 * b1 - p12 * b2
        x2 = -p12 * b1 - p22 * b2
        outside = x1 * x1 + x2 * x2 - radius * radius
        if outside < SMALL:
            break
        more = outside / (2.0 * (p11 * x1 * x1 + 2.0 * p12 * x1 * x2 + p22 * x2 * x2))
        if more < SMALL:
            break
        shift += more
    return x1, x2, shift


@helper
def qcqp3(d, radius):
    """λ in three dimensions; fills dual.point."""
    a11 = d.dual.matrix[0]
    a12 = d.dual.matrix[1]
    a13 = d.dual.matrix[2]
    a22 = d.dual.matrix[4]
    a23 = d.dual.matrix[5]
    a33 = d.dual.matrix[8]
    b1 = d.dual.offset[0]
    b2 = d.dual.offset[1]
    b3 = d.dual.offset[2]
    shift = 0.0
    x1 = x2 = x3 = 0.0
    for _ in range(MAX_ITERATIONS):
        d1 = a11 + shift
        d2 = a22 + shift
        d3 = a33 + shift
        p11 = d2 * d3 - a23 * a23
        p22 = d1 * d3 - a13 * a13
        p33 = d1 * d2 - a12 * a12
        p12 = a13 * a23 - a12 * d3
        p13 = a12 * a23 - a13 * d2
        p23 = a12 * a13 - a23 * d1
        det = d1 * p11 + a12 * p12 + a13 * p13
        if det < SMALL:
            d.dual.point[0] = 0.0
            d.dual.point[1] = 0.0
            d.dual.point[2] = 0.0
            return 0.0
        x1 = -(p11 * b1 + p12 * b2 + p13 * b3) / det
        x2 = -(p12 * b1 + p22 * b2 + p23 * b3) / det
        x3 = -(p13 * b1 + p23 * b2 + p33 * b3) / det
        outside = x1 * x1 + x2 * x2 + x3 * x3 - radius * radius
        if outside < SMALL:
            break
        mixed = 2.0 * (p12 * x1 * x2 + p13 * x1 * x3 + p23 * x2 * x3)
        more = outside * det / (2.0 * (p11 * x1 * x1 + p22 * x2 * x2 + p33 * x3 * x3 + mixed))
        if more < SMALL:
            break
        shift += more
    d.dual.point[0] = x1
    d.dual.point[1] = x2
    d.dual.point[2] = x3
    return shift


@helper
def factor_shifted(d, n, shift):
    """dual.factor <- U, UᵀU = matrix + shift I; false if it is singular."""
    for i in range(n):
        for j in range(i, n):
            s = d.dual.matrix[i * n + j]
            for k in range(i):
                s -= d.dual.factor[k * n + i] * d.dual.factor[k * n + j]
            if i == j:
                s += shift
                if s < SMALL:
                    return False
                d.dual.factor[i * n + i] = sqrt(s)
            else:
                d.dual.factor[i * n + j] = s / d.dual.factor[i * n + i]
    return True


@helper
def solve_shifted(out, d, n, b, sign):
    """out <- sign · (UᵀU)⁻¹ b"""
    for i in range(n):
        s = sign * b[i]
        for k in range(i):
            s -= d.dual.factor[k * n + i] * out[k]
        out[i] = s / d.dual.factor[i * n + i]
    for i in range(n - 1, -1, -1):
        s = out[i]
        for k in range(i + 1, n):
            s -= d.dual.factor[i * n + k] * out[k]
        out[i] = s / d.dual.factor[i * n + i]


@helper
def qcqp(d, n, radius):
    """λ in n dimensions; fills dual.point."""
    shift = 0.0
    for _ in range(MAX_ITERATIONS):
        if not factor_shifted(d, n, shift):
            for i in range(n):
                d.dual.point[i] = 0.0
            return 0.0
        solve_shifted(d.dual.point, d, n, d.dual.offset, -1.0)
        outside = -radius * radius
        for i in range(n):
            outside += d.dual.point[i] * d.dual.point[i]
        if outside < SMALL:
            break
        solve_shifted(d.dual.slope, d, n, d.dual.point, 1.0)
        slope = 0.0
        for i in range(n):
            slope += d.dual.point[i] * d.dual.slope[i]
        more = outside / (2.0 * slope)
        if more < SMALL:
            break
        shift += more
    return shift


@kernel(when=needs_dual)
def solve_friction(m, d, r: int, contact: int):
    """(dual.matrix, offset; the normal force in row r) -> (friction forces of the contact)"""
    n = d.contact.dim[contact] - 1
    # scale the ellipsoid to a ball
    for i in range(n):
        d.dual.offset[i] *= d.contact.friction[contact, i]
        for j in range(n):
            d.dual.matrix[i * n + j] *= d.contact.friction[contact, i] * d.contact.friction[contact, j]
    normal = d.block.force[r]
    if n == 2:
        a = d.dual.matrix
        b = d.dual.offset
        b[0], b[1], shift = qcqp2(a[0], a[1], a[3], b[0], b[1], normal)
        d.dual.point[0] = b[0]
        d.dual.point[1] = b[1]
    elif n == 3:
        shift = qcqp3(d, normal)
    else:
        shift = qcqp(d, n, normal)
    for i in range(n):
        d.dual.point[i] *= d.contact.friction[contact, i]
    # Newton's method approaches from outside and may stop there
    if shift != 0.0:
        project_on_ellipsoid(d, r, contact, d.dual.point, 0, True)
    for i in range(n):
        d.block.force[r + 1 + i] = d.dual.point[i]
