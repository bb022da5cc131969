"""Rows of contacts: the velocity of one surface against the other along the axes of the contact's frame.

With n the normal, t the tangents and p the point, a dof with motion (ω, v) about c changes the distance by
n·(v + ω × (p - c)) = (ω, v)·((p - c) × n, n): one product of six numbers a row and dof. Elliptic cones have a row an
axis: normal, two tangents, spin, two rolls, as many as contact.dim. Pyramids have two an axis but the first, n ± μ t.
Rows without friction have n alone.
"""

from sim.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_FRICTIONLESS, CNSTR_CONTACT_PYRAMIDAL, CONE_PYRAMIDAL
from sim.jit import helper, inline, kernel
from sim.math.spatial import dot6, get6
from sim.math.vec import cross, dot3, get3, sub3
from sim.stages.collision.contact import exclude_contact, set_address
from sim.stages.constraint.row import close_rows, describe, has_room, is_sparse, open_chain, set_chain


@inline
def contact_rows_count(dim, pyramidal):
    """Rows of a contact."""
    return 2 * (dim - 1) if pyramidal and dim > 1 else dim


@inline
def contact_kind(dim, pyramidal):
    """Type of its rows."""
    if dim == 1:
        return CNSTR_CONTACT_FRICTIONLESS
    return CNSTR_CONTACT_PYRAMIDAL if pyramidal else CNSTR_CONTACT_ELLIPTIC


@inline
def axis_of(d, c, k):
    """Axis k of a contact's frame."""
    return d.contact.frame[c, 3 * k], d.contact.frame[c, 3 * k + 1], d.contact.frame[c, 3 * k + 2]


@inline
def along(axis, lever):
    """What a motion about a point is multiplied by to give the velocity along an axis at the end of a lever."""
    t = cross(lever, axis)
    return t[0], t[1], t[2], axis[0], axis[1], axis[2]


@inline
def put_elliptic(out, at, width, dim, slide, turn):
    """One column of the rows of an elliptic cone, or of a contact without friction."""
    out[at] = slide[0]
    if dim > 1:
        out[at + width] = slide[1]
        out[at + 2 * width] = slide[2]
    if dim > 3:
        out[at + 3 * width] = turn[0]
    if dim > 4:
        out[at + 4 * width] = turn[1]
        out[at + 5 * width] = turn[2]


@inline
def put_edges(out, at, width, normal, friction):
    """One column of a pair of edges of a pyramid."""
    out[at] = normal + friction
    out[at + width] = normal - friction


@inline
def put_pyramid(out, at, width, dim, slide, turn, mu):
    """One column of the rows of a pyramid."""
    put_edges(out, at, width, slide[0], mu[0] * slide[1])
    put_edges(out, at + 2 * width, width, slide[0], mu[1] * slide[2])
    if dim > 3:
        put_edges(out, at + 4 * width, width, slide[0], mu[2] * turn[0])
    if dim > 4:
        put_edges(out, at + 6 * width, width, slide[0], mu[3] * turn[1])
        put_edges(out, at + 8 * width, width, slide[0], mu[4] * turn[2])


@inline
def get_friction(d, c):
    f = d.contact.friction
    return f[c, 0], f[c, 1], f[c, 2], f[c, 3], f[c, 4]


@helper
def fill_contact(m, d, c, b1, b2, n, sparse, pyramidal):
    """Columns of a contact's rows, one a dof of the chain."""
    dim = d.contact.dim[c]
    width = n if sparse else m.nv
    mu = get_friction(d, c)
    axis0, axis1, axis2 = axis_of(d, c, 0), axis_of(d, c, 1), axis_of(d, c, 2)
    point = get3(d.contact.pos, c)
    lever1 = sub3(point, get3(d.subtree_com, m.body_rootid[b1]))
    lever2 = sub3(point, get3(d.subtree_com, m.body_rootid[b2]))
    first0, first1, first2 = along(axis0, lever1), along(axis1, lever1), along(axis2, lever1)
    second0, second1, second2 = along(axis0, lever2), along(axis1, lever2), along(axis2, lever2)
    start = d.nJ
    for i in range(n):
        v = d.chain.dof[i]
        motion = get6(d.cdof, v)
        if d.chain.side[i] > 0:
            slide = (dot6(motion, second0), dot6(motion, second1), dot6(motion, second2))
        else:
            motion = (-motion[0], -motion[1], -motion[2], -motion[3], -motion[4], -motion[5])
            slide = (dot6(motion, first0), dot6(motion, first1), dot6(motion, first2))
        turn = (0.0, 0.0, 0.0)
        if dim > 3:
            w = (motion[0], motion[1], motion[2])
            turn = (dot3(w, axis0), dot3(w, axis1), dot3(w, axis2))
        at = start + (n - 1 - i if sparse else v)
        if pyramidal and dim > 1:
            put_pyramid(d.efc_J, at, width, dim, slide, turn, mu)
        else:
            put_elliptic(d.efc_J, at, width, dim, slide, turn)


@helper
def describe_contact(m, d, c, b1, b2, rows, pyramidal):
    """Everything about a contact's rows but J."""
    dim = d.contact.dim[c]
    kind = contact_kind(dim, pyramidal)
    weight = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        weight += d.contact.friction[c, 0] * d.contact.friction[c, 0] * weight
    first = d.nefc
    for r in range(first, first + rows):
        describe(d, r, kind, c)
        if r == first or kind == CNSTR_CONTACT_PYRAMIDAL:
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
        # contacts of the same two bodies follow one another and have the same dofs
        c1, c2 = m.geom_bodyid[d.contact.geom[c, 0]], m.geom_bodyid[d.contact.geom[c, 1]]
        if c1 != b1 or c2 != b2:
            b1, b2 = c1, c2
            n = set_chain(m, d, b1, b2, False)
        if sparse and n == 0:
            exclude_contact(d, c)
            continue
        rows = contact_rows_count(d.contact.dim[c], pyramidal)
        width = n if sparse else m.nv
        if has_room(d, rows, width):
            set_address(d, c, d.nefc)
            open_chain(d, rows, n, sparse, m.nv)
            fill_contact(m, d, c, b1, b2, n, sparse, pyramidal)
            describe_contact(m, d, c, b1, b2, rows, pyramidal)
        close_rows(d, rows, width)
