"""Copies of a tree, in which keyframes of submodels follow the elements that their values belong to."""

from __future__ import annotations

import copy
from dataclasses import replace

from sim.mjcf.attach.key_node import KeyNode, map_slices
from sim.mjcf.attach.references import Clones
from sim.mjcf.source import Document, Node, XmlReader


def copy_node(node: Node) -> Node:
    """A copy without children."""
    if isinstance(node, KeyNode):
        return KeyNode(node, node.attrib.get("name", ""), dict(node.slices))
    return node.copy()


def clone_tree(top: Node, documents: bool = False) -> tuple[Node, Clones]:
    """A deep copy, and the copy of each node; `documents`: also of what files are read with."""
    clones: Clones = {top: copy_node(top)}
    stack = [top]
    while stack:
        old = stack.pop()
        new = clones[old]
        for child in old.children:
            clones[child] = copy_node(child)
            new.children.append(clones[child])
            stack.append(child)
    for node in clones.values():
        if isinstance(node, KeyNode):
            node.slices = map_slices(
                node.slices, lambda part: part._replace(element=clones.get(part.element, part.element))
            )
    if documents:
        own_documents(clones, top.document.reader)
    return clones[top], clones


def own_documents(clones: Clones, main: XmlReader, origin: int | None = None, into: XmlReader | None = None) -> None:
    """Give copies documents of their own; `into`: as parts of another model, whose origins are counted on."""
    readers: dict[int, XmlReader] = {}
    documents: dict[int, Document] = {}
    for node in clones.values():
        old = node.document
        if id(old) not in documents:
            if id(old.reader) not in readers:
                reader = readers[id(old.reader)] = copy.copy(old.reader)
                reader.assets, reader.included = dict(reader.assets), set(reader.included)
                if into is None:
                    reader.totals = copy.copy(reader.totals)
                else:
                    reader.totals, reader.origin = into.totals, into.totals.models
                    into.totals.models += 1
            documents[id(old)] = replace(old, reader=readers[id(old.reader)])
        node.document = documents[id(old)]
