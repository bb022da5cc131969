"""Colours of the Lens instrument: the choice of what they show, the scale, and the colours of bodies."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.lens.modes import (
    ASLEEP,
    BY_NAME,
    COUNTDOWN,
    ISLAND,
    MODES,
    NOTHING,
    Mode,
    Scale,
    ramp,
    tree_colours,
)
from app.instruments.lens.questions import COSTS, LensAnswer
from app.instruments.lens.state import LensState
from app.run.snapshot import Snapshot
from app.scene.decor.islands import island_colours
from app.ui.quantities import compact
from app.ui.widgets import caption, em, same_line_if_fits, toggle, tooltip
from app.view.view_state import ViewState

# steps of the drawn scale, and its height
STEPS, HEIGHT_EM = 48, 0.7
# numbers at the ends of a scale that are written plain
PLAIN = 1e5


def draw_modes(snapshot: Snapshot, view: ViewState, found: LensAnswer | None) -> None:
    """What bodies are coloured by, and the scale of it."""
    shown, model = view.of(LensState), snapshot.model
    assert model is not None
    for k, mode in enumerate(MODES):
        if k:
            same_line_if_fits(mode.name)
        lacking = model.lacks.get(COSTS, "") if mode.timed else ""
        on = shown.colouring and mode.name == shown.mode
        hint = lacking or f"colour bodies by {mode.hint}; again: their own colours"
        if toggle(mode.name, on, hint, enabled=not lacking):
            # a second click ends it
            shown.colouring, shown.mode = not on, mode.name
    # of a constant height, so that nothing below it jumps
    _scale(view, found)


def _scale(view: ViewState, found: LensAnswer | None) -> None:
    """The colours from the least to the largest value, with these; what is asleep, and what has none."""
    lens = view.of(LensState)
    shown, mode = lens, BY_NAME[lens.mode]
    if not shown.colouring:
        imgui.dummy((0, em(HEIGHT_EM)))
        caption("bodies have their own colours")
        return
    if mode.name == ISLAND:
        imgui.dummy((0, em(HEIGHT_EM)))
        caption("a colour for each island; asleep: darker")
        return
    scale = shown.scale(mode, _awake_values(mode, found)) if found is not None else None
    _bar(mode, scale)
    low, high = ("", "") if scale is None else (end_text(value, mode.unit) for value in (scale.low, scale.high))
    caption(low, f"{mode.hint}: {low} and less")
    grey, hint = "none", "trees that nothing constrains"
    if mode.name == COUNTDOWN:
        grey, hint = "not counting", "something keeps these trees awake"
    for name, ink, meaning in (("asleep", ASLEEP, "trees that sleep"), (grey, NOTHING, hint)):
        imgui.same_line(0, em(1))
        _chip(ink)
        caption(name, meaning)
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - imgui.calc_text_size(high).x)
    caption(high, f"{mode.hint}: {high} and more")


def end_text(value: float, unit: str) -> str:
    """The number at an end of a scale."""
    if unit == "steps":
        return f"{value:g} steps"
    if unit:
        return compact(value, unit) if value else f"0 {unit}"
    return f"{value:g}" if value == 0 or 1e-3 <= abs(value) < PLAIN else f"{value:.0e}"


def _bar(mode: Mode, scale: Scale | None) -> None:
    """A bar of all colours."""
    (x, y), width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, em(HEIGHT_EM)
    draw, each = imgui.get_window_draw_list(), width / STEPS
    if scale is not None:
        for k, (red, green, blue) in enumerate(ramp(np.linspace(0.0, 1.0, STEPS)).tolist()):
            ink = imgui.get_color_u32((red, green, blue, 1.0))
            draw.add_rect_filled((x + k * each, y), (x + (k + 1) * each + 0.5, y + height), ink)
    imgui.invisible_button("##scale", (width, height))
    tooltip(f"{mode.hint}{'; the scale is logarithmic' if scale is not None and scale.log else ''}")


def _chip(ink: tuple[float, float, float]) -> None:
    """A small square of a colour, before its name."""
    (x, y), size = imgui.get_cursor_screen_pos(), em(0.6)
    top = y + (imgui.get_text_line_height() - size) / 2
    imgui.get_window_draw_list().add_rect_filled((x, top), (x + size, top + size), imgui.get_color_u32((*ink, 1.0)))
    imgui.dummy((size, size))
    imgui.same_line(0, em(0.3))


def _awake_values(mode: Mode, found: LensAnswer) -> np.ndarray:
    """The values of the trees that are awake."""
    return np.where(found.sleep.asleep, np.nan, mode.values(found))


def colour_bodies(snapshot: Snapshot, view: ViewState, found: LensAnswer | None) -> None:
    """Give bodies the colours of their trees in this frame."""
    shown = view.of(LensState)
    model, state, mode = snapshot.model, snapshot.state, BY_NAME[shown.mode]
    assert model is not None
    assert state is not None
    if mode.name == ISLAND:
        view.instruments.colour_bodies(island_colours(model, state))
    elif found is not None and len(found.sleep.asleep) == model.ntree:
        values = _awake_values(mode, found)
        trees = tree_colours(values, shown.scale(mode, values), found.sleep.asleep)
        of_body = np.asarray(model.body_treeid)
        bodies = np.where(of_body[:, None] >= 0, trees[of_body], np.array(NOTHING))
        view.instruments.colour_bodies(bodies.astype(np.float32))
