"""Recursive Newton-Euler algorithm: bias forces, inverse dynamics, body accelerations and joint reactions.

Forward pass, root to leaves: acceleration of each body, with the world accelerating upwards in place of gravity, and
the force f = I a + v ×* I v. Backward pass, leaves to root: forces are summed and projected onto the dofs.
rne: without qacc -> (qfrc_bias); rne_acc: with qacc -> (qfrc_rne), so that qfrc_rne - qfrc_bias is M qacc without
armature; rne_postconstraint: for force and acceleration sensors -> (cacc, cfrc_ext, cfrc_int).
"""

from sim.enums import (
    DSBL_GRAVITY,
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_WELD,
    OBJ_BODY,
    SENS_ACCELEROMETER,
    SENS_FORCE,
    SENS_FRAMEANGACC,
    SENS_FRAMELINACC,
    SENS_TORQUE,
    SENS_USER,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.spatial import add6, add_scaled6, cross_force, dot6, get6, get10, mul_inertia, put6
from sim.math.vec import add3, get3, normalize3, scale3, sub3
from sim.stages.constraint.contact_force import add_body_wrench, local_wrench, to_world
from sim.stages.constraint.equality import weld_quats, weld_rates
from sim.stages.sensor.reading import measures
from sim.stages.sleep.awake import tendon_sleeps
from sim.stages.smooth.perturb_force import is_perturbed
from sim.stages.smooth.tendon import (
    ZERO,
    add_tendon_force,
    tendon_acceleration,
    tendon_inertia,
    tendons_have_inertia,
)
from sim.stages.smooth.tendon_tension import add_tensions_to, put_tensions


@inline
def put_world_acceleration(m, out):
    """Acceleration of the world: upwards, in place of gravity."""
    if m.opt.disableflags & DSBL_GRAVITY:
        put6(out, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        put6(out, 0, (0.0, 0.0, 0.0, -m.opt.gravity[0], -m.opt.gravity[1], -m.opt.gravity[2]))


@inline
def put_acceleration(m, d, out, b, with_qacc):
    """Acceleration of a body from its parent's."""
    acc = get6(out, m.body_parentid[b])
    first = m.body_dofadr[b]
    for v in range(first, first + m.body_dofnum[b]):
        acc = add_scaled6(acc, get6(d.cdof_dot, v), d.qvel[v])
        if with_qacc:
            acc = add_scaled6(acc, get6(d.cdof, v), d.qacc[v])
    put6(out, b, acc)


@helper
def body_force(d, b, acc):
    """Net force on body b at this acceleration."""
    i = get10(d.cinert, b)
    vel = get6(d.cvel, b)
    return add6(mul_inertia(i, acc), cross_force(vel, mul_inertia(i, vel)))


@helper
def put_joint_forces(m, d, out, with_qacc):
    """Inverse dynamics: the generalized force of each dof."""
    put_world_acceleration(m, d.rne_acceleration)
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            put_acceleration(m, d, d.rne_acceleration, b, with_qacc)
            put6(d.rne_force, b, body_force(d, b, get6(d.rne_acceleration, b)))
    # sum forces of subtrees, leaves to root
    for s in range(d.span.nbody - 1, -1, -1):
        for b in range(d.span.body[s, 1] - 1, d.span.body[s, 0] - 1, -1):
            p = m.body_parentid[b]
            if p > 0:
                put6(d.rne_force, p, add6(get6(d.rne_force, p), get6(d.rne_force, b)))
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
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
        if inertia != 0.0 and not tendon_sleeps(m, d, t):
            # gravity is the same in all accelerations and cancels in their differences
            add_tendon_force(m, d, d.qfrc_bias, t, inertia * tendon_acceleration(m, d, t, d.rne_acceleration))


@kernel
def rne_acc(m, d):
    """(cvel, cdof_dot, cinert, cdof, qvel, qacc) -> (qfrc_rne)"""
    put_joint_forces(m, d, d.qfrc_rne, True)


# ---------------------------------------------------------------- after the constraint forces are known


@helper
def add_contacts_to(m, d, out):
    """Add the forces of all contacts to both bodies."""
    for c in range(d.ncon):
        if d.contact.efc_address[c] >= 0:
            force, torque = local_wrench(m, d, c)
            force, torque = to_world(d, c, force), to_world(d, c, torque)
            point = get3(d.contact.pos, c)
            add_body_wrench(m, d, out, m.geom_bodyid[d.contact.geom[c, 0]], point, force, torque, -1.0)
            add_body_wrench(m, d, out, m.geom_bodyid[d.contact.geom[c, 1]], point, force, torque, 1.0)


@helper
def anchor(m, d, e, obj, first):
    """(body, anchor point) of an equality; for bodies, the point is in eq_data from `first` on."""
    if m.eq_objtype[e] != OBJ_BODY:
        return m.site_bodyid[obj], get3(d.site_xpos, obj)
    local = (m.eq_data[e, first], m.eq_data[e, first + 1], m.eq_data[e, first + 2])
    return obj, add3(mat_vec(get9(d.xmat, obj), local), get3(d.xpos, obj))


@helper
def add_distance_to(m, d, out, e, magnitude):
    """Add the force of a distance equality to both bodies: along the line through the centres of its geoms."""
    g1, g2 = m.eq_obj1id[e], m.eq_obj2id[e]
    p1, p2 = get3(d.geom_xpos, g1), get3(d.geom_xpos, g2)
    force = scale3(normalize3(sub3(p1, p2)), magnitude)
    add_body_wrench(m, d, out, m.geom_bodyid[g1], p1, force, (0.0, 0.0, 0.0), 1.0)
    add_body_wrench(m, d, out, m.geom_bodyid[g2], p2, force, (0.0, 0.0, 0.0), -1.0)


@helper
def add_equalities_to(m, d, out):
    """Add the forces of connect, weld and distance equalities to both bodies."""
    r = 0
    while r < d.ne:
        e = d.efc_id[r]
        kind = m.eq_type[e]
        if kind == EQ_DISTANCE:
            add_distance_to(m, d, out, e, d.efc_force[r])
        if kind != EQ_CONNECT and kind != EQ_WELD:
            r += 1
            continue
        force = (d.efc_force[r], d.efc_force[r + 1], d.efc_force[r + 2])
        torque = ZERO
        # eq_data has the anchors of bodies 1, 2 for connect, of bodies 2, 1 for weld
        first, second = 0, 3
        r += 3
        if kind == EQ_WELD:
            p, q = weld_quats(m, d, e)
            rates = weld_rates(p, q, 0.5 * m.eq_data[e, 10])
            torque = mat_vec_t(rates, (d.efc_force[r], d.efc_force[r + 1], d.efc_force[r + 2]))
            first, second = 3, 0
            r += 3
        b, point = anchor(m, d, e, m.eq_obj1id[e], first)
        add_body_wrench(m, d, out, b, point, force, torque, 1.0)
        b, point = anchor(m, d, e, m.eq_obj2id[e], second)
        add_body_wrench(m, d, out, b, point, force, torque, -1.0)


@kernel(
    when=measures(SENS_ACCELEROMETER, SENS_FORCE, SENS_TORQUE, SENS_FRAMELINACC, SENS_FRAMEANGACC, SENS_USER),
)
def rne_postconstraint(m, d):
    """(xfrc_applied, perturb.xfrc, efc_force, qacc, ...) -> (cacc, cfrc_ext, cfrc_int)"""
    # external forces
    for b in range(m.nbody):
        put6(d.cfrc_ext, b, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        w = get6(d.xfrc_applied, b)
        add_body_wrench(m, d, d.cfrc_ext, b, get3(d.xipos, b), (w[0], w[1], w[2]), (w[3], w[4], w[5]), 1.0)
    if is_perturbed(m, d):
        b, f = d.perturb.select, d.perturb.xfrc
        add_body_wrench(m, d, d.cfrc_ext, b, get3(d.xipos, b), (f[0], f[1], f[2]), (f[3], f[4], f[5]), 1.0)
    add_contacts_to(m, d, d.cfrc_ext)
    if d.ne > 0:
        add_equalities_to(m, d, d.cfrc_ext)
    put_world_acceleration(m, d.cacc)
    for b in range(1, m.nbody):
        put_acceleration(m, d, d.cacc, b, True)
    if m.nwrap > 0:
        put_tensions(m, d)
        add_tensions_to(m, d, d.cfrc_ext)
    # force transmitted from the parent, for each subtree
    put6(d.cfrc_int, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(1, m.nbody):
        put6(d.cfrc_int, b, add_scaled6(body_force(d, b, get6(d.cacc, b)), get6(d.cfrc_ext, b), -1.0))
    for b in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[b]
        put6(d.cfrc_int, p, add6(get6(d.cfrc_int, p), get6(d.cfrc_int, b)))
    d.flg_rnepost = True


@helper
def invalidate_forces(d):
    """Mark cacc, cfrc_int and cfrc_ext as out of date."""
    d.flg_rnepost = False
