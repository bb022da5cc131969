"""Renders the pictures of cameras that the panel asks for, beside the view.

They share the time with the frames: those that are out of date are rendered in turn, for a part of the time.
"""

from __future__ import annotations

import time
from dataclasses import astuple
from typing import Any

from app.instruments.cameras.state import CameraPicture, CamerasState
from app.render.assets import Assets
from app.render.capture.camera_pictures import PictureRenderer
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.scene.scene import Scene
from app.view.view_state import ViewState

# rendered in one frame at most, s; and the share of all time
SECONDS, SHARE = 0.01, 0.3


class CameraViews:
    """The renderers of open pictures; none while the panel is closed."""

    playing = False

    def __init__(self, context: Any, assets: Assets) -> None:
        self._context, self._assets = context, assets
        self._renderers: dict[int, PictureRenderer] = {}
        # by time.perf_counter
        self._next = 0.0

    def release(self) -> None:
        """Free everything on the GPU."""
        for renderer in self._renderers.values():
            renderer.release()
        self._renderers.clear()

    def due(self, snapshot: Snapshot, view: ViewState) -> bool:
        """Whether one more frame would show newer pictures."""
        return view.of(CamerasState).unseen or bool(self._stale(snapshot, view))

    def draw(self, snapshot: Snapshot, view: ViewState, scene: Scene | None) -> None:
        """Render the pictures that are out of date, as many as there is time for."""
        view.of(CamerasState).end_frame()
        wanted = {id(picture) for picture in view.of(CamerasState).wanted}
        for closed in self._renderers.keys() - wanted:
            self._renderers.pop(closed).release()
        began = time.perf_counter()
        if scene is None or began < self._next:
            return
        for picture in self._stale(snapshot, view):
            self._render(snapshot, view, scene, picture)
            if time.perf_counter() - began > SECONDS:
                break
        self._next = began + (time.perf_counter() - began) / SHARE

    def _stale(self, snapshot: Snapshot, view: ViewState) -> list[CameraPicture]:
        """Pictures made from something else than what is shown now; the one that has waited longest first."""
        if snapshot.model is None or snapshot.state is None:
            return []
        wanted = view.of(CamerasState).wanted
        found = [picture for picture in wanted if picture.made_from != _source(snapshot, view, picture)]
        return sorted(found, key=lambda picture: picture.made_at)

    def _render(self, snapshot: Snapshot, view: ViewState, scene: Scene, picture: CameraPicture) -> None:
        model, state, size = snapshot.model, snapshot.state, picture.wanted
        assert model is not None and state is not None and size is not None
        renderer = self._renderers.get(id(picture))
        if renderer is None or renderer.size != size:
            if renderer is not None:
                renderer.release()
            renderer = self._renderers[id(picture)] = PictureRenderer(self._context, self._assets, size)
        seen = view.view_of(model, state, picture.camera)
        picture.image = renderer.render(model, state, scene, seen, picture.shows)
        picture.made_from, picture.made_at = _source(snapshot, view, picture), time.perf_counter()
        view.of(CamerasState).unseen = True


def _source(snapshot: Snapshot, view: ViewState, picture: CameraPicture) -> tuple[Any, ...]:
    """What decides how a picture looks."""
    pose = view.camera.pose() if picture.camera == FREE_CAMERA else ()
    moment = snapshot.serial, repr(astuple(view.options))
    return *moment, picture.camera, picture.shows, picture.wanted, pose
