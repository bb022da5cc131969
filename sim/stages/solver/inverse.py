"""Constraint forces of inverse dynamics: given qacc, they are an explicit function of J qacc - aref.

(qacc, rows) -> (block.force, block.qfrc_constraint), and from there to efc_force, efc_state and qfrc_constraint. The
formulas are those of the primal solvers, for all types of rows and both cones.
"""

from sim.enums import ENBL_INVDISCRETE, INT_DISCRETE, INT_SPRINGDAMPER
from sim.jit import helper, kernel
from sim.stages.solver.block import gather_all, mul_j
from sim.stages.solver.primal import update_forces


@helper
def scatter_force(m, d):
    """(block.qfrc_constraint) -> (the same, indexed by dof): zero for sleeping dofs, which are not in the block"""
    k = d.nv_awake - 1
    for v in range(m.nv - 1, -1, -1):
        awake = k >= 0 and d.dof_awake_ind[k] == v
        d.block.qfrc_constraint[v] = d.block.qfrc_constraint[k] if awake else 0.0
        k -= 1 if awake else 0


@kernel
def force_from_acc(m, d):
    """(qacc, efc_J, efc_aref, ...) -> (block.force, state, qfrc_constraint)"""
    if d.nefc == 0:
        for v in range(m.nv):
            d.block.qfrc_constraint[v] = 0.0
        return
    gather_all(m, d)
    mul_j(d.block.jar, m, d, d.block.acc)
    for r in range(d.nefc):
        d.block.jar[r] -= d.block.aref[r]
    update_forces(m, d)
    scatter_force(m, d)


@kernel
def save_forces(m, d):
    """(block.force, state, qfrc_constraint) -> (efc_force, efc_state, qfrc_constraint)"""
    for r in range(d.nefc):
        d.efc_force[r] = d.block.force[r]
        d.efc_state[r] = d.block.state[r]
    for v in range(m.nv):
        d.qfrc_constraint[v] = d.block.qfrc_constraint[v]


@helper
def uses_step_acc(m):
    """Whether qacc is that of a discrete step, (v' - v) / h, and not that of continuous time."""
    if m.opt.integrator == INT_DISCRETE:
        # the forces of a step are computed from qacc itself
        return False
    return m.opt.enableflags & ENBL_INVDISCRETE != 0 or m.opt.integrator == INT_SPRINGDAMPER


@kernel(when=uses_step_acc)
def swap_acc(m, d, back: int):
    """(qacc, inverse.acc) -> (qacc): swap in the continuous-time acceleration, or restore that of the step (`back`)"""
    for v in range(m.nv):
        if back:
            d.qacc[v] = d.step_acc[v]
        else:
            d.step_acc[v] = d.qacc[v]
            d.qacc[v] = d.inverse.acc[v]


@kernel
def set_acc(m, d, v: int, x: float):
    """(): qacc of one dof"""
    d.qacc[v] = x
