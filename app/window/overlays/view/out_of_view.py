"""A quiet card while everything that moves is out of the view: what has happened, and what helps."""

from __future__ import annotations

import time
from collections.abc import Callable

from imgui_bundle import imgui

from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.ui import theme
from app.ui.notice import begin_notice
from app.ui.widgets import em, tooltip
from app.view.input import actions
from app.view.input.bindings import BY_ACTION
from app.view.input.desk import Action
from app.view.rect import Rect
from app.view.view_state import ViewState

TITLE = "Everything that moves has left the view"
# width of a view that has room for all buttons in a line
WIDE_EM = 26.0
HELP = (
    ("Follow it", actions.align, "look at where it is now, and track it"),
    ("Reset", actions.reset, "begin again"),
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
    """What has happened, and the keys that help, as buttons: beside each other, or below in a view narrower than so."""
    begin_notice("##out of view", bottom, theme.LINE)
    imgui.push_text_wrap_pos(max(room - em(2.2), em(8)))
    imgui.text_colored(theme.DIM, TITLE)
    imgui.pop_text_wrap_pos()
    for k, (label, action, what) in enumerate(HELP):
        if k and room > em(WIDE_EM):
            imgui.same_line(0, em(0.5))
        key = BY_ACTION[action].trigger
        if imgui.button(f"{label}   {key}##out of view"):
            act(action)
        tooltip(f"{what}   {key}")
    if room > em(WIDE_EM):
        imgui.same_line(0, em(0.5))
    if imgui.button("Doctor##out of view"):
        view.instruments.open("Doctor")
    tooltip("examine the model: it may say why")
    imgui.end()
