"""The size of images and videos in the menu of the record button: a list, a field to type in, and what comes of it."""

from __future__ import annotations

from imgui_bundle import imgui

from app.render.capture.frame_size import PRESETS, parse_size, size_cost, size_fault, size_text
from app.ui import theme
from app.ui.widgets import caption, em, tooltip
from app.view.view_state import ViewState

HINT = "width x height"


def size_choice(view: ViewState) -> None:
    """Choose a size, or type one; below it the sizes of images and videos, what they cost, or why not."""
    options = view.recording_options
    keys = [*PRESETS, *([options.size] if options.size not in PRESETS else [])]
    imgui.set_next_item_width(em(14))
    names = [PRESETS.get(key, key.replace("x", " x ")) for key in keys]
    changed, chosen = imgui.combo("Size", keys.index(options.size), names)
    tooltip("of images and of videos without panels, drawn again in that size; its aspect is that of the size")
    if changed:
        options.size, view.ui.typed_size = keys[chosen], ""
    imgui.set_next_item_width(em(14))
    _, view.ui.typed_size = imgui.input_text_with_hint("Other size", HINT, view.ui.typed_size)
    tooltip("type width and height in pixels, 2000 x 500 say; then press Enter")
    typed = view.ui.typed_size.strip()
    fault = _typed_fault(view, typed)
    if typed and imgui.is_item_deactivated_after_edit() and not fault:
        width, height = parse_size(typed) or (0, 0)
        options.size, view.ui.typed_size = f"{width}x{height}", ""
        fault = ""
    _note(view, fault)


def _typed_fault(view: ViewState, typed: str) -> str:
    """Why what is typed is not taken; empty if it is."""
    size = parse_size(typed)
    if not typed:
        return ""
    return f"'{typed}' is not a size such as 1920 x 1080" if size is None else size_fault(size, view.largest_image)


def _note(view: ViewState, typed_fault: str) -> None:
    """The sizes that come of it; what they cost, or why they are refused."""
    options, shown = view.recording_options, view.shown_size
    drawn = options.drawn_size(shown)
    fault = typed_fault or size_fault(drawn, view.largest_image)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + em(20))
    if fault:
        imgui.text_colored(theme.ERROR, fault)
    elif min(drawn) > 0:
        video = options.video_size(drawn)
        text = f"images {size_text(drawn)}"
        if options.panels:
            text += "; videos with panels as the window"
        elif options.gif:
            text += f"; gifs {size_text(video)}"
        else:
            text += f"; videos {size_text(video)}" + (", as h264 needs even numbers" if video != drawn else "")
        caption(text)
        if options.size and (cost := size_cost(options.frame_size(shown), shown)):
            imgui.text_colored(theme.WARNING, cost)
    imgui.pop_text_wrap_pos()
