"""Sensor bars (F4): every sensor's numbers as bars, each kind scaled by the largest value it has shown."""

from __future__ import annotations

from imgui_bundle import imgui

from app.panels import theme
from app.panels.info import FLAGS
from app.selection import element_name
from app.snapshot import Snapshot
from app.state import Rect, ViewState
from app.widgets import elide, em, font

NAME_EM, BAR_EM = 10.0, 12.0
# numbers that fit on the screen
MOST = 48


def sensors_overlay(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """A card on the right of the view; it takes no clicks."""
    model, state = snapshot.model, snapshot.state
    imgui.set_next_window_pos((rect.x + rect.width - em(0.8), rect.y + em(0.8)), imgui.Cond_.always, (1.0, 0.0))
    imgui.set_next_window_bg_alpha(0.72)
    imgui.begin("##sensors", None, FLAGS)
    with font("bold"):
        imgui.text("Sensors")
    if model is None or state is None or not model.nsensor:
        imgui.text_colored(theme.DIM, "this model has no sensors")
    else:
        values = state.sensordata.tolist()
        drawn = 0
        for sensor in range(model.nsensor):
            first, count, kind = (
                int(model.sensor_adr[sensor]),
                int(model.sensor_dim[sensor]),
                int(model.sensor_type[sensor]),
            )
            numbers = values[first : first + count]
            largest = max([abs(v) for v in numbers] + [view.sensor_scale.get(kind, 0.0)])
            view.sensor_scale[kind] = largest
            if drawn < MOST:
                _sensor(element_name(model, "sensor", sensor), numbers, largest)
            drawn += count
        if drawn > MOST:
            imgui.text_colored(theme.DIM, f"and {drawn - MOST} numbers more")
    imgui.end()


def _sensor(name: str, numbers: list[float], largest: float) -> None:
    """Name, bars from the middle, values."""
    draw = imgui.get_window_draw_list()
    for k, value in enumerate(numbers):
        imgui.text_colored(theme.DIM, elide(name, em(NAME_EM)) if k == 0 else "")
        imgui.same_line(em(NAME_EM + 1))
        x, y = imgui.get_cursor_screen_pos()
        height, middle = imgui.get_text_line_height(), x + em(BAR_EM) / 2
        end = middle + em(BAR_EM) / 2 * (value / largest if largest > 0 else 0.0)
        draw.add_rect_filled((x, y), (x + em(BAR_EM), y + height), imgui.get_color_u32(theme.RAISED), 2.0)
        draw.add_rect_filled(
            (min(middle, end), y + 2), (max(middle, end), y + height - 2), imgui.get_color_u32(theme.ACCENT)
        )
        imgui.dummy((em(BAR_EM), height))
        imgui.same_line()
        with font("mono"):
            imgui.text(f"{value:>10.4g}")
