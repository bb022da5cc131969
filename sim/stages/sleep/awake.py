"""Sleep states: index lists and ranges of awake elements, and which tendons, actuators, equalities sleep.

update_sleep: (tree_asleep) -> (tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind, n*_awake; and
the same as index ranges, span.*). Stages loop over ranges: if all are awake there is one, which makes a step of 40
boxes without contacts 5 % slower and one with contacts no slower; index lists made the former 25 % slower.
Static bodies are in the lists, but their poses are computed once. Mocap bodies and bodies fixed to them are always
awake.
"""

from sim.enums import (
    ASLEEP,
    AWAKE,
    AWAKE_OFF,
    ENBL_SLEEP,
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    INT_RK4,
    MINAWAKE,
    OBJ_SITE,
    SLEEP_AUTO_NEVER,
    SLEEP_NEVER,
    STATIC,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
    WAKE_NONE,
)
from sim.jit import helper, inline, kernel

FULLY_AWAKE = -(1 + MINAWAKE)
READY = -1


@inline
def sleeps(m):
    """Sleeping is enabled; RK4 does not support it."""
    return m.opt.enableflags & ENBL_SLEEP != 0 and m.opt.integrator != INT_RK4


@inline
def some_asleep(m, d):
    """At least one tree is asleep."""
    return d.ntree_awake < m.ntree


@inline
def never_sleeps(m, t):
    """The sleep policy keeps the tree awake."""
    return m.tree_sleep_policy[t] == SLEEP_NEVER or m.tree_sleep_policy[t] == SLEEP_AUTO_NEVER


@inline
def extend(ranges, n, i):
    """Append index i to the last of n ranges, or start a new one; returns the number of ranges."""
    if n > 0 and ranges[n - 1, 1] == i:
        ranges[n - 1, 1] = i + 1
        return n
    ranges[n, 0] = i
    ranges[n, 1] = i + 1
    return n + 1


@helper
def set_ranges(d, ranges, bodyid, n):
    """Index ranges of those among n elements whose bodies are not asleep; returns the number of ranges."""
    count = 0
    for i in range(n):
        if d.body_awake[bodyid[i]] != ASLEEP:
            count = extend(ranges, count, i)
    return count


@helper
def set_spans(m, d):
    """(body_awake) -> (span.*)"""
    n = 0
    for b in range(1, m.nbody):
        if d.body_awake[b] != ASLEEP:
            n = extend(d.span.body, n, b)
    d.span.nbody = n
    d.span.ngeom = set_ranges(d, d.span.geom, m.geom_bodyid, m.ngeom)
    d.span.njnt = set_ranges(d, d.span.jnt, m.jnt_bodyid, m.njnt)
    d.span.ndof = set_ranges(d, d.span.dof, m.dof_bodyid, m.nv)


@kernel(when=sleeps)
def update_sleep(m, d):
    """(tree_asleep) -> (tree_awake, body_awake, *_awake_ind, n*_awake, span.*)"""
    n = 0
    for t in range(m.ntree):
        d.tree_awake[t] = 1 if d.tree_asleep[t] < 0 else 0
        n += d.tree_awake[t]
    d.ntree_awake = n
    bodies, children = 0, 0
    for b in range(m.nbody):
        t = m.body_treeid[b]
        if t >= 0:
            d.body_awake[b] = AWAKE if d.tree_awake[t] else ASLEEP
        else:
            d.body_awake[b] = AWAKE if m.body_mocapid[m.body_rootid[b]] >= 0 else STATIC
        if d.body_awake[b] != ASLEEP:
            d.body_awake_ind[bodies] = b
            bodies += 1
        if b > 0 and d.body_awake[m.body_parentid[b]] != ASLEEP:
            d.parent_awake_ind[children] = b
            children += 1
    d.nbody_awake = bodies
    d.nparent_awake = children
    n = 0
    for v in range(m.nv):
        if d.tree_awake[m.dof_treeid[v]]:
            d.dof_awake_ind[n] = v
            n += 1
    d.nv_awake = n
    set_spans(m, d)
    d.sleep.changed += 1


@kernel(when=sleeps)
def all_awake(m, d):
    """() -> (tree_asleep, lists): wake all trees, as after a reset"""
    for t in range(m.ntree):
        d.tree_asleep[t] = FULLY_AWAKE
        for k in range(2):
            d.tree_wakecause[t, k] = WAKE_NONE
            d.tree_restless[t, k] = AWAKE_OFF if k == 0 else 0
    d.sleep.static_valid = 0
    update_sleep(m, d)


@inline
def mark_static_valid(m, d):
    """Poses of static bodies are up to date; this is not relied on while sleeping is disabled."""
    d.sleep.static_valid = 1 if sleeps(m) else 0


@inline
def tendon_sleeps(m, d, t):
    """All trees along a tendon are asleep; a tendon along three or more trees never sleeps."""
    n = m.tendon_treenum[t]
    if n == 1:
        return d.tree_awake[m.tendon_treeid[t, 0]] == 0
    return n == 2 and d.tree_awake[m.tendon_treeid[t, 0]] == 0 and d.tree_awake[m.tendon_treeid[t, 1]] == 0


@inline
def neither_awake(d, b1, b2):
    """Neither of two bodies is awake."""
    return d.body_awake[b1] != AWAKE and d.body_awake[b2] != AWAKE


@helper
def actuator_sleeps(m, d, i):
    """Nothing that an actuator acts on is awake, while some tree is asleep."""
    if not some_asleep(m, d):
        return False
    kind, a, b = m.actuator_trntype[i], m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    if kind == TRN_TENDON:
        return tendon_sleeps(m, d, a)
    if kind == TRN_JOINT or kind == TRN_JOINTINPARENT or (kind == TRN_SO3 and b < 0):
        return d.body_awake[m.jnt_bodyid[a]] == ASLEEP
    if kind == TRN_SLIDERCRANK or kind == TRN_SO3:
        return neither_awake(d, m.site_bodyid[a], m.site_bodyid[b])
    if kind == TRN_SITE:
        return d.body_awake[m.site_bodyid[a]] == ASLEEP
    return kind == TRN_BODY and d.body_awake[a] == ASLEEP


@helper
def actuator_idles(m, d, i):
    """An actuator has no force: it sleeps, or acts between two sites that cannot move, if sleeping is enabled."""
    if not sleeps(m):
        return False
    kind, a, b = m.actuator_trntype[i], m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    if kind == TRN_SLIDERCRANK or (kind == TRN_SO3 and b >= 0):
        return neither_awake(d, m.site_bodyid[a], m.site_bodyid[b])
    return actuator_sleeps(m, d, i)


@inline
def equality_bodies(m, e):
    """The two bodies of an equality between bodies, sites, joints or geoms; the world if there is no second one."""
    kind, a, b = m.eq_type[e], m.eq_obj1id[e], m.eq_obj2id[e]
    if kind == EQ_JOINT:
        return m.jnt_bodyid[a], m.jnt_bodyid[b] if b >= 0 else 0
    if kind == EQ_DISTANCE:
        return m.geom_bodyid[a], m.geom_bodyid[b]
    if m.eq_objtype[e] == OBJ_SITE:
        return m.site_bodyid[a], m.site_bodyid[b]
    return a, b


@helper
def equality_sleeps(m, d, e):
    """Neither side of an equality is awake, so it has no constraint rows."""
    if m.eq_type[e] == EQ_TENDON:
        other = m.eq_obj2id[e]
        return tendon_sleeps(m, d, m.eq_obj1id[e]) and (other < 0 or tendon_sleeps(m, d, other))
    b1, b2 = equality_bodies(m, e)
    return neither_awake(d, b1, b2)


# ---------------------------------------------------------------- rolling back a step


@kernel(when=sleeps)
def checkpoint_sleep(m, d):
    """(tree_asleep, tree_wakecause) -> (checkpoint_*)"""
    for t in range(m.ntree):
        d.checkpoint_asleep[t] = d.tree_asleep[t]
        d.checkpoint_wakecause[t, 0] = d.tree_wakecause[t, 0]
        d.checkpoint_wakecause[t, 1] = d.tree_wakecause[t, 1]


@kernel(when=sleeps)
def rollback_sleep(m, d):
    """(checkpoint_*) -> (tree_asleep, tree_wakecause, lists)"""
    for t in range(m.ntree):
        d.tree_asleep[t] = d.checkpoint_asleep[t]
        d.tree_wakecause[t, 0] = d.checkpoint_wakecause[t, 0]
        d.tree_wakecause[t, 1] = d.checkpoint_wakecause[t, 1]
    update_sleep(m, d)
