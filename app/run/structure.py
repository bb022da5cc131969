"""Makes the changes of elements that a journal has, in a model that is read from its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sim import MjcfError, Model
from sim.spec import Spec
from sim.spec.source_files import load_changed
from sim.spec.tree_edits import apply
from sim.tree_edit import Structure


def load_with(path: Path, structure: Structure, needed: int) -> tuple[Model, Mapping[int, str]]:
    """The model of a file with changes, and why some were not made; those from `needed` on must be."""
    lost: dict[int, str] = {}

    def change(spec: Spec) -> None:
        for number, edits in structure:
            try:
                apply(spec, edits)
            except MjcfError as error:
                if number >= needed:
                    raise
                lost[number] = error.message

    return load_changed(path, change), lost
