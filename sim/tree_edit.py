"""Changes of the elements of a model file, as data: what a journal keeps, and what an editor sends.

A `Place` is an element by type and key. The key of an element with a name is its name, that of a class its class; the
body `world` is the world. Without a name, a member of a body has the key of the body and its number there, from 0,
among those of its type without a name, `torso/geom 2`; elements of other sections are counted in the model, `/pair 0`.
The parts of a key are joined by a character that XML does not allow. The type says where else an element can be:

    Place("body/inertial", "torso")  a part of an element, by its tag; the second of them is "body/inertial 1"
    Place("default/geom", "leg")     what a default class says of geoms
    Place("option", "")              a section of which there is one, with its parts: "visual/global"

Elements that `replicate` or `attach` made are not in the file. `sim.spec.tree_edits` makes the changes in a `Spec`,
`sim.spec.actions` plans them for what a user wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

# the ASCII unit separator
SEPARATOR = "\x1f"
ACTIONS = ("add", "delete", "move", "set", "rename")


class Place(NamedTuple):
    """An element of a file by its type and key; see above."""

    kind: str
    key: str

    def __str__(self) -> str:
        return f"{self.kind} {shown(self.key)}".rstrip()


@dataclass(frozen=True)
class TreeEdit:
    """One change: what is done, and to which element.

    `add` adds a `tag` with `attributes`, and with the elements that the XML text `inside` has, to the element `at`, or
    without one to the section of the tag; `delete` takes what refers to the element along; `move` moves it to `into`,
    where its pose is the same numbers, or within its section; `set` sets attributes, or removes those that are None;
    `rename` gives it the name in `attributes`, also where others refer to it. What is added or moved comes before the
    element `before`, or last.
    """

    action: str
    at: Place | None = None
    tag: str = ""
    attributes: tuple[tuple[str, str | None], ...] = ()
    into: Place | None = None
    before: Place | None = None
    inside: str = ""

    @property
    def text(self) -> str:
        """For the journal."""
        name = dict(self.attributes).get("class" if self.tag == "default" else "name")
        if self.action == "add":
            called, where = f" {name}" if name else "", f" to {self.at}" if self.at is not None else ""
            return f"added: {self.tag}{called}{where}"
        if self.action == "set":
            return f"{' '.join(name for name, _ in self.attributes)} of {self.at} set in the file"
        if self.action == "rename":
            return f"renamed: {self.at} to {name}"
        where = f" to {self.into}" if self.into is not None else ""
        where += f" before {self.before}" if self.before is not None else ""
        return f"deleted: {self.at}" if self.action == "delete" else f"moved: {self.at}{where}"


# how many changes are named in the text of several
NAMED = 3
# the changes of each entry of a journal, by its number
Structure = tuple[tuple[int, tuple[TreeEdit, ...]], ...]


def edits_text(edits: Sequence[TreeEdit]) -> str:
    """For the journal: several changes that are made at once."""
    more = f" and {len(edits) - NAMED} more" if len(edits) > NAMED else ""
    return "; ".join(edit.text for edit in edits[:NAMED]) + more


def shown(key: str) -> str:
    """A key as people read it."""
    return key.replace(SEPARATOR, "/").lstrip("/")
