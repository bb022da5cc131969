"""Dragging handles: what a press takes, what the pointer and typed numbers do, how a drag ends.

While a handle is held the view gets no other gesture. A drag is one gesture of the journal; Escape takes it back.
"""

from __future__ import annotations

import time

from app.model.placing import Array, Ray, nearest_spot
from app.model.views import ModelView, StateView
from app.run.commands import DropGesture
from app.scene.camera import View
from app.scene.instances import Kind
from app.view.input.desk import Desk
from app.view.tools import FRAME, MEASURE, SURFACE, HandleDrag, handles_of, subject

ESCAPE, BACKSPACE = "\x1b", "\b"
# how near the pointer has to be to a frame, in halves of the height of the view
REACH = 0.06
MOST_POINTS = 3


def take_turn(desk: Desk, pressed: bool, held: tuple[bool, bool], typed: str) -> bool:
    """Let the tool have this turn's input; returns whether it took it. `held`: whether Ctrl and Shift are."""
    tools = desk.view.tools
    _sweep(desk)
    model, state, seen, pointer = desk.snapshot.model, desk.snapshot.state, desk.current_view(), desk.pointer
    if model is None or state is None or seen is None:
        tools.drag, tools.held = None, False
        return False
    if tools.drag is not None and tools.drag.model != model:
        # another model has been loaded meanwhile
        tools.drag = None
    if tools.held:
        if tools.drag is not None and pointer is not None:
            _drag(desk, tools.drag, model, state, Ray(*seen.ray(*pointer, desk.rect.aspect)), seen, held, typed)
        if not desk.dragging:
            tools.drag, tools.held = None, False
        return True
    if pointer is None:
        tools.hovered = -1
        return False
    if tools.tool == MEASURE:
        return pressed and _measure(desk, pointer)
    if not tools.places or subject(model, state, tools, desk.view.selection) is None or desk.dragging != pressed:
        tools.hovered = -1
        return False
    tools.hovered = desk.pick_handle(*pointer)
    if pressed and tools.hovered >= 0:
        _begin(desk, model, state, seen, Ray(*seen.ray(*pointer, desk.rect.aspect)))
    return tools.held


def _sweep(desk: Desk) -> None:
    """Let a joint go on through its range; at the end it is where it was."""
    sweep, model = desk.view.tools.sweep, desk.snapshot.model
    if sweep is None:
        return
    command = sweep.command(model, time.monotonic()) if model is not None and desk.run_state.paused else None
    desk.send(DropGesture(sweep.gesture) if command is None else command)
    desk.view.tools.sweep = None if command is None else sweep


def _begin(desk: Desk, model: ModelView, state: StateView, seen: View, ray: Ray) -> None:
    """Take the handle under the pointer."""
    tools = desk.view.tools
    what = subject(model, state, tools, desk.view.selection)
    handles, _ = handles_of(model, state, seen, tools, desk.view.selection)
    if what is not None and tools.hovered < len(handles):
        tools.drag = HandleDrag.begin(handles[tools.hovered], what, model, state, ray, tools.stay)
        tools.held = True


def _drag(
    desk: Desk,
    drag: HandleDrag,
    model: ModelView,
    state: StateView,
    ray: Ray,
    seen: View,
    held: tuple[bool, bool],
    typed: str,
) -> None:
    """Follow the pointer, or what is typed."""
    tools, (ctrl, shift) = desk.view.tools, held
    if ESCAPE in typed:
        tools.drag = None
        if drag.numbers:
            desk.send(DropGesture(drag.gesture))
        return
    for letter in typed:
        drag.typed = drag.typed[:-1] if letter == BACKSPACE else drag.typed + letter
    snap = tools.snap != ctrl
    spot = _spot(desk, drag, model, state, seen) if snap else None
    steps = (tools.grid, tools.angle) if snap else (_pixel(desk, seen, drag, state), 0.001)
    if drag.follow(state, ray, steps, shift, spot) and (command := drag.commands()) is not None:
        desk.send(command)


def _pixel(desk: Desk, seen: View, drag: HandleDrag, state: StateView) -> float:
    """A round length that is less than a pixel: a drag leaves no more digits than one can aim at."""
    depth = max(float((drag.what.shown(state).pos - seen.eye) @ -seen.axes[:, 2]), seen.near)
    size = seen.height_at(depth) / max(desk.rect.height, 1.0)
    return float(f"1e{int(f'{size:e}'.partition('e')[2])}")


def _spot(desk: Desk, drag: HandleDrag, model: ModelView, state: StateView, seen: View) -> Array | None:
    """The point of a surface, or the frame, to which a drag snaps."""
    tools, pointer = desk.view.tools, desk.pointer
    own = drag.what.index if drag.what.kind == "body" else -1
    if pointer is None:
        return None
    if tools.snap_to == SURFACE:
        picked = desk.pick(*pointer, decor=False, but=own if own >= 0 else drag.what.owner or -1)
        origin, direction = seen.ray(*pointer, desk.rect.aspect)
        return None if picked is None else origin + picked.distance * direction
    if tools.snap_to == FRAME:
        places = [state.xpos[body] for body in range(1, int(model.nbody)) if body != own]
        places += [
            state.site_xpos[k] for k in range(int(model.nsite)) if (drag.what.kind, drag.what.index) != ("site", k)
        ]
        places += [
            state.geom_xpos[k] for k in range(int(model.ngeom)) if (drag.what.kind, drag.what.index) != ("geom", k)
        ]
        aspect = desk.rect.aspect
        spots = [None if at is None else (at[0] * aspect, at[1]) for at in (seen.project(p, aspect) for p in places)]
        found = nearest_spot(spots, pointer[0] * aspect, pointer[1], REACH)
        return None if found is None else places[found]
    return None


def _measure(desk: Desk, pointer: tuple[float, float]) -> bool:
    """Set a point of the tape on what is under the pointer; a fourth begins a new one."""
    seen, picked = desk.current_view(), desk.pick(*pointer, decor=False)
    if seen is None or picked is None or picked.kind == Kind.NOTHING:
        return False
    origin, direction = seen.ray(*pointer, desk.rect.aspect)
    points = desk.view.tools.points
    kept = [] if len(points) >= MOST_POINTS else points
    desk.view.tools.points = [*kept, origin + picked.distance * direction]
    return False
