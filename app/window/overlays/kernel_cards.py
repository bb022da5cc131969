"""Cards about changed kernels: what was taken up and how to undo it, or why it was not."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.log.links import named_line
from app.ui import theme
from app.ui.notice import begin_notice, scrolled
from app.ui.widgets import elide, em, font, tooltip
from app.view.input import session_actions
from app.view.input.desk import Action
from app.view.view_state import ViewState

WIDTH_EM = 34.0


def kernel_card(view: ViewState, act: Callable[[Action], None], bottom: tuple[float, float]) -> None:
    """Kernels were taken up, or undone: one line, and a button for the other."""
    news = view.feedback.kernels
    text = news.taken or news.left
    theme.ensure_glyphs(text)
    begin_notice("##kernels", bottom, theme.LINE)
    imgui.align_text_to_frame_padding()
    shown = elide(f"{icons.ICON_FA_CODE}  {text}", min(em(WIDTH_EM), imgui.get_io().display_size.x - em(18)))
    imgui.text_colored(theme.ADDED if news.taken else theme.WARNING, shown)
    tooltip(f"{text}\nRecorded steps keep the states that they had; what follows from them is computed as it is now.")
    imgui.same_line()
    if news.taken:
        if imgui.button("Go back"):
            act(session_actions.old_kernels)
        tooltip("go on with the old kernels; the file stays as it is")
    else:
        if imgui.button("Take up again"):
            act(session_actions.new_kernels)
        tooltip("go on with the kernels of the file")
    imgui.same_line()
    if imgui.button(icons.ICON_FA_XMARK):
        act(session_actions.dismiss_kernels)
    tooltip("close this line; the kernels stay")
    imgui.end()


def kernel_fault_card(view: ViewState, act: Callable[[Action], None], bottom: tuple[float, float]) -> None:
    """A change was not taken up: why, until the next save."""
    fault = view.feedback.kernels.fault
    theme.ensure_glyphs(fault)
    begin_notice("##kernel fault", bottom, theme.ERROR)
    with font("bold"):
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  The changed kernel was not taken up")
    scrolled(fault, bottom[1] - em(9))
    imgui.text_colored(theme.DIM, "The old kernels go on. The next save is a new try.")
    imgui.dummy((0, em(0.2)))
    line = named_line(view.feedback.kernels.place)
    if line is not None and line.exists:
        if imgui.button("Open file##kernels"):
            line.open()
        tooltip(f"open {line}")
        imgui.same_line()
    if imgui.button("Copy##kernels"):
        imgui.set_clipboard_text(fault)
    tooltip("copy this text to the clipboard")
    imgui.same_line()
    if imgui.button("Dismiss##kernels"):
        act(session_actions.dismiss_kernels)
    tooltip("close this card")
    imgui.end()
