"""The record button of the toolbar: videos, films of the past, recordings of the run; options in its context menu."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.render.capture.frame_size import PRESETS, parse_size, size_cost, size_fault, size_text
from app.render.capture.gif_palette import RATES as GIF_RATES
from app.render.capture.recording import RecordingOptions
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import quantity
from app.ui.widgets import caption, checkbox, em, font, icon_button, menu_item, pick, speed_text, tooltip
from app.view.input import actions
from app.view.input.bindings import BY_ACTION, hint
from app.view.input.desk import Action
from app.view.input.film import from_camera
from app.view.input.run_recording import is_on
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

HINT = "width x height"
RATES = (24, 25, 30, 50, 60)
GIF_WIDTHS = (320, 480, 640, 800, 1280, 0)
SPEEDS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0)
Act = Callable[[Action], None]


def record_button(snapshot: Snapshot, view: ViewState, act: Act) -> None:
    """Start or stop a video; right-click for more. The length of the video is shown, and the size of a recording."""
    binding = BY_ACTION[actions.record]
    on = view.video is not None
    if icon_button(icons.ICON_FA_VIDEO, "record", f"{binding.help}; right-click for more   {binding.trigger}", on):
        act(actions.record)
    if imgui.is_item_clicked(imgui.MouseButton_.right) or view.ui.show_video_options:
        view.ui.show_video_options = False
        imgui.open_popup("video options")
    imgui.same_line(0, em(0.15))
    if view.video is not None:
        _note(f"{view.video.seconds:.1f} s", str(view.video.path))
    if snapshot.run.recording is not None and is_on(snapshot.run):
        report = snapshot.run.recording
        _note(f"ktr {quantity(report.bytes, 'B')}", f"a recording of the run is being written\n{report.path}")
    if imgui.begin_popup("video options"):
        _film(snapshot, act)
        imgui.separator()
        _options(view)
        imgui.separator()
        _recording(snapshot.run, act)
        imgui.end_popup()


def _note(text: str, meaning: str) -> None:
    """What is being made, in red."""
    imgui.align_text_to_frame_padding()
    with font("mono"):
        imgui.text_colored(theme.ERROR, text)
    tooltip(meaning)
    imgui.same_line()


def _item(label: str, action: Action, act: Act, checked: bool = False) -> None:
    """A line of the menu for an action of the bindings."""
    if menu_item(label, hint(action), shortcut=BY_ACTION[action].trigger, checked=checked):
        act(action)


def _film(snapshot: Snapshot, act: Act) -> None:
    """Films of the past: of the view, and through the cameras of the model."""
    _item("Film the range", actions.film_range, act)
    _item("Web page of the range", actions.export_page, act)
    model = snapshot.model
    if model is None or not model.ncam:
        return
    hint, names = (
        "film the range of the timeline through",
        [element_name(model, "camera", k) for k in range(model.ncam)],
    )
    named = [(k, name, f"{hint} {name}") for k, name in enumerate(names)]
    chosen = pick("##film from", "Film from camera…", lambda: named, -1, f"{hint} a camera of the model", em(12))
    if chosen is not None:
        act(from_camera(chosen))
        imgui.close_current_popup()


def _options(view: ViewState) -> None:
    """Format, size, frame rate, clock and content of the next video, and the size of images."""
    options = view.recording_options
    size_choice(view)
    options.gif = checkbox("gif", options.gif, "gif instead of mp4: fewer colours, but plays anywhere")
    if options.gif:
        width = _choice("Gif width", GIF_WIDTHS, options.gif_width, [_width_text(width) for width in GIF_WIDTHS])
        tooltip(f"maximum width of a gif, whatever the frame size\ndefault {RecordingOptions.gif_width}")
        options.gif_width = GIF_WIDTHS[width] if width is not None else options.gif_width
    name, rates = ("gif_fps", GIF_RATES) if options.gif else ("fps", RATES)
    rate = _choice("Frames", rates, getattr(options, name), [f"{rate} / s" for rate in rates])
    exact = "\ngif frames last whole hundredths of a second: these rates are exact" if options.gif else ""
    tooltip(f"frames per second of the video\ndefault {getattr(RecordingOptions, name)}{exact}")
    if rate is not None:
        setattr(options, name, rates[rate])
    speed = _choice("Speed", SPEEDS, options.speed, [speed_text(speed) for speed in SPEEDS])
    tooltip(f"for films of recorded time: simulated seconds per second\ndefault {RecordingOptions.speed:g}")
    options.speed = SPEEDS[speed] if speed is not None else options.speed
    _, options.panels = imgui.checkbox("With panels", options.panels)
    tooltip("record the whole window, at its own size, not just the view")
    _, options.wall_time = imgui.checkbox("Wall time", options.wall_time)
    tooltip("on: the video plays as on the screen, with pauses and slow motion; off: in simulated time")
    _, options.with_recording = imgui.checkbox("Embed the run", options.with_recording)
    tooltip("the video contains a recording of the run: open it here to jump to any time")
    view.prefs.video = options.to_remember()


def _width_text(width: int) -> str:
    return f"{width} pixels" if width else "any width"


def _choice(label: str, values: tuple[float, ...], value: float, names: list[str]) -> int | None:
    """A list of values; returns the index of one that is chosen."""
    imgui.set_next_item_width(em(8))
    changed, chosen = imgui.combo(label, values.index(value) if value in values else len(values) - 1, names)
    return chosen if changed else None


def _recording(run: RunState, act: Act) -> None:
    """Recordings of the run."""
    _item("Record run (.ktr)", actions.record_run, act, is_on(run))
    _item("Save recording of the past as…", actions.save_recording, act)
    imgui.separator()
    _item("Export this moment…", actions.export_moment, act)


def size_choice(view: ViewState) -> None:
    """Choose a size, or type one; below it the sizes of images and videos, what they cost, or why not."""
    options = view.recording_options
    keys = [*PRESETS, *([options.size] if options.size not in PRESETS else [])]
    imgui.set_next_item_width(em(14))
    names = [PRESETS.get(key, key.replace("x", " x ")) for key in keys]
    changed, chosen = imgui.combo("Size", keys.index(options.size), names)
    tooltip("for images and videos without panels, which are drawn again at this size and aspect ratio")
    if changed:
        options.size, view.ui.typed_size = keys[chosen], ""
    imgui.set_next_item_width(em(14))
    _, view.ui.typed_size = imgui.input_text_with_hint("Other size", HINT, view.ui.typed_size)
    tooltip("type width and height in pixels, say 2000 x 500; then press Enter")
    typed = view.ui.typed_size.strip()
    fault = _typed_fault(view, typed)
    if typed and imgui.is_item_deactivated_after_edit() and not fault:
        width, height = parse_size(typed) or (0, 0)
        options.size, view.ui.typed_size = f"{width}x{height}", ""
        fault = ""
    _size_note(view, fault)


def _typed_fault(view: ViewState, typed: str) -> str:
    """Why what is typed is not taken; empty if it is."""
    size = parse_size(typed)
    if not typed:
        return ""
    return f"'{typed}' is not a size such as 1920 x 1080" if size is None else size_fault(size, view.largest_image)


def _size_note(view: ViewState, typed_fault: str) -> None:
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
            text += "; videos with panels: the window's size"
        elif options.gif:
            text += f"; gifs {size_text(video)}"
        else:
            text += f"; videos {size_text(video)}" + (", as h264 needs even numbers" if video != drawn else "")
        caption(text)
        if options.size and (cost := size_cost(options.frame_size(shown), shown)):
            imgui.text_colored(theme.WARNING, cost)
    imgui.pop_text_wrap_pos()
