"""Recursive Newton-Euler: the forces that keep the model on its way.

(cvel, cdof_dot, cinert, cdof) -> (qfrc_bias). Root to leaves: acceleration with no joint acceleration, the world
accelerating upwards instead of gravity pulling down; force on each body f = I a + v ×* I v. Leaves to
root: forces add up, and each dof carries its share.
"""

from sim.enums import DSBL_GRAVITY
from sim.jit import kernel
from sim.math.spatial import add6, add_scaled6, cross_force, dot6, get6, get10, mul_inertia, put6


@kernel
def rne(m, d):
    """(cvel, cdof_dot, cinert, cdof, qvel) -> (qfrc_bias)"""
    if m.opt.disableflags & DSBL_GRAVITY:
        put6(d.cacc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        put6(d.cacc, 0, (0.0, 0.0, 0.0, -m.opt.gravity[0], -m.opt.gravity[1], -m.opt.gravity[2]))
    # accelerations and forces, root to leaves
    for b in range(1, m.nbody):
        acc = get6(d.cacc, m.body_parentid[b])
        first = m.body_dofadr[b]
        for v in range(first, first + m.body_dofnum[b]):
            acc = add_scaled6(acc, get6(d.cdof_dot, v), d.qvel[v])
        put6(d.cacc, b, acc)
        i = get10(d.cinert, b)
        vel = get6(d.cvel, b)
        put6(d.cfrc, b, add6(mul_inertia(i, acc), cross_force(vel, mul_inertia(i, vel))))
    # forces of all that hangs on a body, leaves to root
    for b in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[b]
        if p > 0:
            put6(d.cfrc, p, add6(get6(d.cfrc, p), get6(d.cfrc, b)))
    for v in range(m.nv):
        d.qfrc_bias[v] = dot6(get6(d.cdof, v), get6(d.cfrc, m.dof_bodyid[v]))
