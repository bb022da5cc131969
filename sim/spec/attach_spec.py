"""Attaches a spec, or a part of it, to another: what `<attach>` does, by program.

A copy of the body or frame, or of the whole world as a frame, comes into a body or frame, or at the pose of a site.
What belongs to it follows under new names: default classes, assets, keyframes, and the elements of the other sections
whose references are all there. The compiler settings of the child stay in force for its elements. Elements of the child
stay those of the child, unless they are moved: then they are elements of this spec from now on, under their new names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.mjcf.attach.assembly import Assembly
from sim.mjcf.attach.attach import bring
from sim.mjcf.attach.default_classes import new_class_names
from sim.mjcf.attach.key_node import KeyNode
from sim.mjcf.attach.keyframes import AttachedKeys, keys_of
from sim.mjcf.attach.references import REFERRING_SECTIONS, Clones, Renaming, kind_of, tree_names, walk
from sim.mjcf.schema import ORIENTATIONS
from sim.mjcf.source import Node
from sim.spec.added import AddedNode, caller
from sim.spec.clone import clone_tree, own_documents
from sim.spec.delete import keep_keys
from sim.spec.journal import Tree

if TYPE_CHECKING:
    from sim.spec.element import Element
    from sim.spec.spec import Spec


class Joining(Assembly):
    """A spec while another is attached to it: new sections are gathered, and then inserted."""

    def __init__(self, tree: Tree) -> None:
        self.root = tree.root.copy()
        self.root.children = list(tree.root.children)
        self.reader = tree.root.document.reader
        self.names = {kind: set(names) for kind, names in tree.names.items()}
        self.names.setdefault("body", set()).add("world")
        self.classes = {"main", *tree.names.get("default", ())}
        self.attached_keys = AttachedKeys(self.root)


def attach(
    spec: Spec, child: Spec, at: Element, prefix: str, suffix: str, part: Element | None, move: bool
) -> Element:  # fmt: skip
    """Attach a child; returns the frame of its world, or the body or frame that was attached."""
    if at.spec is not spec or not at.exists:
        raise at.error("it is not in this spec")
    if child is spec and part is None:
        raise at.error("a spec cannot be attached to itself")
    if any(part is not None and above is part.node for above in (at.node, *spec.tree.ancestors(at.node))):
        raise at.error("an element cannot be attached to itself")
    where = AddedNode("attach", {}, at.node.document, caller())
    joining = Joining(spec.tree)
    old = len(joining.root.children)
    with spec.tree.group("attach"), where.located():
        if any(True for _ in spec.nodes("key")):
            keep_keys(spec)
            joining.root.children = list(spec.tree.root.children)
        if child is spec:
            assert part is not None
            return _attach_own(spec, joining, at, part, Renaming(prefix, suffix), where)
        content, clones = _content(joining, child, part, Renaming(prefix, suffix, {}), where)
        place = _site_frame(spec, at) if at.tag == "site" else at.node
        spec.tree.insert(place, content)
        for section in joining.root.children[old:]:
            spec.tree.insert(spec.tree.root, section)
        _follow_order(spec, content, {copy: child.tree.ranks[node] for node, copy in clones.items()})
        spec.beyond |= {clones[node]: values for node, values in child.beyond.items() if node in clones}
        spec.pixels |= {clones[node]: pixels for node, pixels in child.pixels.items() if node in clones}
    if move:
        _move(spec, child, clones)
    return spec.element(content)


def _content(
    joining: Joining, child: Spec, part: Element | None, naming: Renaming, where: Node
) -> tuple[Node, Clones]:  # fmt: skip
    """The renamed copy that comes into the tree; what follows it is in the sections of `joining`."""
    model = child.tree.root
    joining.count_copies([model], where)
    copy, clones = clone_tree(model)
    own_documents(clones, model.document.reader, into=joining.reader)
    names = new_class_names(copy, naming.prefix, joining.classes, naming.suffix)
    rename = Renaming(naming.prefix, naming.suffix, names)
    if part is None:
        content: Node = AddedNode("frame", {}, copy.document, (where.file, where.line))
        content.children = [node for world in copy.children if world.tag == "worldbody" for node in world.children]
        inherited = "main"
    else:
        content = clones[part.node]
        inherited = child.classes.class_of(part.node)
    rename.tree(content)
    if "childclass" not in content.attrib:
        content.attrib["childclass"] = rename.classes.get(inherited, inherited)
    _check_names(joining, content, where)
    bring(joining, model, copy, clones, content, rename, where)
    # those that say whose values they have come last, under their own names
    parts = sum(isinstance(key, KeyNode) for key in keys_of(model))
    for key in keys_of(joining.root)[-parts:] if parts else ():
        if "name" in key.attrib:
            key.attrib["name"] = rename(key.attrib["name"])
    return content, clones


def _attach_own(
    spec: Spec, joining: Joining, at: Element, part: Element, rename: Renaming, where: Node
) -> Element:  # fmt: skip
    """Attach a copy of a part of the spec itself, which has its classes and assets already."""
    joining.count_copies([part.node], where)
    content, clones = clone_tree(part.node)
    inherited = spec.classes.class_of(part.node)
    rename.tree(content)
    _check_names(joining, content, where)
    joining.add_tree_names(content)
    place = _site_frame(spec, at) if at.tag == "site" else at.node
    spec.tree.insert(place, content)
    _follow_order(spec, content, {copy: spec.tree.ranks[node] for node, copy in clones.items()})
    if "childclass" not in content.attrib and spec.classes.class_of(content) != inherited:
        spec.tree.set_text(content, "childclass", inherited)
    for tag in REFERRING_SECTIONS:
        sections = joining.sections(tag)
        for node in [node for section in sections for node in section.children]:
            copy, _ = clone_tree(node)
            kind = kind_of(tag, node.tag)
            if kind not in ("numeric", "text") and rename.section_element(copy, kind, joining.names):
                spec.tree.insert(sections[-1], copy)
                joining.add_name(kind, copy)
    return spec.element(content)


def _check_names(joining: Joining, content: Node, where: Node) -> None:
    for kind, name in tree_names(content):
        if name in joining.names.get(kind, ()):
            raise where.error(f"{kind} '{name}' already exists", "use another prefix")


def _site_frame(spec: Spec, site: Element) -> Node:
    """A frame at the pose of a site, beside it."""
    frame = AddedNode("frame", {}, site.node.document, caller())
    for key in ("pos", *ORIENTATIONS):
        if key in site.node.attrib:
            frame.attrib[key] = site.node.attrib[key]
    spec.tree.insert(spec.tree.parents[site.node], frame)
    return frame


def _follow_order(spec: Spec, content: Node, ranks: dict[Node, int]) -> None:
    """What was attached follows what was there, in the order that it had."""
    tree = spec.tree
    for node in sorted((n for n in walk(content) if n is not content), key=lambda node: ranks.get(node, 0)):
        tree.last_rank += 1
        tree.ranks[node] = tree.last_rank


def _move(spec: Spec, child: Spec, clones: Clones) -> None:
    """Elements of the child become those of this spec."""
    for node, there in clones.items():
        if spec.tree.contains(there):
            child.move_element(node, spec, there)
