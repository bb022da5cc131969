"""Makes the changes of elements that a journal has, in a model that is read from its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.model.element_keys import SEPARATOR
from app.run.journal.tree_edit import Place, Structure, TreeEdit
from sim import MjcfError, Model
from sim.spec import Spec
from sim.spec.delete import keep_keys
from sim.spec.element import Element
from sim.spec.source_files import load_changed


def apply_edit(spec: Spec, edit: TreeEdit) -> None:
    """Make the change; MjcfError says why it cannot be made, and nothing is changed."""
    with spec.edit(edit.action):
        # values of a keyframe belong to joints, whatever comes or goes before them
        keep_keys(spec)
        attributes = dict(edit.attributes)
        if edit.action == "add":
            (spec.add if edit.at is None else _find(spec, edit.at).add)(edit.tag, **attributes)
        elif edit.at is not None and edit.action == "set":
            _find(spec, edit.at).set_all(attributes)
        elif edit.at is not None and edit.action == "delete":
            _find(spec, edit.at).delete()
        elif edit.at is not None and edit.into is not None:
            _find(spec, edit.at).move_to(_find(spec, edit.into))


def _find(spec: Spec, place: Place) -> Element:
    """An element of the file."""
    owner, separator, last = place.key.rpartition(SEPARATOR)
    if not separator:
        found = spec.find(place.kind, place.key)
    else:
        nameless = [one for one in _find(spec, Place("body", owner)).members(place.kind) if not one.name]
        number = last.rpartition(" ")[2]
        found = nameless[int(number)] if number.isdigit() and int(number) < len(nameless) else None
    if found is None:
        raise spec.root.error(f"the file has no {place}")
    return found


def load_with(path: Path, structure: Structure, needed: int) -> tuple[Model, Mapping[int, str]]:
    """The model of a file with changes, and why some were not made; those from `needed` on must be."""
    lost: dict[int, str] = {}

    def change(spec: Spec) -> None:
        for number, edit in structure:
            try:
                apply_edit(spec, edit)
            except MjcfError as error:
                if number >= needed:
                    raise
                lost[number] = error.message

    return load_changed(path, change), lost
