"""Forces of spatial tendons on the bodies they pass.

(ten_length, ten_velocity, actuator_force, efc_force, cacc) -> (tendon_tension), which with wrap_* gives a part of
cfrc_ext. The force along a tendon is the sum of its spring, damper, actuators, constraint rows (equality, dry friction,
limits) and inertia; where it is positive, the ends of each straight segment are pushed apart.
"""

from sim.enums import (
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_TENDON,
    EQ_TENDON,
    MINVAL,
    TRN_TENDON,
    WRAP_JOINT,
    WRAP_PULLEY,
    WRAP_SITE,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import get3, norm3, scale3, sub3
from sim.stages.constraint.contact_force import add_body_wrench
from sim.stages.constraint.equality import polynomial
from sim.stages.sleep.awake import tendon_sleeps
from sim.stages.smooth.tendon import (
    ZERO,
    tendon_acceleration,
    tendon_damper_force,
    tendon_inertia,
    tendon_spring_force,
)


@helper
def add_row_tensions(m, d):
    """(efc_force) -> (tendon_tension): += constraint forces along tendons"""
    for r in range(d.nefc):
        kind, i, force = d.efc_type[r], d.efc_id[r], d.efc_force[r]
        if r < d.ne:
            if m.eq_type[i] == EQ_TENDON:
                t1, t2 = m.eq_obj1id[i], m.eq_obj2id[i]
                d.tendon_tension[t1] += force
                if t2 >= 0:
                    derivative = polynomial(m, i, d.ten_length[t2] - m.tendon_length0[t2])[1]
                    d.tendon_tension[t2] -= derivative * force
        elif kind == CNSTR_FRICTION_TENDON:
            d.tendon_tension[i] += force
        elif kind == CNSTR_LIMIT_TENDON:
            # the row of the lower end of the range pushes the tendon longer, that of the upper end shorter
            lower = d.efc_pos[r] == d.ten_length[i] - m.tendon_range[i, 0]
            d.tendon_tension[i] += force if lower else -force


@kernel(when=lambda m: bool((m.wrap_type >= WRAP_SITE).any()))
def put_tensions(m, d):
    """(ten_*, actuator_force, efc_force, cacc) -> (tendon_tension)"""
    for t in range(m.ntendon):
        d.tendon_tension[t] = 0.0
        if not tendon_sleeps(m, d, t):
            d.tendon_tension[t] = tendon_spring_force(m, d, t) + tendon_damper_force(m, d, t)
            inertia = tendon_inertia(m, t)
            if inertia != 0.0:
                d.tendon_tension[t] -= inertia * tendon_acceleration(m, d, t, d.cacc)
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            r = m.actuator_outadr[i]
            d.tendon_tension[m.actuator_trnid[i, 0]] += m.actuator_gear[r, 0] * d.actuator_force[r]
    add_row_tensions(m, d)


@inline
def path_point(d, k):
    """Point k of all paths."""
    i, j = k >> 1, 3 * (k & 1)
    return d.wrap_xpos[i, j], d.wrap_xpos[i, j + 1], d.wrap_xpos[i, j + 2]


@helper
def push_apart(m, d, out, b, p, c, q, force):
    """out += the force of a straight segment from p on body b to q on body c."""
    span = sub3(q, p)
    length = norm3(span)
    if b != c and length >= MINVAL:
        push = scale3(span, force / length)
        add_body_wrench(m, d, out, b, p, push, ZERO, -1.0)
        add_body_wrench(m, d, out, c, q, push, ZERO, 1.0)


@helper
def add_tension(m, d, out, t):
    """out += the force of a spatial tendon on the bodies along its path."""
    force = d.tendon_tension[t]
    k = d.ten_wrapadr[t]
    w = m.tendon_adr[t]
    end = w + m.tendon_num[t] - 1
    while w < end:
        if m.wrap_type[w] == WRAP_PULLEY:
            force = d.tendon_tension[t] / m.wrap_prm[w]
            k += 1
            w += 1
            continue
        if m.wrap_type[w + 1] == WRAP_PULLEY:
            # the last site of a branch is a point of the path as well
            k += 1
            w += 1
            continue
        wraps = m.wrap_type[w + 1] != WRAP_SITE
        following = w + 2 if wraps else w + 1
        b, c = m.site_bodyid[m.wrap_objid[w]], m.site_bodyid[m.wrap_objid[following]]
        p, q = get3(d.site_xpos, m.wrap_objid[w]), get3(d.site_xpos, m.wrap_objid[following])
        if wraps and d.wrap_obj[(k + 1) >> 1, (k + 1) & 1] >= 0:
            g = m.geom_bodyid[m.wrap_objid[w + 1]]
            push_apart(m, d, out, b, p, g, path_point(d, k + 1), force)
            push_apart(m, d, out, g, path_point(d, k + 2), c, q, force)
            k += 3
        else:
            push_apart(m, d, out, b, p, c, q, force)
            k += 1
        w = following


@helper
def add_tensions_to(m, d, out):
    """out += forces of spatial tendons, by body"""
    for t in range(m.ntendon):
        if m.wrap_type[m.tendon_adr[t]] != WRAP_JOINT and d.tendon_tension[t] != 0.0:
            add_tension(m, d, out, t)
