"""Recursive Newton-Euler: the forces that keep the model on its way.

Root to leaves: acceleration of each body, the world accelerating upwards instead of gravity pulling down; force
on each body f = I a + v ×* I v. Leaves to root: forces add up, and each dof carries its share.
rne: without joint acceleration -> (qfrc_bias); rne_acc: with qacc -> (qfrc_rne), so that qfrc_rne - qfrc_bias is M qacc
less armature; rne_postconstraint: what sensors of force and acceleration read -> (cacc, cfrc_ext, cfrc_int).
"""

from sim.enums import DSBL_GRAVITY
from sim.jit import helper, kernel
from sim.math.spatial import add6, add_scaled6, cross_force, dot6, get6, get10, mul_inertia, put6
from sim.math.vec import add3, cross, get3, sub3
from sim.tendon import add_tendon_force, tendon_acceleration, tendon_inertia, tendons_have_inertia


@helper
def put_accelerations(m, d, out, with_qacc):
    """Accelerations of all bodies, root to leaves."""
    if m.opt.disableflags & DSBL_GRAVITY:
        put6(out, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        put6(out, 0, (0.0, 0.0, 0.0, -m.opt.gravity[0], -m.opt.gravity[1], -m.opt.gravity[2]))
    for b in range(1, m.nbody):
        acc = get6(out, m.body_parentid[b])
        first = m.body_dofadr[b]
        for v in range(first, first + m.body_dofnum[b]):
            acc = add_scaled6(acc, get6(d.cdof_dot, v), d.qvel[v])
            if with_qacc:
                acc = add_scaled6(acc, get6(d.cdof, v), d.qacc[v])
        put6(out, b, acc)


@helper
def body_force(d, b, acc):
    """Force that gives body b its acceleration."""
    i = get10(d.cinert, b)
    vel = get6(d.cvel, b)
    return add6(mul_inertia(i, acc), cross_force(vel, mul_inertia(i, vel)))


@helper
def put_joint_forces(m, d, out, with_qacc):
    """Force that each dof has to carry."""
    put_accelerations(m, d, d.rne_acceleration, with_qacc)
    for b in range(1, m.nbody):
        put6(d.rne_force, b, body_force(d, b, get6(d.rne_acceleration, b)))
    # forces of all that hangs on a body, leaves to root
    for b in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[b]
        if p > 0:
            put6(d.rne_force, p, add6(get6(d.rne_force, p), get6(d.rne_force, b)))
    for v in range(m.nv):
        out[v] = dot6(get6(d.cdof, v), get6(d.rne_force, m.dof_bodyid[v]))


@kernel
def rne(m, d):
    """(cvel, cdof_dot, cinert, cdof, qvel) -> (qfrc_bias)"""
    put_joint_forces(m, d, d.qfrc_bias, False)


@kernel(when=tendons_have_inertia)
def tendon_bias(m, d):
    """(rne_acceleration, cvel, ten_J) -> (qfrc_bias): += Jᵀ armature J̇ qvel"""
    for t in range(m.ntendon):
        inertia = tendon_inertia(m, t)
        if inertia != 0.0:
            # gravity is in all accelerations alike and drops out of their differences
            add_tendon_force(m, d, d.qfrc_bias, t, inertia * tendon_acceleration(m, d, t, d.rne_acceleration))


@kernel
def rne_acc(m, d):
    """(cvel, cdof_dot, cinert, cdof, qvel, qacc) -> (qfrc_rne)"""
    put_joint_forces(m, d, d.qfrc_rne, True)


@kernel
def rne_postconstraint(m, d):
    """(xfrc_applied, qacc, ...) -> (cacc, cfrc_ext, cfrc_int)"""
    # external forces, turning part first, about the tree's centre of mass
    put6(d.cfrc_ext, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(1, m.nbody):
        w = get6(d.xfrc_applied, b)
        force = (w[0], w[1], w[2])
        lever = sub3(get3(d.xipos, b), get3(d.subtree_com, m.body_rootid[b]))
        t = add3((w[3], w[4], w[5]), cross(lever, force))
        put6(d.cfrc_ext, b, (t[0], t[1], t[2], w[0], w[1], w[2]))
    # what the joint above a body has to add, for it and all below it
    put_accelerations(m, d, d.cacc, True)
    put6(d.cfrc_int, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(1, m.nbody):
        put6(d.cfrc_int, b, add_scaled6(body_force(d, b, get6(d.cacc, b)), get6(d.cfrc_ext, b), -1.0))
    for b in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[b]
        put6(d.cfrc_int, p, add6(get6(d.cfrc_int, p), get6(d.cfrc_int, b)))
