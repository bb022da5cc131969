"""Picking and perturbing with the mouse: what a click selects, and what a drag does with the selection.

A drag moves the target of the selection; what the
simulation is asked for follows from that and from the button (`perturbation`), again and again, so that whatever ends
a drag ends the pull: a release, another selection, another model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.input.desk import Desk
from app.input.gesture import Gesture
from app.run.commands import Perturbation
from app.run.snapshot import StateView
from app.scene.camera import FREE_CAMERA, View, clip_planes
from app.scene.instances import Kind
from app.scene.picking import Hit, hit_of
from app.view.perturb_drag import Grasp

# what has no surface of its own and is selected by the mark that is drawn for it
MARKS = (Kind.CONTACT, Kind.JOINT, Kind.ACTUATOR, Kind.TENDON, Kind.CAMERA, Kind.LIGHT)


def under_pointer(desk: Desk, gesture: Gesture) -> Hit | None:
    """What a click in the view meets; through marks, which are no part of a body."""
    model, state, view = desk.snapshot.model, desk.snapshot.state, desk.current_view()
    drawn = desk.drawn_at(gesture.x, gesture.y, marks=False)
    if model is None or state is None or view is None or drawn is None:
        return None
    origin, direction = view.ray(gesture.x, gesture.y, desk.rect.aspect)
    return hit_of(model, state, drawn.kind, drawn.index, origin + drawn.distance * direction)


def drag(desk: Desk, move: Callable[[Grasp, StateView, View], None]) -> None:
    """Let a drag move the target of the selection."""
    state, view, grasp = desk.snapshot.state, desk.current_view(), desk.view.grasp
    if state is None or view is None or grasp is None:
        desk.view.feedback.show_message("select a body first: double-click on it")
        return
    move(grasp, state, view)


def release(desk: Desk) -> None:
    """Let go when the button is released."""
    if desk.view.grasp is not None and not desk.dragging:
        desk.view.grasp.let_go()


def perturbation(desk: Desk) -> Perturbation | None:
    """What the mouse does to the model at this moment: the drag of what is selected."""
    return None if desk.view.grasp is None else desk.view.grasp.perturbation()


def select_mark(desk: Desk, gesture: Gesture) -> bool:
    """Select a contact, a joint or whatever else is drawn as a mark; says whether there was one."""
    model, state, drawn = desk.snapshot.model, desk.snapshot.state, desk.drawn_at(gesture.x, gesture.y)
    if model is None or state is None or drawn is None or drawn.kind not in MARKS:
        return False
    desk.view.select(drawn.kind.name.lower(), drawn.index)
    return True


def grab(desk: Desk, body: int, point: Any) -> None:
    """Select a body at a point of the world; the world itself is no selection."""
    model, state = desk.snapshot.model, desk.snapshot.state
    if model is None or state is None or body <= 0:
        desk.view.deselect()
        desk.view.grasp = None
        return
    desk.view.select("body", body)
    desk.view.grasp = Grasp(body, state.xmat[body].reshape(3, 3).T @ (point - state.xpos[body]))


def follow_selection(desk: Desk) -> None:
    """Name what was selected, wherever that was; hold its body, and look at it if that was asked for."""
    view, model, state = desk.view, desk.snapshot.model, desk.snapshot.state
    selection = view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        if view.feedback.announce_selection:
            view.feedback.show_message("nothing is selected")
        view.selection, view.grasp, view.feedback.announce_selection = None, None, False
        return
    if view.feedback.announce_selection:
        view.feedback.show_message(f"selected {selection.title(model, state)}")
    body, place = selection.body(model, state), selection.place(model, state)
    if body <= 0:
        view.grasp = None
    elif view.grasp is None or view.grasp.body != body:
        view.grasp = Grasp(body, state.xmat[body].reshape(3, 3).T @ (place - state.xpos[body]))
    if view.fly and place is not None:
        near, _ = clip_planes(model, 0.0)
        view.flight = view.camera.flight(place, selection.radius(model, state), near)
        view.camera_id, view.tracked = FREE_CAMERA, -1
    view.fly = view.feedback.announce_selection = False
