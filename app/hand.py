"""Picking and perturbing with the mouse: what a click selects, and what a drag does with the selection.

Each function takes the application whose frame is being made. A drag moves the target of the selection; what the
simulation is asked for follows from that and from the button (`perturbation`), again and again, so that whatever ends
a drag ends the pull: a release, another selection, another model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.bindings import Event
from app.camera import View, clip_planes
from app.commands import Perturbation
from app.grasp import Grasp
from app.instances import Kind
from app.panels.pull import pull_label
from app.picking import Hit, hit_of, pick
from app.snapshot import StateView
from app.state import FREE_CAMERA

if TYPE_CHECKING:
    from app.application import Application

# what has no surface of its own and is selected by the mark that is drawn for it
MARKS = (Kind.CONTACT, Kind.JOINT, Kind.ACTUATOR, Kind.TENDON, Kind.CAMERA, Kind.LIGHT)


def under_pointer(app: Application, event: Event) -> Hit | None:
    """What a click in the view meets."""
    model, state, scene = app.snapshot.model, app.snapshot.state, app.scene
    if model is None or state is None or scene is None:
        return None
    origin, direction = app.current_view(model, state).ray(event.x, event.y, app.aspect)
    drawn = app.drawn_at(event.x, event.y)
    if drawn is not None:
        hit = hit_of(model, state, drawn.kind, drawn.index, origin + drawn.distance * direction)
        if hit is not None:
            return hit
    return pick(model, state, scene.geoms, origin, direction)


def drag(app: Application, move: Callable[[Grasp, StateView, View], None]) -> None:
    """Let a drag move the target of the selection."""
    model, state, grasp = app.snapshot.model, app.snapshot.state, app.view.grasp
    if model is None or state is None or grasp is None:
        app.view.say("select a body first: double-click on it")
        return
    move(grasp, state, app.current_view(model, state))


def release(app: Application) -> None:
    """Let go when the button is released."""
    if app.view.grasp is not None and not app.input.dragging:
        app.view.grasp.let_go()


def perturbation(app: Application) -> Perturbation | None:
    """What the mouse does to the model at this moment: the drag of what is selected."""
    return None if app.view.grasp is None else app.view.grasp.perturbation()


def label(app: Application) -> None:
    """The strength of the pull beside its point, while there is one."""
    model, state, grasp, rect = app.snapshot.model, app.snapshot.state, app.view.grasp, app.rect
    if model is None or state is None or grasp is None or not grasp.pulls or app.snapshot.run.paused:
        return
    place = grasp.at(state) if grasp.target is None else grasp.target
    spot = app.current_view(model, state).project(place, app.aspect)
    if spot is not None:
        x, y = rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height
        pull_label(grasp.label(state), x, y)


def select_mark(app: Application, event: Event) -> bool:
    """Select a contact, a joint or whatever else is drawn as a mark; says whether there was one."""
    model, state, drawn = app.snapshot.model, app.snapshot.state, app.drawn_at(event.x, event.y)
    if model is None or state is None or drawn is None or drawn.kind not in MARKS:
        return False
    app.view.select(drawn.kind.name.lower(), drawn.index)
    return True


def grab(app: Application, body: int, point: Any) -> None:
    """Select a body at a point of the world; the world itself is no selection."""
    model, state = app.snapshot.model, app.snapshot.state
    if model is None or state is None or body <= 0:
        app.view.deselect()
        app.view.grasp = None
        return
    app.view.select("body", body)
    app.view.grasp = Grasp(body, state.xmat[body].reshape(3, 3).T @ (point - state.xpos[body]))


def follow_selection(app: Application) -> None:
    """Name what was selected, wherever that was; hold its body, and look at it if that was asked for."""
    view, model, state = app.view, app.snapshot.model, app.snapshot.state
    selection = view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        if view.named_anew:
            view.say("nothing is selected")
        view.selection, view.grasp, view.named_anew = None, None, False
        return
    if view.named_anew:
        view.say(f"selected {selection.title(model, state)}")
    body, place = selection.body(model, state), selection.place(model, state)
    if body <= 0:
        view.grasp = None
    elif view.grasp is None or view.grasp.body != body:
        view.grasp = Grasp(body, state.xmat[body].reshape(3, 3).T @ (place - state.xpos[body]))
    if view.fly and place is not None:
        near, _ = clip_planes(model, 0.0)
        view.flight = view.camera.flight(place, selection.radius(model, state), near)
        view.camera_id, view.tracked = FREE_CAMERA, -1
    view.fly = view.named_anew = False
