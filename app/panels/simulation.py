"""The simulation panel: run, pause, step, speed, keyframes, camera, the size of the model."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.commands import Reset, SaveKey, Send, SetPaused, SetSpeed, StepOnce
from app.panels import theme
from app.resources import SceneFile, bundled_scenes
from app.snapshot import Snapshot, StateView
from app.state import FREE_CAMERA, RunState, ViewState
from app.step_clock import MAX_SPEED, MIN_SPEED
from app.widgets import colour, disabled, em, font, number_row, section, si, speed_text, tooltip


@cache
def scenes() -> list[SceneFile]:
    """The bundled scenes, read once."""
    return bundled_scenes()


def simulation_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Everything about the run in one column."""
    run = snapshot.run
    _title(run)
    _transport(run, send)
    _speed(run, send)
    _numbers(snapshot)
    if snapshot.model is not None:
        _keyframes(snapshot, send)
        section("Camera")
        imgui.set_next_item_width(-1)
        camera_choice("##panel camera", snapshot, view)
        _model(snapshot)


def _title(run: RunState) -> None:
    """The name of the file, and of a bundled scene what to watch."""
    path = Path(run.path)
    with font("bold", 1.2):
        imgui.text(path.stem.replace("_", " ") if run.path else "no model")
    if run.path:
        tooltip(run.path)
    caption = next((scene.caption for scene in scenes() if scene.path == path), "")
    if caption:
        with colour(imgui.Col_.text, theme.DIM):
            imgui.text_wrapped(caption)


def _transport(run: RunState, send: Send) -> None:
    """Run or pause, step, reset."""
    imgui.dummy((0, em(0.2)))
    spacing = imgui.get_style().item_spacing.x
    width = (imgui.get_content_region_avail().x - 2 * spacing) / 3
    label = f"{icons.ICON_FA_PLAY}  Run" if run.paused else f"{icons.ICON_FA_PAUSE}  Pause"
    with colour(imgui.Col_.button, (*theme.ACCENT[:3], 0.32) if run.paused else theme.RAISED):
        if imgui.button(f"{label}###run", (width, 0)):
            send(SetPaused(not run.paused))
    imgui.same_line()
    with disabled(not run.paused or not run.ready):
        if imgui.button(f"{icons.ICON_FA_FORWARD_STEP}  Step###step", (width, 0)):
            send(StepOnce())
    imgui.same_line()
    if imgui.button(f"{icons.ICON_FA_ARROW_ROTATE_LEFT}  Reset###reset", (width, 0)):
        send(Reset())


def _speed(run: RunState, send: Send) -> None:
    """Speed on a logarithmic scale; right-click returns to real time."""
    section("Speed")
    imgui.set_next_item_width(-1)
    flags = imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.no_input
    changed, speed = imgui.slider_float("##speed", run.speed, MIN_SPEED, MAX_SPEED, speed_text(run.speed), flags)
    tooltip("simulated seconds per second, 1/64x to 8x; right-click for real time")
    if changed and speed > 0:
        send(SetSpeed(speed))
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        send(SetSpeed(1.0))


def _numbers(snapshot: Snapshot) -> None:
    """How the run goes."""
    run = snapshot.run
    number_row("Time", f"{run.time:.3f}", "s", "simulated time; d.time")
    behind = run.rate and run.rate < 0.95 * run.speed
    with colour(imgui.Col_.text, theme.LOOK if behind else theme.TEXT):
        number_row("Rate", f"{run.rate:.2f}", "x", "measured: simulated seconds per second")
    value, prefix = si(run.step_seconds)
    number_row("Cost of a step", value, f"{prefix}s", "wall time of one native step")
    number_row("Steps", f"{run.steps:,}".replace(",", " "), "", "since the last reset")
    if snapshot.model is not None:
        value, prefix = si(snapshot.model.opt.timestep)
        number_row("Timestep", value, f"{prefix}s", "opt.timestep")


def _keyframes(snapshot: Snapshot, send: Send) -> None:
    """One button per keyframe; right-click overwrites it. And the state as MJCF."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        return
    section("Keyframes")
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    for key in range(model.nkey):
        name = model.id2name("key", key) or f"key {key}"
        if key and imgui.get_item_rect_max().x + em(3) + imgui.calc_text_size(name).x < right:
            imgui.same_line()
        if imgui.button(f"{name}##key{key}"):
            send(Reset(key))
        tooltip("go to this keyframe; right-click: make the present state this keyframe")
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            send(SaveKey(key))
    if imgui.button(f"{icons.ICON_FA_COPY}  Copy state as MJCF"):
        imgui.set_clipboard_text(keyframe_xml(state))
    tooltip("the present state as a <key> for the <keyframe> section of a file")


def keyframe_xml(state: StateView) -> str:
    """The present state as a <key> element; numbers as short as they can be read back unchanged."""
    parts = {"qpos": state.qpos, "qvel": state.qvel, "act": state.act, "ctrl": state.ctrl}
    parts |= {"mpos": state.mocap_pos, "mquat": state.mocap_quat}
    written = {name: " ".join(repr(float(v)) for v in values.ravel()) for name, values in parts.items() if values.size}
    attributes = " ".join(f'{name}="{text}"' for name, text in written.items())
    return f'<key time="{float(state.time)!r}" {attributes}/>'


def camera_choice(label: str, snapshot: Snapshot, view: ViewState) -> None:
    """The free camera and those of the model."""
    model = snapshot.model
    names = ["Free camera"]
    if model is not None:
        names += [model.id2name("camera", i) or f"camera {i}" for i in range(model.ncam)]
    changed, index = imgui.combo(label, min(view.camera_id + 1, len(names) - 1), names)
    if changed:
        view.camera_id = index - 1 if index else FREE_CAMERA


def _model(snapshot: Snapshot) -> None:
    """The size of the model."""
    model = snapshot.model
    if model is None:
        return
    section("Model")
    for label, name in (("Bodies", "nbody"), ("Joints", "njnt"), ("Degrees of freedom", "nv"), ("Geoms", "ngeom")):
        number_row(label, str(getattr(model, name)), "", name)
