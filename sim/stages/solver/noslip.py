"""Noslip: a PGS pass over friction forces without regularization (R = 0), normal forces fixed.

Sweeps over dry friction and over the friction of contacts; pyramids in pairs of opposite edges, whose sum is fixed.
"""

from sim.enums import CNSTR_CONTACT_PYRAMIDAL, MINVAL, NISLAND
from sim.jit import helper, kernel
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
    set_residuals,
    start_forces,
)
from sim.stages.solver.primal import record
from sim.stages.solver.qcqp import solve_friction
from sim.state.endless import MANY, pause

LEAST = 1e-10  # lower bound of the diagonal of A
WORSE = 1e-10  # a step that raises the cost by more is rejected


@helper
def update_dry(m, d, r):
    """Update the force of a row of dry friction; returns the decrease of the cost."""
    old = d.block.force[r]
    a = max(MINVAL, d.dual.A[r, 0])
    residual = d.dual.b[r] + mul_a_row(m, d, r)
    f = clamp(old - residual / a, d.block.floss[r])
    step = f - old
    d.block.force[r] = f
    add_force(m, d, r, step)
    return -(0.5 * step * step * a + step * residual)


@helper
def update_pair(m, d, r):
    """Update the forces of two opposite edges of a pyramid; returns the decrease of the cost."""
    old0 = d.block.force[r]
    old1 = d.block.force[r + 1]
    res0 = d.dual.b[r] + mul_a_row(m, d, r)
    res1 = d.dual.b[r + 1] + mul_a_row(m, d, r + 1)
    a00 = max(LEAST, d.dual.A[r, 0])
    a11 = max(LEAST, d.dual.A[r + 1, 1])
    a01 = d.dual.A[r, 1]
    # f₀ = half + y, f₁ = half - y
    half = 0.5 * (old0 + old1)
    curvature = a00 + a11 - 2.0 * a01
    y = 0.0
    if curvature >= MINVAL:
        b0 = res0 - a00 * old0 - a01 * old1
        b1 = res1 - a01 * old0 - a11 * old1
        y = clamp(-(half * (a00 - a11) + b0 - b1) / curvature, half)
    step0 = half + y - old0
    step1 = half - y - old1
    change = 0.5 * (a00 * step0 * step0 + 2.0 * a01 * step0 * step1 + a11 * step1 * step1) + step0 * res0 + step1 * res1
    if change > WORSE:
        return 0.0
    d.block.force[r] = half + y
    d.block.force[r + 1] = half - y
    add_force(m, d, r, step0)
    add_force(m, d, r + 1, step1)
    return -change


@helper
def update_cone(m, d, r, contact):
    """Update the friction forces of a contact with an elliptic cone; returns the decrease of the cost."""
    n = d.contact.dim[contact] - 1
    for i in range(n):
        d.dual.before[i] = d.block.force[r + 1 + i]
    set_residuals(d.dual.residual, m, d, r + 1, n)
    if d.block.force[r] < MINVAL:
        for i in range(n):
            d.block.force[r + 1 + i] = 0.0
    else:
        for i in range(n):
            s = d.dual.residual[i]
            for j in range(n):
                a = d.dual.A[r + 1 + i, j + 1]
                if i == j:
                    a = max(LEAST, a)
                d.dual.matrix[i * n + j] = a
                s -= a * d.dual.before[j]
            d.dual.offset[i] = s
        solve_friction(m, d, r, contact)
    change = 0.0
    for i in range(n):
        step = d.block.force[r + 1 + i] - d.dual.before[i]
        s = 0.0
        for j in range(n):
            a = d.dual.A[r + 1 + i, j + 1]
            if i == j:
                a = max(LEAST, a)
            s += a * (d.block.force[r + 1 + j] - d.dual.before[j])
        change += 0.5 * step * s + step * d.dual.residual[i]
    if change > WORSE:
        for i in range(n):
            d.block.force[r + 1 + i] = d.dual.before[i]
        return 0.0
    add_forces(m, d, r + 1, n, d.dual.before)
    return -change


@helper
def fill_pairs(m, d):
    """(dual.Y) -> (dual.A) of all rows in the sweep"""
    for r in range(d.block.ne, d.block.ne + d.block.nf):
        fill_diagonal_block(m, d, r, 1)
    r = d.block.ne + d.block.nf
    while r < d.block.nefc:
        if d.efc_type[d.block.row[r]] == CNSTR_CONTACT_PYRAMIDAL:
            fill_diagonal_block(m, d, r, 2)
            r += 1
        r += 1
    for c in range(d.block.ncone):
        fill_diagonal_block(m, d, d.block.cone[c], d.contact.dim[d.block.contact[c]])


@helper
def sweep(m, d):
    """One pass over all friction; returns the decrease of the cost."""
    gain = 0.0
    for r in range(d.block.ne, d.block.ne + d.block.nf):
        gain += update_dry(m, d, r)
    r = d.block.ne + d.block.nf
    cone = 0
    while r < d.block.nefc:
        if d.efc_type[d.block.row[r]] == CNSTR_CONTACT_PYRAMIDAL:
            gain += update_pair(m, d, r)
            r += 2
        elif cone < d.block.ncone and d.block.cone[cone] == r:
            contact = d.block.contact[cone]
            gain += update_cone(m, d, r, contact)
            r += d.contact.dim[contact]
            cone += 1
        else:
            r += 1
    return gain


@kernel(when=lambda m: m.opt.noslip_iterations > 0)
def noslip(m, d, island: int) -> int:
    """(block.*) -> (block.force, state, acc, qfrc_constraint; statistics); returns 0 on overflow of dual.Y"""
    stat = max(0, island)
    if not make_dual(m, d, 0):
        return 0
    start_forces(m, d)
    force_states(m, d)
    fill_pairs(m, d)
    no_line_search(d)
    # the regularization ½ fᵀ R f is dropped from the cost
    gain = 0.0
    for r in range(d.block.nefc):
        gain += 0.5 * d.block.force[r] * d.block.force[r] * d.block.R[r]
    before = d.solver_niter[stat] if stat < NISLAND else 0
    iterations = 0
    done = False
    while not done and iterations < m.opt.noslip_iterations:
        gain = d.block.scale * (gain + sweep(m, d))
        nchange = force_states(m, d)
        record(d, stat, before + iterations, gain, 0.0, nchange)
        iterations += 1
        if iterations % MANY == 0:
            pause()
        done = gain < m.opt.noslip_tolerance
        gain = 0.0
    finish_dual(m, d)
    if stat < NISLAND:
        d.solver_niter[stat] = before + iterations
    return 1
