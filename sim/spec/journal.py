"""The tree of MJCF nodes of a spec, with parents and names, and the reversible changes that edit it.

A node knows its children only; the tree knows the parent of each node, elements by type and name, and in which order
elements came into their body: an element that is added to a frame later follows those that were there, as in MuJoCo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from sim.mjcf.attach.references import SECTION_KINDS, TREE_TAGS, kind_of, walk
from sim.mjcf.source import Node

# elements that hold those of the body tree
HOLDERS = ("worldbody", "body", "frame", "replicate")
# types that take their name from a file, if they were read from one
NAMED_AFTER_FILE = ("texture", "mesh", "hfield", "skin")


class Change(NamedTuple):
    """One reversible change of a tree."""

    do: Callable[[], None]
    undo: Callable[[], None]


@dataclass(slots=True)
class Group:
    """The changes of one edit, and what it is called."""

    label: str
    changes: list[Change] = field(default_factory=list)


class Tree:
    """A root with its index, and the journal of changes."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.parents: dict[Node, Node] = {}
        self.ranks: dict[Node, int] = {}
        self.names: dict[str, dict[str, Node]] = {}
        # counts of all changes, and of those of elements and default classes
        self.version = self.structure = self.classes = 0
        self.last_rank = 0
        self.done: list[Group] = []
        self.undone: list[Group] = []
        self._open: Group | None = None
        self._index(root)

    # ---- journal

    @contextmanager
    def group(self, label: str) -> Iterator[None]:
        """Changes inside are one group; if there is an error, they are taken back. Groups inside are parts of it."""
        outermost = self._open is None
        group = self._open = self._open or Group(label)
        start = len(group.changes)
        try:
            yield
        except BaseException:
            for change in reversed(group.changes[start:]):
                change.undo()
            del group.changes[start:]
            raise
        finally:
            if outermost:
                self._open = None
                if group.changes:
                    self.done.append(group)
                    self.undone.clear()

    def _make(self, label: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        """Make a change, and note it."""
        with self.group(label):
            assert self._open is not None
            do()
            self._open.changes.append(Change(do, undo))

    def undo(self) -> str | None:
        """Take the last group back; returns its label, or None if there is none."""
        if not self.done:
            return None
        last = self.done.pop()
        for change in reversed(last.changes):
            change.undo()
        self.undone.append(last)
        return last.label

    def redo(self) -> str | None:
        """Make the last group that was taken back again."""
        if not self.undone:
            return None
        last = self.undone.pop()
        for change in last.changes:
            change.do()
        self.done.append(last)
        return last.label

    # ---- changes

    def set_text(self, node: Node, key: str, text: str | None) -> None:
        """Set an attribute, or remove it."""
        before = node.attrib.get(key)
        if before != text:
            put = partial(self._put_text, node, key)
            self._make(f"change {node.tag}", partial(put, text), partial(put, before, (*node.attrib,)))

    def set_tag(self, node: Node, tag: str) -> None:
        if node.tag != tag:
            self._make(f"change {node.tag}", partial(self._put_tag, node, tag), partial(self._put_tag, node, node.tag))

    def insert(self, parent: Node, node: Node, index: int | None = None, rank: int | None = None) -> None:
        """Insert a node, at the end if no place is given."""
        if rank is None:
            self.last_rank += 1
            rank = self.last_rank
        self._make(
            f"insert {node.tag}", *self._linking(parent, len(parent.children) if index is None else index, node, rank)
        )

    def remove(self, node: Node) -> None:
        parent = self.parents[node]
        index = next(k for k, child in enumerate(parent.children) if child is node)
        link, unlink = self._linking(parent, index, node, self.ranks.get(node, 0))
        self._make(f"remove {node.tag}", unlink, link)

    def set_beside(self, values: dict[Node, Any], node: Node, value: Any, label: str) -> None:
        """Set a value of a node that is kept beside the tree; None: there is none."""
        put = partial(self._put_beside, values, node)
        self._make(label, partial(put, value), partial(put, values.get(node)))

    def _linking(self, parent: Node, index: int, node: Node, rank: int) -> Change:
        """Insert a node with all that is in it; `rank` is its place in the order of its body."""
        return Change(partial(self._link, parent, index, node, rank), partial(self._unlink, parent, node))

    # ---- what changes do

    def _put_text(self, node: Node, key: str, text: str | None, order: Sequence[str] = ()) -> None:
        naming = key in ("name", "class", "file")
        if naming:
            self._forget_name(node)
        if text is None:
            node.attrib.pop(key, None)
        else:
            node.attrib[key] = text
        if order:
            node.attrib = {name: node.attrib[name] for name in order}
        if naming:
            self._note_name(node)
        self._changed(node, structural=False)

    def _put_tag(self, node: Node, tag: str) -> None:
        self._forget_name(node)
        node.tag = tag
        self._note_name(node)
        self._changed(node, structural=False)

    def _put_beside(self, values: dict[Node, Any], node: Node, value: Any) -> None:
        self.version += 1
        if value is None:
            values.pop(node, None)
        else:
            values[node] = value

    def _link(self, parent: Node, index: int, node: Node, rank: int) -> None:
        parent.children.insert(index, node)
        self.parents[node] = parent
        self._index(node)
        self.ranks[node] = rank
        self._changed(node, structural=True)

    def _unlink(self, parent: Node, node: Node) -> None:
        self._changed(node, structural=True)
        parent.children[:] = [child for child in parent.children if child is not node]
        for part in walk(node):
            self._forget_name(part)
        for part in walk(node):
            self.parents.pop(part, None)

    def _changed(self, node: Node, structural: bool) -> None:
        self.version += 1
        if structural:
            self.structure += 1
        above: Node | None = node
        while above is not None:
            if above.tag == "default":
                self.classes += 1
            above = self.parents.get(above)

    # ---- index

    def _index(self, top: Node) -> None:
        for node in walk(top):
            for child in node.children:
                self.parents[child] = node
            self.last_rank += 1
            self.ranks.setdefault(node, self.last_rank)
            self._note_name(node)

    def kind(self, node: Node) -> str:
        """The type of an element, such as actuator; "" for other nodes."""
        parent = self.parents.get(node)
        if parent is None:
            return ""
        if node.tag == "default":
            return "default"
        if parent.tag in HOLDERS:
            return TREE_TAGS.get(node.tag, "")
        return kind_of(parent.tag, node.tag) if parent.tag in SECTION_KINDS and parent is not node else ""

    def name(self, node: Node) -> str:
        """The name of an element; what was read from a file can be named after another file."""
        if node.tag == "default":
            return node.attrib.get("class", "main")
        name = node.attrib.get("name", "")
        if not name and node.ordinal >= 0 and node.tag in NAMED_AFTER_FILE:
            return PurePosixPath(node.attrib.get("file", "").strip().replace("\\", "/")).stem
        return name

    def find(self, kind: str, name: str) -> Node | None:
        return self.names.get(kind, {}).get(name)

    def _note_name(self, node: Node) -> None:
        kind = self.kind(node)
        name = self.name(node) if kind else ""
        if name:
            self.names.setdefault(kind, {}).setdefault(name, node)

    def _forget_name(self, node: Node) -> None:
        kind = self.kind(node)
        name = self.name(node) if kind else ""
        if name and self.names.get(kind, {}).get(name) is node:
            del self.names[kind][name]

    def ancestors(self, node: Node) -> Iterator[Node]:
        """What an element is in, from the inside out."""
        above = self.parents.get(node)
        while above is not None:
            yield above
            above = self.parents.get(above)

    def contains(self, node: Node) -> bool:
        """Whether a node is in the tree."""
        return node is self.root or node in self.parents
