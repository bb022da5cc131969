"""A screen in browsers: what is drawn goes to a server as draw lists, and pages draw it.

The host needs neither a display nor OpenGL. Pictures for files, and small ones in panels, are rendered off screen where
EGL can be had; elsewhere a message says what is missing.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from imgui_bundle import imgui

from app.render.capture.frame_size import MAX_LENGTH
from app.render.capture.video import Pixels
from app.render.device import DeviceError, offscreen_context
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.scene.decor.user_geoms import UserGeom
from app.scene.picking import Picked
from app.scene.ray_pick import ray_pick
from app.ui import theme
from app.ui.draw_lists import panel_lists, release_textures, take_textures
from app.ui.web_window import WebWindow
from app.ui.windows import WindowWish
from app.view.input.camera_actions import SCROLL_STEP
from app.view.input.desk import Box
from app.view.view_state import ViewState
from app.viewport import Drawn, SceneKeeper, Viewport, small_pictures
from app.web.live.panels import Textures
from app.web.live.picture import Area, Picture
from app.web.live.scene_parts import SceneMaker, numbers
from app.web.live.server import LiveServer
from app.web.payload import Entry

BROWSER = "the browser"
# the window of ImGui around all docked panels, with a hole where the view is
DOCK_HOST = "WindowOverViewport"


class WebViewport(SceneKeeper):
    """The view: it keeps what is drawn, for the picture; images are rendered off screen."""

    refining = False
    largest_image = MAX_LENGTH
    gpu = BROWSER

    def __init__(self) -> None:
        super().__init__()
        self.gpu_timer: AbstractContextManager[None] = nullcontext()
        # of the last frame
        self.shown: tuple[Drawn, Entry | None, Box] | None = None
        self._offscreen: Viewport | None = None
        # they say whether there is something to render, which needs no GL
        self._pictures = small_pictures(None, None)

    def preset(self, _: ViewState) -> int:
        """Pages choose their own quality."""
        return 0

    def adapt(self, seconds: float) -> None:
        """The same."""

    def draw(
        self,
        snapshot: Snapshot,
        view: ViewState,
        geoms: tuple[UserGeom, ...],
        target: Any,
        box: Box,
        preset: int = 0,
    ) -> bool:
        """Keep what is drawn, and where."""
        drawn = self.drawn(snapshot, view, geoms)
        self.shown = None if drawn is None else (drawn, _orbit(view), box)
        return False

    def draw_pictures(self, snapshot: Snapshot, view: ViewState) -> None:
        """Render pictures of instruments that are out of date or missing."""
        if self._offscreen is None and not self.pictures_due(snapshot, view):
            # a panel that is closed has to be told so
            for pictures in self._pictures:
                pictures.draw(snapshot, view, None)
            return
        offscreen = self._rendered()
        offscreen.scene = self.scene
        offscreen.draw_pictures(snapshot, view)

    def pictures_due(self, snapshot: Snapshot, view: ViewState, playing: bool = False) -> bool:
        """Whether one more frame would show newer pictures, or other ones of those that play."""
        if self._offscreen is not None:
            return self._offscreen.pictures_due(snapshot, view, playing)
        return any(pictures.due(snapshot, view) for pictures in self._pictures if pictures.playing == playing)

    def image(self, snapshot: Snapshot, view: ViewState, geoms: tuple[UserGeom, ...], size: tuple[int, int]) -> Pixels:
        """The view as an image, in the best quality."""
        offscreen = self._rendered()
        offscreen.ghosts = self.ghosts
        return offscreen.image(snapshot, view, geoms, size)

    def pixels(self, drawn: Drawn, size: tuple[int, int]) -> Pixels:
        """What is drawn now, as an image."""
        return self._rendered().image_of(drawn, size)

    def pick_drawn(self, drawn: Drawn, aspect: float, x: float, y: float) -> Picked | None:
        """What is drawn at a point of a draw list."""
        return ray_pick(drawn.model, drawn.scene, drawn.seen, aspect, x, y)

    def drop_scene(self) -> None:
        """The model has changed: build the scene again."""
        super().drop_scene()
        if self._offscreen is not None:
            self._offscreen.drop_scene()

    def release(self) -> None:
        """Free what was rendered with."""
        if self._offscreen is not None:
            self._offscreen.release()

    def _rendered(self) -> Viewport:
        """A viewport off screen; raises DeviceError where EGL cannot be had."""
        if self._offscreen is None:
            self._offscreen = Viewport(offscreen_context())
        return self._offscreen


class WebScreen:
    """The window and the view that the pages of a server show."""

    def __init__(self, server: LiveServer, wish: WindowWish) -> None:
        self.window = WebWindow(server, wish.size)
        self.viewport = WebViewport()
        self._server = server
        self._textures = Textures()
        self._maker = SceneMaker(server.assets)
        imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures

    def begin(self) -> Any:
        """Forget what the frame before showed."""
        self.viewport.shown = None
        return None

    def draw_panels(self, data: imgui.ImDrawData) -> None:
        """Show the view and the panels as they are now."""
        take_textures(self._textures)
        size, shown = (int(data.display_size.x), int(data.display_size.y)), self.viewport.shown
        scene, rect = None, (0, 0, 0, 0)
        if shown is not None:
            drawn, orbit, box = shown
            scene = self._maker.parts(drawn.model, drawn.scene, drawn.seen, orbit)
            rect = self._area(box, size[1])
        self._server.show(
            Picture(
                heard=self.window.heard,
                size=size,
                back=(theme.BACKGROUND[0], theme.BACKGROUND[1], theme.BACKGROUND[2]),
                rect=rect,
                over=windows_over(rect, size),
                scene=scene,
                lists=panel_lists(data),
                textures=self._textures.shown(),
            )
        )

    def _area(self, box: Box, height: int) -> Area:
        """A box of pixels from the lower left, in CSS pixels from the upper left."""
        scale = imgui.get_io().display_framebuffer_scale.x
        x, y, w, h = (round(part / scale) for part in box)
        return x, height - y - h, w, h

    def read(self, box: Box) -> Pixels:
        """The view, rendered off screen; panels are drawn in browsers alone."""
        shown = self.viewport.shown
        if shown is not None and shown[2] == box:
            return self.viewport.pixels(shown[0], box[2:])
        raise DeviceError("panels are drawn in the browser: record the view without them")

    def shader_fault(self) -> str:
        """Pages compile shaders."""
        return ""

    def release(self) -> None:
        """Free what is rendered with off screen."""
        self.viewport.release()
        release_textures()


def windows_over(rect: Area, size: tuple[int, int]) -> tuple[Area, ...]:
    """Windows of ImGui that take the mouse over the view; all of it, while a dialog waits for an answer."""
    context = imgui.get_current_context()
    if imgui.internal.get_top_most_popup_modal() is not None:
        return ((0, 0, *size),)
    left, top, right, bottom = rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]
    found: list[Area] = []
    for window in context.windows:
        deaf = window.flags & (imgui.WindowFlags_.no_mouse_inputs | imgui.WindowFlags_.child_window)
        if not window.active or window.hidden or deaf or window.name.startswith(DOCK_HOST):
            continue
        low, high = window.rect().min, window.rect().max
        if low.x < right and high.x > left and low.y < bottom and high.y > top:
            found.append((int(low.x), int(low.y), int(high.x - low.x) + 1, int(high.y - low.y) + 1))
    return tuple(found)


def _orbit(view: ViewState) -> Entry | None:
    """How the free camera can be moved, where nothing else moves it."""
    camera = view.camera
    if view.camera_id != FREE_CAMERA or view.tracked >= 0 or view.flight is not None or view.tools.hovered >= 0:
        return None
    return {
        "lookat": numbers(camera.lookat), "distance": camera.distance, "azimuth": camera.azimuth,
        "elevation": camera.elevation, "fovy": camera.fovy, "extent": camera.extent,
        "scroll": SCROLL_STEP * (1 if view.prefs.invert_scroll else -1), "anchor": view.prefs.zoom_to_pointer,
    }  # fmt: skip
