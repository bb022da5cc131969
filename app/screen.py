"""The screen: what an application draws on and gets its input from.

One is a window with a GL context; another one sends what is drawn to browsers (`web_screen.py`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from imgui_bundle import imgui

from app.render.capture.video import Pixels
from app.render.device import read_screen, shader_fault, window_context
from app.render.gui import SHADERS, GuiRenderer
from app.run.snapshot import Snapshot
from app.scene.decor.user_geoms import UserGeom
from app.scene.ghost import Ghost
from app.scene.picking import Picked
from app.ui import theme
from app.ui.windows import Window, WindowWish
from app.view.input.desk import Box
from app.view.view_state import ViewState
from app.viewport import Viewport


class View3D(Protocol):
    """The 3D view of a screen: `viewport.py` says what each does."""

    ghosts: tuple[Ghost, ...]

    @property
    def gpu_timer(self) -> AbstractContextManager[None]: ...
    @property
    def largest_image(self) -> int: ...
    @property
    def gpu(self) -> str: ...
    @property
    def refining(self) -> bool: ...

    def drop_scene(self) -> None: ...
    def options_changed(self, view: ViewState) -> bool: ...
    def preset(self, view: ViewState) -> int: ...
    def adapt(self, seconds: float) -> None: ...
    def draw(
        self,
        snapshot: Snapshot,
        view: ViewState,
        geoms: tuple[UserGeom, ...],
        target: Any,
        box: Box,
        preset: int = 0,
    ) -> bool: ...
    def draw_pictures(self, snapshot: Snapshot, view: ViewState) -> None: ...
    def pictures_due(self, snapshot: Snapshot, view: ViewState, playing: bool = False) -> bool: ...
    def image(
        self, snapshot: Snapshot, view: ViewState, geoms: tuple[UserGeom, ...], size: tuple[int, int]
    ) -> Pixels: ...
    def pick(
        self,
        snapshot: Snapshot,
        view: ViewState,
        aspect: float,
        x: float,
        y: float,
        decor: bool = True,
        but: int = -1,
    ) -> Picked | None: ...
    def pick_handle(self, snapshot: Snapshot, view: ViewState, aspect: float, x: float, y: float) -> int: ...
    def release(self) -> None: ...


class Screen(Protocol):
    """A window, the view in it, and how panels get there."""

    @property
    def window(self) -> Window: ...
    @property
    def viewport(self) -> View3D: ...

    def begin(self) -> Any:
        """Begin a frame; returns the target that the view is drawn to."""

    def draw_panels(self, data: imgui.ImDrawData) -> None:
        """Draw the panels over the view."""

    def read(self, box: Box) -> Pixels:
        """The pixels that were drawn so far."""

    def shader_fault(self) -> str:
        """The error of the shaders on disk; empty if they compile."""

    def release(self) -> None:
        """Free everything but the window."""


class GlScreen:
    """A window with a GL context."""

    def __init__(self, wish: WindowWish) -> None:
        # where there is no screen, not even the modules of windows may be there
        from app.ui.window import open_window

        self.window = open_window(wish.size)
        self.context = window_context()
        self.viewport = Viewport(self.context)
        self._gui = GuiRenderer(self.context)

    def begin(self) -> Any:
        """Clear the window."""
        screen = self.context.screen
        screen.use()
        screen.clear(*theme.BACKGROUND[:3])
        return screen

    def draw_panels(self, data: imgui.ImDrawData) -> None:
        """Draw the panels over the view."""
        self._gui.draw(self.context.screen, data)

    def read(self, box: Box) -> Pixels:
        """The pixels that were drawn so far."""
        return read_screen(self.context, self.window.get_framebuffer_size(), box)

    def shader_fault(self) -> str:
        """The error of the shaders on disk, of those in use; empty if they compile."""
        return shader_fault(self.context, (SHADERS, *self.viewport.shader_variants))

    def release(self) -> None:
        """Free everything on the GPU."""
        self.viewport.release()
        self._gui.release()


def open_screen(wish: WindowWish) -> Screen:
    """The screen that is wished for; raises NoScreen with the reason."""
    if wish.web is None:
        return GlScreen(wish)
    from app.web_host import web_screen

    return web_screen(wish, wish.web)
