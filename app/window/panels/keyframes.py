"""Keyframes in the Simulation panel: load one, overwrite it, store the state as a new one, copy it as MJCF."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.model.views import ModelView
from app.run.commands import AddKey, Reset, SaveKey, Send
from app.run.snapshot import Snapshot
from app.ui.widgets import button, disabled, same_line_if_fits, section, tooltip
from app.view.input import actions
from app.view.input.bindings import BY_ACTION
from app.view.mjcf_text import keyframe_xml
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name


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
    tooltip("there is one of this name already" if taken else "the name of a new keyframe")
    imgui.same_line()
    with disabled(not name or taken):
        pressed = imgui.button(button)
    tooltip("store the current state as a new keyframe of the model; Ctrl+S writes it to the file")
    if (pressed or entered) and name and not taken:
        send(AddKey(name))
        view.ui.key_name = ""
