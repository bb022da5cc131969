"""Renders the moving pictures of a sweep, next to the view: a few in each frame, until all are there."""

from __future__ import annotations

import time
from dataclasses import astuple, replace
from typing import Any

from app.instruments.sweep.state import SweepState
from app.render.assets import Assets
from app.render.capture.camera_pictures import PictureRenderer
from app.render.capture.offscreen import COLOUR
from app.render.device import is_software
from app.render.quality import QUICK
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.scene.scene import Scene
from app.view.view_state import ViewState

# rendered in one frame at most, s; and the share of all time
SECONDS, SHARE = 0.01, 0.3
# without a GPU, shadows take most of the time of a small picture
SMALL = replace(QUICK, shadow_size=384)


class SweepPictures:
    """The renderer of all pictures of a sweep; none while they are not in sight."""

    playing = True

    def __init__(self, context: Any, assets: Assets) -> None:
        self._context, self._assets = context, assets
        self._renderer: PictureRenderer | None = None
        # by time.perf_counter: when more is rendered, and when time passed last
        self._next = self._passed = 0.0

    def release(self) -> None:
        """Free everything on the GPU."""
        if self._renderer is not None:
            self._renderer.release()
        self._renderer = None

    def due(self, _: Snapshot, view: ViewState) -> bool:
        """Whether one more frame would show another picture."""
        shown = view.of(SweepState)
        found, reel = shown.shown, shown.reel
        if reel.wanted is None or found is None or found.request is None:
            return False
        self._advance(view)
        now = reel.time(found.request.task.seconds)
        if reel.stale(found.outcomes, now):
            return True
        return time.perf_counter() >= self._next and next(reel.missing(found.outcomes, reel.wanted), None) is not None

    def draw(self, snapshot: Snapshot, view: ViewState, scene: Scene | None) -> None:
        """Render what is missing, as much as there is time for."""
        shown = view.of(SweepState)
        found, reel = shown.shown, shown.reel
        reel.end_frame()
        size = reel.wanted
        if found is None or size is None or snapshot.model is None or scene is None:
            self.release()
            return
        self._advance(view)
        reel.begin(_source(view, size))
        began = time.perf_counter()
        if began < self._next:
            return
        if self._renderer is None or self._renderer.size != size:
            self.release()
            quality = SMALL if is_software(self._context) else None
            self._renderer = PictureRenderer(self._context, self._assets, size, quality)
        for place, number in reel.missing(found.outcomes, size):
            state = found.outcomes[place].frames[number].state
            seen = view.view_of(snapshot.model, state, shown.camera)
            image = self._renderer.render(snapshot.model, state, scene, seen, COLOUR)
            reel.pictures[place, number] = image.pixels
            if time.perf_counter() - began > SECONDS:
                break
        self._next = began + (time.perf_counter() - began) / SHARE

    def _advance(self, view: ViewState) -> None:
        """Let time pass for the pictures."""
        shown = view.of(SweepState)
        now, request = time.perf_counter(), shown.request
        if request is not None:
            shown.reel.advance(now - self._passed, request.task.seconds)
        self._passed = now


def _source(view: ViewState, size: tuple[int, int]) -> tuple[Any, ...]:
    """What decides how all pictures look."""
    shown = view.of(SweepState)
    pose = view.camera.pose() if shown.camera == FREE_CAMERA else ()
    return shown.request, size, shown.camera, pose, repr(astuple(view.options))
