"""A quiet card while everything that moves is out of the view: what has happened, and what helps."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from imgui_bundle import imgui

from app.instruments import instruments
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.ui import theme
from app.ui.notice import notice
from app.ui.widgets import button, caption, em
from app.view.input import actions
from app.view.input.bindings import BY_ACTION
from app.view.input.desk import Action
from app.view.rect import Rect
from app.view.view_state import ViewState

TITLE = "Everything that moves has left the view"
# width of a view that has room for all buttons in a line
WIDE_EM = 26.0
HELP = tuple(
    (label, action, BY_ACTION[action].trigger, what)
    for label, action, what in (
        ("Follow it", actions.align, "move the camera there and track it"),
        ("Reset", actions.reset, "start again"),
    )
)


def look_out(snapshot: Snapshot, view: ViewState, rect: Rect) -> bool:
    """Whether what moves has left the view of the free camera, which tracks nothing."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or view.camera_id != FREE_CAMERA or view.tracked > 0 or view.has_user_geoms:
        view.sight.forget()
        return False
    seen = view.current_view(model, state)
    view.sight.look(model, state, seen, view.camera.pose(), rect.aspect, time.monotonic())
    return view.sight.lost


def out_of_view_card(view: ViewState, act: Callable[[Action], None], bottom: tuple[float, float], room: float) -> None:
    """What has happened, and the keys that help, as buttons: in a line, or below each other in a narrow view."""
    offered = [(f"{label}   {key}", f"{what}   {key}", partial(act, action)) for label, action, key, what in HELP]
    if "Doctor" in instruments():
        offered.append(("Doctor", "look for the cause in the model", partial(view.instruments.open, "Doctor")))
    with notice("##out of view", bottom, theme.LINE):
        imgui.push_text_wrap_pos(max(room - em(2.2), em(8)))
        caption(TITLE)
        imgui.pop_text_wrap_pos()
        for k, (label, hint, do) in enumerate(offered):
            if k and room > em(WIDE_EM):
                imgui.same_line(0, em(0.5))
            if button(f"{label}##out of view", hint):
                do()
