"""Changes of the structure of a model: elements of its file are added, deleted, moved, or get other attributes.

An element is named by its key (`element_keys.py`), as far as the file says it: elements of the body tree, and named
ones of other sections. Elements that `replicate` or `attach` made are not in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.model.element_keys import shown

# why a change that was saved is not made again
IN_FILE = "it is in the file now"
ACTIONS = ("add", "delete", "move", "set")


class Place(NamedTuple):
    """An element of a file by its type and key; the body `world` is the world."""

    kind: str
    key: str

    def __str__(self) -> str:
        return f"{self.kind} {shown(self.key)}"


@dataclass(frozen=True)
class TreeEdit:
    """One change: what is done, and to which element.

    `add` adds a `tag` with `attributes` to the element `at`, or without one to the section of the tag; `delete` takes
    what refers to the element along; `move` moves it to `into`, where its pose is the same numbers; `set` sets
    attributes, or removes those that are None.
    """

    action: str
    at: Place | None = None
    tag: str = ""
    attributes: tuple[tuple[str, str | None], ...] = ()
    into: Place | None = None

    @property
    def text(self) -> str:
        """For the journal."""
        if self.action == "add":
            name = dict(self.attributes).get("name")
            called, where = f" {name}" if name else "", f" to {self.at}" if self.at is not None else ""
            return f"added: {self.tag}{called}{where}"
        if self.action == "set":
            return f"{' '.join(name for name, _ in self.attributes)} of {self.at} set in the file"
        return f"deleted: {self.at}" if self.action == "delete" else f"moved: {self.at} to {self.into}"


# changes by number of their entry
Structure = tuple[tuple[int, TreeEdit], ...]
