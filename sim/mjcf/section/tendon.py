"""<tendon>: fixed tendons combine joints, spatial ones run through sites, around geoms and over pulleys.

Fills the path (`wrap_*`), the sparsity pattern of the tendon Jacobian (`ten_J_*`: the dofs that can move the path,
ascending) and the trees that a tendon spans. Lengths are computed later, by `set_const`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim import enums
from sim.mjcf.columns import starts
from sim.mjcf.errors import check_not_negative, check_positive
from sim.mjcf.place import resolve_limit
from sim.mjcf.read_element import begin_element, merge
from sim.mjcf.records import TRUE, Actuator, Geom, Ids, Joint, Parsed, Tendon, Values, Wrap, find
from sim.mjcf.schema import element, read_node
from sim.mjcf.source import Node

# elements of a path: tag -> wrap type; for a geom it depends on the geom's type, which is not known yet
_TAGS = {"joint": enums.WRAP_JOINT, "site": enums.WRAP_SITE, "geom": enums.WRAP_SPHERE, "pulley": enums.WRAP_PULLEY}
_GEOMS = {enums.GEOM_SPHERE: enums.WRAP_SPHERE, enums.GEOM_CYLINDER: enums.WRAP_CYLINDER}
_KINDS = {enums.WRAP_JOINT: "joint", enums.WRAP_SITE: "site", enums.WRAP_SPHERE: "geom", enums.WRAP_CYLINDER: "geom"}
_BODIES = {
    enums.WRAP_JOINT: "jnt_bodyid",
    enums.WRAP_SITE: "site_bodyid",
    enums.WRAP_SPHERE: "geom_bodyid",
    enums.WRAP_CYLINDER: "geom_bodyid",
}


def read_tendon(parsed: Parsed, node: Node) -> Tendon:
    tendon, values = begin_element(parsed, node, Tendon, node.tag, "tendon")
    take_springlength(values)
    merge(tendon.__dict__, values, node.tag)
    tendon.path = tuple(_wrap(part, element(node.tag).children[part.tag]) for part in node.children)
    return tendon


def take_springlength(values: dict[str, Any]) -> None:
    """A single springlength sets both ends of the dead band."""
    if len(values.get("springlength", ())) == 1:
        values["springlength"] *= 2


def _wrap(node: Node, name: str) -> Wrap:
    values = read_node(node, name)
    return Wrap(
        node,
        type=_TAGS[node.tag],
        target=values.get(node.tag, ""),
        sidesite=values.get("sidesite", ""),
        prm=values.get("coef", values.get("divisor", 0.0)),
    )


# ---- references and checks


def compile_tendons(tendons: Sequence[Tendon], parsed: Parsed, lists: Mapping[str, Sequence[Any]], ids: Ids) -> None:
    for tendon in tendons:
        if not tendon.path:
            raise tendon.error("it has no path", "add joints, or sites and geoms")
        check_not_negative(tendon, "armature", tendon.armature)
        for wrap in tendon.path:
            _compile_wrap(wrap, lists["geom"], ids)
        if tendon.path[0].type == enums.WRAP_JOINT:
            _check_joints(tendon, lists["joint"])
        else:
            _check_path(tendon)
        for what in ("range", "actuatorfrcrange"):
            resolve_limit(tendon, what, parsed.compiler_of(tendon))
        low, high = tendon.actuatorfrcrange
        if tendon.actuatorfrclimited == TRUE and not low <= 0 <= high:
            raise tendon.error(f"actuatorfrcrange is {low:g} {high:g}", "it must contain 0")
        check_not_negative(tendon, "springyield", tendon.springyield)
        if tendon.springlength[0] > tendon.springlength[1]:
            low, high = tendon.springlength
            raise tendon.error(f"springlength is {low:g} {high:g}", "the first number must not exceed the second")


def _compile_wrap(wrap: Wrap, geoms: Sequence[Geom], ids: Ids) -> None:
    if wrap.type == enums.WRAP_PULLEY:
        check_positive(wrap, "divisor", wrap.prm)
        return
    wrap.objid = find(wrap, _KINDS[wrap.type], wrap.target, ids)
    if wrap.type == enums.WRAP_SPHERE:
        if geoms[wrap.objid].type not in _GEOMS:
            raise wrap.error("a tendon cannot wrap around a geom of this type", "use a sphere or a cylinder")
        wrap.type = _GEOMS[geoms[wrap.objid].type]
        wrap.prm = find(wrap, "site", wrap.sidesite, ids) if wrap.sidesite else -1


def _check_joints(tendon: Tendon, joints: Sequence[Joint]) -> None:
    """Check a sum of joints: slides and hinges, each once."""
    seen = set()
    for wrap in tendon.path:
        if joints[wrap.objid].type not in (enums.JNT_SLIDE, enums.JNT_HINGE):
            raise wrap.error(f"joint '{wrap.target}' is not a slide or hinge", "name one that is")
        if wrap.objid in seen:
            raise wrap.error(f"joint '{wrap.target}' is named twice", "add the coefficients")
        seen.add(wrap.objid)


def _check_path(tendon: Tendon) -> None:
    """Check a spatial path: at least two sites in a branch, geoms between sites."""
    if len(tendon.path) < 2:
        raise tendon.error("the path has one element", "a spatial tendon needs two sites or more")
    check_positive(tendon, "width", tendon.width)
    ends = (enums.WRAP_PULLEY, None)
    kinds = [None, *(wrap.type for wrap in tendon.path), None]
    for place, wrap in enumerate(tendon.path):
        before, after = kinds[place], kinds[place + 2]
        if wrap.type == enums.WRAP_PULLEY:
            if before == enums.WRAP_PULLEY:
                raise wrap.error("a pulley follows another pulley", "put sites between them")
            if after is None:
                raise wrap.error("the last element of the path is a pulley", "add sites after it")
        elif wrap.type == enums.WRAP_SITE:
            if before in ends and after in ends:
                raise wrap.error(f"site '{wrap.target}' is the only one in its branch", "a branch needs two sites")
            if after == enums.WRAP_SITE and tendon.path[place + 1].objid == wrap.objid:
                raise wrap.error(f"site '{wrap.target}' is named twice in a row", "remove one")
        elif before != enums.WRAP_SITE or after != enums.WRAP_SITE:
            raise wrap.error(f"geom '{wrap.target}' is not between two sites", "put a site before and after it")
        elif tendon.armature > 0:
            raise tendon.error("a tendon with armature cannot wrap around geoms", "remove armature, or the geoms")


def inert_parts(tendons: Sequence[Tendon], actuators: Sequence[Actuator]) -> list[tuple[str, int]]:
    """Joints and sites of tendons with armature, their own or of an actuator: field with their body, and their id."""
    driven = {actuator.trnid[0] for actuator in actuators if actuator.trntype == enums.TRN_TENDON and actuator.armature}
    inert = [tendon for t, tendon in enumerate(tendons) if tendon.armature or t in driven]
    return [(_BODIES[wrap.type], wrap.objid) for tendon in inert for wrap in tendon.path if wrap.type in _BODIES]


# ---- fields


def fill_tendons(m: Values, tendons: Sequence[Tendon]) -> None:
    """wrap_*, ten_J_* and tendon_tree*."""
    m["tendon_adr"], m["tendon_num"] = starts([len(tendon.path) for tendon in tendons])
    m["tendon_type"] = np.array([tendon.path[0].type != enums.WRAP_JOINT for tendon in tendons], np.int32)
    path = [wrap for tendon in tendons for wrap in tendon.path]
    m["nwrap"] = len(path)
    m["wrap_type"] = np.array([wrap.type for wrap in path], np.int32)
    m["wrap_objid"] = np.array([wrap.objid for wrap in path], np.int32)
    m["wrap_prm"] = np.array([wrap.prm for wrap in path], float)
    chains = [tendon_dofs(m, tendon) for tendon in tendons]
    m["ten_J_rowadr"], m["ten_J_rownnz"] = starts([len(chain) for chain in chains])
    m["ten_J_colind"] = np.array([dof for chain in chains for dof in chain], np.int32)
    m["nJten"] = len(m["ten_J_colind"])
    m["tendon_treenum"] = np.zeros(len(tendons), np.int32)
    m["tendon_treeid"] = np.full((len(tendons), 2), -1, np.int32)
    for t, tendon in enumerate(tendons):
        trees = tendon_trees(m, tendon)
        m["tendon_treenum"][t] = len(trees)
        m["tendon_treeid"][t, : len(trees)] = trees[:2]


def wrap_bodies(m: Values, tendon: Tendon) -> list[int]:
    """Bodies of the path's elements, in order and each once; the world for a pulley."""
    places = dict.fromkeys((_BODIES.get(wrap.type, ""), wrap.objid) for wrap in tendon.path)
    return list(dict.fromkeys(int(m[field][number]) if field else 0 for field, number in places))


def tendon_trees(m: Values, tendon: Tendon) -> list[int]:
    """Kinematic trees along the path, in order."""
    trees = dict.fromkeys(int(m["body_treeid"][body]) for body in wrap_bodies(m, tendon))
    trees.pop(-1, None)
    return list(trees)


def tendon_dofs(m: Values, tendon: Tendon) -> list[int]:
    """Columns of a tendon's Jacobian row: dofs of the joints, or dofs that move the path."""
    if tendon.path[0].type == enums.WRAP_JOINT:
        return sorted(int(m["jnt_dofadr"][wrap.objid]) for wrap in tendon.path)
    return sorted({dof for body in wrap_bodies(m, tendon) for dof in body_dofs(m, body)})


def body_dofs(m: Values, body: int) -> list[int]:
    """Dofs that move a body, from the body to the root."""
    mover = int(m["body_weldid"][body])
    if not m["body_dofnum"][mover]:
        return []
    dof = int(m["body_dofadr"][mover] + m["body_dofnum"][mover]) - 1
    chain = []
    while dof >= 0:
        chain.append(dof)
        dof = int(m["dof_parentid"][dof])
    return chain
