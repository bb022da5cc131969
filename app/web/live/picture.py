"""One frame of the live viewer, before it is coded for a page."""

from __future__ import annotations

from dataclasses import dataclass

from app.web.live.panels import PanelList, Texture
from app.web.live.scene_parts import SceneParts

# x, y, width, height in CSS pixels from the upper left
Area = tuple[int, int, int, int]


@dataclass(frozen=True)
class Picture:
    """All that a frame shows; nothing in it changes any more."""

    # the newest input message that it has seen
    heard: int
    # of the window, in CSS pixels, and the colour below everything
    size: tuple[int, int]
    back: tuple[float, float, float]
    # of the view, and windows of ImGui over it
    rect: Area
    over: tuple[Area, ...]
    scene: SceneParts | None
    lists: tuple[PanelList, ...]
    textures: tuple[Texture, ...]
