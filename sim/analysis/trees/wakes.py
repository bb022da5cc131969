"""Wakes in recorded rows: which trees woke at which step, and by what; a chain of wakes back to the first cause.

A row has what woke each tree last (tree_wakecause). A tree wakes with all trees that fell asleep together with it, and
they all get the same cause: which of them was touched, a contact of the state before says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.analysis.trees.tree_ties import equality_trees, tendon_trees
from sim.enums import (
    WAKE_CONTACT,
    WAKE_EQUALITY,
    WAKE_FLAG,
    WAKE_QFRC,
    WAKE_QPOS,
    WAKE_QVEL,
    WAKE_TENDON,
    WAKE_XFRC,
)
from sim.state.signature import state_places

if TYPE_CHECKING:
    from sim.model import Data, Model

Ints = NDArray[np.int64]
Rows = NDArray[np.float64]


class Wake(NamedTuple):
    """A tree that woke: the first step at which it is awake, and the time of that, s; the cause, WAKE_* and its id.

    `via` is the tree of those that fell asleep with it that was touched, pulled or pushed: often itself. `source` is
    the tree that did it, -1 for none. `mouse`: the force was that of the mouse.
    """

    step: int
    time: float
    tree: int
    cause: int
    id: int
    via: int
    source: int = -1
    mouse: bool = False


@dataclass(frozen=True, eq=False)
class SleepRows:
    """What rows say about sleep, one entry for each row."""

    steps: Ints
    times: Rows
    # tree_asleep: the next tree of the cycle of those that fell asleep together, or negative
    asleep: Ints
    cause: Ints
    # the body that the mouse pulls, or -1
    pulled: Ints


def sleep_rows(m: Model, sig: int, steps: Ints, rows: Rows) -> SleepRows:
    """The sleep of all trees at rows of one signature; without that of sleep all are awake."""
    places = state_places(m, sig)
    count, ntree = len(rows), int(m.ntree)
    asleep, cause = np.full((count, ntree), -1), np.tile(np.array([WAKE_FLAG, 0]), (count, ntree, 1))
    if "tree_asleep" in places:
        asleep = rows[:, places["tree_asleep"]].astype(np.int64)
        cause = rows[:, places["tree_wakecause"]].reshape(count, ntree, 2).astype(np.int64)
    active = rows[:, places["perturb.active"]][:, 0] != 0
    pulled = np.where(active, rows[:, places["perturb.select"]][:, 0], -1).astype(np.int64)
    return SleepRows(steps, rows[:, places["time"]][:, 0], asleep, cause, pulled)


def joined(parts: Sequence[SleepRows]) -> SleepRows:
    """Rows of several parts in order."""
    names = ("steps", "times", "asleep", "cause", "pulled")
    return SleepRows(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def wakes(m: Model, rows: SleepRows, touched: Callable[[int, int], set[int]]) -> list[Wake]:
    """The trees that woke between consecutive rows, in order.

    `touched` gives the trees that touch a geom in the state of a row: step, geom. It is asked where several trees woke
    together.
    """
    asleep = rows.asleep >= 0
    woken = asleep[:-1] & ~asleep[1:]
    found: list[Wake] = []
    for before in np.flatnonzero(woken.any(axis=1)).tolist():
        now, left = before + 1, set(np.flatnonzero(woken[before]).tolist())
        step, when = int(rows.steps[now]), float(rows.times[now])
        while left:
            cycle = _cycle(rows.asleep[before], min(left)) & left
            left -= cycle
            cause, index = (int(number) for number in rows.cause[now, min(cycle)])
            direct, source = _by(m, cause, index, cycle, partial(touched, step - 1))
            if source >= 0 and asleep[before, source] and rows.cause[now, source].tolist() == [cause, index]:
                # both slept, apart: neither came first
                source = -1
            mouse = cause == WAKE_XFRC and index in (int(rows.pulled[before]), int(rows.pulled[now]))
            for tree in sorted(cycle):
                via = tree if tree in direct or not direct else min(direct)
                found.append(Wake(step, when, tree, cause, index, via, source, mouse))
    return found


def touching_trees(m: Model, d: Data, geom: int) -> set[int]:
    """The trees that touch a geom in a forwarded state."""
    pairs = d.contact.geom[: d.ncon]
    others = pairs[(pairs == geom).any(axis=1)].ravel()
    return {int(m.body_treeid[int(m.geom_bodyid[other])]) for other in others.tolist() if other not in (geom, -1)}


def wake_chain(last: Callable[[int, int], Wake | None], tree: int, step: int) -> list[Wake]:
    """What woke a tree, what woke that, and so on to the first cause: the last wake of each at or before the next.

    `last` finds the last wake of a tree at or before a step. Where the chain ends with a source, that has been awake
    from the beginning.
    """
    links: list[Wake] = []
    # trees whose wake at this step is in the chain: one that woke itself would go round for ever
    seen: set[int] = set()
    while tree >= 0 and tree not in seen:
        found = last(tree, step)
        if found is None:
            break
        links.append(found)
        seen = {*(seen if found.step == step else ()), tree}
        tree, step = found.source, found.step
    return links


def _cycle(following: Ints, tree: int) -> set[int]:
    """The trees that fell asleep together with one, and that one."""
    found = {tree}
    while int(following[tree]) not in found:
        tree = int(following[tree])
        found.add(tree)
    return found


def _by(m: Model, cause: int, index: int, cycle: set[int], touched: Callable[[int], set[int]]) -> tuple[set[int], int]:
    """Which trees of a cycle were acted on themselves, none if that is not known; and by which other tree."""
    if cause == WAKE_CONTACT:
        source = int(m.body_treeid[int(m.geom_bodyid[index])])
        return (touched(index) & cycle if len(cycle) > 1 else cycle), source
    if cause in (WAKE_EQUALITY, WAKE_TENDON):
        ends = equality_trees(m, index) if cause == WAKE_EQUALITY else tendon_trees(m, index)
        return ends & cycle, min(ends - cycle, default=-1)
    if cause == WAKE_QPOS:
        joint = int(np.searchsorted(m.jnt_qposadr, index, side="right")) - 1
        return {int(m.body_treeid[m.jnt_bodyid[joint]])} & cycle, -1
    if cause in (WAKE_QVEL, WAKE_QFRC):
        return {int(m.dof_treeid[index])} & cycle, -1
    return ({int(m.body_treeid[index])} & cycle if cause == WAKE_XFRC else set[int]()), -1
