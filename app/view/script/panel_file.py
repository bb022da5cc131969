"""Panels and overlays from a file of the user's, read again whenever it is saved.

    from app.viewer import overlay, panel
    from imgui_bundle import imgui

    @panel("Height")
    def height(view):
        imgui.text(f"{view.d.xpos[1, 2]:.3f} m")

    @overlay
    def marks(view):
        view.trail("torso", view.d.xpos[1])

A marked function is called once a frame, on the window's thread, with a `PanelView`. When the file is saved it is run
again in a new namespace, while the simulation runs; the dictionary `keep` is in both, so what is put there survives.
A file that cannot be run leaves its version before in use, and its error is shown until it is mended.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from app.files.file_watch import Watcher
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.scene.decor.trails import Trail
from app.scene.decor.user_geoms import UserGeom
from app.scene.ghost import Ghost
from sim.file_stamp import stamp

BLUE, AMBER = (0.36, 0.66, 0.96), (0.95, 0.68, 0.26)
MARK = "kinetoscope_part"


@dataclass
class PanelView:
    """What a function of a file gets: model and state as they are shown, and what it may do."""

    # copies with MuJoCo's names of fields, which nobody writes
    m: ModelView
    d: StateView
    # sends a command of app.run.commands to the simulation
    send: Send
    # the selected element, with `kind` and `index`, or None
    selection: Selection | None
    _trails: dict[str, Trail]
    geoms: list[UserGeom] = field(default_factory=list)
    ghosts: list[Ghost] = field(default_factory=list)

    def geom(self, geom: UserGeom) -> None:
        """Draw a geom with this frame."""
        self.geoms.append(geom)

    def ghost(self, state: StateView, colour: Sequence[float] = BLUE) -> None:
        """Draw the model once more, translucent, with this frame, in a state that `d` was before."""
        self.ghosts.append(Ghost(state, (float(colour[0]), float(colour[1]), float(colour[2]))))

    def trail(
        self, name: str, position: Sequence[float], seconds: float = 2.0, colour: Sequence[float] = AMBER
    ) -> None:
        """Draw where a position has been: called once a frame with where it is now."""
        if name not in self._trails:
            self._trails[name] = Trail(seconds, colour)
        self._trails[name].add(float(self.d.time), position)
        self.geoms += self._trails[name].geoms


PartFunction = Callable[[PanelView], object]


class Part(NamedTuple):
    """A marked function; an overlay has no title."""

    title: str
    draw: PartFunction


def panel(title: str) -> Callable[[PartFunction], PartFunction]:
    """Mark a function as a panel with this title."""
    if not isinstance(title, str) or not title:
        raise TypeError('a panel needs a title: @panel("Title")')
    return lambda function: _marked(function, title)


def overlay(function: PartFunction) -> PartFunction:
    """Mark a function that draws over the view, or into it."""
    return _marked(function, "")


def _marked(function: PartFunction, title: str) -> PartFunction:
    setattr(function, MARK, title)
    return function


class PanelFile:
    """The marked functions of one file, as of its last version that could be run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).resolve()
        self.parts: tuple[Part, ...] = ()
        # why the file on disk is not what is used; empty if it is
        self.error = ""
        self.keep: dict[Any, Any] = {}
        self.trails: dict[str, Trail] = {}
        # it was saved since it was run
        self.stale = False
        self._watcher = Watcher(lambda _: setattr(self, "stale", True))
        self._watcher.watch({self.path: stamp(self.path)})
        self.load()

    def load(self) -> None:
        """Run the file."""
        self.stale = False
        namespace = {"__name__": self.path.stem, "__file__": str(self.path), "keep": self.keep}
        try:
            exec(compile(self.path.read_bytes(), str(self.path), "exec"), namespace)  # noqa: S102
        except (Exception, SystemExit) as error:
            self.error = self.where(error)
            # the log has it too
            print(self.error, file=sys.stderr)
            return
        marked = ((getattr(value, MARK, None), value) for value in namespace.values() if callable(value))
        self.parts = tuple(Part(title, value) for title, value in marked if isinstance(title, str))
        self.error = "" if self.parts else f"{self.path.name}: no function is decorated with @panel(...) or @overlay"
        self.trails.clear()

    def where(self, error: BaseException) -> str:
        """File, line and message of an error."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(self.path)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        if isinstance(error, OSError) and error.errno is not None:
            text = os.strerror(error.errno)
        place = f"{self.path.name}, line {line}" if line else self.path.name
        return f"{place}: {type(error).__name__}: {text}"

    def close(self) -> None:
        """Stop watching it."""
        self._watcher.close()
