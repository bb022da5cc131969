"""Operations that simplify a spec: fuse static bodies, discard what is only visual, merge equal assets.

The first two ask the compiler what it would fuse or discard, and do that to the tree: a fused body becomes a frame in
its parent, and where inertia was inferred from geoms that go, it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.mjcf.attach.references import references, walk
from sim.mjcf.records import TRUE, Body
from sim.mjcf.schema import ORIENTATIONS
from sim.mjcf.source import Node
from sim.spec.added import AddedNode, caller
from sim.spec.build import Built, build
from sim.spec.delete import remove

if TYPE_CHECKING:
    from sim.spec.element import Element
    from sim.spec.spec import Spec

OF_FRAME = ("name", "pos", *ORIENTATIONS, "childclass")
INERTIAL = ("ipos", "iquat", "mass", "inertia")
MERGED = ("texture", "mesh")


def fuse_static(spec: Spec) -> int:
    """Fuse bodies without joints with their parents; returns how many."""
    before, after = spec.current(), _built(spec, fusestatic=True)
    gone = _missing(before, after, "body")
    with spec.edit("fuse static bodies"):
        for node in gone:
            _to_frame(spec, node)
        _write_inertias(spec, before, after)
    return len(gone)


def discard_visual(spec: Spec) -> int:
    """Discard what has no effect on the simulation; returns how many elements."""
    before, after = spec.current(), _built(spec, discardvisual=True)
    gone = [node for kind in ("geom", "mesh", "material", "texture") for node in _missing(before, after, kind)]
    with spec.edit("discard visual elements"):
        _write_inertias(spec, before, after)
        names = {(spec.tree.kind(node), spec.tree.name(node)) for node in gone}
        remove(spec, gone)
        for top in spec.tree.root.children:
            for node in list(walk(top)):
                for key, kind in list(references(node)):
                    if kind in ("material", "texture") and (kind, node.attrib[key]) in names:
                        spec.tree.set_text(node, key, None)
                        if node.tag == "layer":
                            spec.tree.remove(node)
    return len(gone)


def dedup_assets(spec: Spec) -> int:
    """Merge textures and meshes that are written the same; returns how many went."""
    first: dict[Any, str] = {}
    instead: dict[tuple[str, str], str] = {}
    gone: list[Node] = []
    for kind in MERGED:
        for node in spec.nodes(kind):
            name = spec.tree.name(node)
            reader = node.document.reader
            # of attached models only those from the same place can be equal
            place = (str(reader.folder), node.document.file) if node.attrib.get("file") else ()
            own = frozenset((key, text) for key, text in node.attrib.items() if key not in ("name", "class"))
            content = (kind, own, _class_values(spec, node), spec.pixels.get(node), place)
            if name and content in first:
                instead[kind, name] = first[content]
                gone.append(node)
            elif name:
                first[content] = name
    with spec.edit("merge equal assets"):
        remove(spec, gone)
        for top in spec.tree.root.children:
            for node in walk(top):
                for key, kind in list(references(node)):
                    if (kind, node.attrib[key]) in instead:
                        spec.tree.set_text(node, key, instead[kind, node.attrib[key]])
    return len(gone)


def adopt_inertial(spec: Spec, body: Element) -> None:
    """Write the inertia that the compiler infers from the geoms of a body."""
    built = spec.current()
    item = next(item for item in built.parsed.lists["body"] if built.origins.get(item.node) is body.node)
    if built.parsed.compiler_of(item).inertiafromgeom == TRUE:
        raise body.error("its inertia is computed from its geoms, because inertiafromgeom is true", "set it to auto")
    with spec.edit("adopt inertial"):
        _write_inertial(spec, body.node, item)


def _built(spec: Spec, **settings: bool) -> Built:
    spec.use_assets()
    return build(spec, {key: "true" if value else "false" for key, value in settings.items()})


def _missing(before: Built, after: Built, kind: str) -> list[Node]:
    """Elements of a type that are in the first model only."""
    return [node for node, what in before.kinds.items() if what == kind and node not in after.ids]


def _to_frame(spec: Spec, body: Node) -> None:
    """Make a body a frame, with what is in it."""
    tree = spec.tree
    parent = tree.parents[body]
    texts = {key: body.attrib[key] for key in OF_FRAME if key in body.attrib and key != "name"}
    frame = AddedNode("frame", texts, body.document, caller())
    index = next(k for k, child in enumerate(parent.children) if child is body)
    rank = tree.ranks[body]
    children = [(child, tree.ranks[child]) for child in body.children if child.tag != "inertial"]
    for child, _ in children:
        tree.remove(child)
    tree.remove(body)
    tree.insert(parent, frame, index, rank)
    for child, place in children:
        # members of the body follow those of its parent, bodies stay where it was
        tree.insert(frame, child, rank=place if child.tag in ("body", "frame") else None)


def _write_inertias(spec: Spec, before: Built, after: Built) -> None:
    """Write the inertia of bodies that can no longer be inferred from their geoms."""
    known = {before.origins.get(item.node): item for item in before.parsed.lists["body"] if item.node}
    for item in after.parsed.lists["body"]:
        node = after.origins.get(item.node) if item.node is not None else None
        if node is not None and item.parent is not None and not item.from_geoms:
            old = known.get(node)
            if old is None or old.from_geoms or any(getattr(old, name) != getattr(item, name) for name in INERTIAL):
                _write_inertial(spec, node, item)


def _write_inertial(spec: Spec, node: Node, body: Body) -> None:
    for child in node.children:
        if child.tag == "inertial":
            spec.tree.remove(child)
    values = {"pos": body.ipos, "quat": body.iquat, "mass": body.mass, "diaginertia": body.inertia}
    spec.add_to(spec.element(node), "inertial", values, 0)


def _class_values(spec: Spec, node: Node) -> Any:
    """What an asset inherits."""
    item = spec.classes.prototype(node)
    kept = {key: value for key, value in vars(item).items() if key != "node"} if item is not None else {}
    return tuple(sorted((key, repr(value)) for key, value in kept.items()))
