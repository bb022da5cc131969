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


def load_with(
    path: Path, structure: Structure, needed: int, before: Mapping[Path, bytes]
) -> tuple[Model, Mapping[int, str]]:
    """The model of a file with changes, and why some were not made; those from `needed` on must be.

    `before`: what files were, instead of what they are on disk.
    """
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

    try:
        return load_changed(path, change, before), lost
    except MjcfError as error:
        if error.file == __file__:
            # what was added has no line yet
            error.file, error.line = str(path), 0
        raise
