"""A barrier around each part of the GUI: one that fails is left out and says so, and everything else lives on.

A part is a panel, an overlay, the picture, a script's own panel. What it began in ImGui and ImPlot and did not end is
ended for it. It is tried again when the user asks for that.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot

from app.run.error_text import describe
from app.ui import theme
from app.ui.widgets import beside, elide, em, tooltip
from app.view.feedback import Fault, Faults

# how ImGui complains about what is begun and not ended
COMPLAINTS = tuple(f"config_error_recovery_enable_{way}" for way in ("assert", "debug_log", "tooltip"))


def attempt(faults: Faults, part: Hashable, work: Callable[[], object]) -> bool:
    """Do the work of a part, unless it has failed before; whether it is sound."""
    if part not in faults:
        try:
            work()
        except Exception as error:
            traceback.print_exc()
            faults[part] = Fault(describe(error))
    return part not in faults


def guarded(faults: Faults, part: Hashable, draw: Callable[[], object]) -> bool:
    """The same for what is drawn with ImGui."""
    before = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(before)

    def whole() -> None:
        draw()
        # what a part leaves open is a fault too, and ImGui would find it in the parts around it
        imgui.internal.error_recovery_try_to_recover_state(before)

    sound = attempt(faults, part, whole)
    if not sound:
        close_what_is_open(before)
    return sound


def close_what_is_open(before: imgui.internal.ErrorRecoveryState) -> None:
    """End what was begun and left half done, without a complaint."""
    io = imgui.get_io()
    kept = {name: getattr(io, name) for name in COMPLAINTS}
    for name in COMPLAINTS:
        setattr(io, name, False)
    if implot.internal.get_current_plot() is not None:
        implot.end_plot()
    imgui.internal.error_recovery_try_to_recover_state(before)
    for name, value in kept.items():
        setattr(io, name, value)


def fault_note(faults: Faults, part: Hashable, name: str) -> None:
    """In the place of a part that has failed: its name, a way to draw it again, and why it failed."""
    text = faults[part].text
    theme.cover(text)
    title = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {name} has failed"
    imgui.text_colored(theme.WRONG, elide(title, imgui.get_content_region_avail().x))
    tooltip(text)
    beside("Try again")
    if imgui.button(f"Try again##{name}"):
        del faults[part]
    tooltip("draw it again: what it failed at may be over")
    beside("Copy")
    if imgui.button(f"Copy##{name}"):
        imgui.set_clipboard_text(f"{name} has failed\n{text}")
    tooltip("copy these words to the clipboard")
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + max(imgui.get_content_region_avail().x, em(8)))
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
