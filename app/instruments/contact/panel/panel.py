"""The Contact instrument: the selected contact under the microscope, and the force between its bodies."""

from __future__ import annotations

from functools import partial

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.background.probe import Answer
from app.instruments.breakpoints.open import break_button
from app.instruments.contact.panel.choice import choose_contact
from app.instruments.contact.panel.pair import between_bodies
from app.instruments.contact.panel.rows import axes_bars, rows_table
from app.instruments.contact.question import FLEX, PathQuestion, Touch, TouchQuestion
from app.instruments.contact.table import geom_names
from app.instruments.offer import offer, offered
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.contact_charts import history_chart, path_chart
from app.ui.contact_cone import cone_drawings, state_colour
from app.ui.widgets import button, buttons, caption, font, link, quantity_row, same_line_if_fits, tooltip, vector_row
from app.view.view_state import ViewState
from sim.analysis.contact_detail import ContactDetail
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK

MEANINGS = {
    STICK: "the force is inside the friction cone",
    SLIP: "the friction is on the cone: the surfaces slide",
    SMOOTH: "the contact has no friction (condim 1)",
    OPEN: "it bears no force",
}
Place = NDArray[np.float64]
WHEN = "at the state that is shown, where tables have the forces of the step that led to it"


def contact_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Everything about the contact under the microscope, or a choice of contacts."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        caption("no model")
        return
    place = _place(model, state, view)
    if view.ui.microscope is None:
        choose_contact(model, state, view)
        return
    _, first, second = view.ui.microscope
    _title(model, view, first, second)
    break_button(snapshot, view, send)
    asked = view.instruments.ask(TouchQuestion(first, second))
    if asked is None or asked.value is None:
        _waiting(asked, "")
        return
    touch: Touch = asked.value
    if touch.contacts:
        _contact(model, view, touch, touch.nearest(place))
    else:
        caption("They do not touch at this moment.")
    if all(touch.geoms) and _header("Over time", "all contacts of these two geoms, as far as the timeline goes back"):
        _over_time(snapshot, view, send, touch)


def _place(model: ModelView, state: StateView, view: ViewState) -> Place | None:
    """Put the selected contact under the microscope, and say where it is.

    Contacts end and begin again, as those of feet do: what is under the microscope stays there until another is chosen.
    """
    chosen = view.selection
    if chosen is not None and chosen.kind == "contact" and chosen.exists(model, state):
        first, second = (int(g) for g in state.contact.geom[chosen.index])
        view.ui.microscope = model.identity, first, second
        return np.asarray(state.contact.pos[chosen.index])
    if view.ui.microscope is not None and view.ui.microscope[0] is not model.identity:
        view.ui.microscope = None
    return None


def _contact(model: ModelView, view: ViewState, touch: Touch, index: int) -> None:
    """One of the contacts of two geoms."""
    contact = touch.contacts[index]
    _state(contact, len(touch.contacts), index)
    cone_drawings(contact)
    _numbers(contact)
    axes_bars(contact)
    between_bodies(model, view, touch.between)
    if _header("Constraint rows", "each row of J: which joints it pushes, what it wants and what it gets"):
        rows_table(model, contact, view)
    if _header("Solver iterations", "the force after each iteration of the solver, from its warm start"):
        lacking = model.lacks.get("solver_path", "")
        path = None if lacking else view.instruments.ask(PathQuestion(*contact.geoms))
        if lacking:
            caption(lacking)
        elif path is None or path.value is None or not path.value.iterations:
            _waiting(path, "no constraint rows")
        else:
            path_chart(path.value, min(index, path.value.forces.shape[1] - 1))
            explained = "cost, gradient and active set of each, next to other settings: the instrument Solver"
            offer(view, "Solver", explained, "Walk the iterations")


def _header(label: str, hint: str) -> bool:
    """The head of a part that can be folded: what is folded is not computed."""
    unfolded = imgui.collapsing_header(label, imgui.TreeNodeFlags_.default_open)
    tooltip(hint)
    return unfolded


def _waiting(answer: Answer | None, nothing: str) -> None:
    """Why there is nothing to show."""
    caption("computing" if answer is None else answer.error or nothing)


def _title(model: ModelView, view: ViewState, first: int, second: int) -> None:
    """Both sides, as links, and where to go from here."""
    for side, geom in enumerate((first, second)):
        name = geom_names(model)
        if geom == FLEX:
            imgui.text(name.geom[geom])
            continue
        body = int(model.geom_bodyid[geom])
        if link(f"{name.body[geom]}##body{side}", "select the body"):
            view.select("body", body)
        imgui.same_line(0, 0)
        caption("  /  ")
        imgui.same_line(0, 0)
        if link(f"{name.geom[geom]}##geom{side}", "select the geom"):
            view.select("geom", geom)
    offer(view, "Softness", "how stiff is it? solref and solimp in N/m, and how to change them")
    if button("Other contacts", "choose another contact", beside=offered("Softness")):
        view.ui.microscope = None
        if view.selection is not None and view.selection.kind == "contact":
            view.deselect()
    same_line_if_fits("Pause when...")


def _state(contact: ContactDetail, count: int, index: int) -> None:
    """Stick or slip, in large letters."""
    with font("bold", 1.25):
        imgui.text_colored(state_colour(contact.state), contact.state)
    tooltip(MEANINGS[contact.state])
    imgui.same_line()
    of_many = f", {index + 1} of {count}" if count > 1 else ""
    cone = contact.cone if contact.dim == 1 else f"{contact.cone} cone"
    imgui.text_colored(theme.DIM, f"{cone}, condim {contact.dim}{of_many}")
    tooltip("the friction cone of this contact" + (f", one of {count} between these geoms" if count > 1 else ""))


def _numbers(contact: ContactDetail) -> None:
    """What is not in the drawings."""
    for label, value, unit, hint in (
        ("normal force", contact.normal, "N", f"what presses the surfaces together, adhesion included; {WHEN}"),
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
    expressions = {label: f"{measure}({names})" for label, measure in PLOTTED.items()}
    buttons((f"{label}##plot", f"plot {text}", partial(view.plot, text)) for label, text in expressions.items())


# buttons that plot a measure
PLOTTED = {"Normal force": "normal_force", "Friction": "friction_force", "Depth": "depth", "Slip": "slip_speed"}
