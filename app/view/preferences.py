"""The user's preferences, independent of the model: `settings.py` saves them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MIN_FONT_SCALE, MAX_FONT_SCALE = 0.7, 2.5
# layout of the window -> the sides it shows, and what it is for
LAYOUTS = {
    "default": (("left", "right"), "as at the first start; in a small window, panels are on the right only"),
    "simple": (("right",), "the view, options and inspector"),
    "debug": (("left", "right", "bottom"), "with timeline, plots and tables"),
    "film": ((), "only the view"),
}


@dataclass
class Preferences:
    """Theme, font size, shortcuts, open panels; each is saved under its name."""

    light_theme: bool = False
    font_scale: float = 1.0
    # whether all keys of the table work, or only those marked `always`
    shortcuts: bool = True
    show_left: bool = True
    show_right: bool = True
    show_bottom: bool = False
    show_info: bool = False
    # the axes in a corner of the view; what the wheel does
    show_gizmo: bool = True
    zoom_to_pointer: bool = True
    invert_scroll: bool = False
    # names of the instruments that are open
    instruments: list[str] = field(default_factory=list)
    # angles in degrees or, as in qpos, in radians; velocities and momenta in the axes of the body or of the world
    degrees: bool = False
    local_axes: bool = False
    # the command of the user's editor; empty: whichever there is
    editor: str = ""
    # whether the quality adapts to the frame rate
    adaptive: bool = True
    # options of images and videos that are kept: capture/recording.py
    video: dict[str, Any] = field(default_factory=dict)
