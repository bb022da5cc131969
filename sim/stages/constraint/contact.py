"""Constraint rows of contacts: relative velocity of the two surfaces in the contact frame.

With n the normal, t the tangents and p the point, a dof with motion (ω, v) about c changes the distance at the rate
n·(v + ω × (p - c)) = (ω, v)·((p - c) × n, n): one 6D dot product per row and dof. Elliptic cones have a row for each
axis: normal, two tangents, torsion, two rolling, as many as contact.dim. Pyramidal cones have two, n ± μ t, for each
axis but the normal. Frictionless contacts have the normal row only.
"""

from sim.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_FRICTIONLESS, CNSTR_CONTACT_PYRAMIDAL, CONE_PYRAMIDAL
from sim.jit import helper, inline, kernel
from sim.math.spatial import dot6, get6
from sim.math.vec import cross, dot3, get3, sub3
from sim.stages.collision.contact import exclude_contact, set_address
from sim.stages.constraint.row import close_rows, has_capacity, init_row, is_sparse, open_chain, set_chain


@inline
def contact_rows_count(dim, pyramidal):
    """Number of rows of a contact."""
    return 2 * (dim - 1) if pyramidal and dim > 1 else dim


@inline
def contact_row_type(dim, pyramidal):
    """Type of a contact's rows."""
    if dim == 1:
        return CNSTR_CONTACT_FRICTIONLESS
    return CNSTR_CONTACT_PYRAMIDAL if pyramidal else CNSTR_CONTACT_ELLIPTIC


@inline
def axis_of(d, c, k):
    """Axis k of a contact's frame."""
    return d.contact.frame[c, 3 * k], d.contact.frame[c, 3 * k + 1], d.contact.frame[c, 3 * k + 2]


@inline
def unit_wrench(axis, lever):
    """Wrench of a unit force along an axis at a lever; its dot product with a motion is the velocity along the axis."""
    t = cross(lever, axis)
    return t[0], t[1], t[2], axis[0], axis[1], axis[2]


@inline
def put_elliptic(out, at, width, dim, linear, angular):
    """One column of the rows of an elliptic cone, or of a frictionless contact."""
    out[at] = linear[0]
    if dim > 1:
        out[at + width] = linear[1]
        out[at + 2 * width] = linear[2]
    if dim > 3:
        out[at + 3 * width] = angular[0]
    if dim > 4:
        out[at + 4 * width] = angular[1]
        out[at + 5 * width] = angular[2]


@inline
def put_edges(out, at, width, normal, friction):
    """One column of a pair of opposite edges of a pyramid."""
    out[at] = normal + friction
    out[at + width] = normal - friction


@inline
def put_pyramid(out, at, width, dim, linear, angular, mu):
    """One column of the rows of a pyramidal cone."""
    put_edges(out, at, width, linear[0], mu[0] * linear[1])
    put_edges(out, at + 2 * width, width, linear[0], mu[1] * linear[2])
    if dim > 3:
        put_edges(out, at + 4 * width, width, linear[0], mu[2] * angular[0])
    if dim > 4:
        put_edges(out, at + 6 * width, width, linear[0], mu[3] * angular[1])
        put_edges(out, at + 8 * width, width, linear[0], mu[4] * angular[2])


@inline
def get_friction(d, c):
    f = d.contact.friction
    return f[c, 0], f[c, 1], f[c, 2], f[c, 3], f[c, 4]


@helper
def fill_contact(m, d, c, b1, b2, n, sparse, pyramidal):
    """J of a contact's rows, one column for each dof of the chain."""
    dim = d.contact.dim[c]
    width = n if sparse else m.nv
    mu = get_friction(d, c)
    axis0, axis1, axis2 = axis_of(d, c, 0), axis_of(d, c, 1), axis_of(d, c, 2)
    point = get3(d.contact.pos, c)
    lever1 = sub3(point, get3(d.subtree_com, m.body_rootid[b1]))
    lever2 = sub3(point, get3(d.subtree_com, m.body_rootid[b2]))
    first0, first1, first2 = unit_wrench(axis0, lever1), unit_wrench(axis1, lever1), unit_wrench(axis2, lever1)
    second0, second1, second2 = unit_wrench(axis0, lever2), unit_wrench(axis1, lever2), unit_wrench(axis2, lever2)
    start = d.nJ
    for i in range(n):
        v = d.chain.dof[i]
        motion = get6(d.cdof, v)
        if d.chain.side[i] > 0:
            linear = (dot6(motion, second0), dot6(motion, second1), dot6(motion, second2))
        else:
            motion = (-motion[0], -motion[1], -motion[2], -motion[3], -motion[4], -motion[5])
            linear = (dot6(motion, first0), dot6(motion, first1), dot6(motion, first2))
        angular = (0.0, 0.0, 0.0)
        if dim > 3:
            w = (motion[0], motion[1], motion[2])
            angular = (dot3(w, axis0), dot3(w, axis1), dot3(w, axis2))
        at = start + (n - 1 - i if sparse else v)
        if pyramidal and dim > 1:
            put_pyramid(d.efc_J, at, width, dim, linear, angular, mu)
        else:
            put_elliptic(d.efc_J, at, width, dim, linear, angular)


@helper
def init_contact_rows(m, d, c, b1, b2, rows, pyramidal):
    """Everything about a contact's rows but J."""
    dim = d.contact.dim[c]
    row_type = contact_row_type(dim, pyramidal)
    weight = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    if row_type == CNSTR_CONTACT_PYRAMIDAL:
        weight += d.contact.friction[c, 0] * d.contact.friction[c, 0] * weight
    first = d.nefc
    for r in range(first, first + rows):
        init_row(d, r, row_type, c)
        if r == first or row_type == CNSTR_CONTACT_PYRAMIDAL:
            d.efc_pos[r] = d.contact.dist[c]
            d.efc_margin[r] = d.contact.includemargin[c]
        d.efc_diagA[r] = weight


@kernel(when=lambda m: m.ngeom > 1)
def contact_rows(m, d):
    """(contact, cdof, subtree_com) -> (efc_*, nefc, nJ, contact.efc_address)"""
    sparse = is_sparse(m)
    pyramidal = m.opt.cone == CONE_PYRAMIDAL
    b1, b2, n = -1, -1, 0
    for c in range(d.ncon):
        d.contact.mu[c] = 0.0
        if d.contact.exclude[c] != 0:
            continue
        # contacts of the same two bodies are consecutive and have the same dofs
        c1, c2 = m.geom_bodyid[d.contact.geom[c, 0]], m.geom_bodyid[d.contact.geom[c, 1]]
        if c1 != b1 or c2 != b2:
            b1, b2 = c1, c2
            n = set_chain(m, d, b1, b2, False)
        if n == 0:
            exclude_contact(d, c)
            continue
        rows = contact_rows_count(d.contact.dim[c], pyramidal)
        width = n if sparse else m.nv
        if has_capacity(d, rows, width):
            set_address(d, c, d.nefc)
            open_chain(d, rows, n, sparse, m.nv)
            fill_contact(m, d, c, b1, b2, n, sparse, pyramidal)
            init_contact_rows(m, d, c, b1, b2, rows, pyramidal)
        close_rows(d, rows, width)
