"""Subtree velocities: linear velocity of the centre of mass, and angular momentum about it.

(cvel, xipos, subtree_com) -> (subtree_linvel, subtree_angmom). Mass-weighted velocities are summed from leaves to root.
The angular momentum about the subtree's centre of mass is the sum of those of its parts about theirs, plus
Σ m (x - x̄) × (v - v̄). Sleeping trees are at rest: as a whole they count where the world's centre of mass moves.
"""

from sim.enums import ASLEEP, MINVAL, SENS_SUBTREEANGMOM, SENS_SUBTREELINVEL, SENS_USER
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, cross, get3, put3, scale3, sub3
from sim.stages.sensor.reading import measures
from sim.stages.sleep.awake import some_asleep
from sim.stages.smooth.jacobian import point_velocity


@inline
def orbital_momentum(x, v, centre, centre_velocity, mass):
    """Angular momentum of a point mass about a moving centre."""
    return cross(sub3(x, centre), scale3(sub3(v, centre_velocity), mass))


@inline
def com_velocity(m, d, b):
    """(angular velocity, velocity of the centre of mass) of a body, in world axes."""
    return point_velocity(m, d, b, get3(d.xipos, b))


@helper
def invalidate_subtrees(d):
    """Mark subtree_linvel and subtree_angmom as out of date."""
    d.flg_subtreevel = False


@kernel(when=measures(SENS_SUBTREELINVEL, SENS_SUBTREEANGMOM, SENS_USER))
def subtree_vel(m, d):
    """(cvel, xipos, subtree_com) -> (subtree_linvel, subtree_angmom)"""
    if some_asleep(m, d):
        for b in range(m.nbody):
            if d.body_awake[b] == ASLEEP:
                put3(d.subtree_linvel, b, (0.0, 0.0, 0.0))
                put3(d.subtree_angmom, b, (0.0, 0.0, 0.0))
    # each body alone: m v, and I ω
    for i in range(d.nbody_awake):
        b = d.body_awake_ind[i]
        w, v = com_velocity(m, d, b)
        put3(d.subtree_linvel, b, scale3(v, m.body_mass[b]))
        r = get9(d.ximat, b)
        w = mat_vec_t(r, w)
        spin = (m.body_inertia[b, 0] * w[0], m.body_inertia[b, 1] * w[1], m.body_inertia[b, 2] * w[2])
        put3(d.subtree_angmom, b, mat_vec(r, spin))
    # velocity of the subtree's centre of mass, leaves to root
    for i in range(d.nbody_awake - 1, -1, -1):
        b = d.body_awake_ind[i]
        p = m.body_parentid[b]
        if b > 0:
            put3(d.subtree_linvel, p, add3(get3(d.subtree_linvel, p), get3(d.subtree_linvel, b)))
        put3(d.subtree_linvel, b, scale3(get3(d.subtree_linvel, b), 1.0 / max(MINVAL, m.body_subtreemass[b])))
    # angular momentum: of the body about its subtree's centre; then of the subtree about the parent's centre
    for i in range(d.nparent_awake - 1, -1, -1):
        b = d.parent_awake_ind[i]
        p = m.body_parentid[b]
        centre, mass = get3(d.subtree_com, b), m.body_subtreemass[b]
        velocity, total = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if d.body_awake[b] != ASLEEP:
            velocity = get3(d.subtree_linvel, b)
            own = orbital_momentum(get3(d.xipos, b), com_velocity(m, d, b)[1], centre, velocity, m.body_mass[b])
            total = add3(get3(d.subtree_angmom, b), own)
            put3(d.subtree_angmom, b, total)
        orbital = orbital_momentum(centre, velocity, get3(d.subtree_com, p), get3(d.subtree_linvel, p), mass)
        put3(d.subtree_angmom, p, add3(get3(d.subtree_angmom, p), add3(total, orbital)))
    d.flg_subtreevel = True
