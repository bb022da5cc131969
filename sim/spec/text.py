"""The MJCF of a spec as one text: sections in the usual order, elements as they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sim.mjcf.attach.references import Clones, clone
from sim.mjcf.save.expanded import write_keys, xml_text
from sim.mjcf.save.merge_attached import merge_attached
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.spec.spec import Spec

# sections in the order of a saved file
ORDER = (
    "compiler", "option", "size", "visual", "statistic", "default", "asset", "worldbody", "deformable", "contact",
    "equality", "tendon", "actuator", "sensor", "custom", "keyframe",
)  # fmt: skip


def spec_text(spec: Spec) -> str:
    """The text of a spec, which must compile."""
    return xml_text(_saved(spec))


def write_spec(spec: Spec, path: Path) -> None:
    """Save the model; asset files are found from there, and those in memory are saved beside it."""
    spec.current().model.save_xml(path)


def _saved(spec: Spec) -> Node:
    """A tree to be written: one section of each kind, one set of compiler settings."""
    built, clones = spec.current(), Clones()
    parsed = built.parsed
    assert parsed.root is not None
    root = clone(parsed.root, clones)
    write_keys(root, parsed, built.model)
    merge_attached(root, parsed, lambda item: clones.get(item.node) if item.node else None)
    _join_sections(root)
    return root


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
