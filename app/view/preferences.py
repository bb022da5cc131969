"""What the user prefers, whatever the model: kept from one start to the next (`settings.py`)."""

from __future__ import annotations

from dataclasses import dataclass

MIN_FONT_SCALE, MAX_FONT_SCALE = 0.7, 2.5


@dataclass
class Preferences:
    """Theme, font size, shortcuts, which docked panels are open; each is a setting of its name."""

    light_theme: bool = False
    font_scale: float = 1.0
    # whether all keys of the table work, or only those that always do
    shortcuts: bool = True
    show_left: bool = True
    show_right: bool = True
    show_bottom: bool = False
    show_info: bool = False
    # whether the picture gets coarser where frames take long
    adaptive: bool = True
