"""The moving pictures of a sweep, all in step: one for each value, with its caption and the button that takes it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.sweep.outcome import Outcome
from app.instruments.sweep.reel import loop_seconds
from app.instruments.sweep.state import SweepState
from app.instruments.sweep.worker import Sweep
from app.model.views import ModelView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.ui import theme
from app.ui.image_texture import image_texture, keep_textures
from app.ui.widgets import button, caption, elide, em, icon_button, pick, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

# width over height, and the width of a picture, in em: two of them in a narrow panel; in pixels a multiple of STEP
ASPECT, NARROW_EM, WIDE_EM, STEP = 1.5, 7.2, 13.0, 8


def grid(snapshot: Snapshot, view: ViewState, send: Send, found: Sweep, best: int) -> None:
    """A line of choices, and all pictures."""
    shown = view.of(SweepState)
    model, request = snapshot.model, found.request
    assert model is not None and request is not None
    _choices(model, view, request.task.seconds)
    room, gap = imgui.get_content_region_avail().x, imgui.get_style().item_spacing.x
    wanted = min(max((room - gap) / 2, em(NARROW_EM)), em(WIDE_EM))
    columns = max(int((room + gap + 0.5) / (wanted + gap)), 1)
    width = min((room - (columns - 1) * gap) / columns, 1.3 * em(WIDE_EM))
    scale = imgui.get_io().display_framebuffer_scale.x
    across = max(round(width * scale / STEP), 2) * STEP
    left = imgui.get_cursor_pos_x()
    for place in range(len(request.task.values)):
        if place % columns:
            imgui.same_line(left + (place % columns) * (width + gap))
        imgui.begin_group()
        imgui.push_id(place)
        _picture(view, send, found, place, (width, width / ASPECT), place == best, present(found, model, place))
        imgui.pop_id()
        imgui.end_group()
    shown.reel.ask((across, round(across / ASPECT)))
    keep_textures(shown.reel.textures, set(range(len(request.task.values))))


def _choices(model: ModelView, view: ViewState, seconds: float) -> None:
    """Play or hold, the time that is shown, and the camera."""
    sweep = view.of(SweepState)
    shown, reel = sweep, sweep.reel
    icon = icons.ICON_FA_PAUSE if reel.playing else icons.ICON_FA_PLAY
    speed = seconds / loop_seconds(seconds)
    pace = "" if speed == 1.0 else f", at {speed:.3g} times real time"
    if icon_button(icon, "play", f"play the pictures in a loop{pace}, or hold them"):
        reel.playing = not reel.playing
    imgui.same_line(0, em(0.3))
    room = imgui.get_content_region_avail().x
    wide = em(9) if model.ncam else 0.0
    imgui.set_next_item_width(max(room - wide - imgui.get_style().item_spacing.x, em(5)))
    moved, time = imgui.slider_float("##time", reel.time(seconds), 0.0, seconds, "%.3f s")
    tooltip("time after the start; drag it to hold the pictures there")
    if moved:
        reel.playing, reel.position = False, time / seconds * loop_seconds(seconds)
    if model.ncam:
        imgui.same_line()
        names = ["Free camera", *(element_name(model, "camera", camera) for camera in range(model.ncam))]
        cameras = [(camera, name, "") for camera, name in enumerate(names, FREE_CAMERA)]
        hint = "the camera of the pictures; the free one is that of the view"
        camera = pick("##camera", names[shown.camera + 1], lambda: cameras, shown.camera, hint)
        shown.camera = camera if camera is not None else shown.camera


def _picture(
    view: ViewState, send: Send, found: Sweep, place: int, size: tuple[float, float], best: bool, now: bool
) -> None:
    """One picture; a click shows its outcome as a ghost in the view."""
    shown, request, outcome = view.of(SweepState), found.request, found.outcomes.get(place)
    assert request is not None
    width, height = size
    corner = imgui.get_cursor_screen_pos()
    x, y = corner.x, corner.y
    if imgui.invisible_button(f"##picture {place}", (max(width, 1.0), max(height, 1.0))):
        shown.chosen = -1 if shown.chosen == place or outcome is None else place
    hovered = imgui.is_item_hovered()
    tooltip(_hint(found, place, outcome, shown.chosen == place))
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((x, y), (x + width, y + height), imgui.get_color_u32(theme.RAISED))
    time = shown.reel.time(request.task.seconds)
    pixels = shown.reel.picture(place, outcome, time) if outcome is not None and outcome.frames else None
    over = outcome is not None and outcome.has_diverged and time > outcome.seconds
    if pixels is not None:
        texture = image_texture(shown.reel.textures, place, pixels)
        tint = imgui.get_color_u32((0.55, 0.4, 0.4, 1.0) if over else (1.0, 1.0, 1.0, 1.0))
        draw.add_image(texture.get_tex_ref(), (x, y), (x + width, y + height), (0, 0), (1, 1), tint)
    if outcome is None and found.running:
        done = found.shares[place]
        draw.add_rect_filled((x, y + height - em(0.25)), (x + done * width, y + height), _tone(theme.ACCENT))
    edge = _edge(outcome, shown.chosen == place, best, hovered)
    if edge is not None:
        draw.add_rect((x, y), (x + width, y + height), _tone(edge), 0.0, thickness=em(0.13))
    _mark(outcome, (x, y, width, height))
    _caption(view, send, found, place, width, now)


def present(found: Sweep, model: ModelView, place: int) -> bool:
    """Whether the model has this value now."""
    assert found.request is not None
    return found.request.task.values[place] == found.request.task.choice.value(model)


def _mark(outcome: Outcome | None, box: tuple[float, float, float, float]) -> None:
    """On the picture: that it diverged."""
    if outcome is None or not (outcome.has_diverged or outcome.error):
        return
    x, y, width, height = box
    words = f"diverged at {outcome.diverged:.3g} s" if outcome.has_diverged else "cannot be run"
    tall, draw = imgui.get_text_line_height(), imgui.get_window_draw_list()
    draw.add_rect_filled((x, y + height - tall - em(0.3)), (x + width, y + height), _tone((0, 0, 0, 0.6)))
    draw.add_text((x + em(0.4), y + height - tall - em(0.15)), _tone(theme.ERROR), elide(words, width - em(0.6)))


def _tone(colour: theme.Rgba) -> int:
    return int(imgui.get_color_u32(colour))


def _edge(outcome: Outcome | None, chosen: bool, best: bool, hovered: bool) -> theme.Rgba | None:
    if chosen:
        return theme.ACCENT
    if outcome is not None and (outcome.has_diverged or outcome.error):
        return theme.ERROR
    if best:
        return theme.ADDED
    return theme.DIM if hovered else None


def _caption(view: ViewState, send: Send, found: Sweep, place: int, width: float, now: bool) -> None:
    """The value below the picture, and the button that takes it."""
    request, style = found.request, imgui.get_style()
    assert request is not None
    imgui.align_text_to_frame_padding()
    words = request.task.choice.text(request.task.values[place])
    mark = "current" if now else "Take"
    wide = imgui.calc_text_size(mark).x + (0.0 if now else 2 * style.frame_padding.x)
    imgui.text_colored(theme.ACCENT if now else theme.TEXT, elide(words, width - wide - style.item_spacing.x))
    tooltip(f"{request.task.choice.label}: {words}")
    imgui.same_line(width - wide)
    if now:
        caption(mark, "the model has this value", theme.ACCENT)
        return
    if button(mark, f"set {request.task.choice.label} to {words}; Ctrl+Z takes it back", small=True):
        send(view.of(SweepState).edit(place))


def _hint(found: Sweep, place: int, outcome: Outcome | None, chosen: bool) -> str:
    assert found.request is not None
    if outcome is None:
        return f"{100 * found.shares[place]:.0f} %" if found.running else "was not run"
    if outcome.error:
        return outcome.error
    then = f"\ndiverged {outcome.diverged:.4g} s after the start: {outcome.divergence}" if outcome.has_diverged else ""
    what = "hide its ghost" if chosen else "show it as a ghost in the view"
    return f"{found.request.task.choice.label}: {found.request.task.choice.text(outcome.value)}{then}\nclick: {what}"
