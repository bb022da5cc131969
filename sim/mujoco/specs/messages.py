"""Errors of the compiler in the form of MuJoCo's: what is wrong, then the element with its id and info."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sim.mjcf.errors import MjcfError
from sim.mjcf.source import Node

if TYPE_CHECKING:
    from sim.mujoco.specs.spec import MjSpec

NAMED = re.compile(r"'([^']*)': ", re.DOTALL)
# messages that scripts look for -> how MuJoCo says it
WORDS = (
    (re.compile(r"size is .*; this type needs (\d) positive"), "size 0 must be positive in geom"),
    (re.compile(r"elevation has \d+ values"), "elevation data length must match nrow*ncol"),
    (re.compile(r"another (\w+) (?:has this name|is called)"), "repeated name '{name}' in {group}"),
    (re.compile(r".*STL.*|.*\.stl.*"), "stl_decoder: invalid header: {message}"),
)


def compile_error(owner: MjSpec | None, error: MjcfError) -> ValueError:
    """The error that MuJoCo's bindings would raise; the place in the file or program follows."""
    found = NAMED.match(error.message)
    name = found[1] if found else ""
    said = str(error)
    plain = f"{error.message[found.end() :] if found else error.message}; {error.cure}".rstrip("; ")
    for pattern, words in WORDS:
        match = pattern.match(plain)
        if match:
            group = match[1] if match.re.groups else ""
            plain = words.format(name=name, group=group, message=plain)
            break
    node, number, info = _element(owner, error, name) if owner is not None else (None, -1, "")
    if node is None:
        return ValueError(f"Error: {plain}\n{said}")
    return ValueError(f"Error: {plain}\nElement name '{name}', id {number}, {info}\n{said}")


def _element(owner: MjSpec, error: MjcfError, name: str) -> tuple[Node | None, int, str]:
    """The element of an error: its node, id and info."""
    tree = owner.spec.tree
    for kind, nodes in ((kind, owner.spec.nodes(kind)) for kind in owner.kinds):
        for number, node in enumerate(nodes):
            if (
                node.tag == error.element
                and tree.name(node) == name
                and (node.file, node.line) == (error.file, error.line)
            ):
                item: Any = owner.facade(owner.spec.element(node))
                return node, number + (kind == "body"), item.info
    return None, -1, ""
