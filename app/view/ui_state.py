"""What panels and overlays keep from one frame to the next: what is open, typed, unfolded, dragged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.model.selection import Selection

if TYPE_CHECKING:
    from app.files.browse import Browse


@dataclass
class Held:
    """A number that mouse or keyboard holds: its widget, what is asked for, the numbers there at first, how far the
    mouse went since."""

    key: str
    value: float
    start: tuple[float, ...] = ()
    pixels: float = 0.0
    typed: bool = False


@dataclass
class UiState:
    """The state of panels and overlays."""

    # panel -> how wide or high the user made it, and how it is now; and the window in which they are measured
    docked: dict[str, float] = field(default_factory=dict)
    measured: dict[str, float] = field(default_factory=dict)
    docked_in: tuple[float, float] = (0.0, 0.0)
    show_help: bool = False
    show_profiler: bool = False
    show_sensors: bool = False
    show_palette: bool = False
    show_gallery: bool = False
    # the card that arrow keys and mouse have chosen
    gallery_card: int = 0
    # the file dialog, while it is open
    browse: Browse | None = None
    # thumbnails that the gallery has read, by scene: textures of ImGui's
    pictures: dict[str, Any] = field(default_factory=dict)
    # what is typed into the search fields of the options, of the visual settings, of the model tree and of the sensors
    search: str = ""
    visual_search: str = ""
    tree_search: str = ""
    sensor_search: str = ""
    # nodes of the model tree that were opened or, below the world, closed
    unfolded: set[tuple[str, int]] = field(default_factory=set)
    # the selection that the model tree has brought into sight
    tree_selection: Selection | None = None
    # the number that is being dragged or typed
    editing: Held | None = None
    # what is typed into the command palette, None before it has the keyboard; the entry that is chosen
    palette_text: str | None = None
    palette_row: int = 0
    # a panel that is asked to come to the front
    reveal: str = ""
    # the largest value that each type of sensor has shown
    sensor_scale: dict[int, float] = field(default_factory=dict)
