"""All smooth forces together, and the acceleration they give.

(qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied) -> (qfrc_smooth, qacc_smooth):
qacc_smooth = M⁻¹ (passive - bias + applied + actuator + Jᵀ xfrc).
"""

from sim.inertia import solve
from sim.jit import helper, kernel
from sim.math.spatial import dot6, get6
from sim.math.vec import cross, get3, sub3


@helper
def add_body_wrench(m, d, b):
    """qfrc_smooth += Jᵀ xfrc_applied[b]: the force acts at the body's centre of mass."""
    w = get6(d.xfrc_applied, b)
    if w[0] == 0.0 and w[1] == 0.0 and w[2] == 0.0 and w[3] == 0.0 and w[4] == 0.0 and w[5] == 0.0:
        return
    # the same wrench about the tree's centre of mass, turning part first
    force = (w[0], w[1], w[2])
    t = cross(sub3(get3(d.xipos, b), get3(d.subtree_com, m.body_rootid[b])), force)
    wrench = (w[3] + t[0], w[4] + t[1], w[5] + t[2], w[0], w[1], w[2])
    # on every dof above the body
    moved = m.body_weldid[b]
    v = m.body_dofadr[moved] + m.body_dofnum[moved] - 1 if moved > 0 else -1
    while v >= 0:
        d.qfrc_smooth[v] += dot6(get6(d.cdof, v), wrench)
        v = m.dof_parentid[v]


@kernel
def fwd_acceleration(m, d):
    """(qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied) -> (qfrc_smooth, qacc_smooth)"""
    for v in range(m.nv):
        d.qfrc_smooth[v] = d.qfrc_passive[v] - d.qfrc_bias[v] + d.qfrc_applied[v] + d.qfrc_actuator[v]
    for b in range(1, m.nbody):
        add_body_wrench(m, d, b)
    for v in range(m.nv):
        d.qacc_smooth[v] = d.qfrc_smooth[v]
    solve(m, d.qLD, d.qLDiagInv, d.qacc_smooth)


@kernel
def fwd_constraint(m, d):
    """(qacc_smooth) -> (qfrc_constraint, qacc)"""
    for v in range(m.nv):
        d.qfrc_constraint[v] = 0.0
        d.qacc[v] = d.qacc_smooth[v]
