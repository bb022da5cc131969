"""Constraint rows of articulated bodies: products and Newton's step in linear time, without J, M and a factor of H.

A row that acts on one dof adds its stiffness to that dof; one between a moving body and the world is a wrench g on that
body, and adds s g gᵀ to the body's inertia. So H = M + Jᵀ diag(D) J + cones is factored as M is, see
smooth/articulated.py. `describe_rows` finds out whether all rows of a block are of these two kinds: limits and dry
friction of hinges and slides; contacts, connects and welds with what does not move. Otherwise the block is solved with
M and J, as always.
"""

from sim.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_LIMIT_JOINT,
    CNSTRSTATE_CONE,
    CNSTRSTATE_QUADRATIC,
    EQ_CONNECT,
    EQ_WELD,
    JNT_BALL,
    SOL_NEWTON,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import mat_vec_t
from sim.math.spatial import add_scaled6, dot6, get6, put6
from sim.math.vec import get3, sub3
from sim.stages.constraint.contact import axis_of, get_friction, unit_wrench
from sim.stages.constraint.equality import anchors, body_of, weld_quats, weld_rates
from sim.stages.constraint.row import is_sparse
from sim.stages.smooth.articulated import (
    ZERO6,
    add_force_to,
    add_stiffness_to,
    clear_wrenches,
    eliminate_dofs,
    is_articulated,
    moves,
    mul_articulated,
    project_wrenches,
    put_motions,
    put_own_inertia,
    solve_articulated,
)

# ---------------------------------------------------------------- rows


@inline
def contact_wrench(d, c, lever, k):
    """Wrench of a unit force along axis k of a contact's frame; from the fourth on, of a unit torque."""
    axis = axis_of(d, c, k % 3)
    return unit_wrench(axis, lever) if k < 3 else (axis[0], axis[1], axis[2], 0.0, 0.0, 0.0)


@helper
def describe_contact(m, d, i, r):
    """The wrench of one row of a contact; false if it moves both bodies."""
    c = d.efc_id[r]
    b1, b2 = m.geom_bodyid[d.contact.geom[c, 0]], m.geom_bodyid[d.contact.geom[c, 1]]
    if moves(m, b1) and moves(m, b2):
        return False
    b, sign = (b2, 1.0) if moves(m, b2) else (b1, -1.0)
    lever = sub3(get3(d.contact.pos, c), get3(d.xipos, b))
    k = r - d.contact.efc_address[c]
    if d.efc_type[r] == CNSTR_CONTACT_PYRAMIDAL:
        friction = get_friction(d, c)
        mu = friction[k // 2] if k % 2 == 0 else -friction[k // 2]
        g = add_scaled6(contact_wrench(d, c, lever, 0), contact_wrench(d, c, lever, 1 + k // 2), mu)
    else:
        g = contact_wrench(d, c, lever, k)
    put6(d.articulated.row_wrench, i, add_scaled6(ZERO6, g, sign))
    d.articulated.row_body[i] = b
    return True


@helper
def describe_pair(m, d, i, r):
    """The wrench of one row of a connect or weld; false if it moves both bodies."""
    e = d.efc_id[r]
    b1, b2 = body_of(m, e, m.eq_obj1id[e]), body_of(m, e, m.eq_obj2id[e])
    if moves(m, b1) and moves(m, b2):
        return False
    k = 0
    while r > k and d.efc_id[r - k - 1] == e:
        k += 1
    p1, p2 = anchors(m, d, e)
    b, sign, point = (b1, 1.0, p1) if moves(m, b1) else (b2, -1.0, p2)
    if k < 3:
        axis = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        g = unit_wrench(axis, sub3(point, get3(d.xipos, b)))
    else:
        p, q = weld_quats(m, d, e)
        rates = weld_rates(p, q, 0.5 * m.eq_data[e, 10])
        row = mat_vec_t(rates, (1.0 if k == 3 else 0.0, 1.0 if k == 4 else 0.0, 1.0 if k == 5 else 0.0))
        g = (row[0], row[1], row[2], 0.0, 0.0, 0.0)
    put6(d.articulated.row_wrench, i, add_scaled6(ZERO6, g, sign))
    d.articulated.row_body[i] = b
    return True


@helper
def describe_dof(m, d, i, r, v):
    """The only entry of a row that acts on one dof."""
    at = d.efc_J_rowadr[r] if is_sparse(m) else r * m.nv + v
    put6(d.articulated.row_wrench, i, (d.efc_J[at], 0.0, 0.0, 0.0, 0.0, 0.0))
    d.articulated.row_body[i] = -1 - v
    return True


@helper
def describe_row(m, d, i, r):
    """(efc_*, contact.*) -> (articulated.row_*) of a row; false if there is no such description."""
    kind = d.efc_type[r]
    if kind == CNSTR_FRICTION_DOF:
        return describe_dof(m, d, i, r, d.efc_id[r])
    if kind == CNSTR_LIMIT_JOINT and m.jnt_type[d.efc_id[r]] != JNT_BALL:
        return describe_dof(m, d, i, r, m.jnt_dofadr[d.efc_id[r]])
    if kind == CNSTR_CONTACT_PYRAMIDAL or kind == CNSTR_CONTACT_ELLIPTIC or kind == CNSTR_CONTACT_FRICTIONLESS:
        return describe_contact(m, d, i, r)
    if kind == CNSTR_EQUALITY and (m.eq_type[d.efc_id[r]] == EQ_CONNECT or m.eq_type[d.efc_id[r]] == EQ_WELD):
        return describe_pair(m, d, i, r)
    return False


@kernel(when=is_articulated)
def describe_rows(m, d) -> int:
    """(block.row; efc_*, contact.*) -> (articulated.row_*); returns 0 if Newton's method needs M and J"""
    if m.opt.solver != SOL_NEWTON or m.opt.noslip_iterations > 0:
        return 0
    for i in range(d.block.nefc):
        if not describe_row(m, d, i, d.block.row[i]):
            return 0
    return 1


# ---------------------------------------------------------------- trees of a block


@inline
def tree_end(m, d, i):
    """(first dof of the block that is not in the tree of dof i, first body of that tree, the one after its last)"""
    t = m.dof_treeid[d.block.dof[i]]
    first = m.tree_bodyadr[t]
    return i + m.tree_dofnum[t], first, first + m.tree_bodynum[t]


@helper
def scatter_dofs(d, x):
    """articulated.x <- a vector of the block, by dof"""
    for i in range(d.block.nv):
        d.articulated.x[d.block.dof[i]] = x[i]


@helper
def gather_dofs(out, d, x):
    """out <- a vector by dof, for the dofs of the block"""
    for i in range(d.block.nv):
        out[i] = x[d.block.dof[i]]


# ---------------------------------------------------------------- products


@kernel(when=is_articulated)
def multiply_m(m, d):
    """(articulated.x) -> (articulated.y): M x"""
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        mul_articulated(m, d, d.articulated.y, d.articulated.x, first, end)


@kernel(when=is_articulated)
def divide_by_m(m, d):
    """(articulated.x) -> (articulated.x): M⁻¹ x"""
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        solve_articulated(m, d, d.articulated.force, d.articulated.inverse, d.articulated.x, first, end)


@kernel(when=is_articulated)
def multiply_j(m, d):
    """(articulated.x) -> (articulated.row): J x"""
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        put_motions(m, d, d.articulated.x, first, end)
    for r in range(d.block.nefc):
        b = d.articulated.row_body[r]
        if b < 0:
            d.articulated.row[r] = d.articulated.row_wrench[r, 0] * d.articulated.x[-1 - b]
        else:
            d.articulated.row[r] = dot6(get6(d.articulated.row_wrench, r), get6(d.articulated.motion, b))


@kernel(when=is_articulated)
def multiply_jt(m, d):
    """(articulated.row) -> (articulated.y): Jᵀ f"""
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        clear_wrenches(d, first, end)
    for r in range(d.block.nefc):
        b = d.articulated.row_body[r]
        if b >= 0 and d.articulated.row[r] != 0.0:
            add_force_to(d, b, get6(d.articulated.row_wrench, r), d.articulated.row[r])
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        project_wrenches(m, d, d.articulated.y, first, end)
    for r in range(d.block.nefc):
        b = d.articulated.row_body[r]
        if b < 0:
            d.articulated.y[-1 - b] += d.articulated.row_wrench[r, 0] * d.articulated.row[r]


# ---------------------------------------------------------------- Newton's step


@helper
def add_cone_to(d, r, contact):
    """Add Jᵀ H_c J of a contact in the middle zone of its cone to the inertia of its body."""
    dim = d.contact.dim[contact]
    b = d.articulated.row_body[r]
    for j in range(dim):
        h = ZERO6
        for k in range(dim):
            h = add_scaled6(h, get6(d.articulated.row_wrench, r + k), d.contact.H[contact, j * dim + k])
        add_stiffness_to(d, b, get6(d.articulated.row_wrench, r + j), h)


@kernel(when=is_articulated)
def factor_rows(m, d):
    """(block.D, state; contact.H; articulated.*) -> (articulated.row_force, row_inverse): the factor of H"""
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        put_own_inertia(m, d, first, end)
    for i in range(d.block.nv):
        v = d.block.dof[i]
        d.articulated.row_inverse[v] = d.articulated.armature[v]
    for r in range(d.block.nefc):
        if d.block.state[r] == CNSTRSTATE_QUADRATIC:
            b = d.articulated.row_body[r]
            if b < 0:
                d.articulated.row_inverse[-1 - b] += d.block.D[r]
            else:
                g = get6(d.articulated.row_wrench, r)
                add_stiffness_to(d, b, g, add_scaled6(ZERO6, g, d.block.D[r]))
    if d.block.nmiddle > 0:
        for c in range(d.block.ncone):
            if d.block.state[d.block.cone[c]] == CNSTRSTATE_CONE:
                add_cone_to(d, d.block.cone[c], d.block.contact[c])
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        eliminate_dofs(m, d, d.articulated.row_force, d.articulated.row_inverse, first, end)


@kernel(when=is_articulated)
def divide_by_h(m, d):
    """(block.grad; articulated.row_force, row_inverse) -> (block.step): H⁻¹ grad"""
    scatter_dofs(d, d.block.grad)
    i = 0
    while i < d.block.nv:
        i, first, end = tree_end(m, d, i)
        solve_articulated(m, d, d.articulated.row_force, d.articulated.row_inverse, d.articulated.x, first, end)
    gather_dofs(d.block.step, d, d.articulated.x)
