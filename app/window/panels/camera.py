"""Camera controls: choose a camera, reset the view, copy the view as MJCF, pictures of cameras, what the wheel does."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.offer import offer
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.ui.widgets import button, checkbox, elide, em, section, tooltip
from app.view.input import actions
from app.view.input.bindings import hint
from app.view.mjcf_text import camera_xml
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

# preferences, with label and tooltip
SWITCHES = (
    ("show_gizmo", "Axes in the corner", "the axes of the world in a corner of the view: click a side, or drag them"),
    ("zoom_to_pointer", "Zoom to the pointer", "the wheel keeps what is under the pointer in its place"),
    ("invert_scroll", "Invert the wheel", "the wheel zooms the other way"),
)


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
    offer(view, "Cameras", f"what the cameras of the model see, in a panel: {explained}", label, (-1, 0))
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
