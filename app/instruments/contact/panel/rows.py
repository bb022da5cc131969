"""Parts of the contact microscope: friction by axis as bars, constraint rows with the joints that they push."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.model.views import ModelView
from app.ui import theme
from app.ui.contact_cone import state_colour
from app.ui.quantities import compact
from app.ui.tables.column import Column
from app.ui.tables.frame import FLAGS, cell
from app.ui.tables.table import Look, table
from app.ui.widgets import caption, em, font, tooltip
from app.view.view_state import ViewState
from sim.analysis.contact_detail import ContactDetail, ContactRow, FrictionAxis
from sim.analysis.element_names import dof_name, joint_and_axis

# width of the velocities beside the bars, em
SPEED = 6.0
TABLE = "rows of the contact"
# name -> field of a row, tooltip, and unit of rows along an axis
NUMBERS = {
    "force": ("force", "efc_force", "N"),
    "position": ("pos", "efc_pos: constraint violation", "m"),
    "margin": ("margin", "efc_margin: where it becomes active", "m"),
    "velocity": ("vel", "efc_vel", "m/s"),
    "aref": ("aref", "efc_aref: the acceleration that the row wants", "m/s²"),
    "acc": ("acc", "J qacc: the acceleration that it gets", "m/s²"),
    "R": ("R", "efc_R: regularization, the softness of the row", None),
    "D": ("D", "efc_D: 1 / R", None),
}
# a pyramid has edges; torsion and rolling are about an axis, which the units of a column do not say
ABOUT_AN_AXIS = ("torsion", "rolling")
STATES = ("satisfied", "quadratic", "linear -", "linear +", "cone")
TABLE_FLAGS = FLAGS & ~imgui.TableFlags_.scroll_y
ROW_HINT = "n: normal, t1 and t2: tangents, torsion and rolling; of a pyramid, its edges"


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
        tooltip("velocity of the second surface over the first along this axis, or about it")


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
            "J: the joints that the row pushes, largest first",
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
