"""Renames an element, or a default class, where it is and where others refer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.mjcf.attach.references import references, walk
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.spec.element import Element

CLASSES = ("class", "childclass")


def rename(item: Element, name: str) -> None:
    """Give an element another name; an empty one if nothing refers to it."""
    spec, kind, old = item.spec, item.kind, item.name
    if not kind or item.tag == "worldbody" or (kind == "default" and old == "main"):
        raise item.error("it has no name that can be changed")
    if name == old:
        return
    with spec.tree.group(f"rename {item.tag}"):
        users = [(node, key) for node in walk(spec.tree.root) for key in _uses(node, kind, old)] if old else []
        if not name and users:
            raise item.error(f"{len(users)} elements refer to it", "it needs a name")
        item.set("class" if kind == "default" else "name", name or None)
        for node, key in users:
            if node is not item.node:
                spec.tree.set_text(node, key, name)


def _uses(node: Node, kind: str, name: str) -> list[str]:
    """The attributes of a node that name an element."""
    if kind == "default":
        return [key for key in CLASSES if node.attrib.get(key) == name]
    return [key for key, of in references(node) if of == kind and node.attrib[key] == name]
