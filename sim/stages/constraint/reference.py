"""Constraint velocities and reference accelerations of the rows.

efc_vel = J qvel; for contacts from the velocities of their two bodies and of moving surfaces.
efc_aref = -B vel - K d (pos - margin), with d the impedance; minus J̇ qvel for connect and weld, without which they
would lag behind; plus R times the adhesion of a contact, so that adhesion does not change its penetration.
"""

from sim.enums import CNSTR_CONTACT_PYRAMIDAL, EQ_CONNECT, EQ_WELD
from sim.jit import helper, kernel
from sim.math.dense import dot
from sim.math.quat import mul_quat
from sim.math.spatial import add_scaled6, get6
from sim.math.vec import add3, cross, dot3, get3, sub3
from sim.stages.constraint.contact import axis_of, get_friction, put_elliptic, put_pyramid
from sim.stages.constraint.equality import anchors, body_of, rotation_error, weld_quats
from sim.stages.constraint.row import is_discrete, is_sparse
from sim.stages.smooth.jacobian import last_dof, point_velocity

# ---------------------------------------------------------------- velocities


@helper(reduce=True)
def row_velocity(m, d, r, sparse):
    """J qvel of one row"""
    if not sparse:
        return dot(d.efc_J, r * m.nv, d.qvel, 0, m.nv)
    s = 0.0
    for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
        s += d.efc_J[k] * d.qvel[d.efc_J_colind[k]]
    return s


@helper
def contact_velocity(m, d, c):
    """(linear, angular) velocity of the second geom relative to the first, in the contact frame"""
    g1, g2 = d.contact.geom[c, 0], d.contact.geom[c, 1]
    point = get3(d.contact.pos, c)
    w1, v1 = point_velocity(m, d, m.geom_bodyid[g1], point)
    w2, v2 = point_velocity(m, d, m.geom_bodyid[g2], point)
    w, v = sub3(w2, w1), sub3(v2, v1)
    x, y, z = axis_of(d, c, 0), axis_of(d, c, 1), axis_of(d, c, 2)
    linear, angular = (dot3(x, v), dot3(y, v), dot3(z, v)), (dot3(x, w), dot3(y, w), dot3(z, w))
    # moving surfaces act in the tangent plane and as spin, not along the normal nor as rolling
    if m.flg_surfacevel:
        s = get3(d.contact.surfacevel, c)
        linear = (linear[0], linear[1] + s[0], linear[2] + s[1])
        angular = (angular[0] + s[2], angular[1], angular[2])
    return linear, angular


@kernel
def row_velocities(m, d):
    """(efc_J, qvel, cvel) -> (efc_vel)"""
    sparse = is_sparse(m)
    r = d.ne + d.nf + d.nl
    for i in range(r):
        d.efc_vel[i] = row_velocity(m, d, i, sparse)
    while r < d.nefc:
        c = d.efc_id[r]
        dim = d.contact.dim[c]
        linear, angular = contact_velocity(m, d, c)
        if d.efc_type[r] == CNSTR_CONTACT_PYRAMIDAL:
            put_pyramid(d.efc_vel, r, 1, dim, linear, angular, get_friction(d, c))
            r += 2 * (dim - 1)
        else:
            put_elliptic(d.efc_vel, r, 1, dim, linear, angular)
            r += dim


# ---------------------------------------------------------------- J̇ qvel


@helper
def bias_acc(m, d, b):
    """(angular, linear) bias acceleration of a body about its tree's centre of mass: Σ cdof_dot qvel"""
    a = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    v = last_dof(m, b)
    while v >= 0:
        a = add_scaled6(a, get6(d.cdof_dot, v), d.qvel[v])
        v = m.dof_parentid[v]
    return (a[0], a[1], a[2]), (a[3], a[4], a[5])


@helper
def point_bias_acc(m, d, b, point, angular, linear):
    """Bias acceleration of a point of a body, from that of the body."""
    w, v = point_velocity(m, d, b, point)
    lever = sub3(point, get3(d.subtree_com, m.body_rootid[b]))
    return add3(linear, add3(cross(angular, lever), cross(w, v)))


@helper
def subtract_from_rows(d, r, x):
    """efc_aref of three rows -= x"""
    d.efc_aref[r] -= x[0]
    d.efc_aref[r + 1] -= x[1]
    d.efc_aref[r + 2] -= x[2]


@helper
def weld_bias_acc(m, d, e, w1, w2, angular):
    """J̇ qvel of a weld's rotation rows: the rate of ½ p (ω₁ - ω₂) q, where p and q rotate with ω₂ and ω₁"""
    p, q = weld_quats(m, d, e)
    w = sub3(w1, w2)
    x = add3(angular, cross(w1, w2))
    return rotation_error(mul_quat(p, (-0.5 * dot3(w, w), x[0], x[1], x[2])), q, 0.5 * m.eq_data[e, 10])


@kernel(when=lambda m: m.neq > 0)
def subtract_bias_acc(m, d):
    """(cvel, cdof_dot, qvel) -> (efc_aref): -= J̇ qvel of connects and welds"""
    r = 0
    while r < d.ne:
        e = d.efc_id[r]
        eq_type = m.eq_type[e]
        if eq_type != EQ_CONNECT and eq_type != EQ_WELD:
            r += 1
            continue
        b1, b2 = body_of(m, e, m.eq_obj1id[e]), body_of(m, e, m.eq_obj2id[e])
        p1, p2 = anchors(m, d, e)
        angular1, linear1 = bias_acc(m, d, b1)
        angular2, linear2 = bias_acc(m, d, b2)
        a1, a2 = point_bias_acc(m, d, b1, p1, angular1, linear1), point_bias_acc(m, d, b2, p2, angular2, linear2)
        subtract_from_rows(d, r, sub3(a1, a2))
        r += 3
        if eq_type == EQ_WELD:
            w1, w2 = get3(d.cvel, b1), get3(d.cvel, b2)
            subtract_from_rows(d, r, weld_bias_acc(m, d, e, w1, w2, sub3(angular1, angular2)))
            r += 3


# ---------------------------------------------------------------- the stage


@kernel(when=lambda m: bool(m.flg_adhesion))
def add_adhesion(m, d):
    """(contact.adhesion, efc_R) -> (efc_aref): += R · adhesion, split among the edges of a pyramid"""
    for c in range(d.ncon):
        r = d.contact.efc_address[c]
        if r >= 0 and d.contact.adhesion[c] != 0.0:
            if d.efc_type[r] == CNSTR_CONTACT_PYRAMIDAL:
                edges = 2 * (d.contact.dim[c] - 1)
                for i in range(r, r + edges):
                    d.efc_aref[i] += d.efc_R[i] * d.contact.adhesion[c] / edges
            else:
                d.efc_aref[r] += d.efc_R[r] * d.contact.adhesion[c]


@kernel
def reference_constraint(m, d):
    """(efc_J, efc_KBIP, efc_pos, qvel, cvel, cdof_dot) -> (efc_vel, efc_aref)"""
    if d.nefc == 0:
        return
    row_velocities(m, d)
    for r in range(d.nefc):
        spring = d.efc_KBIP[r, 0] * d.efc_KBIP[r, 2] * (d.efc_pos[r] - d.efc_margin[r])
        d.efc_aref[r] = -d.efc_KBIP[r, 1] * d.efc_vel[r] - spring
    if d.ne > 0:
        subtract_bias_acc(m, d)
    if is_discrete(m):
        save_references(m, d)
    elif m.flg_adhesion:
        add_adhesion(m, d)


@kernel(when=is_discrete)
def save_references(m, d):
    """(efc_aref) -> (bare.aref): of continuous time, without adhesion"""
    for r in range(d.nefc):
        d.bare.aref[r] = d.efc_aref[r]
