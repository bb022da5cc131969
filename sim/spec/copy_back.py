"""Writes what was changed in a compiled Model to its spec, as what compiles to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.mjcf.save.changes import Changes
from sim.mjcf.save.read_back import not_in
from sim.model import Model
from sim.spec.build import build
from sim.spec.clone import clone_tree

if TYPE_CHECKING:
    from sim.spec.spec import Spec


def copy_back(spec: Spec, m: Model) -> None:
    """Write the changes; ValueError, and nothing is written, if the spec cannot say one of them."""
    built = spec.built
    if built is None or built.model is not m:
        raise ValueError("the model is not the last one compiled from this spec")
    root, clones = clone_tree(spec.tree.root)
    Changes(
        m, built.parsed, root, lambda item: clones.get(built.origins[item.node]) if item.node in built.origins else None
    ).apply()
    copies = {id(copy) for copy in clones.values()}
    with spec.edit("copy back"):
        for node, copy in clones.items():
            spec.tree.set_tag(node, copy.tag)
            for key in {*node.attrib, *copy.attrib}:
                spec.tree.set_text(node, key, copy.attrib.get(key))
            kept = {id(child) for child in copy.children}
            for child in [child for child in node.children if id(clones[child]) not in kept]:
                spec.tree.remove(child)
            for index, child in enumerate(copy.children):
                if id(child) not in copies:
                    spec.tree.insert(node, child, index)
        missing = [what for what, _ in not_in(m, build(spec).model)]
        if missing:
            raise ValueError(f"{', '.join(missing)} was changed in the model, which the spec cannot represent")
