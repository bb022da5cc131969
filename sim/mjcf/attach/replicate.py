"""`replicate`: its content becomes one frame per copy, with all that refers to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sim.mjcf.attach.assembly import Assembly
from sim.mjcf.attach.keyframes import follow_clones
from sim.mjcf.attach.references import REFERRING_SECTIONS, Clones, Renaming, clone, kind_of, resolved, tree_names
from sim.mjcf.rotation import ZERO, Quat, Vec3, compose_frames, orientation_to_quat
from sim.mjcf.schema import check_children, read_attributes
from sim.mjcf.source import Node

# more are typing errors
MOST_COPIES = 100_000


def replicate(assembly: Assembly, node: Node, parent: Node, expand_children: Callable[[Node], None]) -> list[Node]:
    """The copies of the content of a <replicate>, as frames; nested ones are expanded first."""
    values = read_attributes(node, "replicate")
    count: int = values["count"]
    if count > MOST_COPIES:
        raise node.error(f"count is {count}", f"the maximum is {MOST_COPIES}")
    _check_joints(node)
    poses = _poses(assembly.root, values)
    # the content is a part of the model until it has been copied
    inside = Node("body", {}, node.document, node.end)
    inside.children = node.children
    parent.children.append(inside)
    check_children(inside)
    expand_children(inside)
    _drop_inertials(inside)
    assembly.count_copies([inside], node, max(count, 0))
    parent.children.pop()
    copies: list[Node] = []
    for k in range(count):
        clones: Clones = {}
        copy = clone(inside, clones)
        copy.tag, copy.attrib = "frame", _frame(*next(poses), values.get("childclass", ""))
        rename = Renaming("", values.get("sep", "") + str(k).zfill(len(str(count))))
        rename.tree(copy)
        assembly.add_tree_names(copy)
        assembly.copy_section_elements(rename, clones)
        if not copies:
            follow_clones(assembly.root, clones)
        copies.append(copy)
    _remove_originals(assembly, inside)
    return copies


def _check_joints(node: Node) -> None:
    """Joints of the body around a <replicate> cannot be copies."""
    stack = [node]
    while stack:
        for child in stack.pop().children:
            if child.tag in ("joint", "freejoint"):
                why = f"<replicate> cannot copy a <{child.tag}> into the enclosing body"
                raise child.error(why, "wrap it in a <body>")
            if child.tag == "frame":
                stack.append(child)


def _poses(root: Node, values: dict[str, Any]) -> Iterator[tuple[Vec3, Quat]]:
    """Poses of the copies: each is moved by `offset` in the frame of the one before; rotations are multiples."""
    degree, sequence = angle_settings(root)
    euler, offset = values.get("euler", ZERO), values.get("offset", ZERO)
    rotation = orientation_to_quat("euler", euler, degree, sequence)
    pos: Vec3 = ZERO
    k = 0
    while True:
        quat = orientation_to_quat("euler", (k * euler[0], k * euler[1], k * euler[2]), degree, sequence)
        yield pos, quat
        pos, _ = compose_frames(pos, quat, offset, rotation)
        k += 1


def angle_settings(root: Node) -> tuple[bool, str]:
    """compiler angle, as whether it is degree, and eulerseq."""
    degree, sequence = True, "xyz"
    for node in root.children:
        if node.tag == "compiler" and node.document.origin == root.document.origin:
            degree = node.attrib.get("angle", "degree" if degree else "radian") == "degree"
            sequence = node.attrib.get("eulerseq", sequence)
    if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
        sequence = "xyz"
    return degree, sequence


def _frame(pos: Vec3, quat: Quat, childclass: str) -> dict[str, str]:
    """Attributes of the frame of a copy."""
    place = {"pos": " ".join(map(repr, pos)), "quat": " ".join(map(repr, quat))}
    return {**place, "childclass": childclass} if childclass else place


def _drop_inertials(inside: Node) -> None:
    """Remove <inertial> of what is replicated: it becomes a frame, which has no inertia."""
    stack = [inside]
    while stack:
        node = stack.pop()
        node.children = [child for child in node.children if child.tag != "inertial"]
        stack += [child for child in node.children if child.tag == "frame"]


def _remove_originals(assembly: Assembly, inside: Node) -> None:
    """Remove the names of what was copied, and the elements of other sections that refer to them."""
    before = {kind: set(names) for kind, names in assembly.names.items()}
    for kind, name in tree_names(inside):
        assembly.names[kind].discard(name)
    for tag in REFERRING_SECTIONS:
        for section in assembly.sections(tag):
            kept = []
            for node in section.children:
                kind = kind_of(tag, node.tag)
                if resolved(node, assembly.names) or not resolved(node, before):
                    kept.append(node)
                else:
                    assembly.names.get(kind, set()).discard(node.attrib.get("name", ""))
            section.children = kept
