"""What a user does to elements, as changes that are data: `apply(spec, edits)` makes them, a journal keeps them.

Each function looks at a spec as it is, changes nothing, and returns the changes of one gesture (`sim/tree_edit.py`):

    spec = Spec.load("robot.xml")                          # an editor: spec_of(model), the model in memory
    leg = spec.find("body", "leg")
    apply(spec, duplicate([leg], pos=(0, 1, 0)))           # with its motors and sensors, under new names
    apply(spec, reparent([leg], spec.find("body", "hip"))) # where it is in the world
    lost = consequences([leg])                             # what to ask before
    apply(spec, delete([leg]))

An error is an MjcfError whose message is a sentence for the user; nothing is changed then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sim.enums import JNT_FREE
from sim.mjcf.attach.references import (
    ASSETS,
    REFERRING_SECTIONS,
    TREE_TAGS,
    kind_of,
    references,
    walk,
)
from sim.mjcf.rotation import Quat, Vec3
from sim.mjcf.save.source_text import element_text
from sim.mjcf.source import Node
from sim.spec.clone import clone_tree
from sim.spec.delete import dangling, with_referring
from sim.spec.element import Element
from sim.spec.journal import HOLDERS
from sim.spec.places import find, place_of
from sim.spec.pose import Attributes, pose, pose_attributes, relative, world_pose
from sim.spec.spec import SECTIONS, Spec
from sim.spec.tree_edits import Plan, apply, planning
from sim.tree_edit import Place, TreeEdit

__all__ = [
    "Consequences", "Names", "Place", "TreeEdit", "add", "apply", "consequences", "delete", "duplicate", "find",
    "place_of", "rename", "reorder", "reparent", "set_attributes", "set_pose",
]  # fmt: skip

# attributes that an element cannot be without -> its types for which that holds
NEEDED = {"mesh": "geom", "hfield": "geom"}
# elements with a position
PLACED = ("body", "frame", "geom", "site", "camera", "light")
# sections in the order in which their elements are deleted: each before those that it can refer to
DELETED = (*reversed(REFERRING_SECTIONS), "keyframe", "deformable", "worldbody", "default", "asset")
LAST_NUMBER = re.compile(r"(\d+)$")


class Names:
    """New names: those of a spec are taken, and those that were given."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._given: set[tuple[str, str]] = set()

    def new(self, kind: str, wish: str) -> str:
        """A name like the one that is wished: leg, leg_2, leg_3; wheel3, wheel4."""
        name, number = wish, 2
        while self.taken(kind, name):
            last = LAST_NUMBER.search(name)
            name = f"{name[: last.start()]}{int(last[1]) + 1:0{len(last[1])}d}" if last else f"{wish}_{number}"
            number += 1
        self._given.add((kind, name))
        return name

    def taken(self, kind: str, name: str) -> bool:
        """Whether a name cannot be given."""
        there = self._spec.tree.find(kind, name) is not None or (kind, name) in self._given
        return there or (kind, name) in (("body", "world"), ("default", "main"))


@dataclass(frozen=True)
class Consequences:
    """What else happens if elements are deleted: others that go too, and attributes that others lose."""

    deleted: tuple[Element, ...] = ()
    lost: tuple[tuple[Element, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.deleted or self.lost)


# ---- adding and deleting


def add(
    spec: Spec, tag: str, at: Element | None = None, before: Element | None = None, **attributes: str | None
) -> list[TreeEdit]:
    """Add an element: to a body or frame, or to the section of its tag. Its name is made unique.

    An attribute that is a keyword of Python has an underscore: class_.
    """
    kind = "default" if tag == "default" else _kind(tag, at)
    given = {name.rstrip("_"): value for name, value in attributes.items() if value is not None}
    naming = "class" if kind == "default" else "name"
    if given.get(naming):
        given[naming] = Names(spec).new(kind, given[naming])
    return [TreeEdit("add", _optional(at), tag, tuple(given.items()), before=_optional(before))]


def consequences(elements: Sequence[Element]) -> Consequences:
    """What else happens if elements are deleted."""
    spec = elements[0].spec
    nodes = _outermost(elements)
    gone = with_referring(spec, nodes)
    lost: list[tuple[Element, str]] = []
    while True:
        left = [(spec.element(node), key) for node, key in dangling(spec, gone)]
        needing = [item.node for item, key in left if _needs(item, key)]
        if not needing:
            lost = left
            break
        gone = with_referring(spec, [*gone, *needing])
    others = [spec.element(node) for node in gone if node not in nodes]
    return Consequences(tuple(others), tuple(lost))


def delete(elements: Sequence[Element]) -> list[TreeEdit]:
    """Delete elements, with what is in them and what cannot be without them; others let go of them."""
    spec = elements[0].spec
    for item in elements:
        if item.tag in ("worldbody", "mujoco") or (item.kind == "default" and item.name == "main"):
            raise item.error("it cannot be deleted")
    found = consequences(elements)
    with planning(spec) as plan:
        for item in dict.fromkeys(item for item, _ in found.lost):
            keys = {key for one, key in found.lost if one is item}
            if item.tag in ("camera", "light"):
                keys.add("mode")
            plan.make(TreeEdit("set", place_of(item), attributes=tuple((key, None) for key in sorted(keys))))
        # the rest goes with what it refers to
        along = with_referring(spec, _outermost(elements))
        needing = [item for item in found.deleted if item.node not in along]
        for item in sorted((*needing, *elements), key=_rank):
            if item.exists:
                plan.make(TreeEdit("delete", place_of(item)))
    return plan.edits


def _rank(item: Element) -> int:
    """When an element is deleted among others: before what it can refer to."""
    section = next((one.tag for one in (item.node, *item.spec.tree.ancestors(item.node)) if one.tag in DELETED), "")
    return DELETED.index(section) if section else len(DELETED)


def duplicate(elements: Sequence[Element], pos: Sequence[float] | None = None) -> list[TreeEdit]:
    """Copies behind their originals, under new names, with elements of other sections that refer to copies alone.

    `pos`: how far away from the original a copy is.
    """
    spec = elements[0].spec
    with planning(spec) as plan:
        for node in _outermost(elements):
            _copy(plan, spec.element(node), pos)
    return plan.edits


def _copy(plan: Plan, item: Element, pos: Sequence[float] | None) -> None:
    spec, names, new = item.spec, Names(item.spec), dict[tuple[str, str], str]()
    top, clones = clone_tree(item.node)
    for node in walk(item.node):
        kind, name = spec.tree.kind(node), spec.tree.name(node)
        naming = "class" if node.tag == "default" else "name"
        if kind and name and node.attrib.get(naming):
            new[kind, name] = clones[node].attrib[naming] = names.new(kind, name)
    if not item.name and item.kind not in ("", "default", "key"):
        top.attrib = {"name": names.new(item.kind, item.tag), **top.attrib}
    _refer_to(top, new)
    attributes: Attributes = dict(top.attrib)
    if pos is not None and item.tag in PLACED:
        at, quat = pose(item)
        attributes |= pose_attributes(item, ((at[0] + pos[0], at[1] + pos[1], at[2] + pos[2]), quat))
    holder = item.parent if item.parent is not None and item.parent.tag in HOLDERS else None
    before, inside = _optional(_next(item)), _inside(top)
    plan.make(TreeEdit("add", _optional(holder), _full_tag(item), _pairs(attributes), before=before, inside=inside))
    if item.tag not in HOLDERS and item.kind not in ("joint", "site", "geom"):
        return
    # in an order in which they can refer to each other
    for section_tag in REFERRING_SECTIONS:
        for node in [n for top in spec.tree.root.children if top.tag == section_tag for n in top.children]:
            own = {
                (kind, part.attrib[key]) for part in walk(node) for key, kind in references(part) if kind not in ASSETS
            }
            if own and own <= new.keys():
                copy, _ = clone_tree(node)
                kind, name = spec.tree.kind(node), spec.tree.name(node)
                if name:
                    new[kind, name] = copy.attrib["name"] = names.new(kind, name)
                _refer_to(copy, new)
                tag = _full_tag(spec.element(node))
                plan.make(TreeEdit("add", None, tag, _pairs(copy.attrib), inside=_inside(copy)))


def _refer_to(top: Node, new: Mapping[tuple[str, str], str]) -> None:
    """Let what is in a node refer to the new names of what had old ones."""
    for node in walk(top):
        for key, kind in references(node):
            node.attrib[key] = new.get((kind, node.attrib[key]), node.attrib[key])


# ---- changing


def rename(item: Element, name: str) -> list[TreeEdit]:
    """Give an element another name, also where others refer to it; MjcfError if that is taken."""
    if name:
        item.spec.check_new_name(item.kind, name, item)
    return [TreeEdit("rename", place_of(item), attributes=(("name", name),))]


def reparent(
    elements: Sequence[Element], into: Element, before: Element | None = None, keep_pose: bool = True
) -> list[TreeEdit]:
    """Move elements of the body tree to another body or frame; they stay where they are in the world, at qpos0."""
    spec = into.spec
    with planning(spec) as plan:
        for node in _outermost(elements):
            item = spec.element(node)
            _check_move(item, into)
            there = relative(world_pose(into), world_pose(item))
            moved = pose_attributes(item, there) if keep_pose and item.parent is not into else {}
            if moved:
                plan.make(TreeEdit("set", place_of(item), attributes=_pairs(moved)))
            plan.make(TreeEdit("move", place_of(item), into=place_of(into), before=_optional(before)))
    return plan.edits


def _check_move(item: Element, into: Element) -> None:
    """Raise if the moved element would not compile, with a sentence that says why."""
    if into.tag not in HOLDERS:
        raise item.error(f"<{into.tag}> holds no elements of the body tree")
    if into is item or any(above is item.node for above in item.spec.tree.ancestors(into.node)):
        raise item.error("it cannot move into itself")
    holder = into if into.tag in ("body", "worldbody") else into.body
    if item.kind == "joint" and (holder is None or holder.tag == "worldbody"):
        raise item.error("the world cannot have a joint", "move it to a body")
    joints = [item] if item.kind == "joint" else item.members("joint") if item.tag == "body" else []
    if any(joint.tag == "freejoint" or joint.get("type") == JNT_FREE for joint in joints):
        around = holder.body if holder is not None and item.kind == "joint" else holder
        if around is not None and around.tag != "worldbody":
            raise item.error("only a body of the world can have a free joint", "delete the joint first")


def reorder(item: Element, before: Element | None) -> list[TreeEdit]:
    """Move an element before another one in the same element or section, or to the end."""
    if before is not None and before.parent is not item.parent:
        raise item.error("it can be put in order only where it is")
    return [TreeEdit("move", place_of(item), before=_optional(before))]


def set_attributes(elements: Sequence[Element], attributes: Attributes) -> list[TreeEdit]:
    """Set attributes of elements as texts of MJCF, or remove those that are None."""
    return [TreeEdit("set", place_of(item), attributes=_pairs(attributes)) for item in elements]


def set_pose(item: Element, pos: Vec3, quat: Quat) -> list[TreeEdit]:
    """Put an element at a pose relative to what it is in, in the way in which the file says its pose."""
    found = pose_attributes(item, (pos, quat))
    return [TreeEdit("set", place_of(item), attributes=_pairs(found))] if found else []


# ---- helpers


def _kind(tag: str, at: Element | None) -> str:
    return TREE_TAGS.get(tag, "") if at is not None else kind_of(SECTIONS.get(tag, ""), tag.rpartition("/")[2])


def _pairs(attributes: Attributes | dict[str, str]) -> tuple[tuple[str, str | None], ...]:
    return tuple(attributes.items())


def _optional(item: Element | None) -> Place | None:
    return None if item is None else place_of(item)


def _inside(node: Node) -> str:
    return "".join(element_text(child, "", "") for child in node.children)


def _next(item: Element) -> Element | None:
    """The element behind one."""
    siblings = item.parent.children if item.parent is not None else []
    at = siblings.index(item)
    return siblings[at + 1] if at + 1 < len(siblings) else None


def _full_tag(item: Element) -> str:
    """The tag, with its section where it has several meanings."""
    return item.schema if item.parent is None or item.parent.tag not in HOLDERS else item.tag


def _outermost(elements: Sequence[Element]) -> list[Node]:
    """Elements without those that are in others of them."""
    nodes = {item.node for item in elements}
    return [item.node for item in dict.fromkeys(elements) if not nodes & {*item.spec.tree.ancestors(item.node)}]


def _needs(item: Element, key: str) -> bool:
    """Whether an element cannot be without what an attribute names."""
    return item.kind == NEEDED.get(key) or item.tag in ("skin", "bone")
