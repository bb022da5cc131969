"""Constraint forces of an acceleration that is given: no search, for the forces are a function of J qacc - aref.

(qacc, rows) -> (block.force, block.pull), and from there to efc_force, efc_state and qfrc_constraint. The formulas
are those of the primal solvers, with every kind of row and cone.
"""

from sim.enums import ENBL_INVDISCRETE, INT_SPRINGDAMPER
from sim.jit import helper, kernel
from sim.stages.solver.block import set_rows, take_all
from sim.stages.solver.primal import update_forces


@helper
def spread_pull(m, d):
    """(block.pull) -> (block.pull by dofs): nothing pulls at those that sleep, which are not in the block"""
    k = d.nv_awake - 1
    for v in range(m.nv - 1, -1, -1):
        awake = k >= 0 and d.dof_awake_ind[k] == v
        d.block.pull[v] = d.block.pull[k] if awake else 0.0
        k -= 1 if awake else 0


@kernel
def force_from_acc(m, d):
    """(qacc, efc_J, efc_aref, ...) -> (block.force, state, pull)"""
    if d.nefc == 0:
        for v in range(m.nv):
            d.block.pull[v] = 0.0
        return
    take_all(m, d)
    set_rows(d.block.jar, m, d, d.block.acc)
    for r in range(d.nefc):
        d.block.jar[r] -= d.block.aref[r]
    update_forces(m, d)
    spread_pull(m, d)


@kernel
def keep_forces(m, d):
    """(block.force, state, pull) -> (efc_force, efc_state, qfrc_constraint)"""
    for r in range(d.nefc):
        d.efc_force[r] = d.block.force[r]
        d.efc_state[r] = d.block.state[r]
    for v in range(m.nv):
        d.qfrc_constraint[v] = d.block.pull[v]


@helper
def acc_of_step(m):
    """Whether qacc is the change of velocity of a step over its length, not that at an instant."""
    return m.opt.enableflags & ENBL_INVDISCRETE != 0 or m.opt.integrator == INT_SPRINGDAMPER


@kernel(when=acc_of_step)
def exchange_acc(m, d, back: int):
    """(qacc, inverse.acc) -> (qacc): the acceleration at an instant for that of a step, or the latter back"""
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
