"""The source files of a spec that was read from disk, with its changes: comments, order and spacing stay.

An element of a file is changed, added or removed in the text of that file. A keyframe gets the values that the compiled
model has. What was moved keeps its text, unless it comes from another file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from sim.file_stamp import absolute
from sim.mjcf import compile_file
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.references import walk
from sim.mjcf.complete import complete
from sim.mjcf.errors import with_files
from sim.mjcf.format.table import read_tree
from sim.mjcf.identity import origins, texts_of
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.save.source_text import Block, Blocks, TextEdit, encode
from sim.mjcf.section.keyframe import VECTORS
from sim.mjcf.source import Document, Node, XmlReader, read_main
from sim.model import Model
from sim.spec.spec import Spec

# what a change has added -> what knows it in another model with the same change
Added = dict[Node, Hashable]


def load_changed(
    path: Path, change: Callable[[Spec], Added | None], files_before: Mapping[Path, bytes] = MappingProxyType({})
) -> Model:
    """The Model of a file after a change of its elements; the file stays as it is until the Model is saved.

    `files_before`: files, by their real paths, as they were before they were saved. MjcfError, or what `change` raises:
    nothing was changed.
    """
    spec = Spec(_parsed(path, files_before)) if files_before else Spec.load(path)
    files, base = SourceFiles(spec), texts_of(spec.tree.root)
    with with_files(spec.tree.root.document.reader.files):
        added = change(spec)
        if any(isinstance(node, KeyNode) for node in spec.nodes("key")):
            spec.compile()
    texts = {document: edit.result for document, edit in files.texts().items() if edit.edited}
    paths = {document: Path(document.file).resolve() for document in texts}
    on_disk = {path: files_before.get(path) or path.read_bytes() for path in paths.values()}
    edited = {paths[document]: encode(text, on_disk[paths[document]]) for document, text in texts.items()}
    pending = {**files_before, **edited}
    model = complete(compile_file(path, pending=pending))
    source = model.__dict__["source"]
    source.originals = {absolute(Path(f)): text for f, text in base.items() if Path(f).resolve() in files_before}
    source.originals |= {absolute(Path(document.file)): text for document, text in texts.items()}
    source.in_memory = frozenset(source.originals)
    source.base, source.origins = base, origins(spec.tree.root, _parsed(path, pending), added or {})
    return model


def _parsed(path: Path, pending: Mapping[Path, bytes]) -> Node:
    """The elements of a file, as they will be written."""
    reader = XmlReader(str(path))
    reader.pending = pending
    data = pending.get(path.resolve())
    return read_tree(read_main(path, reader.files) if data is None else data, reader)


class SourceFiles:
    """The files of a spec as they are before it is changed."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._before = {node: (dict(node.attrib), list(node.children)) for node in walk(spec.tree.root)}
        self._parents = {child: node for node, (_, children) in self._before.items() for child in children}
        self._texts: dict[Document, TextEdit] = {}
        # elements that are written elsewhere in their file, with all that is in them: an edit for each of them
        self._moved: dict[Node, TextEdit] = {}

    def texts(self) -> dict[Document, TextEdit]:
        """The texts with the changes that were made since then; the spec is compiled."""
        self._texts, tree = {}, self._spec.tree
        there = {*walk(tree.root)}
        self._moved = {node: TextEdit(node.document.text) for node in self._places_changed(there)}
        for node, (attributes, children) in self._before.items():
            if node not in there:
                continue
            if attributes != node.attrib:
                _set_attributes(self._text(node), node.ordinal, attributes, node.attrib)
            keys = {child.ordinal: child for child in node.children if isinstance(child, KeyNode)}
            for child in children:
                if child in self._moved or tree.parents.get(child) is not node:
                    if child.ordinal in keys:
                        values = self._key_values(keys[child.ordinal])
                        _set_attributes(self._text(node), child.ordinal, self._before[child][0], values)
                    else:
                        self._text(node).remove_element(child.ordinal)
        self._write_added(there)
        return self._texts

    def _places_changed(self, there: set[Node]) -> Iterator[Node]:
        """The elements that have another place in the same file now."""
        for node in there:
            old = [child for child in self._before.get(node, ((), ()))[1] if child in there]
            stays = _in_order([child for child in node.children if self._parents.get(child) is node], old)
            for child in node.children:
                before = self._parents.get(child)
                holder = next((one for one in (node, *self._spec.tree.ancestors(node)) if one in self._before), node)
                if before is not None and child not in stays and child.document is holder.document:
                    yield child

    def _text(self, node: Node) -> TextEdit:
        """The edit of the text of what is in an element: that of a moved one around it, or of its file."""
        if node.ordinal < 0 or node.document.reader.store is not None:
            raise node.error("it is not an element of an MJCF file on disk", "save the model as .xml first")
        around: Node | None = node
        while around is not None and around not in self._moved:
            around = self._parents.get(around)
        if around is not None:
            return self._moved[around]
        return self._texts.setdefault(node.document, TextEdit(node.document.text))

    def _write_added(self, there: set[Node]) -> None:
        """Write what is new, and what has moved, where it is now: first into what has moved itself."""
        ancestors = self._spec.tree.ancestors
        order = sorted(self._moved, key=lambda node: -sum(1 for _ in ancestors(node)))
        holders: dict[TextEdit, list[Node]] = {}
        for node in self._before:
            known = {*self._before[node][1]}
            if node in there and any(c in self._moved or c not in known for c in node.children):
                holders.setdefault(self._text(node), []).append(node)
        blocks: dict[Node, Block] = {}
        for moved in order:
            for node in holders.pop(self._moved[moved], ()):
                self._add(node, blocks)
            blocks[moved] = self._moved[moved].block(moved.ordinal)
        for nodes in holders.values():
            for node in nodes:
                self._add(node, blocks)

    def _add(self, node: Node, blocks: Blocks) -> None:
        """Add the children of a node that are not known there, each after the last that is."""
        text, known, last = self._text(node), {*self._before[node][1]}, None
        for child in node.children:
            if (child in known and child not in self._moved) or isinstance(child, KeyNode):
                last = child.ordinal if child.document is node.document else last
            elif node.ordinal == 0:
                text.add_section(0, child, blocks)
            else:
                first = last is None and text.tags[node.ordinal].children
                text.add_child(node.ordinal, child, -1 if first else last, blocks)

    def _key_values(self, key: KeyNode) -> dict[str, str]:
        """The attributes of a keyframe whose vectors follow the elements."""
        built, found = self._spec.built, dict(key.attrib)
        assert built is not None
        for name in VECTORS:
            values = built.model.read(f"key_{name}")[built.ids[key]].ravel().tolist()
            if name in found and values:
                same = [float(word) for word in found[name].split()] == values
                found[name] = found[name] if same else format_numbers(values)
            else:
                found.pop(name, None)
        return found


def _set_attributes(text: TextEdit, ordinal: int, before: dict[str, str], after: dict[str, str]) -> None:
    """Change the attributes of an element that differ."""
    for name in before.keys() - after.keys():
        text.remove_attribute(ordinal, name)
    for name, value in after.items():
        if before.get(name) != value:
            text.set_attribute(ordinal, name, value)


def _in_order(now: list[Node], before: list[Node]) -> set[Node]:
    """The most elements whose order is the same in both lists."""
    place = {node: k for k, node in enumerate(before)}
    ends: list[int] = []
    last: list[Node] = []
    behind: dict[Node, Node | None] = {}
    for node in now:
        at = bisect_left(ends, place[node])
        behind[node] = last[at - 1] if at else None
        ends[at : at + 1] = [place[node]]
        last[at : at + 1] = [node]
    found: set[Node] = set()
    node_or_none = last[-1] if last else None
    while node_or_none is not None:
        found.add(node_or_none)
        node_or_none = behind[node_or_none]
    return found
