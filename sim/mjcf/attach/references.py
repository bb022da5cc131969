"""Names and references in the XML tree, and how copied elements are renamed.

`attach` and `replicate` copy elements under new names. Elements of the body tree are always copied; those of the other
sections (pairs, tendons, actuators, sensors, ...) only if everything they refer to exists under its new name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from sim.mjcf.source import Node

Names = dict[str, set[str]]
# nodes -> their copies
Clones = dict[Node, Node]

TREE_TAGS = {tag: tag for tag in ("body", "frame", "joint", "geom", "site", "camera", "light")} | {"freejoint": "joint"}
ASSET_TAGS = ("texture", "material", "mesh", "hfield", "skin")

# section -> tag -> element type; the tag "" stands for all others
SECTION_KINDS: dict[str, dict[str, str]] = {
    "contact": {"pair": "pair", "exclude": "exclude"},
    "tendon": {"": "tendon"},
    "equality": {"": "equality"},
    "actuator": {"": "actuator"},
    "sensor": {"": "sensor"},
    "custom": {"numeric": "numeric", "text": "text", "tuple": "tuple"},
    "keyframe": {"": "key"},
    "asset": {tag: tag for tag in ASSET_TAGS},
    "deformable": {"skin": "skin"},
}
# sections whose elements refer to others, each after those that it can refer to
REFERRING_SECTIONS = ("contact", "tendon", "equality", "actuator", "sensor", "custom")

# attributes that are references -> type of the element they name
_BY_ATTRIBUTE = {
    "target": "body", "subtree": "body", "jointinparent": "joint", "refsite": "site", "cranksite": "site",
    "slidersite": "site", "sidesite": "site",
    **{kind: kind for kind in ("body", "joint", "geom", "site", "camera", "tendon", "actuator", "texture", "material",
                               "mesh", "hfield")},
}  # fmt: skip
_BY_TYPE = {"objname": "objtype", "refname": "reftype"}
ASSETS = frozenset(ASSET_TAGS)
# element types of which a copy may keep some of the old references, if at least one is new
HALF_NEW = ("pair", "exclude", "tendon", "sensor")
# element types that follow the world of an attached model, or of a copy, to the world
TO_WORLD = ("equality", "tuple")


def kind_of(section: str, tag: str) -> str:
    """Type of an element outside the body tree."""
    kinds = SECTION_KINDS.get(section, {})
    return kinds.get(tag, kinds.get("", ""))


def walk(node: Node) -> Iterator[Node]:
    """A node and its descendants, in document order."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def clone(node: Node, clones: Clones) -> Node:
    """A deep copy of a node, which is added to `clones` with all of its descendants."""
    top = clones[node] = node.copy()
    stack, keys = [(node, top)], []
    while stack:
        old, new = stack.pop()
        for child in old.children:
            copy = clones[child] = child.copy()
            new.children.append(copy)
            stack.append((child, copy))
            if child.tag == "key":
                keys.append(copy)
    for key in keys:
        key.follow(clones)
    return top


def references(node: Node) -> Iterator[tuple[str, str]]:
    """Attributes that name another element, and the type of that element; empty ones name none."""
    for key, text in node.attrib.items():
        if not text:
            continue
        kind = _BY_ATTRIBUTE.get(key) or _BY_ATTRIBUTE.get(key.rstrip("12"))
        if kind:
            yield key, kind
        elif key in _BY_TYPE:
            kind = node.attrib.get(_BY_TYPE[key], "")
            if kind:
                yield key, "body" if kind == "xbody" else kind


def tree_names(top: Node) -> Iterator[tuple[str, str]]:
    """Types and names of all elements in a subtree."""
    for node in walk(top):
        if node.tag in TREE_TAGS and "name" in node.attrib:
            yield TREE_TAGS[node.tag], node.attrib["name"]


def section_names(root: Node) -> Iterator[tuple[str, str]]:
    """Types and names of all elements outside the body tree."""
    for section in root.children:
        for node in section.children:
            name = node.attrib.get("name")
            if name and section.tag in SECTION_KINDS:
                yield kind_of(section.tag, node.tag), name


class Renaming:
    """Renames a copy with a prefix and a suffix.

    With `classes`, the new names of default classes, the copy is that of another model, and assets are renamed too.
    """

    def __init__(self, prefix: str, suffix: str = "", classes: Mapping[str, str] | None = None) -> None:
        self.prefix, self.suffix, self.classes = prefix, suffix, classes or {}
        self.assets = classes is not None

    def __call__(self, name: str) -> str:
        return f"{self.prefix}{name}{self.suffix}"

    def tree(self, top: Node) -> None:
        """Rename a subtree: names and targets, for another model also materials, meshes and classes."""
        for node in walk(top):
            if node.tag in TREE_TAGS:
                self._own(node)
                for key, kind in references(node):
                    if kind == "body" or (self.assets and kind in ASSETS):
                        node.attrib[key] = self(node.attrib[key])

    def asset(self, node: Node) -> None:
        """Rename an asset; one that takes its name from its file gets it as an attribute."""
        if "name" not in node.attrib and node.attrib.get("file", "").strip():
            node.attrib["name"] = PurePosixPath(node.attrib["file"].strip().replace("\\", "/")).stem
        for part in walk(node):
            self._own(part)
            for key, _ in references(part):
                part.attrib[key] = self(part.attrib[key])

    def section_element(self, node: Node, kind: str, names: Names) -> bool:
        """Rename an element of another section; False if a reference does not exist under its new name."""
        self._own(node)
        may_keep, any_new, any_reference = kind in HALF_NEW, False, False
        for part in walk(node):
            for key, of in references(part):
                old = part.attrib[key]
                new, known = self(old), names.get(of, ())
                if of in ASSETS:
                    part.attrib[key] = new if self.assets else old
                elif new in known:
                    part.attrib[key], any_new = new, True
                elif old not in known or not (may_keep or (kind in TO_WORLD and (of, old) == ("body", "world"))):
                    return False
                any_reference = True
        return any_new or not may_keep or (kind == "sensor" and not any_reference)

    def _own(self, node: Node) -> None:
        if node.attrib.get("name"):
            node.attrib["name"] = self(node.attrib["name"])
        for key in ("class", "childclass"):
            if node.attrib.get(key) in self.classes:
                node.attrib[key] = self.classes[node.attrib[key]]


def resolved(node: Node, names: Names) -> bool:
    """Whether everything that an element refers to exists."""
    return all(
        part.attrib[key] in names.get(kind, ())
        for part in walk(node)
        for key, kind in references(part)
        if kind not in ASSETS
    )
