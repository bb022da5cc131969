"""Actions of the camera that need the pointer or the clock: zoom to the pointer, and flight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.scene.camera import FREE_CAMERA, ZoomAnchor, in_reach
from app.view.camera_motion import free_camera
from app.view.input import mouse
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture

SCROLL_STEP = 0.02
# distances of lookat per second; faster with Shift
FLIGHT_SPEED, FAST = 0.6, 4.0
# speeds that the wheel sets, and its step
SPEEDS, SPEED_STEP = (1 / 64, 64.0), 2**0.5


def zoom_scroll(desk: Desk, gesture: Gesture) -> None:
    """Zoom to what is under the pointer, or to what the camera looks at."""
    view = desk.view
    if view.camera_id != FREE_CAMERA:
        return
    view.flight = None
    amount = SCROLL_STEP * gesture.dy * (1 if view.prefs.invert_scroll else -1)
    # a body that is tracked stays in the middle
    anchor = _anchor(desk, gesture) if view.prefs.zoom_to_pointer and view.tracked <= 0 else None
    if anchor is None or anchor.point is None:
        view.camera.zoom(amount)
    else:
        view.camera.zoom_at(amount, anchor.point)
        view.zoom_anchor = replace(anchor, pose=view.camera.pose())


def _anchor(desk: Desk, gesture: Gesture) -> ZoomAnchor:
    """What is under the pointer; the same for as long as the wheel alone moves the camera."""
    anchor, spot, pose = desk.view.zoom_anchor, (gesture.x, gesture.y), desk.view.camera.pose()
    if anchor is None or anchor.spot != spot or anchor.pose != pose:
        hit = mouse.under_pointer(desk, gesture)
        anchor = ZoomAnchor(None if hit is None else hit.point, spot, pose)
    return anchor


def pinch(desk: Desk, gesture: Gesture) -> None:
    """Pan and zoom with two fingers."""
    view = desk.view
    if view.camera_id == FREE_CAMERA:
        view.tracked, view.flight = -1, None
        view.camera.pan(gesture.dx, gesture.dy)
        view.camera.zoom(gesture.zoom)


def fly(desk: Desk, gesture: Gesture) -> None:
    _fly(desk, gesture, 1.0)


def fly_fast(desk: Desk, gesture: Gesture) -> None:
    _fly(desk, gesture, FAST)


def _fly(desk: Desk, gesture: Gesture, faster: float) -> None:
    """Travel along the keys that are held, and turn with the mouse; from a camera of the model, in its pose."""
    view, model = desk.view, desk.snapshot.model
    if model is None:
        return
    free_camera(view, desk.snapshot)
    view.tracked, view.flight = -1, None
    before = view.camera.lookat
    view.camera.look_around(gesture.dx, gesture.dy)
    length = FLIGHT_SPEED * view.flight_speed * faster * gesture.seconds
    view.camera.travel(length * np.array(gesture.way) / np.linalg.norm(gesture.way))
    if not in_reach(model, view.camera.lookat):
        view.camera.lookat = before


def flight_speed(desk: Desk, gesture: Gesture) -> None:
    """The wheel, while the right button is held."""
    view = desk.view
    view.flight_speed = float(np.clip(view.flight_speed * SPEED_STEP**gesture.dy, *SPEEDS))
    view.feedback.show_message(f"flight speed {view.flight_speed:.2g}x")
