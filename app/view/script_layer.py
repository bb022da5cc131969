"""What a script adds to the viewer: geoms, texts, plots, panels of its own, and a function for keys.

The script's thread writes it under `lock`, the GUI thread takes a copy once a frame, so neither waits for long.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from app.scene.decor.user_geoms import UserGeom
from app.view.feedback import Faults

SAMPLES = 6000
# where a text may stand, as MuJoCo counts: shares of the way to the right and down
GRID = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.0), (0.5, 1.0), (0.0, 0.5), (1.0, 0.5))
FONT_PERCENT = 150


@dataclass
class Series:
    """Values over time."""

    times: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    values: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))


@dataclass(frozen=True)
class Overlay:
    """Two columns of text over the picture: how large in percent of a plain screen, where in `GRID`, the columns."""

    font: int = FONT_PERCENT
    place: int = 0
    left: str = ""
    right: str = ""

    def __post_init__(self) -> None:
        if self.font <= 0:
            raise ValueError(f"a font of {self.font} percent cannot be seen")
        if not 0 <= self.place < len(GRID):
            raise ValueError(f"a text cannot stand at {self.place}: places are 0 to {len(GRID) - 1}")


@dataclass
class Guest:
    """Everything a script shows besides its model."""

    geoms: list[UserGeom] = field(default_factory=list)
    # those that are drawn: geoms as of the last time that they were complete
    shown: tuple[UserGeom, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()
    plots: dict[str, Series] = field(default_factory=dict)
    panels: dict[str, Callable[[], None]] = field(default_factory=dict)
    key: Callable[[int], None] | None = None
    # panels that have failed: only the GUI looks at it
    faults: Faults = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def copy(self) -> Guest:
        """What is to be drawn now."""
        with self.lock:
            plots = {name: Series(series.times.copy(), series.values.copy()) for name, series in self.plots.items()}
            return Guest(
                list(self.geoms), self.shown, dict(self.texts), self.overlays, plots, dict(self.panels), self.key
            )

    def show_geoms(self) -> None:
        """Have the geoms drawn that there are now; a list that is being filled is never seen half full."""
        with self.lock:
            shown = tuple(self.geoms)
        if shown != self.shown:
            for geom in shown:
                if not isinstance(geom, UserGeom):
                    raise TypeError(f"geoms has {geom!r} in it, which is no UserGeom")
            self.shown = shown

    def sample(self, name: str, time: float, value: float) -> None:
        """Add a point to a plot; time that goes back starts it anew."""
        with self.lock:
            series = self.plots.setdefault(name, Series())
            if series.times and time < series.times[-1]:
                series.times.clear()
                series.values.clear()
            series.times.append(time)
            series.values.append(value)
