"""The Inspector panel: state and editable fields of the selected element."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from imgui_bundle import imgui

from app.background.field_choice import PHYSICAL
from app.instruments.breakpoints.open import break_button
from app.instruments.forces.state import ForcesState
from app.instruments.offer import offered
from app.model.editable import of_kind, rows_of
from app.model.elements import element_type
from app.model.parameters import DAMPING, actuator_type, shown_parameters
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Reset, SaveKey, Send
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.ui.widgets import Answer, buttons, caption, font, label_width, note, section, selectable
from app.view.view_state import ViewState
from app.window.panels.field import field_row, parameter_row
from app.window.panels.inspector import drives, poses, relations
from app.window.panels.inspector.sheet import Sheet
from app.window.panels.inspector.structure import structure_rows
from sim.analysis.element_names import short_name
from sim.analysis.element_types import OWNERS

# what has solref and solimp, or touches something that has
SOFT = ("contact", "geom", "body", "pair", "joint", "tendon", "equality")
# what has numbers that a motion depends on
VARIED = ("contact", *sorted(PHYSICAL))
# button -> types of elements that have it, the instrument that it opens, tooltip
QUESTIONS = {
    "Microscope": (
        ("contact",), "Contact", "friction cone with the force in it, slip margin, rows, solver, history"
    ),
    "Why awake": (
        ("tree", "island"), "Lens", "why it is awake, what woke it, how to let it sleep, and what its island costs"
    ),
    "Softness": (SOFT, "Softness", "its stiffness in N/m, and the solref for a different one"),
    "A/B": (VARIED, "A/B", "run a copy with another value next to the simulation, and show it as a ghost"),
}  # fmt: skip
FORCES = "where does its acceleration come from? Opens the Forces instrument"


def inspector_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Everything about the selection."""
    model, state, selection = snapshot.model, snapshot.state, view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        note("Nothing selected. Double-click a body in the view, or click in the tree.")
        return
    sheet = Sheet(model, state, view)
    _title(model, state, view, selection)
    break_button(snapshot, view, send)
    structure_rows(selection, snapshot, view, send)
    if selection.kind in OWNERS:
        sheet.link("body", "body", int(getattr(model, OWNERS[selection.kind])[selection.index]))
    kind = element_type(model, selection.kind, selection.index)
    if selection.kind == "actuator":
        kind = actuator_type(model, selection.index, snapshot.file_values)
    if kind:
        sheet.text("type", kind)
    if selection.kind in READOUTS:
        # a state that has diverged is shown as it is
        with np.errstate(all="ignore"):
            READOUTS[selection.kind](sheet, selection.index)
    if selection.kind == "key":
        _key_buttons(selection.index, send)
    _fields(model, selection, snapshot, view, send)
    if selection.kind == "body":
        _body_elements(model, view, selection.index)


def _fields(model: ModelView, selection: Selection, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Rows of everything that can be edited; the parameters of an actuator come first."""
    kind, index = selection.kind, selection.index
    fields = [(row, places) for row in of_kind(kind) if (places := rows_of(row, model, index))]
    parameters = shown_parameters(model, kind, index, snapshot.file_values)
    if fields or parameters:
        section(kind)
    for parameter in parameters if kind == "actuator" else ():
        parameter_row(parameter, snapshot, view, send)
    for row, places in fields:
        field_row(row, places, snapshot, view, send)
        for parameter in parameters if row.path == DAMPING else ():
            parameter_row(parameter, snapshot, view, send)


def _title(model: ModelView, state: StateView, view: ViewState, selection: Selection) -> None:
    with font("bold", 1.1):
        imgui.text_wrapped(selection.title(model, state))
    body = selection.body(model, state)
    moves = selection.kind == "joint" or (selection.kind == "body" and int(model.body_treeid[selection.index]) >= 0)
    why = QUESTIONS["Why awake"][2]
    track = "the free camera follows the body   Ctrl+Right double-click; Escape stops it"
    offers: list[tuple[bool, Answer]] = [
        (
            selection.place(model, state) is not None,
            ("Focus", "aim the free camera at it, and move closer if it is tiny", partial(setattr, view, "fly", True)),
        ),
        (body > 0, ("Track", track, partial(_track, view, body))),
        (moves and offered("Forces"), ("Forces", FORCES, partial(_forces, view))),
        (moves and offered("Lens"), ("Why awake", why, partial(view.instruments.open, "Lens"))),
        (True, ("Deselect", "clear the selection; double-clicking the sky does too", view.deselect)),
    ]
    for label, (kinds, name, hint) in QUESTIONS.items():
        offers.append((selection.kind in kinds and offered(name), (label, hint, partial(view.instruments.open, name))))
    buttons(answer for applies, answer in offers if applies)


def _track(view: ViewState, body: int) -> None:
    view.tracked, view.camera_id = body, FREE_CAMERA


def _forces(view: ViewState) -> None:
    """Open the instrument, about the selection."""
    view.of(ForcesState).seen = None
    view.instruments.open("Forces")


def _key_buttons(index: int, send: Send) -> None:
    """Load a keyframe, or overwrite it with the current state."""
    overwrite = "set this keyframe to the current state; Ctrl+S writes it to the file"
    buttons(
        (
            ("Load", "reset to this keyframe", lambda: send(Reset(index))),
            ("Overwrite", overwrite, lambda: send(SaveKey(index))),
        )
    )


def _body_elements(model: ModelView, view: ViewState, body: int) -> None:
    """Links to the elements of a body."""
    for kind, owner in OWNERS.items():
        mine = np.flatnonzero(np.asarray(getattr(model, owner, ())) == body)
        if len(mine):
            section(f"{kind}s")
            for index in mine.tolist():
                if selectable(f"{short_name(model, kind, index)}##{kind}{index}", False, f"select {kind} {index}"):
                    view.select(kind, index)
                imgui.same_line(label_width())
                caption(element_type(model, kind, index))


# rows of the state, for each type of element
READOUTS: dict[str, Callable[[Sheet, int], None]] = {
    "body": poses.body, "geom": poses.geom, "joint": drives.joint, "site": poses.site, "camera": poses.camera,
    "light": poses.light, "tendon": drives.tendon, "actuator": drives.actuator, "equality": relations.equality,
    "pair": relations.pair, "sensor": relations.sensor, "key": relations.key, "contact": relations.contact,
    "island": relations.island, "tree": relations.tree,
}  # fmt: skip
