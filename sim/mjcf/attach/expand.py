"""Expands `replicate` and `attach` in the XML tree, which afterwards has neither.

Both become frames (`replicate.py`, `attach.py`), in the order of the file: an element can refer to what precedes it.
Keyframes follow (`keyframes.py`). Nodes keep their file and line.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.mjcf.attach.assembly import Assembly
from sim.mjcf.attach.attach import attach
from sim.mjcf.attach.replicate import replicate
from sim.mjcf.format.table import read_tree
from sim.mjcf.schema import check_children, read_attributes
from sim.mjcf.source import Node


def expand(root: Node) -> Node:
    """The tree without `replicate`, `attach` and `model`; in place."""
    reader = root.document.reader
    if reader.nested:
        _Expander(Assembly(root, reader)).run()
    return root


class _Expander:
    """Expands one model."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        # those that can be attached, by name
        self.models: dict[str, Node] = {}

    def run(self) -> None:
        for section in self.assembly.sections("asset"):
            for node in section.children:
                if node.tag == "model":
                    self._read_model(node)
            section.children = [node for node in section.children if node.tag != "model"]
        for section in self.assembly.sections("worldbody"):
            self._expand_children(section)

    def _read_model(self, node: Node) -> None:
        """Read the file of a <model> asset, in any of the formats."""
        values = read_attributes(node, "model")
        reader, data = self.assembly.reader.child(values["file"].strip(), node)
        with node.located():
            root = expand(read_tree(data, reader))
        check_children(root)
        name = values.get("name") or root.attrib.get("model", "MuJoCo Model")
        self.models.setdefault(name, root)

    def _expand_children(self, node: Node) -> None:
        """Expand the children of a body or frame, in the order of the file."""
        stack = [_detach_children(node)]
        while stack:
            node, old = stack[-1]
            for child in old:
                if child.tag == "replicate":
                    with child.located():
                        node.children += replicate(self.assembly, child, node, self._expand_children)
                elif child.tag == "attach":
                    node.children.append(attach(self.assembly, child, self.models))
                elif child.tag in ("body", "frame"):
                    node.children.append(child)
                    self.assembly.add_name(child.tag, child)
                    stack.append(_detach_children(child))
                    break
                else:
                    node.children.append(self.assembly.add_tree_names(child))
            else:
                stack.pop()


def _detach_children(node: Node) -> tuple[Node, Iterator[Node]]:
    """Take the children off a node, to be added again one by one: an attach finds those before it."""
    old, node.children = node.children, []
    return node, iter(old)
