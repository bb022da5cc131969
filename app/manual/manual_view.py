"""The manual in the window: which page is open, where it is scrolled to, what is searched for, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.manual.pages import FIRST, FOLDER, Page, Place, panel_place, read_pages

# keys that scroll the page while the manual has the focus
SCROLLING = ("Page up", "Home", "End")
# a page and how far it was scrolled
Visit = tuple[str, float]


@dataclass
class ManualView:
    """The page, and the pages read before."""

    folder: Path = FOLDER
    open: bool = False
    focused: bool = False
    topic: str = ""
    # pixels; where to scroll next: so far, or to a heading
    scroll: float = 0.0
    goal: float | str | None = None
    query: str = ""
    # the highlighted row of the list
    row: int = 0
    back: list[Visit] = field(default_factory=list)
    forward: list[Visit] = field(default_factory=list)
    # the panel under the pointer
    pointed: str = ""
    # pictures in sight, as ImGui textures: ui/image_texture.py
    textures: dict[object, Any] = field(default_factory=dict)
    # the display and font that the window was placed for
    placed_for: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def pages(self) -> dict[str, Page]:
        """All pages, by topic."""
        return read_pages(self.folder)

    def captures_key(self, trigger: str) -> bool:
        """Whether the manual keeps a key from the view."""
        return self.focused and trigger in SCROLLING

    def show(self, place: Place) -> None:
        """Open a page, at a heading if there is one."""
        if self.topic and (place.topic != self.topic or place.heading):
            self.back.append((self.topic, self.scroll))
            self.forward.clear()
        self.open, self.topic, self.goal = True, place.topic, place.heading or 0.0

    def show_panel(self, panel: str) -> None:
        """Open the page of a panel."""
        self.query = ""
        self.show(panel_place(panel, self.pages))

    def toggle(self) -> None:
        """Close it; or open it on the panel under the pointer, else on the page that was read last."""
        if self.open:
            self.open = False
        elif self.pointed:
            self.show_panel(self.pointed)
        else:
            self.open, self.topic = True, self.topic or FIRST
            self.goal = self.scroll

    def step(self, left: list[Visit], kept: list[Visit]) -> None:
        """Back or forward to the last visit in `left`; `kept` is for the way back."""
        if left:
            kept.append((self.topic, self.scroll))
            self.topic, self.goal = left.pop()
