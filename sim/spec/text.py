"""The MJCF of a spec as one text: sections in the usual order, elements as they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sim.mjcf.attach.references import Clones, clone, walk
from sim.mjcf.save.expanded import write_keys, xml_text
from sim.mjcf.save.merge_attached import merge_attached
from sim.mjcf.schema import ORIENTATIONS, element
from sim.mjcf.source import Node
from sim.spec.classes import Classes, schema_name
from sim.spec.journal import Tree
from sim.spec.order import split_frames

if TYPE_CHECKING:
    from sim.spec.spec import Spec

# sections in the order of a saved file
ORDER = (
    "compiler", "option", "size", "visual", "statistic", "default", "asset", "worldbody", "deformable", "contact",
    "equality", "tendon", "actuator", "sensor", "custom", "keyframe",
)  # fmt: skip

USER_SIZES = (
    "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor"
)  # fmt: skip
# attributes that stay, whatever the default is
KEPT = ("name", "class", "childclass")


def spec_text(spec: Spec) -> str:
    """The text of a spec, which must compile."""
    return xml_text(saved_tree(spec))


def write_spec(spec: Spec, path: Path) -> None:
    """Save the model; asset files are found from there, and those in memory are saved beside it."""
    spec.current().model.save_xml(path)


def saved_tree(spec: Spec, canonical: bool = False) -> Node:
    """A tree to be written: one section of each kind, one set of compiler settings.

    `canonical`: without what an element inherits anyway, and with the sizes of user data.
    """
    for node in spec.pixels:
        if spec.tree.contains(node):
            raise node.error("its pixels are not in any file, and MJCF has no attribute for them", "set its file")
    built, clones = spec.current(), Clones()
    parsed = built.parsed
    assert parsed.root is not None
    root = clone(parsed.root, clones)
    write_keys(root, parsed, built.model)
    merge_attached(root, parsed, lambda item: clones.get(item.node) if item.node else None)
    ranks = {copy: spec.tree.ranks.get(built.origins.get(node, node), 0) for node, copy in clones.items()}
    split_frames(root, ranks)
    if canonical:
        _drop_inherited(root)
        sizes = {name: str(built.model.read(name)) for name in USER_SIZES if built.model.read(name) > 0}
        if sizes:
            root.children.append(Node("size", sizes, root.document, root.end))
    _join_sections(root)
    return root


def _drop_inherited(root: Node) -> None:
    """Remove attributes that say what their element inherits."""
    tree = Tree(root)
    classes = Classes(tree)
    for node in walk(root):
        name = schema_name(tree, node)
        prototype = classes.prototype(node)
        keep = KEPT if getattr(prototype, "alt", None) is None else (*KEPT, *ORIENTATIONS)
        for key, text in list(node.attrib.items()):
            entry = element(name).attributes.get(key)
            if entry is None or key in keep or entry.absent(text) or entry.required:
                continue
            value, inherited = entry.parse(text), classes.inherited(node, name, key)
            if entry.partial and inherited is not None:
                value = value + inherited[len(value) :]
            if value == inherited:
                del node.attrib[key]
    for node in walk(root):
        if classes.class_of(tree.parents.get(node, root)) == node.attrib.get("class", ""):
            if node.tag != "default":
                del node.attrib["class"]
        node.children = [child for child in node.children if node.tag != "default" or _says(child)]


def _says(node: Node) -> bool:
    """Whether a member of a default class has any effect."""
    return node.tag == "default" or bool(node.attrib or node.children)


def _join_sections(root: Node) -> None:
    """Join sections of the same kind, in the usual order."""
    sections: dict[str, Node] = {}
    for node in root.children:
        if node.tag not in sections:
            sections[node.tag] = node
            continue
        first = sections[node.tag]
        first.attrib |= node.attrib
        known = {child.tag: child for child in first.children}
        for child in node.children:
            if node.tag in ("option", "visual", "compiler") and child.tag in known:
                known[child.tag].attrib |= child.attrib
            else:
                first.children.append(child)
    rank = {tag: k for k, tag in enumerate(ORDER)}
    kept = [node for node in sections.values() if node.attrib or node.children or node.tag == "worldbody"]
    root.children = sorted(kept, key=lambda node: rank.get(node.tag, len(rank)))
