"""`attach`: a frame with a copy of a body, a frame or all of another model, or of a part of the model itself.

What belongs to the copy follows it, named with the prefix: assets, default classes, keyframes, and those elements of
the other sections whose references all exist. Nodes of another model keep its compiler settings through the origin of
their document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.mjcf.attach.assembly import Assembly
from sim.mjcf.attach.conflict import merge_settings
from sim.mjcf.attach.default_classes import default_classes, new_class_names, set_default_class
from sim.mjcf.attach.keyframes import follow_clones
from sim.mjcf.attach.references import REFERRING_SECTIONS, Clones, Renaming, clone, kind_of
from sim.mjcf.errors import lookup, suggestion
from sim.mjcf.schema import read_attributes
from sim.mjcf.source import Node


def attach(assembly: Assembly, node: Node, models: Mapping[str, Node]) -> Node:
    """The frame that replaces an <attach>; `models` are the other models by name."""
    values = read_attributes(node, "attach")
    if "prefix" not in node.attrib:
        raise node.error("missing attribute 'prefix'")
    prefix = values.get("prefix", "")
    kind = next((kind for kind in ("body", "frame") if kind in values), "")
    name = values.get(kind, "")
    if kind and prefix + name in assembly.names.get(kind, ()):
        raise node.error(f"{kind} '{prefix}{name}' already exists", "use another prefix")
    if "model" not in values:
        return _attach_part(assembly, node, kind, name, prefix)
    return _attach_model(assembly, node, lookup(node, "model", values["model"], models), values)


def _attach_model(assembly: Assembly, node: Node, model: Node, values: dict[str, Any]) -> Node:
    """Attach a body, a frame or all of another model."""
    prefix = values.get("prefix", "")
    kind = next((kind for kind in ("body", "frame") if kind in values), "")
    assembly.count_copies([model], node)
    clones: Clones = {}
    copy = clone(model, clones)
    content, inherited = _find(copy, kind, values.get(kind, ""))
    if not content and kind:
        raise node.error(f"model '{values['model']}' has no {kind} '{values[kind]}'", "attach an existing one")
    rename = Renaming(prefix, classes=new_class_names(copy, prefix, assembly.classes))
    frame = Node("frame", {"childclass": rename.classes[inherited]}, node.document, node.end)
    frame.children = content
    for part in content:
        rename.tree(part)
    bring(assembly, model, copy, clones, frame, rename, node)
    return frame


def bring(
    assembly: Assembly, model: Node, copy: Node, clones: Clones, content: Node, rename: Renaming, where: Node
) -> None:  # fmt: skip
    """Add what belongs to the content that is attached, which has been renamed, of the copy of a model."""
    assembly.add_tree_names(content)
    assembly.root.children += merge_settings(assembly.root, model, where)
    _add_compilers(assembly, copy)
    assembly.root.children += default_classes(copy, rename)
    _add_assets(assembly, copy, rename)
    _add_section_elements(assembly, copy, rename)
    assembly.attached_keys.attach(model, rename, clones, content)


def _attach_part(assembly: Assembly, node: Node, kind: str, name: str, prefix: str) -> Node:
    """Attach a body or frame of the model itself, as far as it is defined here."""
    if not kind:
        raise node.error("nothing to attach", "set model, body or frame")
    content, inherited = _find(assembly.root, kind, name)
    if not content:
        known = assembly.names.get(kind, ())
        raise node.error(f"{kind} '{name}' is not defined before this", suggestion(name, known))
    assembly.count_copies(content, node)
    clones: Clones = {}
    frame = Node("frame", {"childclass": inherited}, node.document, node.end)
    frame.children = [clone(part, clones) for part in content]
    rename = Renaming(prefix)
    rename.tree(frame)
    assembly.add_tree_names(frame)
    assembly.copy_section_elements(rename, clones)
    follow_clones(assembly.root, clones)
    return frame


def _find(root: Node, kind: str, name: str) -> tuple[list[Node], str]:
    """A body or frame of a model, or all of its world, and the childclass in force there."""
    worlds = [node for node in root.children if node.tag == "worldbody"]
    content = [child for world in worlds for child in world.children]
    if not kind:
        return content, "main"
    if kind == "body" and name == "world":
        world = Node("body", {"name": "world"}, root.document, root.end)
        world.children = content
        return [world], "main"
    stack = [(node, "main") for node in reversed(content)]
    while stack:
        node, inherited = stack.pop()
        if node.tag == kind and node.attrib.get("name") == name:
            return [node], inherited
        inherited = node.attrib.get("childclass", inherited)
        stack += [(child, inherited) for child in reversed(node.children)]
    return [], "main"


def _add_compilers(assembly: Assembly, copy: Node) -> None:
    """Add the compiler settings of an attached model, once."""
    known = {(node.document.origin, node.end) for node in assembly.sections("compiler")}
    for section in copy.children:
        if section.tag == "compiler" and (section.document.origin, section.end) not in known:
            assembly.root.children.append(section)


def _add_assets(assembly: Assembly, copy: Node, rename: Renaming) -> None:
    """Add all assets and skins of an attached model."""
    for section in copy.children:
        if section.tag in ("asset", "deformable"):
            for node in section.children:
                set_default_class(node, section.tag)
                rename.asset(node)
                assembly.add_name(kind_of(section.tag, node.tag), node)
            assembly.root.children.append(section)


def _add_section_elements(assembly: Assembly, copy: Node, rename: Renaming) -> None:
    """Add the elements of the other sections of an attached model whose references have been attached."""
    for tag in REFERRING_SECTIONS:
        for section in copy.children:
            if section.tag == tag:
                kept = []
                for node in section.children:
                    set_default_class(node, tag)
                    kind = kind_of(tag, node.tag)
                    if rename.section_element(node, kind, assembly.names):
                        kept.append(node)
                        assembly.add_name(kind, node)
                section.children = kept
                assembly.root.children.append(section)
