"""The record button of the toolbar, with video options in its context menu."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.capture.recording import RecordingOptions
from app.input import actions
from app.input.bindings import BY_ACTION
from app.input.desk import Action
from app.ui import theme
from app.ui.widgets import em, font, icon_button, tooltip
from app.view.view_state import ViewState

RATES = (24, 25, 30, 50, 60)


def record_button(view: ViewState, act: Callable[[Action], None]) -> None:
    """Start or stop recording; right-click for options. While recording, its length is shown."""
    binding = BY_ACTION[actions.record]
    on = view.recording is not None
    if icon_button(icons.ICON_FA_VIDEO, "record", f"{binding.help}; right-click for options   {binding.trigger}", on):
        act(actions.record)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        imgui.open_popup("video options")
    imgui.same_line(0, em(0.15))
    if view.recording is not None:
        imgui.align_text_to_frame_padding()
        with font("mono"):
            imgui.text_colored(theme.ERROR, f"{view.recording.seconds:.1f} s")
        imgui.same_line()
    if imgui.begin_popup("video options"):
        _options(view.recording_options)
        imgui.end_popup()


def _options(options: RecordingOptions) -> None:
    """Format, frame rate, clock and content of the next video."""
    _, options.gif = imgui.checkbox("gif", options.gif)
    tooltip("gif instead of mp4: larger, with fewer colours, but plays anywhere")
    _, options.panels = imgui.checkbox("With panels", options.panels)
    tooltip("record the whole window, not only the view")
    _, options.wall_time = imgui.checkbox("Wall time", options.wall_time)
    tooltip("play as on the screen, with pauses and slow motion; otherwise in simulated time")
    imgui.set_next_item_width(em(6))
    names = [f"{rate} / s" for rate in RATES]
    chosen = RATES.index(options.fps) if options.fps in RATES else len(RATES) - 1
    changed, chosen = imgui.combo("Frames", chosen, names)
    tooltip(f"frames per second of the video\ndefault {RecordingOptions.fps}")
    if changed:
        options.fps = RATES[chosen]
