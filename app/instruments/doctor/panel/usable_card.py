"""Make it usable: what an imported robot lacks, each with a button, and one for all of it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.doctor.state import DoctorState
from app.run.commands import EditTree, Send
from app.run.snapshot import Snapshot
from app.ui.widgets import button, disabled, em, note, tooltip
from app.view import saving
from app.view.view_state import ViewState

UNDO = "an edit like any other: undo takes it back, saving writes it to the file"


def usable_card(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """What the model lacks; unfolded if it is bare."""
    shown = view.of(DoctorState)
    usable = shown.usable
    if not usable.lacks and not usable.why_not:
        return
    imgui.separator()
    imgui.set_next_item_open(usable.bare, imgui.Cond_.once)
    is_open = imgui.collapsing_header(f"{icons.ICON_FA_SCREWDRIVER_WRENCH}  Make it usable###usable")
    tooltip("what a description of a robot lacks before one can work with it")
    if not is_open:
        return
    if usable.why_not:
        note(f"It has no floor, no light, and perhaps more is missing. {usable.why_not}.")
        if button("Save as .xml…", "save the model as MJCF, which can be changed here, and go on with that file"):
            saving.begin_elsewhere(view, snapshot.run)
        return
    with disabled(shown.examining):
        for number, lack in enumerate(usable.lacks):
            if imgui.button(f"Add##lack{number}"):
                send(EditTree(lack.tree, f"added: {lack.text}"))
            tooltip(f"{lack.text}\n{UNDO}")
            imgui.same_line(0, em(0.5))
            imgui.align_text_to_frame_padding()
            imgui.text_wrapped(lack.text)
        if usable.everything:
            if imgui.button("Add all of them"):
                send(EditTree(usable.everything, "made usable"))
            tooltip(f"all at once, as one edit\n{UNDO}")
    imgui.spacing()
