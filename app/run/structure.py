"""Makes the changes of elements that a journal has, in a model that is read from its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sim import MjcfError, Model
from sim.mjcf.attach.references import walk
from sim.spec import Spec
from sim.spec.source_files import Added, load_changed
from sim.spec.tree_edits import apply
from sim.tree_edit import Structure


def load_with(path: Path, structure: Structure, needed: int) -> tuple[Model, Mapping[int, str]]:
    """The model of a file with changes, and why some were not made; those from `needed` on must be."""
    lost: dict[int, str] = {}

    def change(spec: Spec) -> Added:
        added: Added = {}
        for number, edits in structure:
            try:
                for place, (edit, item) in enumerate(zip(edits, apply(spec, edits), strict=True)):
                    nodes = walk(item.node) if edit.action == "add" else ()
                    added |= {node: (number, place, k) for k, node in enumerate(nodes)}
            except MjcfError as error:
                if number >= needed:
                    raise
                lost[number] = error.message
        return added

    return load_changed(path, change), lost
