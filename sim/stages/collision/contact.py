"""Contacts from the manifold of a geom pair, and how their parameters are combined.

(manifold) -> (contact). Parameters come from the explicit pair if there is one; else from the geom with the higher
priority; else from both geoms. With `override`, solref, solimp, friction and margin come from the options.
"""

from sim.enums import ENBL_OVERRIDE, MINMU, MINVAL
from sim.jit import helper, inline
from sim.math.quat import get9, mat_vec, put9
from sim.math.spatial import get6
from sim.math.vec import add3, cross, dot3, get3, normalize3, put3, scale3, sub3


@inline
def frame_of(normal, tangent):
    """Contact frame: the normal; the tangent orthogonalized (y or z if none is given); their cross product."""
    x = normalize3(normal)
    if dot3(tangent, tangent) < 0.25:
        flat = -0.5 < x[1] < 0.5
        tangent = (0.0, 1.0 if flat else 0.0, 0.0 if flat else 1.0)
    y = normalize3(sub3(tangent, scale3(x, dot3(x, tangent))))
    z = cross(x, y)
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inline
def solmix_weight(s1, s2):
    """Weight of the first of two geoms from their solmix."""
    if s1 >= MINVAL and s2 >= MINVAL:
        return s1 / (s1 + s2)
    if s1 < MINVAL and s2 < MINVAL:
        return 0.5
    return 0.0 if s1 < MINVAL else 1.0


@inline
def put_friction(d, c, sliding, torsional, rolling):
    d.contact.friction[c, 0] = sliding
    d.contact.friction[c, 1] = sliding
    d.contact.friction[c, 2] = torsional
    d.contact.friction[c, 3] = rolling
    d.contact.friction[c, 4] = rolling


@helper
def set_from_geom(m, d, c, g):
    """Parameters of one geom."""
    d.contact.dim[c] = m.geom_condim[g]
    for k in range(2):
        d.contact.solref[c, k] = m.geom_solref[g, k]
        d.contact.solreffriction[c, k] = 0.0
    for k in range(5):
        d.contact.solimp[c, k] = m.geom_solimp[g, k]
    put_friction(d, c, m.geom_friction[g, 0], m.geom_friction[g, 1], m.geom_friction[g, 2])
    d.contact.adhesion[c] = m.geom_adhesion[g]


@helper
def set_from_both(m, d, c, g1, g2):
    """Parameters of two geoms of equal priority: solref and solimp averaged, adhesion added, else the maximum."""
    w = solmix_weight(m.geom_solmix[g1], m.geom_solmix[g2])
    d.contact.dim[c] = max(m.geom_condim[g1], m.geom_condim[g2])
    standard = m.geom_solref[g1, 0] > 0.0 and m.geom_solref[g2, 0] > 0.0
    for k in range(2):
        a, b = m.geom_solref[g1, k], m.geom_solref[g2, k]
        d.contact.solref[c, k] = w * a + (1.0 - w) * b if standard else min(a, b)
        d.contact.solreffriction[c, k] = 0.0
    for k in range(5):
        d.contact.solimp[c, k] = w * m.geom_solimp[g1, k] + (1.0 - w) * m.geom_solimp[g2, k]
    a, b = get3(m.geom_friction, g1), get3(m.geom_friction, g2)
    put_friction(d, c, max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))
    d.contact.adhesion[c] = m.geom_adhesion[g1] + m.geom_adhesion[g2]


@helper
def set_from_pair(m, d, c, p):
    """Parameters of an explicit pair."""
    d.contact.dim[c] = m.pair_dim[p]
    for k in range(2):
        d.contact.solref[c, k] = m.pair_solref[p, k]
        d.contact.solreffriction[c, k] = m.pair_solreffriction[p, k]
    for k in range(5):
        d.contact.solimp[c, k] = m.pair_solimp[p, k]
        d.contact.friction[c, k] = m.pair_friction[p, k]
    d.contact.adhesion[c] = m.pair_adhesion[p]


@helper
def set_parameters(m, d, c, g1, g2, p, margin):
    """Everything that contacts of a pair share; p is the explicit pair, or -1."""
    if p >= 0:
        set_from_pair(m, d, c, p)
    elif m.geom_priority[g1] > m.geom_priority[g2]:
        set_from_geom(m, d, c, g1)
    elif m.geom_priority[g1] < m.geom_priority[g2]:
        set_from_geom(m, d, c, g2)
    else:
        set_from_both(m, d, c, g1, g2)
    # scripts may set any number: rows are counted by it
    d.contact.dim[c] = min(max(d.contact.dim[c], 1), 6)
    if m.opt.enableflags & ENBL_OVERRIDE:
        for k in range(2):
            d.contact.solref[c, k] = m.opt.o_solref[k]
            d.contact.solreffriction[c, k] = m.opt.o_solref[k]
        for k in range(5):
            d.contact.solimp[c, k] = m.opt.o_solimp[k]
            d.contact.friction[c, k] = m.opt.o_friction[k]
    for k in range(5):
        d.contact.friction[c, k] = max(d.contact.friction[c, k], MINMU)
    d.contact.includemargin[c] = margin
    d.contact.geom[c, 0] = g1
    d.contact.geom[c, 1] = g2
    d.contact.geom1[c] = g1
    d.contact.geom2[c] = g2


@inline
def copy_parameters(d, c, source):
    """Copy the parameters of another contact of the same pair."""
    for k in range(2):
        d.contact.solref[c, k] = d.contact.solref[source, k]
        d.contact.solreffriction[c, k] = d.contact.solreffriction[source, k]
        d.contact.geom[c, k] = d.contact.geom[source, k]
    for k in range(5):
        d.contact.solimp[c, k] = d.contact.solimp[source, k]
        d.contact.friction[c, k] = d.contact.friction[source, k]
    d.contact.adhesion[c] = d.contact.adhesion[source]
    d.contact.includemargin[c] = d.contact.includemargin[source]
    d.contact.geom1[c] = d.contact.geom1[source]
    d.contact.geom2[c] = d.contact.geom2[source]


@helper
def surface_velocity(m, d, g, point):
    """(angular, linear) velocity of a geom's moving surface relative to the geom, at a point"""
    mat = get9(d.geom_xmat, g)
    s = get6(m.geom_surfacevel, g)
    w = mat_vec(mat, (s[3], s[4], s[5]))
    return w, add3(mat_vec(mat, (s[0], s[1], s[2])), cross(w, sub3(point, get3(d.geom_xpos, g))))


@helper
def set_surfacevel(m, d, c):
    """Velocity of the moving surfaces of contact c along both tangents, and their spin about the normal."""
    if not m.flg_surfacevel:
        put3(d.contact.surfacevel, c, (0.0, 0.0, 0.0))
        return
    point = get3(d.contact.pos, c)
    w1, v1 = surface_velocity(m, d, d.contact.geom[c, 0], point)
    w2, v2 = surface_velocity(m, d, d.contact.geom[c, 1], point)
    local = mat_vec(get9(d.contact.frame, c), sub3(v2, v1))
    spin = mat_vec(get9(d.contact.frame, c), sub3(w2, w1))[0]
    put3(d.contact.surfacevel, c, (local[1], local[2], spin))


@inline
def set_geometry(m, d, c, k, dim, margin):
    """Everything that is specific to contact c, from point k of the manifold.

    In the gap, at or above the margin, a contact makes no constraint rows; with adhesion, only the normal row.
    """
    gap = d.manifold.dist[k] >= margin
    adhesive = d.contact.adhesion[c] > 0.0
    d.contact.dim[c] = 1 if gap and adhesive else dim
    d.contact.exclude[c] = 1 if gap and not adhesive else 0
    d.contact.dist[c] = d.manifold.dist[k]
    put3(d.contact.pos, c, get3(d.manifold.pos, k))
    put9(d.contact.frame, c, frame_of(get3(d.manifold.normal, k), get3(d.manifold.tangent, k)))
    set_surfacevel(m, d, c)
    d.contact.efc_address[c] = -1
    for i in range(2):
        d.contact.flex[c, i] = -1
        d.contact.elem[c, i] = -1
        d.contact.vert[c, i] = -1


@helper
def add_contacts(m, d, g1, g2, p, margin, npoint, ncon):
    """Contacts from row ncon on, one for each point, up to the capacity; returns how many there would be in all."""
    capacity = len(d.contact.dist)
    dim = 0
    for k in range(npoint):
        c = ncon + k
        if c >= capacity:
            break
        if k == 0:
            set_parameters(m, d, c, g1, g2, p, margin)
            dim = d.contact.dim[c]
        else:
            copy_parameters(d, c, ncon)
        set_geometry(m, d, c, k, dim, margin)
    return ncon + npoint


@inline
def swap(x, i, j):
    """Swap two entries of a field."""
    kept = x[i]
    x[i] = x[j]
    x[j] = kept


@inline
def swap_rows(x, i, j, n):
    """Swap two rows of a field, of n columns."""
    for k in range(n):
        kept = x[i, k]
        x[i, k] = x[j, k]
        x[j, k] = kept


@helper
def swap_contacts(d, i, j):
    """Swap two contacts that have no constraint rows yet."""
    swap_rows(d.contact.pos, i, j, 3)
    swap_rows(d.contact.frame, i, j, 9)
    swap_rows(d.contact.friction, i, j, 5)
    swap_rows(d.contact.solref, i, j, 2)
    swap_rows(d.contact.solreffriction, i, j, 2)
    swap_rows(d.contact.solimp, i, j, 5)
    swap_rows(d.contact.surfacevel, i, j, 3)
    swap_rows(d.contact.geom, i, j, 2)
    swap(d.contact.dist, i, j)
    swap(d.contact.includemargin, i, j)
    swap(d.contact.adhesion, i, j)
    swap(d.contact.dim, i, j)
    swap(d.contact.exclude, i, j)
    swap(d.contact.geom1, i, j)
    swap(d.contact.geom2, i, j)


# ---------------------------------------------------------------- for constraint rows, which are made of contacts


@inline
def set_address(d, c, r):
    """Set the first constraint row of contact c."""
    d.contact.efc_address[c] = r


@inline
def exclude_contact(d, c):
    """Exclude contact c: no dof moves its geoms relative to each other."""
    d.contact.efc_address[c] = -1
    d.contact.exclude[c] = 3
