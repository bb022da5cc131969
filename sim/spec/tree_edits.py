"""Makes changes that are given as data (`sim/tree_edit.py`) in a spec, and plans such changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sim.mjcf.source import TEXT_NAME, XmlReader
from sim.spec.delete import keep_keys
from sim.spec.element import Element
from sim.spec.places import find
from sim.spec.spec import Spec
from sim.tree_edit import TreeEdit, edits_text


def apply(spec: Spec, edits: Sequence[TreeEdit]) -> list[Element]:
    """Make changes as one group of the spec; returns the changed elements.

    MjcfError says why they cannot be made, and nothing is changed.
    """
    with spec.edit(edits_text(edits)):
        # values of a keyframe belong to joints, whatever comes or goes before them
        keep_keys(spec)
        return [_apply(spec, edit) for edit in edits]


class Plan:
    """Changes that are made one after the other in a spec, and taken back at the end."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self.edits: list[TreeEdit] = []

    def make(self, edit: TreeEdit) -> Element:
        """Make a change, which becomes a part of the plan; returns its element."""
        found = _apply(self._spec, edit)
        self.edits.append(edit)
        return found


class _Planned(Exception):
    """The plan is complete."""


@contextmanager
def planning(spec: Spec) -> Iterator[Plan]:
    """Plan changes: what is made inside is taken back."""
    try:
        with spec.tree.group("plan"):
            yield Plan(spec)
            raise _Planned
    except _Planned:
        pass


def _apply(spec: Spec, edit: TreeEdit) -> Element:
    attributes = dict(edit.attributes)
    if edit.action == "add":
        return _add(spec, edit, attributes)
    assert edit.at is not None
    item = find(spec, edit.at)
    if edit.action == "set":
        item.set_all(attributes)
    elif edit.action == "rename":
        item.rename(attributes["name"] or "")
    elif edit.action == "delete":
        item.delete()
    else:
        into = find(spec, edit.into) if edit.into is not None else item.parent
        assert into is not None
        item.move_to(into, None if edit.before is None else find(spec, edit.before))
    return item


def _add(spec: Spec, edit: TreeEdit, attributes: dict[str, str | None]) -> Element:
    before = None if edit.before is None else find(spec, edit.before)
    if before is not None and before.parent is not None:
        added = before.parent.add(edit.tag.rpartition("/")[2])
        added.move_to(before.parent, before)
    elif edit.at is not None:
        added = find(spec, edit.at).add(edit.tag.rpartition("/")[2])
    else:
        added = spec.add(edit.tag)
    if edit.inside:
        _fill(spec, added, edit.inside)
    added.set_all({name: value for name, value in attributes.items() if value is not None})
    return added


def _fill(spec: Spec, item: Element, inside: str) -> None:
    """Add the elements of an XML text to an element."""
    root = XmlReader(TEXT_NAME).tree(f"<{item.tag}>{inside}</{item.tag}>")
    stack = [(root, item)]
    while stack:
        node, holder = stack.pop()
        stack += [(child, spec.add_to(holder, child.tag, dict(child.attrib))) for child in node.children]
