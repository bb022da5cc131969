"""Default classes of a spec: what an element inherits, and changes of classes that keep what elements have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sim.attributes import BY_TAG, defaults
from sim.mjcf.attach.references import walk
from sim.mjcf.read import SECTIONS
from sim.mjcf.records import PROTOTYPES, Default, Item, Parsed
from sim.mjcf.save.attribute_text import format_attribute
from sim.mjcf.schema import element
from sim.mjcf.source import Node
from sim.spec.journal import HOLDERS, Tree

# section -> prototype of its elements
SECTION_CLASS = {"equality": "equality", "tendon": "tendon", "actuator": "actuator", "contact": "pair"}
# attributes that are no value of a class
NEVER_INHERITED = ("name", "class", "target")


class Classes:
    """The default classes of a tree, read again when one has changed."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._read = -1
        self._parsed = Parsed()

    @property
    def parsed(self) -> Parsed:
        """A parsed spec that has the default classes only."""
        if self._read != self.tree.classes:
            spec = Parsed()
            spec.defaults["main"] = Default("main", prototypes())
            for node in self.tree.root.children:
                if node.tag == "default":
                    SECTIONS["default"](spec, node)
            self._parsed, self._read = spec, self.tree.classes
        return self._parsed

    def class_of(self, node: Node) -> str:
        """The name of the class that an element has, or that the children of a body or frame have."""
        if "class" in node.attrib and node.tag != "default":
            return node.attrib["class"]
        for above in (node, *self.tree.ancestors(node)):
            if above.attrib.get("childclass") and above.tag in HOLDERS:
                return above.attrib["childclass"]
        return "main"

    def prototype(self, node: Node) -> Item | None:
        """What an element inherits from: the prototype in its class, or for one in a class, in the class around."""
        parent = self.tree.parents.get(node)
        if parent is None:
            return None
        kind = prototype_kind(parent.tag, node.tag)
        if not kind:
            return None
        if parent.tag == "default":
            outer = self.tree.parents.get(parent)
            if outer is None or outer.tag != "default":
                return prototypes()[kind]
            return self.parsed.defaults[self.tree.name(outer)].prototypes[kind]
        found = self.parsed.defaults.get(self.class_of(node))
        return found.prototypes[kind] if found else prototypes()[kind]

    def inherited(self, node: Node, name: str, key: str) -> Any:
        """The value of an attribute that an element does not have itself; None if there is none."""
        item = None if key in NEVER_INHERITED else self.prototype(node)
        if item is not None:
            return vars(item).get(key)
        row = BY_TAG.get(name, {}).get(key)
        return defaults(row.element).get(key) if row is not None else None

    def own_values(self, nodes: Iterable[Node]) -> dict[Node, dict[str, Any]]:
        """What elements inherit, attribute by attribute."""
        found = {}
        for node in nodes:
            name = schema_name(self.tree, node)
            keys = (key for key in BY_TAG.get(name, {}) if key not in NEVER_INHERITED)
            found[node] = {key: self.inherited(node, name, key) for key in keys}
        return found

    def keep(self, before: dict[Node, dict[str, Any]]) -> None:
        """Give elements as their own what they inherited before and do not now."""
        for node, values in before.items():
            name = schema_name(self.tree, node)
            for key, value in values.items():
                if value is not None and value != () and key not in node.attrib:
                    if self.inherited(node, name, key) != value:
                        self.tree.set_text(node, key, format_attribute(BY_TAG[name][key].type, value))

    def freeze_followers(self, default: Node, tag: str, key: str) -> None:
        """Give what inherits an attribute from a class that value as its own, before the class changes it."""
        tree = self.tree
        for inner in default.children:
            if inner.tag == "default":
                own = next((node for node in inner.children if node.tag == tag), None)
                if own is None:
                    own = default.copy()
                    own.tag, own.attrib = tag, {}
                    tree.insert(inner, own)
                self.freeze(own, schema_name(tree, own), key)
        kind, name = prototype_kind("default", tag), tree.name(default)
        for top in tree.root.children:
            for node in walk(top) if top.tag != "default" else ():
                holder = tree.parents[node].tag
                if prototype_kind(holder, node.tag) == kind and self.class_of(node) == name:
                    self.freeze(node, schema_name(tree, node), key)

    def freeze(self, node: Node, name: str, key: str) -> None:
        """Give an element what it inherits as its own, so that it does not follow its class."""
        row = BY_TAG.get(name, {}).get(key)
        if row is None or key in node.attrib:
            return
        value = self.inherited(node, name, key)
        if value is not None and value != ():
            self.tree.set_text(node, key, format_attribute(row.type, value))


def prototypes() -> dict[str, Item]:
    """New prototypes, at MuJoCo's defaults."""
    return {kind: make() for kind, make in PROTOTYPES.items()}


def prototype_kind(holder: str, tag: str) -> str:
    """The prototype that an element in a parent starts from."""
    if holder in SECTION_CLASS:
        return SECTION_CLASS[holder] if tag != "exclude" else ""
    if holder == "default" and tag not in PROTOTYPES:
        return "actuator" if tag != "default" else ""
    return tag if tag in PROTOTYPES and (holder in HOLDERS or holder in ("asset", "default")) else ""


def schema_name(tree: Tree, node: Node) -> str:
    """The name of an element in the schema: a tag, or parent/tag where tags have several meanings."""
    parent = tree.parents.get(node)
    if parent is None:
        return node.tag
    if parent.tag in HOLDERS:
        return node.tag
    return element(schema_name(tree, parent)).children.get(node.tag, node.tag)
