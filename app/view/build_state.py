"""What the window keeps while the user changes elements of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from app.model.selection import Selection
from sim.tree_edit import TreeEdit

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Question:
    """What else happens if elements are deleted, until the user has answered."""

    title: str
    text: str
    edits: tuple[TreeEdit, ...]
    # for the journal
    said: str


@dataclass
class Building:
    """What is chosen besides the selection, what is asked, and what is selected once it is there."""

    chosen: set[Selection] = field(default_factory=set)
    # elements that are dragged in the model tree
    dragged: tuple[Selection, ...] = ()
    question: Question | None = None
    # the element and the point in the world that the menu of the picture is about
    menu: tuple[Selection, Point] | None = None
    # that menu was asked for, and is not open yet
    opens_menu: bool = False
    # the name that is being typed, and the element that it is for
    name: tuple[Selection, str] | None = None
    # types and names of what was added
    awaited: tuple[tuple[str, str], ...] = ()

    def follow_elements(self, found: Callable[[str, int], int]) -> None:
        """The model has changed: what was chosen stays, as far as it is there."""
        now = ((one.kind, found(one.kind, one.index)) for one in self.chosen)
        self.chosen = {Selection(kind, index) for kind, index in now if index >= 0}
