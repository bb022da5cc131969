"""Actions that change the elements of the file."""

from __future__ import annotations

from app.files.new_model import write_new_model
from app.files.output import reason
from app.model.selection import Selection
from app.view import building, saving
from app.view.build_state import Building
from app.view.input import mouse
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture


def new_world(desk: Desk, _: Gesture) -> None:
    """An empty world, with a floor and a light, that has no file of its own until it is saved."""
    # takes a while to import, and few need it
    from sim.spec.new import EMPTY_WORLD

    try:
        path = write_new_model(EMPTY_WORLD)
    except OSError as error:
        desk.report("There is no new world", reason(error))
        return
    saving.leave(desk.view, desk.send, saving.Leaving(str(path)))


def delete(desk: Desk, _: Gesture) -> None:
    """Delete what is selected."""
    elements = building.selected(desk.view)
    if elements and desk.snapshot.model is not None:
        building.delete(desk.view, desk.snapshot, desk.send, elements)
    else:
        desk.view.feedback.show_message("select what to delete first")


def duplicate(desk: Desk, _: Gesture) -> None:
    """Copy what is selected."""
    elements = building.selected(desk.view)
    if elements:
        building.duplicate(desk.view, desk.snapshot, desk.send, elements)
    else:
        desk.view.feedback.show_message("select what to duplicate first")


def choose(desk: Desk, gesture: Gesture) -> None:
    """Add the body under the pointer to the selection, or take it out."""
    hit = mouse.under_pointer(desk, gesture)
    if hit is not None and hit.body > 0:
        building.toggle_chosen(desk.view, "body", hit.body)


def menu(desk: Desk, gesture: Gesture) -> None:
    """The menu of what is under the pointer."""
    view, model = desk.current_view(), desk.snapshot.model
    if view is None or model is None:
        return
    hit = mouse.under_pointer(desk, gesture)
    element, body = Selection("body", 0), 0
    if hit is not None:
        body, point = hit.body, hit.point
        element = Selection("geom", hit.geom) if hit.geom >= 0 and not body else Selection("body", body)
    else:
        origin, direction = view.ray(gesture.x, gesture.y, desk.rect.aspect)
        # the ground, or what is as far away as the middle of the view
        down = -origin[2] / direction[2] if direction[2] < 0 else 0.0
        point = origin + (down or desk.view.camera.distance) * direction
    if body and body not in {one.index for one in desk.view.of(Building).chosen}:
        mouse.select_body(desk, body, point)
        desk.view.of(Building).chosen.clear()
    desk.view.of(Building).opens_menu = True
    desk.view.of(Building).menu = element, (float(point[0]), float(point[1]), float(point[2]))
