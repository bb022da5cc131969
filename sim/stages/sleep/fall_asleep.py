"""Putting trees to sleep: countdowns, islands that are ready, trees that are initially asleep.

fall_asleep: (qvel, applied forces, islands) -> (tree_asleep, tree_restless, sleep.qpos, zero qvel). The index lists are
not updated, so that velocity-dependent quantities can be recomputed; then update_sleep removes the trees from them.
"""

from sim.enums import (
    AWAKE_ASLEEP,
    AWAKE_ISLAND,
    AWAKE_MOVING,
    AWAKE_OFF,
    AWAKE_POLICY,
    AWAKE_QFRC,
    AWAKE_WAITING,
    AWAKE_XFRC,
    SLEEP_INIT,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import get3, get4, put3, put4
from sim.stages.sleep.awake import FULLY_AWAKE, READY, never_sleeps, sleeps
from sim.stages.sleep.user_changes import first_pushed, first_set, is_set, qpos_range
from sim.state.advance import zero_qvel


@helper
def too_fast(m, d, t):
    """The first dof of a tree whose velocity exceeds the sleep tolerance, or -1."""
    tolerance = m.opt.sleep_tolerance
    for v in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        x = d.qvel[v]
        if m.dof_length[v] * abs(x) >= tolerance and (tolerance > 0.0 or is_set(x)):
            return v
    return -1


@helper
def awake_reason(m, d, t):
    """(AWAKE_*, id): what keeps an awake tree from counting down"""
    if never_sleeps(m, t):
        return AWAKE_POLICY, 0
    v, end = m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]
    moving = too_fast(m, d, t)
    if moving >= 0:
        return AWAKE_MOVING, moving
    pushed = first_set(d.qfrc_applied, v, end)
    if pushed < end:
        return AWAKE_QFRC, pushed
    b, end = m.tree_bodyadr[t], m.tree_bodyadr[t] + m.tree_bodynum[t]
    pushed = first_pushed(d, b, end)
    if pushed < end:
        return AWAKE_XFRC, pushed
    return AWAKE_WAITING, 0


@inline
def set_awake_reason(d, t, why, which):
    d.tree_restless[t, 0] = why
    d.tree_restless[t, 1] = which


@helper
def count_down(m, d):
    """Advance the countdown of awake trees, or restart it."""
    for t in range(m.ntree):
        if d.tree_asleep[t] >= 0:
            continue
        why, which = awake_reason(m, d, t)
        if why == AWAKE_WAITING:
            d.tree_asleep[t] = min(d.tree_asleep[t] + 1, READY)
            which = READY - d.tree_asleep[t]
        else:
            d.tree_asleep[t] = FULLY_AWAKE
        set_awake_reason(d, t, why, which)


@helper
def sleep_tree(m, d, t, following):
    """Put a tree to sleep; `following` is the next one of its cycle."""
    d.tree_asleep[t] = following
    set_awake_reason(d, t, AWAKE_ASLEEP, 0)
    zero_qvel(d, m.tree_dofadr[t], m.tree_dofnum[t])
    first, end = qpos_range(m, t)
    for i in range(first, end):
        d.sleep.qpos[i] = d.qpos[i]
    k = m.body_mocapid[m.body_rootid[m.tree_bodyadr[t]]]
    if k >= 0:
        put3(d.sleep.mocap_pos, k, get3(d.mocap_pos, k))
        put4(d.sleep.mocap_quat, k, get4(d.mocap_quat, k))


@helper
def sleep_island(m, d, first, n):
    """Put n trees of map_itree2tree to sleep together, as one cycle."""
    for k in range(n):
        sleep_tree(m, d, d.map_itree2tree[first + k], d.map_itree2tree[first + k + 1 if k + 1 < n else first])


@kernel(when=sleeps)
def fall_asleep(m, d) -> int:
    """(qvel, applied forces, islands) -> (tree_asleep, tree_restless, qvel); how many fell asleep; lists unchanged"""
    if d.nefc > 0 and d.nisland == 0:
        for t in range(m.ntree):
            set_awake_reason(d, t, AWAKE_OFF, 0)
        return 0
    count_down(m, d)
    slept, inside = 0, 0
    for i in range(d.nisland):
        first, n = d.island_itreeadr[i], d.island_ntree[i]
        inside += n
        awake = -1
        for k in range(first, first + n):
            if d.tree_asleep[d.map_itree2tree[k]] < READY:
                awake = d.map_itree2tree[k]
        if awake < 0:
            sleep_island(m, d, first, n)
            slept += n
            continue
        for k in range(first, first + n):
            if d.tree_asleep[d.map_itree2tree[k]] == READY:
                set_awake_reason(d, d.map_itree2tree[k], AWAKE_ISLAND, awake)
    # trees in no island
    for k in range(inside, m.ntree):
        t = d.map_itree2tree[k] if d.nisland > 0 else k
        if d.tree_asleep[t] == READY:
            sleep_tree(m, d, t, t)
            slept += 1
    return slept


@inline
def starts_asleep(m):
    """At least one tree is initially asleep."""
    found = False
    for t in range(m.ntree):
        found = found or m.tree_sleep_policy[t] == SLEEP_INIT
    return found and sleeps(m)


@kernel(when=starts_asleep)
def make_ready(m, d):
    """() -> (tree_asleep): trees that are initially asleep are ready, all others fully awake"""
    for t in range(m.ntree):
        d.tree_asleep[t] = READY if m.tree_sleep_policy[t] == SLEEP_INIT else FULLY_AWAKE


@kernel(when=starts_asleep)
def restart_ready(m, d):
    """() -> (tree_asleep): trees that were to start asleep and could not are fully awake"""
    for t in range(m.ntree):
        if m.tree_sleep_policy[t] == SLEEP_INIT and d.tree_asleep[t] < 0:
            d.tree_asleep[t] = FULLY_AWAKE


@kernel(when=sleeps)
def sleep_by_call(m, d, t: int) -> int:
    """(islands) -> (tree_asleep, qvel): put a tree and its island to sleep, lists unchanged; 0 if one never sleeps"""
    i = d.tree_island[t] if d.nisland > 0 else -1
    if i < 0:
        if never_sleeps(m, t):
            return 0
        sleep_tree(m, d, t, t)
        return 1
    first, n = d.island_itreeadr[i], d.island_ntree[i]
    for k in range(first, first + n):
        if never_sleeps(m, d.map_itree2tree[k]):
            return 0
    sleep_island(m, d, first, n)
    return n
