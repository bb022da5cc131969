"""Why each tree is awake at a forwarded state, how fast it is, and in how many steps it falls asleep.

What the next step decides, by the rules of `stages/sleep/fall_asleep.py`: a tree counts down while it may sleep, is
slow and nothing is applied to it; an island sleeps when all its trees have counted down. `d` may be a copy of what
this needs of a Data, such as a snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.enums import (
    AWAKE_ASLEEP,
    AWAKE_ISLAND,
    AWAKE_MOVING,
    AWAKE_OFF,
    AWAKE_POLICY,
    AWAKE_QFRC,
    AWAKE_WAITING,
    AWAKE_XFRC,
    ENBL_SLEEP,
    INT_RK4,
    SLEEP_AUTO_NEVER,
    SLEEP_NEVER,
)
from sim.stages.sleep.awake import FULLY_AWAKE, READY

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# why nothing sleeps at all
FLAG, RK4, ISLANDS = "flag", "rk4", "islands"
# the steps until a tree falls asleep, where something has to change before
NEVER = -1
FOREVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class TreeSleep:
    """All trees of a state; one entry for each."""

    # why nothing sleeps: FLAG, RK4, ISLANDS; "" if trees can
    off: str
    asleep: Flags
    # what keeps the tree itself from counting down, (AWAKE_*, id); AWAKE_WAITING: nothing does
    obstacle: Ints
    # AWAKE_* and id as the next step will say, unless the tree falls asleep in it
    reason: Ints
    # the largest velocity as the sleep tolerance counts it, m/s, and the dof that has it
    speed: Floats
    dof: Ints
    # the dof that will be too fast in the next step, by its acceleration, or -1
    starting: Ints
    # island of an awake tree, or -1
    island: Ints
    # steps until it falls asleep if all stays as it is; 0: it is asleep
    countdown: Ints

    @property
    def blocked(self) -> Flags:
        """Awake trees that something of their own keeps from counting down."""
        found: Flags = ~self.asleep & (self.obstacle[:, 0] != AWAKE_WAITING)
        return found

    def mates(self, tree: int) -> Ints:
        """The trees that can only fall asleep together with one, and that one."""
        if self.island[tree] < 0:
            return np.array([tree])
        return np.flatnonzero(self.island == self.island[tree])


def tree_sleep(m: Any, d: Any) -> TreeSleep:
    """The sleep of all trees of a Model and a Data, or of views of them."""
    off = why_off(m, d)
    counter = np.asarray(d.tree_asleep, np.int64)
    asleep = counter >= 0
    speeds = dof_speeds(m, d)
    speed, dof = _fastest(m, speeds)
    obstacle = _obstacles(m, d, speeds)
    coming, starting = _fastest(m, np.asarray(m.dof_length) * np.abs(d.qvel + float(m.opt.timestep) * d.qacc))
    obstacle[asleep] = AWAKE_ASLEEP, 0
    island = np.full(int(m.ntree), -1)
    if d.nisland:
        own = np.asarray(d.tree_island, np.int64)
        island = np.where(~asleep & (own < int(d.nisland)), own, -1)
    waiting = obstacle[:, 0] == AWAKE_WAITING
    # where each counter is after the next step
    after = np.where(waiting, np.minimum(counter + 1, READY), FULLY_AWAKE)
    reason = obstacle.copy()
    reason[waiting, 1] = READY - after[waiting]
    left = np.where(waiting, np.maximum(READY - counter, 1), FOREVER)
    inside, count = np.flatnonzero(island >= 0), int(island.max(initial=-1)) + 1
    longest, last = np.zeros(count, np.int64), np.full(count, -1)
    np.maximum.at(longest, island[inside], left[inside])
    left[inside] = longest[island[inside]]
    unready = inside[after[inside] < READY]
    np.maximum.at(last, island[unready], unready)
    held = inside[(after[inside] == READY) & (last[island[inside]] >= 0)]
    reason[held] = np.column_stack([np.full(len(held), AWAKE_ISLAND), last[island[held]]])
    countdown = np.where(left == FOREVER, NEVER, left)
    if off:
        reason[:] = AWAKE_OFF, 0
        countdown[:] = NEVER
    countdown[asleep] = 0
    starting = np.where(~asleep & (coming >= float(m.opt.sleep_tolerance)), starting, -1)
    return TreeSleep(off, asleep, obstacle, reason, speed, dof, starting, island, countdown)


def why_off(m: Any, d: Any) -> str:
    """Why no tree can fall asleep in a state: FLAG, RK4 or ISLANDS; "" if they can."""
    if not int(m.opt.enableflags) & ENBL_SLEEP:
        return FLAG
    if int(m.opt.integrator) == INT_RK4:
        return RK4
    return ISLANDS if int(d.nefc) > 0 and not int(d.nisland) else ""


def dof_speeds(m: Any, d: Any) -> Floats:
    """The velocity of each dof as the sleep tolerance counts it, m/s."""
    speeds: Floats = np.asarray(m.dof_length) * np.abs(d.qvel)
    return speeds


def least_tolerance(speed: float) -> float:
    """The least opt.sleep_tolerance of two digits at which a speed counts as rest."""
    if not 0 < speed < np.inf:
        return float(np.nextafter(0.0, 1.0)) if speed == 0 else speed
    unit = 10.0 ** (np.floor(np.log10(speed)) - 1)
    steps = np.floor(speed / unit)
    # the tolerance itself is too fast already
    found = [float(f"{(steps + k) * unit:.2g}") for k in range(3)]
    return next(value for value in found if value > speed)


def _fastest(m: Any, speeds: Floats) -> tuple[Floats, Ints]:
    """The fastest dof of each tree: its speed, m/s, and which it is."""
    tree = np.asarray(m.dof_treeid)
    order = np.lexsort((np.arange(len(speeds)), -np.nan_to_num(speeds, nan=np.inf), tree))
    _, first = np.unique(tree[order], return_index=True)
    fastest = order[first]
    return speeds[fastest], fastest


def _obstacles(m: Any, d: Any, speeds: Floats) -> Ints:
    """(AWAKE_*, id) of each tree by itself, whatever its island does."""
    found = np.tile(np.array([AWAKE_WAITING, 0]), (int(m.ntree), 1))
    tolerance = float(m.opt.sleep_tolerance)
    dofs, bodies = np.asarray(m.dof_treeid), np.asarray(m.body_treeid)
    pushed: Flags = np.any(_set(d.xfrc_applied), axis=1)
    if int(d.perturb.active) and 0 <= int(d.perturb.select) < len(bodies):
        # a force on another body of the tree is named first
        tree = int(bodies[int(d.perturb.select)])
        if tree >= 0:
            found[tree] = AWAKE_XFRC, int(d.perturb.select)
    _name_first(found, AWAKE_XFRC, pushed, bodies)
    _name_first(found, AWAKE_QFRC, _set(d.qfrc_applied), dofs)
    # with NaN nothing is too fast, as in the engine
    fast: Flags = np.greater_equal(speeds, tolerance) if tolerance > 0 else _set(d.qvel)
    _name_first(found, AWAKE_MOVING, fast, dofs)
    never = np.isin(np.asarray(m.tree_sleep_policy), (SLEEP_NEVER, SLEEP_AUTO_NEVER))
    found[never] = AWAKE_POLICY, 0
    return found


def _name_first(found: Ints, code: int, where: Flags, tree: NDArray[Any]) -> None:
    """Give each tree the code and the first of its elements that fulfil a condition."""
    ids = np.flatnonzero(where & (tree >= 0))
    trees, first = np.unique(tree[ids], return_index=True)
    found[trees] = np.column_stack([np.full(len(trees), code), ids[first]])


def _set(values: Any) -> Flags:
    """Numbers whose bytes are not all zero: -0 counts."""
    numbers = np.asarray(values)
    found: Flags = (numbers != 0) | np.signbit(numbers)
    return found
