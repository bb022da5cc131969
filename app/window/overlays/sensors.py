"""The sensor overlay (F4): sensor readings as bars, each sensor type scaled by its largest reading."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from imgui_bundle import imgui

from app.model.elements import sensor_unit
from app.model.views import ModelView, StateView
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.quantities import align_decimals
from app.ui.widgets import UNIT_EM, caption, elide, em, font, matches, text_field, tooltip
from app.view.view_state import ViewState
from app.window.overlays.cards.card import Card
from sim.analysis.element_names import element_name

# widths of names, at least and at most, of bars and of numbers
NAMES_EM, BAR_EM, NUMBER_EM = (7.5, 12.0), 5.0, 7.0
# a sensor and a component of its reading
Row = tuple[int, int]


def sensors_card(snapshot: Snapshot, view: ViewState) -> Card:
    """All sensors; if they do not fit, in a list that can be scrolled and searched."""
    model = snapshot.model
    rows = 1 + max(int(model.sensor_dim.sum()) if model is not None else 0, 1)
    width = _name_em(model) + BAR_EM + NUMBER_EM + imgui.get_style().scrollbar_size / em()
    return Card("Sensors", width, rows, lambda lines: _draw(snapshot, view, lines, lines < rows), scrolls=True)


def _name_em(model: ModelView | None) -> float:
    """The width of the names: that of the longest, within limits."""
    least, most = NAMES_EM
    longest = _longest_name(model) if model is not None else ""
    return min(max(imgui.calc_text_size(longest).x / em() + 0.6, least), most)


@lru_cache(maxsize=1)
def _longest_name(model: ModelView) -> str:
    return max((element_name(model, "sensor", sensor) for sensor in range(model.nsensor)), key=len, default="")


def _draw(snapshot: Snapshot, view: ViewState, lines: int, scrolls: bool) -> None:
    """Title, and the sensors in so many lines."""
    model, state = snapshot.model, snapshot.state
    with font("bold"):
        imgui.text("Sensors")
    if model is None or state is None or not model.nsensor:
        caption("this model has no sensors")
        return
    _update_scale(model, state, view)
    if scrolls:
        _list(model, state, view, lines - 1)
    else:
        _numbers(model, state, view, _rows(model))


def _list(model: ModelView, state: StateView, view: ViewState, lines: int) -> None:
    """A search field, and the matching sensors, in so many lines."""
    top, line = imgui.get_cursor_pos_y(), imgui.get_text_line_height_with_spacing()
    view.ui.sensor_search = text_field(
        "##search sensors", "search by name", view.ui.sensor_search, "filter sensors by name"
    )
    rows = _rows(model, view.ui.sensor_search)
    left = max(top + lines * line - imgui.get_style().item_spacing.y - imgui.get_cursor_pos_y(), line)
    if imgui.begin_child("rows", (0, min(max(len(rows), 1) * line, left))):
        if not rows:
            caption("no matches")
        clipper = imgui.ListClipper()
        clipper.begin(len(rows), line)
        while clipper.step():
            _numbers(model, state, view, rows[clipper.display_start : clipper.display_end])
    imgui.end_child()


def _rows(model: ModelView, query: str = "") -> list[Row]:
    """A row for each number of each sensor whose name matches."""
    return [
        (sensor, k)
        for sensor in range(model.nsensor)
        if matches(query, element_name(model, "sensor", sensor))
        for k in range(int(model.sensor_dim[sensor]))
    ]


def _update_scale(model: ModelView, state: StateView, view: ViewState) -> None:
    """Update the scale of each sensor type: its largest reading so far."""
    sizes = np.abs(np.nan_to_num(state.sensordata, posinf=0.0, neginf=0.0))
    for kind, first, count in zip(model.sensor_type, model.sensor_adr, model.sensor_dim, strict=True):
        largest = float(sizes[int(first) : int(first) + int(count)].max(initial=0.0))
        view.ui.sensor_scale[int(kind)] = max(largest, view.ui.sensor_scale.get(int(kind), 0.0))


def _numbers(model: ModelView, state: StateView, view: ViewState, rows: list[Row]) -> None:
    """Rows of numbers; the first visible one of each sensor has its name."""
    named, wide = -1, _name_em(model)
    for sensor, k in rows:
        first, count = int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])
        largest = view.ui.sensor_scale[int(model.sensor_type[sensor])]
        values = state.sensordata[first : first + count].tolist()
        name = element_name(model, "sensor", sensor) if sensor != named else ""
        text, unit = align_decimals(values, largest=largest)[k], sensor_unit(model, sensor)
        _number(name, wide, values[k], text, unit, largest)
        named = sensor


def _number(name: str, wide: float, value: float, text: str, unit: str, largest: float) -> None:
    """Name, bar from the middle, value; numbers of one sensor type have equal decimals."""
    draw = imgui.get_window_draw_list()
    left = imgui.get_cursor_pos_x()
    short = elide(name, em(wide - 0.5))
    caption(short)
    if short != name:
        tooltip(name)
    imgui.same_line(left + em(wide))
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
        imgui.same_line(left + em(wide + BAR_EM + NUMBER_EM - UNIT_EM) - imgui.calc_text_size(text).x)
        imgui.text(text)
    imgui.same_line(left + em(wide + BAR_EM + NUMBER_EM - UNIT_EM + 0.4))
    caption(unit)
