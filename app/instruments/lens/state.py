"""What the Lens instrument shows: the mode of colours, the tree that it is about, and the chain of its wakes."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.instruments.lens.modes import ISLAND, Mode, Scale, scale_of
from app.instruments.lens.modes import Floats as Values
from app.instruments.lens.wake_search import Found, Request
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.snapshot import Snapshot


@dataclass
class LensState:
    """The choices of the user and the newest findings; nothing is searched for in a frame that does not ask."""

    mode: str = ISLAND
    colouring: bool = True
    # the tree that is asked about, -1 for none; and the selection that it is from
    tree: int = -1
    found: Found = field(default_factory=Found)
    # the chain whose moments are being looked at, and the steps at which it stays
    _walked: tuple[Found, frozenset[int]] | None = None
    # an element that a click in the panel selects: the tree stays
    clicked: Selection | None = None
    _seen: Selection | None = None
    _scales: dict[str, Scale] = field(default_factory=dict)
    _identity: object = None
    _request: Request | None = None

    def follow(self, selection: Selection | None, model: ModelView, state: StateView) -> None:
        """The tree of the selection, whenever that is another one; -1 if there is no such tree any more."""
        if model.identity is not self._identity:
            self._identity, self.tree, self._seen = model.identity, -1, None
            self._scales.clear()
        if selection != self._seen:
            self._seen = selection
            if selection is not None and selection != self.clicked:
                found = tree_of(selection, model, state)
                self.tree = found if found >= 0 else self.tree
            self.clicked = None
        if self.tree >= model.ntree:
            self.tree = -1

    def ask(self, snapshot: Snapshot) -> Found | None:
        """Search for what woke the tree; returns what was found on the line that is shown, None if nothing yet."""
        timeline = snapshot.run.history
        here = timeline.run, timeline.branch, self.tree
        if self._walked is not None:
            found, steps = self._walked
            if (found.run, found.branch, found.tree) == here and timeline.now in steps:
                return found
            self._walked = None
        self._request = Request(timeline, self.tree, not snapshot.run.paused)
        return self.found if (self.found.run, self.found.branch, self.found.tree) == here else None

    def walk(self, found: Found, now: int) -> None:
        """A moment of a chain is gone to: it stays as it is at all its moments, where less of it has happened."""
        self._walked = found, frozenset({now, *(wake.step for wake in found.links)})

    def take_request(self) -> Request | None:
        """What was asked in this frame."""
        request, self._request = self._request, None
        return request

    def scale(self, mode: Mode, values: Values) -> Scale:
        """The scale of a mode, which moves as little as possible."""
        self._scales[mode.name] = scale_of(mode, values, self._scales.get(mode.name))
        return self._scales[mode.name]


def tree_of(selection: Selection, model: ModelView, state: StateView) -> int:
    """The tree of an element, the first one of an island; -1 if it belongs to none."""
    if not selection.exists(model, state):
        return -1
    if selection.kind == "tree":
        return selection.index
    if selection.kind == "island":
        return next((tree for tree, i in enumerate(state.tree_island.tolist()) if i == selection.index), -1)
    body = selection.body(model, state)
    return int(model.body_treeid[body]) if body > 0 else -1
