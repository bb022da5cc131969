"""Which values of a keyframe belong to which joint, actuator, mocap body or plastic spring of a spec."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.mjcf.attach.key_node import KeyNode, Slice, Slices, model_slices
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.section.keyframe import VECTORS
from sim.mjcf.source import Node
from sim.spec.added import AddedNode

if TYPE_CHECKING:
    from sim.spec.spec import Spec


def key_slices(spec: Spec) -> Slices:
    """The slices of a keyframe of the whole spec, as it is now, in the order of the ids."""
    found = model_slices(spec.tree.root)
    place: dict[Node, int] = {}
    for kind in ("body", "joint"):
        for node in spec.nodes(kind):
            place[node] = len(place)

    def rank(part: Slice) -> int:
        # tendons, which are in no body, follow
        return place.get(part.element, len(place))

    return {kind: sorted(row, key=rank) if kind != "actuator" else row for kind, row in found.items()}


def settle_keys(spec: Spec) -> None:
    """Write keyframes that say whose values they have as vectors of the model that was compiled."""
    tree, built = spec.tree, spec.built
    if built is None:
        return
    for old in [node for node in spec.nodes("key") if isinstance(node, KeyNode) and node in built.ids]:
        new = AddedNode("key", dict(old.attrib), old.document, (old.file, old.line))
        for name in VECTORS:
            values = built.model.read(f"key_{name}")[built.ids[old]].ravel()
            if name in old.attrib and len(values):
                new.attrib[name] = format_numbers(values.tolist())
            else:
                new.attrib.pop(name, None)
        section = tree.parents[old]
        index = section.children.index(old)
        tree.remove(old)
        tree.insert(section, new, index)
        spec.replace_node(old, new)
        built.ids[new], built.kinds[new] = built.ids.pop(old), built.kinds.pop(old)
    built.structure, built.version = tree.structure, tree.version
