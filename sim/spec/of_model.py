"""The spec of a Model that was read from an MJCF file: its elements as they are in memory, and which is which."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sim.mjcf.attach.references import Clones, clone, walk
from sim.mjcf.errors import MjcfError
from sim.mjcf.format.table import read_tree
from sim.mjcf.save.changes import Changes
from sim.mjcf.save.save import Source
from sim.mjcf.source import TEXT_NAME, Node, XmlReader
from sim.model import Model
from sim.spec.element import Element
from sim.spec.spec import Spec

# the start tag of an element: a file, and its number there
Tag = tuple[str, int]


def why_not(m: Model) -> str:
    """Why the elements of a model cannot be changed; empty if they can."""
    source: Source | None = m.__dict__.get("source")
    if source is None:
        return "only a model of an MJCF file can have its elements changed"
    document = source.root.document
    if document.file == TEXT_NAME:
        return "this model was given as text: save it as .xml first"
    if document.reader.store is not None:
        return "this model is in an archive: save it as .xml first"
    if source.root.ordinal < 0:
        return f"{Path(document.file).name} is not MJCF: save it as .xml first"
    return ""


class ModelSpec:
    """The spec of a model with the numbers that were edited; the elements of the model are elements of it."""

    def __init__(self, m: Model) -> None:
        why = why_not(m)
        if why:
            raise MjcfError(why, "")
        source: Source = m.__dict__["source"]
        self._source = source
        root = source.root
        documents = {node.document.file: node.document for node in walk(root) if node.document.origin == 0}
        reader = XmlReader(root.document.file)
        reader.pending = {Path(file).resolve(): one.text.encode() for file, one in documents.items()}
        self.spec = Spec(read_tree(root.document.text, reader))
        self._nodes = {_tag(node): node for node in walk(self.spec.tree.root)}
        self._copies = Counter(_tag(node) for node in walk(root))
        self._take_numbers(m)

    def element(self, kind: str, index: int) -> Element:
        """The element of the file that an element of the model is; MjcfError if it is not one of its own there."""
        if kind == "body" and index == 0:
            return self.spec.world
        items = self._source.parsed.lists.get(kind, ())
        node = items[index].node if index < len(items) else None
        if node is None or node.ordinal < 0:
            raise self.spec.root.error(f"this {kind} is not in the file: the compiler made it")
        if node.document.origin != 0:
            raise node.error("it is a part of a model that <attach> brings", f"change it in {Path(node.file).name}")
        if self._copies[_tag(node)] > 1:
            raise node.error("it is a copy that <replicate> makes", "change the original in the file")
        return self.spec.element(self._nodes[_tag(node)])

    def _take_numbers(self, m: Model) -> None:
        """Write what was edited in the model to the spec, as far as it is in elements of their own."""
        clones: Clones = {}
        top = clone(self._source.root, clones)
        changes = Changes(m, self._source.parsed, top, lambda item: clones.get(item.node) if item.node else None)
        if not changes.waiting:
            return
        changes.apply()
        copies, tree = {id(copy) for copy in clones.values()}, self.spec.tree
        for node, copy in clones.items():
            there = self._nodes.get(_tag(node)) if self._copies[_tag(node)] == 1 else None
            if there is None or (
                copy.attrib == node.attrib and copy.tag == node.tag and copy.children == node.children
            ):
                continue
            tree.set_tag(there, copy.tag)
            for key in {*node.attrib, *copy.attrib}:
                tree.set_text(there, key, copy.attrib.get(key))
            for child in copy.children:
                if id(child) not in copies:
                    tree.insert(there, child, 0)


def _tag(node: Node) -> Tag:
    return node.document.file, node.ordinal
