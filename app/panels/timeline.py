"""The timeline: every step since the last reset, as far as memory reaches, to be gone back to."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.commands import GoTo, Send, SetPaused, StepOnce
from app.panels import theme
from app.snapshot import Snapshot
from app.state import ViewState
from app.widgets import em, font, icon_button


def timeline_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Buttons, and a slider over all moments."""
    run, span = snapshot.run, snapshot.run.history
    if icon_button(icons.ICON_FA_BACKWARD_FAST, "oldest", "the oldest moment that is kept"):
        send(GoTo(span.first))
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_BACKWARD_STEP, "back", "one step back   Left arrow"):
        send(StepOnce(-1))
    imgui.same_line(0, em(0.2))
    play = icons.ICON_FA_PLAY if run.paused else icons.ICON_FA_PAUSE
    if icon_button(play, "go on", "go on from here, forgetting what came after   Space", active=not run.paused):
        send(SetPaused(not run.paused))
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_FORWARD_STEP, "forward", "one step forward   Right arrow"):
        send(StepOnce(1))
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_FORWARD_FAST, "newest", "the newest moment"):
        send(GoTo(span.last))
    imgui.same_line()
    with font("mono"):
        imgui.text(f"{run.time:.3f} s")
        imgui.same_line()
        imgui.text_colored(theme.DIM, f"step {span.now} of {span.last}")
    imgui.set_next_item_width(-1)
    key = "##moment"
    now = round(view.editing[1]) if view.editing is not None and view.editing[0] == key else span.now
    last = max(span.last, span.first + 1)
    changed, moment = imgui.slider_int(key, now, span.first, last, "", imgui.SliderFlags_.no_input)
    if imgui.is_item_active():
        view.editing = (key, float(moment))
    elif view.editing is not None and view.editing[0] == key:
        view.editing = None
    if changed:
        send(GoTo(min(moment, span.last)))
    with font("mono", 0.95):
        imgui.text_colored(theme.DIM, f"{span.first_time:.3f} s")
        end = f"{span.last_time:.3f} s"
        imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(end).x - em(1))
        imgui.text_colored(theme.DIM, end)
