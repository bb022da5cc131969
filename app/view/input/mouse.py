"""Picking and perturbing with the mouse: what a click selects, and what a drag does with the selection.

A drag moves the target of the perturbation. What is sent to the simulation follows from that and from the button
(`perturbation`), again and again, so that whatever ends a drag ends the force: a release, another selection, another
model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.model.views import StateView
from app.run.commands import Perturbation
from app.scene.camera import FREE_CAMERA, View, clip_planes
from app.scene.instances import Kind
from app.scene.picking import Hit, hit_of
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture
from app.view.perturb_drag import PerturbDrag

# elements without a surface: selected by the decoration that is picked for them
DECOR = (Kind.CONTACT, Kind.JOINT, Kind.ACTUATOR, Kind.TENDON, Kind.CAMERA, Kind.LIGHT)


def under_pointer(desk: Desk, gesture: Gesture) -> Hit | None:
    """What is under the pointer, ignoring decoration, which is not part of a body."""
    model, state, view = desk.snapshot.model, desk.snapshot.state, desk.current_view()
    picked = desk.pick(gesture.x, gesture.y, decor=False)
    if model is None or state is None or view is None or picked is None:
        return None
    origin, direction = view.ray(gesture.x, gesture.y, desk.rect.aspect)
    return hit_of(model, state, picked.kind, picked.index, origin + picked.distance * direction)


def drag(desk: Desk, move: Callable[[PerturbDrag, StateView, View], None]) -> None:
    """Let a drag move the target of the perturbation."""
    state, view, perturb = desk.snapshot.state, desk.current_view(), desk.view.perturb
    if state is None or view is None or perturb is None:
        desk.view.feedback.show_message("select a body first: double-click on it")
        return
    move(perturb, state, view)


def release(desk: Desk) -> None:
    """End the drag when the button is released."""
    if desk.view.perturb is not None and not desk.dragging:
        desk.view.perturb.release()


def perturbation(desk: Desk) -> Perturbation | None:
    """What the mouse does to the model now."""
    return None if desk.view.perturb is None else desk.view.perturb.perturbation()


def select_decor(desk: Desk, gesture: Gesture) -> bool:
    """Select a contact, a joint or another decoration under the pointer; returns whether there is one."""
    model, state, picked = desk.snapshot.model, desk.snapshot.state, desk.pick(gesture.x, gesture.y)
    if model is None or state is None or picked is None or picked.kind not in DECOR:
        return False
    desk.view.select(picked.kind.name.lower(), picked.index)
    return True


def select_body(desk: Desk, body: int, point: Any) -> None:
    """Select a body at a point in the world; the world body deselects."""
    model, state = desk.snapshot.model, desk.snapshot.state
    if model is None or state is None or body <= 0:
        desk.view.deselect()
        desk.view.perturb = None
        return
    desk.view.select("body", body)
    desk.view.perturb = PerturbDrag(body, state.xmat[body].reshape(3, 3).T @ (point - state.xpos[body]))


def follow_selection(desk: Desk) -> None:
    """After a selection anywhere: name it in the status line, perturb its body, fly to it if requested."""
    view, model, state = desk.view, desk.snapshot.model, desk.snapshot.state
    selection = view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        if view.feedback.announce_selection:
            view.feedback.show_message("nothing is selected")
        view.selection, view.perturb, view.feedback.announce_selection = None, None, False
        return
    if view.feedback.announce_selection:
        view.feedback.show_message(f"selected {selection.title(model, state)}")
    body, place = selection.body(model, state), selection.place(model, state)
    if body <= 0:
        view.perturb = None
    elif view.perturb is None or view.perturb.body != body:
        view.perturb = PerturbDrag(body, state.xmat[body].reshape(3, 3).T @ (place - state.xpos[body]))
    if view.fly and place is not None:
        near, _ = clip_planes(model, 0.0)
        view.flight = view.camera.flight(place, selection.radius(model, state), near)
        view.camera_id, view.tracked = FREE_CAMERA, -1
    view.fly = view.feedback.announce_selection = False
