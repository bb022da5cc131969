"""What ties trees together: contacts, equalities and tendons with constraint rows; and what drives or spans a tree."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sim import enums
from sim.analysis.force_sources import CONSTRAINTS
from sim.stages.sleep.awake import equality_bodies


class Tie(NamedTuple):
    """An element that constrains two trees: "contact", "equality" or "tendon", its index, and both trees."""

    kind: str
    id: int
    tree: int
    other: int


def ties(m: Any, d: Any) -> list[Tie]:
    """Ties between different trees, by their constraint rows; those of contacts first."""
    rows = np.unique(np.column_stack([d.efc_type[: d.nefc], d.efc_id[: d.nefc]]), axis=0)
    order = {"contact": 0, "equality": 1, "tendon": 2}
    found = []
    for kind, index in sorted(
        {(CONSTRAINTS[row][1], k) for row, k in rows.tolist()}, key=lambda e: (order.get(e[0], 3), e[1])
    ):
        trees = sorted(constrained_trees(m, d, kind, index)) if kind in order else []
        found += [Tie(kind, index, one, other) for one, other in pairwise(trees)]
    return found


def constrained_trees(m: Any, d: Any, kind: str, index: int) -> set[int]:
    """The trees that a contact, equality or tendon acts on."""
    if kind == "contact":
        bodies = [int(m.geom_bodyid[geom]) for geom in d.contact.geom[index].tolist() if geom >= 0]
        return {int(m.body_treeid[body]) for body in bodies} - {-1}
    return equality_trees(m, index) if kind == "equality" else tendon_trees(m, index)


def equality_trees(m: Any, equality: int) -> set[int]:
    """The trees that an equality couples."""
    if int(m.eq_type[equality]) == enums.EQ_TENDON:
        ends = (int(m.eq_obj1id[equality]), int(m.eq_obj2id[equality]))
        return {tree for tendon in ends if tendon >= 0 for tree in tendon_trees(m, tendon)}
    if int(m.eq_type[equality]) not in (enums.EQ_CONNECT, enums.EQ_WELD, enums.EQ_JOINT, enums.EQ_DISTANCE):
        return set()
    return {int(m.body_treeid[int(body)]) for body in equality_bodies(m, equality)} - {-1}


def tendon_trees(m: Any, tendon: int) -> set[int]:
    """The trees that a tendon spans."""
    owners = {
        enums.WRAP_JOINT: m.jnt_bodyid,
        enums.WRAP_SITE: m.site_bodyid,
        enums.WRAP_SPHERE: m.geom_bodyid,
        enums.WRAP_CYLINDER: m.geom_bodyid,
    }
    first = int(m.tendon_adr[tendon])
    path = range(first, first + int(m.tendon_num[tendon]))
    bodies = [owners[int(m.wrap_type[k])][m.wrap_objid[k]] for k in path if int(m.wrap_type[k]) in owners]
    return {int(m.body_treeid[body]) for body in bodies} - {-1}


def driven_trees(m: Any, actuator: int) -> set[int]:
    """The trees that an actuator acts on; those of both its sites, if it has two."""
    kind, targets = int(m.actuator_trntype[actuator]), m.actuator_trnid[actuator].tolist()[:2]
    if kind == enums.TRN_TENDON:
        return tendon_trees(m, targets[0])
    joint = kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT) or (kind == enums.TRN_SO3 and targets[1] < 0)
    if joint or kind == enums.TRN_BODY:
        body = int(m.jnt_bodyid[targets[0]]) if joint else targets[0]
        return {int(m.body_treeid[body])} - {-1}
    return {int(m.body_treeid[m.site_bodyid[site]]) for site in targets if site >= 0} - {-1}


def couples(m: Any, tendon: int) -> bool:
    """Whether the trees that a tendon spans cannot sleep: it has a spring or damper, or spans more than two."""
    count = len(tendon_trees(m, tendon))
    forces = any(np.any(m.read(name)[tendon]) for name in ("tendon_stiffness", "tendon_damping"))
    return count > 2 or (count == 2 and bool(forces))


def kept_awake_by(m: Any) -> dict[int, tuple[str, int]]:
    """Tree -> the first actuator, or else tendon, for which the compiler lets it never sleep."""
    known: dict[int, tuple[str, int]] | None = m.derived.get("kept awake by")
    if known is None:
        known = {}
        for actuator in range(int(m.nactuator)):
            for tree in driven_trees(m, actuator):
                known.setdefault(tree, ("actuator", actuator))
        for tendon in range(len(m.tendon_num)):
            for tree in tendon_trees(m, tendon) if couples(m, tendon) else ():
                known.setdefault(tree, ("tendon", tendon))
        # whole at once: copies of a model on other threads share it
        m.derived["kept awake by"] = known
    return known


def path_to(found: Sequence[Tie], start: int, goals: Container[int]) -> list[Tie]:
    """The fewest ties from a tree to one of several others, each from the nearer tree to the farther; [] for none."""
    beside: dict[int, list[Tie]] = {}
    for tie in found:
        beside.setdefault(tie.tree, []).append(tie)
        beside.setdefault(tie.other, []).append(Tie(tie.kind, tie.id, tie.other, tie.tree))
    ways: dict[int, list[Tie]] = {start: []}
    queue = deque([start])
    while queue:
        tree = queue.popleft()
        if tree in goals and tree != start:
            return ways[tree]
        for tie in beside.get(tree, ()):
            if tie.other not in ways:
                ways[tie.other] = [*ways[tree], tie]
                queue.append(tie.other)
    return []
