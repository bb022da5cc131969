"""Constraint rows of dry friction: dofs and tendons with frictionloss, which bounds the force of the row."""

from sim.enums import CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON
from sim.jit import helper, kernel
from sim.stages.constraint.row import close_rows, has_capacity, init_row, one_entry
from sim.stages.constraint.tendon import tendon_row
from sim.stages.sleep.awake import tendon_sleeps


@helper
def has_friction(m):
    """Whether some dof or tendon has dry friction."""
    found = False
    for v in range(m.nv):
        found |= m.dof_frictionloss[v] != 0.0
    for t in range(m.ntendon):
        found |= m.tendon_frictionloss[t] > 0.0
    return found


@helper
def close_friction(d, row_type, index, width, loss, weight):
    """Finish a friction row, as far as it fits."""
    if has_capacity(d, 1, width):
        init_row(d, d.nefc, row_type, index)
        d.efc_frictionloss[d.nefc] = loss
        d.efc_diagA[d.nefc] = weight
    close_rows(d, 1, width)


@kernel(when=has_friction)
def friction_rows(m, d):
    """(ten_J) -> (efc_*, nefc, nJ)"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            if m.dof_frictionloss[v] != 0.0:
                width = one_entry(m, d, v, 1.0)
                close_friction(d, CNSTR_FRICTION_DOF, v, width, m.dof_frictionloss[v], m.dof_invweight0[v])
    for t in range(m.ntendon):
        if m.tendon_frictionloss[t] > 0.0 and not tendon_sleeps(m, d, t):
            width = tendon_row(m, d, t, 1.0)
            if width > 0:
                close_friction(d, CNSTR_FRICTION_TENDON, t, width, m.tendon_frictionloss[t], m.tendon_invweight0[t])
