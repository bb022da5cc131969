"""Copies of a tree, which can have documents of their own."""

from __future__ import annotations

import copy
from dataclasses import replace

from sim.mjcf.attach.references import Clones, clone
from sim.mjcf.source import Document, Node, XmlReader


def clone_tree(top: Node, documents: bool = False) -> tuple[Node, Clones]:
    """A deep copy, and the copy of each node; `documents`: also of what files are read with."""
    clones: Clones = {}
    new = clone(top, clones)
    if documents:
        own_documents(clones, top.document.reader)
    return new, clones


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
