"""Deletes elements, and what refers to them by name.

A body or frame goes with all that is in it. Elements of the other sections (pairs, excludes, equalities, tendons,
actuators, sensors, tuples) that refer to something that goes, also through each other, go too. Where an element can do
without what it refers to, as a geom without its material, that is for the user to decide: deleting raises an error that
says what refers to it. Default classes leave what they said to the elements. Keyframes keep the values of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.references import REFERRING_SECTIONS, references, walk
from sim.mjcf.source import Node
from sim.spec.key_slices import key_slices

if TYPE_CHECKING:
    from sim.spec.element import Element
    from sim.spec.spec import Spec

# elements that have values in keyframes, or whose contents have
IN_KEYS = ("joint", "actuator", "body", "frame", "tendon")
# how many are named in a message
NAMED = 5


def delete(spec: Spec, elements: Sequence[Element]) -> None:
    """Delete elements, unless something that stays would refer to nothing."""
    for item in elements:
        if not spec.tree.contains(item.node):
            raise item.error("it is not in this spec")
        if item.node is spec.tree.root or item.tag == "worldbody" or (item.tag == "default" and item.name == "main"):
            raise item.error("it cannot be deleted")
    with spec.tree.group(f"delete {elements[0].tag}" if len(elements) == 1 else "delete elements"):
        gone = with_referring(spec, [item.node for item in elements])
        left = list(dict.fromkeys(spec.element(node) for node, _ in dangling(spec, gone)))
        if left:
            names = ", ".join(f"{item!r} at {item.node.file}:{item.node.line}" for item in left[:NAMED])
            raise elements[0].error(f"{len(left)} elements refer to it: {names}", "change or delete them first")
        remove(spec, gone)


def referring(spec: Spec, elements: Sequence[Element]) -> list[Element]:
    """The elements outside that refer to elements or what is in them, also through others."""
    nodes = [item.node for item in elements]
    others = [*with_referring(spec, nodes)[len(nodes) :], *(node for node, _ in dangling(spec, nodes))]
    return [spec.element(node) for node in dict.fromkeys(others)]


def remove(spec: Spec, nodes: Sequence[Node]) -> None:
    """Remove nodes, some of which may be in others; keyframes and default classes let go of them first."""
    tree = spec.tree
    with tree.group("remove elements"):
        if any(tree.kind(part) in IN_KEYS for node in nodes for part in walk(node)):
            keep_keys(spec)
        for node in nodes:
            if node.tag == "default":
                _let_go(spec, node)
            if tree.contains(node):
                tree.remove(node)


def remove_with_referring(spec: Spec, node: Node) -> None:
    """Remove a node and elements of other sections that refer to what is in it."""
    remove(spec, with_referring(spec, [node]))


def _names(spec: Spec, nodes: Iterable[Node]) -> set[tuple[str, str]]:
    """Types and names of all elements in nodes."""
    tree = spec.tree
    return {(tree.kind(part), tree.name(part)) for node in nodes for part in walk(node) if tree.name(part)}


def _refers(node: Node, names: set[tuple[str, str]]) -> bool:
    return any((kind, part.attrib[key]) in names for part in walk(node) for key, kind in references(part))


def with_referring(spec: Spec, nodes: list[Node]) -> list[Node]:
    """Nodes, and elements of the other sections that refer to what is in them, also through each other."""
    gone = list(nodes)
    names = _names(spec, gone)
    there = {*gone}
    more = bool(names)
    while more:
        more = False
        for section in spec.tree.root.children:
            for node in section.children if section.tag in REFERRING_SECTIONS else ():
                if node not in there and _refers(node, names):
                    gone.append(node)
                    there.add(node)
                    names |= _names(spec, [node])
                    more = True
    return gone


def dangling(spec: Spec, gone: Sequence[Node]) -> list[tuple[Node, str]]:
    """Nodes that stay, of the body tree and assets, which refer to what goes, and the attributes that do."""
    names = _names(spec, gone)
    inside = {part for node in gone for part in walk(node)}
    return [
        (node, key)
        for section in spec.tree.root.children
        if section.tag in ("worldbody", "asset", "deformable", "default")
        for node in walk(section)
        if node not in inside
        for key, kind in references(node)
        if (kind, node.attrib[key]) in names
    ]


def keep_keys(spec: Spec) -> None:
    """Let keyframes know whose values they hold, before elements come or go."""
    tree, built = spec.tree, spec.built
    keys = [node for node in spec.nodes("key") if not isinstance(node, KeyNode)]
    now = key_slices(spec) if keys else {}
    for key in keys:
        section = tree.parents[key]
        index = section.children.index(key)
        # as in MuJoCo, values belong to what they belonged to when the spec was compiled
        slices = built.slices if built is not None and key in built.ids and built.slices else now
        tree.remove(key)
        tree.insert(section, KeyNode(key, key.attrib.get("name", ""), dict(slices)), index)


def _let_go(spec: Spec, default: Node) -> None:
    """Elements of a class and of those in it get what they inherit as their own, and the class around."""
    tree, classes = spec.tree, spec.classes
    gone = {tree.name(node) for node in walk(default) if node.tag == "default"}
    outer = tree.parents.get(default)
    instead = tree.name(outer) if outer is not None and outer.tag == "default" else "main"
    nodes = [part for top in tree.root.children if top.tag != "default" for part in walk(top)]
    before = classes.own_values(n for n in nodes if classes.class_of(n) in gone and classes.prototype(n) is not None)
    for node in nodes:
        for key in ("class", "childclass"):
            if node.attrib.get(key) in gone:
                tree.set_text(node, key, instead)
    classes.keep(before)
