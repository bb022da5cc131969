"""Where an element of a model is in its files, and the line that gives one of its attributes its value.

The value of an attribute may come from a default class, of the main file, an include or an attached model: the line is
then that of the class. A copy made by <replicate> or <attach> has the line of what was copied; a URDF that of its own
element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sim.mjcf.attach.references import walk
from sim.mjcf.records import Body, Compiler, Item
from sim.mjcf.save.class_values import ClassValues
from sim.mjcf.save.save import Source
from sim.mjcf.source import Node
from sim.model import Model

# attributes of a body that are those of its <inertial>
INERTIAL = ("mass", "diaginertia", "fullinertia", "inertial")
# sections of settings, which may be several elements: the last one that has the attribute decides
SETTINGS = ("option", "compiler", "statistic", "size")


class SourceLine(NamedTuple):
    """A line of a file."""

    file: str
    line: int


def angle_convention(m: Model) -> tuple[str, bool]:
    """compiler/eulerseq, and whether compiler/angle is degree; MJCF's defaults if the model is not from a file."""
    source = m.__dict__.get("source")
    compiler = source.parsed.compiler if isinstance(source, Source) else Compiler()
    return compiler.eulerseq, bool(compiler.degree)


def bodies_from_geoms(m: Model) -> frozenset[int]:
    """Bodies whose inertia follows from their geoms; none if the model is not from a file."""
    source = m.__dict__.get("source")
    bodies = source.parsed.lists["body"] if isinstance(source, Source) else ()
    return frozenset(body.id for body in bodies if body.from_geoms)


class Origins:
    """Lines of the elements of one model; a model that was not compiled from a file has none."""

    def __init__(self, m: Model) -> None:
        source = m.__dict__.get("source")
        self._source: Source | None = source if isinstance(source, Source) else None
        self._key_rows: Sequence[int] = m.key_rows
        self._classes: ClassValues | None = None
        self._owners: dict[Node | None, str] | None = None

    @property
    def root(self) -> Node | None:
        """The tree of XML elements, includes and copies expanded."""
        return self._source.root if self._source is not None else None

    def line(self, kind: str, index: int, attribute: str = "") -> SourceLine | None:
        """The line of an element, or the one that sets an attribute of it; `kind` can also be a section of settings."""
        node = self._setting(kind, attribute) if kind in SETTINGS else self._node(kind, index, attribute)
        if node is None:
            return None
        return line_of(self._provider(node, attribute) or node, attribute)

    def node(self, kind: str, index: int) -> Node | None:
        """The XML element; None if it is in no file."""
        return self._node(kind, index)

    def body_of(self, geom: int) -> str:
        """The name of the body that a geom is in, in its file: one that fusestatic merged is not in the model."""
        if self._owners is None:
            self._owners = dict(_owners(self.root, "world")) if self.root is not None else {}
        return self._owners.get(self._node("geom", geom), "world")

    def _node(self, kind: str, index: int, attribute: str = "") -> Node | None:
        if self._source is None:
            return None
        row = self._key_rows[index] if kind == "key" else index
        items: Sequence[Item] = self._source.parsed.lists.get(kind, ())
        if not 0 <= row < len(items):
            return None
        item = items[row]
        if isinstance(item, Body) and item.inertial is not None and attribute in INERTIAL:
            return item.inertial.node
        return item.node

    def _setting(self, tag: str, attribute: str) -> Node | None:
        found = [node for node in self._sections(tag) if not attribute or attribute in _attributes(node)]
        # without the attribute, where one would write it
        every = found or list(self._sections(tag))
        return every[-1] if every else self.root

    def _sections(self, tag: str) -> Iterator[Node]:
        return (node for node in (self.root.children if self.root else ()) if node.tag == tag)

    def _provider(self, node: Node, attribute: str) -> Node | None:
        """The element of a default class that an attribute comes from."""
        if not attribute or self.root is None:
            return None
        if self._classes is None:
            self._classes = ClassValues(self.root)
        return self._classes.provider(node, attribute)


def line_of(node: Node, attribute: str = "") -> SourceLine:
    """The line on which an element starts, or that of an attribute if its start tag has it on a later line."""
    first = node.line
    for part in walk(node) if node.tag in SETTINGS else (node,):
        if attribute in part.attrib:
            lines = part.document.text.split("\n", part.end)[part.line - 1 : part.end]
            sets = re.compile(rf"(?<![\w.:-]){re.escape(attribute)}\s*=")
            here = [number for number, text in enumerate(lines, part.line) if sets.search(text)]
            # that of a URDF may have another name
            return SourceLine(part.file, here[-1] if here else part.line)
    return SourceLine(node.file, first)


def _owners(node: Node, body: str) -> Iterator[tuple[Node, str]]:
    """What is below an element, each with the name of the body that it is in."""
    for child in node.children:
        yield child, body
        yield from _owners(child, child.attrib.get("name", "") if child.tag == "body" else body)


def _attributes(section: Node) -> set[str]:
    """The attributes of a section of settings; flags are in elements of their own."""
    return {name for node in walk(section) for name in node.attrib}
