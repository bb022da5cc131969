"""What a script adds to the viewer: geoms, texts, plots, panels, and a callback for keys.

The script's thread writes it under `lock`; the GUI thread takes a copy once a frame, so neither waits long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.background.script_series import ScriptCurve, ScriptSeries
from app.scene.decor.trails import Trail
from app.scene.decor.user_geoms import UserGeom
from app.scene.ghost import Ghost
from app.view.feedback import Faults
from app.view.script.figure import Figure
from app.view.script.images import ImageOver, Pixels
from app.view.script.panel_file import PanelFile
from app.view.view_state import ViewState

# positions of a text, in the order of MuJoCo's mjtGridPos: fractions of the way right and down
GRID = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.0), (0.5, 1.0), (0.0, 0.5), (1.0, 0.5))
FONT_PERCENT = 150


@dataclass(frozen=True)
class Overlay:
    """Two columns of text over the view: font size in percent, index in `GRID`, left and right column."""

    font: int = FONT_PERCENT
    place: int = 0
    left: str = ""
    right: str = ""

    def __post_init__(self) -> None:
        if self.font <= 0:
            raise ValueError(f"the font size must be above 0 percent, not {self.font}")
        if not 0 <= self.place < len(GRID):
            raise ValueError(f"the grid position must be from 0 to {len(GRID) - 1}, not {self.place}")


@dataclass
class ScriptLayer:
    """What a script shows besides its model."""

    geoms: list[UserGeom] = field(default_factory=list)
    # those of a scene of MuJoCo
    scene_geoms: tuple[UserGeom, ...] = ()
    # those that are drawn: a copy of both as of the last `show_geoms`
    shown_geoms: tuple[UserGeom, ...] = ()
    # the model drawn once more elsewhere, by name
    ghosts: Mapping[str, Ghost] = field(default_factory=dict)
    # each with what returns its position
    trails: dict[str, tuple[Trail, Callable[[], Sequence[float]]]] = field(default_factory=dict)
    # whose panels are drawn
    panel_files: list[PanelFile] = field(default_factory=list)
    images: tuple[ImageOver, ...] = ()
    panel_images: Mapping[str, Pixels] = field(default_factory=dict)
    # of images; only the GUI thread uses it
    textures: dict[object, tuple[Any, Pixels]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()
    figures: tuple[Figure, ...] = ()
    plots: ScriptSeries = field(default_factory=ScriptSeries)
    panels: dict[str, Callable[[], None]] = field(default_factory=dict)
    key: Callable[[int], None] | None = None
    # panels that have failed; only the GUI thread uses it
    faults: Faults = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def copy(self) -> ScriptLayer:
        """A copy to draw from, without what is plotted."""
        with self.lock:
            geoms, texts, panels = list(self.geoms), dict(self.texts), dict(self.panels)
            return replace(self, geoms=geoms, texts=texts, panels=panels, plots=ScriptSeries(), faults={})

    def load_panels(self, path: str | Path) -> PanelFile:
        """Draw panels and overlays from a file."""
        file = PanelFile(path)
        self.panel_files.append(file)
        return file

    @property
    def stale(self) -> bool:
        """Whether a file of panels was saved since it was run."""
        return any(file.stale for file in self.panel_files)

    def close(self) -> None:
        """Watch no file any more."""
        for file in self.panel_files:
            file.close()

    def show_geoms(self) -> None:
        """Draw the geoms as they are now; a list is never drawn while it is being filled."""
        with self.lock:
            shown = (*self.geoms, *self.scene_geoms)
            if self.trails:
                shown += tuple(line for trail, _ in self.trails.values() for line in trail.geoms)
        if shown != self.shown_geoms:
            for geom in shown:
                if not isinstance(geom, UserGeom):
                    raise TypeError(f"geoms must contain UserGeom only, not {geom!r}")
            self.shown_geoms = shown

    def sample_trails(self, time: float) -> None:
        """Add where the points of trails are now."""
        with self.lock:
            for trail, position in self.trails.values():
                trail.add(time, position())

    def sample(self, name: str, time: float, value: float) -> None:
        """Add a point to a plot; if time goes back a new line begins."""
        with self.lock:
            self.plots.sample(name, time, value)

    def curves(self) -> Mapping[str, ScriptCurve]:
        """What was plotted so far."""
        with self.lock:
            return self.plots.curves()


def show_curves(curves: Mapping[str, ScriptCurve], view: ViewState) -> None:
    """Show what a script plots; with its first curve the panel comes to the front."""
    if curves and not view.plots.script:
        view.ui.reveal = "Plots"
        if not view.prefs.show_bottom:
            view.prefs.show_bottom = True
            view.unsaved.add("show_bottom")
    view.plots.script = curves
