"""The Controls panel: sliders of controls with a filter, control noise in its menu, switches for equality constraints.

A control without a range gets a drag field instead of a slider.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from imgui_bundle import imgui

from app.model.angle_unit import control_unit, shown_unit
from app.model.drive_table import Floats, Indices, control_table
from app.model.number_drag import Rule
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send, SetData, SetField
from app.run.snapshot import Snapshot
from app.ui.widgets import (
    caption,
    drag_by_rule,
    drag_evenly,
    em,
    matches,
    note,
    number_field,
    section,
    tooltip,
)
from app.view.view_state import ViewState
from app.window.panels.drive_list import (
    Drives,
    Number,
    filtered,
    list_rows,
    name_cell,
    name_width,
    nothing,
    number_cells,
)
from sim.analysis.element_names import element_name

# drag rules of a control without a range, and of the noise
FREE, NOISE = Rule(0.01), Rule(0.01, 0.0)
# steps of a control over its range
STEPS = 200
WAYS = "right-click: 0; ctrl+click: type a number"
# unit as shown -> how its numbers are printed: a blank where others have a sign, so that digits stay in place
FORMS = {"rad": "% .3f", "°": "% .1f", "m": "% .3f", "rad/s": "% .3f", "°/s": "% .1f", "m/s": "% .3f"}


def controls_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Filter, then controls and equality constraints in a list."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not (model.nu or model.neq):
        note("this model has no actuators")
        return
    shown = np.zeros(0, int)
    if model.nu:
        shown = _head(model, state, view, send)
    if imgui.begin_child("controls", window_flags=imgui.WindowFlags_.no_nav_inputs):
        lines = np.ones(model.nu, int)
        list_rows(view.ui.controls, shown, lines, lambda row, _line: _control(row, model, state, view, send))
        if model.nu and not len(shown):
            nothing("controls")
        if model.neq:
            _equalities(model, state, view, send)
    imgui.end_child()


def _head(model: ModelView, state: StateView, view: ViewState, send: Send) -> Indices:
    """Filter and noise; returns the controls to show."""
    table, chosen = control_table(model), view.ui.controls
    base, noisy = _base(model, chosen.keyframe), state.noise.scale > 0
    drives = Drives("ctrl", state.ctrl, base, "0", ("##ctrl",), more=partial(_noise, state, view, send), special=noisy)
    return filtered(model, view, chosen, table, "controls", drives, send)


def _base(model: ModelView, keyframe: int) -> Floats:
    """The controls that count as unchanged."""
    return model.key_ctrl[keyframe] if 0 <= keyframe < model.nkey else np.zeros(model.nu)


def _noise(state: StateView, view: ViewState, send: Send) -> None:
    """Scale and time constant of the noise on all controls."""
    caption("Noise")
    for name, form, hint in (
        ("scale", "scale %.3g", "standard deviation of the control noise, relative to half the control range"),
        ("rate", "rate %.3g s", "correlation time of the control noise, s"),
    ):
        if name == "rate":
            imgui.same_line(0, imgui.get_style().item_inner_spacing.x)
        imgui.set_next_item_width(em(8))
        value = float(getattr(state.noise, name))
        wanted = number_field(view, f"##noise {name}", (value,), 0, drag_by_rule(NOISE), form=form)
        tooltip(f"{hint}\nd.noise.{name}; default 0; {WAYS}")
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            wanted = 0.0
        if wanted is not None:
            send(SetData(f"noise.{name}", 0, (max(wanted, 0.0),)))


def _control(row: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """Name, slider and number of one control."""
    table = control_table(model)
    actuator = int(table.elements[row])
    unit = control_unit(model, actuator, row - int(model.actuator_ctrladr[actuator]))
    factor, shown = shown_unit(unit, view.prefs.degrees)
    hint = partial(_hint, model, row, actuator, factor, shown)
    left, names = imgui.get_cursor_pos_x(), name_width(table)
    name_cell(view, table, row, names, hint)
    imgui.same_line(left + names + imgui.get_style().item_inner_spacing.x)
    value, ends, move = float(state.ctrl[row]) * factor, None, drag_by_rule(FREE.scaled(factor))
    if model.actuator_ctrllimited[row]:
        low, high = (float(end) * factor for end in model.actuator_ctrlrange[row])
        if np.isfinite(high - low):
            ends, move = (low, high), drag_evenly(max((high - low) / STEPS, 1e-9), low, high)
    number = Number(f"##ctrl{row}", value, move, FORMS.get(shown, "% .3g"), shown, ends)
    wanted, cleared = number_cells(view, view.ui.controls, row, number, hint)
    if cleared:
        send(SetData("ctrl", row, (float(_base(model, view.ui.controls.keyframe)[row]),)))
    elif wanted is not None:
        send(SetData("ctrl", row, (wanted / factor,)))


def _hint(model: ModelView, row: int, actuator: int, factor: float, unit: str) -> str:
    """The tooltip of a control."""
    reach = "no range"
    if model.actuator_ctrllimited[row]:
        low, high = (float(end) * factor for end in model.actuator_ctrlrange[row])
        reach = f"{low:.4g} to {high:.4g} {unit}".strip() + "; actuator/ctrlrange"
    name = element_name(model, "actuator", actuator)
    return f"{name}\nd.ctrl[{row}]{f'   [{unit}]' if unit else ''}\n{reach}\ndefault 0; {WAYS}; click the name: select"


def _equalities(model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """A checkbox for each equality constraint that the filter finds."""
    section("Equalities")
    wanted = view.ui.controls.text
    found = [k for k in range(model.neq) if not wanted or matches(wanted, element_name(model, "equality", k))]
    clipper = imgui.ListClipper()
    clipper.begin(len(found), imgui.get_frame_height_with_spacing())
    while clipper.step():
        for index in found[clipper.display_start : clipper.display_end]:
            changed, on = imgui.checkbox(f"##equality{index}", bool(state.eq_active[index]))
            tooltip(f"equality/active\nwhether the constraint is active; d.eq_active[{index}]\ndefault true")
            if changed:
                send(SetField("eq_active0", float(on), (index,)))
            imgui.same_line()
            name = element_name(model, "equality", index)
            if imgui.selectable(f"{name}##eq{index}", view.selection == Selection("equality", index))[0]:
                view.select("equality", index)
            tooltip(f"select equality {name}")
