"""Constraint islands: kinematic trees connected by constraint rows, found by union-find; solved independently.

island: (rows, contacts) -> (nisland, *_island, island_*, map_*). Trees that a row acts on are in one island. With the
discrete integrator so are trees that the effective metric may couple, see solver/metric: by tendons with springs or
dampers, and by actuators with more than a constant gain. In tree_next every tree points to one with a lower id, the
first tree of an island to itself, so that islands are ordered by their first trees. Lists of trees, dofs and rows by
island keep the original order; those in no island come last.
"""

from sim.enums import (
    BIAS_NONE,
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_LIMIT_JOINT,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_ISLAND,
    DSBL_SPRING,
    EQ_CONNECT,
    EQ_WELD,
    GAIN_FIXED,
    OBJ_SITE,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
)
from sim.jit import helper, kernel
from sim.stages.constraint.row import is_sparse, may_couple
from sim.stages.sleep.awake import actuator_sleeps, tendon_sleeps
from sim.state.capacity import require_islands

# ---------------------------------------------------------------- union-find of trees


@helper
def find_root(d, t):
    """Find of union-find: the root of t's set, its first tree."""
    while d.tree_next[t] != t:
        t = d.tree_next[t]
    return t


@helper
def connect(d, s, t):
    """Union of union-find: merge the sets of two trees, of which one may be -1, the world."""
    a = t if s < 0 else s
    b = s if t < 0 else t
    if a < 0:
        return
    if d.tree_next[a] < 0:
        d.tree_next[a] = a
    if d.tree_next[b] < 0:
        d.tree_next[b] = b
    a = find_root(d, a)
    b = find_root(d, b)
    d.tree_next[max(a, b)] = min(a, b)


@helper
def connect_columns(m, d, r):
    """Merge the trees of all dofs with nonzeros in a row; returns the first of them."""
    found = -1
    if is_sparse(m):
        first = d.efc_J_rowadr[r]
        for k in range(first, first + d.efc_J_rownnz[r]):
            t = m.dof_treeid[d.efc_J_colind[k]]
            if found < 0:
                found = t
            connect(d, found, t)
    else:
        for v in range(m.nv):
            if d.efc_J[r * m.nv + v] != 0.0:
                t = m.dof_treeid[v]
                if found < 0:
                    found = t
                connect(d, found, t)
    # assign an empty row to the first tree
    if found < 0:
        found = 0
        connect(d, 0, 0)
    return found


@helper
def connect_bodies(m, d, a, b):
    """Merge the trees of two bodies; returns one of them."""
    s = m.body_treeid[a]
    t = m.body_treeid[b]
    connect(d, s, t)
    return s if s >= 0 else t


@helper
def connect_row(m, d, r):
    """Merge the trees that a row acts on; returns one of them."""
    row_type = d.efc_type[r]
    i = d.efc_id[r]
    if row_type == CNSTR_FRICTION_DOF or row_type == CNSTR_LIMIT_JOINT:
        v = i if row_type == CNSTR_FRICTION_DOF else m.jnt_dofadr[i]
        connect(d, m.dof_treeid[v], -1)
        return m.dof_treeid[v]
    if (
        row_type == CNSTR_CONTACT_FRICTIONLESS
        or row_type == CNSTR_CONTACT_PYRAMIDAL
        or row_type == CNSTR_CONTACT_ELLIPTIC
    ):
        return connect_bodies(m, d, m.geom_bodyid[d.contact.geom[i, 0]], m.geom_bodyid[d.contact.geom[i, 1]])
    if row_type == CNSTR_EQUALITY and (m.eq_type[i] == EQ_CONNECT or m.eq_type[i] == EQ_WELD):
        a = m.eq_obj1id[i]
        b = m.eq_obj2id[i]
        if m.eq_objtype[i] == OBJ_SITE:
            a = m.site_bodyid[a]
            b = m.site_bodyid[b]
        return connect_bodies(m, d, a, b)
    return connect_columns(m, d, r)


# ---------------------------------------------------------------- trees that the effective metric couples


@helper
def tendon_may_couple(m, t):
    """A tendon has a spring or a damper, its own or that of actuators, whether or not it is slack now."""
    off = m.opt.disableflags
    k = m.tendon_stiffness[t] != 0.0 or m.tendon_stiffnesspoly[t, 0] != 0.0 or m.tendon_stiffnesspoly[t, 1] != 0.0
    b = m.tendon_damping[t] != 0.0 or m.tendon_dampingpoly[t, 0] != 0.0 or m.tendon_dampingpoly[t, 1] != 0.0
    return (k and not off & DSBL_SPRING) or ((b or m.tendon_actuatorid[t] != -1) and not off & DSBL_DAMPER)


@helper
def connect_tendon(m, d, t):
    """Merge the trees along a tendon."""
    first = m.ten_J_rowadr[t]
    for k in range(first, first + m.ten_J_rownnz[t]):
        connect(d, m.dof_treeid[m.ten_J_colind[first]], m.dof_treeid[m.ten_J_colind[k]])


@helper
def connect_actuator(m, d, i):
    """Merge the trees that an actuator acts on, if there are several."""
    kind, a, b = m.actuator_trntype[i], m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    if kind == TRN_TENDON:
        if m.tendon_treenum[a] > 1:
            connect_tendon(m, d, a)
    elif b >= 0 and (kind == TRN_SITE or kind == TRN_SLIDERCRANK or kind == TRN_SO3):
        s, t = m.body_treeid[m.site_bodyid[a]], m.body_treeid[m.site_bodyid[b]]
        if s >= 0 and t >= 0 and s != t:
            connect(d, s, t)


@kernel(when=may_couple)
def connect_metric(m, d):
    """(tree_next) -> (tree_next): merges trees that the metric may couple"""
    for t in range(m.ntendon):
        if m.tendon_treenum[t] > 1 and not tendon_sleeps(m, d, t) and tendon_may_couple(m, t):
            connect_tendon(m, d, t)
    if m.opt.disableflags & DSBL_ACTUATION:
        return
    for i in range(m.nactuator):
        plain = m.actuator_gaintype[i] == GAIN_FIXED and m.actuator_biastype[i] == BIAS_NONE
        if not plain and not actuator_sleeps(m, d, i):
            connect_actuator(m, d, i)


# ---------------------------------------------------------------- lists by islands


@helper
def number_islands(m, d):
    """(tree_next) -> (tree_island, nidof); returns the number of islands"""
    n = 0
    d.nidof = 0
    for t in range(m.ntree):
        d.tree_island[t] = -1
        if d.tree_next[t] >= 0:
            d.nidof += m.tree_dofnum[t]
            if d.tree_next[t] == t:
                d.tree_island[t] = n
                n += 1
            else:
                d.tree_island[t] = d.tree_island[find_root(d, t)]
    return n


@helper
def list_trees(m, d):
    """(tree_island) -> (trees and dofs by islands)"""
    for i in range(d.nisland):
        d.island_ntree[i] = 0
        d.island_nv[i] = 0
    inside = 0
    for t in range(m.ntree):
        i = d.tree_island[t]
        if i >= 0:
            inside += 1
            d.island_ntree[i] += 1
            d.island_nv[i] += m.tree_dofnum[t]
    # address of each island's list
    trees = 0
    dofs = 0
    for i in range(d.nisland):
        d.island_itreeadr[i] = trees
        d.island_idofadr[i] = dofs
        trees += d.island_ntree[i]
        dofs += d.island_nv[i]
        d.island_ntree[i] = 0
        d.island_nv[i] = 0
    # append each tree to the list of its island; trees in none come after all islands
    outside_dofs = d.nidof
    for t in range(m.ntree):
        i = d.tree_island[t]
        first = m.tree_dofadr[t]
        if i >= 0:
            if d.island_ntree[i] == 0:
                d.island_dofadr[i] = first
            tree = d.island_itreeadr[i] + d.island_ntree[i]
            dof = d.island_idofadr[i] + d.island_nv[i]
            d.island_ntree[i] += 1
            d.island_nv[i] += m.tree_dofnum[t]
        else:
            tree = inside
            dof = outside_dofs
            inside += 1
            outside_dofs += m.tree_dofnum[t]
        d.map_itree2tree[tree] = t
        for v in range(m.tree_dofnum[t]):
            d.dof_island[first + v] = i
            d.map_dof2idof[first + v] = dof + v
            d.map_idof2dof[dof + v] = first + v


@helper
def list_rows(m, d):
    """(efc_tree, tree_island) -> (rows by islands)"""
    for i in range(d.nisland):
        d.island_ne[i] = 0
        d.island_nf[i] = 0
        d.island_nefc[i] = 0
    for r in range(d.nefc):
        i = d.tree_island[d.efc_tree[r]]
        d.efc_island[r] = i
        d.island_nefc[i] += 1
        if r < d.ne:
            d.island_ne[i] += 1
        elif r < d.ne + d.nf:
            d.island_nf[i] += 1
    first = 0
    for i in range(d.nisland):
        d.island_iefcadr[i] = first
        first += d.island_nefc[i]
        d.island_nefc[i] = 0
    for r in range(d.nefc):
        i = d.efc_island[r]
        to = d.island_iefcadr[i] + d.island_nefc[i]
        d.map_efc2iefc[r] = to
        d.map_iefc2efc[to] = r
        d.island_nefc[i] += 1


@kernel
def island(m, d):
    """(efc_type, efc_id, efc_J, contact.geom) -> (nisland, nidof, *_island, island_*, map_*)"""
    d.nisland = 0
    d.nidof = 0
    if d.nefc == 0 or m.opt.disableflags & DSBL_ISLAND:
        return
    for t in range(m.ntree):
        d.tree_next[t] = -1
    for r in range(d.nefc):
        # rows of one constraint act on the same trees
        if r > 0 and d.efc_type[r] == d.efc_type[r - 1] and d.efc_id[r] == d.efc_id[r - 1]:
            d.efc_tree[r] = d.efc_tree[r - 1]
        else:
            d.efc_tree[r] = connect_row(m, d, r)
    if may_couple(m):
        connect_metric(m, d)
    n = number_islands(m, d)
    if n > len(d.island_nv):
        require_islands(d, n)
        return
    d.nisland = n
    list_trees(m, d)
    list_rows(m, d)
