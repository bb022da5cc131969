"""Compiles a spec, and remembers which element got which id, so that a state can follow its elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.enums import STATE_INTEGRATION, STATE_TRACE
from sim.mjcf.attach.expand import expand
from sim.mjcf.attach.key_node import KeyNode, Slices, map_slices
from sim.mjcf.attach.references import Clones, walk
from sim.mjcf.body import depth_first
from sim.mjcf.complete import complete
from sim.mjcf.errors import with_files
from sim.mjcf.fill import fill
from sim.mjcf.read import read
from sim.mjcf.records import Body, Parsed
from sim.mjcf.source import Node
from sim.model import Data, Model
from sim.script.state_vector import get_state, set_state
from sim.spec.clone import clone_tree
from sim.spec.journal import Tree
from sim.spec.key_slices import key_slices
from sim.state.signature import state_size
from sim.state_map import StateMap

if TYPE_CHECKING:
    from sim.spec.spec import Spec

MEMBERS = ("bodies", "joints", "geoms", "sites", "cameras", "lights")


@dataclass(slots=True)
class Built:
    """A compiled spec: the Model, the id of each element, and the structure of the tree at that time."""

    model: Model
    parsed: Parsed
    ids: dict[Node, int]
    kinds: dict[Node, str]
    structure: int
    version: int
    # whose values keyframes have
    slices: Slices
    # nodes of the model's own tree -> nodes of the spec
    origins: dict[Node, Node]

    def of_clones(self, clones: Clones, before: Tree, after: Tree) -> Built:
        """The same for a copy of the spec."""
        ids = {clones[node]: number for node, number in self.ids.items() if node in clones}
        kinds = {clones[node]: kind for node, kind in self.kinds.items() if node in clones}
        origins = {own: clones[node] for own, node in self.origins.items() if node in clones}
        structure = after.structure - (before.structure - self.structure)
        version = after.version - (before.version - self.version)
        slices = map_slices(self.slices, lambda part: part._replace(element=clones.get(part.element, part.element)))
        return Built(self.model, self.parsed, ids, kinds, structure, version, slices, origins)


def check(root: Node) -> None:
    """Raise if a tree cannot be read: unknown elements and attributes, bad values."""
    read(expand(root))


def build(spec: Spec, settings: dict[str, str] | None = None) -> Built:
    """Compile a copy of the tree, which the Model then keeps for saving; `settings`: other ones of the compiler."""
    tree = spec.tree
    root, clones = clone_tree(tree.root)
    if settings:
        root.children.append(Node("compiler", settings, root.document, root.end))
    _sort_keys(spec, root, clones)
    origins = {copy: node for node, copy in clones.items()}
    reader = root.document.reader
    reader.nested = any(node.tag in ("replicate", "attach", "model") for node in walk(root))
    with with_files(reader.files), root.located():
        parsed = read(expand(root))
        _sort(parsed.world, lambda node: tree.ranks.get(origins.get(node, node), -1))
        for texture in parsed.textures:
            if texture.node is not None and origins.get(texture.node) in spec.pixels:
                vars(texture)["pixels"] = spec.pixels[origins[texture.node]]
        if spec.beyond:
            joints = [joint for body in depth_first(parsed.world) for joint in body.joints]
            for item in (*joints, *(item for items in parsed.section_elements.values() for item in items)):
                vars(item).update(spec.beyond.get(origins.get(item.node, item.node), {}))
        compiled = fill(parsed)
    model = complete(compiled)
    source = model.__dict__["source"]
    source.furnished = bool(tree.done) or root.ordinal < 0
    ids: dict[Node, int] = {}
    kinds: dict[Node, str] = {}
    for kind, items in parsed.lists.items():
        for item in items:
            node = origins.get(item.node)
            if node is not None and node not in ids:
                ids[node], kinds[node] = item.id, kind
    slices = key_slices(spec) if parsed.keys else {}
    return Built(model, parsed, ids, kinds, tree.structure, tree.version, slices, origins)


def keep_state(before: Built, after: Built, d: Data, data: Data) -> None:
    """Give `data`, which is new and of the model `after`, the state of `d`, which is of the model `before`.

    As in MuJoCo, delay buffers are a part of it, and results are not; what is new starts as at reset.
    """
    same = {kind: np.full(len(items), -1, np.intp) for kind, items in after.parsed.lists.items()}
    for node, number in after.ids.items():
        kind = after.kinds[node]
        if before.kinds.get(node) == kind:
            same[kind][number] = before.ids[node]
    initial, state = get_state(after.model, data, STATE_TRACE), get_state(before.model, d, STATE_TRACE)
    kept = StateMap(before.model, after.model, same).convert(state[None], initial)[0]
    # nothing is pulled any more
    set_state(after.model, data, kept[: state_size(after.model, STATE_INTEGRATION)], STATE_INTEGRATION, check=False)


def _sort_keys(spec: Spec, root: Node, clones: Clones) -> None:
    """Where a keyframe says whose values it has, all do: they keep their order."""
    keys = [node for section in root.children if section.tag == "keyframe" for node in section.children]
    if all(isinstance(key, KeyNode) for key in keys) or not any(isinstance(key, KeyNode) for key in keys):
        return
    slices = map_slices(key_slices(spec), lambda part: part._replace(element=clones[part.element]))
    for section in root.children:
        for k, key in enumerate(section.children if section.tag == "keyframe" else ()):
            if not isinstance(key, KeyNode):
                section.children[k] = KeyNode(key, key.attrib.get("name", ""), slices)
    clones |= {
        old: new
        for live, section in ((n, clones[n]) for n in spec.tree.root.children if n.tag == "keyframe")
        for old, new in zip(live.children, section.children, strict=True)
    }


def _sort(world: Body, rank: Callable[[Node], int]) -> None:
    """Put the members of each body in the order in which they came; copies stay behind what they follow."""
    bodies = [world]
    for body in bodies:
        for place in MEMBERS:
            members = getattr(body, place)
            if len(members) > 1:
                last, ranks = 0, {}
                for item in members:
                    last = max(rank(item.node), 0) or last
                    ranks[id(item)] = last
                members.sort(key=lambda item, ranks=ranks: ranks[id(item)])
        bodies += body.bodies
