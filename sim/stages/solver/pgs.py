"""Projected Gauss-Seidel with Nesterov momentum: row by row, contacts with elliptic cones as blocks.

Each sweep visits the rows in a new random order, the same in every run. Between sweeps the forces are extrapolated by
(k - 1) / (k + 2) of their last change; k is reset when a sweep opposes the momentum.
"""

from math import sqrt
from typing import TYPE_CHECKING

from sim.enums import CONE_ELLIPTIC, DSBL_WARMSTART, MINVAL, NISLAND, SOL_PGS
from sim.jit import helper, inline, kernel
from sim.math.dense import dot
from sim.stages.constraint.row import is_sparse
from sim.stages.solver.block import solve_m
from sim.stages.solver.dual import (
    add_force,
    add_forces,
    clamp,
    fill_diagonal_block,
    finish_dual,
    force_states,
    make_dual,
    mul_a_row,
    no_line_search,
    project_on_ellipsoid,
    set_residuals,
    start_forces,
)
from sim.stages.solver.primal import record, update_forces
from sim.stages.solver.qcqp import qcqp2, solve_friction
from sim.state.endless import MANY, pause

if TYPE_CHECKING:
    from sim.typed_fields import ModelFields

WORSE = 1e-10  # a step that raises the cost by more is rejected

# random numbers, PCG32: the multiplier in two halves
MASK32 = 0xFFFFFFFF
MULTIPLIER_HIGH, MULTIPLIER_LOW = 0x5851F42D, 0x4C957F2D


def elliptic_pgs(m: "ModelFields") -> bool:
    """Whether contacts are updated as blocks."""
    return m.opt.solver == SOL_PGS and m.opt.cone == CONE_ELLIPTIC


# ---------------------------------------------------------------- a random order


@inline
def next_state(high, low):
    """state × multiplier + 1, in 64 bits as two halves. No product needs more than 63 bits."""
    part0 = low * (MULTIPLIER_LOW & 0xFFFF)
    part1 = low * (MULTIPLIER_LOW >> 16)
    sum_ = part0 + ((part1 & 0xFFFF) << 16) + 1
    carry = (sum_ >> 32) + (part1 >> 16)
    return (carry + ((low * MULTIPLIER_HIGH) & MASK32) + ((high * MULTIPLIER_LOW) & MASK32)) & MASK32, sum_ & MASK32


@inline
def random_bits(high, low):
    """32 random bits from the state: PCG's XSH RR output."""
    mixed_high = high ^ (high >> 18)
    mixed_low = low ^ (((high << 14) & MASK32) | (low >> 18))
    bits = ((mixed_high << 5) | (mixed_low >> 27)) & MASK32
    turn = high >> 27
    return ((bits >> turn) | (bits << ((32 - turn) & 31))) & MASK32


@helper
def shuffle(d, n, high, low):
    """Fisher-Yates shuffle of the n entries of dual.order; returns the state of the generator."""
    for i in range(n - 1, 0, -1):
        # bits mod (i + 1) by floating-point division: exact, and twice as fast as integer division
        bits = random_bits(high, low)
        j = bits - int(bits / (i + 1)) * (i + 1)
        high, low = next_state(high, low)
        first = d.dual.order[i]
        d.dual.order[i] = d.dual.order[j]
        d.dual.order[j] = first
    return high, low


@helper
def list_rows(m, d):
    """(block.*) -> (dual.order, A); returns the number of rows, a contact with an elliptic cone counting as one"""
    n = 0
    c = 0
    r = 0
    while r < d.block.nefc:
        size = 1
        d.dual.contact[r] = -1
        if c < d.block.ncone and d.block.cone[c] == r:
            d.dual.contact[r] = d.block.contact[c]
            size = d.contact.dim[d.block.contact[c]]
            c += 1
        fill_diagonal_block(m, d, r, size)
        for j in range(size):
            d.dual.inverse[r + j] = 1.0 / (d.dual.A[r + j, j] + d.block.R[r + j])
        d.dual.order[n] = r
        n += 1
        r += size
    return n


# ---------------------------------------------------------------- momentum


@helper
def extrapolate_vector(x, old, n, part):
    """x += part · (x - old); old <- x before that"""
    for k in range(n):
        now = x[k]
        x[k] = now + part * (now - old[k])
        old[k] = now


@helper
def extrapolate(m, d, part):
    """Extrapolate the forces by a part of their last change, and project them on their bounds."""
    if d.dual.full:
        extrapolate_vector(d.dual.w, d.dual.old_w, d.block.nefc, part)
    else:
        extrapolate_vector(d.dual.z, d.dual.old_z, d.block.nv, part)
    for r in range(d.block.nefc):
        f = d.block.force[r]
        d.block.force[r] = f + part * (f - d.dual.old_force[r])
        d.dual.old_force[r] = f
    # z and w were extrapolated without bounds: apply the projection to them too
    free = d.block.ne + d.block.nf
    for r in range(d.block.ne, free):
        f = d.block.force[r]
        d.block.force[r] = clamp(f, d.block.floss[r])
        add_force(m, d, r, d.block.force[r] - f)
    for r in range(free, d.block.nefc):
        f = d.block.force[r]
        if f < 0.0 and d.block.D_unilateral[r] > 0.0:
            d.block.force[r] = 0.0
            add_force(m, d, r, -f)
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        contact = d.block.contact[c]
        dim = d.contact.dim[contact]
        for j in range(dim):
            d.dual.before[j] = d.block.force[r + j]
        if d.block.force[r] < 0.0:
            for j in range(dim):
                d.block.force[r + j] = 0.0
            add_forces(m, d, r, dim, d.dual.before)
        elif project_on_ellipsoid(d, r, contact, d.block.force, r + 1, False):
            add_forces(m, d, r, dim, d.dual.before)


@helper
def reset_momentum(d):
    """No extrapolation: the last change counts as zero."""
    for v in range(d.block.nv):
        d.dual.old_z[v] = d.dual.z[v]
    for r in range(d.block.nefc):
        d.dual.old_w[r] = d.dual.w[r]
        d.dual.old_force[r] = d.block.force[r]


@helper(reduce=True)
def opposes_momentum(d):
    """Whether the sweep moved the forces against the extrapolation."""
    s = 0.0
    for r in range(d.block.nefc):
        start = d.dual.start_force[r]
        s += (d.block.force[r] - start) * (start - d.dual.old_force[r])
    return s < 0.0


# ---------------------------------------------------------------- a sweep


@helper
def update_row(m, d, r):
    """Update the force of a scalar row; returns the decrease of the cost."""
    old = d.block.force[r]
    residual = d.dual.b[r] + mul_a_row(m, d, r) + d.block.R[r] * old
    f = old - residual * d.dual.inverse[r]
    if r >= d.block.ne + d.block.nf:
        f = max(0.0, f)
    elif r >= d.block.ne:
        f = clamp(f, d.block.floss[r])
    step = f - old
    change = step * (0.5 * step * (d.dual.A[r, 0] + d.block.R[r]) + residual)
    if change > WORSE:
        return 0.0
    d.block.force[r] = f
    add_force(m, d, r, step)
    return -change


@helper
def ray_update(d, r, dim):
    """Ray update: the best multiple of all forces of the contact; without a normal force, the best normal force."""
    normal = d.block.force[r]
    if normal < MINVAL:
        normal -= d.dual.residual[0] * d.dual.inverse[r]
        d.block.force[r] = max(0.0, normal)
        for j in range(1, dim):
            d.block.force[r + j] = 0.0
        return
    square = 0.0
    slope = 0.0
    for j in range(dim):
        s = d.block.R[r + j] * d.dual.before[j]
        for k in range(dim):
            s += d.dual.A[r + j, k] * d.dual.before[k]
        square += s * d.dual.before[j]
        slope += d.dual.residual[j] * d.dual.before[j]
    if square >= MINVAL:
        # at most back to zero
        x = max(-1.0, -slope / square)
        for j in range(dim):
            d.block.force[r + j] += x * d.dual.before[j]


@kernel(when=elliptic_pgs)
def update_contact3(m, d, r: int, contact: int) -> float:
    """update_contact for contacts of dimension 3, without loops"""
    set_residuals(d.dual.residual, m, d, r, 3)
    f0 = d.block.force[r]
    f1 = d.block.force[r + 1]
    f2 = d.block.force[r + 2]
    res0 = d.dual.residual[0] + d.block.R[r] * f0
    res1 = d.dual.residual[1] + d.block.R[r + 1] * f1
    res2 = d.dual.residual[2] + d.block.R[r + 2] * f2
    a00 = d.dual.A[r, 0] + d.block.R[r]
    a01 = d.dual.A[r, 1]
    a02 = d.dual.A[r, 2]
    a11 = d.dual.A[r + 1, 1] + d.block.R[r + 1]
    a12 = d.dual.A[r + 1, 2]
    a22 = d.dual.A[r + 2, 2] + d.block.R[r + 2]
    # the best normal force, or the best multiple of all three
    n0 = f0
    if f0 < MINVAL:
        n0 = max(0.0, f0 - res0 * d.dual.inverse[r])
    else:
        square = a00 * f0 * f0 + a11 * f1 * f1 + a22 * f2 * f2 + 2.0 * (a01 * f0 * f1 + a02 * f0 * f2 + a12 * f1 * f2)
        if square >= MINVAL:
            n0 += f0 * max(-1.0, -(f0 * res0 + f1 * res1 + f2 * res2) / square)
    # friction, the normal force being what it is now
    n1 = n2 = 0.0
    if n0 >= MINVAL:
        mu1 = d.contact.friction[contact, 0]
        mu2 = d.contact.friction[contact, 1]
        b1 = (res1 - a11 * f1 - a12 * f2 + a01 * (n0 - f0)) * mu1
        b2 = (res2 - a12 * f1 - a22 * f2 + a02 * (n0 - f0)) * mu2
        n1, n2, shift = qcqp2(a11 * mu1 * mu1, a12 * mu1 * mu2, a22 * mu2 * mu2, b1, b2, n0)
        if shift != 0.0:
            scale = n0 / sqrt(max(MINVAL, n1 * n1 + n2 * n2))
            n1 *= scale
            n2 *= scale
        n1 *= mu1
        n2 *= mu2
    s0 = n0 - f0
    s1 = n1 - f1
    s2 = n2 - f2
    square = a00 * s0 * s0 + a11 * s1 * s1 + a22 * s2 * s2 + 2.0 * (a01 * s0 * s1 + a02 * s0 * s2 + a12 * s1 * s2)
    change = 0.5 * square + s0 * res0 + s1 * res1 + s2 * res2
    if change > WORSE:
        return 0.0
    d.dual.before[0] = f0
    d.dual.before[1] = f1
    d.dual.before[2] = f2
    d.block.force[r] = n0
    d.block.force[r + 1] = n1
    d.block.force[r + 2] = n2
    add_forces(m, d, r, 3, d.dual.before)
    return -change


@kernel(when=elliptic_pgs)
def update_contact(m, d, r: int, contact: int) -> float:
    """Update the forces of a contact with an elliptic cone; returns the decrease of the cost"""
    dim = d.contact.dim[contact]
    set_residuals(d.dual.residual, m, d, r, dim)
    for j in range(dim):
        d.dual.before[j] = d.block.force[r + j]
        d.dual.residual[j] += d.block.R[r + j] * d.block.force[r + j]
    ray_update(d, r, dim)
    # friction, the normal force being what it is now
    n = dim - 1
    normal = d.block.force[r]
    if normal < MINVAL:
        for j in range(1, dim):
            d.block.force[r + j] = 0.0
    else:
        for i in range(n):
            s = d.dual.residual[i + 1] + d.dual.A[r + i + 1, 0] * (normal - d.dual.before[0])
            for j in range(n):
                a = d.dual.A[r + i + 1, j + 1]
                if i == j:
                    a += d.block.R[r + i + 1]
                d.dual.matrix[i * n + j] = a
                s -= a * d.dual.before[j + 1]
            d.dual.offset[i] = s
        solve_friction(m, d, r, contact)
    change = 0.0
    for j in range(dim):
        step = d.block.force[r + j] - d.dual.before[j]
        s = d.block.R[r + j] * step
        for k in range(dim):
            s += d.dual.A[r + j, k] * (d.block.force[r + k] - d.dual.before[k])
        change += 0.5 * step * s + step * d.dual.residual[j]
    if change > WORSE:
        for j in range(dim):
            d.block.force[r + j] = d.dual.before[j]
        return 0.0
    add_forces(m, d, r, dim, d.dual.before)
    return -change


# ---------------------------------------------------------------- the solver


@helper(reduce=True)
def row_cost(d):
    """½ fᵀ R f + bᵀ f"""
    s = 0.0
    for r in range(d.block.nefc):
        f = d.block.force[r]
        s += f * (0.5 * d.block.R[r] * f + d.efc_b[d.block.row[r]])
    return s


@kernel(when=lambda m: m.opt.solver == SOL_PGS)
def warm_start_forces(m, d):
    """(block.jar at qacc_warmstart) -> (block.force): the forces at qacc_warmstart, or zero if that costs less"""
    warm = not (m.opt.disableflags & DSBL_WARMSTART)
    if warm:
        # ½ fᵀ J M⁻¹ Jᵀ f = ½ (Jᵀf) · M⁻¹ (Jᵀf)
        update_forces(m, d)
        for v in range(d.block.nv):
            d.block.spare[v] = d.block.qfrc_constraint[v]
        solve_m(d.block.spare, d)
        warm = not row_cost(d) + 0.5 * dot(d.block.qfrc_constraint, 0, d.block.spare, 0, d.block.nv) > 0.0
    if not warm:
        for r in range(d.block.nefc):
            d.block.force[r] = 0.0


@kernel(when=lambda m: m.opt.solver == SOL_PGS)
def pgs(m, d, island: int) -> int:
    """(block.*) -> (block.force, state, acc, qfrc_constraint; statistics); returns 0 on overflow of dual.Y"""
    stat = max(0, island)
    if not make_dual(m, d, 1):
        return 0
    start_forces(m, d)
    force_states(m, d)
    n = list_rows(m, d)
    no_line_search(d)
    high, low = next_state(0, 0)
    iterations = 0
    k = 0
    done = False
    while not done and iterations < m.opt.iterations:
        if k > 1:
            extrapolate(m, d, (k - 1.0) / (k + 2.0))
        else:
            reset_momentum(d)
        for r in range(d.block.nefc):
            d.dual.start_force[r] = d.block.force[r]
        high, low = shuffle(d, n, high, low)
        gain = 0.0
        for i in range(n):
            r = d.dual.order[i]
            contact = d.dual.contact[r]
            if contact < 0:
                gain += update_row(m, d, r)
            elif d.contact.dim[contact] == 3:
                gain += update_contact3(m, d, r, contact)
            else:
                gain += update_contact(m, d, r, contact)
        nchange = force_states(m, d)
        gain *= d.block.scale
        record(d, stat, iterations, gain, 0.0, nchange)
        k = 0 if iterations > 0 and opposes_momentum(d) else k + 1
        iterations += 1
        if iterations % MANY == 0:
            pause()
        done = gain < m.opt.tolerance
    finish_dual(m, d)
    d.block.gradient = 0.0
    if stat < NISLAND:
        d.solver_niter[stat] += iterations
        d.solver_nnz[stat] = d.nY if is_sparse(m) else d.block.nefc * d.block.nefc
    return 1
