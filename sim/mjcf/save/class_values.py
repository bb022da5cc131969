"""Which default class gives an element the value of an attribute, and who else has it from there."""

from __future__ import annotations

from collections.abc import Iterator

from sim.mjcf.attach.references import SECTION_KINDS
from sim.mjcf.source import Node

# sections whose elements have one tag in a default class
_ONE_TAG = ("equality", "tendon")


class ClassValues:
    """The default classes of a tree, and the class of each element."""

    def __init__(self, root: Node) -> None:
        # class -> its <default> elements, and the class that it is nested in
        self._parts: dict[str, list[Node]] = {}
        self._parent: dict[str, str] = {}
        # element -> its class and its tag in a class
        self._elements: dict[Node, tuple[str, str]] = {}
        for section in root.children:
            if section.tag == "default":
                self._add_class(section)
            elif section.tag == "worldbody":
                self._add_bodies(section)
            elif section.tag in SECTION_KINDS:
                for node in section.children:
                    tag = section.tag if section.tag in _ONE_TAG else node.tag
                    self._elements[node] = node.attrib.get("class", "main"), tag

    def _add_class(self, section: Node) -> None:
        stack = [(section, "")]
        while stack:
            node, parent = stack.pop()
            name = node.attrib.get("class") or "main"
            self._parts.setdefault(name, []).append(node)
            self._parent[name] = parent
            stack += [(child, name) for child in reversed(node.children) if child.tag == "default"]

    def _add_bodies(self, world: Node) -> None:
        stack = [(world, "main")]
        while stack:
            node, inherited = stack.pop()
            if node.tag not in ("worldbody", "body", "frame", "freejoint", "inertial"):
                self._elements[node] = node.attrib.get("class", inherited), node.tag
            inherited = node.attrib.get("childclass", inherited)
            stack += [(child, inherited) for child in reversed(node.children)]

    def provider(self, node: Node, attribute: str) -> Node | None:
        """The element of a default class that sets an attribute of an element, if the element itself does not."""
        name, tag = self._elements.get(node, ("", ""))
        if attribute in node.attrib:
            return None
        while name:
            for part in reversed(self._parts.get(name, ())):
                for child in part.children:
                    if child.tag == tag and attribute in child.attrib:
                        return child
            name = self._parent.get(name, "")
        return None

    def users(self, provider: Node, attribute: str) -> Iterator[Node]:
        """The elements that have an attribute from an element of a default class."""
        # a model that is attached twice has two classes from one place
        for node in self._elements:
            found = self.provider(node, attribute)
            if found is not None and (found.file, found.ordinal) == (provider.file, provider.ordinal):
                yield node
