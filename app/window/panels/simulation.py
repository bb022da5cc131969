"""The Simulation panel: run, pause, step, reset, speed, keyframes, camera, model size."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.resources import SceneFile, bundled_scenes
from app.instruments.offer import offer
from app.model.model_title import model_title
from app.model.views import ModelView
from app.run.commands import AddKey, Reset, SaveKey, Send, SetPaused, SetSpeed, StepOnce
from app.run.run_state import NOT_PACED, RunState
from app.run.snapshot import Snapshot
from app.run.step_clock import MAX_SPEED, MIN_SPEED
from app.scene.camera import FREE_CAMERA
from app.ui import theme
from app.ui.quantities import si
from app.ui.widgets import (
    button,
    checkbox,
    colour,
    disabled,
    elide,
    em,
    font,
    grab_center,
    note,
    number_beside,
    number_row,
    quantity_row,
    same_line_if_fits,
    section,
    speed_text,
    tooltip,
)
from app.view.input import actions
from app.view.input.bindings import BY_ACTION, hint
from app.view.mjcf_text import camera_xml, keyframe_xml
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name
from sim.enums import ENBL_ENERGY

SPEED_HINT = "simulated seconds per second, 1/64x to 8x   - =\nright-click: real time; ctrl+click: type a number"
# a narrower button shows only its icon
BUTTON_EM = 4.2
# width of the number next to the slider
SPEED_EM = 3.2
# a panel below this height is low
LOW_EM = 20.0
# a dragged speed snaps to a power of two within this many octaves
SNAP = 0.12
# preferences, with label and tooltip
SWITCHES = (
    ("show_gizmo", "Axes in the corner", "the axes of the world in a corner of the view: click a side, or drag them"),
    ("zoom_to_pointer", "Zoom to the pointer", "the point under the pointer stays in place when you zoom"),
    ("invert_scroll", "Reverse the wheel", "the wheel zooms the other way"),
)


@cache
def scenes() -> list[SceneFile]:
    """The bundled scenes, read once."""
    return bundled_scenes()


def simulation_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Title, transport, speed, numbers, keyframes, camera, model size."""
    run = snapshot.run
    _title(snapshot)
    # in a low panel the buttons come before the caption
    low = imgui.get_window_height() < em(LOW_EM)
    if not low:
        _caption(run)
    _transport(run, send)
    if low:
        _caption(run)
    _speed(run, send)
    _numbers(snapshot, view)
    if snapshot.model is not None:
        keyframes_section(snapshot, view, send)
        camera_section(snapshot, view)
        _model(snapshot)


def _title(snapshot: Snapshot) -> None:
    """The name of the file."""
    run = snapshot.run
    name = model_title(run.path, snapshot.model.name) if snapshot.model is not None else "no model"
    with font("bold", 1.2):
        imgui.text(elide(name.replace("_", " "), imgui.get_content_region_avail().x))
    if run.path:
        tooltip(run.path)


def _caption(run: RunState) -> None:
    """The caption of a bundled scene."""
    caption = next((scene.caption for scene in scenes() if scene.path == Path(run.path)), "")
    if caption:
        note(caption)


def _transport(run: RunState, send: Send) -> None:
    """Run or pause, step, reset."""
    imgui.dummy((0, em(0.2)))
    spacing = imgui.get_style().item_spacing.x
    width = (imgui.get_content_region_avail().x - 2 * spacing) / 3

    def named(icon: str, name: str) -> str:
        return f"{icon}  {name}" if width > em(BUTTON_EM) else icon

    label = named(icons.ICON_FA_PLAY, "Run") if run.paused else named(icons.ICON_FA_PAUSE, "Pause")
    with colour(imgui.Col_.button, (*theme.ACCENT[:3], 0.32) if run.paused else theme.RAISED):
        if imgui.button(f"{label}###run", (width, 0)):
            send(SetPaused(not run.paused))
    tooltip(hint(actions.play_pause))
    imgui.same_line()
    label, explained = named(icons.ICON_FA_FORWARD_STEP, "Step"), f"{hint(actions.step)}; while paused"
    if button(f"{label}###step", explained, run.paused and run.ready, (width, 0)):
        send(StepOnce())
    imgui.same_line()
    if button(f"{named(icons.ICON_FA_ARROW_ROTATE_LEFT, 'Reset')}###reset", hint(actions.reset), size=(width, 0)):
        send(Reset())


def _speed(run: RunState, send: Send) -> None:
    """Speed on a logarithmic slider; right-click restores real time. Disabled if a script runs the simulation."""
    section("Speed")
    imgui.set_next_item_width(-em(SPEED_EM) if run.paced else -1)
    flags = imgui.SliderFlags_.logarithmic
    text = " " if run.paced else "set by the script"
    with disabled(not run.paced):
        changed, speed = imgui.slider_float("##speed", run.speed, MIN_SPEED, MAX_SPEED, text, flags)
    tooltip(SPEED_HINT if run.paced else NOT_PACED)
    if not run.paced:
        return
    _mark_real_time()
    if changed and speed > 0:
        send(SetSpeed(_round_speed(speed) if imgui.is_mouse_down(0) else speed))
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        send(SetSpeed(1.0))
    number_beside(speed_text(run.speed))


def _round_speed(speed: float) -> float:
    """A dragged speed, snapped to a power of two nearby."""
    nearest = 2.0 ** round(math.log2(speed))
    return nearest if abs(math.log2(speed / nearest)) < SNAP else speed


def _mark_real_time() -> None:
    """A notch at real time in the last slider."""
    (left, top), (right, bottom) = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    share = math.log(1 / MIN_SPEED) / math.log(MAX_SPEED / MIN_SPEED)
    x = left + grab_center(share, right - left)
    draw, ink = imgui.get_window_draw_list(), imgui.get_color_u32(theme.DIM)
    for y, end in ((top, 0.15), (bottom, -0.15)):
        draw.add_line((x, y), (x, y + end * (bottom - top)), ink)


def _numbers(snapshot: Snapshot, view: ViewState) -> None:
    """Time, rate, step cost, steps, timestep, and the energy if it is computed."""
    run, state = snapshot.run, snapshot.state
    number_row("Time", f"{run.time:.3f}", "s", "simulated time; d.time")
    behind = run.paced and run.rate and run.rate < 0.95 * run.speed
    with colour(imgui.Col_.text, theme.WARNING if behind else theme.TEXT):
        hint_text = f"{'recorded' if run.replaying else 'measured: simulated'} seconds per second"
        number_row("Rate", f"{run.rate:.2f}", "x", hint_text)
    value, prefix = si(run.step_seconds)
    number_row("Step cost", value, f"{prefix}s", "CPU time per step; with a script: CPU time per loop, excluding sleep")
    number_row("Steps", f"{run.steps:,}".replace(",", " "), "", "since the last reset")
    if snapshot.model is not None:
        value, prefix = si(snapshot.model.opt.timestep)
        number_row("Timestep", value, f"{prefix}s", "opt.timestep")
        if state is not None and snapshot.model.opt.enableflags & ENBL_ENERGY:
            quantity_row("Energy", float(state.energy.sum()), "J", "kinetic and potential; d.energy")
            explained = "work by source, and conserved quantities: opens the Energy instrument"
            offer(view, "Energy", explained, "sources and sinks", small=True)


def _model(snapshot: Snapshot) -> None:
    """Numbers of bodies, joints, dofs and geoms."""
    model = snapshot.model
    if model is None:
        return
    section("Model")
    for label, name in (("Bodies", "nbody"), ("Joints", "njnt"), ("Degrees of freedom", "nv"), ("Geoms", "ngeom")):
        number_row(label, str(getattr(model, name)), "", name)


def keyframes_section(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A button for each keyframe, right-click overwrites it; a field for a new one; and one that copies the state."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        return
    section("Keyframes")
    for key in range(model.nkey):
        name = element_name(model, "key", key)
        if key:
            same_line_if_fits(name)
        if button(f"{name}##key{key}", "load this keyframe; right-click: overwrite it with the current state"):
            send(Reset(key))
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            send(SaveKey(key))
    _new_key(model, view, send)
    if imgui.button(f"{icons.ICON_FA_COPY}  Copy state as MJCF"):
        imgui.set_clipboard_text(keyframe_xml(state))
    tooltip(f"copy a <key> element for <keyframe>   {BY_ACTION[actions.copy_state].trigger}")


def _new_key(model: ModelView, view: ViewState, send: Send) -> None:
    """A field for the name of a new keyframe, and the button that stores the state in it."""
    button = f"{icons.ICON_FA_PLUS}  Store"
    style = imgui.get_style()
    imgui.set_next_item_width(-imgui.calc_text_size(button).x - 2 * style.frame_padding.x - style.item_spacing.x)
    entered, view.ui.key_name = imgui.input_text_with_hint(
        "##new keyframe", "new keyframe", view.ui.key_name, imgui.InputTextFlags_.enter_returns_true
    )
    name = view.ui.key_name.strip()
    taken = name in model.names["key"]
    tooltip("a keyframe with this name already exists" if taken else "the name of a new keyframe")
    imgui.same_line()
    with disabled(not name or taken):
        pressed = imgui.button(button)
    tooltip("store the current state as a new keyframe of the model; Ctrl+S writes it to the file")
    if (pressed or entered) and name and not taken:
        send(AddKey(name))
        view.ui.key_name = ""


def camera_section(snapshot: Snapshot, view: ViewState) -> None:
    """The camera section of the simulation panel."""
    model, state = snapshot.model, snapshot.state
    assert model is not None
    section("Camera")
    imgui.set_next_item_width(-1)
    camera_choice("##panel camera", snapshot, view)
    width = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
    if button("Align", hint(actions.align), size=(width, 0)) and state is not None:
        view.align(model, state)
    imgui.same_line()
    if imgui.button(f"{icons.ICON_FA_COPY}  Copy as MJCF##camera", (width, 0)) and state is not None:
        imgui.set_clipboard_text(camera_xml(view.current_view(model, state)))
    tooltip("copy the view as a <camera> element for <worldbody>")
    label, explained = f"{icons.ICON_FA_CAMERA_RETRO}  Camera images", "colours, depth, segmentation"
    offer(view, "Cameras", f"images from the model's cameras, in a panel: {explained}", label, (-1, 0))
    for name, label, explained in SWITCHES:
        setattr(view.prefs, name, checkbox(label, getattr(view.prefs, name), explained))


def camera_choice(label: str, snapshot: Snapshot, view: ViewState) -> None:
    """A list of the free camera and the model's cameras."""
    model = snapshot.model
    names = ["Free camera"]
    if model is not None:
        if view.tracked > 0:
            names = [f"Tracking {element_name(model, 'body', view.tracked)}"]
        names += [element_name(model, "camera", i) for i in range(model.ncam)]
    index = min(view.camera_id + 1, len(names) - 1)
    # a name that does not fit ends with dots, and is in the tooltip
    name, room = names[index], imgui.calc_item_width() - imgui.get_frame_height() - em(1)
    names[index] = elide(name, room)
    changed, index = imgui.combo(label, index, names)
    told = f"{name}\n" if name not in names else ""
    tooltip(f"{told}camera of the view; [ and ] cycle through the model's cameras, Escape returns to the free camera")
    if changed:
        view.camera_id = index - 1 if index else FREE_CAMERA
