"""Reads what a save would write, before it is written, and names the edits that do not come back.

Those of an element that the file cannot have are taken out again, so that the others can be saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.mjcf import notes
from sim.mjcf.attach.references import Clones, clone
from sim.mjcf.errors import MjcfError
from sim.mjcf.fill import fill
from sim.mjcf.read import read
from sim.mjcf.save.changes import DERIVED, Changes, row_owners
from sim.mjcf.save.source_edits import label, labels, place
from sim.mjcf.source import Node
from sim.model import Model
from sim.named import KINDS

# elements that are taken out at most: each costs a load
MOST_REFUSED = 20
# how near a number comes back, relative to itself, by its precision
NEAR = {4: 1e-6, 8: 1e-9}
TINY = 1e-12
_KINDS = {prefix: kind for kind, entry in KINDS.items() for prefix in entry.prefixes}


def not_read_back(changes: Changes, clones: Clones) -> list[str]:
    """The edits of a Model that loading the edited tree does not give back; the tree loses those that it refuses."""
    # it makes models, which can be saved
    from sim.mjcf.complete import complete

    names, reasons = dict(labels(changes.parsed)), dict.fromkeys(changes.stretched, ": in a stretched frame")
    for _ in range(MOST_REFUSED):
        top, origins = _copied(changes.root, clones)
        try:
            with notes.collected():
                again = complete(fill(read(top)))
        except MjcfError as error:
            refused = _take_out(origins.get(error.node), clones)
            reasons |= {names.get(node, node.tag): f": {error.message}" for node in refused}
            if not refused:
                break
        else:
            missing = not_in(changes.m, again)
            return list(dict.fromkeys(what + reasons.get(owner, reasons.get(what, "")) for what, owner in missing))
    # an edit of another element is to blame: `SavePlan.write` says so
    return []


def _copied(root: Node, clones: Clones) -> tuple[Node, dict[int, Node]]:
    """A copy of an edited tree, for it is changed when it is read; and the original of each copy, by its `id`."""
    copies: Clones = {}
    top = clone(root, copies)
    originals = {copies[new]: old for old, new in clones.items() if new in copies}
    return top, {id(copy): old for copy, old in originals.items()}


# ---- what the file refuses


def _take_out(refused: Node | None, clones: Clones) -> list[Node]:
    """Undo the edits of an element, and of all that come from its place in the text; returns those that had some."""
    found: list[Node] = []
    if refused is None:
        return found
    for node, new in clones.items():
        if node is not refused and (node.ordinal < 0 or place(node) != place(refused)):
            continue
        parts = [(old, clones[old]) for old in (node, *node.children) if old is node or old.tag == "inertial"]
        added = [child for child in new.children if child.tag == "inertial" and child.ordinal < 0]
        edited = [(old, copy) for old, copy in parts if (old.tag, old.attrib) != (copy.tag, copy.attrib)]
        if edited or added:
            found.append(node)
            new.children = [child for child in new.children if child not in added]
            for old, copy in edited:
                copy.tag, copy.attrib = old.tag, dict(old.attrib)
    return found


# ---- what does not come back


def not_in(m: Model, again: Model) -> Iterator[tuple[str, str]]:
    """Edited numbers that are others in the model that was loaded: what they are, and the element.

    Not those that loading and `set_const` compute from others.
    """
    if any(m.names[kind] != names for kind, names in again.names.items() if kind != "key"):
        # in another order, rows do not compare
        return
    for field, before in m.file_values.items():
        now, back = np.asarray(m.read(field)), np.asarray(again.read(field))
        edited = now != before if now.shape == np.shape(before) else np.ones(now.shape, bool)
        if field in DERIVED or not edited.any():
            continue
        if now.shape != back.shape:
            yield field, ""
            continue
        lost = edited & ~(_near(now, back) if now.dtype.kind == "f" else now == back)
        if lost.any():
            rows = np.flatnonzero(lost.reshape(len(lost), -1).any(axis=1)) if lost.ndim else ()
            for owner in owners(m, field, rows):
                yield f"{field} of {owner}" if owner else field, owner


def _near(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Any:
    return np.isclose(a, b, rtol=NEAR[a.dtype.itemsize], atol=TINY)


def owners(m: Model, field: str, rows: Any) -> Iterator[str]:
    """The elements that some rows of a field belong to; settings have none."""
    prefix, size = field.partition("_")[0], m.layout.places[field].field.shape[:1]
    kind = {"qpos": "joint", "tree": "body"}.get(prefix) or _KINDS.get(f"{prefix}_")
    if kind is None:
        yield ""
        return
    of_row = row_owners(m, str(size[0]))
    for row in rows:
        number = int(of_row[row])
        yield label(kind, number, m.names[kind][number] if kind in m.names else "")
