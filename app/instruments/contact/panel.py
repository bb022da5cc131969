"""The Contact instrument: the selected contact under the microscope, and the force between its bodies."""

from __future__ import annotations

from functools import partial

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.background.probe import Answer
from app.instruments.breakpoints.open import break_button
from app.instruments.contact.question import FLEX, PathQuestion, Touch, TouchQuestion
from app.instruments.contact.table import contact_table, geom_names
from app.instruments.offer import offer, offered
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.contacts import metres_per_newton
from app.scene.decor.user_geoms import ARROW, LABEL, UserGeom
from app.ui import theme
from app.ui.contact_charts import history_chart, path_chart
from app.ui.contact_cone import cone_drawings, state_colour
from app.ui.quantities import compact, quantity
from app.ui.tables.column import Column
from app.ui.tables.frame import FLAGS, cell
from app.ui.tables.table import Look, table
from app.ui.widgets import (
    button,
    buttons,
    caption,
    elide,
    em,
    font,
    link,
    number_row,
    quantity_row,
    same_line_if_fits,
    section,
    selectable,
    tooltip,
    vector_row,
)
from app.view.view_state import ViewState
from sim.analysis.contact_detail import ContactDetail, ContactRow, FrictionAxis
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK
from sim.analysis.element_names import body_name, dof_name, joint_and_axis
from sim.analysis.pair_force import PairForce

# contacts that are offered
OFFERED = 12
# the arrow in the picture: width in mean sizes, length in that of the arrows of contacts, and at most, in extents
ARROW_WIDTH, LENGTH, LONGEST = 0.1, 1.25, 1.0
# width of the velocities next to the bars, em
SPEED = 6.0
TABLE = "rows of the contact"
# name -> field of a row, tooltip, and unit of rows along an axis
NUMBERS = {
    "force": ("force", "efc_force", "N"),
    "position": ("pos", "efc_pos: constraint violation", "m"),
    "margin": ("margin", "efc_margin: distance at which it becomes active", "m"),
    "velocity": ("vel", "efc_vel", "m/s"),
    "aref": ("aref", "efc_aref: reference acceleration of the row", "m/s²"),
    "acc": ("acc", "J qacc: its actual acceleration", "m/s²"),
    "R": ("R", "efc_R: regularization, the softness of the row", None),
    "D": ("D", "efc_D: 1 / R", None),
}
# a pyramid has edges; torsion and rolling are about an axis, which the units of a column do not say
ABOUT_AN_AXIS = ("torsion", "rolling")
STATES = ("satisfied", "quadratic", "linear -", "linear +", "cone")
TABLE_FLAGS = FLAGS & ~imgui.TableFlags_.scroll_y
ROW_HINT = "n: normal, t1 and t2: tangents, torsion and rolling; of a pyramid, its edges"
MEANINGS = {
    STICK: "the force is inside the friction cone",
    SLIP: "the friction is on the cone: the surfaces slide",
    SMOOTH: "the contact has no friction (condim 1)",
    OPEN: "it carries no force",
}
Place = NDArray[np.float64]
WHEN = "in the current state; tables have the forces of the step that led to it"


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
        caption("They are not in contact now.")
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
    if _header("Constraint rows", "each row of J: the joints it acts on, its reference and actual acceleration"):
        rows_table(model, contact, view)
    if _header("Solver iterations", "the force after each solver iteration, from the warm start"):
        lacking = model.lacks.get("solver_path", "")
        path = None if lacking else view.instruments.ask(PathQuestion(*contact.geoms))
        if lacking:
            caption(lacking)
        elif path is None or path.value is None or not path.value.iterations:
            _waiting(path, "no constraint rows")
        else:
            path_chart(path.value, min(index, path.value.forces.shape[1] - 1))
            explained = (
                "cost, gradient and active set of each iteration, and other settings: opens the Solver instrument"
            )
            offer(view, "Solver", explained, "Step through iterations")


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
        ("normal force", contact.normal, "N", f"force that presses the surfaces together, including adhesion; {WHEN}"),
        ("friction force", contact.tangential, "N", "magnitude of the tangential force"),
        ("slip margin", contact.margin, "N", "additional friction in the current direction before it slips"),
        ("depth", -contact.distance, "m", "penetration: -contact.dist"),
        ("slip speed", float(np.linalg.norm(contact.slip)), "m/s", "of the second surface relative to the first"),
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


def choose_contact(model: ModelView, state: StateView, view: ViewState) -> None:
    """Contacts to choose from, those of the selected element first, then by force."""
    imgui.push_text_wrap_pos(0)
    if not len(state.contact.dim):
        caption("Nothing is in contact now.")
        imgui.pop_text_wrap_pos()
        return
    caption("Select a contact: here, in the Contacts table, or in the view (C shows them).")
    imgui.pop_text_wrap_pos()
    contacts, names = contact_table(model, state), geom_names(model).full
    body = view.selection.body(model, state) if view.selection is not None else -1
    ours = (contacts.bodies == body).any(axis=1) if body > 0 else np.zeros(len(contacts.state), bool)
    for index in np.lexsort((-contacts.normal, ~ours))[:OFFERED].tolist():
        first, second = (names[g] for g in contacts.geoms[index])
        force = quantity(float(contacts.normal[index]), "N")
        room = imgui.get_content_region_avail().x
        if selectable(f"{elide(f'{force}   {first}  –  {second}', room)}##{index}", False, f"select contact {index}"):
            view.select("contact", index)


def between_bodies(model: ModelView, view: ViewState, pair: PairForce) -> None:
    """The force between the two bodies, as numbers and as an arrow in the picture."""
    onto = body_name(model, pair.bodies[1])
    section(f"on {onto} from {body_name(model, pair.bodies[0])}")
    length = float(np.linalg.norm(pair.force))
    number_row("contacts", str(len(pair.contacts)), "", "between the two bodies, summed over their geoms")
    quantity_row("force", length, "N", "magnitude of the sum: the arrow in the view")
    vector_row("vector", pair.force.tolist(), "N", "world axes")
    turning = " ".join(f"{part:.4g}" for part in pair.torque)
    quantity_row("torque", float(np.linalg.norm(pair.torque)), "N m", f"about the point where it acts: {turning}")
    vector_row("acts at", pair.point.tolist(), "m", "centre of pressure: contact points, weighted by normal forces")
    quantity_row("slip margin", pair.margin, "N", "friction left before all of them slide")
    if length > 0:
        _arrow(model, view, pair, f"{compact(length, 'N')} on {onto}")


def _arrow(model: ModelView, view: ViewState, pair: PairForce, label: str) -> None:
    """The force in the picture, with its newtons at the tip; long enough to leave the body that it is in."""
    vector = pair.force * metres_per_newton(model) * view.options.force_scale * LENGTH
    vector *= min(1.0, LONGEST * float(model.stat.extent) / max(float(np.linalg.norm(vector)), 1e-30))
    width, tip = ARROW_WIDTH * float(model.stat.meansize), pair.point + vector
    view.instruments.draw(UserGeom.between(ARROW, width, pair.point, tip, theme.ACCENT))
    view.instruments.draw(UserGeom(LABEL, (width, width, width), tip, rgba=theme.ACCENT, label=label))


def axes_bars(contact: ContactDetail) -> None:
    """Friction of each axis as a bar, up to its limit; a line marks where the contact slips as the others are now."""
    tint = state_colour(contact.state)
    for axis, speed in zip(contact.axes, contact.motion[1:].tolist(), strict=False):
        start, name = imgui.get_cursor_pos_x(), 4.4
        caption(axis.name)
        imgui.same_line(start + em(name))
        width = imgui.get_content_region_avail().x - em(SPEED)
        _bar(axis, width, tint)
        tooltip(
            f"{axis.name}: {compact(axis.force, axis.unit)}, at most {compact(axis.limit, axis.unit)} alone "
            f"(μ = {axis.coefficient:.4g}{'' if axis.unit == 'N' else ' m'})\n"
            f"{compact(axis.margin, axis.unit)} more until the contact slips"
        )
        imgui.same_line()
        text = compact(speed, "m/s" if axis.unit == "N" else "rad/s")
        cell(text, theme.DIM, True)
        tooltip("velocity of the second surface relative to the first, along or about this axis")


def _bar(axis: FrictionAxis, width: float, tint: theme.Rgba) -> None:
    """Force over limit, as a bar with both numbers."""
    x, y = imgui.get_cursor_screen_pos()
    height, draw = imgui.get_text_line_height(), imgui.get_window_draw_list()
    imgui.dummy((width, height))
    draw.add_rect_filled((x, y), (x + width, y + height), imgui.get_color_u32(theme.RAISED), em(0.2))
    if axis.limit <= 0:
        return
    used, edge = abs(axis.force) / axis.limit, (abs(axis.force) + axis.margin) / axis.limit
    filled = imgui.get_color_u32((*tint[:3], 0.55))
    draw.add_rect_filled((x, y), (x + width * min(used, 1.0), y + height), filled, em(0.2))
    if edge < 1.0:
        line = imgui.get_color_u32(tint)
        draw.add_line((x + width * edge, y), (x + width * edge, y + height), line, em(0.12))
    with font("sans", 0.88):
        force = compact(axis.force, axis.unit)
        both = f"{force} of {compact(axis.limit, axis.unit)}"
        text = both if imgui.calc_text_size(both).x < width - em(0.4) else force
        size = imgui.calc_text_size(text)
        place = x + (width - size.x) / 2, y + (height - size.y) / 2
        draw.add_text(place, imgui.get_color_u32(theme.TEXT), text)


def rows_table(model: ModelView, contact: ContactDetail, view: ViewState) -> None:
    """The constraint rows."""
    rows = contact.rows
    if not rows:
        return
    pushes = ["   ".join(f"{joint} {parts}" for joint, parts in pushed_joints(model, row)) for row in rows]
    turning = any(word in row.axis for row in rows for word in ABOUT_AN_AXIS)
    numbers = [
        Column(name, np.array([getattr(row, field) for row in rows]), _number, hint, None if turning else unit)
        for name, (field, hint, unit) in NUMBERS.items()
    ]
    columns = [
        Column("row", np.array([_shortened(row.axis) for row in rows], object), str, ROW_HINT),
        numbers[0],
        Column(
            "pushes",
            np.array(pushes, object),
            str,
            "J: the joints that the row acts on, largest first",
            wide=True,
            tip=lambda k: _pushes(model, rows[k]),
        ),
        *numbers[1:],
    ]
    line = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    height = (len(rows) + 1) * line + imgui.get_style().scrollbar_size + em(0.3)
    look = Look(lambda k: _described(rows[k]), flags=TABLE_FLAGS, height=height)
    table(view, TABLE, columns, look, model.identity)


def _described(row: ContactRow) -> str:
    return f"{row.axis}: row {row.row}, {STATES[row.state]}, impedance {row.impedance:.4g}"


def _pushes(model: ModelView, row: ContactRow) -> str:
    listed = "\n".join(f"{dof_name(model, push.dof)}  {push.coefficient:+.4g}" for push in row.pushes)
    return f"force or torque on each joint for 1 N of the row:\n{listed}"


def pushed_joints(model: ModelView, row: ContactRow) -> list[tuple[str, str]]:
    """Joints that a row pushes, largest first, each with its coefficients: ("box", "z +1 x -0.2")."""
    found: dict[str, list[str]] = {}
    for push in row.pushes:
        name, axis = joint_and_axis(model, push.dof)
        found.setdefault(name, []).append(f"{axis} {push.coefficient:+.2g}".strip())
    return [(name, " ".join(parts)) for name, parts in found.items()]


def _shortened(axis: str) -> str:
    return axis.replace("normal", "n").replace("tangent ", "t")


def _number(value: float) -> str:
    """A number with four digits."""
    return f"{value:.4g}"
