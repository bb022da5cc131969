"""Index fields of the body tree: addresses and counts, dofs, kinematic trees, simple bodies, BVH, qpos0.

From the bodies in their final order: `body_*adr`, `body_*num`, `dof_*`, `tree_*`, `body_simple`, `*_sameframe`, the
sparsity patterns, `bvh_*`, `qpos0`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim import enums
from sim.mjcf.bvh import BodyBvh
from sim.mjcf.columns import fill_attributes, starts
from sim.mjcf.records import Body, Ids, Joint, Values
from sim.mjcf.rotation import UNIT, ZERO, Vector
from sim.mjcf.sparse import patterns
from sim.named import JOINT_ROWS

# nq and nv of the joint types
NQ, NV = JOINT_ROWS["nq"], JOINT_ROWS["nv"]
SAME = 1e-6
SLEEP_AUTO_ALLOWED = 2

# element types in bodies -> their list in Body, and the prefix of their fields
IN_BODIES = {"joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras", "light": "lights"}
PREFIXES = {"joint": "jnt", "geom": "geom", "site": "site", "camera": "cam", "light": "light"}


def fill_tree(
    m: Values, bodies: list[Body], joints: Sequence[Joint], inert: Sequence[tuple[str, int]], ids: Ids
) -> None:
    """All index fields of the tree; `inert` are the joints and sites of tendons with armature."""
    for kind, place in IN_BODIES.items():
        prefix = PREFIXES[kind]
        counts = [len(getattr(body, place)) for body in bodies]
        m[f"{prefix}_bodyid"] = np.repeat(np.arange(len(bodies), dtype=np.int32), counts)
        if kind in ("joint", "geom"):
            _addresses(m, f"body_{prefix}", counts)
    nv, nq = [NV[joint.type] for joint in joints], [NQ[joint.type] for joint in joints]
    m["nq"], m["nv"] = sum(nq), sum(nv)
    m["jnt_qposadr"], m["jnt_dofadr"] = starts(nq)[0], starts(nv)[0]
    dofnum = [sum(NV[joint.type] for joint in body.joints) for body in bodies]
    _addresses(m, "body_dof", dofnum)
    m["dof_jntid"] = np.repeat(np.arange(len(joints), dtype=np.int32), nv)
    m["dof_bodyid"] = np.repeat(np.arange(len(bodies), dtype=np.int32), dofnum)
    # dofs take these fields from their joint
    fill_attributes(m, "joint", "nv", [joint for joint in joints for _ in range(NV[joint.type])], ids)
    # parent dof, root body, kinematic tree
    parents, roots, last, above = m["body_parentid"].tolist(), [0], [-1] * len(bodies), []
    for b in range(len(bodies)):
        if b:
            last[b] = last[parents[b]]
            roots.append(b if parents[b] == 0 else roots[parents[b]])
        for _ in range(dofnum[b]):
            above.append(last[b])
            last[b] = len(above) - 1
    m["body_rootid"], m["dof_parentid"] = np.array(roots, np.int32), np.array(above, np.int32)
    m["dof_treeid"] = (np.cumsum(m["dof_parentid"] == -1) - 1).astype(np.int32)
    _kinematic_trees(m, bodies)
    _collision_bits(m, bodies)
    set_frames(m)
    _simple(m, bodies, inert)
    m |= patterns(above, m["dof_simplenum"].tolist(), parents, dofnum)
    _set_qpos0(m, bodies)


def _addresses(m: Values, name: str, counts: list[int]) -> None:
    """*num and *adr of each body; the address is -1 where there are none."""
    address, num = starts(counts)
    m[f"{name}num"], m[f"{name}adr"] = num, np.where(num, address, -1).astype(np.int32)


def _kinematic_trees(m: Values, bodies: list[Body]) -> None:
    weld = m["body_weldid"]
    moving = m["body_dofnum"][weld] > 0
    tree = np.full(len(bodies), -1, np.int32)
    tree[moving] = m["dof_treeid"][m["body_dofadr"][weld[moving]]]
    m["body_treeid"] = tree
    ntree = int(m["dof_treeid"].max(initial=-1)) + 1
    m["ntree"] = ntree
    trees = np.arange(ntree)
    m["tree_bodyadr"] = np.searchsorted(np.maximum.accumulate(tree), trees).astype(np.int32)
    m["tree_bodynum"] = np.bincount(tree[tree >= 0], minlength=ntree).astype(np.int32)
    m["tree_dofadr"] = np.searchsorted(m["dof_treeid"], trees).astype(np.int32)
    m["tree_dofnum"] = np.bincount(m["dof_treeid"], minlength=ntree).astype(np.int32)
    # the sleep policy of a tree is that of its root body
    policy = np.full(ntree, SLEEP_AUTO_ALLOWED, np.int32)
    for body in bodies[1:]:
        if body.sleep:
            if tree[body.id] == -1 or tree[body.id] == tree[body.id - 1]:
                raise body.error("sleep can only be set on the root body of a kinematic tree", "set it there")
            policy[tree[body.id]] = body.sleep
    m["tree_sleep_policy"] = policy


def _collision_bits(m: Values, bodies: list[Body]) -> None:
    for name in ("contype", "conaffinity"):
        bits = np.zeros(len(bodies), np.int32)
        np.bitwise_or.at(bits, m["geom_bodyid"], m[f"geom_{name}"])
        m[f"body_{name}"] = bits


def _near(a: Vector, b: Vector) -> bool:
    for x, y in zip(a, b, strict=True):
        if abs(x - y) >= SAME:
            return False
    return True


def _same_rotation(a: Vector, b: Vector) -> bool:
    return _near(a, b) or _near(a, (-b[0], -b[1], -b[2], -b[3]))


def set_frames(m: Values) -> None:
    """*_sameframe: whether frames of bodies, geoms and sites coincide with the body or inertial frame."""
    ipos, iquat = m["body_ipos"].tolist(), m["body_iquat"].tolist()
    m["body_sameframe"] = np.array([_to_body(*frame) for frame in zip(ipos, iquat, strict=True)], np.uint8)
    for kind in ("geom", "site"):
        bodies, positions, quats = (m[f"{kind}_{name}"].tolist() for name in ("bodyid", "pos", "quat"))
        m[f"{kind}_sameframe"] = np.array(
            [
                _to_body(pos, quat) or _to_inertia(pos, quat, ipos[b], iquat[b])
                for b, pos, quat in zip(bodies, positions, quats, strict=True)
            ],
            np.uint8,
        )


def _to_body(pos: Vector, quat: Vector) -> int:
    if not _same_rotation(quat, UNIT):
        return enums.SAMEFRAME_NONE
    return enums.SAMEFRAME_BODY if _near(pos, ZERO) else enums.SAMEFRAME_BODYROT


def _to_inertia(pos: Vector, quat: Vector, ipos: Vector, iquat: Vector) -> int:
    if not _same_rotation(quat, iquat):
        return enums.SAMEFRAME_NONE
    return enums.SAMEFRAME_INERTIA if _near(pos, ipos) else enums.SAMEFRAME_INERTIAROT


def _simple(m: Values, bodies: list[Body], inert: Sequence[tuple[str, int]]) -> None:
    """body_simple and dof_simplenum: bodies whose inertia is diagonal in every pose."""
    simple = [_is_simple(m, body) for body in bodies]
    for field, number in inert:
        simple[int(m[field][number])] = 0
    m["body_simple"] = np.array(simple, np.uint8)
    run, counts = 0, []
    for b in reversed(m["dof_bodyid"].tolist()):
        run = run + 1 if simple[b] else 0
        counts.append(run)
    m["dof_simplenum"] = np.array(counts[::-1], np.int32)


def _is_simple(m: Values, body: Body) -> int:
    parent = body.parent
    near_world = parent is None or parent.parent is None or (parent.parent.parent is None and not parent.joints)
    if m["body_sameframe"][body.id] != enums.SAMEFRAME_BODY or not near_world or not body.simple:
        return 0
    if parent is not None and body.bodies:
        return 0
    rotates = False
    for joint in body.joints:
        oblique = sum(abs(x) > 1e-14 for x in joint.axis) != 1
        if rotates or not _near(joint.pos, ZERO) or (joint.type in (enums.JNT_HINGE, enums.JNT_SLIDE) and oblique):
            return 0
        rotates = rotates or joint.type in (enums.JNT_BALL, enums.JNT_HINGE)
    return 2 if body.joints and all(joint.type == enums.JNT_SLIDE for joint in body.joints) else 1


def _set_qpos0(m: Values, bodies: list[Body]) -> None:
    """qpos0 and qpos_spring."""
    qpos0: list[float] = []
    spring: list[float] = []
    for body in bodies:
        for joint in body.joints:
            at = {enums.JNT_FREE: (*body.pos, *body.quat), enums.JNT_BALL: UNIT}.get(joint.type, (joint.ref,))
            qpos0 += at
            spring += at if joint.type in (enums.JNT_FREE, enums.JNT_BALL) else (joint.springref,)
    m["qpos0"], m["qpos_spring"] = np.array(qpos0, float), np.array(spring, float)


def fill_bvh(m: Values, bodies: list[Body]) -> None:
    """bvh_* of all bodies."""
    trees = [BodyBvh(body) for body in bodies]
    counts = [len(tree.boxes) for tree in trees]
    _addresses(m, "body_bvh", counts)
    m["nbvh"] = m["nbvhstatic"] = sum(counts)
    m["nbvhdynamic"] = 0
    m["bvh_aabb"] = np.array([box for tree in trees for box in tree.boxes], float).reshape(-1, 6)
    m["bvh_child"] = np.array([pair for tree in trees for pair in tree.children], np.int32).reshape(-1, 2)
    m["bvh_depth"] = np.array([depth for tree in trees for depth in tree.depths], np.int32)
    m["bvh_nodeid"] = np.array([geom for tree in trees for geom in tree.geoms], np.int32)
