"""Waking trees, each with all trees that fell asleep together with it.

wake_by_user: changes of the state or of applied forces; wake_by_contact: a contact with an awake body;
wake_by_equality: an equality with an awake body; wake_by_tendon: a tendon with friction or at its limit, shared with an
awake tree; wake_by_call: sim.wake. Each writes (tree_asleep, tree_wakecause) and updates the index lists. A tree woken
by a contact or tendon takes over the countdown of the tree that woke it.
"""

from sim.enums import (
    ASLEEP,
    AWAKE,
    DSBL_CONSTRAINT,
    DSBL_FRICTIONLOSS,
    DSBL_LIMIT,
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    STATIC,
    WAKE_CALL,
    WAKE_CONTACT,
    WAKE_EQUALITY,
    WAKE_FLAG,
    WAKE_NONE,
    WAKE_TENDON,
)
from sim.jit import helper, inline, kernel
from sim.stages.sleep.awake import FULLY_AWAKE, equality_bodies, sleeps, update_sleep
from sim.stages.sleep.user_changes import user_wake_cause


@helper
def wake_cycle(d, t, countdown, cause, which):
    """Wake a tree and its cycle; an awake tree gets the longer countdown. Returns how many woke."""
    if d.tree_asleep[t] < 0:
        d.tree_asleep[t] = min(d.tree_asleep[t], countdown)
        return 0
    n = 0
    while d.tree_asleep[t] >= 0:
        following = d.tree_asleep[t]
        d.tree_asleep[t] = countdown
        d.tree_wakecause[t, 0] = cause
        d.tree_wakecause[t, 1] = which
        t = following
        n += 1
    return n


@kernel(when=sleeps)
def wake_by_user(m, d):
    """(qpos, qvel, qfrc_applied, xfrc_applied, mocap_*) -> (tree_asleep, lists): all trees if sleeping is disabled"""
    n = 0
    for t in range(m.ntree):
        if not sleeps(m):
            # an awake tree restarts its countdown
            n += wake_cycle(d, t, FULLY_AWAKE, WAKE_FLAG, 0)
        elif d.tree_asleep[t] >= 0:
            cause, which = user_wake_cause(m, d, t)
            if cause != WAKE_NONE:
                n += wake_cycle(d, t, FULLY_AWAKE, cause, which)
    if n > 0:
        update_sleep(m, d)


@kernel(when=sleeps)
def wake_by_call(m, d, t: int):
    """() -> (tree_asleep, lists): wake a tree and its cycle, or all (-1); static poses are recomputed"""
    for i in range(m.ntree):
        if t < 0 or i == t:
            wake_cycle(d, i, FULLY_AWAKE, WAKE_CALL, 0)
    d.sleep.static_valid = 0
    update_sleep(m, d)


@inline
def countdown_of(m, d, b):
    """Countdown of the tree of an awake body; that of a mocap body never starts."""
    t = m.body_treeid[b]
    return d.tree_asleep[t] if t >= 0 else FULLY_AWAKE


@kernel(when=sleeps)
def wake_by_contact(m, d) -> int:
    """(contact) -> (tree_asleep, lists): wake trees in contact with awake bodies; returns how many woke"""
    n = 0
    for c in range(d.ncon):
        g1, g2 = d.contact.geom[c, 0], d.contact.geom[c, 1]
        b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
        if d.body_awake[b1] == ASLEEP and d.body_awake[b2] == AWAKE:
            n += wake_cycle(d, m.body_treeid[b1], countdown_of(m, d, b2), WAKE_CONTACT, g2)
        elif d.body_awake[b1] == AWAKE and d.body_awake[b2] == ASLEEP:
            n += wake_cycle(d, m.body_treeid[b2], countdown_of(m, d, b1), WAKE_CONTACT, g1)
    if n > 0:
        update_sleep(m, d)
    return n


@helper
def same_cycle(d, s, t):
    """Two trees are in the same sleep cycle, or both awake by now."""
    if d.tree_asleep[s] < 0 or d.tree_asleep[t] < 0:
        return d.tree_asleep[s] < 0 and d.tree_asleep[t] < 0
    k = d.tree_asleep[s]
    while k != s and k != t:
        k = d.tree_asleep[k]
    return k == t


@helper
def wake_bodies(m, d, b1, b2, e):
    """Wake the trees of two bodies unless both sleep in the same cycle. Returns how many woke."""
    s1, s2 = d.body_awake[b1], d.body_awake[b2]
    t1, t2 = m.body_treeid[b1], m.body_treeid[b2]
    if s1 == STATIC or s2 == STATIC or (s1 == AWAKE and s2 == AWAKE) or t1 == t2:
        return 0
    if s1 == ASLEEP and s2 == ASLEEP and same_cycle(d, t1, t2):
        return 0
    n = 0
    if s1 == ASLEEP:
        n += wake_cycle(d, t1, FULLY_AWAKE, WAKE_EQUALITY, e)
    if s2 == ASLEEP:
        n += wake_cycle(d, t2, FULLY_AWAKE, WAKE_EQUALITY, e)
    return n


@helper
def wake_tendons(m, d, e):
    """The same for all trees along two tendons. MuJoCo does not support sleeping with such an equality."""
    n = 0
    first = m.tendon_treeid[m.eq_obj1id[e], 0]
    for k in range(1, 4):
        tendon = m.eq_obj1id[e] if k == 1 else m.eq_obj2id[e]
        other = m.tendon_treeid[tendon, k & 1] if tendon >= 0 else -1
        if first >= 0 and other >= 0:
            n += wake_bodies(m, d, m.tree_bodyadr[first], m.tree_bodyadr[other], e)
    return n


@kernel(when=lambda m: m.neq > 0 and sleeps(m))
def wake_by_equality(m, d):
    """(eq_active) -> (tree_asleep, lists): wake trees that an equality constrains to others"""
    n = 0
    for e in range(m.neq):
        if d.eq_active[e]:
            kind = m.eq_type[e]
            if kind == EQ_TENDON:
                n += wake_tendons(m, d, e)
            elif kind == EQ_CONNECT or kind == EQ_WELD or kind == EQ_JOINT or kind == EQ_DISTANCE:
                b1, b2 = equality_bodies(m, e)
                n += wake_bodies(m, d, b1, b2, e)
    if n > 0:
        update_sleep(m, d)


@inline
def constrained(m, d, t):
    """A tendon has friction, or is at its limit, and such constraints are enabled."""
    off = m.opt.disableflags
    if off & DSBL_CONSTRAINT:
        return False
    if m.tendon_frictionloss[t] > 0.0 and not off & DSBL_FRICTIONLOSS:
        return True
    left = min(d.ten_length[t] - m.tendon_range[t, 0], m.tendon_range[t, 1] - d.ten_length[t])
    return m.tendon_limited[t] and left < m.tendon_margin[t] and not off & DSBL_LIMIT


@kernel(when=lambda m: m.ntendon > 0 and sleeps(m))
def wake_by_tendon(m, d):
    """(ten_length) -> (tree_asleep, lists): wake trees that a tendon with a constraint connects to an awake one"""
    n = 0
    for t in range(m.ntendon):
        t1, t2 = m.tendon_treeid[t, 0], m.tendon_treeid[t, 1]
        if m.tendon_treenum[t] == 2 and d.tree_awake[t1] != d.tree_awake[t2] and constrained(m, d, t):
            if d.tree_awake[t1]:
                n += wake_cycle(d, t2, d.tree_asleep[t1], WAKE_TENDON, t)
            else:
                n += wake_cycle(d, t1, d.tree_asleep[t2], WAKE_TENDON, t)
    if n > 0:
        update_sleep(m, d)
