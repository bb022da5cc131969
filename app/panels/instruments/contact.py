"""The Contact instrument: the selected contact under the microscope, and the force between its bodies."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.insight.contact_question import PathQuestion, Touch, TouchQuestion
from app.insight.contact_table import contact_table, geom_names
from app.insight.probe import Answer
from app.model.views import ModelView, StateView
from app.panels.instruments.contact_charts import history_chart, path_chart
from app.panels.instruments.contact_cone import cone_drawings, state_colour
from app.panels.instruments.contact_pair import between_bodies
from app.panels.instruments.contact_rows import axes_bars, rows_table
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import (
    elide,
    font,
    quantity,
    quantity_row,
    same_line_if_fits,
    tooltip,
    vector_row,
)
from app.view.view_state import ViewState
from sim.analysis.contact_detail import ContactDetail
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK

MEANINGS = {
    STICK: "the force is inside the friction cone",
    SLIP: "the friction is on the cone: the surfaces slide",
    SMOOTH: "the contact has no friction (condim 1)",
    OPEN: "it bears no force",
}
# contacts that are offered where none is selected
OFFERED = 12


def contact_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Everything about the selected contact, or a choice of contacts."""
    model, state, selection = snapshot.model, snapshot.state, view.selection
    if model is None or state is None:
        imgui.text_colored(theme.DIM, "no model")
        return
    if selection is None or selection.kind != "contact" or not selection.exists(model, state):
        _choice(model, state, view)
        return
    first, second = (int(g) for g in state.contact.geom[selection.index])
    _title(model, view, first, second)
    asked = view.instruments.ask(TouchQuestion(first, second))
    if asked is None or asked.value is None:
        imgui.text_colored(
            theme.DIM, "computing" if asked is None else asked.error or "they do not touch at this moment"
        )
        return
    touch: Touch = asked.value
    index = touch.nearest(np.asarray(state.contact.pos[selection.index]))
    contact = touch.contacts[index]
    _state(contact, len(touch.contacts), index)
    cone_drawings(contact)
    _numbers(contact)
    axes_bars(contact)
    between_bodies(model, view, touch.between)
    if _header("Constraint rows", "each row of J: which joints it pushes, what it wants and what it gets"):
        rows_table(model, contact)
    if _header("Solver iterations", "the force after each iteration of the solver, from its warm start"):
        path = view.instruments.ask(PathQuestion(first, second))
        if path is None or path.value is None or not path.value.iterations:
            _waiting(path, "no constraint rows")
        else:
            path_chart(path.value, min(index, path.value.forces.shape[1] - 1))
    if _header("Over time", "all contacts of these two geoms, as far as the timeline goes back"):
        _over_time(snapshot, view, send, touch)


def _header(label: str, hint: str) -> bool:
    """The head of a part that can be folded: what is folded is not computed."""
    unfolded = imgui.collapsing_header(label, imgui.TreeNodeFlags_.default_open)
    tooltip(hint)
    return unfolded


def _waiting(answer: Answer | None, nothing: str) -> None:
    """Why there is nothing to show."""
    imgui.text_colored(theme.DIM, "computing" if answer is None else answer.error or nothing)


def _choice(model: ModelView, state: StateView, view: ViewState) -> None:
    """Contacts to choose from, those of the selected element first, then by force."""
    imgui.push_text_wrap_pos(0)
    if not len(state.contact.dim):
        imgui.text_colored(theme.DIM, "Nothing touches at this moment.")
        imgui.pop_text_wrap_pos()
        return
    imgui.text_colored(theme.DIM, "Select a contact: here, in the Contacts table, or in the view (C shows them).")
    imgui.pop_text_wrap_pos()
    contacts, names = contact_table(model, state), geom_names(model).full
    body = view.selection.body(model, state) if view.selection is not None else -1
    ours = (contacts.bodies == body).any(axis=1) if body > 0 else np.zeros(len(contacts.state), bool)
    for index in np.lexsort((-contacts.normal, ~ours))[:OFFERED].tolist():
        first, second = (names[g] for g in contacts.geoms[index])
        force = quantity(float(contacts.normal[index]), "N")
        room = imgui.get_content_region_avail().x
        if imgui.selectable(f"{elide(f'{force}   {first}  –  {second}', room)}##{index}", False)[0]:
            view.select("contact", index)
        tooltip(f"select contact {index}")


def _title(model: ModelView, view: ViewState, first: int, second: int) -> None:
    """Both sides, as links, and where to go from here."""
    for side, geom in enumerate((first, second)):
        body = int(model.geom_bodyid[geom])
        name = geom_names(model)
        if imgui.text_link(f"{name.body[geom]}##body{side}"):
            view.select("body", body)
        tooltip("select the body")
        imgui.same_line(0, 0)
        imgui.text_colored(theme.DIM, "  /  ")
        imgui.same_line(0, 0)
        if imgui.text_link(f"{name.geom[geom]}##geom{side}"):
            view.select("geom", geom)
        tooltip("select the geom")
    if imgui.button("Look at it"):
        view.fly = True
    tooltip("aim the free camera at it, and move closer if it is tiny")
    same_line_if_fits("Softness")
    if imgui.button("Softness"):
        view.instruments.open("Softness")
    tooltip("how stiff is it? solref and solimp in N/m, and how to change them")


def _state(contact: ContactDetail, count: int, index: int) -> None:
    """Stick or slip, in large letters."""
    with font("bold", 1.25):
        imgui.text_colored(state_colour(contact.state), contact.state)
    tooltip(MEANINGS[contact.state])
    imgui.same_line()
    of_many = f", {index + 1} of {count} between these geoms" if count > 1 else ""
    imgui.text_colored(theme.DIM, f"{contact.cone} cone, condim {contact.dim}{of_many}")


def _numbers(contact: ContactDetail) -> None:
    """What is not in the drawings."""
    for label, value, unit, hint in (
        ("normal force", contact.normal, "N", "what presses the surfaces together, adhesion included"),
        ("friction force", contact.tangential, "N", "length of the tangential force"),
        ("margin to slip", contact.margin, "N", "further friction in the present direction until it slips"),
        ("depth", -contact.distance, "m", "penetration: -contact.dist"),
        ("slip speed", float(np.linalg.norm(contact.slip)), "m/s", "of the second surface over the first"),
        ("spin", contact.spin, "rad/s", "about the normal"),
    ):
        quantity_row(label, value, unit, hint)
    vector_row("position", contact.position.tolist(), "m", "d.contact.pos, world")
    vector_row("normal", contact.frame[0].tolist(), "", "d.contact.frame[:3], from the first geom to the second")


def _over_time(snapshot: Snapshot, view: ViewState, send: Send, touch: Touch) -> None:
    """The forces between the two geoms over time, and buttons that put them into Plots."""
    names = ", ".join(f'"{name}"' for name in touch.geoms)
    history_chart(
        snapshot, view, send, (("normal", f"normal_force({names})"), ("friction", f"friction_force({names})"))
    )
    for index, (label, measure) in enumerate(PLOTTED.items()):
        if index:
            same_line_if_fits(label)
        expression = f"{measure}({names})"
        if imgui.button(f"{label}##plot"):
            view.plots.add(expression)
            view.prefs.show_bottom, view.ui.reveal = True, "Plots"
        tooltip(f"plot {expression}")


# buttons that plot a measure
PLOTTED = {"Normal force": "normal_force", "Friction": "friction_force", "Depth": "depth", "Slip": "slip_speed"}
