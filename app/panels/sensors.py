"""Sensor bars (F4): every sensor's numbers as bars, each kind scaled by the largest value it has shown."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.elements import sensor_unit
from app.panels import theme
from app.panels.card import Room
from app.selection import element_name
from app.snapshot import ModelView, Snapshot, StateView
from app.state import ViewState
from app.widgets import UNIT_EM, alike, elide, em, font

# widths of names, bars and numbers
NAME_EM, BAR_EM, NUMBER_EM = 7.5, 5.0, 7.0


def sensors_overlay(snapshot: Snapshot, view: ViewState, room: Room) -> None:
    """As many sensors as there is room for."""
    model, state = snapshot.model, snapshot.state
    with room.card("Sensors", NAME_EM + BAR_EM + NUMBER_EM) as lines:
        if not lines:
            return
        with font("bold"):
            imgui.text("Sensors")
        if model is None or state is None or not model.nsensor:
            imgui.text_colored(theme.DIM, "this model has no sensors")
            return
        _remember_largest(model, state, view)
        left = lines - 2
        for sensor in range(model.nsensor):
            first, count = int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])
            if count > left:
                imgui.text_colored(theme.DIM, f"and {model.nsensor - sensor} more")
                break
            largest = view.sensor_scale[int(model.sensor_type[sensor])]
            name, unit = element_name(model, "sensor", sensor), sensor_unit(model, sensor)
            _sensor(name, unit, state.sensordata[first : first + count].tolist(), largest)
            left -= count


def _remember_largest(model: ModelView, state: StateView, view: ViewState) -> None:
    """The scale of each type of sensor: the largest value that it has shown."""
    sizes = np.abs(np.nan_to_num(state.sensordata, posinf=0.0, neginf=0.0))
    for kind, first, count in zip(model.sensor_type, model.sensor_adr, model.sensor_dim, strict=True):
        largest = float(sizes[int(first) : int(first) + int(count)].max(initial=0.0))
        view.sensor_scale[int(kind)] = max(largest, view.sensor_scale.get(int(kind), 0.0))


def _sensor(name: str, unit: str, numbers: list[float], largest: float) -> None:
    """Name, bars from the middle, values; numbers of one type have equally many decimals."""
    draw = imgui.get_window_draw_list()
    left = imgui.get_cursor_pos_x()
    for k, (value, text) in enumerate(zip(numbers, alike(numbers, largest=largest), strict=True)):
        imgui.text_colored(theme.DIM, elide(name, em(NAME_EM - 0.5)) if k == 0 else "")
        imgui.same_line(left + em(NAME_EM))
        x, y = imgui.get_cursor_screen_pos()
        height, middle = imgui.get_text_line_height(), x + em(BAR_EM) / 2
        share = value / largest if largest > 0 and np.isfinite(value) else 0.0
        end = middle + em(BAR_EM) / 2 * share
        draw.add_rect_filled((x, y), (x + em(BAR_EM), y + height), imgui.get_color_u32(theme.RAISED), 2.0)
        draw.add_rect_filled(
            (min(middle, end), y + 2), (max(middle, end), y + height - 2), imgui.get_color_u32(theme.ACCENT)
        )
        imgui.dummy((em(BAR_EM), height))
        with font("mono"):
            imgui.same_line(left + em(NAME_EM + BAR_EM + NUMBER_EM - UNIT_EM) - imgui.calc_text_size(text).x)
            imgui.text(text)
        imgui.same_line(left + em(NAME_EM + BAR_EM + NUMBER_EM - UNIT_EM + 0.4))
        imgui.text_colored(theme.DIM, unit)
