"""The source files of a spec that was read from disk, with its changes: comments, order and spacing stay.

An element of a file is changed, added or removed in the text of that file. A keyframe gets the values that the compiled
model has. What was moved is written as a new element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from sim.file_stamp import absolute
from sim.mjcf import compile_file
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.references import walk
from sim.mjcf.complete import complete
from sim.mjcf.errors import with_files
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.save.source_text import TextEdit, encode
from sim.mjcf.section.keyframe import VECTORS
from sim.mjcf.source import Document, Node
from sim.model import Model
from sim.spec.spec import Spec


def load_changed(path: Path, change: Callable[[Spec], None]) -> Model:
    """The Model of a file after a change of its elements; the file stays as it is until the Model is saved.

    MjcfError, or what `change` raises: nothing was changed.
    """
    spec = Spec.load(path)
    files = SourceFiles(spec)
    with with_files(spec.tree.root.document.reader.files):
        change(spec)
        spec.compile()
    texts = {document: edit.result for document, edit in files.texts().items() if edit.edited}
    paths = {document: Path(document.file).resolve() for document in texts}
    pending = {paths[document]: encode(text, paths[document].read_bytes()) for document, text in texts.items()}
    model = complete(compile_file(path, pending=pending))
    source = model.__dict__["source"]
    source.originals = {absolute(Path(document.file)): text for document, text in texts.items()}
    source.in_memory = frozenset(source.originals)
    return model


class SourceFiles:
    """The files of a spec as they are before it is changed."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._before = {node: (dict(node.attrib), list(node.children)) for node in walk(spec.tree.root)}

    def texts(self) -> dict[Document, TextEdit]:
        """The texts with the changes that were made since then; the spec is compiled."""
        texts: dict[Document, TextEdit] = {}

        def text(node: Node) -> TextEdit:
            if node.ordinal < 0 or node.document.reader.store is not None:
                raise node.error("it is not an element of an MJCF file on disk", "save the model as .xml first")
            return texts.setdefault(node.document, TextEdit(node.document.text))

        # what is in a removed element has no place of its own any more
        gone: set[Node] = set()
        for node, (attributes, children) in self._before.items():
            if node in gone:
                continue
            if attributes != node.attrib:
                _set_attributes(text(node), node.ordinal, attributes, node.attrib)
            keys = {child.ordinal: child for child in node.children if isinstance(child, KeyNode)}
            there = {*node.children}
            for child in children:
                if child in there:
                    continue
                gone |= {*self._inside(child)}
                if child.ordinal in keys:
                    values = self._key_values(keys[child.ordinal])
                    _set_attributes(text(child), child.ordinal, self._before[child][0], values)
                else:
                    text(child).remove_element(child.ordinal)
            if not {*node.children} <= {*children}:
                self._add(text(node), node, {*children})
        return texts

    def _inside(self, node: Node) -> Iterator[Node]:
        """A node with all that was in it."""
        yield node
        for child in self._before[node][1]:
            yield from self._inside(child)

    def _add(self, text: TextEdit, node: Node, known: set[Node]) -> None:
        """Add the children of a node that are not known, each after the last that is."""
        last: int | None = None
        for child in node.children:
            if child in known or isinstance(child, KeyNode):
                last = child.ordinal if child.document is node.document else last
            elif node.ordinal == 0:
                text.add_section(0, child)
            else:
                text.add_child(node.ordinal, child, -1 if last is None and text.tags[node.ordinal].children else last)

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
