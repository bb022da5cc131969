"""Error boundary around each part of the GUI: a part that raises is replaced by its error, and the rest runs on.

A part is a panel, an overlay, the 3D view or a script's panel. ImGui and ImPlot scopes that it left open are closed.
It is drawn again when the user presses "Try again".
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot

from app.files.error_text import describe
from app.ui import theme
from app.ui.widgets import button, caption, elide, em, same_line_if_fits
from app.view.feedback import Fault, Faults

# how ImGui reports a Begin without an End
REPORTS = tuple(f"config_error_recovery_enable_{way}" for way in ("assert", "debug_log", "tooltip"))


def attempt(faults: Faults, part: Hashable, work: Callable[[], object]) -> bool:
    """Run a part unless it has failed before; returns whether it works."""
    if part not in faults:
        try:
            work()
        except Exception as error:
            traceback.print_exc()
            faults[part] = Fault(describe(error))
    return part not in faults


def guarded(faults: Faults, part: Hashable, draw: Callable[[], object]) -> bool:
    """The same for a part that draws with ImGui."""
    before = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(before)

    def draw_and_check() -> None:
        draw()
        # a scope left open is an error too, and ImGui would report it in another part
        imgui.internal.error_recovery_try_to_recover_state(before)

    works = attempt(faults, part, draw_and_check)
    if not works:
        close_open_scopes(before)
    return works


def close_open_scopes(before: imgui.internal.ErrorRecoveryState) -> None:
    """Close every ImGui and ImPlot scope opened since `before`, without error reports."""
    io = imgui.get_io()
    previous = {name: getattr(io, name) for name in REPORTS}
    for name in REPORTS:
        setattr(io, name, False)
    if implot.internal.get_current_plot() is not None:
        implot.end_plot()
    imgui.internal.error_recovery_try_to_recover_state(before)
    for name, value in previous.items():
        setattr(io, name, value)


def fault_note(faults: Faults, part: Hashable, name: str) -> None:
    """Drawn in place of a part that has failed: its name, the error, and a button to try again."""
    text = faults[part].text
    theme.ensure_glyphs(text)
    title = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {name} failed"
    caption(elide(title, imgui.get_content_region_avail().x), text, theme.ERROR)
    same_line_if_fits("Try again")
    if button(f"Try again##{name}", "draw it again; the cause may be gone"):
        del faults[part]
    same_line_if_fits("Copy")
    if button(f"Copy##{name}", "copy this text to the clipboard"):
        imgui.set_clipboard_text(f"{name} failed\n{text}")
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + max(imgui.get_content_region_avail().x, em(8)))
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
