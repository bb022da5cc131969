"""The Controls panel: a slider for every control, control noise, and switches for equality constraints.

A control without a range gets a drag field instead of a slider.
"""

from __future__ import annotations

from imgui_bundle import imgui

from app.model.number_drag import Rule
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import Send, SetData, SetField
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import drag_by_rule, drag_or_slider, em, number_field, section, skip_if_clipped, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

# drag rules of a control without a range, and of the noise
FREE_CONTROL, NOISE = Rule(0.01), Rule(0.01, 0.0)
WAYS = "right-click: 0; ctrl+click: type a number"


def controls_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Controls, control noise, equality constraints."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not (model.nu or model.neq):
        imgui.text_colored(theme.DIM, "this model has no actuators")
        return
    if model.nu:
        if imgui.button("Clear all", (-1, 0)):
            send(SetData("ctrl", 0, (0.0,) * model.nu))
        tooltip("set every control to zero; d.ctrl")
        _noise(snapshot, view, send)
        section("Controls")
        for actuator in range(model.nactuator):
            _actuator(actuator, snapshot, view, send)
    if model.neq:
        section("Equalities")
        _equalities(model, snapshot, view, send)


def _noise(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Scale and time constant of the noise on all controls."""
    assert snapshot.state is not None
    for name, hint in (
        ("scale", "standard deviation of the control noise, relative to half the control range\nd.noise.scale"),
        ("rate", "correlation time of the control noise\nd.noise.rate   [s]"),
    ):
        imgui.set_next_item_width(-em(5.5))
        value = float(getattr(snapshot.state.noise, name))
        wanted = number_field(view, f"noise {name}", (value,), 0, drag_by_rule(NOISE))
        tooltip(f"{hint}\ndefault 0; {WAYS}")
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            wanted = 0.0
        if wanted is not None:
            send(SetData(f"noise.{name}", 0, (max(wanted, 0.0),)))


def _actuator(actuator: int, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """One slider for each control of an actuator."""
    model, state = snapshot.model, snapshot.state
    assert model is not None
    assert state is not None
    first, count = int(model.actuator_ctrladr[actuator]), int(model.actuator_ctrlnum[actuator])
    name = element_name(model, "actuator", actuator)
    for k in range(count):
        if skip_if_clipped(imgui.get_frame_height_with_spacing()):
            continue
        control = first + k
        label = f"{name} {k}" if count > 1 else name
        imgui.set_next_item_width(-min(em(8), 0.5 * imgui.get_content_region_avail().x))
        value, key, reach = float(state.ctrl[control]), f"##ctrl{control}", "no range"
        if model.actuator_ctrllimited[control]:
            low, high = (float(end) for end in model.actuator_ctrlrange[control])
            wanted, reach = drag_or_slider(view, key, value, low, high), f"{low:g} to {high:g}; actuator/ctrlrange"
        else:
            wanted = number_field(view, key, (value,), 0, drag_by_rule(FREE_CONTROL))
        tooltip(f"d.ctrl[{control}]\n{reach}\ndefault 0; {WAYS}")
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            wanted = 0.0
        if wanted is not None:
            send(SetData("ctrl", control, (wanted,)))
        imgui.same_line()
        if imgui.selectable(f"{label}##actuator{control}", view.selection == Selection("actuator", actuator))[0]:
            view.select("actuator", actuator)
        tooltip(f"select actuator {label}")


def _equalities(model: ModelView, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A checkbox for each equality constraint."""
    assert snapshot.state is not None
    for index in range(model.neq):
        if skip_if_clipped(imgui.get_frame_height_with_spacing()):
            continue
        changed, on = imgui.checkbox(f"##equality{index}", bool(snapshot.state.eq_active[index]))
        tooltip(f"equality/active\nwhether the constraint is active; d.eq_active[{index}]\ndefault true")
        if changed:
            send(SetField("eq_active0", float(on), (index,)))
        imgui.same_line()
        name = element_name(model, "equality", index)
        if imgui.selectable(f"{name}##eq{index}", view.selection == Selection("equality", index))[0]:
            view.select("equality", index)
        tooltip(f"select equality {name}")
