"""Actuator transmissions: length, moment arms and velocity.

(qpos, site_x*, cdof, subtree_com, ten_length, ten_J, contact) -> (actuator_length, actuator_moment, moment_*): a row
for each force output, packed in CSR format, columns ascending; then actuator_velocity = actuator_moment · qvel.
Joint: gear · q. Ball joint: gear · rotation vector, with the gear in the child frame or (jointinparent) in the parent
frame. Site: a wrench fixed in the site, or the pose relative to a reference site. Slider-crank: the displacement of
the slider, a·v - √((a·v)² + r² - v·v), with a its axis, v the vector to the crank and r the rod length. Body: adhesion,
the mean force along its contact normals.
"""

from math import sqrt

from sim.enums import (
    DSBL_ACTUATION,
    INT_RK4,
    JNT_BALL,
    JNT_FREE,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import conjugate, get9, mat_vec, mat_vec_t, mul_quat, quat_at, quat_to_rotation_vector, rotate
from sim.math.spatial import dot6, get6
from sim.math.vec import add3, cross, dot3, get3, get4, scale3, sub3
from sim.stages.sleep.awake import actuator_sleeps
from sim.stages.smooth.jacobian import last_dof

ZERO = (0.0, 0.0, 0.0)


# ---------------------------------------------------------------- rows of the moment matrix


@inline
def wrench_at(m, d, b, point, force, torque):
    """Wrench of a force and a torque on body b at a point, about the centre of mass of its tree."""
    t = add3(torque, cross(sub3(point, get3(d.subtree_com, m.body_rootid[b])), force))
    return t[0], t[1], t[2], force[0], force[1], force[2]


@helper
def put_row_between(m, d, r, b, on_b, c, on_c):
    """Row r: generalized force of wrenches on bodies b and c, for dofs that move only one of them."""
    # up both chains until they meet; parents have smaller indices
    n = 0
    v, w = last_dof(m, b), last_dof(m, c)
    while v != w:
        n += 1
        if v > w:
            v = m.dof_parentid[v]
        else:
            w = m.dof_parentid[w]
    # up again, filling the row from its end
    d.moment_rownnz[r] = n
    k = d.moment_rowadr[r] + n - 1
    v, w = last_dof(m, b), last_dof(m, c)
    while v != w:
        if v > w:
            d.moment_colind[k] = v
            d.actuator_moment[k] = dot6(get6(d.cdof, v), on_b)
            v = m.dof_parentid[v]
        else:
            d.moment_colind[k] = w
            d.actuator_moment[k] = dot6(get6(d.cdof, w), on_c)
            w = m.dof_parentid[w]
        k -= 1


@inline
def put_row_dofs(d, r, v, n):
    """Column indices of row r: n dofs from v on."""
    adr = d.moment_rowadr[r]
    d.moment_rownnz[r] = n
    for k in range(n):
        d.moment_colind[adr + k] = v + k


@inline
def put_arms3(d, k, arms):
    d.actuator_moment[k] = arms[0]
    d.actuator_moment[k + 1] = arms[1]
    d.actuator_moment[k + 2] = arms[2]


# ---------------------------------------------------------------- joints and tendons


@inline
def gear3(m, r, k):
    """Three components of an output's gear, from k on."""
    return m.actuator_gear[r, k], m.actuator_gear[r, k + 1], m.actuator_gear[r, k + 2]


@helper
def joint_row(m, d, i, r):
    """A joint: gear times its coordinate. A free joint has no length."""
    j = m.actuator_trnid[i, 0]
    a, v = m.jnt_qposadr[j], m.jnt_dofadr[j]
    adr = d.moment_rowadr[r]
    in_parent = m.actuator_trntype[i] == TRN_JOINTINPARENT
    kind = m.jnt_type[j]
    if kind == JNT_FREE:
        torque = gear3(m, r, 3)
        if in_parent:
            torque = rotate(conjugate(quat_at(d.qpos, a + 3)), torque)
        d.actuator_length[r] = 0.0
        put_row_dofs(d, r, v, 6)
        put_arms3(d, adr, gear3(m, r, 0))
        put_arms3(d, adr + 3, torque)
    elif kind == JNT_BALL:
        q = quat_at(d.qpos, a)
        torque = gear3(m, r, 0)
        if in_parent:
            torque = rotate(conjugate(q), torque)
        d.actuator_length[r] = dot3(quat_to_rotation_vector(q), torque)
        put_row_dofs(d, r, v, 3)
        put_arms3(d, adr, torque)
    else:
        d.actuator_length[r] = d.qpos[a] * m.actuator_gear[r, 0]
        put_row_dofs(d, r, v, 1)
        d.actuator_moment[adr] = m.actuator_gear[r, 0]


@helper
def tendon_row(m, d, i, r):
    """A tendon: gear times its length."""
    t = m.actuator_trnid[i, 0]
    gear = m.actuator_gear[r, 0]
    d.actuator_length[r] = d.ten_length[t] * gear
    n = m.ten_J_rownnz[t]
    adr, source = d.moment_rowadr[r], m.ten_J_rowadr[t]
    d.moment_rownnz[r] = n
    for k in range(n):
        d.moment_colind[adr + k] = m.ten_J_colind[source + k]
        d.actuator_moment[adr + k] = d.ten_J[source + k] * gear


# ---------------------------------------------------------------- sites


@inline
def relative_rotation(d, s, ref):
    """Rotation vector from the reference site's orientation to the site's, in the axes of both."""
    return quat_to_rotation_vector(mul_quat(conjugate(get4(d.site_xquat, ref)), get4(d.site_xquat, s)))


@kernel(when=lambda m: (m.actuator_trntype == TRN_SITE).any())
def site_row(m, d, i: int, r: int):
    """(site_xpos, site_xquat, site_xmat, cdof) -> (row r): a wrench, or a pose relative to a reference site"""
    s, ref = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    b = m.site_bodyid[s]
    at = get3(d.site_xpos, s)
    linear, angular = gear3(m, r, 0), gear3(m, r, 3)
    if ref < 0:
        axes = get9(d.site_xmat, s)
        wrench = wrench_at(m, d, b, at, mat_vec(axes, linear), mat_vec(axes, angular))
        d.actuator_length[r] = 0.0
        put_row_between(m, d, r, b, wrench, 0, wrench)
        return
    # in the frame of the reference site; the rotation of that frame is neglected
    axes = get9(d.site_xmat, ref)
    c = m.site_bodyid[ref]
    at_ref = get3(d.site_xpos, ref)
    length = dot3(mat_vec_t(axes, sub3(at, at_ref)), linear)
    if angular[0] != 0.0 or angular[1] != 0.0 or angular[2] != 0.0:
        length += dot3(relative_rotation(d, s, ref), angular)
    d.actuator_length[r] = length
    force, torque = mat_vec(axes, linear), mat_vec(axes, angular)
    action = wrench_at(m, d, b, at, force, torque)
    reaction = wrench_at(m, d, c, at_ref, scale3(force, -1.0), scale3(torque, -1.0))
    put_row_between(m, d, r, b, action, c, reaction)


@kernel(when=lambda m: (m.actuator_trntype == TRN_SLIDERCRANK).any())
def slider_crank_row(m, d, i: int, r: int):
    """(site_xpos, site_xmat, cdof) -> (row r): displacement of a slider, connected to the crank by a rod"""
    crank, slider = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    rod, gear = m.actuator_cranklength[i], m.actuator_gear[r, 0]
    at_crank, at_slider = get3(d.site_xpos, crank), get3(d.site_xpos, slider)
    axis = (d.site_xmat[slider, 2], d.site_xmat[slider, 5], d.site_xmat[slider, 8])
    vec = sub3(at_crank, at_slider)
    along = dot3(vec, axis)
    det = along * along + rod * rod - dot3(vec, vec)
    # derivatives of the length w.r.t. axis and vec; a rod that is too short is ignored
    length, by_axis, by_vec = along, vec, axis
    if det > 0.0:
        root = sqrt(det)
        s = 1.0 - along / root
        length = along - root
        by_axis = scale3(vec, s)
        by_vec = add3(scale3(axis, s), scale3(vec, 1.0 / root))
    d.actuator_length[r] = length * gear
    force = scale3(by_vec, gear)
    b, c = m.site_bodyid[crank], m.site_bodyid[slider]
    on_crank = wrench_at(m, d, b, at_crank, force, ZERO)
    on_slider = wrench_at(m, d, c, at_slider, scale3(force, -1.0), scale3(cross(axis, by_axis), gear))
    put_row_between(m, d, r, b, on_crank, c, on_slider)


@kernel(when=lambda m: (m.actuator_trntype == TRN_SO3).any())
def orientation_rows(m, d, i: int, r: int):
    """(qpos, site_xquat, site_xmat, cdof) -> (rows r to r + 2): an orientation as a rotation vector"""
    target, ref = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    if ref < 0:
        rotation = quat_to_rotation_vector(quat_at(d.qpos, m.jnt_qposadr[target]))
        put_lengths3(d, r, rotation)
        for k in range(3):
            start_row(d, r + k)
            put_row_dofs(d, r + k, m.jnt_dofadr[target] + k, 1)
            d.actuator_moment[d.moment_rowadr[r + k]] = 1.0
        return
    put_lengths3(d, r, relative_rotation(d, target, ref))
    for k in range(3):
        start_row(d, r + k)
        axis = (d.site_xmat[target, k], d.site_xmat[target, k + 3], d.site_xmat[target, k + 6])
        action = (axis[0], axis[1], axis[2], 0.0, 0.0, 0.0)
        reaction = (-axis[0], -axis[1], -axis[2], 0.0, 0.0, 0.0)
        put_row_between(m, d, r + k, m.site_bodyid[target], action, m.site_bodyid[ref], reaction)


@inline
def put_lengths3(d, r, length):
    d.actuator_length[r] = length[0]
    d.actuator_length[r + 1] = length[1]
    d.actuator_length[r + 2] = length[2]


# ---------------------------------------------------------------- bodies


@helper
def add_force(m, d, adr, b, point, force):
    """actuator_moment[adr + dof] += Jᵀ force, acting on body b at a point."""
    wrench = wrench_at(m, d, b, point, force, ZERO)
    v = last_dof(m, b)
    while v >= 0:
        d.actuator_moment[adr + v] += dot6(get6(d.cdof, v), wrench)
        v = m.dof_parentid[v]


@kernel(when=lambda m: (m.actuator_trntype == TRN_BODY).any())
def adhesion_row(m, d, i: int, r: int):
    """(contact, cdof) -> (row r): minus the mean Jacobian of the body's contact normals"""
    body = m.actuator_trnid[i, 0]
    adr = d.moment_rowadr[r]
    d.actuator_length[r] = 0.0
    for v in range(m.nv):
        d.actuator_moment[adr + v] = 0.0
    # contacts that are active or in their gap
    n = 0
    for c in range(d.ncon):
        b0, b1 = m.geom_bodyid[d.contact.geom[c, 0]], m.geom_bodyid[d.contact.geom[c, 1]]
        if (b0 == body or b1 == body) and d.contact.exclude[c] <= 1:
            n += 1
            at = get3(d.contact.pos, c)
            normal = (d.contact.frame[c, 0], d.contact.frame[c, 1], d.contact.frame[c, 2])
            add_force(m, d, adr, b0, at, normal)
            add_force(m, d, adr, b1, at, scale3(normal, -1.0))
    # compress the row to its nonzeros
    scale = 1.0 / n if n > 0 else 0.0
    nnz = 0
    for v in range(m.nv):
        arm = d.actuator_moment[adr + v]
        if arm != 0.0:
            d.moment_colind[adr + nnz] = v
            d.actuator_moment[adr + nnz] = arm * scale
            nnz += 1
    d.moment_rownnz[r] = nnz
    for v in range(nnz, m.nv):
        d.actuator_moment[adr + v] = 0.0


# ---------------------------------------------------------------- all of them


@inline
def start_row(d, r):
    """Row r starts at the end of the previous one."""
    d.moment_rowadr[r] = d.moment_rowadr[r - 1] + d.moment_rownnz[r - 1] if r > 0 else 0


@helper
def empty_rows(m, d, i, r):
    """Rows without moment arms, for an actuator that sleeps."""
    d.moment_rownnz[r] = 0
    for k in range(r + 1, r + m.actuator_outnum[i]):
        start_row(d, k)
        d.moment_rownnz[k] = 0


@kernel(when=lambda m: m.nactuator > 0)
def transmission(m, d):
    """(qpos, site_x*, cdof, ten_*, contact) -> (actuator_length, actuator_moment, moment_*)"""
    for i in range(m.nactuator):
        r = m.actuator_outadr[i]
        start_row(d, r)
        if actuator_sleeps(m, d, i):
            empty_rows(m, d, i, r)
            continue
        kind = m.actuator_trntype[i]
        if kind == TRN_JOINT or kind == TRN_JOINTINPARENT:
            joint_row(m, d, i, r)
        elif kind == TRN_TENDON:
            tendon_row(m, d, i, r)
        elif kind == TRN_SITE:
            site_row(m, d, i, r)
        elif kind == TRN_SLIDERCRANK:
            slider_crank_row(m, d, i, r)
        elif kind == TRN_SO3:
            orientation_rows(m, d, i, r)
        elif kind == TRN_BODY:
            adhesion_row(m, d, i, r)


@kernel(when=lambda m: m.nactuator > 0)
def transmission_velocity(m, d):
    """(actuator_moment, qvel) -> (actuator_velocity): 0 if actuation is disabled"""
    if m.opt.disableflags & DSBL_ACTUATION:
        for r in range(m.nout):
            d.actuator_velocity[r] = 0.0
        return
    for r in range(m.nout):
        adr = d.moment_rowadr[r]
        speed = 0.0
        for k in range(adr, adr + d.moment_rownnz[r]):
            speed += d.actuator_moment[k] * d.qvel[d.moment_colind[k]]
        d.actuator_velocity[r] = speed


@kernel(when=lambda m: m.na > 0 and m.opt.integrator == INT_RK4)
def save_transmission(m, d):
    """(actuator_length, actuator_velocity) -> (start_actuator_*)"""
    for r in range(m.nout):
        d.start_actuator_length[r] = d.actuator_length[r]
        d.start_actuator_velocity[r] = d.actuator_velocity[r]


@kernel(when=lambda m: m.na > 0 and m.opt.integrator == INT_RK4)
def restore_transmission(m, d, lengths: int, velocities: int):
    """(start_actuator_*) -> (actuator_length, actuator_velocity), each if requested"""
    for r in range(m.nout):
        if lengths:
            d.actuator_length[r] = d.start_actuator_length[r]
        if velocities:
            d.actuator_velocity[r] = d.start_actuator_velocity[r]
