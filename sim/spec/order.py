"""Writes the order of members of bodies into a tree: frames are split where their members came between others.

A spec keeps the order in which members came into a body, apart from the frames that they are in; the order in a file is
that of the text, frames included.
"""

from __future__ import annotations

from collections.abc import Mapping

from sim.mjcf.attach.references import TREE_TAGS, walk
from sim.mjcf.source import Node

# a member and the frames that it is in, from the outside in
Member = tuple[Node, tuple[Node, ...]]


def split_frames(root: Node, ranks: Mapping[Node, int]) -> None:
    """Make the order of the text that of the ranks, in place."""
    for body in [node for node in walk(root) if node.tag in ("worldbody", "body")]:
        members = _members(body)
        if any(frames for _, frames in members) and not _sorted(members, ranks):
            _rebuild(body, sorted(members, key=lambda member: ranks.get(member[0], 0)))


def _members(body: Node) -> list[Member]:
    """The members of a body in the order of the text; frames with nothing in them count."""
    found: list[Member] = []
    stack: list[Member] = [(child, ()) for child in reversed(body.children)]
    while stack:
        node, frames = stack.pop()
        if node.tag == "frame" and node.children:
            stack += [(child, (*frames, node)) for child in reversed(node.children)]
        elif node.tag in TREE_TAGS:
            found.append((node, frames))
    return found


def _sorted(members: list[Member], ranks: Mapping[Node, int]) -> bool:
    last: dict[str, int] = {}
    for node, _ in members:
        kind = TREE_TAGS[node.tag]
        if ranks.get(node, 0) < last.get(kind, 0):
            return False
        last[kind] = ranks.get(node, 0)
    return True


def _rebuild(body: Node, members: list[Member]) -> None:
    """Write members in this order, each in copies of its frames; the first copy has the name."""
    body.children = [child for child in body.children if child.tag not in TREE_TAGS]
    seen: set[Node] = set()
    opened: list[tuple[Node, Node]] = []
    for node, frames in members:
        common = 0
        while common < min(len(frames), len(opened)) and opened[common][0] is frames[common]:
            common += 1
        del opened[common:]
        for frame in frames[common:]:
            copy = frame.copy()
            if frame in seen:
                copy.attrib.pop("name", None)
            seen.add(frame)
            (opened[-1][1] if opened else body).children.append(copy)
            opened.append((frame, copy))
        (opened[-1][1] if opened else body).children.append(node)
