"""Which elements of two models of one file are the same, though elements of the file were changed in between.

An element is known by the number of its start tag in the file, or as what a change has added. That holds as long as the
file on disk is the same for both models.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable
from typing import Any

from sim.mjcf.attach.references import walk
from sim.mjcf.source import Node

# the start tag of an element: a file, and its number there
Tag = tuple[str, int]
# file -> text
Texts = dict[str, str]


def tag_of(node: Node) -> Tag:
    return node.document.file, node.ordinal


def texts_of(root: Node) -> Texts:
    """The texts of the files that a tree was read from."""
    return {node.document.file: node.document.text for node in walk(root)}


def origins(before: Node, after: Node, added: dict[Node, Hashable]) -> dict[Tag, Hashable]:
    """For the start tags of a text that was read, what they were in the tree that it was written from."""
    found: dict[Tag, Hashable] = {}
    stack = [(before, after)]
    while stack:
        old, new = stack.pop()
        if old.tag != new.tag or len(old.children) != len(new.children):
            raise new.error("the text of the file is not what was changed")
        found[tag_of(new)] = tag_of(old) if old.ordinal >= 0 else added.get(old, ("new", *tag_of(new)))
        children = old.children if old is not before else _as_written(old.children, new.children)
        stack += zip(children, new.children, strict=True)
    return found


def _as_written(sections: Iterable[Node], written: Iterable[Node]) -> list[Node]:
    """Sections in the order of a text, where new ones are not last."""
    by_tag: defaultdict[str, deque[Node]] = defaultdict(deque)
    for section in sections:
        by_tag[section.tag].append(section)
    return [by_tag[one.tag].popleft() for one in written]


def identities(m: Any) -> tuple[Texts, dict[str, list[Hashable]]] | None:
    """The texts on disk, and by type of element what each element is; None if the model is of no file."""
    source: Any = getattr(m, "__dict__", {}).get("source")
    if source is None or source.root.ordinal < 0:
        return None
    if source.base is None:
        source.base = texts_of(source.root)
    found: dict[str, list[Hashable]] = {}
    for kind, items in source.parsed.lists.items():
        seen: defaultdict[Hashable, int] = defaultdict(int)
        row = found[kind] = list[Hashable]()
        for item in items:
            node = getattr(item, "node", None)
            tag = None if node is None else tag_of(node)
            one = None if tag is None else source.origins.get(tag, tag)
            # the copies of one element
            row.append(None if one is None else (one, seen[one]))
            seen[one] += 1
    return source.base, found
